/* SPDX-License-Identifier: MIT */
/* Accesses of the current instruction that a recorder is told of (record.h).
 */
#ifndef RP_COMPUTE_SPIRV_ACCESS_H
#define RP_COMPUTE_SPIRV_ACCESS_H

#include "compute/spirv/translate.h"

/* 1 + the number of an access by handle; bits: enum rp_access_bits. 0: there are too many. */
uint64_t spv_access_site(struct spv *s, const struct ir_instr *handle, uint32_t bits,
                         uint32_t size_B);

/* Places an IR_ACCESS without values; NULL: nobody wants to hear of this one. */
struct ir_instr *spv_note_access(struct spv *s, struct ir_instr *handle, struct ir_instr *offset,
                                 uint32_t bits, uint32_t size_B);

#endif
