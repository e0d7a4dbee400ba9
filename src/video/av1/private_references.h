/* SPDX-License-Identifier: MIT */
/* Which of an application's pictures a private stream (private_stream.h) keeps as its eight
 * references.
 *
 * An application may have nine or more pictures alive, eight references and one to come, and does
 * not say when one is no longer needed. What the refresh flags say of its own stream's references
 * tells it: a picture that none of them is any more is dead. Left out of that are headers that show
 * an existing key frame, which the application alone sees and after which the key frame is all
 * eight references: key frames that are not shown stay alive until later pictures have refreshed
 * all eight; and when a later picture in output order refers to such a key frame alone, it was
 * shown.
 */
#ifndef RP_VIDEO_AV1_PRIVATE_REFERENCES_H
#define RP_VIDEO_AV1_PRIVATE_REFERENCES_H

#include "video/av1/state.h"

#define RP_AV1_PRIVATE_NONE (-1)

struct rp_av1_private_reference {
    int32_t slot; /* the application's; RP_AV1_PRIVATE_NONE: there is no picture */
    uint64_t last_use;
    bool is_hidden_key;
    uint32_t refreshed; /* references of the application's stream that were refreshed since */
};

struct rp_av1_private_references {
    struct rp_av1_private_reference at[RP_AV1_REFERENCES];
    int32_t streams_own[RP_AV1_REFERENCES]; /* the application's references: indices into at[] */
};

/* What the model has to know of a picture. */
struct rp_av1_private_use {
    const int32_t *name_slots; /* RP_AV1_REFS_PER_FRAME of them; NULL: an intra picture */
    uint32_t order_hint;
    uint32_t refresh_frame_flags; /* of the application's stream */
    bool is_hidden_key;
    int32_t setup_slot; /* RP_AV1_PRIVATE_NONE: the picture is not kept */
    uint64_t now;       /* grows from picture to picture */
};

void rp_av1_private_references_init(struct rp_av1_private_references *refs);

/* The index of the picture in a slot, or RP_AV1_PRIVATE_NONE. */
int32_t rp_av1_private_references_find(const struct rp_av1_private_references *refs, int32_t slot);

/* Before the picture is decoded: returns where it is kept, or RP_AV1_PRIVATE_NONE. state: of the
 * private stream. */
int32_t rp_av1_private_references_begin(struct rp_av1_private_references *refs,
                                        const struct rp_av1_state *state,
                                        const struct rp_av1_private_use *use);

/* After it, when it was decoded. */
void rp_av1_private_references_end(struct rp_av1_private_references *refs, int32_t index,
                                   const struct rp_av1_private_use *use);

/* There is no picture in the slot any more. */
void rp_av1_private_references_drop(struct rp_av1_private_references *refs, int32_t slot);

#endif
