/* SPDX-License-Identifier: MIT */
/* Instructions of x86-64 with BMI2 and AVX, as bytes. Registers go by their numbers: 0 to 15 are
 * rax, rcx, rdx, rbx, rsp, rbp, rsi, rdi, r8 to r15, or xmm0 to xmm15.
 */
#ifndef RP_COMPUTE_MACHINE_X86_H
#define RP_COMPUTE_MACHINE_X86_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum {
    X86_RAX = 0,
    X86_RCX = 1,
    X86_RDX = 2,
    X86_RSI = 6,
    X86_RDI = 7,
};

/* Second operand of an instruction: a register, or memory at a register and a distance. */
struct x86_operand {
    bool is_memory;
    uint8_t reg; /* of memory: what the distance is from; not rsp, r12 */
    int32_t distance;
};

struct x86 {
    uint8_t *out;
    uint32_t size_B;
    uint32_t capacity_B;
    bool has_failed; /* there was no memory: what is written is of no use */
};

static inline struct x86_operand
x86_reg(uint32_t reg)
{
    return (struct x86_operand){.reg = (uint8_t)reg};
}

static inline struct x86_operand
x86_memory(uint32_t base, int32_t distance)
{
    return (struct x86_operand){true, (uint8_t)base, distance};
}

static inline void
x86_byte(struct x86 *x, uint32_t byte)
{
    x->out[x->size_B++] = (uint8_t)byte;
}

static inline void
x86_word(struct x86 *x, uint32_t word)
{
    memcpy(x->out + x->size_B, &word, 4);
    x->size_B += 4;
}

static inline void
x86_long(struct x86 *x, uint64_t word)
{
    memcpy(x->out + x->size_B, &word, 8);
    x->size_B += 8;
}

static inline void
x86_modrm(struct x86 *x, uint32_t reg, struct x86_operand at)
{
    const uint32_t low = (reg & 7) << 3 | (at.reg & 7);
    if (!at.is_memory) {
        x86_byte(x, 0xc0 | low);
    } else if (at.distance >= -128 && at.distance <= 127) {
        x86_byte(x, 0x40 | low);
        x86_byte(x, (uint8_t)at.distance);
    } else {
        x86_byte(x, 0x80 | low);
        x86_word(x, (uint32_t)at.distance);
    }
}

/* opcode: one byte, or two behind 0x0f00. A REX prefix is always there, so that registers of bytes
 * are the low ones. */
static inline void
x86_op(struct x86 *x, bool is_long, uint32_t opcode, uint32_t reg, struct x86_operand at)
{
    x86_byte(x, 0x40u | (is_long ? 8u : 0) | (reg & 8) >> 1 | (at.reg & 8) >> 3);
    if (opcode >> 8)
        x86_byte(x, opcode >> 8);
    x86_byte(x, opcode);
    x86_modrm(x, reg, at);
}

/* prefix: 0 none, 1 0x66, 2 0xf3, 3 0xf2; map: 1 0x0f, 2 0x0f38, 3 0x0f3a; second: the operand that
 * VEX adds. */
static inline void
x86_vex(struct x86 *x, uint32_t prefix, uint32_t map, bool is_long, uint32_t opcode, uint32_t reg,
        uint32_t second, struct x86_operand at)
{
    x86_byte(x, 0xc4);
    x86_byte(x, (reg & 8 ? 0 : 0x80u) | 0x40u | (at.reg & 8 ? 0 : 0x20u) | map);
    x86_byte(x, (is_long ? 0x80u : 0) | (~second & 15) << 3 | prefix);
    x86_byte(x, opcode);
    x86_modrm(x, reg, at);
}

static inline void
x86_move(struct x86 *x, bool is_long, uint32_t to, struct x86_operand from)
{
    x86_op(x, is_long, 0x8b, to, from);
}

static inline void
x86_store(struct x86 *x, bool is_long, struct x86_operand to, uint32_t from)
{
    x86_op(x, is_long, 0x89, from, to);
}

