/* SPDX-License-Identifier: MIT */
/* AV1's descriptors (4.10), each written once for both directions: a walk over a header's syntax
 * reads it into a structure, or writes it from one.
 *
 * Nothing is read or written beyond the ends. What goes wrong sticks, and the walk goes on with
 * harmless values: its end asks for the status. Clauses are those of the AV1 Bitstream & Decoding
 * Process Specification, version 1.0.0 with errata 1.
 */
#ifndef RP_VIDEO_AV1_SYNTAX_H
#define RP_VIDEO_AV1_SYNTAX_H

#include "reelpipe/bit_reader.h"
#include "reelpipe/bits.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum rp_av1_status {
    RP_AV1_OK,
    RP_AV1_TRUNCATED, /* read: the data end within the syntax */
    RP_AV1_NO_SPACE,  /* written: the buffer does */
    RP_AV1_ILLEGAL,   /* a value that the standard does not allow here, or that does not fit */
};

struct rp_av1_syntax {
    struct rp_bit_reader reader;
    struct rp_bits writer;
    bool is_writing; /* else only the reader is used */
    bool is_illegal;
};

void rp_av1_syntax_init_read(struct rp_av1_syntax *syntax, const void *data, size_t size_B);
void rp_av1_syntax_init_write(struct rp_av1_syntax *syntax, void *data, size_t capacity_B);

/* Bits read or written so far; those written include what did not fit. */
size_t rp_av1_syntax_position(const struct rp_av1_syntax *syntax);

enum rp_av1_status rp_av1_syntax_status(const struct rp_av1_syntax *syntax);

/* Whether nothing went wrong yet: for loops whose length depends on what is read. */
bool rp_av1_syntax_is_ok(const struct rp_av1_syntax *syntax);

/* "It is a requirement of bitstream conformance that ..." */
void rp_av1_require(struct rp_av1_syntax *syntax, bool condition);

/* f(n), n <= 32. */
void rp_av1_code_f(struct rp_av1_syntax *syntax, uint32_t n, uint32_t *value);
void rp_av1_code_flag(struct rp_av1_syntax *syntax, bool *value);

/* su(n), 1 <= n <= 31 (4.10.6). */
void rp_av1_code_su(struct rp_av1_syntax *syntax, uint32_t n, int32_t *value);

/* ns(n): a value below n, 1 <= n <= 2^31 (4.10.7). */
void rp_av1_code_ns(struct rp_av1_syntax *syntax, uint32_t n, uint32_t *value);

/* uvlc() (4.10.3); its largest value, 2^32 - 1, has more than one code and is illegal where uvlc()
 * is used. */
void rp_av1_code_uvlc(struct rp_av1_syntax *syntax, uint32_t *value);

/* Zero bits to the next byte (byte_alignment(), 5.3.5). */
void rp_av1_code_alignment(struct rp_av1_syntax *syntax);

/* A one, then zeros to the next byte (trailing_bits(), 5.3.4). */
void rp_av1_code_trailing(struct rp_av1_syntax *syntax);

#endif
