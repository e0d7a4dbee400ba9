/* SPDX-License-Identifier: MIT */
/* The contract between the video engine and an H.264 picture encoder: what encode.h leaves to the
 * standard.
 */
#ifndef REELPIPE_ENCODE_H264_H
#define REELPIPE_ENCODE_H264_H

#include "reelpipe/bits.h"
#include "reelpipe/encode.h"

#include <vk_video/vulkan_video_codec_h264std.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RP_H264_MAX_QP 51     /* QP goes from 0 to it */
#define RP_H264_MAX_REFS 16   /* per list */
#define RP_H264_MAX_L1_REFS 4 /* list 1 */
#define RP_H264_MAX_DPB_SLOTS 17

/* The values of slice_type (table 7-6), as StdVideoH264SliceType has them. */
enum rp_h264_slice_type { RP_H264_SLICE_P, RP_H264_SLICE_B, RP_H264_SLICE_I };

struct rp_h264_reference {
    struct rp_dpb_picture picture;
    int32_t poc; /* PicOrderCnt as of now (MMCO 5 may have changed it) */
    bool is_long_term;
    bool is_foreign; /* content came from elsewhere since the codec wrote it: adopt the pixels.
                           A slot that holds no picture (encoding it failed) is adopted too */
};

/* The weights of one reference: Y, Cb, Cr. A component without weights has 2^denominator and 0. */
struct rp_h264_ref_weights {
    bool has_luma;
    bool has_chroma;
    int8_t weight[3];
    int8_t offset[3];
};

/* pred_weight_table() of list 0 (7.4.3.2). */
struct rp_h264_weights {
    uint32_t log2_denom[2]; /* luma, chroma; 0..7 */
    struct rp_h264_ref_weights ref[RP_H264_MAX_REFS];
};

struct rp_h264_slice {
    uint32_t first_mb; /* raster order */
    uint32_t mb_count;
    int32_t qp; /* constant QP 0..51, or -1: rate control decides */
    enum rp_h264_slice_type type;
    uint32_t cabac_init_idc;
    uint32_t disable_deblocking_filter_idc;
    int32_t alpha_c0_offset_div2; /* -6..6, as the slice header will say */
    int32_t beta_offset_div2;
};

/* What is known of a slice only inside the codec. */
struct rp_h264_slice_state {
    uint32_t index; /* into rp_h264_encode_job::slices */
    uint32_t first_mb;
    int32_t slice_qp;    /* SliceQPY */
    bool direct_spatial; /* direct_spatial_mv_pred_flag that the macroblock layer really uses */
};

/* One picture. Maps and intra refresh of the common part go by macroblocks. The coded extent,
 * rounded up to macroblocks, is the frame of the sps. */
struct rp_h264_encode_job {
    struct rp_encode_job common; /* first */

    /* The parameter sets as they are written to the stream, after overrides. */
    const StdVideoH264SequenceParameterSet *sps;
    const StdVideoH264PictureParameterSet *pps;

    /* What the picture may refer to: slices are of this type or, within P, I; within B, P or I. */
    enum rp_h264_slice_type slice_type;
    bool is_idr;
    uint32_t nal_ref_idc;
    int32_t poc;
    struct rp_h264_reference refs[2][RP_H264_MAX_REFS]; /* RefPicList0, RefPicList1, final order */
    uint32_t ref_count[2];
    const struct rp_h264_weights *weights; /* of P pictures with weighted_pred_flag; or NULL */
    bool direct_spatial; /* of B pictures; when the codec has to use the other mode, its result says
                            has_overrides */
    const struct rp_h264_slice *slices; /* cover the picture in order */
    uint32_t slice_count;
    uint32_t *slice_size_B; /* out: of each slice's NAL unit with its start code; or NULL */
    bool write_aud;

    /* Appends slice_header() (7.3.3), from first_mb_in_slice to the last element before the slice
     * data. May be called on any thread, for several slices at once. */
    void (*write_slice_header)(const void *ctx, const struct rp_h264_slice_state *slice,
                               struct rp_bits *bits);
    const void *slice_header_ctx;
};

static inline struct rp_h264_encode_job *
rp_h264_encode_job_of(struct rp_encode_job *job)
{
    return (struct rp_h264_encode_job *)job;
}

/* NULL when the build does not have it. Any thread. */
const struct rp_encode_codec *rp_codec_h264_encode(void);

#endif
