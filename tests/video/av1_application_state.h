/* SPDX-License-Identifier: MIT */
/* The state of av1_application.h: av1_application.c makes it, av1_pictures.c keeps account of
 * pictures and references, av1_record.c records the commands.
 */
#ifndef RP_TESTS_VIDEO_AV1_APPLICATION_STATE_H
#define RP_TESTS_VIDEO_AV1_APPLICATION_STATE_H

#include "av1_application.h"

#include "test.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CHECK(call) REQUIRE_EQ((call), VK_SUCCESS)

#define AV1_REFERENCES STD_VIDEO_AV1_NUM_REF_FRAMES
#define AV1_NAMES STD_VIDEO_AV1_REFS_PER_FRAME
#define AV1_BITSTREAM_B (4u << 20)
#define AV1_STREAM_B (32u << 20)
#define AV1_MAX_TILES 64u /* of which feedback is looked at */

struct judge; /* of tests/codec_aom/judge.h */

/* One of a decoder's references. */
struct av1_reference {
    int32_t slot;   /* -1: none */
    uint8_t *shown; /* planar, as the judge wants it */
    StdVideoAV1FrameType type;
    bool is_showable;
    uint8_t order_hint;
};

struct av1_application {
    struct vk *vk;
    struct av1_application_options options;
    VkVideoEncodeProfileRgbConversionInfoVALVE rgb_profile;
    VkVideoEncodeAV1ProfileInfoKHR av1_profile;
    VkVideoProfileInfoKHR profile;
    VkVideoProfileListInfoKHR profiles;
    struct video_session session;
    VkVideoSessionParametersKHR parameters;
    uint8_t sequence[256];
    size_t sequence_B;
    bool has_sequence_overrides;
    struct vk_image source;
    struct vk_image dpb[AV1_SLOTS];
    struct vk_image map;
    struct vk_buffer staging;
    struct vk_buffer bitstream;
    VkQueryPool queries;
    bool is_active[AV1_SLOTS];
    bool is_begun;
    struct judge *judge;
    struct av1_reference references[AV1_REFERENCES];
    uint8_t *stream; /* of AV1_STREAM_B */
    size_t stream_B;
    size_t unit_at;          /* in the stream: since a picture was shown */
    VkDeviceSize range_B;    /* of the last picture, from the start of bitstream */
    uint32_t image_width_px; /* even */
    uint32_t image_height_px;
};

/* Records, submits and awaits the coding of the source image into the slot (-1: none). */
void av1_record(struct av1_application *app, const struct av1_picture *pic, int32_t slot);

#endif
