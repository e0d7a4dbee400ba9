/* SPDX-License-Identifier: MIT */
/* Instructions of vectors of 32 bytes (AVX2) or 64 (AVX-512), as bytes. Registers go by their
 * numbers: ymm0 to ymm15, zmm0 to zmm31, k0 to k7.
 */
#ifndef RP_COMPUTE_MACHINE_VECTOR_H
#define RP_COMPUTE_MACHINE_VECTOR_H

#include "compute/machine/x86.h"

enum vector_place {
    VECTOR_REGISTER,
    VECTOR_MEMORY,   /* a vector */
    VECTOR_WORD,     /* a word in memory for all lanes; AVX-512 alone */
    VECTOR_CONSTANT, /* in the code, at an offset: a word with AVX-512, else a vector */
};

struct vector_operand {
    uint8_t place; /* enum vector_place */
    uint8_t reg;   /* or what the distance is from */
    int32_t distance;
};

static inline struct vector_operand
vector_reg(uint32_t reg)
{
    return (struct vector_operand){VECTOR_REGISTER, (uint8_t)reg, 0};
}

/* Instructions: prefix and map as x86_vex() has them, opcode. W: of 64 bits a lane, which tells
 * AVX-512 how long a word in memory is. */
#define VECTOR(prefix, map, opcode) ((prefix) | (map) << 4 | (opcode) << 8)
#define VECTOR_W 8u

/* clang-format off */
enum vector_instruction {
    VECTOR_MOVE = VECTOR(0, 1, 0x28), /* floats or not: the same */
    VECTOR_STORE = VECTOR(0, 1, 0x29),
    VECTOR_BROADCAST = VECTOR(1, 2, 0x18), /* of a word in memory */
    VECTOR_ADD = VECTOR(1, 1, 0xfe),
    VECTOR_SUB = VECTOR(1, 1, 0xfa),
    VECTOR_MUL = VECTOR(1, 2, 0x40),
    VECTOR_AND = VECTOR(1, 1, 0xdb),
    VECTOR_ANDN = VECTOR(1, 1, 0xdf), /* ~second & last */
    VECTOR_OR = VECTOR(1, 1, 0xeb),
    VECTOR_XOR = VECTOR(1, 1, 0xef),
    VECTOR_SMIN = VECTOR(1, 2, 0x39),
    VECTOR_SMAX = VECTOR(1, 2, 0x3d),
    VECTOR_UMIN = VECTOR(1, 2, 0x3b),
    VECTOR_UMAX = VECTOR(1, 2, 0x3f),
    VECTOR_ABS = VECTOR(1, 2, 0x1e),
    VECTOR_MADD16 = VECTOR(1, 1, 0xf5), /* of pairs of 16 bits: the sum of products */
    VECTOR_FADD = VECTOR(0, 1, 0x58),
    VECTOR_FSUB = VECTOR(0, 1, 0x5c),
    VECTOR_FMUL = VECTOR(0, 1, 0x59),
    VECTOR_FDIV = VECTOR(0, 1, 0x5e),
    VECTOR_FMIN = VECTOR(0, 1, 0x5d), /* the last operand when one is NaN, or both are zeros */
    VECTOR_FMAX = VECTOR(0, 1, 0x5f),
    VECTOR_SQRT = VECTOR(0, 1, 0x51),
    VECTOR_ROUND = VECTOR(1, 3, 0x08),
    VECTOR_I2F = VECTOR(0, 1, 0x5b),
    VECTOR_F2I = VECTOR(2, 1, 0x5b),
    VECTOR_F2H = VECTOR(1, 3, 0x1d), /* operands swapped */
    VECTOR_H2F = VECTOR(1, 2, 0x13),
    VECTOR_SHLV = VECTOR(1, 2, 0x47), /* counts of lanes */
    VECTOR_SHRV = VECTOR(1, 2, 0x45),
    VECTOR_SARV = VECTOR(1, 2, 0x46),
    VECTOR_SHIFT = VECTOR(1, 1, 0x72), /* by a number: vector_shift() */
    VECTOR_SHIFT16 = VECTOR(1, 1, 0x71),
    VECTOR_CMPPS = VECTOR(0, 1, 0xc2), /* to a mask register with AVX-512 */
    /* 64 bits a lane */
    VECTOR_BROADCAST64 = VECTOR(1 | VECTOR_W, 2, 0x19),
    VECTOR_ADD64 = VECTOR(1 | VECTOR_W, 1, 0xd4),
    VECTOR_SUB64 = VECTOR(1 | VECTOR_W, 1, 0xfb),
    VECTOR_AND64 = VECTOR(1 | VECTOR_W, 1, 0xdb),
    VECTOR_OR64 = VECTOR(1 | VECTOR_W, 1, 0xeb),
    VECTOR_XOR64 = VECTOR(1 | VECTOR_W, 1, 0xef),
    VECTOR_FADD64 = VECTOR(1 | VECTOR_W, 1, 0x58),
    VECTOR_FSUB64 = VECTOR(1 | VECTOR_W, 1, 0x5c),
    VECTOR_FMUL64 = VECTOR(1 | VECTOR_W, 1, 0x59),
    VECTOR_FDIV64 = VECTOR(1 | VECTOR_W, 1, 0x5e),
    VECTOR_SQRT64 = VECTOR(1 | VECTOR_W, 1, 0x51),
    VECTOR_SHIFT64 = VECTOR(1 | VECTOR_W, 1, 0x73),        /* left or right by a number */
    VECTOR_SHIFT64_SIGNED = VECTOR(1 | VECTOR_W, 1, 0x72), /* or rotated; AVX-512 */
    VECTOR_MUL64 = VECTOR(1 | VECTOR_W, 2, 0x40),          /* AVX-512 */
    VECTOR_MUL32 = VECTOR(1 | VECTOR_W, 1, 0xf4),          /* of the lower halves */
    VECTOR_MUL32_SIGNED = VECTOR(1 | VECTOR_W, 2, 0x28),
    /* AVX2: masks are lanes. */
    VECTOR_CMPEQ = VECTOR(1, 1, 0x76),
    VECTOR_CMPGT = VECTOR(1, 1, 0x66),
    VECTOR_SELECT = VECTOR(1, 3, 0x4a), /* the last operand where the number's register says so */
    VECTOR_BLEND32 = VECTOR(1, 3, 0x02), /* the last operand where the number has a bit */
    VECTOR_BITS = VECTOR(0, 1, 0x50),   /* to a general register */
    /* AVX-512 */
    VECTOR_CMPD = VECTOR(1, 3, 0x1f),
    VECTOR_CMPUD = VECTOR(1, 3, 0x1e),
    VECTOR_TEST = VECTOR(1, 2, 0x27),
    VECTOR_TESTN = VECTOR(2, 2, 0x27),
    VECTOR_RSQRT14 = VECTOR(1, 2, 0x4e),
    VECTOR_FMADD213 = VECTOR(1, 2, 0xa8),  /* first = second * first + last */
    VECTOR_FNMADD231 = VECTOR(1, 2, 0xbc), /* first -= second * last */
    VECTOR_BLEND = VECTOR(1, 2, 0x64), /* the last operand where the mask is set */
    VECTOR_RANGE = VECTOR(1, 3, 0x50),
    VECTOR_ROTV = VECTOR(1, 2, 0x15),
    VECTOR_TERNARY = VECTOR(1, 3, 0x25),
    VECTOR_U2F = VECTOR(3, 1, 0x7a),
    VECTOR_F2U = VECTOR(0, 1, 0x78),
};
/* clang-format on */

