/* SPDX-License-Identifier: MIT */
/* A tile of the interpreter (exec/tile.c), several of them with gathers between, or a run of
 * operations of 64 bits, as a loop of machine code: each round takes a few vectors through all of
 * the operations, with values in registers. Only what others than the tile read is stored.
 *
 * rax is R moved on to the round's vectors, r8 the same for masks, r9 the end of the window; rsi
 * and rdx are a handler's (assembler.h). A value has a home in the register file where the
 * interpreter would leave it; it goes there, too, when there are too few registers.
 */
#ifndef RP_COMPUTE_MACHINE_TILE_H
#define RP_COMPUTE_MACHINE_TILE_H

#include "compute/exec/op_list.h"
#include "compute/machine/assembler.h"
#include "compute/machine/vector.h"

/* Operations of 64 bits that there is code for; shifts by numbers alone. */
#define TILE_L_L(X) X(INEG64) X(INOT64) X(FNEG64) X(FABS64) X(SQRT64)
#define TILE_L_LL(X) \
    X(IADD64) X(ISUB64) X(IMUL64) X(AND64) X(OR64) X(XOR64) X(FADD64) X(FSUB64) X(FMUL64) X(FDIV64)
#define TILE_L_LI(X) X(SHL64) X(SHR64) X(SAR64) X(ROTL64) X(XSHL64) X(XSHR64)

enum tile_code {
    TILE_NONE,
#define TILE_ENUM(name) TILE_##name,
    RP_TILE_I_I(TILE_ENUM) RP_TILE_I_II(TILE_ENUM) RP_OPS_I_III(TILE_ENUM) TILE_SEL,
    TILE_GATHER, /* of a word of each lane: LOAD32_G */
    TILE_LONGS,  /* from here on 64 bits a lane */
    TILE_L_L(TILE_ENUM) TILE_L_LL(TILE_ENUM) TILE_L_LI(TILE_ENUM) TILE_MAD64,
    TILE_MASKS, /* from here on the result is a mask */
    RP_OPS_B_II(TILE_ENUM) RP_TILE_B_BB(TILE_ENUM) TILE_CODE_COUNT,
#undef TILE_ENUM
};

#define TILE_MAX_OPS 128u
#define TILE_MAX_UNROLL 4u /* vectors of a round */
#define TILE_MAX_TEMPS 4u
#define TILE_MAX_VALUES (5 * TILE_MAX_OPS)
#define TILE_NO_VALUE UINT16_MAX
#define MASK_TEMP 7u /* k7, which is no value's */

enum tile_kind {
    TILE_LANES,
    TILE_SCALAR, /* one for all lanes */
    TILE_MASK,
};

/* is_readable is about records, which name what they read by its home; is_in_memory and
 * is_in_registers are about the code as far as it is written. */
struct tile_value {
    uint8_t kind;
    bool is_kept; /* of a mask: its home is for this tile alone */
    bool is_readable;
    bool is_number; /* the same in every run of the program */
    bool is_quiet;  /* a float that is no NaN which signals */
    bool is_no_nan;
    bool is_in_memory;
    bool is_in_registers;
    uint8_t regs[TILE_MAX_UNROLL];
    uint16_t start;  /* the operation that makes it, or reads it first */
    uint16_t end;    /* behind the last operation that reads it; 0: none does */
    uint32_t home;   /* offset in R */
    uint32_t number; /* what it is then */
};

struct tile_op {
    uint8_t code; /* enum tile_code */
    uint8_t arg_count;
    bool is_stored;   /* others than the tile read the result */
    uint16_t args[3]; /* values; of a selection the mask is the first */
    uint16_t result;
    const struct rp_op *gather; /* of a gather: its record */
    uint8_t last_word;          /* where its greatest offset is: in rp_exec's gather_words */
    uint8_t by_word;            /* where what is added to offsets is; TILE_NO_WORD: nothing is */
};

#define TILE_NO_WORD UINT8_MAX

struct tile {
    struct x86 *x;
    bool is_wide; /* AVX-512 */
    bool is_long; /* all values have 64 bits a lane, and there are no masks */
    uint32_t unroll;
    uint32_t now; /* operation */
    uint32_t op_count;
    uint32_t value_count;
    uint32_t free_vectors; /* registers, a bit each */
    uint32_t free_masks;
    uint32_t temp_count;
    uint8_t temps[TILE_MAX_TEMPS];
    uint32_t gather_count;
    uint32_t word_count; /* of gather_words */
    uint16_t level;      /* whose masks gathers ask for */
    struct tile_op ops[TILE_MAX_OPS];
    struct tile_value values[TILE_MAX_VALUES];
};

