/* SPDX-License-Identifier: MIT */
/* Functions that some lanes leave early with one value are selections where little is left to do:
 * right, and without masks.
 */
#include "harness.h"

#include "compute/exec/op_list.h"
#include "compute/kernel.h"

#include <math.h>

#define COUNT 320u

static float points[COUNT][4], results[COUNT][4];

/* As in kernels/early.comp; no value needs more bits than a float has. */
static float
sphere(const float o[3], float r)
{
    const float b = o[0] + o[1];
    const float c = o[0] * o[0] + o[1] * o[1] + o[2] * o[2] - r * r;
    const float q = b * b - c;
    if (q < 0.0f)
        return 7.0f;
    const float root = sqrtf(q), near = -b - root;
    if (near > 0.25f)
        return near;
    const float far = root - b;
    return far > 0.25f ? far : 8.0f;
}

static float
step_of(float x, float edge)
{
    return x < edge ? x * 0.5f : x - edge;
}

static float
looped(const float o[3], float w)
{
    float sum = 0.0f;
    for (int k = 0; k < 5; k++)
        if (!(o[0] > w + (float)k))
            sum += o[1] * (float)k;
    return sum;
}

static void
run(struct rp_kernel *kernel, uint64_t *seed)
{
    const struct grid grid = {COUNT / 64, 1, 1, {0}};
    const struct rp_descriptor buffers[BINDING_COUNT] = {
        {.ptr = (uint8_t *)points, .size_B = sizeof(points)},
        {.ptr = (uint8_t *)results, .size_B = sizeof(results)},
    };
    for (uint32_t i = 0; i < COUNT * 4; i++)
        (&points[0][0])[i] = (float)(int32_t)(test_random(seed) % 65) / 16.0f - 2.0f;
    points[5][0] = NAN;
    points[7][3] = NAN;
    memset(results, 0xee, sizeof(results));
    kernel_run(kernel, buffers, &grid);
    for (uint32_t i = 0; i < COUNT; i++) {
        const float want[4] = {sphere(points[i], points[i][3]), step_of(points[i][0], points[i][3]),
                               looped(points[i], points[i][3]), 0.0f};
        for (uint32_t k = 0; k < 4; k++)
            REQUIRE(results[i][k] == want[k] || (isnan(results[i][k]) && isnan(want[k])));
    }
}

static uint32_t
count_masks(const struct rp_program *program)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < program->op_count; i++)
        switch (program->codes[i]) {
        case RP_X_IF_V:
        case RP_X_BLOCK_V:
        case RP_X_EXIT_V:
        case RP_X_REJOIN:
            count++;
            break;
        default:
            break;
        }
    return count;
}

int
main(void)
{
    uint64_t seed = 1;
    for (uint32_t isa = 0; isa < ISA_COUNT; isa++) {
        struct rp_kernel *kernel = kernel_load("early", isa_flags[isa]);
        for (uint32_t round = 0; round < 8; round++)
            run(kernel, &seed);
        REQUIRE_EQ(count_masks(kernel->rows ? kernel->rows : kernel->groups), 0);
        rp_kernel_destroy(kernel);
    }
    return 0;
}
