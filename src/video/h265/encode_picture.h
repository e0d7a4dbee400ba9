/* SPDX-License-Identifier: MIT */
/* H.265 in the encode engine: what its pictures and sessions keep, and the steps that make a job of
 * what the application said.
 */
#ifndef RP_VIDEO_H265_ENCODE_PICTURE_H
#define RP_VIDEO_H265_ENCODE_PICTURE_H

#include "util/compiler.h"
#include "video/encode/session.h"
#include "video/h265/encode_parameters.h"
#include "video/h265/slice_header.h"

#include "reelpipe/encode_h265.h"

#include <stdbool.h>
#include <stdint.h>

/* The state of a session; zeroed: no picture yet. The last IRAP picture tells which others lead
 * it. */
struct rp_h265_encode_state {
    bool has_irap;
    bool irap_is_idr;
    int32_t irap_poc;
};

struct rp_h265_encode_picture {
    struct rp_encode_picture common; /* first */
    struct rp_h265_encode_job job;
    struct rp_h265_active active;
    struct rp_h265_slice_header header; /* what all slices have in common */
    uint32_t num_pic_total_curr;
    uint32_t first_rows[RP_H265_ENCODE_MAX_SLICES];
    uint32_t slice_sizes_B[RP_H265_ENCODE_MAX_SLICES];
};

static inline struct rp_h265_encode_picture *
rp_h265_encode_picture_of(struct rp_encode_picture *pic)
{
    return (struct rp_h265_encode_picture *)pic;
}

static inline const VkVideoEncodeH265PictureInfoKHR *
rp_h265_picture_info(const struct rp_encode_request *request)
{
    return request->picture;
}

/* encode_resolve.c: fills in job, header and the rest from the request. */
enum rp_codec_status rp_h265_encode_resolve(struct rp_video_encode *enc,
                                            const struct rp_encode_request *request,
                                            struct rp_encode_picture *pic) RP_MUST_CHECK;
void rp_h265_encode_advance(struct rp_video_encode *enc, const struct rp_encode_picture *pic);

/* encode_references.c: the reference picture set, the lists, and the reconstruction. */
enum rp_codec_status rp_h265_resolve_references(const struct rp_encode_request *request,
                                                struct rp_h265_encode_picture *pic) RP_MUST_CHECK;

/* encode_slices.c: where the slices lie, and what their headers say. */
enum rp_codec_status rp_h265_resolve_slices(const struct rp_encode_request *request,
                                            struct rp_h265_encode_picture *pic) RP_MUST_CHECK;
/* What a job calls. ctx: struct rp_h265_encode_picture. */
void rp_h265_write_slice_header(const void *ctx, const struct rp_h265_slice_state *slice,
                                struct rp_bits *bits);

#endif
