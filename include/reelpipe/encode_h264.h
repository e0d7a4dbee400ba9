/* SPDX-License-Identifier: MIT */
/* The contract between the video engine and an H.264 picture encoder.
 *
 * The encoder is stateless between pictures but for what its slots and its rate state hold: every
 * job says all that the picture is made of, the decoded picture buffer is the application's.
 * Pictures go through two calls: begin() on the queue's thread in submission order, then encode()
 * on any thread. Jobs begun earlier may still be encoding: encode() waits, row by row, for the
 * references it reads, so pictures overlap. Bytes never depend on how they overlapped.
 */
#ifndef REELPIPE_ENCODE_H264_H
#define REELPIPE_ENCODE_H264_H

#include "reelpipe/bits.h"
#include "reelpipe/codec.h"
#include "reelpipe/picture.h"
#include "reelpipe/rate.h"
#include "reelpipe/workers.h"

#include <vk_video/vulkan_video_codec_h264std.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RP_H264_MAX_QP 51     /* QP goes from 0 to it */
#define RP_H264_MAX_REFS 16   /* per list */
#define RP_H264_MAX_L1_REFS 4 /* list 1 */
#define RP_H264_MAX_DPB_SLOTS 17

struct rp_h264_encoder; /* one per video session: contexts are made when a picture wants them */
struct rp_h264_slot;    /* the codec's private half of one DPB picture: half-pel planes, motion */
struct rp_h264_rate;    /* rate control of one session */

/* How the memory of one layer of an NV12 DPB image must look for the codec to work in place.
 * Luma and chroma share the stride; the padding around the planes is the codec's. */
struct rp_h264_dpb_layout {
    size_t size_B;
    size_t align_B;
    size_t stride_B;
    size_t offset_B[2]; /* first sample of Y and of UV */
};

/* pixels: the picture in the application's image, readable and writable in whole macroblocks when
 * is_padded (memory as dpb_layout() of the image's extent says), else exactly its extent: then
 * the codec keeps a copy of its own and copies the reconstruction out. */
struct rp_h264_dpb_picture {
    struct rp_h264_slot *slot;
    struct rp_picture pixels;
    bool is_padded;
};

struct rp_h264_reference {
    struct rp_h264_dpb_picture picture;
    int32_t poc; /* PicOrderCnt as of now (MMCO 5 may have changed it) */
    bool is_long_term;
    bool is_foreign; /* content came from elsewhere since the codec wrote it: adopt the pixels.
                           A slot that holds no picture (encoding it failed) is adopted too */
};

/* Of one reference: Y, Cb, Cr. What has none has 2^denominator and 0. */
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
    int32_t qp;    /* constant QP 0..51, or -1: rate control decides */
    uint32_t type; /* 0 P, 1 B, 2 I */
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

struct rp_h264_encode_result {
    enum rp_codec_status status;
    size_t size_B;       /* of the coded picture: NAL units with start codes */
    uint32_t average_qp; /* QPY over macroblocks, rounded */
    uint32_t min_qp;
    uint32_t max_qp;
    uint32_t intra_mb_count;
    uint32_t inter_mb_count;   /* skipped ones included */
    uint32_t skipped_mb_count; /* P_Skip, B_Skip */
    uint32_t filler_B;         /* filler data NAL units that CBR asks for, already inside size_B */
    bool direct_spatial;       /* of B pictures: the direct mode used, whatever the job wished */
};

/* One picture. The job and all it points to belong to the caller and stay as they are from
 * begin() until encode() has returned. */
struct rp_h264_encode_job {
    /* As written to the stream (after overrides). */
    const StdVideoH264SequenceParameterSet *sps;
    const StdVideoH264PictureParameterSet *pps;
    uint32_t width_px; /* coded extent, even; rounded up to macroblocks it is the sps's frame */
    uint32_t height_px;
    uint32_t quality_level; /* 0 (fastest) .. quality_level_count - 1 */

    /* NV12 or I420; width and height at least the coded extent's. */
    struct rp_picture src;

