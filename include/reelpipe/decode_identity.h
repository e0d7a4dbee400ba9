/* SPDX-License-Identifier: MIT */
/* A picture to be decoded, as its own command and those that refer to it tell it apart from what
 * was in the image before. Standards fill it in from their structures
 * (src/video/decode/standard.h).
 */
#ifndef REELPIPE_DECODE_IDENTITY_H
#define REELPIPE_DECODE_IDENTITY_H

#include "reelpipe/picture_key.h"

#include <stdbool.h>
#include <stdint.h>

/* The fields of a frame; both: a frame. */
#define RP_DECODE_TOP 1u
#define RP_DECODE_BOTTOM 2u

struct rp_decode_identity {
    struct rp_picture_key key; /* image_id 0: the picture is not kept */
    uint32_t fields;           /* RP_DECODE_TOP | RP_DECODE_BOTTOM; 0: there is no picture */
    uint32_t frame_num;        /* not of long-term references, which have none */
    bool is_long_term;
    int32_t poc[2];     /* the order count of each field */
    uint32_t ref_count; /* pictures that it refers to; of one that is to be decoded */
};

#endif
