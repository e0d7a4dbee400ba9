/* SPDX-License-Identifier: MIT */
/* Kernels of our own for what kvazaar calls through pointers: each gives what kvazaar's C gives.
 */
#ifndef RP_CODECS_KVAZAAR_KERNELS_H
#define RP_CODECS_KVAZAAR_KERNELS_H

#include <stdint.h>

/* Puts ours, as far as the CPU has what they need, in the place of those that
 * kvz_strategyselector_init() chose. cpu_flags: rp_cpu_flags(). */
void rp_kvazaar_kernels_init(uint32_t cpu_flags);

/* dct_v3.c and so on; they do nothing on other architectures. */
void rp_kvazaar_dct_init_v3(void);
void rp_kvazaar_quant_init_v3(void);
void rp_kvazaar_sao_init_v3(void);

#endif
