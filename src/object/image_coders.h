/* SPDX-License-Identifier: MIT */
/* The encode sessions that coded pictures in a layer of a DPB image: each may have places of its
 * own in it, and remembers its pictures there until something else is written to one. */
#ifndef RP_OBJECT_IMAGE_CODERS_H
#define RP_OBJECT_IMAGE_CODERS_H

#include <pthread.h>
#include <stdint.h>

#define RP_MAX_CODER_PLACES 32u /* more than a session has DPB slots */

/* What a picture covers, in whole coding blocks. */
struct rp_image_place {
    uint32_t x_px;
    uint32_t y_px;
    uint32_t width_px;
    uint32_t height_px;
};

struct rp_image_coder {
    struct rp_image_place place; /* of the last picture there; places are told by x_px and y_px */
    uint64_t session_id;         /* of the last encode session that wrote it; 0: none did */
    uint64_t generation;         /* another one whenever something else is written to it */
};

/* The coders of one layer. Zeroed: nothing is known. The caller locks it. */
struct rp_image_coders {
    struct rp_image_coder items[RP_MAX_CODER_PLACES];
    uint32_t count;
    uint32_t oldest;     /* the next one to be forgotten when there is no room */
    uint64_t generation; /* the highest one that was given */
};

/* A session writes a picture. */
void rp_image_coders_write(struct rp_image_coders *coders, const struct rp_image_place *place,
                           uint64_t session_id);

/* The generation of what is at a place, which is noted. */
uint64_t rp_image_coders_generation(struct rp_image_coders *coders,
                                    const struct rp_image_place *place);

#endif
