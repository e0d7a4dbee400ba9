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

#define DEFINE_DO_THREE(name, second) \
    static inline int32_t do_##name(int32_t a, int32_t b, int32_t c) \
    { \
        return RP_SCALAR_OR(name, NOT_THERE); \
    }
RP_PAIR_OF_THREE(DEFINE_DO_THREE, )

#define DEFINE_OP(name, value) \
    RP_OP(name) \
    { \
        *(int32_t *)(R + o->d) = (value); \
        (void)x; \
        RP_MUSTTAIL return RP_GO(o + 1); \
    }

#define A get_i(R, o->a)
#define B get_i(R, o->b)
#define C get_i(R, o->c)
#define I get_i(R, (uint32_t)o->i)

#define PAIR(first, second) DEFINE_OP(PAIR_##first##_##second, do_##second(do_##first(A, B), C))
#define PAIR_R(first, second) DEFINE_OP(PAIR_##first##_R##second, do_##second(C, do_##first(A, B)))
RP_EXEC_PAIRS_OF_TWO(PAIR, PAIR_R)

#define PAIR_OF_THREE(first, second) \
    DEFINE_OP(PAIR_##first##_##second, do_##second(do_##first(A, B, C), I))
#define PAIR_OF_THREE_R(first, second) \
    DEFINE_OP(PAIR_##first##_R##second, do_##second(I, do_##first(A, B, C)))
RP_EXEC_PAIRS_OF_THREE(PAIR_OF_THREE, PAIR_OF_THREE_R)
