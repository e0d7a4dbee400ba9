/* SPDX-License-Identifier: MIT */
/* H.264 in the encode engine: what its pictures and sessions keep, and the steps that make a job of
 * what the application said.
 */
#ifndef RP_VIDEO_H264_ENCODE_PICTURE_H
#define RP_VIDEO_H264_ENCODE_PICTURE_H

#include "util/compiler.h"
#include "video/encode/session.h"
#include "video/h264/idr_ids.h"
#include "video/h264/parameters.h"
#include "video/h264/slice_header.h"

#include "reelpipe/encode_h264.h"

#include <stdbool.h>
#include <stdint.h>

/* The state of a session; zeroed: no picture yet. */
struct rp_h264_encode_state {
    /* 8.2.1.2: what the order count of type 1 counts on. */
    uint32_t previous_frame_num;
    uint32_t previous_frame_num_offset;
    bool previous_had_mmco5;

    struct rp_idr_ids idr_ids;
};

/* Slices grow with the first picture that needs more. */
struct rp_h264_encode_picture {
    struct rp_encode_picture common; /* first */
    struct rp_h264_encode_job job;
    struct rp_h264_active active;
    struct rp_h264_slice_header header;
    StdVideoEncodeH264SliceHeader *std_slices; /* owned, of slice_capacity */
    struct rp_h264_slice *slices;              /* owned, of slice_capacity */
    uint32_t *slice_sizes_B;                   /* owned, of slice_capacity */
    uint32_t slice_capacity;
    struct rp_h264_weights weights;
};

static inline struct rp_h264_encode_picture *
rp_h264_encode_picture_of(struct rp_encode_picture *pic)
{
    return (struct rp_h264_encode_picture *)pic;
}

static inline const VkVideoEncodeH264PictureInfoKHR *
rp_h264_picture_info(const struct rp_encode_request *request)
{
    return request->picture;
}

/* resolve.c: fills in job, header and the rest from the request. */
enum rp_codec_status rp_h264_encode_resolve(struct rp_video_encode *enc,
                                            const struct rp_encode_request *request,
                                            struct rp_encode_picture *pic) RP_MUST_CHECK;
void rp_h264_encode_advance(struct rp_video_encode *enc, const struct rp_encode_picture *pic);

/* The steps of it, in their order. */
enum rp_codec_status rp_h264_resolve_slices(const struct rp_video_encode *enc,
                                            const struct rp_encode_request *request,
                                            struct rp_h264_encode_picture *pic) RP_MUST_CHECK;
enum rp_codec_status rp_h264_resolve_references(const struct rp_encode_request *request,
                                                struct rp_h264_encode_picture *pic) RP_MUST_CHECK;
/* After slices and references. */
void rp_h264_resolve_weights(struct rp_h264_encode_picture *pic);
/* How the slice header names them. */
void rp_h264_name_references(const struct rp_encode_request *request,
                             struct rp_h264_encode_picture *pic);

#endif
