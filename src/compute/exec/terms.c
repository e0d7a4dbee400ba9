/* SPDX-License-Identifier: MIT */
/* The terms themselves. */
#include "compute/exec/terms.h"

#define SAME(n) \
    { \
        n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n \
    }

const _Alignas(64) float rp_exp2_terms[RP_EXP2_TERMS][16] = {
    SAME(1.0f),           SAME(6.93147215e-1f), SAME(2.40226528e-1f), SAME(5.55031055e-2f),
    SAME(9.61769297e-3f), SAME(1.34066439e-3f), SAME(1.55946775e-4f),
};
