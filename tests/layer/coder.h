/* SPDX-License-Identifier: MIT */
/* An application that has single pictures encoded by a lent queue: IDR pictures of H.264 with a
 * constant quantizer, so that equal pictures are equal bytes.
 */
#ifndef RP_TESTS_LAYER_CODER_H
#define RP_TESTS_LAYER_CODER_H

#include "fixture.h"
#include "tools/client/video_session.h"

#define CODER_WIDTH_PX 64u
#define CODER_HEIGHT_PX 64u
#define CODER_PICTURE_B (CODER_WIDTH_PX * CODER_HEIGHT_PX * 3 / 2) /* NV12 */

struct coder {
    struct fixture *f;
    struct video_device device;
    uint32_t family;
    VkQueue queue;
    VkVideoEncodeH264ProfileInfoKHR h264;
    VkVideoProfileInfoKHR profile;
    VkVideoProfileListInfoKHR profiles;
    struct video_session session;
    VkVideoSessionParametersKHR parameters;
    struct test_image dpb;
    VkImageView dpb_view;
    VkBuffer bitstream;
    VkDeviceMemory memory;
    const uint8_t *bytes; /* of bitstream */
    VkQueryPool queries;  /* two; pictures use the first */
    VkCommandPool pool;
    VkCommandBuffer cb;
    bool is_controlled; /* the session's rate control has been set by a picture before */
};

/* The parameter sets of its streams. */
extern const StdVideoH264SequenceParameterSet coder_sps;
extern const StdVideoH264PictureParameterSet coder_pps;

/* The first family that codes so; UINT32_MAX: none does. */
uint32_t coder_family(VkPhysicalDevice pdev, VkVideoCodecOperationFlagsKHR operation);

/* A coder of the device's family that encodes H.264; sharing: of the bitstream buffer, NULL:
 * EXCLUSIVE. */
void coder_init(struct fixture *f, struct coder *out, const VkBufferCreateInfo *sharing);
void coder_finish(struct coder *coder);

/* A source: NV12 of so many layers, with what is changed in info. Fills nothing. */
VkImageCreateInfo coder_image_info(const struct coder *coder, uint32_t layer_count);

/* A view of all layers from first on. */
VkImageView coder_view_create(const struct coder *coder, VkImage image, uint32_t first,
                              uint32_t layer_count);

/* A picture with a pattern of this seed: NV12 without padding. */
struct test_buffer coder_picture_create(struct fixture *f, uint32_t seed);

/* Fills a layer with the pattern of this seed by f->queue, from UNDEFINED to the layout. A release
 * to the family is part of it, UINT32_MAX: none. */
void coder_fill(struct coder *coder, VkImage image, uint32_t layer, uint32_t seed,
                VkImageLayout layout, uint32_t to_family);

/* coder->cb begins; a picture is recorded; cb ends. has_reset: the query is reset in it. */
void coder_begin(struct coder *coder);
void coder_record(struct coder *coder, VkImageView view, uint32_t layer, bool has_reset);
void coder_end(struct coder *coder);

/* Submits cb with a fence and waits. Returns the bytes of the picture; they are coder->bytes. */
uint32_t coder_run(struct coder *coder);
uint32_t coder_result(struct coder *coder);

/* The barrier that brings an image into the layout of sources, in coder->cb. */
void coder_acquire(struct coder *coder, VkImage image, uint32_t layer, VkImageLayout from,
                   uint32_t from_family);

#endif
