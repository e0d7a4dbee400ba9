/* SPDX-License-Identifier: MIT */
/* Small workgroups that run side by side: each has its own memory, barriers and loop. Those that
 * wait for each other run as if alone; so do those of which one invocation does all the work, and
 * those that read more numbers of their own than running side by side is worth. */
#include "compute/kernel.h"
#include "harness.h"

#define MAX_SIZE 128u
#define ROWS 3u
#define MAX_ROW 41u
#define ROOM (ROWS * MAX_ROW * MAX_SIZE)
#define WORDS 997u

static uint32_t a[WORDS], c[ROOM + 1];
static float f[ROOM], d[ROOM + 1];

struct shape {
    uint32_t width, height;
};

/* What group (x, y) of a row of row_length gives. */
static void
check_group(const struct shape *s, uint32_t x, uint32_t y, uint32_t row_length)
{
    const uint32_t size = s->width * s->height, group = y * row_length + x;
    const float *rows = f + group * size;
    uint32_t sums[MAX_SIZE] = {0}, line[MAX_SIZE], total = group;

    for (uint32_t r = 0; r < 1 + x % 3; r++) {
        for (uint32_t at = 0; at < size; at++)
            line[at] = a[(group * size + at * (r + 1)) % WORDS];
        for (uint32_t at = 0; at < size; at++)
            sums[at] += line[(at + 1 + r) % size] + line[at / s->width * s->width];
    }
    for (uint32_t at = 0; at < size; at++)
        total += sums[at] & 255;
    for (uint32_t at = 0; at < size; at++) {
        float product = 0.0f;
        for (uint32_t k = 0; k < s->width; k++)
            product +=
                rows[at / s->width * s->width + k] * rows[k % s->height * s->width + at % s->width];
        REQUIRE_EQ(c[group * size + at], sums[at] ^ total);
        REQUIRE_BYTES(&d[group * size + at], &product, sizeof(product));
    }
}

static void
run(const struct rp_kernel *kernel, const struct shape *s, uint32_t row_length,
    uint32_t thread_count)
{
    const struct grid grid = {row_length, ROWS, thread_count, {0}};
    const uint32_t count = s->width * s->height * row_length * ROWS;
    const struct rp_descriptor buffers[BINDING_COUNT] = {
        {.ptr = (uint8_t *)a, .size_B = sizeof(a)},
        {.ptr = (uint8_t *)f, .size_B = count * sizeof(f[0])},
        {.ptr = (uint8_t *)c, .size_B = sizeof(c)},
        {.ptr = (uint8_t *)d, .size_B = sizeof(d)},
    };
    memset(c, 0, sizeof(c));
    memset(d, 0, sizeof(d));
    kernel_run(kernel, buffers, &grid);
    for (uint32_t y = 0; y < ROWS; y++)
        for (uint32_t x = 0; x < row_length; x++)
            check_group(s, x, y, row_length);
    REQUIRE_EQ(c[count], 0);
}

static void
run_shape(const struct shape *s, uint32_t cpu_flags)
{
    static const uint32_t row_lengths[] = {1, 2, 5, 8, MAX_ROW};
    static const VkSpecializationMapEntry entries[2] = {{0, 0, 4}, {1, 4, 4}};
    const VkSpecializationInfo sizes = {2, entries, sizeof(*s), s};
    struct rp_kernel *kernel = kernel_load_specialized("packed", cpu_flags, &sizes);
    REQUIRE(kernel->packed || s->width * s->height > 64);

    for (uint32_t i = 0; i < sizeof(row_lengths) / sizeof(row_lengths[0]); i++)
        run(kernel, s, row_lengths[i], 1 + i % 2);
    rp_kernel_destroy(kernel);
}

