/* SPDX-License-Identifier: MIT */
/* Tells a recorder what the active lanes do (compute/record.h).
 */
#include "compute/exec/common.h"
#include "compute/exec/record_lanes.h"

#include <string.h>

#define MORE ((const struct rp_op_more *)(o + 1))

uint32_t
rp_record_lanes(const struct rp_op *o, const struct rp_exec *x, uint16_t *lanes)
{
    uint32_t count = 0;
    for (int32_t k = x->k0; k < x->k1; k++) {
        uint32_t bits = x->is_full ? 0xffff : x->levels[o->level].bits[k];
        if (bits == 0xffff) {
            for (uint32_t i = 0; i < 16; i++)
                lanes[count + i] = (uint16_t)(k * 16 + (int32_t)i);
            count += 16;
            continue;
        }
        for (; bits; bits &= bits - 1)
            lanes[count++] = (uint16_t)(k * 16 + __builtin_ctz(bits));
    }
    return count;
}

uint32_t
rp_record_binding(const struct rp_exec *x, uint32_t handle)
{
    const uint32_t page = handle >> RP_PAGE_SHIFT;
    return page < x->page_count ? x->pages[page].binding : RP_NO_BINDING;
}

/* The first block of all begins a workgroup: no jump leads there. */
const struct rp_op *
rp_common_RECORD_BLOCK(const struct rp_op *o, char *R, struct rp_exec *x)
{
    uint16_t lanes[RP_MAX_WORKGROUP_SIZE];
    if (!x->recorder)
        return o + 1;
    if (o->a == 0) {
        const uint32_t *group = (const uint32_t *)(R + o->b);
        x->recorder->group(x->recorder, (const uint32_t[]){group[0], group[2], group[4]});
    }
    if (!x->recorder->block)
        return o + 1;
    const uint32_t count = rp_record_lanes(o, x, lanes);
    if (count)
        x->recorder->block(x->recorder, o->a, lanes, count);
    return o + 1;
}

const struct rp_op *
rp_common_RECORD_BARRIER(const struct rp_op *o, char *R, struct rp_exec *x)
{
    (void)R;
    if (x->recorder)
        x->recorder->barrier(x->recorder, (enum rp_record_barrier)o->a);
    return o + 1;
}

/* Where the lanes go, as struct rp_access has it. */
struct places {
    uint32_t count;
    bool has_spans;
    uint16_t lanes[RP_MAX_WORKGROUP_SIZE];
    uint8_t *at[RP_MAX_WORKGROUP_SIZE];
    uint32_t offsets_B[RP_MAX_WORKGROUP_SIZE];
    struct rp_access_span spans[RP_MAX_WORKGROUP_SIZE];
};

static uint8_t *
address_add(uint64_t address, uint32_t offset)
{
    return (uint8_t *)(uintptr_t)(address + (uint64_t)(int64_t)(int32_t)offset);
}

static inline uint8_t *
memory_at(const struct rp_memory *m, uint32_t offset, uint32_t size_B)
{
    return (uint64_t)offset + size_B <= m->size_B ? m->ptr + offset : NULL;
}

/* All into one. */
static void
places_in_memory(struct places *p, const struct rp_memory *m, uint32_t size_B)
{
    p->spans[0] = (struct rp_access_span){m->ptr, m->size_B};
    if (!m->ptr)
        p->count = 0;
    const struct rp_memory memory = *m;
    for (uint32_t i = 0; i < p->count; i++)
        p->at[i] = memory_at(&memory, p->offsets_B[i], size_B);
}

/* Each into its own; lanes to which nothing is bound are left out. */
static void
places_varying(struct places *p, const struct rp_exec *x, const uint32_t *handles, uint32_t size_B)
{
    const uint32_t count = p->count;
    p->has_spans = true;
    p->count = 0;
    for (uint32_t i = 0; i < count; i++) {
        const struct rp_memory m = rp_exec_lookup(x, handles[p->lanes[i]]);
        if (!m.ptr)
            continue;
        const uint32_t k = p->count++;
        p->lanes[k] = p->lanes[i];
        p->offsets_B[k] = p->offsets_B[i];
        p->spans[k] = (struct rp_access_span){m.ptr, m.size_B};
        p->at[k] = memory_at(&m, p->offsets_B[k], size_B);
    }
}

static void
places_find(struct places *p, const struct rp_op *o, const char *R, const struct rp_exec *x,
            uint32_t size_B)
{
    const uint32_t *offsets = (const uint32_t *)(R + o->a);
    const uint64_t *addresses = (const uint64_t *)(R + o->b);
    struct rp_memory m;
    if (p->count && p->lanes[p->count - 1] - p->lanes[0] + 1u == p->count) /* side by side */
        memcpy(p->offsets_B, offsets + p->lanes[0], p->count * sizeof(offsets[0]));
    else
        for (uint32_t i = 0; i < p->count; i++)
            p->offsets_B[i] = offsets[p->lanes[i]];
    p->spans[0] = (struct rp_access_span){NULL, 0};
    switch (o->i) {
    case RP_MEMORY_ADDRESS:
        for (uint32_t i = 0; i < p->count; i++)
            p->at[i] = address_add(addresses[0], p->offsets_B[i]);
        return;
    case RP_MEMORY_ADDRESSES:
        for (uint32_t i = 0; i < p->count; i++)
            p->at[i] = address_add(addresses[p->lanes[i]], p->offsets_B[i]);
        return;
    case RP_MEMORY_VARYING:
        places_varying(p, x, (const uint32_t *)(R + o->b), size_B);
        return;
    case RP_MEMORY_DYNAMIC:
        m = rp_exec_lookup(x, *(const uint32_t *)(R + o->b));
        break;
    default:
        m = x->memory[o->i];
        break;
    }
    places_in_memory(p, &m, size_B);
}

static uint32_t
binding_of(const struct rp_op *o, const char *R, const struct rp_exec *x)
{
    if (o->i >= 0)
        return (uint32_t)o->i < x->binding_count ? (uint32_t)o->i : RP_NO_BINDING;
    return o->i == RP_MEMORY_DYNAMIC ? rp_record_binding(x, *(const uint32_t *)(R + o->b))
                                     : RP_NO_BINDING;
}

const struct rp_op *
rp_common_RECORD_ACCESS(const struct rp_op *o, char *R, struct rp_exec *x)
{
    struct places places;
    if (!x->recorder)
        return o + 2;
    const uint32_t size_B = x->recorder->sites[o->c].size_B;
    places.has_spans = false;
    places.count = rp_record_lanes(o, x, places.lanes);
    places_find(&places, o, R, x, size_B);
    struct rp_access access = {
        .site = o->c,
        .size_B = size_B,
        .binding = binding_of(o, R, x),
        .count = places.count,
        .has_spans = places.has_spans,
        .lanes = places.lanes,
        .at = places.at,
        .offsets_B = places.offsets_B,
        .spans = places.spans,
        .value_count = o->n,
        .value_B = MORE->r[0],
    };
    for (uint32_t i = 0; i < o->n; i++)
        access.values[i] = R + MORE->r[1 + i];
    if (access.count)
        x->recorder->access(x->recorder, &access);
    return o + 2;
}
