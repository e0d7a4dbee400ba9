/* SPDX-License-Identifier: MIT */
/* From the IR to the interpreter's records: registers, then operations.
 */
#ifndef RP_COMPUTE_IR_EMIT_H
#define RP_COMPUTE_IR_EMIT_H

#include "compute/exec/op.h"
#include "compute/exec/op_list.h"
#include "compute/ir/ir.h"

struct rp_exec_table;

/* Classes of registers; each has its own part of the register file. */
enum ir_bank {
    IR_BANK_SCALAR, /* 8 bytes each */
    IR_BANK_MASK,   /* RP_MASK_B each */
    IR_BANK_WORD,   /* 4 bytes a lane */
    IR_BANK_LONG,   /* 8 bytes a lane */
    IR_BANK_COUNT,
};

struct ir_registers {
    uint32_t count[IR_BANK_COUNT];
    uint32_t base_B[IR_BANK_COUNT];
    uint32_t size_B[IR_BANK_COUNT]; /* of one register */
    uint32_t temp[IR_BANK_COUNT];   /* one of each for swaps and results nobody wants */
    uint32_t kept_B;                /* where tiles keep masks */
    uint32_t total_B;
    uint32_t lanes;
};

struct ir_const_slot {
    uint32_t offset_B;
    uint64_t value;
};

/* A finished program. Arrays live in the compilation's arena. */
struct ir_output {
    struct rp_op *ops;
    uint16_t *codes; /* enum rp_exec_op of each record; RP_X_COUNT for continued ones */
    uint32_t op_count;
    uint32_t half_op_count; /* of these, in tiles for half as many blocks: others beside theirs */
    uint32_t op_capacity;
    uint32_t main_op; /* where each chunk starts */
    struct ir_const_slot *consts;
    uint32_t const_count;
    struct ir_image **images;
    uint32_t image_count;
    struct ir_registers regs;
    uint32_t scalar_op_count;
    uint32_t gather_count;
    uint32_t walk_count;
};

enum ir_bank ir_bank_of(const struct ir_instr *value);

/* Gives each value a register (instr->reg: byte offset) and lays the register file out. */
void ir_allocate(struct ir_program *ir, struct ir_registers *out);

void ir_emit(struct ir_program *ir, const struct rp_exec_table *table, struct ir_output *out);

/* Text; returns its whole size. */
size_t ir_print(const struct ir_program *ir, char *out, size_t size_B);

#endif
