/* SPDX-License-Identifier: MIT */
/* A stream being generated; shared by the files that write its pictures.
 */
#ifndef RP_TESTS_CODEC_AVCODEC_GENERATOR_STATE_H
#define RP_TESTS_CODEC_AVCODEC_GENERATOR_STATE_H

#include "dpb.h"
#include "generator_mb.h"
#include "reelpipe/bits.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RBSP_CAPACITY_B (1 << 18)

struct generator {
    uint32_t random;
    StdVideoH264SequenceParameterSet sps;
    int32_t offsets[4];
    StdVideoH264PictureParameterSet pps[3];
    struct dpb dpb;
    bool
        has_pairs_only; /* then single fields are dropped: libavcodec lists what is left for frames */
    bool has_adaptive_marking;
    bool has_long_term;
    bool has_restarts; /* operation 5; then no B slices: libavcodec does not renumber the frame */
    bool last_was_reference;
    int32_t max_long_term_idx; /* -1: "no long-term frame indices" */
    int64_t order_origin;      /* display position of order count 0 */
    int64_t next_display;
    uint32_t idr_pic_id;
    uint64_t next_id;
    uint64_t refs_of[64]; /* by frame id: ids of the frames it referred to, as a mask */
    struct frame cur;
    uint64_t cur_refs;
    uint64_t *ids; /* of frames, by their slot */

    uint8_t rbsp[RBSP_CAPACITY_B];
    uint8_t *out;
    size_t out_B;
    size_t capacity_B;
};

static inline uint32_t
pick(struct generator *gen, uint32_t below)
{
    return generator_random(&gen->random, below);
}

static inline bool
chance(struct generator *gen, uint32_t percent)
{
    return pick(gen, 100) < percent;
}

/* Appends a NAL unit of bits, which were written to gen->rbsp. */
void generator_nal_emit(struct generator *gen, uint8_t header, struct rp_bits *bits);

/* All slices of one frame or field; type is what most of them are. */
void generator_picture_write(struct generator *gen, const struct picture *pic,
                             enum rp_h264dec_slice_type type);

/* How a picture marks references, before it is written; may_restart allows operation 5. */
void generator_marking_choose(struct generator *gen, struct picture *pic, bool is_second,
                              bool may_restart);

/* It has been written. */
void generator_marking_apply(struct generator *gen, const struct picture *pic);

#endif
