/* SPDX-License-Identifier: MIT */
/* An application that encodes one H.264 stream and holds every decoded picture against the
 * reconstruction in its DPB image.
 */
#ifndef RP_TESTS_VIDEO_STREAM_H
#define RP_TESTS_VIDEO_STREAM_H

#include "dpb_model.h"
#include "vk.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define STREAM_MAX_SLOTS 17
#define STREAM_MAX_SLICES 544
#define STREAM_MAX_SHOTS 8

struct stream;

/* Sources in colour. */
struct stream_rgb {
    VkVideoEncodeSessionRgbConversionCreateInfoVALVE info;
    bool is_rgba;                                                         /* else BGRA */
    void (*fill)(uint8_t *texels, uint32_t width_px, uint32_t height_px); /* red, green, blue, 0 */
};

#define STREAM_OPENING_B 13u

/* Zero is a usable value of everything but the size. */
struct stream_options {
    uint32_t width_px;
    uint32_t height_px;
    uint32_t content; /* seed */
    uint32_t quality_level;

    /* The parameter sets. */
    StdVideoH264ProfileIdc profile_idc; /* 0: High */
    bool is_cavlc;
    bool has_transform8x8;
    bool has_constrained_intra;
    bool has_weighted_pred;
    bool has_cbr_hrd; /* the SPS says that the rate is constant */
    uint32_t weighted_bipred_idc;
    int32_t chroma_qp_offset;
    int32_t init_qp_minus26;
    uint32_t poc_type;
    uint32_t log2_max_frame_num_minus4;
    uint32_t reorder_count; /* pictures that may come out late; 0: max_refs */

    /* The DPB. */
    uint32_t slot_count;             /* 0: 2 */
    uint32_t max_refs;               /* 0: slot_count - 1 */
    bool is_layered;                 /* one image with layers */
    bool is_storage;                 /* shaders may write its images */
    bool is_aliased;                 /* other images may have its images' memory */
    bool is_exported;                /* and their memory can be imported */
    bool has_dpb_sources;            /* its images may be sources */
    const struct stream *session_of; /* one at least as large, whose session and DPB images this one
                                        uses too; or NULL */
    const struct stream *dpb_of;     /* one whose DPB images its own session uses; or NULL */
    uint32_t dpb_x_px;               /* where its pictures are in them */
    uint32_t dpb_width_px;           /* of those that it makes; 0: width_px */

    /* Source images. */
    bool is_i420;
    bool is_linear;
    bool is_rgb;                  /* grey BGRA, full range */
    const struct stream_rgb *rgb; /* with is_rgb: others; or NULL */

    /* What the session is made for besides. */
    VkVideoEncodeIntraRefreshModeFlagBitsKHR refresh_mode;
    VkFormat map_format; /* of quantization maps; 0: none */
    bool has_inline_queries;

    /* The order of submissions. */
    uint32_t shot_count; /* pictures that may be in flight; 0: 1 */
    bool is_overlapped;  /* after the first shot_count no picture copies: sources stay as they
                             are, reconstructions are read back where a picture wants it */
    bool is_chained;     /* pictures go to all encode queues in turn, and each waits for a semaphore
                             that the one before signals */
    bool has_free_idrs;  /* chained: IDR pictures wait for nothing, as FFmpeg's */

    /* Rate control. */
    uint64_t average_bps; /* 0: constant QP */
    bool is_vbr;
    uint32_t layer_count; /* each of average_bps; 0: 1 */

    /* The bitstream, and who judges it. */
    bool has_opening_units;  /* in front of each picture, STREAM_OPENING_B that nobody mentions */
    uint32_t buffer_slack_B; /* dst capacity; 0: plenty */
    bool is_judged_once;     /* by libavcodec alone */
};

/* The structures of one vkCmdEncodeVideoKHR, just before it is recorded. */
struct stream_call {
    VkVideoEncodeInfoKHR *info;
    VkVideoEncodeH264PictureInfoKHR *h264;
    VkVideoEncodeH264NaluSliceInfoKHR *slices;
    StdVideoEncodeH264SliceHeader *headers;
    StdVideoEncodeH264PictureInfo *std;
    StdVideoEncodeH264ReferenceListsInfo *lists;
};

/* The structures of one vkCmdControlVideoCodingKHR, likewise. */
struct stream_control {
    VkVideoEncodeRateControlInfoKHR *rate;
    VkVideoEncodeRateControlLayerInfoKHR *layers; /* 4 */
    VkVideoEncodeQualityLevelInfoKHR *quality;
    VkVideoCodingControlFlagsKHR *flags;
};

/* What one slice has for itself. */
struct stream_slice {
    uint32_t type;
    uint32_t cabac_init_idc;
    uint32_t deblocking_idc;
    int32_t alpha_div2;
    int32_t beta_div2;
};

