/* SPDX-License-Identifier: MIT */
/* Two operations on scalars in one: what the first makes stays in a register of the processor. Each
 * record and each trip of a scalar through memory costs as much as a dozen operations of the
 * processor's. Compiled once for each instruction set.
 */
#include "compute/exec/expr.h"
#include "compute/exec/op_list.h"
#include "compute/exec/scalar.h"

#define NOT_THERE 0 /* all of these are in scalar.h */
#define DEFINE_DO(name, second) \
    static inline int32_t do_##name(int32_t a, int32_t b) \
    { \
        (void)b; \
        return RP_SCALAR_OR(name, NOT_THERE); \
    }
RP_PAIR_ARITHMETIC(DEFINE_DO, )
RP_PAIR_COMPARISONS(DEFINE_DO, )

#define SET_SCALAR(value) (*(int32_t *)(R + o->d) = (value))

#define DEFINE_PAIR(first, second) \
    RP_OP(PAIR_##first##_##second) \
    { \
        const int32_t r = do_##first(get_i(R, o->a), get_i(R, o->b)); \
        (void)x; \
        SET_SCALAR(do_##second(r, get_i(R, o->c))); \
        RP_MUSTTAIL return RP_GO(o + 1); \
    }
#define DEFINE_PAIR_R(first, second) \
    RP_OP(PAIR_##first##_R##second) \
    { \
        const int32_t r = do_##first(get_i(R, o->a), get_i(R, o->b)); \
        (void)x; \
        SET_SCALAR(do_##second(get_i(R, o->c), r)); \
        RP_MUSTTAIL return RP_GO(o + 1); \
    }
RP_EXEC_PAIRS(DEFINE_PAIR, DEFINE_PAIR_R)
