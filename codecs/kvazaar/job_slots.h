/* SPDX-License-Identifier: MIT */
/* The slots of a job: made ready when it begins, in use until it ends.
 */
#ifndef RP_CODECS_KVAZAAR_JOB_SLOTS_H
#define RP_CODECS_KVAZAAR_JOB_SLOTS_H

#include "codecs/kvazaar/encoder.h"

/* Gets references and reconstruction ready, and notes them in what begun_of(job) is. Waits for jobs
 * under way only where it changes what they use, or, unless may_wait, returns RP_CODEC_BUSY. */
enum rp_codec_status rp_kvazaar_job_slots_prepare(struct rp_encoder *enc,
                                                  const struct rp_h265_encode_job *job,
                                                  bool may_wait) RP_MUST_CHECK;

/* From here on the job uses its slots, and who reads its reconstruction waits for blocks. */
void rp_kvazaar_job_slots_start(struct rp_encoder *enc, const struct rp_h265_encode_job *job);

/* The picture is coded, or is not going to be: nobody waits for its blocks any longer. */
void rp_kvazaar_job_slots_coded(const struct rp_h265_encode_job *job);

/* Waits until earlier jobs have made their copies to the application's image of the
 * reconstruction. */
void rp_kvazaar_job_slots_begin_copy(struct rp_encoder *enc, const struct rp_h265_encode_job *job);

/* The job is over, and has made its copy. */
void rp_kvazaar_job_slots_end(struct rp_encoder *enc, const struct rp_h265_encode_job *job);

#endif
