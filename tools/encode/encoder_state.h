/* SPDX-License-Identifier: MIT */
/* What an encoder is made of; its parts are session.c, dpb.c, source.c and picture.c.
 */
#ifndef RP_TOOLS_ENCODE_ENCODER_STATE_H
#define RP_TOOLS_ENCODE_ENCODER_STATE_H

#include "tools/encode/av1_sequence.h"
#include "tools/encode/codec.h"
#include "tools/encode/encoder.h"
#include "tools/encode/gop.h"
#include "tools/encode/h264_sets.h"
#include "tools/encode/h265_sets.h"

#include <stdbool.h>
#include <stdint.h>

#define ENCODER_MAX_SLOTS GOP_MAX_SLOTS
#define ENCODER_MAX_HELD (GOP_MAX_B + 1)

/* The video profile, a chain that every resource of the session names. */
struct profile {
    VkVideoEncodeUsageInfoKHR usage;
    union {
        VkVideoEncodeH264ProfileInfoKHR h264;
        VkVideoEncodeH265ProfileInfoKHR h265;
        VkVideoEncodeAV1ProfileInfoKHR av1;
    } codec;
    VkVideoProfileInfoKHR info;
    VkVideoProfileListInfoKHR list; /* chained to images and buffers */
};

struct capabilities {
    union {
        VkVideoEncodeH264CapabilitiesKHR h264;
        VkVideoEncodeH265CapabilitiesKHR h265;
        VkVideoEncodeAV1CapabilitiesKHR av1;
    } codec;
    VkVideoEncodeCapabilitiesKHR encode;
    VkVideoCapabilitiesKHR video;
};

/* The rate control state: given when it is set, and again in every begin. */
struct rate_control {
    VkVideoEncodeRateControlLayerInfoKHR layer;
    union {
        VkVideoEncodeH264RateControlInfoKHR h264;
        VkVideoEncodeH265RateControlInfoKHR h265;
        VkVideoEncodeAV1RateControlInfoKHR av1;
    } codec;
    VkVideoEncodeRateControlInfoKHR info;
};

/* An image that pictures are encoded from, and the buffer it is filled from. */
struct source {
    struct gpu_image image;
    struct gpu_buffer staging;
    VkCommandBuffer cb;
    uint64_t copied;  /* the copy timeline's value after the last upload */
    uint64_t encoded; /* the encode timeline's value after the last picture from it */
};

/* One picture on its way through the device. */
struct flight {
    VkCommandBuffer cb;
    struct gpu_buffer bitstream;
    uint32_t query;
    uint64_t done; /* the encode timeline's value then; 0: idle */
    struct gop_picture picture;
};

struct encoder {
    struct gpu *gpu; /* borrowed */
    struct encoder_settings settings;
    struct profile profile;
    struct capabilities caps;
    struct rate_control rate;
    union {
        struct h264_sets h264;
        struct h265_sets h265;
        struct av1_sequence av1;
    } sets;
    struct gop gop;
    uint32_t held[ENCODER_MAX_HELD]; /* source images of pictures that wait for later ones, by their
                                        number in the order of display */
    uint64_t held_count;             /* so far */

    struct video_session session;
    VkVideoSessionParametersKHR parameters;
    uint8_t *header; /* owned: the parameter sets as the driver writes them */
    size_t header_B;

    VkFormat dpb_format;
    struct gpu_image dpb[ENCODER_MAX_SLOTS]; /* the first alone when has_layered_dpb */
    bool has_layered_dpb;                    /* each slot is a layer of dpb[0] */
    uint32_t slot_count;
    struct gpu_buffer readback; /* when reconstructions are wanted */
    VkCommandBuffer readback_cb;

    VkCommandPool copy_pool;
    VkCommandPool encode_pool;
    VkQueryPool queries;
    VkSemaphore copied; /* timelines of the two queues */
    VkSemaphore encoded;
    uint64_t copied_value; /* the last one that was submitted */
    uint64_t encoded_value;

    struct source *sources; /* owned array of settings.source_count */
    struct flight *flights; /* owned array of settings.in_flight */
    uint64_t picture_count; /* submitted */

    uint8_t *early; /* owned: coded pictures that wait for one that is displayed before them */
    size_t early_B;
    uint32_t external_B; /* written beside the device's bytes since the last picture */
    bool has_early;      /* a picture that was submitted waits there, or will */
};

static inline VkExtent2D
encoder_extent(const struct encoder *enc)
{
    return (VkExtent2D){enc->settings.width_px, enc->settings.height_px};
}

/* The quantizer of a picture, when no rate is controlled. */
static inline int32_t
encoder_q(const struct encoder *enc, const struct gop_picture *picture)
{
    if (picture->is_key)
        return enc->settings.q_key;
    return picture->is_b ? enc->settings.q_b : enc->settings.q_p;
}

/* All quantizers that there is use for. */
static inline bool
encoder_q_is_within(const struct encoder *enc, int32_t min, int32_t max)
{
    const struct encoder_settings *settings = &enc->settings;

    return settings->q_key >= min && settings->q_key <= max && settings->q_p >= min &&
           settings->q_p <= max &&
           (settings->b_frames == 0 || (settings->q_b >= min && settings->q_b <= max));
}

/* extent rounded up to whole granules. */
static inline VkExtent2D
extent_round_up(VkExtent2D extent, VkExtent2D granule)
{
    return (VkExtent2D){
        (extent.width + granule.width - 1) / granule.width * granule.width,
        (extent.height + granule.height - 1) / granule.height * granule.height,
    };
}

#endif
