/* SPDX-License-Identifier: MIT */
/* A kernel that was saved and loaded is the kernel that was compiled, record for record. */
#include "harness.h"

#include "compute/kernel.h"
#include "reelpipe/cpu.h"

/* A handler, or where it is in the program's own code. */
static rp_handler *
handler_place(const struct rp_program *program, rp_handler *fn)
{
    const struct rp_machine_code *code = &program->code->code;
    const uintptr_t distance_B = (uintptr_t)fn - (uintptr_t)code->pages;
    return distance_B < code->size_B ? (rp_handler *)(distance_B + 1) : fn;
}

static void
require_same(const struct rp_program *a, const struct rp_program *b)
{
    REQUIRE_EQ(!a, !b);
    if (!a)
        return;
    REQUIRE_EQ(a->op_count, b->op_count);
    REQUIRE(a->code && b->code);
    rp_program_make_code(a);
    rp_program_make_code(b);
    for (uint32_t i = 0; i < a->op_count; i++) {
        struct rp_op first = a->ops[i], second = b->ops[i];
        first.fn = handler_place(a, first.fn);
        second.fn = handler_place(b, second.fn);
        REQUIRE(memcmp(&first, &second, sizeof(first)) == 0);
    }
    REQUIRE_EQ(a->code->code.size_B, b->code->code.size_B);
    REQUIRE(memcmp(a->codes, b->codes, a->op_count * sizeof(a->codes[0])) == 0);
    REQUIRE_EQ(a->scalar_B, b->scalar_B);
    REQUIRE(memcmp(a->scalars, b->scalars, a->scalar_B) == 0);
    REQUIRE_EQ(a->table_B, b->table_B);
    REQUIRE(memcmp(a->table, b->table, a->table_B) == 0);
    REQUIRE_EQ(a->image_count, b->image_count);
    REQUIRE(memcmp(a->geometry, b->geometry, sizeof(*a->geometry)) == 0);
    REQUIRE(a->main_op == b->main_op && a->register_B == b->register_B && a->lanes == b->lanes &&
            a->pack == b->pack && a->shared_B == b->shared_B && a->push_B == b->push_B &&
            a->level_count == b->level_count && a->lane_slot_count == b->lane_slot_count &&
            a->add_binding_count == b->add_binding_count);
    REQUIRE(memcmp(&a->stats, &b->stats, sizeof(a->stats)) == 0);
    require_same(a->careful, b->careful);
}

static void
check(const char *name, uint32_t flags)
{
    struct rp_kernel *kernel = kernel_load(name, flags);
    struct rp_kernel *loaded = NULL;
    const size_t size_B = rp_kernel_save(kernel, NULL);
    uint8_t *data = malloc(2 * size_B);
    REQUIRE(data);
    REQUIRE_EQ(rp_kernel_save(kernel, data), size_B);

    REQUIRE_EQ(rp_kernel_load(data, size_B, flags & rp_cpu_flags(), &loaded), VK_SUCCESS);
    require_same(kernel->rows, loaded->rows);
    require_same(kernel->groups, loaded->groups);
    require_same(kernel->packed, loaded->packed);
    REQUIRE(memcmp(kernel->local_size, loaded->local_size, sizeof(loaded->local_size)) == 0);
    REQUIRE_EQ(kernel->binding_count, loaded->binding_count);
    REQUIRE_EQ(kernel->page_count, loaded->page_count);
    REQUIRE_EQ(rp_kernel_save(loaded, data + size_B), size_B);
    REQUIRE(memcmp(data, data + size_B, size_B) == 0);

    struct rp_kernel *other = rp_kernel_ref(loaded);
    rp_kernel_destroy(loaded);
    require_same(kernel->groups, other->groups); /* it has an owner still */
    rp_kernel_destroy(other);
    rp_kernel_destroy(kernel);
    free(data);
}

static void
cut_short_is_refused(const char *name)
{
    struct rp_kernel *kernel = kernel_load(name, 0);
    struct rp_kernel *loaded = NULL;
    const size_t size_B = rp_kernel_save(kernel, NULL);
    uint8_t *data = malloc(size_B);
    REQUIRE(data);
    rp_kernel_save(kernel, data);
    for (size_t left_B = 0; left_B < size_B; left_B++) {
        uint8_t *part = malloc(left_B + 1); /* so that reading on is noticed */
        REQUIRE(part);
        memcpy(part, data, left_B);
        REQUIRE_EQ(rp_kernel_load(part, left_B, 0, &loaded), VK_ERROR_UNKNOWN);
        free(part);
    }
    REQUIRE(!loaded);
    rp_kernel_destroy(kernel);
    free(data);
}

int
main(void)
{
    static const char *const others[] = {"texturing", "texels", "subgroups", "guarded", "planes"};
    for (uint32_t isa = 0; isa < ISA_COUNT; isa++) {
        for (const char *const *name = kernel_names; *name; name++)
            check(*name, isa_flags[isa]);
        for (uint32_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
            check(others[i], isa_flags[isa]);
    }
    cut_short_is_refused("tile8");
    cut_short_is_refused("clamps");
    return 0;
}
