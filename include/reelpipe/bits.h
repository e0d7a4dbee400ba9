/* SPDX-License-Identifier: MIT */
/* A writer of bits, most significant first, with the Exp-Golomb codes of H.264 and H.265 (9.1).
 *
 * It writes into memory of the caller and never past it: bits that do not fit are counted in
 * size_bits all the same, so that has_overflow tells and the needed size is known.
 */
#ifndef REELPIPE_BITS_H
#define REELPIPE_BITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rp_bits {
    uint8_t *data; /* borrowed; bytes beyond size_bits are undefined */
    size_t capacity_B;
    size_t size_bits;
    bool has_overflow;
};

void rp_bits_init(struct rp_bits *bits, void *data, size_t capacity_B);

/* The count (0 to 32) low bits of value. */
void rp_bits_put(struct rp_bits *bits, uint32_t count, uint32_t value);

/* ue(v) for 0 to 2^32 - 2, se(v) for -2^31 + 1 to 2^31 - 1. */
void rp_bits_ue(struct rp_bits *bits, uint32_t value);
void rp_bits_se(struct rp_bits *bits, int32_t value);

/* rbsp_trailing_bits(): a one, then zeros to the next byte (7.3.2.11). */
void rp_bits_trailing(struct rp_bits *bits);

/* Writes start code, header bytes and rbsp (with emulation prevention, 7.4.1.1) to dst.
 * Returns the size of the whole NAL unit in bytes; nothing is written past capacity_B, and the
 * size tells when it did not fit. */
size_t rp_nal_write(uint8_t *dst, size_t capacity_B, const uint8_t *header, size_t header_B,
                    const uint8_t *rbsp, size_t rbsp_B);

#endif