struct stream_picture {
    bool is_idr;
    uint32_t slice_type; /* 0 P, 1 B, 2 I: what the lists are for */
    bool is_reference;
    bool is_long_term; /* IDR */
    int32_t poc;
    int32_t setup_slot; /* -1: none */
    uint32_t list_count[2];
    uint8_t list[2][16]; /* slots */
    const struct dpb_mark *marks;
    uint32_t mark_count;
    int32_t qp;
    const int32_t *slice_qps;          /* of slice_count, or NULL: qp */
    uint32_t slice_count;              /* 0: 1 */
    const uint32_t *first_mbs;         /* of slice_count, or NULL: rows in equal parts */
    const struct stream_slice *slices; /* of slice_count, or NULL: all as the picture */
    uint32_t deblocking_idc;
    int32_t alpha_div2;
    int32_t beta_div2;
    uint32_t cabac_init_idc;
    bool is_temporal_direct;
    uint32_t range_B;       /* dstBufferRange; 0: buffer_slack_B */
    bool has_no_range;      /* dstBufferRange 0: the rest of the buffer */
    uint32_t refresh_cycle; /* 0: no intra refresh */
    uint32_t refresh_index;
    uint32_t temporal_id;
    uint64_t new_average_bps; /* from this picture on; 0: as it is */
    uint64_t believed_bps;    /* what the scope says to be set; 0: nothing is said */
    const void *map;          /* texels of map_format, one per macroblock; or NULL */
    void (*tamper)(struct stream_call *call);               /* to say something wrong; or NULL */
    void (*tamper_control)(struct stream_control *control); /* with new_average_bps */
    bool wants_recon;                                       /* of an overlapped stream */
    bool is_noise; /* what comes of it is nobody's concern, but where it is written */
};

/* What came of a picture. */
struct stream_result {
    int32_t status; /* VkQueryResultStatusKHR */
    uint32_t offset_B;
    uint32_t size_B;
    bool has_overrides;
    int32_t min_qp; /* of its macroblocks */
    int32_t max_qp;
    const uint8_t *data;   /* at dstBufferOffset; until the shot is used again */
    const uint8_t *source; /* planar 4:2:0, likewise */
};

struct stream *stream_open(struct vk *vk, const struct stream_options *options);
const struct dpb_model *stream_model(const struct stream *s);

/* All at once for the usual case: numbers, records and submits the picture; waits for it unless
 * several may be in flight. Returns its number. */
uint32_t stream_encode(struct stream *s, const struct stream_picture *pic);

/* The steps of it. prepare in coding order; record in any order; submit in coding order, or chained
 * in any. */
uint32_t stream_prepare(struct stream *s, const struct stream_picture *pic);
void stream_record(struct stream *s, uint32_t number);
void stream_submit(struct stream *s, uint32_t number);
/* Waits; the coded picture goes to the decoder when its status is COMPLETE. */
struct stream_result stream_collect(struct stream *s, uint32_t number);

/* Collects all that is in flight; each shall be COMPLETE. */
void stream_flush(struct stream *s);

/* A hash of all coded pictures so far, and the size of one. */
uint64_t stream_hash(const struct stream *s);
uint32_t stream_picture_size_B(const struct stream *s, uint32_t number);

/* Requires that each decoded frame equals its reconstruction; closes the stream. Returns the
 * smallest PSNR of luma against the source, in 1/100 dB. */
int32_t stream_finish(struct stream *s);

/* PSNR of the left and the right half of all pictures so far finished, smallest; set by finish. */
struct stream_halves {
    int32_t left;
    int32_t right;
};
int32_t stream_finish_halves(struct stream *s, struct stream_halves *out);

/* Counts over all streams so far: pictures, and those whose reconstruction the second decoder
 * (OpenH264) gave as well. It reads less than libavcodec: from a picture that it cannot read to the
 * next IDR picture it sees nothing. */
struct stream_opinions {
    uint32_t coded;
    uint32_t judged;
};
struct stream_opinions stream_second_opinions(void);

/* The reconstruction, planar; the picture is collected. */
const uint8_t *stream_recon(const struct stream *s, uint32_t number);

/* The Annex B parameter sets that the driver wrote. */
const uint8_t *stream_headers(const struct stream *s, size_t *size_B);

/* For bitstreams of the stream's profile. */
struct vk_buffer stream_bitstream_buffer(const struct stream *s, VkDeviceSize size_B);

/* Reads the slot's image and writes the same pixels back: the driver cannot know that. */
void stream_touch_slot(struct stream *s, int32_t slot);

const struct vk_image *stream_slot_image(const struct stream *s, int32_t slot);
/* Another one in its memory, which it does not own, with is_aliased; or in an import of it, which
 * it owns, with is_exported. */
struct vk_image stream_create_alias(const struct stream *s, int32_t slot);

/* Gives a free slot: one that no reference picture of the model stands in. */
int32_t stream_free_slot(const struct stream *s);

#endif
