/* SPDX-License-Identifier: MIT */
/* An AV1 frame's filters: loop_filter_params(), cdef_params() and lr_params() (5.9.11, 5.9.19,
 * 5.9.20).
 */
#ifndef RP_VIDEO_AV1_FILTERS_H
#define RP_VIDEO_AV1_FILTERS_H

#include "video/av1/sequence.h"

#define RP_AV1_MAX_CDEF_STRENGTHS 8
#define RP_AV1_MAX_PLANES 3

/* By reference frame name (INTRA_FRAME to ALTREF_FRAME), and by mode. */
struct rp_av1_loop_filter_deltas {
    int32_t ref[8];
    int32_t mode[2];
};

struct rp_av1_loop_filter {
    uint32_t level[4];
    uint32_t sharpness;
    bool delta_enabled;
    bool delta_update;
    bool update_ref_delta[8];
    bool update_mode_delta[2];
    struct rp_av1_loop_filter_deltas deltas; /* those that are not updated: as they were */
};

struct rp_av1_cdef {
    uint32_t damping_minus_3;
    uint32_t bits;
    uint32_t y_pri_strength[RP_AV1_MAX_CDEF_STRENGTHS];
    uint32_t y_sec_strength[RP_AV1_MAX_CDEF_STRENGTHS]; /* as coded: 3 stands for 4 */
    uint32_t uv_pri_strength[RP_AV1_MAX_CDEF_STRENGTHS];
    uint32_t uv_sec_strength[RP_AV1_MAX_CDEF_STRENGTHS];
};

struct rp_av1_loop_restoration {
    uint32_t type[RP_AV1_MAX_PLANES]; /* lr_type as coded: 0 none, 1 switchable, 2 Wiener,
                                         3 self-guided */
    uint32_t unit_shift;              /* luma units have 64 << unit_shift pixels */
    uint32_t uv_shift;
};

/* The deltas that a frame without a primary reference frame begins with (7.20). */
extern const struct rp_av1_loop_filter_deltas rp_av1_default_loop_filter_deltas;

/* is_off: CodedLossless or allow_intrabc. previous: what the deltas were. */
void rp_av1_code_loop_filter(struct rp_av1_syntax *syntax, bool is_off, bool mono_chrome,
                             const struct rp_av1_loop_filter_deltas *previous,
                             struct rp_av1_loop_filter *filter);

/* is_off: CodedLossless, allow_intrabc, or the sequence has no CDEF. */
void rp_av1_code_cdef(struct rp_av1_syntax *syntax, bool is_off, bool mono_chrome,
                      struct rp_av1_cdef *cdef);

/* is_off: AllLossless, allow_intrabc, or the sequence has no loop restoration. */
void rp_av1_code_loop_restoration(struct rp_av1_syntax *syntax, bool is_off,
                                  const struct rp_av1_sequence *seq,
                                  struct rp_av1_loop_restoration *restoration);

#endif
