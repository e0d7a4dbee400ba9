/* SPDX-License-Identifier: MIT */
/* One encoder of kvazaar: it codes pictures of one size with one arrangement of slices, one at a
 * time, and keeps nothing from one to the next.
 */
#ifndef RP_CODECS_KVAZAAR_CONTEXT_H
#define RP_CODECS_KVAZAAR_CONTEXT_H

#include "codecs/kvazaar/content.h"
#include "codecs/kvazaar/core.h"
#include "codecs/kvazaar/heap.h"
#include "codecs/kvazaar/wave.h"
#include "codecs/pool/pool.h"

#include "reelpipe/encode_h265.h"

#include <stdbool.h>
#include <stdint.h>

#define RP_KVAZAAR_QUALITY_LEVELS 5u

struct rp_kvazaar_config {
    uint32_t width_px; /* of the SPS's picture */
    uint32_t height_px;
    uint32_t quality_level;
    bool has_wavefronts; /* entropy_coding_sync_enabled_flag */
    uint32_t slice_count;
    uint32_t first_rows[RP_H265_ENCODE_MAX_SLICES];
};

struct rp_kvazaar_context {
    struct rp_pooled base; /* first */
    struct rp_kvazaar_config config;
    struct rp_kvazaar_heap heap; /* all that kvazaar holds */
    kvz_config *cfg;             /* in the heap, as the others; as opened */
    encoder_control_t *control;
    encoder_state_t state;
    struct rp_kvazaar_wave wave; /* of the state */
    struct rp_kvazaar_motion motion;
    encoder_state_config_frame_t intra_frame;   /* motion's */
    int32_t qp;                                 /* of the picture, or of the attempt at it */
    kvz_picture views[RP_KVAZAAR_MAX_PICTURES]; /* references: others may code them meanwhile */
    kvz_picture source;
    void *source_planes;               /* owned */
    struct rp_kvazaar_content scratch; /* of pictures without a reconstruction */
    struct rp_small_picture small;     /* of the source, with rate control */
    int8_t *qp_deltas;                 /* owned; of each coding tree block */
};

void rp_kvazaar_config_init(struct rp_kvazaar_config *config, const struct rp_h265_encode_job *job);

/* NULL when memory is short. */
struct rp_kvazaar_context *rp_kvazaar_context_create(const struct rp_kvazaar_config *config,
                                                     struct rp_workers *workers);
void rp_kvazaar_context_destroy(struct rp_kvazaar_context *ctx); /* accepts NULL */

bool rp_kvazaar_context_is_for(const struct rp_kvazaar_context *ctx,
                               const struct rp_kvazaar_config *config);

#endif
