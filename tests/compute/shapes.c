/* SPDX-License-Identifier: MIT */
/* What the shape of a workgroup decides: how far its lanes' places lie apart, up to the end of the
 * memory, and which lanes a step of a reduction has.
 */
#include "harness.h"
#include "platform/pages.h"

#define LANES 256u
#define LAST_ROW (15u * 16u)
#define GROUPS 5u

struct vec4 {
    float at[4];
};

static void
run(const char *name, uint32_t isa, uint32_t groups, const struct rp_descriptor *buffers)
{
    const struct grid grid = {.x = groups, .y = 1, .thread_count = 1};
    struct rp_kernel *kernel = kernel_load(name, isa_flags[isa]);
    kernel_run(kernel, buffers, &grid);
    rp_kernel_destroy(kernel);
}

/* `a` ends with the only element of its last row that is read, and nothing lies behind it. */
static void
rows_of_sixteen_lie_as_they_say(uint32_t isa)
{
    static struct vec4 b[LANES + 32], c[4 * LANES];
    const size_t page_B = (size_t)rp_page_B(), size_B = (LAST_ROW + 1) * sizeof(*b);
    uint8_t *pages = rp_pages_map(2 * page_B, false);
    REQUIRE(pages && size_B <= page_B);
    REQUIRE(rp_pages_reserve(pages + page_B, page_B));
    struct vec4 *a = (struct vec4 *)(void *)(pages + page_B - size_B);
    for (uint32_t i = 0; i < LANES + 32; i++)
        for (uint32_t k = 0; k < 4; k++) {
            b[i].at[k] = (float)(i * 4 + k);
            if (i <= LAST_ROW)
                a[i].at[k] = 5000 + b[i].at[k];
        }
    memset(c, 0, sizeof(c));
    run("rows_of_sixteen", isa, 1,
        (struct rp_descriptor[BINDING_COUNT]){{.ptr = (uint8_t *)a, .size_B = size_B},
                                              {.ptr = (uint8_t *)b, .size_B = sizeof(b)},
                                              {.ptr = (uint8_t *)c, .size_B = sizeof(c)}});
    for (uint32_t l = 0; l < LANES; l++) {
        const uint32_t x = l % 16, row = l - x;
        REQUIRE_BYTES(&c[l], &a[row], sizeof(*c));
        REQUIRE_BYTES(&c[LANES + l], &b[row + 3], sizeof(*c));
        REQUIRE_BYTES(&c[2 * LANES + l], &b[row + 2 * x], sizeof(*c));
        REQUIRE_BYTES(&c[3 * LANES + l], &b[l], sizeof(*c));
    }
    rp_pages_unmap(pages, 2 * page_B);
}

static void
steps_have_no_lanes_that_are_not_there(uint32_t isa)
{
    static uint32_t a[GROUPS * 128], c[GROUPS * 32];
    for (uint32_t i = 0; i < GROUPS * 128; i++)
        a[i] = i * 2654435761u;
    run("reduction_lanes", isa, GROUPS,
        (struct rp_descriptor[BINDING_COUNT]){{.ptr = (uint8_t *)a, .size_B = sizeof(a)},
                                              {0},
                                              {.ptr = (uint8_t *)c, .size_B = sizeof(c)}});
    for (uint32_t g = 0; g < GROUPS; g++) {
        uint32_t s[128];
        memcpy(s, a + g * 128, sizeof(s));
        for (uint32_t l = 0; l < 32; l++)
            s[l] += s[l + 64];
        for (uint32_t l = 0; l < 32; l++)
            s[l] += s[l + 32];
        for (uint32_t l = 0; l < 16; l++)
            s[l] += s[l + 16];
        REQUIRE_BYTES(c + g * 32, s, 32 * sizeof(*s));
    }
}

int
main(void)
{
    for (uint32_t isa = 0; isa < ISA_COUNT; isa++) {
        rows_of_sixteen_lie_as_they_say(isa);
        steps_have_no_lanes_that_are_not_there(isa);
    }
    return 0;
}
