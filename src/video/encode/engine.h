/* SPDX-License-Identifier: MIT */
/* The encode engine of one video session: from what a command says of a picture to a job of the
 * codec.
 *
 * engine.c                       sessions, and the life of a picture
 * session.h                      what a session and a picture keep
 * picture.c                      steps of resolving a picture that all standards have
 * slots                          the codec's halves of DPB pictures, by image
 * rate                           rate control as it is set by commands
 * quantization_map, intra_refresh
 * standard.h                     what a standard has to provide: it builds the job (h264/resolve.c)
 *
 * All calls but rp_encode_picture_run() come from a thread that replays, in the order of its
 * commands: state (rate control, numbering, which pictures are known) is resolved there and nowhere
 * else. Of two queues there may be two such threads at once: FFmpeg spreads its pictures over the
 * queues of the family, and nothing orders IDR pictures that follow each other.
 */
#ifndef RP_VIDEO_ENCODE_ENGINE_H
#define RP_VIDEO_ENCODE_ENGINE_H

#include "util/compiler.h"
#include "video/encode/intra_refresh.h"
#include "video/encode/quantization_map.h"
#include "video/encode/rate.h"
#include "video/encode/slots.h"
#include "video/rgb/convert.h"

#include "reelpipe/encode.h"
#include "reelpipe/picture.h"

#include <vulkan/vulkan_core.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RP_ENCODE_MAX_REFERENCES 33u /* slots that one command may list */

struct rp_encode_picture;
struct rp_encode_standard;
struct rp_video_parameters;
struct rp_video_encode;
struct rp_workers;

struct rp_video_encode_info {
    const struct rp_encode_standard *standard;
    const struct rp_encode_codec *codec;
    struct rp_workers *workers;
    uint32_t max_dpb_slots;
    const struct rp_rgb_conversion *rgb; /* of sessions with RGB input, else NULL; copied */
};

/* NULL when memory is short. */
struct rp_video_encode *rp_video_encode_create(const struct rp_video_encode_info *info);
void rp_video_encode_destroy(struct rp_video_encode *enc); /* accepts NULL; nothing is in flight */

/* vkCmdControlVideoCodingKHR. A reset keeps the pictures that the codec knows. */
void rp_video_encode_reset(struct rp_video_encode *enc);
void rp_video_encode_set_rate(struct rp_video_encode *enc,
                              const struct rp_encode_rate_control *rate);
/* The rate control that the application believes to be set. Where its bit rates are neither those
 * that are set nor those that it believed in before, they are set: so GStreamer changes them. */
void rp_video_encode_expect_rate(struct rp_video_encode *enc,
                                 const struct rp_encode_rate_control *rate);
void rp_video_encode_set_quality(struct rp_video_encode *enc, uint32_t quality_level);

/* Pixels of a picture resource. */
struct rp_encode_resource {
    struct rp_picture_key key;
    uint64_t generation;      /* of the image */
    struct rp_picture pixels; /* from the coded offset to the end of the image */
    bool is_padded;           /* the image has the codec's layout, and the offset is 0 */
};

struct rp_encode_reference {
    int32_t slot_index;
    struct rp_encode_resource resource;
    const void *info;            /* of the standard's reference_info_type */
    uint32_t dirty_region_count; /* of intra refresh */
};

/* One vkCmdEncodeVideoKHR. What it points to stays as it is until the picture is finished. */
struct rp_encode_request {
    uint64_t sequence; /* of the submission: submitted later is larger */
    const struct rp_video_parameters *parameters;
    const void *picture;           /* of the standard's picture_info_type, or NULL */
    struct rp_encode_resource src; /* of RGB input the extent alone */
    struct rp_rgb_source rgb;
    VkExtent2D coded_extent_px;
    bool has_setup;
    struct rp_encode_resource setup;
    const struct rp_encode_reference *refs; /* of the call only */
    uint32_t ref_count;
    struct rp_quantization_map map; /* of the call only */
    struct rp_intra_refresh refresh;
    uint32_t preceding_B; /* of the access unit, written by the application; 0: see for yourself */
    const uint8_t *dst_buffer; /* up to dst it may be looked at; or NULL */
    uint8_t *dst;
    size_t dst_capacity_B;
    /* Or NULL: called when the picture has begun, before another one of the session can, so that
     * they are run in that order. Shall not wait. */
    void (*queue)(void *ctx, struct rp_encode_picture *pic);
    void *queue_ctx;
};

struct rp_encode_feedback {
    enum rp_codec_status status;
    bool has_overrides; /* the stream differs from what the application said */
    struct rp_encode_result codec;
    uint32_t partition_count;         /* slices or tiles */
    const uint32_t *partition_size_B; /* of partition_count; until the picture is finished */
};

/* Resolves the request and begins the picture in the codec. On success *out shall be run, after
 * those of the session that began earlier or while they are, and then finished; else the status
 * tells why there is no picture. may_wait: for pictures under way; without it RP_CODEC_BUSY asks
 * for another call when one of them has ended. */
enum rp_codec_status rp_encode_picture_begin(struct rp_video_encode *enc,
                                             const struct rp_encode_request *request, bool may_wait,
                                             struct rp_encode_picture **out) RP_MUST_CHECK;

/* Pictures are under way. */
bool rp_video_encode_is_busy(struct rp_video_encode *enc);

/* Encodes; on any thread. */
void rp_encode_picture_run(struct rp_encode_picture *pic);

const struct rp_encode_feedback *rp_encode_picture_feedback(const struct rp_encode_picture *pic);

/* Gives the picture back to the session. */
void rp_encode_picture_finish(struct rp_encode_picture *pic);

/* Room in the picture for the caller's own struct (a queue job), zeroed. */
#define RP_ENCODE_PICTURE_CALLER_B 192u
void *rp_encode_picture_caller(struct rp_encode_picture *pic);

#endif
