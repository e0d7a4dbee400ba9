/* SPDX-License-Identifier: MIT */
/* Dear functions of an invocation's place in its workgroup are done once, not for each workgroup,
 * as long as they are not too many.
 */
#include "harness.h"

#include <math.h>
#include <string.h>

#define GROUPS 5u
#define LANES (256 * GROUPS)

static float a[LANES + 64], b[LANES];

static struct rp_kernel *
load(uint32_t count, uint32_t isa)
{
    const VkSpecializationMapEntry entry = {.constantID = 0, .offset = 0, .size = sizeof(count)};
    const VkSpecializationInfo info = {1, &entry, sizeof(count), &count};
    return kernel_load_specialized("once", isa_flags[isa], &info);
}

static float
expected(uint32_t count, uint32_t id)
{
    float sum = a[id];
    for (uint32_t i = 1; i <= count; i++)
        sum = sum * 0.5f + sinf((float)((id % 256) * i & 1023)) * a[id + i];
    return sum;
}

static void
results_are_right(uint32_t count, uint32_t isa)
{
    const struct rp_descriptor buffers[BINDING_COUNT] = {
        {.ptr = (uint8_t *)a, .size_B = sizeof(a)},
        {.ptr = (uint8_t *)b, .size_B = sizeof(b)},
    };
    struct rp_kernel *kernel = load(count, isa);
    kernel_run(kernel, buffers, &(struct grid){GROUPS, 1, 2, {0}});
    for (uint32_t id = 0; id < LANES; id++)
        REQUIRE(fabsf(b[id] - expected(count, id ^ 1)) < 1e-2f);
    rp_kernel_destroy(kernel);
}

/* How many sines are taken in each workgroup. */
static uint32_t
count_sines(uint32_t count)
{
    static char text[262144];
    struct rp_kernel *kernel = load(count, 0);
    REQUIRE(rp_kernel_print(kernel, text, sizeof(text)) <= sizeof(text));
    const char *at = strstr(text, "PROLOGUE");
    uint32_t sines = 0;
    for (at = at ? at : text; (at = strstr(at, "= SIN")); at++)
        sines++;
    rp_kernel_destroy(kernel);
    return sines;
}

int
main(void)
{
    for (uint32_t i = 0; i < LANES + 64; i++)
        a[i] = (float)(i % 37) * 0.125f - 2.0f;
    for (uint32_t isa = 0; isa < ISA_COUNT; isa++) {
        results_are_right(8, isa);
        results_are_right(40, isa);
        results_are_right(60, isa);
    }
    REQUIRE_EQ(count_sines(8), 0);
    REQUIRE_EQ(count_sines(40), 0);
    REQUIRE_EQ(count_sines(60), 60);
    return 0;
}
