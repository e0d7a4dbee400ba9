/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The slots of a job: made ready when it begins, in use until it ends.
 */
#ifndef RP_CODECS_X264_PICTURE_JOB_SLOTS_H
#define RP_CODECS_X264_PICTURE_JOB_SLOTS_H

#include "encoder.h"

/* Gets references and reconstruction ready for config and notes them in what begun_of(job) is.
 * Waits for jobs under way only where it changes what they use, or, unless may_wait, returns
 * RP_CODEC_BUSY. */
enum rp_codec_status rp_x264_job_slots_prepare(struct rp_encoder *enc,
                                               const struct rp_x264_config *config,
                                               const struct rp_h264_encode_job *job, bool may_wait);

/* From here on the job uses its slots, and who reads its reconstruction waits for rows. */
void rp_x264_job_slots_start(struct rp_encoder *enc, const struct rp_x264_config *config,
                             const struct rp_h264_encode_job *job);

/* The job is over: its reconstruction is complete, be it because coding failed. */
void rp_x264_job_slots_end(struct rp_encoder *enc, const struct rp_h264_encode_job *job);

#endif
