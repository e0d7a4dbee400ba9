/* SPDX-License-Identifier: MIT */
#include "compute/machine/vector.h"

/* unit: of what distances of one byte count. */
static void
modrm(struct x86 *x, int32_t unit, uint32_t reg, struct vector_operand at, bool has_number)
{
    const uint32_t low = (reg & 7) << 3;
    if (at.place == VECTOR_REGISTER) {
        x86_byte(x, 0xc0 | low | (at.reg & 7));
    } else if (at.place == VECTOR_CONSTANT) {
        x86_byte(x, low | 5);
        x86_word(x, (uint32_t)at.distance - (x->size_B + 4 + has_number));
    } else if (at.distance % unit == 0 && at.distance / unit == (int8_t)(at.distance / unit)) {
        x86_byte(x, 0x40 | low | (at.reg & 7));
        x86_byte(x, (uint8_t)(at.distance / unit));
    } else {
        x86_byte(x, 0x80 | low | (at.reg & 7));
        x86_word(x, (uint32_t)at.distance);
    }
}

void
machine_write_vector(struct x86 *x, bool is_wide, uint32_t instruction, struct vector_mask mask,
                     uint32_t to, uint32_t second, struct vector_operand last, uint32_t number)
{
    const uint32_t prefix = instruction & 3, map = instruction >> 4 & 15;
    const bool is_high = last.place == VECTOR_REGISTER && last.reg & 16;
    const bool is_word = (last.place == VECTOR_WORD || last.place == VECTOR_CONSTANT) &&
                         instruction != VECTOR_BROADCAST && instruction != VECTOR_BROADCAST64;
    const bool is_long = instruction & VECTOR_W;
    const int32_t unit = !is_wide ? 1 : last.place == VECTOR_MEMORY ? 64 : is_long ? 8 : 4;
    const uint32_t extensions = (to & 8 ? 0 : 0x80u) | (is_high ? 0 : 0x40u) |
                                (last.place != VECTOR_CONSTANT && last.reg & 8 ? 0 : 0x20u) | map;
    if (is_wide) {
        x86_byte(x, 0x62);
        x86_byte(x, extensions | (to & 16 ? 0 : 0x10u));
        x86_byte(x, (is_long ? 0x80u : 0) | (~second & 15) << 3 | 4u | prefix);
        x86_byte(x, (mask.is_zeroing ? 0x80u : 0) | 0x40u | (is_word ? 0x10u : 0) |
                        (second & 16 ? 0 : 8u) | mask.k);
    } else {
        x86_byte(x, 0xc4);
        x86_byte(x, extensions);
        x86_byte(x, (~second & 15) << 3 | 4u | prefix);
    }
    x86_byte(x, instruction >> 8);
    modrm(x, unit, to, last, number != VECTOR_NO_NUMBER);
    if (number != VECTOR_NO_NUMBER)
        x86_byte(x, number);
}
