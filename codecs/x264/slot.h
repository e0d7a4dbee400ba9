/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The codec's half of one DPB picture: x264's frame of it, and what later pictures must know.
 *
 * Everything but the frame's samples and motion is final when begin() of the picture that writes
 * the slot has returned, and stays until nobody uses it: encoders read it without a lock.
 */
#ifndef RP_CODECS_X264_SLOT_H
#define RP_CODECS_X264_SLOT_H

#include "context.h"

/* Where a slot's content came from. */
struct rp_x264_origin {
    uint64_t serial; /* of the content, unique in the encoder; 0: nothing yet */
    int32_t poc;     /* when it was coded */
    uint32_t slice_type;
    bool is_adopted;    /* pixels alone: motion, types and references are not known */
    uint32_t ref_count; /* list 0 */
    uint64_t ref_serial[RP_H264_MAX_REFS];
    int32_t ref0_distance; /* its POC - POC of RefPicList0[0] */
};

struct rp_h264_slot {
    x264_frame_t *frame;   /* NULL until first used; row progress counts in it */
    x264_frame_t geometry; /* the frame as it was made: planes, strides, arrays */
    bool has_half_pel;     /* the half-pel planes are those of the content */
    bool is_in_place;      /* the planes are the application's image */
    x264_frame_t *lowres;  /* the picture's source with half-size planes; NULL until needed */
    bool has_lowres;       /* lowres is of the content; pictures with rate control see to it */
    struct rp_x264_origin origin;
    uint32_t user_count; /* jobs begun and not ended; guarded by the encoder's mutex */
};

bool rp_x264_slot_has_extent(const struct rp_h264_slot *slot, const struct rp_x264_config *config);

/* True when the slot's frame has the extent and the planes that config works with. */
bool rp_x264_slot_fits(const struct rp_h264_slot *slot, const struct rp_x264_config *config);

/* True when pictures of config can refer to the slot's content. */
bool rp_x264_slot_is_complete(const struct rp_h264_slot *slot, const struct rp_x264_config *config);

/* Makes that true for a slot that fits. */
void rp_x264_slot_filter(struct rp_h264_slot *slot, struct rp_x264_context *ctx);

/* Makes a frame for ctx. What the slot held is lost. False when memory is short. */
bool rp_x264_slot_make_frame(struct rp_h264_slot *slot, struct rp_x264_context *ctx);

/* True when the slot's planes are those of picture, as far as picture can be used in place. */
bool rp_x264_slot_is_bound(const struct rp_h264_slot *slot,
                           const struct rp_h264_dpb_picture *picture);

/* Lets the slot's planes be picture's where its layout permits, else the frame's own. */
void rp_x264_slot_bind(struct rp_h264_slot *slot, const struct rp_h264_dpb_picture *picture);

/* Takes the pixels as a reference whose coding is not known. When keeps_old, they are those the
 * slot has in another frame (of another quality level). False when memory is short. */
bool rp_x264_slot_adopt(struct rp_h264_slot *slot, struct rp_x264_context *ctx,
                        const struct rp_h264_dpb_picture *picture, bool keeps_old, uint64_t serial);

/* Makes slot->lowres when it is not there: from the reconstruction. False when memory is short. */
bool rp_x264_slot_need_lowres(struct rp_h264_slot *slot, struct rp_x264_context *ctx);

/* The source just coded becomes slot->lowres. */
void rp_x264_slot_take_lowres(struct rp_h264_slot *slot, struct rp_x264_context *ctx);

/* Copies the reconstruction to an image that is not coded in place. */
void rp_x264_slot_copy_out(const struct rp_h264_slot *slot, const struct rp_picture *out);

/* The frame says that its rate is not known. */
void rp_x264_frame_clear_rate(x264_frame_t *frame, const x264_t *h);

/* A picture of config is going to be coded into the slot: no row is done yet, who reads waits. */
void rp_x264_slot_start(struct rp_h264_slot *slot, const struct rp_x264_config *config);

/* All rows are done, be it because coding failed. */
void rp_x264_slot_complete(struct rp_h264_slot *slot);

/* Returns when they are. */
void rp_x264_slot_wait(struct rp_h264_slot *slot);

void rp_x264_slot_drop_frame(struct rp_h264_slot *slot);

#endif
