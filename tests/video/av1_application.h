/* SPDX-License-Identifier: MIT */
/* An application that encodes one AV1 stream into slots of its own, keeps account of a decoder's
 * eight references, and holds what libdav1d decodes against the reconstructions in its DPB images.
 */
#ifndef RP_TESTS_VIDEO_AV1_APPLICATION_H
#define RP_TESTS_VIDEO_AV1_APPLICATION_H

#include "vk.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define AV1_SLOTS 9

struct av1_application_options {
    uint32_t width_px;
    uint32_t height_px;
    uint32_t bit_depth; /* 8 or 10 */
    uint32_t content;   /* seed */
    uint32_t quality_level;
    StdVideoAV1SequenceHeaderFlags tools; /* of the sequence header; times are of a decoder model */
    bool has_separate_uv_deltas;
    uint64_t average_bps; /* 0: the quantizer is constant */
    bool is_vbr;
    VkVideoEncodeAV1QIndexKHR min_q; /* with a rate */
    VkVideoEncodeAV1QIndexKHR max_q; /* 0: not limited */
    VkFormat map_format;             /* of quantization maps; 0: none */
    VkVideoEncodeIntraRefreshModeFlagBitsKHR refresh_mode;
    bool has_private_references; /* DPB images cannot be read: nothing is held against them */
    /* Or NULL: the source has texels of rgb_format, of 4 bytes, that fill() writes, and is
     * converted so. */
    const VkVideoEncodeSessionRgbConversionCreateInfoVALVE *rgb;
    VkFormat rgb_format;
    void (*fill)(uint8_t *texels, uint32_t width_px, uint32_t height_px);
};

/* A picture in front of vkCmdEncodeVideoKHR(): what a test may spoil. */
struct av1_call {
    VkVideoEncodeInfoKHR *info;
    VkVideoEncodeAV1PictureInfoKHR *av1;
    StdVideoEncodeAV1PictureInfo *std;
    VkVideoReferenceSlotInfoKHR *slots; /* info->referenceSlotCount of them */
};

/* The next picture; av1_picture_init() clears it. */
struct av1_picture {
    VkVideoEncodeAV1PictureInfoKHR info;
    StdVideoEncodeAV1PictureInfo std;
    const void *map; /* texels of map_format, one for 16x16 pixels; or NULL */
    bool has_cdef;   /* of the sequence */
    uint32_t refresh_cycle;
    uint32_t refresh_index;
    void (*change)(void *ctx, struct av1_call *call); /* or NULL */
    void *ctx;
};

struct av1_result {
    int32_t status; /* VkQueryResultStatusKHR */
    uint32_t offset_B;
    uint32_t size_B;
    bool has_overrides;
    int32_t min_q; /* these of pictures that are COMPLETE */
    int32_t max_q;
    uint32_t intra_px;
    uint32_t inter_px;
    uint32_t tile_count;
    const uint8_t *data; /* at dstBufferOffset, until the next picture */
};

struct av1_application;

/* NULL: the device does not encode AV1 of this bit depth. */
struct av1_application *av1_open(struct vk *vk, const struct av1_application_options *options);
void av1_close(struct av1_application *app);

/* Shown, or hidden; intra, of no reference, until more is said. What is hidden may be shown
 * later. */
void av1_picture_init(struct av1_picture *pic, StdVideoAV1FrameType type, uint32_t order_hint,
                      bool is_shown);

/* The name (0: LAST_FRAME) is the decoder's reference index, and predicts from its slot. */
void av1_picture_name(const struct av1_application *app, struct av1_picture *pic, uint32_t name,
                      uint32_t index);

/* A slot that none of the references that stay has. */
int32_t av1_free_slot(const struct av1_application *app, uint32_t refresh_frame_flags);

/* Encodes content of this time into the slot (-1: none) and waits. A picture that is COMPLETE goes
 * to the decoder, which shall show its reconstruction. */
struct av1_result av1_encode_picture(struct av1_application *app, const struct av1_picture *pic,
                                     int32_t slot, uint32_t time);

/* Copies the samples of a slot's DPB image to another's, or back to itself. */
void av1_copy_slot(struct av1_application *app, int32_t from, int32_t to);

/* The planes of the reference, as libdav1d shows it: each 8 bits, or 10 in 16. */
const uint8_t *av1_planes(const struct av1_application *app, uint32_t index);

/* content_psnr() of columns of the reference against what was encoded at this time; 8 bits. */
int32_t av1_psnr(const struct av1_application *app, uint32_t index, uint32_t time,
                 uint32_t first_px, uint32_t width_px);

/* Encodes without judging or keeping what comes of it; the stream does not go on. Returns the
 * status of the query. What is behind the range in the buffer has stayed as it was. */
int32_t av1_try(struct av1_application *app, const struct av1_picture *pic, int32_t slot);

/* Whether the reference can be shown; shows it. */
bool av1_is_showable(const struct av1_application *app, uint32_t index);
void av1_show(struct av1_application *app, uint32_t index);

/* What has been written of an intact stream. */
const uint8_t *av1_stream(const struct av1_application *app, size_t *size_B);

bool av1_has_cdef(const struct av1_application *app); /* the sequence has */
/* Whether the driver changed the sequence header. */
bool av1_has_sequence_overrides(const struct av1_application *app);

#endif
