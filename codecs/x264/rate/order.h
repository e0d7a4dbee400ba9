/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pictures with rate control take turns: each goes on from the sizes of those before. A picture of
 * most kinds waits until they have ended. Two that are P or B may be coded side by side: the second
 * has a glimpse of the first when some of its rows are coded. Should the first one then turn out
 * too large and be coded again, so is the second.
 *
 * What does not depend on any of this is done before: the source is loaded, its half-size planes
 * are made and compared with those of the reference.
 */
#ifndef RP_CODECS_X264_RATE_ORDER_H
#define RP_CODECS_X264_RATE_ORDER_H

#include "encoder.h"
#include "rate/attempt.h"

/* Jobs begun and not ended: two that are coded, one that is prepared. */
#define RP_X264_RATED_MOST 3

/* The job's source is loaded: it goes to the reconstruction's content, for those who refer to
 * it. */
void rp_x264_rate_turn_publish(struct rp_h264_encoder *enc, struct rp_x264_context *ctx);

/* True when the content has half-size planes of its source; waits for the job that codes it to
 * publish them. Those that a picture of an earlier turn makes of other contents do not count: they
 * are there by now or are not. */
bool rp_x264_rate_turn_has_lowres(struct rp_h264_encoder *enc,
                                  const struct rp_x264_content *content);

/* Returns when all jobs with rate control that began earlier are coded. */
void rp_x264_rate_turn_wait(struct rp_h264_encoder *enc, const struct rp_h264_encode_job *job);

/* ctx->flight begins: waits for the pictures before, or may_follow, for a glimpse of the last of
 * them; then follows is true and the flight has its layer, which expects nothing of it yet. */
void rp_x264_rate_turn_enter(struct rp_h264_encoder *enc, struct rp_x264_context *ctx,
                             const struct rp_x264_rate_ticket *ticket, bool may_follow);

/* show_row is coded, and all before the first row_count. */
void rp_x264_rate_turn_show(struct rp_x264_rate_flight *flight, const x264_t *h, int row_count);

/* The picture is coded: waits for those before. False when it followed one that was coded again: it
 * is to enter once more. */
bool rp_x264_rate_turn_arrive(struct rp_x264_rate_flight *flight);

/* After arriving: the picture is going to be coded again; waits for who follows it. */
void rp_x264_rate_turn_repeat(struct rp_x264_rate_flight *flight);

/* After arriving: the flight's layer is what the picture leaves. */
void rp_x264_rate_turn_leave(struct rp_x264_rate_flight *flight);

/* The job is coded, for good or ill; its turn has come before. */
void rp_x264_rate_turn_end(struct rp_h264_encoder *enc, const struct rp_h264_encode_job *job);

#endif
