/* SPDX-License-Identifier: MIT */
/* The picture resources of video commands: kept when they are recorded, and from there to images
 * and pixels when they are replayed.
 */
#ifndef RP_CMD_VIDEO_PICTURE_H
#define RP_CMD_VIDEO_PICTURE_H

#include "object/image.h"
#include "reelpipe/picture.h"
#include "util/arena.h"
#include "util/compiler.h"

#include <vulkan/vulkan_core.h>

#include <stdbool.h>
#include <stdint.h>

struct rp_describe;

/* Has a recorded copy name what its view is now, be it destroyed later: where frames are missing in
 * a stream FFmpeg destroys views of references while the picture is pending. info may be NULL.
 * False when memory is short. */
bool rp_video_picture_keep(struct rp_arena *arena,
                           const VkVideoPictureResourceInfoKHR *info) RP_MUST_CHECK;

/* rp_video_picture_keep() for the pictures of slots. */
bool rp_video_slots_keep(struct rp_arena *arena, const VkVideoReferenceSlotInfoKHR *slots,
                         uint32_t count) RP_MUST_CHECK;

/* For captures: copies that are to be written name the views of the application again. */
void rp_video_slots_name(const VkVideoReferenceSlotInfoKHR *slots, uint32_t count);
void rp_video_picture_name(const VkVideoPictureResourceInfoKHR *info);

/* What a captured picture reaches (capture/memory.h): its own image, and those of slots, which the
 * picture names or the open scope alone. info and slots may be NULL. */
void rp_video_picture_touch(struct rp_describe *d, const VkVideoPictureResourceInfoKHR *info,
                            uint32_t access);
void rp_video_slots_touch(struct rp_describe *d, const VkVideoReferenceSlotInfoKHR *slots,
                          uint32_t count, uint32_t access);

/* The image and the layer of it; NULL when there is no picture to be had: no resource, no view, the
 * coded offset outside of the image. info may be NULL. */
struct rp_image *rp_video_picture_image(const VkVideoPictureResourceInfoKHR *info,
                                        uint32_t *layer_out);

/* The layer's pixels from offset_px on; the size is the caller's. False for what is not
 * 4:2:0 of 8 bits or P010, and without memory. */
bool rp_video_picture_planes(const struct rp_image *img, uint32_t layer, VkOffset2D offset_px,
                             struct rp_picture *out);

/* What the slot is bound to, said by the picture or by the scope only; or NULL. */
const VkVideoPictureResourceInfoKHR *
rp_video_slot_resource(const VkVideoBeginCodingInfoKHR *begin,
                       const VkVideoReferenceSlotInfoKHR *slot);

#endif
