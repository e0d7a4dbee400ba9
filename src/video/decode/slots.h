/* SPDX-License-Identifier: MIT */
/* Which slot of the decoder holds the picture of which image.
 *
 * An application's slot index means what it means at the moment of a command, and FFmpeg's threads
 * submit pictures in another order than they were numbered in, ordered only by semaphores of their
 * images. What a reference is, its image says: slots of the decoder are given by image.
 */
#ifndef RP_VIDEO_DECODE_SLOTS_H
#define RP_VIDEO_DECODE_SLOTS_H

#include "reelpipe/picture_key.h"

#include <stdbool.h>
#include <stdint.h>

#define RP_DECODE_SLOT_LIMIT 31 /* that any decoder has */

struct rp_decode_slot {
    struct rp_picture_key key;
    uint64_t last_use; /* picture_number then */
    uint64_t sequence; /* of the submission that decoded it */
};

struct rp_decode_slots {
    struct rp_decode_slot at[RP_DECODE_SLOT_LIMIT];
    int32_t count;       /* that this decoder has */
    int32_t usual_count; /* more are for pictures that frame threads overtake */
    uint64_t picture_number;
};

/* Zeroed before. count: the standard's slots, at least 2. usual_count: below count; further slots
 * are taken only while all of the usual ones are in recent use. */
void rp_decode_slots_init(struct rp_decode_slots *slots, uint32_t count, uint32_t usual_count);

/* The slot of a picture, which is in use now; -1 when it is not known. */
int32_t rp_decode_slots_use(struct rp_decode_slots *slots, const struct rp_picture_key *key);

/* A new picture begins; then each of its references is used; then it takes a slot. */
void rp_decode_slots_begin(struct rp_decode_slots *slots);

/* A slot for the picture at key: the one that it has (the second field of a frame, or what was
 * there before), a free one, or that of the picture not used for longest. */
int32_t rp_decode_slots_take(struct rp_decode_slots *slots, const struct rp_picture_key *key,
                             uint64_t sequence);

/* No picture of an earlier submission is a reference any more. True when no picture is left. */
bool rp_decode_slots_forget_before(struct rp_decode_slots *slots, uint64_t sequence);
/* Is there one of a later submission? */
bool rp_decode_slots_have_after(const struct rp_decode_slots *slots, uint64_t sequence);

/* The picture at key is no reference any more. */
void rp_decode_slots_forget(struct rp_decode_slots *slots, const struct rp_picture_key *key);

#endif
