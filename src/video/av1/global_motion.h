/* SPDX-License-Identifier: MIT */
/* An AV1 frame's global motion (global_motion_params(), 5.9.24 to 5.9.28).
 */
#ifndef RP_VIDEO_AV1_GLOBAL_MOTION_H
#define RP_VIDEO_AV1_GLOBAL_MOTION_H

#include "video/av1/syntax.h"

#define RP_AV1_WARPED_MODEL_ONE (1 << 16) /* 1 << WARPEDMODEL_PREC_BITS */

enum rp_av1_motion_type {
    RP_AV1_IDENTITY,
    RP_AV1_TRANSLATION,
    RP_AV1_ROTZOOM,
    RP_AV1_AFFINE,
};

/* By reference frame name; that of INTRA_FRAME is not used. */
struct rp_av1_motion_params {
    int32_t gm_params[8][6];
};

struct rp_av1_global_motion {
    enum rp_av1_motion_type type[8];
    struct rp_av1_motion_params params;
};

/* No motion (setup_past_independence(), 7.20). */
void rp_av1_motion_params_init(struct rp_av1_motion_params *params);

/* is_intra: FrameIsIntra, which has no motion. previous: PrevGmParams. */
void rp_av1_code_global_motion(struct rp_av1_syntax *syntax, bool is_intra,
                               bool allow_high_precision_mv,
                               const struct rp_av1_motion_params *previous,
                               struct rp_av1_global_motion *motion);

#endif
