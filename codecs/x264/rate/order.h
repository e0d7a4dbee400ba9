/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The order of pictures with rate control: each goes on from the sizes of those before. A picture
 * of most kinds waits until those are coded. Two that are P or B may be coded side by side: the
 * second is planned by a partial result of the first, when some of its rows are coded. Should the
 * first one then turn out too large and be coded again, so is the second.
 *
 * What does not depend on any of this is done before: the source is loaded, its half-size planes
 * are made and compared with those of the reference.
 *
 * The folder:
 *   session         settings as they change; the layers' states, which pictures leave in order
 *   layer, plan     x264's state of one temporal layer, and the law of codecs/rate over it
 *   order           which picture waits for which
 *   attempt         one picture from its plan to its end, and the rows of an unfinished reference
 *   bands           slices that are coded side by side, each with its share of the picture's bits
 *   rows            rows that are coded side by side, whose QPs are known some rows ahead
 *   mb_persistence  which macroblocks later pictures go on from, and are worth more bits
 */
#ifndef RP_CODECS_X264_RATE_ORDER_H
#define RP_CODECS_X264_RATE_ORDER_H

#include "encoder.h"
#include "rate/attempt.h"

/* Jobs begun and not ended: two that are coded, one that is prepared. */
#define RP_X264_RATED_MOST 3

/* The job's source is loaded: it goes to the reconstruction's content, for those who refer to
 * it. */
void rp_x264_rate_order_publish(struct rp_encoder *enc, struct rp_x264_context *ctx);

/* True when the content has half-size planes of its source; waits for the job that codes it to
 * publish them. Those that an earlier picture makes of other contents do not count: they are there
 * by now or are not. */
bool rp_x264_rate_order_has_lowres(struct rp_encoder *enc, const struct rp_x264_content *content);

/* Returns when all jobs with rate control that began earlier are coded. */
void rp_x264_rate_order_wait(struct rp_encoder *enc, const struct rp_h264_encode_job *job);

/* ctx->attempt begins: waits for the pictures before it; if may_follow, a partial result of the
 * last of them is enough. Then follows is true, and the attempt has the layer of that result,
 * which does not have the rest of that picture yet. */
void rp_x264_rate_order_enter(struct rp_encoder *enc, struct rp_x264_context *ctx,
                              const struct rp_x264_rate_snapshot *snapshot, bool may_follow);

/* Makes a partial result: the attempt's show_row is coded, as all of its first row_count rows. */
void rp_x264_rate_order_show(struct rp_x264_rate_attempt *attempt, const x264_t *h, int row_count);

/* The picture is coded: waits for those before it. False when it followed one that was coded again:
 * it is to enter once more. */
bool rp_x264_rate_order_finish(struct rp_x264_rate_attempt *attempt);

/* After finish(): the picture is going to be coded again. Waits for the picture that follows it. */
void rp_x264_rate_order_retry(struct rp_x264_rate_attempt *attempt);

/* After finish(): the attempt's layer becomes what the picture leaves to the next one. */
void rp_x264_rate_order_leave(struct rp_x264_rate_attempt *attempt);

/* The job has ended, coded or not; wait() has returned for it before. */
void rp_x264_rate_order_end(struct rp_encoder *enc, const struct rp_h264_encode_job *job);

#endif
