/* SPDX-License-Identifier: MIT */
/* What an AV1 stream's headers leave to those behind them: the references (7.20, 7.21).
 */
#ifndef RP_VIDEO_AV1_STATE_H
#define RP_VIDEO_AV1_STATE_H

#include "video/av1/frame.h"

/* One of the eight frames that later ones may refer to. */
struct rp_av1_reference {
    bool is_valid; /* RefValid; else nothing but order_hint counts */
    uint32_t frame_type;
    bool showable_frame;
    uint32_t frame_id;
    uint32_t order_hint;
    struct rp_av1_frame_size size;
    struct rp_av1_color color; /* its format */
    struct rp_av1_motion_params motion;
    struct rp_av1_loop_filter_deltas loop_filter_deltas;
    struct rp_av1_segmentation_data segmentation;
    struct rp_av1_grain_model grain;
};

struct rp_av1_state {
    struct rp_av1_sequence sequence; /* as it was read: with what the syntax implies */
    struct rp_av1_reference references[RP_AV1_REFERENCES];
    bool has_frame_id; /* current_frame_id is that of the last frame */
    uint32_t current_frame_id;
    uint32_t temporal_id; /* of the OBU whose header is coded */
    uint32_t spatial_id;
};

/* What a frame is as a reference. */
struct rp_av1_reference rp_av1_reference_of(const struct rp_av1_sequence *seq,
                                            const struct rp_av1_frame *frame);

/* After a frame, or a header that shows an existing one. */
void rp_av1_state_update(struct rp_av1_state *state, const struct rp_av1_frame *frame);

/* The order hint that reference i has for this frame: its own, or what the frame says it is. */
uint32_t rp_av1_reference_order_hint(const struct rp_av1_state *state,
                                     const struct rp_av1_frame *frame, uint32_t i);

/* Whether reference i may be used by this frame: it is there, and it is the one that is meant. */
bool rp_av1_reference_is_usable(const struct rp_av1_state *state, const struct rp_av1_frame *frame,
                                uint32_t i);

/* The primary reference frame; NULL when there is none. Only for headers that were found legal up
 * to ref_frame_idx[]. */
const struct rp_av1_reference *rp_av1_primary_reference(const struct rp_av1_state *state,
                                                        const struct rp_av1_frame *frame);

#endif
