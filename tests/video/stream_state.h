/* SPDX-License-Identifier: MIT */
/* What a stream keeps; private to stream*.c.
 */
#ifndef RP_TESTS_VIDEO_STREAM_STATE_H
#define RP_TESTS_VIDEO_STREAM_STATE_H

#include "stream.h"

#include "test.h"

#define CHECK(call) REQUIRE_EQ((call), VK_SUCCESS)

/* Start of a picture in its buffer: unaligned on purpose, as clients do. */
#define DST_OFFSET_B STREAM_OPENING_B
#define GUARD 0xa5

/* All that a picture in flight owns. */
struct shot {
    bool is_busy;
    uint32_t number;
    VkCommandBuffer cb;
    VkFence fence; /* not used: the queue is waited for */
    struct vk_image src;
    struct vk_image map;
    struct vk_buffer map_staging;
    struct vk_buffer staging; /* the source as the image's planes */
    struct vk_buffer dst;
    struct vk_buffer readback;
    uint8_t *source; /* planar */

    struct stream_picture pic;
    struct dpb_picture numbers;
    uint32_t quality_level; /* that codes the picture */
    bool has_filter;        /* in one of its slices */
    StdVideoEncodeH264PictureInfo std;
    StdVideoEncodeH264ReferenceListsInfo lists;
    StdVideoEncodeH264RefListModEntry mods[2][20];
    StdVideoEncodeH264RefPicMarkingEntry marks[20];
    struct dpb_frame refs[STREAM_MAX_SLOTS]; /* as of this picture */
    uint32_t ref_count;
    uint32_t dirty_counts[STREAM_MAX_SLOTS]; /* of refs */
    StdVideoEncodeH264SliceHeader headers[STREAM_MAX_SLICES];
    VkVideoEncodeH264NaluSliceInfoKHR slices[STREAM_MAX_SLICES];
};

struct kept {
    uint8_t *recon;  /* planar; NULL: the picture has none */
    uint8_t *source; /* planar */
    uint32_t size_B;
    bool is_sent;
    bool is_seen;
};

struct decoder;
struct openh264;

struct stream {
    struct vk *vk;
    struct stream_options options;
    VkVideoEncodeH264ProfileInfoKHR h264_profile;
    VkVideoEncodeProfileRgbConversionInfoVALVE rgb_profile;
    VkVideoProfileInfoKHR profile;
    VkVideoProfileListInfoKHR profiles;
    struct video_session session;
    VkVideoSessionParametersKHR params;
    VkQueryPool queries;
    VkSemaphore chain[STREAM_MAX_SHOTS];   /* of a chained stream; values: pictures that are done */
    struct vk_image dpb[STREAM_MAX_SLOTS]; /* one, when it is layered */
    uint8_t headers[512];
    size_t headers_B;

    struct dpb_model model;
    uint32_t idr_count;
    uint32_t prepared_count;
    uint32_t quality_level;                  /* as of the last picture recorded */
    uint32_t dirty_counts[STREAM_MAX_SLOTS]; /* by slot: regions not refreshed yet */
    struct shot shots[STREAM_MAX_SHOTS];
    struct decoder *decoder;
    struct openh264 *second; /* NULL after what it cannot read, until the next IDR picture */
    uint32_t second_count;   /* pictures sent to it */
    int32_t second_poc;      /* of the last one */
    struct kept *kept;
    uint32_t kept_capacity;
    uint64_t hash;
    int32_t worst_psnr;
    struct stream_halves halves;
};

/* The parameter sets of a stream; sps points to vui, and vui to hrd. */
void stream_fill_sps(const struct stream_options *o, StdVideoH264SequenceParameterSet *sps,
                     StdVideoH264SequenceParameterSetVui *vui, StdVideoH264HrdParameters *hrd);
/* VK_NULL_HANDLE when the sets are refused. */
VkVideoSessionParametersKHR stream_create_parameters(const struct stream *s,
                                                     const StdVideoH264SequenceParameterSet *sps,
                                                     const StdVideoH264PictureParameterSet *pps);
void stream_fill_pps(const struct stream_options *o, StdVideoH264PictureParameterSet *pps);

static inline size_t
frame_B(const struct stream *s)
{
    return (size_t)s->options.width_px * s->options.height_px * 3 / 2;
}

static inline uint32_t
width_mb(const struct stream *s)
{
    return (s->options.width_px + 15) / 16;
}

static inline uint32_t
height_mb(const struct stream *s)
{
    return (s->options.height_px + 15) / 16;
}

/* More than level 5.2 allows, the last that the second decoder knows. */
static inline bool
stream_is_large(const struct stream_options *o)
{
    return ((o->width_px + 15) / 16) * ((o->height_px + 15) / 16) > 36864;
}

static inline VkImageUsageFlags
map_usage(VkFormat format)
{
    return format == VK_FORMAT_R8_UNORM
               ? VK_IMAGE_USAGE_VIDEO_ENCODE_EMPHASIS_MAP_BIT_KHR
               : VK_IMAGE_USAGE_VIDEO_ENCODE_QUANTIZATION_DELTA_MAP_BIT_KHR;
}

/* Bytes of one map. */
static inline size_t
map_B(const struct stream *s)
{
    const VkFormat format = s->options.map_format;
    const size_t texel_B = format == VK_FORMAT_R32_SINT ? 4 : format == VK_FORMAT_R16_SINT ? 2 : 1;
    return texel_B * width_mb(s) * height_mb(s);
}

/* Pictures that are not ordered need timelines of their own. */
static inline VkSemaphore
chain_of(const struct stream *s, uint32_t number)
{
    return s->chain[s->options.has_free_idrs ? number % s->options.shot_count : 0];
}

static inline struct shot *
shot_of(struct stream *s, uint32_t number)
{
    return &s->shots[number % s->options.shot_count];
}

/* stream_open.c */
void stream_destroy_objects(struct stream *s);

/* stream_results.c: DST_OFFSET_B bytes, as they are in front of each picture. */
void stream_write_opening(const struct stream *s, uint8_t *out);

/* stream_second.c: sends the second decoder an access unit whose reconstruction is kept. */
void stream_second_send(struct stream *s, const struct shot *shot, const uint8_t *unit,
                        size_t size_B);
void stream_second_finish(struct stream *s);

#endif
