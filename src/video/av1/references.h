/* SPDX-License-Identifier: MIT */
/* An AV1 frame's references and its size, which may be that of one of them: parts of
 * uncompressed_header() for frame.c.
 */
#ifndef RP_VIDEO_AV1_REFERENCES_H
#define RP_VIDEO_AV1_REFERENCES_H

#include "video/av1/state.h"

/* From frame_refs_short_signaling to the last delta_frame_id_minus_1. */
void rp_av1_code_reference_names(struct rp_av1_syntax *syntax, const struct rp_av1_state *state,
                                 struct rp_av1_frame *frame);

/* frame_size() and render_size(), or frame_size_with_refs() where the frame may have that. */
void rp_av1_code_frame_size(struct rp_av1_syntax *syntax, const struct rp_av1_state *state,
                            struct rp_av1_frame *frame);

/* skip_mode_params() (5.9.22) */
void rp_av1_code_skip_mode(struct rp_av1_syntax *syntax, const struct rp_av1_state *state,
                           struct rp_av1_frame *frame);

/* set_frame_refs() (7.8): all names from those of LAST_FRAME and GOLDEN_FRAME. */
void rp_av1_set_frame_refs(struct rp_av1_syntax *syntax, const struct rp_av1_state *state,
                           struct rp_av1_frame *frame);

#endif
