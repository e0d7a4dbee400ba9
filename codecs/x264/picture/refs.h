/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The job's reference lists, as x264 is to see them.
 */
#ifndef RP_CODECS_X264_PICTURE_REFS_H
#define RP_CODECS_X264_PICTURE_REFS_H

#include "picture/slot.h"

/* Sets h->fref, h->i_ref and all that depends on them, from job->refs. The POC of the picture
 * itself is 0 from here on: x264 only uses differences. Returns the direct mode that the
 * macroblock layer uses: true for spatial. */
bool rp_x264_refs_attach(struct rp_x264_context *ctx);

/* Weights and distances of B pictures (8.4.2.3.1, 8.4.1.2.3); after the slice's set-up. */
void rp_x264_refs_init_bipred(struct rp_x264_context *ctx);

#endif
