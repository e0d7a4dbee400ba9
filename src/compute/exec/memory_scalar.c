/* SPDX-License-Identifier: MIT */
/* Loads and stores at one place for all lanes: of memory behind any handle, and those that serial
 * code makes most.
 */
#include "compute/exec/access.h"
#include "compute/exec/op_list.h"

#define MORE ((const struct rp_op_more *)(o + 1))

#define DEFINE_UNIFORM(bits) \
    RP_OP(LOAD##bits##_U) \
    { \
        const struct access_memory m = access_memory(o, R, x); \
        const uint64_t offset = (uint32_t)(get_i(R, o->a) + (int32_t)(MORE->r[6] + m.bias)); \
        for (uint32_t c = 0; c < o->n; c++) { \
            const uint64_t at = access_component(&m, offset, c * (bits / 8)); \
            get##bits(R, MORE->r[c], 0, access_fits(&m, at, bits / 8) ? m.ptr + at : NULL); \
        } \
        RP_MUSTTAIL return RP_GO(o + 2); \
    } \
    RP_OP(STORE##bits##_U) \
    { \
        const struct access_memory m = access_memory(o, R, x); \
        const uint64_t offset = (uint32_t)(get_i(R, o->a) + (int32_t)(MORE->r[6] + m.bias)); \
        for (uint32_t c = 0; c < o->n; c++) { \
            const uint64_t at = access_component(&m, offset, c * (bits / 8)); \
            if (access_fits(&m, at, bits / 8)) \
                put##bits(R, MORE->r[c], 0, m.ptr + at); \
        } \
        RP_MUSTTAIL return RP_GO(o + 2); \
    }
DEFINE_UNIFORM(8)
DEFINE_UNIFORM(16)
DEFINE_UNIFORM(32)
DEFINE_UNIFORM(64)

/* Of one scalar in memory that has a place in memory[]: what serial code reads and writes most. */
static inline uint64_t
scalar_offset(const struct rp_op *o, const char *R)
{
    return (uint32_t)((uint32_t)get_i(R, o->a) << o->n) + (uint32_t)get_i(R, o->b) + o->c;
}

#define DEFINE_SCALAR(bits) \
    RP_OP(LOAD##bits##_S) \
    { \
        const struct rp_memory *m = &x->memory[o->i]; \
        const uint64_t at = scalar_offset(o, R); \
        get##bits(R, o->d, 0, at + bits / 8 <= m->size_B ? m->ptr + at : NULL); \
        RP_MUSTTAIL return RP_GO(o + 1); \
    } \
    RP_OP(STORE##bits##_S) \
    { \
        const struct rp_memory *m = &x->memory[o->i]; \
        const uint64_t at = scalar_offset(o, R); \
        if (at + bits / 8 <= m->size_B) \
            put##bits(R, o->d, 0, m->ptr + at); \
        RP_MUSTTAIL return RP_GO(o + 1); \
    }
DEFINE_SCALAR(8)
DEFINE_SCALAR(16)
DEFINE_SCALAR(32)
DEFINE_SCALAR(64)
