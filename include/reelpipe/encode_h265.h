/* SPDX-License-Identifier: MIT */
/* The contract between the video engine and an H.265 picture encoder: what encode.h leaves to the
 * standard. Clauses are those of Rec. ITU-T H.265 (V9).
 *
 * The engine owns the syntax of headers, the codec what follows slice_segment_header(): slices are
 * whole rows of coding tree blocks, and in-loop filters stop between them
 * (slice_loop_filter_across_slices_enabled_flag is 0).
 */
#ifndef REELPIPE_ENCODE_H265_H
#define REELPIPE_ENCODE_H265_H

#include "reelpipe/bits.h"
#include "reelpipe/encode.h"

#include <vk_video/vulkan_video_codec_h265std.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RP_H265_MAX_QP 51          /* QP goes from 0 to it, of 10 bits, too */
#define RP_H265_MAX_QP_DELTA 12    /* of maps: CuQpDeltaVal goes from -26 to 25 (7.4.9.14) */
#define RP_H265_ENCODE_MAX_REFS 15 /* per list, and of all that a picture refers to */
#define RP_H265_ENCODE_SLOTS 16
#define RP_H265_CTB_PX 64u
#define RP_H265_ENCODE_MIN_PX 16
#define RP_H265_ENCODE_MAX_WIDTH_PX 8192
#define RP_H265_ENCODE_MAX_HEIGHT_PX 4352
#define RP_H265_ENCODE_MAX_SLICES 68 /* rows of coding tree blocks */

struct rp_h265_encode_reference {
    struct rp_dpb_picture picture;
    int32_t poc; /* PicOrderCntVal */
    bool is_long_term;
    bool is_foreign; /* content came from elsewhere since the codec wrote it: adopt the pixels.
                        A slot that holds no picture (encoding it failed) is adopted too */
};

/* What is known of a slice only inside the codec. */
struct rp_h265_slice_state {
    uint32_t index;       /* into rp_h265_encode_job::slice_first_rows */
    uint32_t first_ctb;   /* slice_segment_address */
    int32_t slice_qp;     /* SliceQpY */
    uint32_t entry_count; /* num_entry_point_offsets */
    const uint32_t *entry_offset_minus1;
};

/* One picture. Maps and intra refresh of the common part go by coding tree blocks; a map wants
 * cu_qp_delta_enabled_flag, and its deltas are clipped to RP_H265_MAX_QP_DELTA; emphasis without a
 * rate is ignored. Intra refresh wants regions that follow each other in raster order, or column by
 * column from the left, and no temporal_mvp. temporal_mvp wants a collocated picture that the codec
 * coded: of adopted ones it has no motion, but a decoder has. The picture of the sps may be larger
 * than the coded extent: what is missing repeats the last column and row.
 *
 * UNSUPPORTED: formats other than 4:2:0 of the codec's bit depth; coding tree blocks other than
 * 64x64, coding blocks from 8x8 and transform blocks from 4x4 to 32x32; pcm, scaling lists, strong
 * intra smoothing, tiles, weighted prediction, constrained intra prediction,
 * cabac_init_present_flag, offsets of chroma QP, transquant bypass, log2_parallel_merge_level above
 * 2, diff_cu_qp_delta_depth, dependent slice segments; temporal_mvp with intra_clean; sizes outside
 * of the limits. */
struct rp_h265_encode_job {
    struct rp_encode_job common; /* first; preceding_B counts what is in front of the slices */

    /* The parameter sets as they are written to the stream, after overrides. */
    const StdVideoH265SequenceParameterSet *sps;
    const StdVideoH265PictureParameterSet *pps;

    StdVideoH265SliceType slice_type; /* of all slices */
    uint32_t nal_unit_type;           /* Table 7-1, of slices */
    uint32_t temporal_id;
    int32_t poc;
    int32_t qp; /* 0..51; with common.rate it is not looked at */
    struct rp_h265_encode_reference refs[2][RP_H265_ENCODE_MAX_REFS]; /* RefPicList0, 1 */
    uint32_t ref_count[2];

    /* What the slice headers will say, all of them alike. */
    bool temporal_mvp;
    bool collocated_from_l0;
    uint32_t collocated_ref_idx;
    uint32_t max_merge_cand; /* MaxNumMergeCand, 1..5 */
    bool sao;                /* of luma and chroma */
    bool deblocking;
    int32_t beta_offset_div2; /* -6..6 */
    int32_t tc_offset_div2;

    const uint32_t
        *slice_first_rows; /* of coding tree blocks; the first one is 0, and they ascend */
    uint32_t slice_count;
    uint32_t *slice_size_B; /* out: of each slice's NAL unit with its start code; or NULL */

    /* Appends slice_segment_header() (7.3.6.1) without byte_alignment(). Called on the thread of
     * encode(), once for each slice in their order. */
    void (*write_slice_header)(const void *ctx, const struct rp_h265_slice_state *slice,
                               struct rp_bits *bits);
    const void *slice_header_ctx;
};

static inline struct rp_h265_encode_job *
rp_h265_encode_job_of(struct rp_encode_job *job)
{
    return (struct rp_h265_encode_job *)job;
}

/* The codec of 8 bits, which names that of 10. NULL when the build does not have it. Any thread. */
const struct rp_encode_codec *rp_codec_h265_encode(void);

#endif
