/* SPDX-License-Identifier: MIT */
/* Words of one invocation that lie side by side are loaded and stored together, and arrays of its
 * own that an index goes through: the same words as one by one, whatever the places are and
 * wherever the buffer ends.
 */
#include "harness.h"

#include <string.h>

#define LANES 128u
#define WORDS (16 * LANES)

static uint32_t a[WORDS], b[WORDS], at[LANES], want[WORDS];

/* Places of the lanes, in pairs. */
enum order {
    IN_ORDER,
    BY_FOUR, /* four that follow each other, then four elsewhere */
    BACKWARDS,
    APART,
    ALMOST, /* by four but for one */
    OUTSIDE,
    ORDER_COUNT,
};

static uint32_t
place(enum order order, uint32_t id)
{
    switch (order) {
    case IN_ORDER:
        return id;
    case BY_FOUR:
        return (id / 4 * 5 % 32) * 4 + id % 4;
    case BACKWARDS:
        return LANES - 1 - id;
    case APART:
        return id * 37 % 128;
    case ALMOST:
        return id == 21 ? 127 : id == 127 ? 21 : id;
    default:
        return id % 3 ? id : id + 0x10000000u - id % 2;
    }
}

static uint32_t
word(const uint32_t *from, uint64_t index, uint64_t size_B)
{
    return index * 4 + 4 <= size_B ? from[index] : 0;
}

static void
put(uint64_t index, uint64_t size_B, uint32_t value)
{
    if (index * 4 + 4 <= size_B)
        want[index] = value;
}

static void
expect(uint32_t part, uint32_t id, uint64_t a_B, uint64_t b_B)
{
    static const uint32_t factors[8] = {1, 3, 7, 5, 9, 11, 13, 15};
    const uint32_t x = word(a, id, a_B);
    const uint64_t to = part == 0 ? 2ull * at[id] : 6ull * id;
    const uint64_t from = part == 1 ? 2ull * at[id] : 6ull * id;
    if (part == 0 || part == 2) {
        put(to, b_B, x);
        put(to + 1, b_B, x * 3);
    } else if (part == 1 || part == 3) {
        put(id, b_B, word(a, from, a_B) * 3 + word(a, from + 1, a_B));
    } else if (part == 4) {
        for (uint32_t w = 0; w < 8; w++)
            put(8ull * id + w, b_B, x * factors[w]);
    } else if (part == 5) {
        put(4ull * id, b_B, x);
        put(4ull * id + 1, b_B, x + 0xeeeeeeee);
    }
}

static struct rp_kernel *
part_load(uint32_t part, uint32_t isa)
{
    const VkSpecializationMapEntry entry = {.constantID = 0, .offset = 0, .size = sizeof(part)};
    const VkSpecializationInfo info = {1, &entry, sizeof(part), &part};
    return kernel_load_specialized("wide_words", isa_flags[isa], &info);
}

static void
part_run_before(uint32_t part, uint32_t isa, uint32_t skip, uint32_t before, uint32_t a_B,
                uint32_t b_B)
{
    const struct rp_texture_level level = {.data = (uint8_t *)b,
                                           .width_px = WORDS,
                                           .height_px = 1,
                                           .depth_px = 1,
                                           .row_B = sizeof(b),
                                           .slice_B = sizeof(b),
                                           .layer_B = sizeof(b)};
    const struct rp_texture b_again = {.type = VK_IMAGE_VIEW_TYPE_2D,
                                       .format = VK_FORMAT_R32_UINT,
                                       .plane_count = 1,
                                       .level_count = 1,
                                       .layer_count = 1,
                                       .sample_count = 1,
                                       .levels = &level};
    const struct rp_descriptor buffers[BINDING_COUNT] = {
        {.ptr = (uint8_t *)a, .size_B = a_B},
        {.ptr = (uint8_t *)b, .size_B = b_B},
        {.ptr = (uint8_t *)at, .size_B = sizeof(at)},
        {.view = &b_again},
    };
    struct rp_kernel *kernel = part_load(part, isa);
    memset(b, 0xee, sizeof(b));
    kernel_run(kernel, buffers, &(struct grid){LANES / 64, 1, 1, {skip, before}});
    rp_kernel_destroy(kernel);
}

static void
part_run(uint32_t part, uint32_t isa, uint32_t skip, uint32_t a_B, uint32_t b_B)
{
    part_run_before(part, isa, skip, 0, a_B, b_B);
}

