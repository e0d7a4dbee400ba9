/* SPDX-License-Identifier: MIT */
/* The application's decoded picture buffer: marking and initial lists of H.264, frames only.
 */
#ifndef RP_TESTS_CODEC_X264_DPB_H
#define RP_TESTS_CODEC_X264_DPB_H

#include "reelpipe/encode_h264.h"

#define DPB_SIZE 24 /* more than a decoder has: pictures in flight need entries of their own */

struct dpb_entry {
    bool is_used; /* for reference */
    bool is_long_term;
    uint32_t long_term_idx;
    uint32_t frame_num;
    int32_t poc;
    uint32_t display;
    bool is_foreign;
    struct rp_encoder_slot *slot;
    uint8_t *memory;
    struct rp_picture pixels;
    bool is_padded;
};

struct dpb {
    struct dpb_entry entry[DPB_SIZE];
    uint32_t max_refs;
    uint32_t max_frame_num;
    uint32_t next_free; /* entries are taken in turn */
};

struct mmco {
    uint32_t op;
    uint32_t a;
    uint32_t b;
};

#define MMCO_MAX 20

/* What marking does after a picture (8.2.5). */
struct marking {
    uint32_t frame_num;
    bool is_idr;
    bool is_long_term_idr;
    bool is_adaptive;
    struct mmco mmco[MMCO_MAX];
    uint32_t mmco_count;
};

/* PicNum of entry i for a picture with frame_num. */
int32_t dpb_pic_num(const struct dpb *dpb, uint32_t i, uint32_t frame_num);

/* Entries of the initial list (8.2.4.2); returns their count. slice_type: 0 P, 1 B. */
uint32_t dpb_initial_list(const struct dpb *dpb, uint32_t slice_type, uint32_t list,
                          uint32_t frame_num, int32_t poc, uint32_t out[DPB_SIZE]);

/* An entry that no picture needs; it stays free until dpb_store(). */
uint32_t dpb_take_free(struct dpb *dpb);

uint32_t dpb_count_used(const struct dpb *dpb);
int32_t dpb_find_display(const struct dpb *dpb, uint32_t display); /* -1: none */
int32_t dpb_find_long_term(const struct dpb *dpb);                 /* any; -1: none */

/* The short-term entry that the sliding window would drop; -1: none. */
int32_t dpb_find_oldest(const struct dpb *dpb, uint32_t frame_num);

/* Marks others as m says, then entry i as the picture. True when m had MMCO 5. */
bool dpb_store(struct dpb *dpb, uint32_t i, const struct marking *m, int32_t poc, uint32_t display);

#endif
