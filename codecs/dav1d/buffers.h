/* SPDX-License-Identifier: MIT */
/* The memory of libdav1d's pictures: planes of its own, or luma in an image of the application.
 */
#ifndef RP_CODECS_DAV1D_BUFFERS_H
#define RP_CODECS_DAV1D_BUFFERS_H

#include "codecs/dav1d/layout.h"
#include "reelpipe/decode.h"
#include "util/compiler.h"

#include <pthread.h>
#include <stdbool.h>

/* Freed ones that are kept for the next pictures. */
#define RP_DAV1D_IDLE_BUFFERS 4

struct rp_dav1d_buffer;

struct rp_dav1d_buffers {
    const struct rp_dav1d_layout *layout;
    pthread_mutex_t mutex; /* guards idle */
    struct rp_dav1d_buffer *idle;
    uint32_t idle_count;

    /* For the picture that is being decoded, whose first allocation may take the target. */
    const struct rp_plane *target_plane; /* NULL: there is none */
    const struct rp_decode_target *target;
    uint32_t bit_depth; /* that it must have; 0: either */
    bool is_out_of_memory;
    bool is_unsupported;
};

bool rp_dav1d_buffers_init(struct rp_dav1d_buffers *buffers,
                           const struct rp_dav1d_layout *layout) RP_MUST_CHECK;

/* When all pictures have been released. */
void rp_dav1d_buffers_finish(struct rp_dav1d_buffers *buffers);

/* Dav1dPicAllocator's callbacks; the cookie is the struct rp_dav1d_buffers. */
int rp_dav1d_buffers_alloc_picture(struct rp_dav1d_picture *picture, void *cookie);
void rp_dav1d_buffers_release_picture(struct rp_dav1d_picture *picture, void *cookie);

/* The contract's layout(): of 8 bits. */
void rp_dav1d_image_layout(uint32_t width_px, uint32_t height_px, struct rp_decode_layout *out);

#endif
