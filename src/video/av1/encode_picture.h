/* SPDX-License-Identifier: MIT */
/* AV1 in the encode engine: what its pictures and sessions keep, and the steps that make a job of
 * what the application said.
 */
#ifndef RP_VIDEO_AV1_ENCODE_PICTURE_H
#define RP_VIDEO_AV1_ENCODE_PICTURE_H

#include "util/compiler.h"
#include "video/av1/state.h"
#include "video/encode/session.h"

#include "reelpipe/encode_av1.h"

#include <stdbool.h>
#include <stdint.h>

/* A picture that stands in a slot, as the headers of later ones see it. */
struct rp_av1_known_picture {
    const struct rp_encoder_slot *slot; /* NULL: none */
    uint64_t number;
    bool is_hidden_key; /* that no header has shown yet, as far as is known */
    /* Of a hidden picture: whether a picture behind it in output order has come, in front of which
     * it was shown if ever; and which references were refreshed since. */
    bool is_past;
    uint8_t refreshed;
    struct rp_av1_reference reference;
};

/* One more than a session has, and two that are on their way in or out. */
#define RP_AV1_KNOWN_PICTURES (RP_AV1_MAX_DPB_SLOTS + 3)

/* The state of a session; zeroed: no picture yet. Which pictures a decoder keeps as its references
 * is followed by the refresh flags; where an application names another picture's slot, it is right:
 * it also writes headers itself, which show an existing picture. */
struct rp_av1_encode_state {
    struct rp_av1_state stream;          /* in front of the next picture */
    uint64_t numbers[RP_AV1_REFERENCES]; /* of the stream's references; 0: none */
    struct rp_av1_known_picture known[RP_AV1_KNOWN_PICTURES];
};

/* What writing the headers finds out, after the codec has coded the picture. */
struct rp_av1_headers_result {
    bool has_overrides; /* the codec coded something else than was asked for */
    bool has_failed;    /* it says what no header can */
    uint32_t tile_count;
    uint32_t tile_size_field_B; /* in front of each tile but the last */
};

/* For write_headers() of a job. */
struct rp_av1_headers {
    struct rp_av1_state stream; /* in front of the picture */
    struct rp_av1_frame frame;  /* the header, but for what the codec says */
    bool has_extension;
    const StdVideoEncodeAV1PictureInfo *asked; /* borrowed: by the application */
    struct rp_av1_headers_result *result;      /* borrowed */
};

struct rp_av1_encode_picture {
    struct rp_encode_picture common; /* first */
    struct rp_av1_encode_job job;
    uint64_t number;
    struct rp_av1_headers headers;
    uint64_t numbers[RP_AV1_REFERENCES]; /* as in the session, in front of the picture */
    struct rp_av1_headers_result headers_result;
    StdVideoEncodeAV1PictureInfo std; /* after overrides, and what it points to */
    StdVideoAV1TileInfo tiles;
    StdVideoAV1LoopFilter loop_filter;
    StdVideoAV1Quantization quantization;
    uint32_t tile_sizes_B[RP_AV1_ENCODE_MAX_TILE_COLS * RP_AV1_ENCODE_MAX_TILE_ROWS];
};

static inline struct rp_av1_encode_picture *
rp_av1_encode_picture_of(struct rp_encode_picture *pic)
{
    return (struct rp_av1_encode_picture *)pic;
}

static inline const VkVideoEncodeAV1PictureInfoKHR *
rp_av1_picture_info(const struct rp_encode_request *request)
{
    return request->picture;
}

/* encode_resolve.c: fills in job, headers and the rest from the request. */
enum rp_codec_status rp_av1_encode_resolve(struct rp_video_encode *enc,
                                           const struct rp_encode_request *request,
                                           struct rp_encode_picture *pic) RP_MUST_CHECK;
void rp_av1_encode_advance(struct rp_video_encode *enc, const struct rp_encode_picture *pic);

/* encode_references.c: slots by name, the reconstruction, and the stream in front of the
 * picture. */
enum rp_codec_status rp_av1_resolve_references(const struct rp_encode_request *request,
                                               struct rp_av1_encode_picture *pic) RP_MUST_CHECK;
/* The picture has begun: what is known of its slot. */
void rp_av1_know_picture(struct rp_av1_encode_state *state,
                         const struct rp_av1_encode_picture *pic);

/* encode_overrides.c: the application's picture with what our encoder does not do taken out: true
 * when something was. */
bool rp_av1_override_picture(const StdVideoEncodeAV1PictureInfo *asked,
                             const struct rp_av1_sequence *seq, struct rp_av1_encode_picture *pic);
/* Whether the codec coded what was asked for. */
bool rp_av1_is_coded_as_asked(const StdVideoEncodeAV1PictureInfo *asked,
                              const struct rp_av1_sequence *seq, const struct rp_av1_frame *frame,
                              const struct rp_av1_coded_picture *coded);

/* encode_headers.c: the header that the picture will have, as far as the application says it. False
 * when no header can say so. */
bool rp_av1_headers_init(const StdVideoEncodeAV1PictureInfo *std,
                         const struct rp_av1_encode_job *job,
                         struct rp_av1_headers *headers) RP_MUST_CHECK;
/* What a job calls. ctx: struct rp_av1_headers. */
void rp_av1_write_headers(const void *ctx, const struct rp_av1_coded_picture *coded,
                          size_t tile_group_B, struct rp_bits *bits);

#endif
