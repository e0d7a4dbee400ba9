/* SPDX-License-Identifier: MIT */
/* An application that decodes what a stream encodes, picture by picture.
 */
#ifndef RP_TESTS_VIDEO_DECODE_CLIENT_H
#define RP_TESTS_VIDEO_DECODE_CLIENT_H

#include "stream.h"
#include "stream_state.h"

#define DECODE_MAX_SHOTS 16 /* pictures that may be recorded at once */
#define DECODE_MAX_PICTURE_B 400000u

/* A decode session with one image for each slot. */
struct decode {
    struct vk *vk;
    struct stream *stream; /* that is decoded; not owned */
    VkVideoDecodeH264ProfileInfoKHR h264_profile;
    VkVideoProfileInfoKHR profile;
    VkVideoProfileListInfoKHR profiles;
    VkVideoProfileInfoKHR image_profile_infos[2]; /* this one, and the stream's */
    VkVideoProfileListInfoKHR image_profiles;
    struct video_session session;
    VkVideoSessionParametersKHR params;
    VkQueryPool status;
    VkCommandPool pool;
    VkCommandBuffer cbs[DECODE_MAX_SHOTS];
    struct vk_buffer bitstream;
    struct vk_image dpb[STREAM_MAX_SLOTS]; /* of two layers at first, or another session's */
    uint32_t layer;                        /* that pictures are in */
    uint32_t layer_step;                   /* from one slot's to the next */
    bool has_own_images;
    const VkVideoPictureResourceInfoKHR *output; /* of the next picture; NULL: its slot's */
    bool has_reset; /* pictures that are recorded now come after one, like IDR pictures */
    StdVideoDecodeH264ReferenceInfo infos[STREAM_MAX_SLOTS]; /* what is in each slot */
    bool has_no_source; /* of pictures that are recorded now: behind the end of the buffer */
};

/* One picture of a stream, to be decoded. */
struct decode_source {
    StdVideoDecodeH264PictureInfo std;
    int32_t slot;
    int32_t ref_slot; /* -1: an IDR picture */
    uint8_t *data;    /* owned */
    size_t size_B;
    const uint8_t *recon; /* of the stream */
};

/* The references of one picture, as begin and decode list them. */
struct slots {
    uint32_t count;
    VkVideoPictureResourceInfoKHR resources[STREAM_MAX_SLOTS + 1];
    VkVideoDecodeH264DpbSlotInfoKHR h264[STREAM_MAX_SLOTS + 1];
    VkVideoReferenceSlotInfoKHR infos[STREAM_MAX_SLOTS + 1];
};

struct decode *decode_open(struct vk *vk, struct stream *stream);

/* With images that have these usages too. */
struct decode *decode_open_for(struct vk *vk, struct stream *stream, VkImageUsageFlags usage);

/* In the second layer of another session's images, which must stay. */
struct decode *decode_open_beside(struct vk *vk, struct stream *stream, const struct decode *other);

/* In an image for all slots, a layer for each from first_layer on. */
struct decode *decode_open_in(struct vk *vk, struct stream *stream, const struct vk_image *img,
                              uint32_t first_layer, uint32_t max_dpb_slots);
void decode_close(struct decode *d);

/* Encodes picture i of a chain (pictures.h) with the stream, and notes what its slot has. */
struct decode_source decode_source_make(struct decode *d, uint32_t i);
/* Another one as picture i; with one reference at most. */
struct decode_source decode_source_make_of(struct decode *d, uint32_t i,
                                           const struct stream_picture *pic);

/* Adds the slot's picture, as its infos[] say. */
void decode_slots_add(struct slots *slots, const struct decode *d, int32_t slot);

/* Records a picture into the command buffer of a shot. Its bytes are copied, its query is the
 * shot's. */
void decode_record(struct decode *d, uint32_t shot, const StdVideoDecodeH264PictureInfo *std,
                   struct slots *slots, int32_t setup_slot, const uint8_t *data, size_t size_B);

/* VkQueryResultStatusKHR; the picture is complete. */
int32_t decode_status(struct decode *d, uint32_t shot);

#endif
