/* SPDX-License-Identifier: MIT */
/* What a picture was coded with: for its headers, and for its result.
 */
#ifndef RP_CODECS_AOM_CODED_H
#define RP_CODECS_AOM_CODED_H

#include "codecs/aom/hooks.h"

#include "reelpipe/encode_av1.h"

/* What the coded picture points to. */
struct rp_aom_coded {
    struct rp_av1_coded_picture picture;
    StdVideoAV1TileInfo tiles;
    StdVideoAV1Quantization quantization;
    StdVideoAV1Segmentation segmentation;
    StdVideoAV1LoopFilter loop_filter;
    StdVideoAV1CDEF cdef;
};

/* Of the picture that picture->ctx has just coded; picture must outlive it. */
void rp_aom_coded_init(struct rp_aom_coded *coded, const struct rp_aom_picture *picture);

/* Quantisers and kinds of blocks. */
void rp_aom_coded_count(const struct rp_aom_picture *picture, struct rp_encode_result *result);

#endif