static void
run_locked(uint32_t cpu_flags)
{
    const struct rp_descriptor buffers[BINDING_COUNT] = {
        [2] = {.ptr = (uint8_t *)c, .size_B = sizeof(c)},
    };
    struct rp_kernel *kernel = kernel_load("locked", cpu_flags);

    for (uint32_t thread_count = 1; thread_count <= 2; thread_count++) {
        const struct grid grid = {MAX_ROW, ROWS, thread_count, {0}};
        memset(c, 0, sizeof(c));
        kernel_run(kernel, buffers, &grid);
        REQUIRE_EQ(c[0], 0);
        REQUIRE_EQ(c[1], MAX_ROW * ROWS);
    }
    rp_kernel_destroy(kernel);
}

/* Side by side, those whose turn it is not would keep the others from going on. */
static void
run_taken(uint32_t cpu_flags)
{
    const struct rp_descriptor buffers[BINDING_COUNT] = {
        [2] = {.ptr = (uint8_t *)c, .size_B = sizeof(c)},
    };
    const struct grid grid = {MAX_ROW, ROWS, 1, {0}};
    struct rp_kernel *kernel = kernel_load("taken", cpu_flags);
    memset(c, 0, sizeof(c));
    kernel_run(kernel, buffers, &grid);
    REQUIRE_EQ(c[0], MAX_ROW * ROWS);
    REQUIRE_EQ(c[1], MAX_ROW * ROWS);
    rp_kernel_destroy(kernel);
}

/* Nor would invocations of a row, each a workgroup of its own. */
static void
run_turns(uint32_t cpu_flags, uint32_t has_lock)
{
    static const VkSpecializationMapEntry entry = {0, 0, 4};
    const VkSpecializationInfo constants = {1, &entry, sizeof(has_lock), &has_lock};
    const struct rp_descriptor buffers[BINDING_COUNT] = {
        [2] = {.ptr = (uint8_t *)c, .size_B = sizeof(c)},
    };
    const struct grid grid = {600, ROWS, 1, {0}};
    struct rp_kernel *kernel = kernel_load_specialized("turns", cpu_flags, &constants);
    memset(c, 0, sizeof(c));
    kernel_run(kernel, buffers, &grid);
    REQUIRE_EQ(c[1], 600 * ROWS);
    rp_kernel_destroy(kernel);
}

static void
run_taken_texels(uint32_t cpu_flags)
{
    uint32_t turns[2] = {0};
    const struct rp_texture_level level = {
        .data = (uint8_t *)turns,
        .width_px = 2,
        .height_px = 1,
        .depth_px = 1,
        .row_B = sizeof(turns),
    };
    const struct rp_texture view = {
        .type = VK_IMAGE_VIEW_TYPE_2D,
        .format = VK_FORMAT_R32_UINT,
        .plane_count = 1,
        .level_count = 1,
        .layer_count = 1,
        .sample_count = 1,
        .levels = &level,
    };
    const struct rp_descriptor buffers[BINDING_COUNT] = {
        {.view = &view},
        [2] = {.ptr = (uint8_t *)c, .size_B = sizeof(c)},
    };
    const struct grid grid = {MAX_ROW, ROWS, 1, {0}};
    struct rp_kernel *kernel = kernel_load("taken_texels", cpu_flags);
    kernel_run(kernel, buffers, &grid);
    REQUIRE_EQ(turns[0], MAX_ROW * ROWS);
    REQUIRE_EQ(turns[1], MAX_ROW * ROWS);
    rp_kernel_destroy(kernel);
}

static void
check_serial_group(uint32_t group, uint32_t width)
{
    uint32_t range = group, state[MAX_SIZE] = {0};
    for (uint32_t n = 0; n < 4; n++) {
        const uint32_t symbol = a[(group + n) % WORDS] & 15;
        for (uint32_t i = 0; i < symbol; i++) {
            const uint32_t bit = (symbol + n) >> (i & 3) & 1;
            range = range * 5 + state[i % width] + bit;
            if (range >= 0x10000)
                range = range >> 9 ^ i;
            state[i % width] += bit == 0 ? range & 7 : 1;
        }
        for (uint32_t at = 0; at < width; at++)
            state[at] += range & 3;
    }
    REQUIRE_BYTES(&c[group * width], state, width * sizeof(state[0]));
}

