/* SPDX-License-Identifier: MIT */
/* NAL units of a byte stream (Annex B), and their emulation prevention (7.4.2).
 */
#ifndef RP_VIDEO_H265_NAL_UNITS_H
#define RP_VIDEO_H265_NAL_UNITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RP_H265_NAL_HEADER_B 2u

struct rp_h265_nal {
    uint32_t nal_unit_type;
    uint32_t nuh_layer_id;
    size_t offset_B; /* of what follows the NAL unit header */
    size_t size_B;   /* of that, without zeros behind it */
};

/* The next NAL unit of src from *position_B on, which is at a start code or, at the beginning, at a
 * NAL unit header. False when there is none. */
bool rp_h265_nal_next(const uint8_t *src, size_t src_B, size_t *position_B,
                      struct rp_h265_nal *out);

/* Removes emulation prevention; dst has room for size_B and may be src. Returns how many bytes are
 * left. */
size_t rp_h265_unescape(uint8_t *dst, const uint8_t *src, size_t size_B);

/* How many bytes of src hold its first rbsp_B bytes without emulation prevention. */
size_t rp_h265_escaped_size(const uint8_t *src, size_t size_B, size_t rbsp_B);

#endif
