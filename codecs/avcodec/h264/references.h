/* SPDX-License-Identifier: MIT */
/* What the application lists as references, found among the frames that libavcodec holds.
 */
#ifndef RP_CODECS_AVCODEC_H264_REFERENCES_H
#define RP_CODECS_AVCODEC_H264_REFERENCES_H

#include "codecs/avcodec/h264/held.h"
#include "codecs/avcodec/h264/ref_list.h"
#include "reelpipe/decode_h264.h"

#include <stdbool.h>
#include <stdint.h>

struct rp_h264dec_references {
    struct rp_h264dec_candidate candidates[RP_H264DEC_MAX_CANDIDATES];
    uint32_t count;
    bool has_poc_bias;
    bool is_poc_bias_sure;                       /* of a picture whose numbers are the same */
    int32_t poc_bias;                            /* private POC minus the application's */
    bool becomes_long_term[RP_H264DEC_MAX_HELD]; /* long-term to the application, not yet here */
    bool has_conversions;
};

void rp_h264dec_references_init(struct rp_h264dec_references *refs,
                                const struct rp_h264dec_dpb *dpb,
                                const struct rp_h264_decode_job *job);

/* What a picture with these fields reads where its lists have nothing: some listed frame or
 * field, else any. False when there is none at all. */
bool rp_h264dec_references_filler(const struct rp_h264dec_references *refs,
                                  const struct rp_h264dec_dpb *dpb, uint32_t fields,
                                  struct rp_h264dec_entry *out);

#endif
