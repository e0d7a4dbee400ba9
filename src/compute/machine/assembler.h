/* SPDX-License-Identifier: MIT */
/* What the writers of machine code share: which registers hold which scalars, and operations by
 * name.
 *
 * rdi, rsi and rdx are a handler's arguments: the record, which is only set again where the code is
 * left, the register file R, and struct rp_exec. The other registers that a function need not keep,
 * and rdi, hold scalars that were read or made since the last record that may be entered; each
 * scalar is in R, too.
 */
#ifndef RP_COMPUTE_MACHINE_ASSEMBLER_H
#define RP_COMPUTE_MACHINE_ASSEMBLER_H

#include "compute/machine/machine.h"
#include "compute/machine/x86.h"

/* clang-format off */
/* Operations of compute/ops.h that there is code for: 32 bits, and comparisons of these. */
#define MACHINE_I_I(X) X(INEG) X(INOT) X(IABS) X(SEXT8) X(SEXT16) X(ZEXT8) X(ZEXT16) X(FNEG) X(FABS)
#define MACHINE_I_II(X) \
    X(IADD) X(ISUB) X(IMUL) X(AND) X(OR) X(XOR) X(SMIN) X(SMAX) X(UMIN) X(UMAX) X(SHL) X(SHR) \
    X(SAR) X(FADD) X(FSUB) X(FMUL)
#define MACHINE_B_II(X) X(IEQ) X(INE) X(SLT) X(SLE) X(ULT) X(ULE) X(FEQ) X(FNE) X(FLT) X(FLE)
#define MACHINE_I_III(X) \
    X(IMAD) X(SHLADD) X(SHLOR) X(SHRAND) X(ADDSAR) X(ADDSHR) X(SCLAMP) X(SAD3) X(MAD) X(MSUB) \
    X(NMAD) X(SEL)
/* 64 bits, or made of them. */
#define MACHINE_L_L(X) X(INEG64) X(INOT64) X(I2L) X(U2L) X(L2I) X(HI64)
#define MACHINE_L_LL(X) \
    X(IADD64) X(ISUB64) X(IMUL64) X(AND64) X(OR64) X(XOR64) X(SHL64) X(SHR64) X(SAR64) X(XSHL64) \
    X(XSHR64) X(PACK64)
#define MACHINE_B_LL(X) X(IEQ64) X(INE64) X(SLT64) X(SLE64) X(ULT64) X(ULE64)
#define MACHINE_L_LLL(X) X(SEL64)
/* clang-format on */

enum machine_op {
    MACHINE_NONE,
#define MACHINE_ENUM(name) MACHINE_##name,
    MACHINE_I_I(MACHINE_ENUM) MACHINE_I_II(MACHINE_ENUM) MACHINE_I_III(MACHINE_ENUM)
        MACHINE_B_II(MACHINE_ENUM) MACHINE_L_L(MACHINE_ENUM) MACHINE_L_LL(MACHINE_ENUM)
            MACHINE_L_LLL(MACHINE_ENUM) MACHINE_B_LL(MACHINE_ENUM) MACHINE_OP_COUNT,
#undef MACHINE_ENUM
};

#define MACHINE_POOL 7u    /* general registers, in the order of pool */
#define MACHINE_FLOATS 6u  /* xmm0 to xmm5 */
#define MACHINE_NO_SLOT 1u /* no scalar lies there */

struct cached {
    uint32_t slot; /* offset in R */
    bool is_long;  /* all 64 bits of it are there, else the upper ones are 0 */
    bool is_made;  /* it was written from here */
    uint32_t used; /* when: the longest unused goes first */
};

struct assembler {
    struct x86 x;
    const struct rp_machine_source *source;
    struct cached general[MACHINE_POOL];
    struct cached floats[MACHINE_FLOATS];
    uint32_t pinned; /* bits of general: this operation uses them */
    uint32_t pinned_floats;
    uint32_t now;
};

/* An operand: a scalar, or what a register holds already (slot: MACHINE_NO_SLOT), 32 bits below
 * zeros. */
struct machine_value {
    uint32_t slot;
    uint32_t reg;
};

/* Room for another operation, of whatever kind. */
#define MACHINE_MAX_B 4096u
void machine_reserve(struct x86 *x);

void machine_forget(struct assembler *a); /* what registers hold */
void machine_begin(struct assembler *a);  /* another operation */
/* The second half of an operation, whose operands are free again but for a register. */
void machine_go_on(struct assembler *a, uint32_t reg);

/* Is the scalar the same in every run of the program? */
bool machine_is_number(const struct assembler *a, struct machine_value v, bool is_long,
                       uint64_t *number);
bool machine_fits(uint64_t number, bool is_long, int32_t *immediate);

uint32_t machine_new(struct assembler *a); /* a general register for this operation */
/* A register with the value, which stays as it is; upper bits of short ones may be anything. */
uint32_t machine_general(struct assembler *a, struct machine_value v, bool is_long);
/* The same for whatever takes memory, too. */
struct x86_operand machine_operand(struct assembler *a, struct machine_value v, bool is_long);
/* A new register with the value, which may be changed; upper bits of short ones are 0. */
uint32_t machine_copy(struct assembler *a, struct machine_value v, bool is_long);
/* To R, and the register holds it from now on. */
void machine_set(struct assembler *a, uint32_t slot, uint32_t reg, bool is_long);

/* Was what it holds made of 32 bits, so that nobody reads more? */
bool machine_holds_short(const struct assembler *a, uint32_t slot);

uint32_t machine_new_float(struct assembler *a);
uint32_t machine_float(struct assembler *a, struct machine_value v);
void machine_set_float(struct assembler *a, uint32_t slot, uint32_t reg);

/* arithmetic.c: the result in a general register, which machine_set() may take. */
uint32_t machine_compute(struct assembler *a, enum machine_op op, const struct machine_value v[3]);
bool machine_is_long(enum machine_op op); /* its result */
bool machine_is_float(enum machine_op op);
/* FADD to NMAD: the result in a float register. */
uint32_t machine_compute_float(struct assembler *a, enum machine_op op,
                               const struct machine_value v[3]);
/* Sets d to 0 or 1 and the flags; returns the condition under which it is 1. */
enum x86_condition machine_compare(struct assembler *a, enum machine_op op,
                                   const struct machine_value v[3], uint32_t d);

#endif
