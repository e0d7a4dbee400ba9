/* SPDX-License-Identifier: MIT */
/* Stores past the caches leave the same bytes as others: at any start, with any end, read again by
 * the lanes that wrote them and by the next dispatch.
 */
#include "harness.h"

#define COUNT_MAX 5000u
#define ROOM (2 * COUNT_MAX + 64u) /* words */

static _Alignas(64) uint32_t a[ROOM], c[ROOM], d[ROOM], want_c[ROOM], want_d[ROOM];

struct place {
    uint32_t count;      /* lanes */
    uint32_t from, to;   /* elements in front */
    uint32_t first_word; /* of the buffers, from a line of the cache on */
};

static const struct place places[] = {
    {5000, 0, 0, 0}, {4096, 0, 0, 0},  {4999, 3, 1, 0}, {4097, 1, 0, 4},
    {17, 0, 2, 4},   {1025, 15, 7, 8}, {64, 1, 1, 12},  {3001, 0, 0, 1},
};

static void
run(struct rp_dispatcher *dispatcher, const char *name, uint32_t cpu_flags,
    const struct place *place, uint32_t group_lanes)
{
    const uint32_t first = place->first_word;
    const uint32_t push[RP_MAX_PUSH_CONSTANT_B / 4] = {place->count, place->from, place->to};
    uint32_t *const memory[BINDING_COUNT] = {a, c, c, d};
    struct rp_descriptor buffers[BINDING_COUNT];
    struct rp_descriptor_array arrays[BINDING_COUNT];
    uint32_t count;
    struct rp_kernel *kernel = kernel_load(name, cpu_flags);
    const struct rp_kernel_binding *bindings = rp_kernel_bindings(kernel, &count);
    REQUIRE(count <= BINDING_COUNT);
    for (uint32_t i = 0; i < count; i++) {
        buffers[i] = (struct rp_descriptor){
            .ptr = (uint8_t *)(memory[bindings[i].binding % BINDING_COUNT] + first),
            .size_B = (ROOM - first) * 4,
        };
        arrays[i] = (struct rp_descriptor_array){.items = &buffers[i], .count = 1};
    }
    const struct rp_dispatch dispatch = {
        .kernel = kernel,
        .bindings = arrays,
        .push_constants = push,
        .group_count = {(place->count + group_lanes - 1) / group_lanes, 1, 1},
        .stream_min_B = 1,
    };
    REQUIRE_EQ(rp_dispatcher_run(dispatcher, &dispatch), VK_SUCCESS);
    rp_kernel_destroy(kernel);
}

static void
clear(void)
{
    memset(c, 0xee, sizeof(c));
    memset(d, 0xee, sizeof(d));
    memset(want_c, 0xee, sizeof(want_c));
    memset(want_d, 0xee, sizeof(want_d));
}

static void
check(void)
{
    REQUIRE(memcmp(c, want_c, sizeof(c)) == 0);
    REQUIRE(memcmp(d, want_d, sizeof(d)) == 0);
}

static void
words_are_written_copied_and_read_again(struct rp_dispatcher *dispatcher, uint32_t cpu_flags,
                                        const struct place *p)
{
    const uint32_t *in = a + p->first_word;
    uint32_t *out = want_c + p->first_word, *more = want_d + p->first_word;
    clear();
    for (uint32_t i = 0; i < p->count; i++) {
        const uint32_t before = in[i] * 3 + 1;
        out[p->to + i] = before * 5 + i;
        more[i] = in[p->from + i];
        more[p->count + i] = out[p->to + i] ^ before;
    }
    run(dispatcher, "streams", cpu_flags, p, 64);
    check();
    for (uint32_t i = 0; i < p->count; i++)
        more[i] = out[p->from + p->count - 1 - i];
    run(dispatcher, "turned", cpu_flags, p, 64);
    check();
}

static void
vectors_are_copied(struct rp_dispatcher *dispatcher, uint32_t cpu_flags, const struct place *p)
{
    struct place quarter = *p;
    quarter.count = p->count / 4;
    clear();
    memcpy(want_c + p->first_word + 4 * p->to, a + p->first_word + 4 * p->from, quarter.count * 16);
    run(dispatcher, "streams4", cpu_flags, &quarter, 32);
    check();
}

int
main(void)
{
    struct rp_workers *workers = rp_workers_create(3);
    struct rp_dispatcher *alone = rp_dispatcher_create(NULL);
    struct rp_dispatcher *together = rp_dispatcher_create(workers);
    REQUIRE(alone && together);
    for (uint32_t i = 0; i < ROOM; i++)
        a[i] = i * 2654435761u;
    for (uint32_t isa = 0; isa < ISA_COUNT; isa++) {
        for (uint32_t p = 0; p < sizeof(places) / sizeof(places[0]); p++) {
            words_are_written_copied_and_read_again(alone, isa_flags[isa], &places[p]);
            words_are_written_copied_and_read_again(together, isa_flags[isa], &places[p]);
            vectors_are_copied(alone, isa_flags[isa], &places[p]);
            vectors_are_copied(together, isa_flags[isa], &places[p]);
        }
    }
    rp_dispatcher_destroy(together);
    rp_dispatcher_destroy(alone);
    rp_workers_destroy(workers);
    return 0;
}
