/* SPDX-License-Identifier: MIT */
/* Modules that are valid and that glslang does not make.
 */
#include "harness.h"

#define COUNT 256u

static uint32_t in[COUNT], out[4 * COUNT];

static uint32_t
clamped_signed(int32_t x)
{
    return (uint32_t)(x < -16 ? -16 : x > 7 ? 7 : x);
}

static uint32_t
clamped_unsigned(uint32_t x)
{
    return x < 10 ? 10 : x > UINT32_MAX - 9 ? UINT32_MAX - 9 : x;
}

static uint32_t
looped(uint32_t x)
{
    uint32_t sum = x;
    for (uint32_t k = 0;; k++) {
        sum = k % 2 ? 3 * sum : sum + 3;
        if (k % 2 == 0 && k >= (x & 7))
            return sum;
    }
}

static void
run(uint32_t isa)
{
    const struct grid grid = {COUNT / 64, 1, 2, {0}};
    const struct rp_descriptor buffers[BINDING_COUNT] = {
        {.ptr = (uint8_t *)in, .size_B = sizeof(in)},
        {.ptr = (uint8_t *)out, .size_B = sizeof(out)},
    }; /* no image: it reads as zero */
    struct rp_kernel *kernel = kernel_load("forms", isa_flags[isa]);
    memset(out, 0xee, sizeof(out));
    kernel_run(kernel, buffers, &grid);
    for (uint32_t i = 0; i < COUNT; i++) {
        REQUIRE_EQ(out[4 * i], clamped_signed((int32_t)in[i]));
        REQUIRE_EQ(out[4 * i + 1], clamped_unsigned(in[i]));
        REQUIRE_EQ(out[4 * i + 2], looped(in[i]));
        REQUIRE_EQ(out[4 * i + 3], 0);
    }
    rp_kernel_destroy(kernel);
}

/* 0.6 at the place of all lanes; i / 16 is compared with it. */
static void
run_projected(uint32_t isa)
{
    static const float texels[4] = {0.2f, 0.4f, 0.6f, 0.8f};
    const struct rp_texture_level level = {.data = (uint8_t *)(uintptr_t)texels,
                                           .width_px = 2,
                                           .height_px = 2,
                                           .depth_px = 1,
                                           .row_B = 8,
                                           .slice_B = sizeof(texels),
                                           .layer_B = sizeof(texels)};
    const struct rp_texture texture = {.type = VK_IMAGE_VIEW_TYPE_2D,
                                       .format = VK_FORMAT_R32_SFLOAT,
                                       .plane_count = 1,
                                       .level_count = 1,
                                       .layer_count = 1,
                                       .sample_count = 1,
                                       .levels = &level};
    const struct rp_sampler_state sampler = {.has_compare = true,
                                             .compare_op = VK_COMPARE_OP_LESS_OR_EQUAL};
    const struct grid grid = {1, 1, 1, {0}};
    float results[16];
    const struct rp_descriptor items[BINDING_COUNT] = {
        {.ptr = (uint8_t *)results, .size_B = sizeof(results)},
        {.view = &texture, .sampler = &sampler},
    };
    struct rp_kernel *kernel = kernel_load("projected", isa_flags[isa]);
    memset(results, 0xee, sizeof(results));
    kernel_run(kernel, items, &grid);
    for (uint32_t i = 0; i < 16; i++)
        REQUIRE_EQ(results[i] == 1.0f, i < 10);
    rp_kernel_destroy(kernel);
}

int
main(void)
{
    uint64_t state = 1;
    for (uint32_t i = 0; i < COUNT; i++)
        in[i] = i < 64 ? i - 32 : test_random(&state) << 1;
    for (uint32_t isa = 0; isa < ISA_COUNT; isa++) {
        run(isa);
        run_projected(isa);
    }
    return 0;
}
