/* SPDX-License-Identifier: MIT */
/* Clamped places: what the lanes at the border read, and those far from it, is what the clamp says,
 * whether the compiler has put a guard in its place or not, and nothing happens twice.
 */
#include "harness.h"

#include <stdbool.h>
#include <stdlib.h>

#define MAX_WIDTH 1100
#define MAX_HEIGHT 6
#define COUNT (MAX_WIDTH * MAX_HEIGHT)
#define RESULTS 6

/* As the kernel has it. */
struct push {
    int32_t width, height, shift, low, high, taps;
};

static int32_t a[COUNT], image[COUNT], c[COUNT][RESULTS];
static uint8_t b[MAX_WIDTH];

static int32_t
clamped(uint32_t value, int32_t low, int32_t high)
{
    const int32_t v = (int32_t)value;
    const int32_t raised = v > low ? v : low;
    return raised < high ? raised : high;
}

/* Beyond the end there is zero; offsets wrap around at 4 GiB. */
static int32_t
a_at(uint32_t index)
{
    index &= UINT32_MAX / 4;
    return index < COUNT ? a[index] : 0;
}

static void
check(const struct push *p, int32_t x, int32_t y, bool writes)
{
    const int32_t *result = c[y * p->width + x];
    const uint32_t from = (uint32_t)x - (uint32_t)p->shift;
    uint32_t sum = 0, product = 1;
    for (uint32_t i = 0; i < 3; i++) {
        const int32_t row = clamped((uint32_t)y + i - 1, 0, p->height - 1);
        const int32_t column = clamped(from + i, 0, p->width - 1);
        sum += (uint32_t)a[row * p->width + column];
    }
    for (uint32_t i = 0; i < (uint32_t)p->taps; i++) {
        const int32_t at = clamped(from + i, p->low, p->high);
        product = product * 3 + (at < MAX_WIDTH ? b[at] : 0);
    }
    const uint32_t high = (uint32_t)p->high;
    const int32_t row = clamped((uint32_t)y - 1, 0, p->height - 1);
    REQUIRE_EQ((uint32_t)result[0], sum);
    REQUIRE_EQ((uint32_t)result[1], product);
    REQUIRE_EQ(result[2], a_at((int32_t)from < 0 ? 0u - from : from));
    REQUIRE_EQ(result[3], a_at(from < high ? from : high));
    REQUIRE_EQ(result[4], image[row * p->width + clamped(from, 0, p->width - 1)]);
    REQUIRE_EQ(result[5], writes ? 8 : 7);
}

static void
run(const struct rp_kernel *kernel, const struct push *p, bool writes, uint32_t thread_count)
{
    const struct rp_texture_level level = {.data = (uint8_t *)image,
                                           .width_px = (uint32_t)p->width,
                                           .height_px = (uint32_t)p->height,
                                           .depth_px = 1,
                                           .row_B = (size_t)p->width * 4};
    const struct rp_texture view = {.type = VK_IMAGE_VIEW_TYPE_2D,
                                    .format = VK_FORMAT_R32_SINT,
                                    .plane_count = 1,
                                    .level_count = 1,
                                    .layer_count = 1,
                                    .sample_count = 1,
                                    .levels = &level};
    const struct rp_descriptor buffers[BINDING_COUNT] = {
        {.ptr = (uint8_t *)a, .size_B = sizeof(a)},
        {.ptr = b, .size_B = sizeof(b)},
        {.ptr = (uint8_t *)c, .size_B = sizeof(c)},
        {.view = &view},
    };
    uint32_t size[3];
    rp_kernel_local_size(kernel, size);
    struct grid grid = {((uint32_t)p->width + size[0] - 1) / size[0],
                        ((uint32_t)p->height + size[1] - 1) / size[1],
                        thread_count,
                        {0}};
    memcpy(grid.push, p, sizeof(*p));
    for (uint32_t i = 0; i < COUNT; i++)
        c[i][5] = 7;
    kernel_run(kernel, buffers, &grid);
    for (int32_t y = 0; y < p->height; y++)
        for (int32_t x = 0; x < p->width; x++)
            check(p, x, y, writes);
}

static void
run_all(const struct rp_kernel *kernel, bool writes)
{
    static const int32_t widths[] = {1, 15, 16, 17, 191, 200, 700, MAX_WIDTH};
    static const int32_t shifts[] = {-MAX_WIDTH, -3, 0, 1, 2, 40, 699, INT32_MIN, INT32_MAX};
    for (uint32_t w = 0; w < sizeof(widths) / sizeof(widths[0]); w++)
        for (uint32_t s = 0; s < sizeof(shifts) / sizeof(shifts[0]); s++) {
            const int32_t width = widths[w];
            const int32_t bounds[][2] = {{0, width - 1}, {5, 9}, {0, 1 << 28}, {width / 2, width}};
            const struct push push = {width,
                                      1 + (int32_t)(w + s) % MAX_HEIGHT,
                                      shifts[s],
                                      bounds[s % 4][0],
                                      bounds[s % 4][1],
                                      (int32_t)(w + s) % 6};
            run(kernel, &push, writes, 1 + (w + s) % 2);
        }
}

int
main(void)
{
    static const char *const names[] = {"clamps", "clamps_shared"};
    uint64_t state = 5;

    for (uint32_t i = 0; i < COUNT; i++) {
        a[i] = (int32_t)test_random(&state);
        image[i] = (int32_t)test_random(&state);
        b[i % MAX_WIDTH] = (uint8_t)test_random(&state);
    }
    for (uint32_t isa = 0; isa < ISA_COUNT; isa++)
        for (uint32_t writes = 0; writes < 2; writes++)
            for (uint32_t n = 0; n < 2; n++) {
                const VkSpecializationMapEntry entry = {0, 0, 4};
                const VkSpecializationInfo info = {1, &entry, 4, &writes};
                struct rp_kernel *kernel = kernel_load_specialized(names[n], isa_flags[isa], &info);
                struct rp_kernel_statistics statistics;
                rp_kernel_statistics(kernel, &statistics);
                REQUIRE((statistics.gather_count == 0) == !writes);
                run_all(kernel, writes != 0);
                rp_kernel_destroy(kernel);
            }
    return 0;
}
