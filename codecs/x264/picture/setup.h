/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sets x264 up for the slices of a picture.
 */
#ifndef RP_CODECS_X264_PICTURE_SETUP_H
#define RP_CODECS_X264_PICTURE_SETUP_H

#include "context.h"

/* Memory for references that a long-term colocated picture is to have. False when it is short. */
bool rp_x264_setup_reserve_absent_refs(struct rp_x264_context *ctx);

/* h->sh says what all slices of the job have in common; the references are attached. */
void rp_x264_setup_header(struct rp_x264_context *ctx, bool direct_spatial);

/* What x264's slice_init() leads to, without the reference handling. */
void rp_x264_setup_macroblocks(struct rp_x264_context *ctx);

/* Gets ctx ready to code slices of the picture that owner has prepared. Source and reconstruction
 * are there. False when memory is short. */
bool rp_x264_setup_join(struct rp_x264_context *ctx, const struct rp_x264_context *owner);

/* Motion that the analysis looks up for macroblocks it has not coded yet must not be that of
 * whichever picture used the memory before. */
void rp_x264_setup_clear_motion(x264_t *h, uint32_t first_mb, uint32_t mb_count);

#endif
