/* SPDX-License-Identifier: MIT */
/* What encoders of all standards have in common of their capabilities.
 */
#ifndef RP_VIDEO_ENCODE_CAPS_H
#define RP_VIDEO_ENCODE_CAPS_H

#include "video/encode/standard.h"

struct rp_encode_codec;

/* Fills in caps; what a standard's encoder has besides is added afterwards. */
void rp_encode_caps_init(struct rp_encode_caps *caps, const struct rp_encode_codec *codec);

#endif
