/* SPDX-License-Identifier: MIT */
/* H.265's descriptors (7.2), each written once for both directions: a walk over a syntax structure
 * reads it, or writes it.
 *
 * A descriptor takes the value to be written and returns the value, so that it works on the bit
 * fields of Vulkan's structures: x = rp_h265_ue(syntax, max, x). Nothing is read or written beyond
 * the ends. What goes wrong sticks, and the walk goes on with harmless values: its end asks for the
 * status. Clauses are those of Rec. ITU-T H.265 (V9).
 */
#ifndef RP_VIDEO_H265_SYNTAX_H
#define RP_VIDEO_H265_SYNTAX_H

#include "reelpipe/bit_reader.h"
#include "reelpipe/bits.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rp_h265_syntax {
    struct rp_bit_reader reader;
    struct rp_bits writer;
    bool is_writing; /* else only the reader is used */
    bool is_illegal;
};

void rp_h265_syntax_init_read(struct rp_h265_syntax *syntax, const void *data, size_t size_B);
void rp_h265_syntax_init_write(struct rp_h265_syntax *syntax, void *data, size_t capacity_B);

/* Bits read or written so far; those written include what did not fit. */
size_t rp_h265_syntax_position(const struct rp_h265_syntax *syntax);

/* Whether nothing went wrong yet. */
bool rp_h265_syntax_is_ok(const struct rp_h265_syntax *syntax);

/* "It is a requirement of bitstream conformance that ..." */
void rp_h265_require(struct rp_h265_syntax *syntax, bool condition);

/* u(n), n <= 32. */
uint32_t rp_h265_u(struct rp_h265_syntax *syntax, uint32_t n, uint32_t value);
bool rp_h265_flag(struct rp_h265_syntax *syntax, bool value);

/* ue(v) and se(v) within a range; 0 when what is read is outside of it. */
uint32_t rp_h265_ue(struct rp_h265_syntax *syntax, uint32_t max, uint32_t value);
int32_t rp_h265_se(struct rp_h265_syntax *syntax, int32_t min, int32_t max, int32_t value);

/* Bits whose values do not matter: passed over, or written as 0. */
void rp_h265_skip(struct rp_h265_syntax *syntax, uint32_t count);

/* A one, then zeros to the next byte: rbsp_trailing_bits() and byte_alignment(). */
void rp_h265_trailing(struct rp_h265_syntax *syntax);

/* Ceil(Log2(value)) of 1 and more. */
uint32_t rp_h265_ceil_log2(uint32_t value);

#endif
