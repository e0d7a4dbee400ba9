/* SPDX-License-Identifier: MIT */
/* Luma that a decoder may keep: its memory goes away with the last reference, and whoever reads it
 * then meets an inaccessible page.
 */
#ifndef RP_TESTS_CODEC_AVCODEC_HOME_H
#define RP_TESTS_CODEC_AVCODEC_HOME_H

#include "reelpipe/decode_h264.h"

#include <stdint.h>

struct home;

/* Held once by the caller. *alive counts those that are not gone, *retained all retain(). */
struct home *home_create(uint32_t width_px, uint32_t height_px, uint32_t *alive,
                         uint32_t *retained);

/* Overwrites the samples, as an application does that uses the memory for something else, and
 * gives up the caller's reference. Accepts NULL. */
void home_leave(struct home *home);

/* Rows from this one on must not be written. */
void home_keep_from(struct home *home, uint32_t row);

struct rp_plane home_plane(const struct home *home);
struct rp_h264_decode_home home_offer(struct home *home);

#endif