/* Whole buffers, and such as end in the middle of a lane's words. */
static void
words_are_where_they_belong(uint32_t part, uint32_t isa, enum order order)
{
    static const uint32_t sizes_B[] = {sizeof(b), 4 * 255, 4 * 203, 4 * 200, 4 * 37, 4, 0};
    static const uint32_t skips[] = {0, 3, 64};
    for (uint32_t s = 0; s < sizeof(sizes_B) / sizeof(sizes_B[0]); s++)
        for (uint32_t k = 0; k < sizeof(skips) / sizeof(skips[0]); k++) {
            const bool is_load = part == 1 || part == 3;
            const uint32_t a_B = is_load ? sizes_B[s] : sizeof(a);
            const uint32_t b_B = is_load ? sizeof(b) : sizes_B[s];
            for (uint32_t i = 0; i < LANES; i++)
                at[i] = place(order, i);
            memset(want, 0xee, sizeof(want));
            for (uint32_t i = 0; i < LANES; i++)
                if (!skips[k] || i % skips[k])
                    expect(part, i, a_B, b_B);
            part_run(part, isa, skips[k], a_B, b_B);
            if (part == 5 && b_B < sizeof(b))
                continue; /* what is read outside is 0 */
            REQUIRE(memcmp(b, want, sizeof(b)) == 0);
        }
}

static void
expect_before(uint32_t part, uint32_t id, uint32_t before)
{
    const uint32_t x = a[id], from = 4 * id - before, to = 2 * at[id] - before;
    uint32_t sum = 0;
    for (uint32_t w = 0; part == 9 && w < 4; w++)
        put(from + w, sizeof(b), x * (2 * w + 1));
    for (uint32_t w = 0; part == 10 && w < 2; w++)
        put(to + w, sizeof(b), x * (2 * w + 1));
    for (uint32_t w = 0; part == 11 && w < 2; w++)
        put(w - before, sizeof(b), 17 + w);
    for (uint32_t w = 0; w < 4; w++)
        sum += word(a, from + w, sizeof(a)) * (w < 3 ? 2 * w + 3 : 1);
    if (part == 12)
        put(id, sizeof(b), sum);
}

/* Words that begin in front of the buffer: those that are inside are read and written. */
static void
words_may_begin_outside(uint32_t isa)
{
    for (uint32_t i = 0; i < LANES; i++)
        at[i] = place(BACKWARDS, i);
    for (uint32_t part = 9; part <= 12; part++)
        for (uint32_t before = 0; before < 5; before++) {
            memset(want, 0xee, sizeof(want));
            for (uint32_t id = 0; id < LANES; id++)
                expect_before(part, id, before);
            part_run_before(part, isa, 0, before, sizeof(a), sizeof(b));
            REQUIRE(memcmp(b, want, sizeof(b)) == 0);
        }
}

/* The next one's first word is written last. */
static void
near_words_keep_their_order(uint32_t isa)
{
    part_run(6, isa, 0, sizeof(a), sizeof(b));
    for (uint32_t i = 1; i < 64; i++)
        REQUIRE_EQ(b[i], a[i - 1] * 3);
}

/* Eight of which the second is met first. */
static void
words_are_found_in_any_order(uint32_t isa)
{
    static const uint32_t factors[8] = {11, 3, 5, 7, 9, 13, 15, 17};
    part_run(13, isa, 0, sizeof(a), sizeof(b));
    for (uint32_t id = 0; id < LANES; id++) {
        uint32_t sum = 0;
        for (uint32_t w = 0; w < 8; w++)
            sum += a[16 * id + w] * factors[w];
        REQUIRE_EQ(b[id], sum);
    }
}

static void
workgroups_have_rows(uint32_t isa)
{
    part_run(15, isa, 0, sizeof(a), sizeof(b));
    for (uint32_t id = 0; id < LANES; id++)
        REQUIRE_EQ(b[id], a[id ^ 63] * (1 + 9 + 25 + 49 + 81));
}

/* A store that waited for the next one would be seen too late. */
static void
images_see_words_in_time(uint32_t isa)
{
    part_run(14, isa, 0, sizeof(a), sizeof(b));
    for (uint32_t id = 0; id < LANES; id++) {
        REQUIRE_EQ(b[2 * id], a[id]);
        REQUIRE_EQ(b[2 * id + 1], a[id] * 3);
    }
}