/* What is in front of the code of a program with tiles, for VECTOR_CONSTANT: 32 bytes each. */
enum tile_constant {
    TILE_SIGN,      /* 2^31 */
    TILE_MAGNITUDE, /* 2^31 - 1 */
    TILE_ONES,
    TILE_BYTE,  /* 255 */
    TILE_HALF,  /* 65535 */
    TILE_BYTES, /* 255 in both halves */
    TILE_31,
    TILE_32,
    TILE_2,
    TILE_ROOT_LEAST, /* of roots.h */
    TILE_ROOT_RANGE,
    TILE_ROOT_ONES,
    TILE_ONE, /* floats from here on */
    TILE_ONE_HALF,
    TILE_BELOW_ONE, /* 1 - 2^-24 */
    TILE_2P16,
    TILE_2P31,
    TILE_2P32,
    TILE_SIGN64,
    TILE_MAGNITUDE64,
    TILE_UPPER64,   /* the upper halves */
    TILE_LANE_BITS, /* 1 << lane; AVX2 alone */
    TILE_CONSTANT_COUNT,
};
#define TILE_CONSTANT_B 32u

void machine_tile_write_constants(struct x86 *x);

void machine_tile_clear(struct tile *t);

/* What the records behind ops[k], a TILE, say. False: there is no code for them. */
bool machine_tile_read(struct tile *t, const struct assembler *a, uint32_t k);
/* What they say behind what the tile has already. Returns the record of the TILE_END, or 0. */
uint32_t machine_tile_append(struct tile *t, const struct assembler *a, uint32_t k);
/* The same of operations of 64 bits from ops[k] on, which handlers run one by one. n says of each
 * how many records later its result is read for the last time; 0: elsewhere, too. Returns how many
 * there are in front of a record that a jump goes to, or that there is no code for. */
uint32_t machine_tile_read_longs(struct tile *t, const struct assembler *a, uint32_t k,
                                 const bool *is_target);

/* tile_gather.c. A group: gathers from static memory with the tiles around them, as one tile, from
 * ops[k] on, which is one of these. Returns the record behind it, or 0 when there is none. */
uint32_t machine_tile_read_group(struct tile *t, const struct assembler *a, uint32_t k,
                                 const bool *is_target);
bool machine_tile_is_gather(const struct tile *t, const struct assembler *a, uint32_t k);
/* In front of the group's loop. *jumps: those that are taken when the handlers have to do it;
 * returns how many there are. */
uint32_t machine_tile_write_guard(const struct tile *t, struct x86 *x, uint32_t *jumps);
/* Masks of the active lanes are at this register, moved on with the round's. */
#define TILE_ACTIVE 10u
void machine_tile_write_active(const struct tile *t);
#define TILE_MAX_GATHERS 32u
#define TILE_MAX_GUARDS (2 * TILE_MAX_GATHERS)

/* A value at a home, or a new one, of which the last operation of the tile is the first to know. */
uint32_t machine_tile_value_at(struct tile *t, enum tile_kind kind, uint32_t home);
uint32_t machine_tile_value_new(struct tile *t, enum tile_kind kind, uint32_t home);

/* The loop over the window, from its entry to where the tile ends. */
void machine_tile_write(struct tile *t, struct x86 *x);

/* tile_registers.c. unroll registers, or one for a scalar; none of them is a value's then. */
void machine_tile_start_round(struct tile *t, uint32_t unroll);
/* The value is in registers, for this operation at least. */
void machine_tile_need(struct tile *t, uint32_t value);
void machine_tile_need_temps(struct tile *t, uint32_t count);
/* Values that nobody reads behind this operation give their registers back; scalars only when all
 * vectors of the result are made. */
void machine_tile_release(struct tile *t, bool is_made);
void machine_tile_release_temps(struct tile *t);
/* Registers for what the operation makes. */
void machine_tile_take_result(struct tile *t);
/* To its home. */
void machine_tile_store(struct tile *t, uint32_t value);
/* Its u-th vector: where it is. */
struct vector_operand machine_tile_operand(const struct tile *t, uint32_t value, uint32_t u);

/* tile_ops.c. The operation `now`, with all that its operands need. */
void machine_tile_write_op(struct tile *t);

#endif