/* One invocation of each workgroup does most of it: the others' lanes are of no use then, but where
 * each has one alone those of many share a block. */
static void
run_serial(uint32_t width, uint32_t cpu_flags)
{
    static const VkSpecializationMapEntry entry = {0, 0, 4};
    const VkSpecializationInfo size = {1, &entry, sizeof(width), &width};
    const struct rp_descriptor buffers[BINDING_COUNT] = {
        [0] = {.ptr = (uint8_t *)a, .size_B = sizeof(a)},
        [2] = {.ptr = (uint8_t *)c, .size_B = sizeof(c)},
    };
    struct rp_kernel *kernel = kernel_load_specialized("serial", cpu_flags, &size);

    REQUIRE_EQ(kernel->packed != NULL, width == 1);
    for (uint32_t thread_count = 1; thread_count <= 2; thread_count++) {
        const struct grid grid = {MAX_ROW, ROWS, thread_count, {0}};
        memset(c, 0, sizeof(c));
        kernel_run(kernel, buffers, &grid);
        for (uint32_t group = 0; group < MAX_ROW * ROWS; group++)
            check_serial_group(group, width);
    }
    rp_kernel_destroy(kernel);
}

static void
check_parted_group(uint32_t group, uint32_t rounds)
{
    uint32_t range = a[group], code = group;
    for (uint32_t n = 0; n < rounds; n++) {
        range = range * 5 + n;
        code += range >> 3;
        range ^= code * 7;
        code = code * 3 + (range & 255);
        range += code >> 5;
        code ^= range * 11;
        range = range * 13 ^ code;
        code += range >> 7;
        range ^= code * 17;
        code = code * 19 + (range & 255);
        range += code >> 9;
        code ^= range * 23;
    }
    for (uint32_t lane = 0; lane < 4; lane++)
        REQUIRE_EQ(c[group * 4 + lane], range + code * lane);
}

/* Values are work, barriers are not. */
static void
run_parted(uint32_t cpu_flags)
{
    const struct rp_descriptor buffers[BINDING_COUNT] = {
        [0] = {.ptr = (uint8_t *)a, .size_B = sizeof(a)},
        [2] = {.ptr = (uint8_t *)c, .size_B = sizeof(c)},
    };
    struct rp_kernel *kernel = kernel_load("parted", cpu_flags);
    REQUIRE(kernel->is_serial);
    REQUIRE(!kernel->packed);
    kernel_run(kernel, buffers, &(struct grid){MAX_ROW, ROWS, 1, {9}});
    for (uint32_t group = 0; group < MAX_ROW * ROWS; group++)
        check_parted_group(group, 9);
    rp_kernel_destroy(kernel);
}

static void
point(uint32_t i, int32_t out[4])
{
    for (uint32_t k = 0; k < 3; k++)
        out[k] = (int32_t)(a[(i + k) % WORDS] & 255);
    out[3] = (int32_t)(i & 63);
}

static void
check_nearest(uint32_t group, uint32_t width)
{
    for (uint32_t l = 0; l < width; l++) {
        int32_t p[4], centre[4], least = INT32_MAX;
        uint32_t which = 0;
        point(group * width + l, p);
        for (uint32_t i = 0; i < 16; i++) {
            int32_t sum = 0;
            point(group * 7 + i * 3, centre);
            for (uint32_t k = 0; k < 4; k++)
                sum += (p[k] - centre[k]) * (p[k] - centre[k]);
            which = sum < least ? i : which;
            least = sum < least ? sum : least;
        }
        REQUIRE_EQ(c[group * width + l], which);
    }
}

/* What is one number for a workgroup is a register of lanes side by side with others. Workgroups
 * of few lanes gain more than that costs. */
