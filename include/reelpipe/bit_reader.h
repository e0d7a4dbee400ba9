/* SPDX-License-Identifier: MIT */
/* A reader of bits and Exp-Golomb codes (9.1) that never reads past its end: beyond it everything
 * is 0 and has_overrun sticks.
 */
#ifndef REELPIPE_BIT_READER_H
#define REELPIPE_BIT_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rp_bit_reader {
    const uint8_t *data; /* borrowed */
    size_t size_bits;
    size_t position_bits;
    bool has_overrun;
};

static inline uint32_t
rp_bit_reader_bit(struct rp_bit_reader *reader)
{
    if (reader->position_bits >= reader->size_bits) {
        reader->has_overrun = true;
        return 0;
    }
    const size_t i = reader->position_bits++;
    return reader->data[i / 8] >> (7 - i % 8) & 1;
}

/* count <= 32 */
static inline uint32_t
rp_bit_reader_u(struct rp_bit_reader *reader, uint32_t count)
{
    uint32_t value = 0;
    while (count--)
        value = value << 1 | rp_bit_reader_bit(reader);
    return value;
}

/* Codes longer than 63 bits do not exist and count as an overrun. */
static inline uint32_t
rp_bit_reader_ue(struct rp_bit_reader *reader)
{
    uint32_t zero_count = 0;
    while (!rp_bit_reader_bit(reader)) {
        if (reader->has_overrun || ++zero_count > 31) {
            reader->has_overrun = true;
            return 0;
        }
    }
    return ((uint32_t)1 << zero_count) - 1 + rp_bit_reader_u(reader, zero_count);
}

static inline int32_t
rp_bit_reader_se(struct rp_bit_reader *reader)
{
    const uint32_t code = rp_bit_reader_ue(reader);
    return code & 1 ? (int32_t)(code / 2 + 1) : -(int32_t)(code / 2);
}

#endif
