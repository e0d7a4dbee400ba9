/* SPDX-License-Identifier: MIT */
/* Tells a recorder what the active lanes do (compute/record.h).
 */
#include "compute/exec/common.h"
#include "compute/exec/record_lanes.h"

#define MORE ((const struct rp_op_more *)(o + 1))

uint32_t
rp_record_lanes(const struct rp_op *o, const struct rp_exec *x, uint16_t *lanes)
{
    uint32_t count = 0;
    for (int32_t k = x->k0; k < x->k1; k++) {
        uint32_t bits = x->is_full ? 0xffff : x->levels[o->level].bits[k];
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

static void
place_from_address(struct rp_access_lane *l, uint64_t address, uint32_t offset)
{
    l->at = (uint8_t *)(uintptr_t)(address + (uint64_t)(int64_t)(int32_t)offset);
}

static void
place_in_memory(struct rp_access_lane *l, const struct rp_memory *m, uint32_t offset,
                uint32_t size_B)
{
    l->base = m->ptr;
    l->size_B = m->size_B;
    l->at = (uint64_t)offset + size_B <= m->size_B ? m->ptr + offset : NULL;
}

/* Where lane `lane` goes; false: nothing is bound there. */
static bool
lane_place(const struct rp_op *o, const char *R, const struct rp_exec *x, uint32_t size_B,
           struct rp_access_lane *l)
{
    const uint32_t offset = ((const uint32_t *)(R + o->a))[l->lane];
    struct rp_memory m;
    l->offset_B = offset;
    switch (o->i) {
    case RP_MEMORY_ADDRESS:
        place_from_address(l, *(const uint64_t *)(R + o->b), offset);
        return true;
    case RP_MEMORY_ADDRESSES:
        place_from_address(l, ((const uint64_t *)(R + o->b))[l->lane], offset);
        return true;
    case RP_MEMORY_DYNAMIC:
        m = rp_exec_lookup(x, *(const uint32_t *)(R + o->b));
        break;
    case RP_MEMORY_VARYING:
        m = rp_exec_lookup(x, ((const uint32_t *)(R + o->b))[l->lane]);
        break;
    default:
        m = x->memory[o->i];
        break;
    }
    place_in_memory(l, &m, offset, size_B);
    return m.ptr != NULL;
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
    uint16_t lanes[RP_MAX_WORKGROUP_SIZE];
    struct rp_access_lane places[RP_MAX_WORKGROUP_SIZE];
    if (!x->recorder)
        return o + 2;
    struct rp_access access = {
        .site = o->c,
        .size_B = x->recorder->sites[o->c].size_B,
        .binding = binding_of(o, R, x),
        .lanes = places,
        .value_count = o->n,
        .value_B = MORE->r[0],
    };
    for (uint32_t i = 0; i < o->n; i++)
        access.values[i] = R + MORE->r[1 + i];
    const uint32_t count = rp_record_lanes(o, x, lanes);
    for (uint32_t i = 0; i < count; i++) {
        struct rp_access_lane *l = &places[access.count];
        *l = (struct rp_access_lane){.lane = lanes[i]};
        access.count += lane_place(o, R, x, access.size_B, l);
    }
    if (access.count)
        x->recorder->access(x->recorder, &access);
    return o + 2;
}
