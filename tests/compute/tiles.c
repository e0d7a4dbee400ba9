/* SPDX-License-Identifier: MIT */
/* Arithmetic in tiles, each operation with each kind of operand, against C; on every instruction
 * set, in workgroups and rows that are no multiple of a tile.
 */
#include "harness.h"

#include <math.h>

#define MAX_LANES 700u
#define MAX_SLOTS 1024u

static uint32_t given[4][MAX_LANES];
static uint32_t made[MAX_SLOTS * MAX_LANES];

static uint32_t
next_random(void)
{
    static uint64_t state = 88172645463325252u;
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state >> 16);
}

static const uint32_t special[] = {
    0,          1,          0x7fffffff, 0x80000000, 0xffffffff, 0x3f800000, 0xbf800000,
    0x7f800000, 0xff800000, 0x7fc00000, 0x00000001, 0x80000001, 0x007fffff, 0x00800000,
    0x4b000000, 0x4effffff, 0x3effffff, 0x3f000001, 0x40200000, 0x7f7fffff,
};

#define SPECIALS (sizeof(special) / sizeof(special[0]))

static void
fill(void)
{
    for (uint32_t i = 0; i < MAX_LANES; i++) {
        for (uint32_t row = 0; row < 3; row++)
            given[row][i] = next_random() >> (next_random() % 3 ? 0 : next_random() % 24);
        if (i < SPECIALS * SPECIALS) {
            given[0][i] = special[i % SPECIALS];
            given[1][i] = special[i / SPECIALS];
        }
        given[3][i] = next_random() % 16;
    }
}

/* GLSL's names. A number wins over what is none; -0 is less than 0. */
static float
min_float(float a, float b)
{
    return a < b || isnan(b) ? a : a == b ? float_of(bits_of(a) | bits_of(b)) : b;
}

static float
max_float(float a, float b)
{
    return a > b || isnan(b) ? a : a == b ? float_of(bits_of(a) & bits_of(b)) : b;
}

