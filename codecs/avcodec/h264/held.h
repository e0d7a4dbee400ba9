/* SPDX-License-Identifier: MIT */
/* The reference frames inside one libavcodec context, as its marking process sees them.
 *
 * Only we drop or keep references (adaptive marking in every picture), so this is always what
 * libavcodec holds. A frame whose slot has been taken over stays, as an orphan, until the next
 * reference picture of the context tells libavcodec to drop it.
 */
#ifndef RP_CODECS_AVCODEC_H264_HELD_H
#define RP_CODECS_AVCODEC_H264_HELD_H

#include "codecs/avcodec/h264/ref_list.h"
#include "codecs/avcodec/h264/slice_header.h"

#include <stdbool.h>
#include <stdint.h>

#define RP_H264DEC_MAX_HELD 16 /* max_num_ref_frames */

struct rp_h264dec_held {
    bool is_used;
    int32_t slot;       /* the application's, or -1 for an orphan */
    uint32_t frame_num; /* private */
    uint32_t fields;    /* that have been decoded */
    bool is_long_term;
    uint32_t long_term_frame_idx;
    int32_t poc[2];         /* private */
    uint32_t job_frame_num; /* the application's, as it lists the picture later */
    uint64_t last_use;      /* the decoder's use_count when it was decoded or listed last */
};

struct rp_h264dec_dpb {
    struct rp_h264dec_held held[RP_H264DEC_MAX_HELD];
    uint32_t frame_num_bits;
    uint32_t next_frame_num; /* of the next frame or first field */
    int32_t poc_bias;        /* private minus application's, of the picture decoded last */
};

/* What all slices of one picture say about the references before it (7.3.3.3). */
struct rp_h264dec_marking {
    bool drops[RP_H264DEC_MAX_HELD];
    bool converts[RP_H264DEC_MAX_HELD]; /* to long-term */
    uint32_t long_term_frame_idx[RP_H264DEC_MAX_HELD];
    bool is_long_term; /* the picture itself */
    uint32_t own_long_term_frame_idx;
    struct rp_h264dec_mmco mmcos[4 * RP_H264DEC_MAX_HELD];
    uint32_t mmco_count;
};

void rp_h264dec_dpb_init(struct rp_h264dec_dpb *dpb, uint32_t frame_num_bits);

/* The frame that stands for a slot, or -1. */
int32_t rp_h264dec_dpb_find(const struct rp_h264dec_dpb *dpb, int32_t slot);

/* Makes the slot's frame, if there is one, an orphan. True when there was one. */
bool rp_h264dec_dpb_vacate(struct rp_h264dec_dpb *dpb, int32_t slot);

/* No frame stands for a slot. */
bool rp_h264dec_dpb_is_vacant(const struct rp_h264dec_dpb *dpb);

/* A short-term frame has the number that the next picture would get. */
bool rp_h264dec_dpb_is_number_taken(const struct rp_h264dec_dpb *dpb);

/* Counts on to the next frame number. */
void rp_h264dec_dpb_advance(struct rp_h264dec_dpb *dpb);

/* Starts the marking of the next frame or first field (fields says which): drops the orphans. */
void rp_h264dec_marking_init(struct rp_h264dec_marking *marking, const struct rp_h264dec_dpb *dpb,
                             uint32_t fields);

/* Adds the dropping of one held frame; at most once for each. */
void rp_h264dec_marking_drop(struct rp_h264dec_marking *marking, const struct rp_h264dec_dpb *dpb,
                             uint32_t fields, int32_t index);

/* Then, adds the making long-term of a short-term frame that stays, or of the picture itself. */
void rp_h264dec_marking_convert(struct rp_h264dec_marking *marking,
                                const struct rp_h264dec_dpb *dpb, uint32_t fields, int32_t index);
void rp_h264dec_marking_convert_own(struct rp_h264dec_marking *marking,
                                    const struct rp_h264dec_dpb *dpb);

/* Held frames that marking leaves. */
uint32_t rp_h264dec_marking_kept_count(const struct rp_h264dec_marking *marking,
                                       const struct rp_h264dec_dpb *dpb);

/* libavcodec has done what marking says and keeps the picture, for slot (-1: an orphan). At most
 * RP_H264DEC_MAX_HELD - 1 were left. */
void rp_h264dec_dpb_store(struct rp_h264dec_dpb *dpb, const struct rp_h264dec_marking *marking,
                          int32_t slot, uint32_t fields, const int32_t poc[2]);

#endif