/* Numbers of VECTOR_CMPPS. Only two hold for NaN: UNORDERED and UNEQUAL. */
enum vector_comparison {
    VECTOR_EQUAL = 0,
    VECTOR_UNORDERED = 3, /* one is NaN */
    VECTOR_UNEQUAL = 4,
    VECTOR_ORDERED = 7,
    VECTOR_ORDERED_UNEQUAL = 12,
    VECTOR_GREATER_EQUAL = 13,
    VECTOR_GREATER = 14,
    VECTOR_LESS = 17,
    VECTOR_LESS_EQUAL = 18,
};

#define VECTOR_NO_NUMBER UINT32_MAX

struct vector_mask {
    uint32_t k; /* 0: none */
    bool is_zeroing;
};

/* number: the byte behind the instruction, or VECTOR_NO_NUMBER. */
void machine_write_vector(struct x86 *x, bool is_wide, uint32_t instruction,
                          struct vector_mask mask, uint32_t to, uint32_t second,
                          struct vector_operand last, uint32_t number);

/* Between registers k0 to k7. */
enum vector_mask_instruction {
    VECTOR_KAND = 0x41,
    VECTOR_KOR = 0x45,
    VECTOR_KXOR = 0x47,
    VECTOR_KLOAD = 0x90, /* 16 bits */
    VECTOR_KSTORE = 0x91,
};

static inline void
vector_mask_op(struct x86 *x, enum vector_mask_instruction opcode, uint32_t to, uint32_t second,
               uint32_t last)
{
    x86_byte(x, 0xc5);
    x86_byte(x, 0x80u | (~second & 15) << 3 | 4u);
    x86_byte(x, opcode);
    x86_byte(x, 0xc0 | to << 3 | last);
}

static inline void
vector_mask_move(struct x86 *x, enum vector_mask_instruction opcode, uint32_t k,
                 struct x86_operand at)
{
    x86_vex(x, 0, 1, false, opcode, k, 0, at);
}

/* Other code need not wait for the upper parts of registers. */
static inline void
vector_zeroupper(struct x86 *x)
{
    x86_byte(x, 0xc5);
    x86_byte(x, 0xf8);
    x86_byte(x, 0x77);
}

#endif
