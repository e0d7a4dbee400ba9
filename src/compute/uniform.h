/* SPDX-License-Identifier: MIT */
/* Words that are the same for a whole dispatch: of push constants and of uniform blocks, where an
 * entry point reads them at offsets that are known when it is compiled.
 *
 * A kernel may be compiled with values for them (struct rp_kernel_info): it is right for dispatches
 * that find these values there, and for no others. variants.h chooses.
 */
#ifndef RP_COMPUTE_UNIFORM_H
#define RP_COMPUTE_UNIFORM_H

#include <stdint.h>

#define RP_MAX_UNIFORM_WORDS 64u   /* of a kernel; more are not looked at */
#define RP_MAX_UNIFORM_B 4096u     /* from a block's beginning */
#define RP_UNIFORM_PUSH UINT16_MAX /* binding: none, a push constant */

struct rp_uniform_word {
    uint16_t binding;  /* index in rp_kernel_bindings(), whose first descriptor it is; or
                          RP_UNIFORM_PUSH */
    uint16_t offset_B; /* a multiple of 4 */
};

struct rp_uniform_values {
    const struct rp_uniform_word *words; /* some of a kernel's, in any order */
    const uint32_t *values;
    uint32_t count;
};

#endif