/* Leaves the flags as they are. */
static inline void
x86_move_number(struct x86 *x, uint32_t to, uint64_t number)
{
    if (number <= UINT32_MAX) {
        x86_byte(x, 0x40u | (to & 8) >> 3);
        x86_byte(x, 0xb8 | (to & 7));
        x86_word(x, (uint32_t)number);
    } else {
        x86_byte(x, 0x48u | (to & 8) >> 3);
        x86_byte(x, 0xb8 | (to & 7));
        x86_long(x, number);
    }
}

/* The arithmetic that the first bytes of x86 are about, by their number there. */
enum x86_arithmetic {
    X86_ADD = 0,
    X86_OR = 1,
    X86_AND = 4,
    X86_SUB = 5,
    X86_XOR = 6,
    X86_CMP = 7,
};

static inline void
x86_arithmetic(struct x86 *x, bool is_long, enum x86_arithmetic op, uint32_t to,
               struct x86_operand by)
{
    x86_op(x, is_long, (uint32_t)op << 3 | 3, to, by);
}

static inline void
x86_arithmetic_number(struct x86 *x, bool is_long, enum x86_arithmetic op, struct x86_operand to,
                      int32_t by)
{
    if (by >= -128 && by <= 127) {
        x86_op(x, is_long, 0x83, op, to);
        x86_byte(x, (uint8_t)by);
    } else {
        x86_op(x, is_long, 0x81, op, to);
        x86_word(x, (uint32_t)by);
    }
}

enum x86_shift {
    X86_SHL = 4,
    X86_SHR = 5,
    X86_SAR = 7,
};

static inline void
x86_shift_number(struct x86 *x, bool is_long, enum x86_shift op, uint32_t to, uint32_t by)
{
    x86_op(x, is_long, 0xc1, op, x86_reg(to));
    x86_byte(x, by);
}

/* By a register, whatever it has above the bits that count. */
static inline void
x86_shift(struct x86 *x, bool is_long, enum x86_shift op, uint32_t to, struct x86_operand from,
          uint32_t by)
{
    const uint32_t prefix = op == X86_SHL ? 1 : op == X86_SAR ? 2 : 3;
    x86_vex(x, prefix, 2, is_long, 0xf7, to, by, from);
}

/* Conditions, by their number in jumps, moves and SETcc. */
enum x86_condition {
    X86_BELOW = 2,
    X86_ABOVE_EQUAL = 3,
    X86_EQUAL = 4,
    X86_NOT_EQUAL = 5,
    X86_BELOW_EQUAL = 6,
    X86_ABOVE = 7,
    X86_NEGATIVE = 8,
    X86_LESS = 12,
    X86_GREATER_EQUAL = 13,
    X86_LESS_EQUAL = 14,
    X86_GREATER = 15,
};

static inline void
x86_move_if(struct x86 *x, bool is_long, enum x86_condition when, uint32_t to,
            struct x86_operand from)
{
    x86_op(x, is_long, 0x0f40u | when, to, from);
}

static inline void
x86_set_byte(struct x86 *x, enum x86_condition when, uint32_t to)
{
    x86_op(x, false, 0x0f90u | when, 0, x86_reg(to));
}

/* Returns where the distance stands, for x86_land(). */
static inline uint32_t
x86_jump_if(struct x86 *x, enum x86_condition when)
{
    x86_byte(x, 0x0f);
    x86_byte(x, 0x80u | when);
    x86_word(x, 0);
    return x->size_B - 4;
}

static inline uint32_t
x86_jump(struct x86 *x)
{
    x86_byte(x, 0xe9);
    x86_word(x, 0);
    return x->size_B - 4;
}

/* A jump goes to `to`. */
static inline void
x86_land(struct x86 *x, uint32_t jump, uint32_t to)
{
    const uint32_t distance = to - (jump + 4);
    memcpy(x->out + jump, &distance, 4);
}

/* Where indirect jumps may come in. */
static inline void
x86_entry(struct x86 *x)
{
    x86_word(x, 0xfa1e0ff3);
}

#endif