/* One buffer is whole, one ends in the middle of a row, one is not there. */
static void
words_are_in_one_of_several_buffers(uint32_t isa, bool is_same)
{
    static const uint64_t sizes_B[3] = {5 * 4 * LANES, 4 * 333, 0};
    static uint32_t from[3][5 * LANES], to[3][5 * LANES], wanted[3][5 * LANES];
    const VkBool32 constant = is_same;
    const VkSpecializationMapEntry entry = {0, 0, sizeof(constant)};
    const VkSpecializationInfo info = {1, &entry, sizeof(constant), &constant};
    struct rp_kernel *kernel = kernel_load_specialized("wide_arrays", isa_flags[isa], &info);
    for (uint32_t step = 0; step < 9 * 4; step++) {
        const uint32_t push[3] = {step % 3, step / 3 % 3, step / 9};
        struct rp_descriptor in[3], out[3];
        for (uint32_t k = 0; k < 3; k++) {
            memcpy(from[k], a + 100 * k, sizeof(from[k]));
            in[k] = (struct rp_descriptor){.ptr = sizes_B[k] ? (uint8_t *)from[k] : NULL,
                                           .size_B = sizes_B[k]};
            out[k] = (struct rp_descriptor){.ptr = sizes_B[k] ? (uint8_t *)to[k] : NULL,
                                            .size_B = sizes_B[k]};
        }
        memset(to, 0xee, sizeof(to));
        memset(wanted, 0xee, sizeof(wanted));
        for (uint32_t id = 0; id < LANES; id++)
            for (uint32_t i = 0; i < 5; i++) {
                const uint32_t f = (is_same ? push[0] : id + push[0]) % 3;
                const uint32_t t = (is_same ? push[1] : id / 2 + push[1]) % 3;
                const uint64_t place = id * 5 - push[2] + i, end_B = place * 4 + 4;
                if (end_B <= sizes_B[t])
                    wanted[t][place] = (end_B <= sizes_B[f] ? from[f][place] : 0) * (i + 3);
            }
        const struct rp_descriptor_array arrays[BINDING_COUNT] = {{.items = in, .count = 3},
                                                                  {.items = out, .count = 3}};
        kernel_run_arrays(kernel, arrays,
                          &(struct grid){LANES / 64, 1, 1, {push[0], push[1], push[2]}});
        REQUIRE(memcmp(to, wanted, sizeof(to)) == 0);
    }
    rp_kernel_destroy(kernel);
}

static void
kept_words_are_right(uint32_t isa)
{
    part_run(7, isa, 0, sizeof(a), sizeof(b));
    for (uint32_t id = 0; id < LANES; id++) {
        uint32_t kept[16];
        memcpy(kept, a + 16 * id, sizeof(kept));
        for (uint32_t i = 0; i < 4000; i++)
            kept[(i * i) & 15] += (kept[i & 15] >> 3) + kept[i & 15] + i;
        REQUIRE_EQ(b[id], kept[0] + kept[3]);
    }
    part_run(8, isa, 0, sizeof(a), sizeof(b));
    for (uint32_t id = 0; id < LANES; id++) {
        uint32_t words[4] = {a[id], 1, 2, 3};
        for (uint32_t i = 0; i < 1000; i++) {
            const uint32_t old = words[(a[id] + i) & 3];
            words[i & 3] += 5;
            words[3] += words[(a[id] + i) & 3] - old;
        }
        REQUIRE_EQ(b[id], words[3]);
    }
}

static void
part_has(uint32_t part, const char *text, uint32_t count)
{
    static char ir[262144];
    struct rp_kernel *kernel = part_load(part, 0);
    REQUIRE(rp_kernel_print(kernel, ir, sizeof(ir)) <= sizeof(ir));
    uint32_t found = 0;
    for (const char *p = ir; (p = strstr(p, text)); p++)
        found++;
    REQUIRE_EQ(found, count);
    rp_kernel_destroy(kernel);
}

int
main(void)
{
    for (uint32_t i = 0; i < WORDS; i++)
        a[i] = (i + 1) * 2654435761u;
    for (uint32_t isa = 0; isa < ISA_COUNT; isa++) {
        for (uint32_t part = 0; part < 6; part++)
            for (uint32_t order = 0; order < (part < 2 ? ORDER_COUNT : 1); order++)
                words_are_where_they_belong(part, isa, order);
        words_may_begin_outside(isa);
        near_words_keep_their_order(isa);
        words_are_found_in_any_order(isa);
        images_see_words_in_time(isa);
        workgroups_have_rows(isa);
        words_are_in_one_of_several_buffers(isa, true);
        words_are_in_one_of_several_buffers(isa, false);
        kept_words_are_right(isa);
    }
    part_has(4, "STORE32.4", 2);
    part_has(4, "STORE32.1", 0);
    part_has(5, "STORE32.1", 2);
    part_has(6, "STORE32.1", 2);
    part_has(9, "STORE32.4", 1);
    part_has(10, "STORE32.2", 1);
    part_has(12, "LOAD32.4", 1);
    part_has(13, "LOAD32.4", 2);
    part_has(15, "STORE32.4", 1);
    part_has(15, "LOAD32.4", 1);
    part_has(7, "LOAD32.4", 4);  /* the stores to kept in between are not to memory */
    part_has(7, "LANE_LOAD", 4); /* in a round one, and one for both reads of the same word */
    part_has(8, "LANE_LOAD", 5);
    return 0;
}
