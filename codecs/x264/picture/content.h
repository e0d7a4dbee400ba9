/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One decoded picture: x264's frame of it, and what later pictures must know.
 *
 * Everything but the frame's samples and motion is final when begin() of the picture that writes
 * the content has returned, and stays until nobody uses it: encoders read it without a lock.
 */
#ifndef RP_CODECS_X264_PICTURE_CONTENT_H
#define RP_CODECS_X264_PICTURE_CONTENT_H

#include "context.h"

#include "glue/core.h"

#include <stdatomic.h>

struct rp_workers;

/* Where a content came from. */
struct rp_x264_origin {
    uint64_t serial; /* unique in the encoder; 0: nothing yet */
    int32_t poc;     /* when it was coded */
    uint32_t slice_type;
    bool is_adopted;    /* pixels alone: motion, types and references are not known */
    bool is_rated;      /* with rate control: half-size planes are there before it is coded */
    uint32_t ref_count; /* list 0 */
    uint64_t ref_serial[RP_H264_MAX_REFS];
    int32_t ref0_distance; /* its POC - POC of RefPicList0[0] */
};

struct rp_x264_content {
    x264_frame_t *frame;           /* NULL until first used */
    struct rp_x264_told_rows told; /* of the frame, for which its pictures wait */
    x264_frame_t geometry;         /* the frame as it was made: planes, strides, arrays */
    bool has_half_pel;             /* the half-pel planes are those of the content */
    bool is_in_place;              /* the planes are the application's image */
    bool is_private;      /* they could be, but others used the image: it gets a copy later */
    x264_frame_t *lowres; /* the picture's source with half-size planes; NULL until needed */
    bool has_lowres;      /* lowres is of the content; pictures with rate control see to it. While
                              such are coded guarded by the encoder's mutex, as is_preparing */
    bool is_preparing;    /* one of them is going to give it lowres, or to fail */
    struct rp_x264_origin origin;
    atomic_bool is_lost;          /* coding it failed: what is there is no picture */
    uint32_t user_count;          /* jobs begun and not ended; guarded by the encoder's mutex */
    struct rp_x264_content *next; /* the encoder's */
};

/* An empty one. workers: those who code pictures that refer to it. NULL when memory is short. */
struct rp_x264_content *rp_x264_content_create(struct rp_workers *workers);
void rp_x264_content_destroy(struct rp_x264_content *content); /* accepts NULL */

bool rp_x264_content_has_extent(const struct rp_x264_content *content,
                                const struct rp_x264_config *config);

/* True when the frame has the extent and the planes that config works with. */
bool rp_x264_content_fits(const struct rp_x264_content *content,
                          const struct rp_x264_config *config);

/* True when pictures of config can refer to it. */
bool rp_x264_content_is_complete(const struct rp_x264_content *content,
                                 const struct rp_x264_config *config);

/* Makes a frame for ctx. What was there is lost. False when memory is short. */
bool rp_x264_content_make_frame(struct rp_x264_content *content, struct rp_x264_context *ctx);

/* True when the planes are those of picture, as far as picture can be used in place. */
bool rp_x264_content_is_bound(const struct rp_x264_content *content,
                              const struct rp_dpb_picture *picture);

/* Lets the planes be picture's where that is allowed and its layout permits, else the frame's
 * own. */
void rp_x264_content_bind(struct rp_x264_content *content, const struct rp_dpb_picture *picture,
                          bool may_be_in_place);

/* Takes the pixels as a reference whose coding is not known. When keeps_old, they are those the
 * content has in another frame (of another quality level). False when memory is short. */
bool rp_x264_content_adopt(struct rp_x264_content *content, struct rp_x264_context *ctx,
                           const struct rp_dpb_picture *picture, bool keeps_old, uint64_t serial);

/* Makes content->lowres when it is not there: from the reconstruction. False when memory is
 * short. */
bool rp_x264_content_need_lowres(struct rp_x264_content *content, struct rp_x264_context *ctx);

/* The source just loaded becomes content->lowres. */
void rp_x264_content_take_lowres(struct rp_x264_content *content, struct rp_x264_context *ctx);

/* Copies the reconstruction to an image that is not coded in place, on several threads where some
 * have nothing to do. */
void rp_x264_content_copy_out(const struct rp_x264_content *content,
                              const struct rp_dpb_picture *out);

/* The frame says that its rate is not known. */
void rp_x264_frame_clear_rate(x264_frame_t *frame, const x264_t *h);

/* A picture of config is going to be coded into it: no row is done yet, who reads waits. */
void rp_x264_content_start(struct rp_x264_content *content, const struct rp_x264_config *config);

/* All rows are done; or, is_lost, there will be none. */
void rp_x264_content_complete(struct rp_x264_content *content, bool is_lost);

/* Returns when they are. */
void rp_x264_content_wait(struct rp_x264_content *content);

#endif
