/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pictures with rate control: one is coded after the other, since each goes on from the size of the
 * one before. What does not depend on that is done while the one before is still being coded: the
 * source is loaded, its half-size planes are made and compared with those of the reference.
 */
#ifndef RP_CODECS_X264_RATE_TURN_H
#define RP_CODECS_X264_RATE_TURN_H

#include "encoder.h"

/* Jobs begun and not ended: one that is coded, one that is prepared. */
#define RP_X264_RATED_MOST 2

/* The job's source is loaded: it goes to the reconstruction's content, for those who refer to it. */
void rp_x264_rate_turn_publish(struct rp_h264_encoder *enc, struct rp_x264_context *ctx);

/* True when the content has half-size planes; waits for the job that codes it to publish them. */
bool rp_x264_rate_turn_has_lowres(struct rp_h264_encoder *enc,
                                  const struct rp_x264_content *content);

/* Returns when all jobs with rate control that began earlier are coded. */
void rp_x264_rate_turn_wait(struct rp_h264_encoder *enc, const struct rp_h264_encode_job *job);

/* The job is coded, for good or ill; its turn has come before. */
void rp_x264_rate_turn_end(struct rp_h264_encoder *enc, const struct rp_h264_encode_job *job);

#endif