    /* What the picture may refer to, 0 P, 1 B, 2 I: slices are of this type or, within P, I; within
     * B, P or I. */
    uint32_t slice_type;
    bool is_idr;
    uint32_t nal_ref_idc;
    int32_t poc;
    struct rp_h264_reference refs[2][RP_H264_MAX_REFS]; /* RefPicList0, RefPicList1, final order */
    uint32_t ref_count[2];
    const struct rp_h264_weights *weights; /* of P pictures with weighted_pred_flag; or NULL */
    bool direct_spatial;
    const struct rp_h264_slice *slices; /* cover the picture in order */
    uint32_t slice_count;
    uint32_t *slice_size_B; /* out: of each slice's NAL unit with its start code; or NULL */

    const int8_t *qp_delta;     /* per macroblock in raster order, added to the QP; or NULL */
    const float *emphasis;      /* per macroblock 0..1, more is better; or NULL */
    const uint8_t *force_intra; /* per macroblock, non-zero: intra coded (intra refresh); or NULL */
    const uint8_t *intra_clean; /* per macroblock, non-zero: may not predict from macroblocks that
                                   are not yet refreshed (intra refresh); or NULL */

    /* The setup slot; slot NULL: no reconstruction is kept. */
    struct rp_h264_dpb_picture recon;

    struct rp_h264_rate *rate; /* NULL: constant QP from the slices */
    uint32_t temporal_layer;
    uint32_t preceding_B; /* what others wrote of the access unit: rate control counts it too */
    bool write_aud;

    /* Appends slice_header() (7.3.3), from first_mb_in_slice to the last element before the slice
     * data. May be called on any thread, for several slices at once. */
    void (*write_slice_header)(const void *ctx, const struct rp_h264_slice_state *slice,
                               struct rp_bits *bits);
    const void *slice_header_ctx;

    uint8_t *dst;
    size_t dst_capacity_B;

    struct rp_h264_encode_result result; /* valid when encode() has returned */

    /* The codec's, from begin() to the end of encode(). */
    void *codec_private;
};

struct rp_encode_codec {
    const char *name; /* "x264 0.164.3095" */
    uint32_t quality_level_count;

    /* Memory of one NV12 picture of this extent. Pure; any thread. */
    void (*dpb_layout)(uint32_t width_px, uint32_t height_px, struct rp_h264_dpb_layout *out);

    /* Cheap: nothing that depends on the picture size is taken. workers is borrowed and may be
     * used for slices of one picture. NULL when memory is short. */
    struct rp_h264_encoder *(*create)(struct rp_workers *workers);
    void (*destroy)(struct rp_h264_encoder *enc); /* accepts NULL; no job may be under way */

    struct rp_h264_slot *(*slot_create)(struct rp_h264_encoder *enc);
    /* Accepts NULL. No job that uses the slot may be under way. */
    void (*slot_destroy)(struct rp_h264_encoder *enc, struct rp_h264_slot *slot);

    /* Rate control; NULL, all three, when there is none. set() takes effect with the next job that
     * is begun and keeps what it can of the state (no IDR is needed); set() of equal settings
     * changes nothing. */
    struct rp_h264_rate *(*rate_create)(struct rp_h264_encoder *enc);
    void (*rate_destroy)(struct rp_h264_encoder *enc, struct rp_h264_rate *rate);
    void (*rate_set)(struct rp_h264_rate *rate, const struct rp_rate_settings *settings);

    /* In submission order, on one thread at a time. May wait for pictures that the job replaces
     * or adopts, or that rate control goes on from; or, unless may_wait, returns RP_CODEC_BUSY:
     * to be tried again when an earlier one has ended. After RP_CODEC_OK encode() must follow;
     * else the job is over and its result is set. */
    enum rp_codec_status (*begin)(struct rp_h264_encoder *enc, struct rp_h264_encode_job *job,
                                  bool may_wait);

    /* Encodes; on any thread. Started in the order of begin(), since it waits for what began
     * earlier: rp_workers_queue() in that order is enough. Sets job->result. */
    void (*encode)(struct rp_h264_encoder *enc, struct rp_h264_encode_job *job);
};

/* NULL when the build does not have it. Any thread. */
const struct rp_encode_codec *rp_codec_h264_encode(void);

#endif
