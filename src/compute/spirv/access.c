/* SPDX-License-Identifier: MIT */
#include "compute/spirv/access.h"

#include <string.h>

static uint32_t
binding_of(const struct ir_program *ir, const struct ir_instr *handle)
{
    if (!ir_is_const(handle) || handle->type != IR_I || ir_is_own_memory(handle))
        return RP_NO_BINDING;
    const struct rp_page *page = ir_page_of(ir, handle);
    return page ? page->binding : RP_NO_BINDING;
}

uint64_t
spv_access_site(struct spv *s, const struct ir_instr *handle, uint32_t bits, uint32_t size_B)
{
    struct ir_program *ir = s->ir;
    const uint32_t word = (uint32_t)(s->at - s->shader->words), binding = binding_of(ir, handle);
    for (uint32_t i = 0; i < ir->access_site_count; i++) {
        struct rp_access_site *site = &ir->access_sites[i];
        if (site->word != word || site->bits != bits || site->size_B != size_B)
            continue;
        if (site->binding != binding)
            site->binding = RP_NO_BINDING;
        return i + 1;
    }
    if (ir->access_site_count == RP_MAX_ACCESS_SITES)
        return 0;
    if (ir->access_site_count == ir->access_site_capacity) {
        ir->access_site_capacity = ir->access_site_capacity ? 2 * ir->access_site_capacity : 16;
        struct rp_access_site *larger = ir_alloc(ir, ir->access_site_capacity, sizeof(larger[0]));
        if (ir->access_site_count)
            memcpy(larger, ir->access_sites, ir->access_site_count * sizeof(larger[0]));
        ir->access_sites = larger;
    }
    ir->access_sites[ir->access_site_count++] =
        (struct rp_access_site){word, bits, size_B, binding};
    return ir->access_site_count;
}

struct ir_instr *
spv_note_access(struct spv *s, struct ir_instr *handle, struct ir_instr *offset, uint32_t bits,
                uint32_t size_B)
{
    struct ir_program *ir = s->ir;
    const bool is_shared =
        ir_is_own_memory(handle) && ir_static_memory(ir, handle) == (int32_t)IR_MEMORY_SHARED;
    if (ir_is_own_memory(handle) && !is_shared)
        return NULL;
    const uint64_t site =
        spv_access_site(s, handle, bits | (is_shared ? RP_ACCESS_SHARED : 0), size_B);
    if (!site)
        return NULL;
    struct ir_instr *access = ir_make(ir, IR_ACCESS, IR_VOID, 2);
    access->args[0] = handle;
    access->args[1] = offset;
    access->imm = site - 1;
    ir_place(ir, access);
    return access;
}
