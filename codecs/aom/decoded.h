/* SPDX-License-Identifier: MIT */
/* The pictures that a decoder of the stream keeps under its eight numbers. By them a picture is
 * known again whose samples the application has moved to another image: what else belongs to a
 * reference, probabilities and motion, does not move with the samples.
 */
#ifndef RP_CODECS_AOM_DECODED_H
#define RP_CODECS_AOM_DECODED_H

#include "codecs/aom/context.h"

#include <stdbool.h>

/* Empty where the encoder does not know the picture. */
struct rp_aom_decoded {
    struct rp_encoder_slot pictures[STD_VIDEO_AV1_NUM_REF_FRAMES];
};

void rp_aom_decoded_finish(struct rp_aom_decoded *decoded);

/* Whether all references of the picture, if it has any, are those of their numbers in ctx. A
 * foreign one is when it has the samples, and then its slot has the picture, too. Of the others the
 * slots are right: the application may have shown an existing key frame, which the decoder then has
 * under all numbers. */
bool rp_aom_decoded_resolve(struct rp_aom_decoded *decoded, struct rp_aom_context *ctx,
                            const struct rp_av1_encode_job *job);

/* Leaves libaom a buffer for the next picture, and forgets pictures that no slot holds for it. */
void rp_aom_decoded_make_room(struct rp_aom_decoded *decoded, const struct rp_aom_context *ctx);

/* The numbers of job, the picture of coded from now on. An empty one: it could not be coded. */
void rp_aom_decoded_refresh(struct rp_aom_decoded *decoded, const struct rp_av1_encode_job *job,
                            const struct rp_encoder_slot *coded);

#endif
