/* SPDX-License-Identifier: MIT */
/* The codec's private halves of DPB pictures, found by the picture resource they belong to.
 *
 * The application's slot indices say nothing here: a reference is the picture in an image layer,
 * whatever slot it stands in. Entries are never dropped by a RESET. One thread at a time.
 */
#ifndef RP_VIDEO_ENCODE_SLOTS_H
#define RP_VIDEO_ENCODE_SLOTS_H

#include "util/compiler.h"

#include "reelpipe/picture_key.h"

#include <stdbool.h>
#include <stdint.h>

struct rp_encode_codec;
struct rp_encoder;
struct rp_encoder_slot;

struct rp_encode_slot {
    struct rp_picture_key key;
    struct rp_encoder_slot *codec_slot; /* owned */
    uint64_t generation;                /* of the image when the codec wrote the picture last */
    uint32_t width_px; /* of that picture, in whole coding blocks; 0: none was written */
    uint32_t height_px;
    bool has_motion;   /* a decoder's, too: nothing has come from elsewhere since */
    int32_t order;     /* of that picture in output order; the standard's own note */
    uint64_t last_use; /* the picture that used it last */
};

struct rp_encode_slots {
    const struct rp_encode_codec *codec; /* borrowed */
    struct rp_encoder *enc;              /* borrowed */
    struct rp_encode_slot *entries;      /* owned, of capacity */
    uint32_t count;
    uint32_t capacity;
};

/* limit: how many pictures the codec remembers at once; the least recently used one makes room.
 * False when memory is short. No more memory is taken later but by the codec. */
bool rp_encode_slots_init(struct rp_encode_slots *slots, const struct rp_encode_codec *codec,
                          struct rp_encoder *enc, uint32_t limit) RP_MUST_CHECK;
void rp_encode_slots_finish(struct rp_encode_slots *slots);

/* The entry of key, marked as used by picture number now. A new entry knows no picture. Entries
 * used by the same picture are never taken from each other. NULL when memory is short. */
struct rp_encode_slot *rp_encode_slots_use(struct rp_encode_slots *slots,
                                           const struct rp_picture_key *key, uint64_t now);

#endif
