/* SPDX-License-Identifier: MIT */
/* The picture that libaom codes on this thread. Functions of libaom that call each other across its
 * object files go through hooks.c (the linker's --wrap): there its decisions about a picture are
 * replaced by the application's, and what it codes is picked up.
 */
#ifndef RP_CODECS_AOM_HOOKS_H
#define RP_CODECS_AOM_HOOKS_H

#include "codecs/aom/context.h"
#include "codecs/aom/pack.h"
#include "codecs/aom/threads.h"
#include "codecs/aom/tiles.h"

#include "reelpipe/encode_av1.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RP_AOM_UPDATES_CDFS 1 /* libaom's cdf_update_mode: each picture does */

struct rp_aom_picture {
    struct rp_aom_context *ctx;
    const struct rp_av1_encode_job *job;
    struct RefCntBuffer *refs[RP_AV1_NAMES]; /* by name; NULL: none */
    uint32_t known_refs; /* bit n: a name with a picture has the number n (ref_frame_idx[]) */
    bool is_intra;
    bool has_motion_field; /* use_ref_frame_mvs may be set */
    struct rp_aom_tiles tiles;
    int q_index;
    bool is_after_last; /* the picture before was that of LAST_FRAME */

    /* Of threads.c: those that wait for libaom to run one itself. NULL: the arithmetic coder. */
    void *launched[RP_AOM_MAX_THREADS + 1];
    uint32_t launched_count;

    struct rp_aom_pack pack;

    atomic_bool is_out_of_memory; /* out: an allocation of libaom has failed */
    bool is_coded;                /* and all that follows */
    uint32_t header_count;
    uint32_t header_sizes_B[4]; /* of headers in their order, without those of OBUs */
    uint32_t tile_size_field_B;
    uint32_t context_update_tile_id;
};

/* Of this thread, until it is set to NULL. */
void rp_aom_hooks_set(struct rp_aom_picture *picture);
struct rp_aom_picture *rp_aom_hooks_get(void);

#endif
