/* SPDX-License-Identifier: MIT */
/* vulkanMemoryModelAvailabilityVisibilityChains: what is handed on is there when it arrives, and no
 * load was moved in front of that.
 */
#include "harness.h"

#include "util/compiler.h"

#include <stdlib.h>

#define GROUPS 32u
#define GROUP_SIZE 64u
#define COUNT (GROUPS * GROUP_SIZE)
#define ROUNDS 50u

static uint32_t near[COUNT], far[COUNT], data[4 * (ROUNDS + 1) * COUNT], seen[2 * COUNT];

/* The chains that came to their end. */
static uint64_t
run(uint32_t isa, uint32_t partner)
{
    const struct grid grid = {GROUPS, 1, 4, {ROUNDS, partner, !RP_HAS_THREAD_SANITIZER}};
    const struct rp_descriptor buffers[BINDING_COUNT] = {
        {.ptr = (uint8_t *)near, .size_B = sizeof(near)},
        {.ptr = (uint8_t *)far, .size_B = sizeof(far)},
        {.ptr = (uint8_t *)data, .size_B = sizeof(data)},
        {.ptr = (uint8_t *)seen, .size_B = sizeof(seen)},
    };
    struct rp_kernel *kernel = kernel_load("chains", isa_flags[isa]);
    uint64_t chains = 0;

    for (uint32_t i = 0; i < COUNT; i++)
        near[i] = far[i] = 0;
    memset(data, 0, sizeof(data));
    memset(seen, 0xee, sizeof(seen));
    kernel_run(kernel, buffers, &grid);
    for (uint32_t i = 0; i < COUNT; i++) {
        REQUIRE(seen[2 * i] <= ROUNDS);
        REQUIRE(seen[2 * i + 1] == 0);
        chains += seen[2 * i];
    }
    rp_kernel_destroy(kernel);
    return chains;
}

int
main(void)
{
    for (uint32_t isa = 0; isa < ISA_COUNT; isa++) {
        REQUIRE_EQ(run(isa, 0), ROUNDS * COUNT); /* from an invocation to itself */
        REQUIRE(run(isa, 1) > COUNT);            /* mostly from the same workgroup */
        REQUIRE(run(isa, 0u - 59) > COUNT);      /* mostly from the workgroup before */
    }
    return 0;
}
