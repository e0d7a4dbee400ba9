/* SPDX-License-Identifier: MIT */
/* The terms themselves. */
#include "compute/exec/terms.h"

#define SAME(n) \
    { \
        n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n \
    }

const _Alignas(64) float rp_exp2_terms[RP_EXP2_TERMS][16] = {
    SAME(1.0f),           SAME(6.93147182e-1f), SAME(2.40226522e-1f), SAME(5.55035248e-2f),
    SAME(9.61763877e-3f), SAME(1.33947958e-3f), SAME(1.56422495e-4f),
};

/* 2^-96, and what lies between it and infinity. */
const _Alignas(64) uint32_t rp_root_terms[2][16] = {SAME(0x0f800000), SAME(0x70000000)};
