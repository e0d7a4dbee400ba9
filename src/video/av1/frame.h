/* SPDX-License-Identifier: MIT */
/* AV1's frame header (uncompressed_header(), 5.9.2), by the names of its syntax elements.
 *
 * The folder, from below: syntax (bits, both ways), obu, sequence with color; the frame header's
 * parts tile_info, quantization, filters, global_motion, film_grain; frame, with frame_size and
 * frame_refs (declared in references.h); state, which goes from frame to frame; private_stream,
 * which writes headers for the decoder, with private_headers and private_references.
 */
#ifndef RP_VIDEO_AV1_FRAME_H
#define RP_VIDEO_AV1_FRAME_H

#include "video/av1/film_grain.h"
#include "video/av1/filters.h"
#include "video/av1/global_motion.h"
#include "video/av1/quantization.h"
#include "video/av1/sequence.h"
#include "video/av1/tile_info.h"

#define RP_AV1_REFERENCES 8     /* NUM_REF_FRAMES: what can be kept */
#define RP_AV1_REFS_PER_FRAME 7 /* names, LAST_FRAME to ALTREF_FRAME */
#define RP_AV1_PRIMARY_REF_NONE 7u
#define RP_AV1_SWITCHABLE 4u /* of interpolation_filter: each block says */
#define RP_AV1_MAX_SIZE_PX 65536u

enum rp_av1_frame_type {
    RP_AV1_KEY_FRAME,
    RP_AV1_INTER_FRAME,
    RP_AV1_INTRA_ONLY_FRAME,
    RP_AV1_SWITCH_FRAME,
};

/* frame_size(), superres_params(), render_size() (5.9.5 to 5.9.9). Sizes are in pixels. */
struct rp_av1_frame_size {
    uint32_t upscaled_width; /* UpscaledWidth: after super-resolution */
    uint32_t frame_height;
    uint32_t render_width;
    uint32_t render_height;
    bool render_and_frame_size_different;
    bool use_superres;
    uint32_t coded_denom;
    uint32_t frame_width; /* FrameWidth: as coded; follows */
};

struct rp_av1_frame {
    bool show_existing_frame; /* with it, nothing but the next three counts */
    uint32_t frame_to_show_map_idx;
    uint32_t frame_presentation_time;
    uint32_t current_frame_id; /* display_frame_id */

    uint32_t frame_type; /* enum rp_av1_frame_type */
    bool show_frame;
    bool showable_frame;
    bool error_resilient_mode;
    bool disable_cdf_update;
    bool allow_screen_content_tools;
    bool force_integer_mv; /* as coded; in intra frames it is taken for 1 */
    bool frame_size_override_flag;
    uint32_t order_hint;
    uint32_t primary_ref_frame;
    bool buffer_removal_time_present_flag;
    uint32_t buffer_removal_time[RP_AV1_MAX_OPERATING_POINTS];
    uint32_t refresh_frame_flags;
    bool has_ref_order_hints; /* follows */
    uint32_t ref_order_hint[RP_AV1_REFERENCES];
    bool frame_refs_short_signaling;
    uint32_t ref_frame_idx[RP_AV1_REFS_PER_FRAME]; /* [0] and [3] alone with short signaling */
    uint32_t delta_frame_id_minus_1[RP_AV1_REFS_PER_FRAME];
    bool found_ref[RP_AV1_REFS_PER_FRAME]; /* the first that is set gives its size */
    struct rp_av1_frame_size size;
    bool allow_intrabc;
    bool allow_high_precision_mv;
    uint32_t interpolation_filter;
    bool is_motion_mode_switchable;
    bool use_ref_frame_mvs;
    bool disable_frame_end_update_cdf;
    struct rp_av1_tile_info tiles;
    struct rp_av1_quantization quantization;
    struct rp_av1_segmentation segmentation;
    struct rp_av1_block_deltas block_deltas;
    struct rp_av1_loop_filter loop_filter;
    struct rp_av1_cdef cdef;
    struct rp_av1_loop_restoration loop_restoration;
    bool tx_mode_select;
    bool reference_select;
    bool skip_mode_present;
    bool allow_warped_motion;
    bool reduced_tx_set;
    struct rp_av1_global_motion global_motion;
    struct rp_av1_film_grain film_grain;

    /* What follows from the above. */
    bool coded_lossless;                     /* CodedLossless */
    bool all_lossless;                       /* AllLossless */
    uint32_t order_hints[RP_AV1_REFERENCES]; /* OrderHints[], by name; of intra frames 0 */
    bool skip_mode_allowed;                  /* skipModeAllowed */
    uint32_t skip_mode_frame[2];             /* SkipModeFrame[], names */
};

struct rp_av1_state;

static inline bool
rp_av1_frame_is_intra(const struct rp_av1_frame *frame)
{
    return frame->frame_type == RP_AV1_KEY_FRAME || frame->frame_type == RP_AV1_INTRA_ONLY_FRAME;
}

/* uncompressed_header(). Sets what the syntax implies in both directions. The state is that in
 * front of the frame (state.h); rp_av1_state_update() makes it the one after it. */
void rp_av1_code_frame(struct rp_av1_syntax *syntax, const struct rp_av1_state *state,
                       struct rp_av1_frame *frame);

/* From data, in which tiles may follow. *out and *size_bits_out are written on success alone. */
enum rp_av1_status rp_av1_frame_read(const void *data, size_t size_B,
                                     const struct rp_av1_state *state, struct rp_av1_frame *out,
                                     size_t *size_bits_out);

/* *size_bits_out: what the header takes, also when that is more than capacity_B. */
enum rp_av1_status rp_av1_frame_write(const struct rp_av1_frame *frame,
                                      const struct rp_av1_state *state, void *data,
                                      size_t capacity_B, size_t *size_bits_out);

#endif
