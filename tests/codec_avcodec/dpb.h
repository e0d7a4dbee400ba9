/* SPDX-License-Identifier: MIT */
/* The decoded picture buffer of an application: picture order (8.2.1), marking (8.2.5).
 */
#ifndef RP_TESTS_CODEC_AVCODEC_DPB_H
#define RP_TESTS_CODEC_AVCODEC_DPB_H

#include "codecs/avcodec/h264/slice_header.h"
#include "syntax.h"

#include <stdbool.h>
#include <stdint.h>

#define TOP 1u
#define BOTTOM 2u
#define FRAME 3u

struct frame {
    int32_t slot; /* -1: none */
    uint32_t frame_num;
    int32_t frame_num_wrap;
    int32_t poc[2];
    uint32_t coded_fields;
    uint32_t short_fields; /* marked as used for short-term reference */
    uint32_t long_fields;
    uint32_t long_term_frame_idx;
    bool is_reference; /* its first field was */
    bool is_non_existing;
    bool is_idr;
    /* Of a non-existing frame: the newest one before it. */
    int32_t before_slot;
    uint32_t before_frame_num;
};

/* What a picture's slices say. */
struct picture {
    uint32_t fields;
    bool is_idr;
    bool is_reference;
    uint32_t frame_num;
    uint32_t poc_lsb;
    int32_t delta_poc_bottom;
    int32_t delta_poc[2];
    bool is_long_term_idr;
    bool has_adaptive_marking;
    struct rp_h264dec_mmco mmcos[RP_H264DEC_MAX_MARKINGS];
    uint32_t mmco_count;
};

struct dpb {
    const StdVideoH264SequenceParameterSet *sps;
    struct frame frames[32]; /* marked as used for reference, but for the current one */
    uint32_t count;
    bool has_last; /* a picture was decoded */
    uint32_t last_ref_frame_num;
    uint32_t last_frame_num;
    uint32_t last_frame_num_offset;
    int32_t last_poc_msb;
    uint32_t last_poc_lsb;
};

bool frame_is_used(const struct frame *frame);

uint32_t dpb_max_frame_num(const struct dpb *dpb);

/* What was before a frame that does not exist, after dpb_wrap(). */
void dpb_find_before(const struct dpb *dpb, struct frame *frame);

/* Before a new frame or first field: an IDR empties the buffer, missing frame numbers become
 * non-existing frames where the SPS allows gaps. */
void dpb_prepare(struct dpb *dpb, const struct picture *pic);

/* Counts of the fields of pic; the other one of a field picture is undefined. Once a picture. */
void dpb_picture_order(struct dpb *dpb, const struct picture *pic, int32_t poc_out[2]);

/* What the first or second field, or the frame, would be without touching the state: the top (or
 * only) count that delta_pic_order_cnt of zero gives with type 1. */
int32_t dpb_expected_order(const struct dpb *dpb, const struct picture *pic);

/* FrameNumWrap of all frames for a picture with this frame_num. */
void dpb_wrap(struct dpb *dpb, uint32_t frame_num);

/* After decoding a reference picture; cur is its frame, not yet in dpb. True when the operation 5
 * was among them: cur's counts and number have been reset. */
bool dpb_mark(struct dpb *dpb, struct frame *cur, const struct picture *pic);

/* The frame is complete: it joins the others if it is still used for reference. */
void dpb_insert(struct dpb *dpb, const struct frame *cur);

#endif
