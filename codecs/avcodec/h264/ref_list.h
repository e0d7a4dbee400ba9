/* SPDX-License-Identifier: MIT */
/* Reference picture lists (8.2.4) from the references that the application lists.
 */
#ifndef RP_CODECS_AVCODEC_H264_REF_LIST_H
#define RP_CODECS_AVCODEC_H264_REF_LIST_H

#include "codecs/avcodec/h264/slice_header.h"

#include <stdbool.h>
#include <stdint.h>

#define RP_H264DEC_TOP 1u
#define RP_H264DEC_BOTTOM 2u
#define RP_H264DEC_FRAME 3u

/* References of one picture: 16 frames and the first field of the current one, with room for
 * applications that list more than they may. */
#define RP_H264DEC_MAX_CANDIDATES 32

/* A frame, complementary field pair or single field that is marked as used for reference. */
struct rp_h264dec_candidate {
    int32_t held;    /* of the context's DPB; it has no picture: negative, its own number */
    uint32_t fields; /* RP_H264DEC_TOP | RP_H264DEC_BOTTOM that are marked */
    bool is_long_term;
    bool is_non_existing;
    int32_t number; /* FrameNumWrap, or LongTermFrameIdx */
    int32_t poc;    /* PicOrderCnt() of its decoded fields */
};

/* The current picture. */
struct rp_h264dec_current {
    uint32_t fields; /* the field, or RP_H264DEC_FRAME */
    uint32_t frame_num;
    uint32_t max_frame_num;
    int32_t poc;
    bool has_poc_type_0;
};

struct rp_h264dec_entry {
    int32_t held;    /* negative: none */
    int32_t number;  /* the candidate's: two may have one picture */
    uint32_t fields; /* which field, or RP_H264DEC_FRAME */
    bool is_missing; /* named by the stream or the application, but there is no such picture */
};

/* The index of the candidate with that PicNum or LongTermPicNum (8.2.4.1: of a field when cur is
 * one; *fields_out says which), or -1. */
int32_t rp_h264dec_candidate_find(const struct rp_h264dec_current *cur,
                                  const struct rp_h264dec_candidate *candidates,
                                  uint32_t candidate_count, bool is_long_term, int32_t pic_num,
                                  uint32_t *fields_out);

/* Entries up to header->ref_count[list], the rest is undefined. Positions that the
 * lists do not reach hold nothing and miss nothing. */
void rp_h264dec_ref_lists_build(struct rp_h264dec_entry lists[2][RP_H264DEC_MAX_REFS],
                                const struct rp_h264dec_current *cur,
                                const struct rp_h264dec_slice_header *header,
                                const struct rp_h264dec_candidate *candidates,
                                uint32_t candidate_count);

#endif
