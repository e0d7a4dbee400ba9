/* SPDX-License-Identifier: MIT */
/* Memory of the invocations themselves (lane.c) at indices that differ from lane to lane: the word
 * of a lane is in the row of its index.
 */
#include "compute/exec/access.h"
#include "compute/exec/op_list.h"

#define MORE ((const struct rp_op_more *)(o + 1))

struct rows {
    char *first;
    uint32_t last; /* index */
    uint32_t row_B;
    bool has_words; /* and vectors of 32-bit offsets reach them */
};

static inline struct rows
find_rows(const struct rp_op *o, const struct rp_exec *x)
{
    const uint32_t count = MORE->r[1];
    return (struct rows){
        .first = x->lane_memory + (size_t)MORE->r[0] * x->lane_slot_B,
        .last = count - 1,
        .row_B = (uint32_t)x->lane_slot_B,
        .has_words = !o->n && (uint64_t)count * x->lane_slot_B <= INT32_MAX,
    };
}

/* The offsets of the s-th vector's words. */
RP_ALWAYS_INLINE vi
word_offsets(const struct rows *rows, vi index, int32_t s)
{
    const vi last = vi_splat((int32_t)rows->last);
    const vi row = vi_select(VI(VU(index) < VU(last)), index, last);
    return VI(VU(row) * rows->row_B) + 4 * (lane_numbers(0) + s * RP_VW);
}

static inline void
load_block(const struct rows *rows, vi *d, const vi *index, int32_t k)
{
    const uint8_t *first = (const uint8_t *)rows->first;
#if RP_VW == 16
    *d = gather_vector(first, word_offsets(rows, *index, k), 0xffff);
#else
    vi at[RP_NS];
    for (int32_t j = 0; j < RP_NS; j++)
        at[j] = word_offsets(rows, index[j], k * RP_NS + j);
    __asm__("" : "+m"(at)); /* taken out of registers again they would take longer */
    for (int32_t j = 0; j < RP_NS; j++)
        d[j] = gather_all(first, (const int32_t *)(at + j));
#endif
}

RP_OP(LANE_LOAD_V)
{
    const struct rows rows = find_rows(o, x);
    if (!rows.has_words) {
        rp_exec_load_lanes(o, R, x);
        RP_MUSTTAIL return RP_GO(o + 2);
    }
    const vi *index = (const vi *)(R + o->a);
    vi *d = (vi *)(R + o->d);
    for (int32_t k = x->k0, end = x->k1; k < end; k++)
        if (access_bits(o, x, k))
            load_block(&rows, d + k * RP_NS, index + k * RP_NS, k);
    RP_MUSTTAIL return RP_GO(o + 2);
}

RP_OP(LANE_STORE_V)
{
    const struct rows rows = find_rows(o, x);
    if (!rows.has_words) {
        rp_exec_store_lanes(o, R, x);
        RP_MUSTTAIL return RP_GO(o + 2);
    }
    const vi *index = (const vi *)(R + o->a), *value = (const vi *)(R + o->b);
    for (int32_t k = x->k0, end = x->k1; k < end; k++) {
        const uint16_t active = (uint16_t)access_bits(o, x, k);
        for (int32_t s = k * RP_NS; s < (k + 1) * RP_NS; s++) {
            const uint32_t bits = mask_part(&active, s % RP_NS) & ((1u << RP_VW) - 1);
            if (bits)
                scatter_vector((uint8_t *)rows.first, word_offsets(&rows, index[s], s), bits,
                               value[s]);
        }
    }
    RP_MUSTTAIL return RP_GO(o + 2);
}