static void
run_nearest(uint32_t width, uint32_t cpu_flags)
{
    static const VkSpecializationMapEntry entry = {0, 0, 4};
    const VkSpecializationInfo size = {1, &entry, sizeof(width), &width};
    const struct rp_descriptor buffers[BINDING_COUNT] = {
        [0] = {.ptr = (uint8_t *)a, .size_B = sizeof(a)},
        [2] = {.ptr = (uint8_t *)c, .size_B = sizeof(c)},
    };
    struct rp_kernel *kernel = kernel_load_specialized("nearest", cpu_flags, &size);

    REQUIRE(width > 16 || kernel->packed);
    REQUIRE(width < 128 || !kernel->packed);
    const struct grid grid = {MAX_ROW, ROWS, 1, {0}};
    memset(c, 0, sizeof(c));
    kernel_run(kernel, buffers, &grid);
    for (uint32_t group = 0; group < MAX_ROW * ROWS; group++)
        check_nearest(group, width);
    rp_kernel_destroy(kernel);
}

/* Lanes without an invocation fill the last subgroup. What they leave of the others' results is
 * judged by subgroups.c. */
static void
partial_subgroups_run_side_by_side(uint32_t cpu_flags)
{
    static const struct {
        uint32_t width, subgroup, lanes;
    } rows[] = {{40, 16, 48}, {72, 16, 80}, {20, 32, 32}, {16, 64, 16}, {24, 64, 32}};
    static const VkSpecializationMapEntry entry = {0, 0, 4};
    for (uint32_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const VkSpecializationInfo width = {1, &entry, 4, &rows[i].width};
        struct rp_kernel *kernel =
            kernel_load_sized("subgroups", cpu_flags, rows[i].subgroup, &width);
        REQUIRE(kernel->packed && kernel->packed->pack > 1);
        REQUIRE_EQ(kernel->packed->local_size[0], rows[i].lanes);
        rp_kernel_destroy(kernel);
    }
}

int
main(void)
{
    static const struct shape shapes[] = {{8, 8},  {64, 1}, {32, 2}, {4, 4}, {16, 8}, {128, 1},
                                          {20, 1}, {3, 5},  {24, 2}, {1, 1}, {8, 1},  {2, 16}};

    for (uint32_t i = 0; i < WORDS; i++)
        a[i] = i * 2654435761u >> 7;
    for (uint32_t i = 0; i < ROOM; i++)
        f[i] = (float)(int)(i * 747796405u >> 20) * 0.01f - 20.0f;
    for (uint32_t isa = 0; isa < ISA_COUNT; isa++)
        for (uint32_t s = 0; s < sizeof(shapes) / sizeof(shapes[0]); s++)
            run_shape(&shapes[s], isa_flags[isa]);
    for (uint32_t isa = 0; isa < ISA_COUNT; isa++)
        partial_subgroups_run_side_by_side(isa_flags[isa]);
    for (uint32_t isa = 0; isa < ISA_COUNT; isa++)
        run_locked(isa_flags[isa]);
    for (uint32_t isa = 0; isa < ISA_COUNT; isa++)
        run_taken(isa_flags[isa]);
    for (uint32_t isa = 0; isa < ISA_COUNT; isa++)
        run_taken_texels(isa_flags[isa]);
    for (uint32_t isa = 0; isa < ISA_COUNT; isa++)
        for (uint32_t has_lock = 0; has_lock < 2; has_lock++)
            run_turns(isa_flags[isa], has_lock);
    for (uint32_t isa = 0; isa < ISA_COUNT; isa++)
        run_parted(isa_flags[isa]);
    for (uint32_t isa = 0; isa < ISA_COUNT; isa++)
        for (uint32_t width = 1; width <= 64; width *= 4)
            run_serial(width, isa_flags[isa]);
    for (uint32_t isa = 0; isa < ISA_COUNT; isa++)
        for (uint32_t width = 1; width <= 128; width *= 2)
            run_nearest(width, isa_flags[isa]);
    return 0;
}
