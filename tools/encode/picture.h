/* SPDX-License-Identifier: MIT */
/* One picture: recorded, submitted, collected.
 */
#ifndef RP_TOOLS_ENCODE_PICTURE_H
#define RP_TOOLS_ENCODE_PICTURE_H

#include "tools/encode/av1.h"
#include "tools/encode/encoder_state.h"
#include "tools/encode/h264.h"
#include "tools/encode/h265.h"

/* What the driver is told of a picture. Everything points into the structure itself. */
struct picture_info {
    struct gop_picture picture;
    VkVideoPictureResourceInfoKHR resources[ENCODER_MAX_SLOTS];
    VkVideoReferenceSlotInfoKHR references[ENCODER_MAX_SLOTS]; /* refs, then the setup slot; the
                                                                  codec chains something to each */
    uint32_t ref_count;
    const void *chain; /* the codec's, of VkVideoEncodeInfoKHR */
    union {
        struct h264_picture h264;
        struct h265_picture h265;
        struct av1_picture av1;
    } codec;
};

/* Resets the session and sets rate control and quality level; waits for it. */
void session_initialize(struct encoder *enc, VkCommandBuffer cb);

/* Records and submits flight->picture, which the group of pictures has next. */
void picture_submit(struct encoder *enc, struct flight *flight, struct source *source);

/* Waits for the picture and hands its bytes and its reconstruction on. */
void picture_collect(struct encoder *enc, struct flight *flight);

#endif
