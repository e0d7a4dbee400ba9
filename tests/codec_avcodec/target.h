/* SPDX-License-Identifier: MIT */
/* Luma that a decoder may keep: its memory goes away with the last reference, and whoever reads it
 * then meets an inaccessible page.
 */
#ifndef RP_TESTS_CODEC_AVCODEC_TARGET_H
#define RP_TESTS_CODEC_AVCODEC_TARGET_H

#include "reelpipe/decode_h264.h"

#include <stdint.h>

struct target;

/* Held once by the caller. *alive counts those that are not gone, *retained all retain(). */
struct target *target_create(uint32_t width_px, uint32_t height_px, uint32_t *alive,
                             uint32_t *retained);

/* Overwrites the samples, as an application does that uses the memory for something else, and
 * gives up the caller's reference. Accepts NULL. */
void target_leave(struct target *target);

/* Rows from this one on must not be written. */
void target_keep_from(struct target *target, uint32_t row);

struct rp_plane target_plane(const struct target *target);
struct rp_decode_target target_offer(struct target *target);

#endif
