/* SPDX-License-Identifier: MIT */
/* What an application has written of an access unit in front of the picture.
 */
#ifndef RP_VIDEO_H264_PRECEDING_H
#define RP_VIDEO_H264_PRECEDING_H

#include <stddef.h>
#include <stdint.h>

/* How many of the bytes between the start of a buffer and the picture in it belong to the picture:
 * all when they are the NAL units that open an access unit (parameter sets, delimiters, SEI), and
 * few; else 0. */
uint32_t rp_h264_preceding_B(const uint8_t *bytes, size_t size_B);

#endif
