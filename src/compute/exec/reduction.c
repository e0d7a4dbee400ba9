/* SPDX-License-Identifier: MIT */
/* Reductions in the memory of workgroups: steps in which the first lanes take in what others hold,
 * all of them in one operation. Compiled once for each instruction set.
 */
#include "compute/exec/expr.h"
#include "compute/exec/op_list.h"

/* Lanes from number `first` on, in front. */
static inline vi
lanes_from(vi v, uint32_t first)
{
#if RP_VW == 16
    return (vi)_mm512_permutexvar_epi32((__m512i)(lane_numbers(0) + (int32_t)first), (__m512i)v);
#elif RP_VW == 8
    return (vi)_mm256_permutevar8x32_epi32((__m256i)v, (__m256i)(lane_numbers(0) + (int32_t)first));
#elif defined(RP_NEON)
    const uint8x16_t numbers = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    return (vi)vqtbl1q_u8((uint8x16_t)v, vaddq_u8(numbers, vdupq_n_u8((uint8_t)(4 * first))));
#else
    int32_t lanes[2 * RP_VW] = {0};
    memcpy(lanes, &v, sizeof(v));
    memcpy(&v, lanes + first, sizeof(v));
    return v;
#endif
}

/* The last steps, in fewer lanes than a vector has: they stay in a register. */
#define DEFINE_REDUCTION(name) \
    static inline void few_##name(uint8_t *at, const struct rp_reduction_step *step, \
                                  const struct rp_reduction_step *end) \
    { \
        vi own = *(const vi_u *)at; \
        for (; step < end; step++) { \
            const bool is_near = step->lanes + step->distance <= RP_VW; \
            if (!is_near) \
                *(vi_u *)at = own; \
            const vi other = is_near ? lanes_from(own, step->distance) \
                                     : VI(*(const vi_u *)(at + 4u * step->distance)); \
            const vi sum = step->is_swapped ? E_##name(other, own) : E_##name(own, other); \
            own = vi_mask_select((1u << step->lanes) - 1, sum, own); \
        } \
        *(vi_u *)at = own; \
    } \
    static void reduce_##name(uint8_t *at, const struct rp_reduction_step *step, \
                              const struct rp_reduction_step *end) \
    { \
        for (; step < end && step->lanes >= RP_VW; step++) { \
            const uint8_t *from = at + 4u * step->distance; \
            for (size_t b = 0; b < 4u * step->lanes; b += RP_VB) { \
                const vi own = *(const vi_u *)(at + b), other = *(const vi_u *)(from + b); \
                *(vi_u *)(at + b) = \
                    step->is_swapped ? E_##name(other, own) : E_##name(own, other); \
            } \
        } \
        if (step < end) \
            few_##name(at, step, end); \
    }
RP_REDUCTION_OPS(DEFINE_REDUCTION)

typedef void reduction_function(uint8_t *at, const struct rp_reduction_step *step,
                                const struct rp_reduction_step *end);

static reduction_function *const functions[] = {
#define FUNCTION(name) [RP_REDUCTION_##name] = reduce_##name,
    RP_REDUCTION_OPS(FUNCTION)};

/* False: not all lanes take part, or not all is inside. */
static __attribute__((noinline)) bool
run_reductions(const struct rp_op *o, const char *R, const struct rp_exec *x)
{
    const struct rp_reduction *reduction = (const struct rp_reduction *)(const void *)(o + 1);
    const struct rp_memory *m = &x->memory[o->b];
    const uint64_t stride_B = (uint32_t)get_i(R, o->a);
    const uint32_t last = (uint32_t)x->geometry->z[x->lane_count - 1]; /* workgroup */
    if (!x->is_full || x->k0 != 0 || (uint32_t)x->k1 * 16 != x->lane_count ||
        o->d + last * stride_B + reduction->reach_B > m->size_B)
        return false;
    for (uint32_t g = 0; g <= last; g++)
        functions[reduction->op](m->ptr + o->d + g * stride_B, reduction->steps,
                                 reduction->steps + o->n);
    return true;
}

RP_OP(REDUCTION)
{
    o += run_reductions(o, R, x) ? o->i : 1 + (int32_t)RP_REDUCTION_RECORDS;
    RP_MUSTTAIL return RP_GO(o);
}
