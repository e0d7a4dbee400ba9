/* SPDX-License-Identifier: MIT */
/* NAL units of the byte stream format: reading the application's, collecting ours.
 */
#ifndef RP_CODECS_AVCODEC_LIBRARY_NAL_H
#define RP_CODECS_AVCODEC_LIBRARY_NAL_H

#include "util/compiler.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A byte array that grows and is kept from picture to picture. */
struct rp_avcodec_buffer {
    uint8_t *data;
    size_t size_B;
    size_t capacity_B;
    uint32_t zero_count; /* zeros that the NAL unit being appended ends with */
};

void rp_avcodec_buffer_finish(struct rp_avcodec_buffer *buf);

/* Room for size_B more bytes; false when memory is short. */
bool rp_avcodec_buffer_reserve(struct rp_avcodec_buffer *buf, size_t size_B) RP_MUST_CHECK;

/* Appends bytes; false when memory is short. */
bool rp_avcodec_buffer_append(struct rp_avcodec_buffer *buf, const uint8_t *src,
                              size_t size_B) RP_MUST_CHECK;

/* Appends the bytes of src, which are inside of a NAL unit, as they are, up to the next start code.
 * Room of size_B is reserved. Reads each byte of src once. */
void rp_avcodec_nal_copy(struct rp_avcodec_buffer *buf, const uint8_t *src, size_t size_B);

/* Appends the RBSP (with its header byte, without emulation prevention and trailing zeros) of the
 * NAL unit at src, which ends before a start code or at size_B. Room of size_B is reserved.
 * Returns how many bytes of src were used. Reads each byte of src once. */
size_t rp_avcodec_nal_read(struct rp_avcodec_buffer *buf, const uint8_t *src, size_t size_B);

/* Appends a start code and the header byte; then, once or several times, RBSP bytes, which gain
 * emulation prevention. Room of RP_AVCODEC_NAL_ROOM_B(all RBSP bytes) is reserved. */
#define RP_AVCODEC_NAL_ROOM_B(rbsp_B) ((rbsp_B) / 2 * 3 + 16)
void rp_avcodec_nal_begin(struct rp_avcodec_buffer *buf, uint8_t header);
void rp_avcodec_nal_append(struct rp_avcodec_buffer *buf, const uint8_t *rbsp, size_t size_B);

#endif
