/* SPDX-License-Identifier: MIT */
/* One decoded picture as kvazaar sees it: planes, the motion of its blocks, and what its own
 * references were, which temporal motion vector prediction reads.
 *
 * Everything but samples and motion is final when begin() of the job that codes the picture has
 * returned, and stays until nobody uses it: encoders read it without a lock. What is coded of
 * samples and motion its blocks say (coded_rows.h); small and rate_base are of pictures with rate
 * control, which follow each other.
 */
#ifndef RP_CODECS_KVAZAAR_CONTENT_H
#define RP_CODECS_KVAZAAR_CONTENT_H

#include "codecs/kvazaar/coded_rows.h"
#include "codecs/kvazaar/core.h"
#include "codecs/planes/small_picture.h"

#include "util/compiler.h"

#include "reelpipe/encode_h265.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Zeroed: nothing yet. Sizes are those of the SPS's picture. kvazaar shares the picture and the
 * motion, but never owns them. */
struct rp_kvazaar_content {
    uint32_t width_px;
    uint32_t height_px;
    bool has_picture;
    atomic_bool is_lost; /* coding it failed: what is there is no picture */
    void *memory;        /* owned; of planes, motion and rows */
    kvz_picture picture; /* of who codes it */
    cu_array_t motion;
    struct rp_kvazaar_coded_rows coded;
    int32_t ref_pocs[RP_KVAZAAR_MAX_PICTURES]; /* of its references when it was coded */
    uint8_t ref_lists[2][16];                  /* indices into them */
    bool ref_is_long_term[2][16];
    struct rp_small_picture small; /* owned; of the source, with rate control */
    double rate_base;              /* that the picture was coded with; 0: not known */

    /* Guarded by the encoder's mutex. */
    uint32_t user_count; /* jobs begun and not ended */
    bool is_extra;       /* of no slot */
    struct rp_kvazaar_content *next;
};

/* Room for a picture of this size, which is not there yet: no row is coded. Nobody uses the
 * content. Width and height are multiples of 8. */
bool rp_kvazaar_content_reserve(struct rp_kvazaar_content *content, uint32_t width_px,
                                uint32_t height_px) RP_MUST_CHECK;
void rp_kvazaar_content_finish(struct rp_kvazaar_content *content);

/* An empty one of its own. NULL when memory is short. */
struct rp_kvazaar_content *rp_kvazaar_content_create(void);
void rp_kvazaar_content_destroy(struct rp_kvazaar_content *content); /* accepts NULL */

/* The picture as who refers to it sees it, while another job codes it. */
void rp_kvazaar_content_view(const struct rp_kvazaar_content *content, kvz_picture *out);

/* Pixels that came from elsewhere, of 4:2:0: the last column and row of what is there stand for
 * what is not, and there is no motion. */
void rp_kvazaar_content_adopt(struct rp_kvazaar_content *content, const struct rp_picture *pixels);

/* What follows is done to the rows of luma samples from y_px to end_px, and those of chroma that
 * lie there; even numbers, but for the picture's end in dst. */

/* Copies as much of the picture as there is room for in dst, which is NV12. */
void rp_kvazaar_content_copy(const struct rp_kvazaar_content *content, const struct rp_picture *dst,
                             uint32_t y_px, uint32_t end_px);

/* No block has motion or was coded. Rows are multiples of coding tree blocks, or end with the
 * picture. */
void rp_kvazaar_content_clear_motion(struct rp_kvazaar_content *content, uint32_t y_px,
                                     uint32_t end_px);

/* Planes of no content, of zeroes; out points there. Freed with rp_free(). NULL when memory is
 * short. */
void *rp_kvazaar_planes_create(kvz_picture *out, uint32_t width_px, uint32_t height_px);

/* NV12 or I420 to planes of kvazaar's; as rp_kvazaar_content_adopt(). */
void rp_kvazaar_planes_fill(kvz_picture *dst, const struct rp_picture *src, uint32_t y_px,
                            uint32_t end_px);

#endif
