/* SPDX-License-Identifier: MIT */
/* Terms of polynomials, as vectors in memory: a compiler that knew them would make each of them
 * anew from one number, for want of registers.
 */
#ifndef RP_COMPUTE_EXEC_TERMS_H
#define RP_COMPUTE_EXEC_TERMS_H

#include <stdint.h>

#define RP_EXP2_TERMS 7u

extern const _Alignas(64) float rp_exp2_terms[RP_EXP2_TERMS][16];
extern const _Alignas(64) uint32_t rp_root_terms[2][16];

#endif