static uint32_t
min_uint(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static uint32_t
max_uint(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

static int32_t
min_int(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

static int32_t
max_int(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

static uint32_t
abs_int(int32_t a)
{
    return a < 0 ? 0u - (uint32_t)a : (uint32_t)a;
}

static uint32_t
field_of(uint32_t a, uint32_t offset, uint32_t count)
{
    return a >> offset & ((1u << count) - 1);
}

static int32_t
signed_field_of(uint32_t a, uint32_t offset, uint32_t count)
{
    if (!count)
        return 0;
    return (int32_t)(a << (32 - offset - count)) >> (32 - count);
}

static float
fract_float(float a)
{
    const float f = a - floorf(a);
    return f > 0x1.fffffep-1f ? 0x1.fffffep-1f : f;
}

static float
unpackSnorm(uint32_t a)
{
    const float x = (float)(int8_t)(a & 255) / 127.0f;
    return x < -1 ? -1 : x;
}

#define uint(v) ((uint32_t)(v))
#define int(v) ((int32_t)(v))
#define float(v) ((float)(v))
#define a_int() ((int32_t)a)
#define float_bits(f) bits_of(f)
#define min(p, q) _Generic((p), float : min_float, uint32_t : min_uint, int32_t : min_int)(p, q)
#define max(p, q) _Generic((p), float : max_float, uint32_t : max_uint, int32_t : max_int)(p, q)
#define abs(p) _Generic((p), float : fabsf, int32_t : abs_int)(p)
#define floor(p) floorf(p)
#define ceil(p) ceilf(p)
#define trunc(p) truncf(p)
#define roundEven(p) rintf(p)
#define sqrt(p) sqrtf(p)
#define inversesqrt(p) (1.0f / sqrtf(p))
#define fract(p) fract_float(p)

struct lane {
    uint32_t i, n, slot;
};

static bool
is_nan(uint32_t u)
{
    return (u & INT32_MAX) > 0x7f800000;
}

static void
expect(struct lane *lane, uint32_t value, bool is_float)
{
    const uint32_t got = made[lane->slot * lane->n + lane->i];
    if (got != value && !(is_float && is_nan(got) && is_nan(value)))
        fprintf(stderr, "slot %u lane %u of %u\n", lane->slot, lane->i, lane->n);
    if (!is_float || !is_nan(value))
        REQUIRE_EQ(got, value);
    else
        REQUIRE(is_nan(got));
    lane->slot++;
}

#define WITH1(type, as, back, is_float, p, e) \
    { \
        const type a = as(p); \
        expect(lane, back(e), is_float); \
    }
#define WITH2(type, as, back, is_float, p, q, e) \
    { \
        const type a = as(p), b = as(q); \
        expect(lane, back(e), is_float); \
    }
#define WITH3(type, as, back, is_float, p, q, v, e) \
    { \
        const type a = as(p), b = as(q), c = as(v); \
        expect(lane, back(e), is_float); \
    }
/* clang-format off */
#define ALL2(type, as, back, is_float, e) \
    WITH2(type, as, back, is_float, t, y, e) WITH2(type, as, back, is_float, t, s, e) \
    WITH2(type, as, back, is_float, y, t, e) WITH2(type, as, back, is_float, s, t, e)
#define ALL3(type, as, back, is_float, e) \
    WITH3(type, as, back, is_float, t, y, z, e) WITH3(type, as, back, is_float, t, y, s, e) \
    WITH3(type, as, back, is_float, t, s, z, e) WITH3(type, as, back, is_float, t, s, r, e) \
    WITH3(type, as, back, is_float, y, z, t, e) WITH3(type, as, back, is_float, y, s, t, e)
/* clang-format on */
#define AS_IS(v) (v)
#define WORDS uint32_t, AS_IS, AS_IS, false
#define FLOATS float, float_of, bits_of, true
#define EXPAND(macro, ...) macro(__VA_ARGS__)

#define I1(e) EXPAND(WITH1, WORDS, t, e)
#define F1(e) EXPAND(WITH1, FLOATS, t, e)
#define I2(e) EXPAND(ALL2, WORDS, e)
#define F2(e) EXPAND(ALL2, FLOATS, e)
#define I3(e) EXPAND(ALL3, WORDS, e)
#define F3(e) EXPAND(ALL3, FLOATS, e)
#define S2(e) EXPAND(WITH2, WORDS, t, small, e) EXPAND(WITH2, WORDS, t, small_s, e)
#define S3(e) \
    EXPAND(WITH3, WORDS, t, small, small, e) \
    EXPAND(WITH3, WORDS, t, small, small_s, e) \
    EXPAND(WITH3, WORDS, t, small_s, small, e) EXPAND(WITH3, WORDS, t, small_s, small_r, e)
/* By more conditions than a tile keeps. */
static uint32_t
choose_often(bool is, uint32_t t, uint32_t y, uint32_t z, uint32_t s)
{
    uint32_t v = (t ^ y) < z ? t : y;
    v = z == s ? v : v ^ z;
    v = s < y ? v + t : v;
    v = y < t ? s : v;
    v = t < z ? v : v - y;
    v = is ? v : v + z;
    return t < z ? v ^ s : v;
}

#define CHOICES(type, as, p, q, e) \
    { \
        const type a = as(p), b = as(q); \
        const bool is = (e); \
        expect(lane, is ? t : z, false); \
        expect(lane, (is && t != z ? t : s) ^ t, false); \
        expect(lane, (is || t > z ? z : t) + y, false); \
        expect(lane, (is != (t < z) ? s : t) - z, false); \
        expect(lane, (is && !(t < z) ? y : z) ^ t, false); \
        expect(lane, (is ? z : t + y) ^ t, false); \
        expect(lane, choose_often(is, t, y, z, s), false); \
    }
#define ALL_CHOICES(type, as, e) \
    CHOICES(type, as, t, y, e) \
    CHOICES(type, as, t, s, e) CHOICES(type, as, y, t, e) CHOICES(type, as, s, t, e)
#define B2(e) ALL_CHOICES(uint32_t, AS_IS, e)
#define G2(e) ALL_CHOICES(float, float_of, e)

static void
check_lane(struct lane *lane, const uint32_t *push)
{
    const uint32_t y = given[1][lane->i], z = given[2][lane->i];
    const uint32_t small = given[3][lane->i], t = given[0][lane->i];
    const uint32_t s = push[1], r = push[2], small_s = push[3], small_r = push[4];
#include "kernels/tiles.glsl"
    REQUIRE(lane->slot <= MAX_SLOTS);
}

struct shape {
    uint32_t size[2];
    uint32_t groups[2];
};

static void
run(const struct shape *shape, uint32_t cpu_flags, uint32_t s)
{
    static const VkSpecializationMapEntry entries[2] = {{0, 0, 4}, {1, 4, 4}};
    const VkSpecializationInfo sizes = {2, entries, sizeof(shape->size), shape->size};
    const uint32_t n = shape->size[0] * shape->size[1] * shape->groups[0] * shape->groups[1] - 1;
    const struct grid grid = {
        shape->groups[0], shape->groups[1], 1, {n, s, next_random(), s % 16, next_random() % 16}};
    static uint32_t packed[4 * MAX_LANES];
    const struct rp_descriptor buffers[BINDING_COUNT] = {
        [0] = {.ptr = (uint8_t *)packed, .size_B = sizeof(packed)},
        [2] = {.ptr = (uint8_t *)made, .size_B = sizeof(made)},
    };
    struct rp_kernel *kernel = kernel_load_specialized("tiles", cpu_flags, &sizes);

    REQUIRE(n <= MAX_LANES);
    for (uint32_t row = 0; row < 4; row++)
        memcpy(packed + row * n, given[row], n * 4);
    memset(made, 0xa5, sizeof(made));
    kernel_run(kernel, buffers, &grid);
    for (uint32_t i = 0; i < n; i++) {
        struct lane lane = {.i = i, .n = n};
        check_lane(&lane, grid.push);
        REQUIRE_EQ(made[lane.slot * n + i], 0xa5a5a5a5);
    }
    rp_kernel_destroy(kernel);
}

static void
require_tiles_in_text(void)
{
    struct rp_shader *shader = NULL;
    struct rp_kernel *kernel = NULL;
    size_t word_count;
    uint32_t *words = module_load("tiles", &word_count);
    REQUIRE_EQ(rp_shader_create(words, word_count, NULL, &shader), VK_SUCCESS);
    const struct rp_kernel_info info = {
        .shader = shader, .entry_point = "main", .wants_text = true};
    REQUIRE_EQ(rp_kernel_create(&info, NULL, &kernel), VK_SUCCESS);
    const size_t size_B = rp_kernel_print(kernel, NULL, 0);
    char *text = malloc(size_B);
    REQUIRE(text);
    REQUIRE_EQ(rp_kernel_print(kernel, text, size_B), size_B);
    const char *tile = strstr(text, "; tile\n");
    REQUIRE(tile && strstr(tile, "; |\n"));
    REQUIRE(strstr(text, "#0x33800000") && !strstr(text, "#0x4b800000")); /* divided by 2^24 */
    REQUIRE(strstr(text, "= NMAD %"));
    REQUIRE(strstr(text, "= FMUL2 %") && !strstr(text, "#0x437f0000")); /* divided by 255 */
    free(text);
    free(words);
    rp_shader_destroy(shader);
    rp_kernel_destroy(kernel);
}

int
main(void)
{
    static const struct shape shapes[] = {
        {{64, 1}, {10, 1}},
        {{1, 1}, {37, 1}},
        {{16, 16}, {1, 2}},
        {{7, 3}, {5, 4}},
    };

    require_tiles_in_text();
    fill();
    for (uint32_t isa = 0; isa < ISA_COUNT; isa++)
        for (uint32_t shape = 0; shape < sizeof(shapes) / sizeof(shapes[0]); shape++)
            run(&shapes[shape], isa_flags[isa], special[(shape * 5 + isa) % SPECIALS]);
    return 0;
}
