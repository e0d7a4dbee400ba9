/* SPDX-License-Identifier: MIT */
/* The decoded picture buffer of an application (8.3.1, 8.3.2).
 */
#ifndef RP_TESTS_CODEC_H265_DPB_H
#define RP_TESTS_CODEC_H265_DPB_H

#include "app.h"

/* The frame of the picture whose header was read, with everything of the request but the bytes.
 * NULL for a RASL picture that has to be skipped. */
struct frame *dpb_begin(struct stream *stream, struct rp_h265_private_request *request);

#endif
