/* SPDX-License-Identifier: MIT */
#include "compute/spirv/binding.h"

#include "compute/spirv/translate.h"
#include "util/compiler.h"

#include <string.h>

/* Where a binding is in the table of their numbers, or belongs. */
static uint32_t *
bucket_of(const struct spv *s, uint32_t set, uint32_t binding)
{
    const uint64_t hash = ((uint64_t)set << 32 | binding) * 0x9e3779b97f4a7c15u;
    for (uint32_t at = (uint32_t)(hash >> 32);; at++) {
        uint32_t *bucket = &s->buckets[at & (s->bucket_count - 1)];
        if (!*bucket)
            return bucket;
        const struct rp_kernel_binding *b = &s->ir->bindings[*bucket - 1];
        if (b->set == set && b->binding == binding)
            return bucket;
    }
}

/* Room for one more binding, and a table that is at most half full. */
static void
reserve_binding(struct spv *s)
{
    struct ir_program *ir = s->ir;
    if (ir->binding_count < s->bucket_count / 2)
        return;
    const uint32_t capacity = s->bucket_count ? s->bucket_count : 16;
    struct rp_kernel_binding *bindings = ir_alloc(ir, capacity, sizeof(*bindings));
    struct spv_pages *pages = ir_alloc(ir, capacity, sizeof(*pages));
    if (ir->binding_count) {
        memcpy(bindings, ir->bindings, ir->binding_count * sizeof(*bindings));
        memcpy(pages, s->binding_pages, ir->binding_count * sizeof(*pages));
    }
    ir->bindings = bindings;
    s->binding_pages = pages;
    s->bucket_count = 2 * capacity;
    s->buckets = ir_alloc(ir, s->bucket_count, sizeof(*s->buckets));
    for (uint32_t i = 0; i < ir->binding_count; i++)
        *bucket_of(s, bindings[i].set, bindings[i].binding) = i + 1;
}

/* The number of a binding; a new one is added to the program's list. */
static uint32_t
number_of(struct spv *s, uint32_t set, uint32_t binding, uint32_t count)
{
    struct ir_program *ir = s->ir;
    reserve_binding(s);
    uint32_t *bucket = bucket_of(s, set, binding);
    if (*bucket) {
        struct rp_kernel_binding *b = &ir->bindings[*bucket - 1];
        if (b->count && (count == 0 || count > b->count))
            b->count = count;
        return *bucket - 1;
    }
    ir->bindings[ir->binding_count] =
        (struct rp_kernel_binding){.set = set, .binding = binding, .count = count};
    *bucket = ++ir->binding_count;
    return *bucket - 1;
}

static bool
is_array(const struct spv_type *type)
{
    return type->kind == SPV_T_ARRAY || type->kind == SPV_T_RUNTIME_ARRAY;
}

/* Pages of numbers that the descriptors of a variable take. */
static uint32_t
page_count(const struct spv_type *type)
{
    const uint32_t count = !is_array(type) ? 1 : type->count ? type->count : RP_MAX_DESCRIPTORS;
    return RP_MIN(count, RP_MAX_DESCRIPTORS) / (RP_PAGE_INDEX + 1) + 1;
}

uint32_t
spv_descriptor_limit(const struct spv_type *type)
{
    return page_count(type) * (RP_PAGE_INDEX + 1) - 1;
}

/* Handle of a binding's first descriptor, with so many pages: those of an earlier variable when
 * they are enough. */
static uint32_t
take_pages(struct spv *s, uint32_t binding, uint32_t count)
{
    struct ir_program *ir = s->ir;
    if (s->binding_pages[binding].count >= count)
        return s->binding_pages[binding].first << RP_PAGE_SHIFT;
    if (count > RP_PAGE_OWN - ir->page_count)
        spv_fail(s, "too many descriptors");
    if (ir->page_count + count > s->page_capacity) {
        s->page_capacity = 2 * (ir->page_count + count);
        struct rp_page *pages = ir_alloc(ir, s->page_capacity, sizeof(*pages));
        if (ir->page_count)
            memcpy(pages, ir->pages, ir->page_count * sizeof(*pages));
        ir->pages = pages;
    }
    for (uint32_t i = 0; i < count; i++)
        ir->pages[ir->page_count + i] =
            (struct rp_page){.binding = binding, .first = i << RP_PAGE_SHIFT};
    s->binding_pages[binding] = (struct spv_pages){.first = ir->page_count, .count = count};
    ir->page_count += count;
    return s->binding_pages[binding].first << RP_PAGE_SHIFT;
}

uint32_t
spv_binding_handle(struct spv *s, uint32_t set, uint32_t binding, uint32_t count)
{
    const uint32_t pages = RP_MIN(count, RP_MAX_DESCRIPTORS) / (RP_PAGE_INDEX + 1) + 1;
    return take_pages(s, number_of(s, set, binding, 0), pages);
}

uint32_t
spv_binding_of_type(struct spv *s, uint32_t set, uint32_t binding, const struct spv_type *type)
{
    const uint32_t count = is_array(type) ? type->count : 1;
    return take_pages(s, number_of(s, set, binding, count), page_count(type));
}
