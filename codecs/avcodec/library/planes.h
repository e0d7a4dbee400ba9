/* SPDX-License-Identifier: MIT */
/* The memory of pictures that libavcodec decodes into: planar 4:2:0 of 8 bits,
 * or of 10 in the low bits of words; all of one size.
 *
 * Planes belong to their pool but for luma that has a target in the application's image, and live
 * as long as libavcodec refers to them. All of a pool have the same strides: libavcodec addresses
 * references with the current picture's.
 */
#ifndef RP_CODECS_AVCODEC_LIBRARY_PLANES_H
#define RP_CODECS_AVCODEC_LIBRARY_PLANES_H

#include "codecs/avcodec/library/library.h"
#include "reelpipe/decode.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Y, U, V of one picture: chroma in one allocation that starts with this struct. */
struct rp_avcodec_planes {
    struct rp_avcodec_plane_pool *pool;
    struct rp_avcodec_planes *next_free;
    uint8_t *data[3];
    uint8_t *luma;                  /* owned; NULL until a picture without a target comes */
    struct rp_decode_target target; /* where data[0] is; without memory: in luma */
};

struct rp_avcodec_plane_pool {
    uint32_t width_px; /* of luma: whole coding blocks */
    uint32_t height_px;
    uint32_t bit_depth; /* 8 or 10 */
    size_t stride_B[3];
    size_t luma_rows;
    size_t luma_B;
    size_t chroma_B; /* of one struct rp_avcodec_planes with its chroma */
    struct rp_avcodec_planes *free_planes;
    size_t memory_B;      /* taken for planes */
    uint32_t given_count; /* planes that libavcodec refers to */

    /* Where the next picture's luma may stay, once; or without memory. */
    struct rp_decode_target target;
    uint8_t *target_luma;
};

/* Of every plane whose rows have so many bytes: decoders and images of the application agree. */
size_t rp_avcodec_stride(size_t row_B);

/* extra_rows: how far below a plane's last row libavcodec reads. */
void rp_avcodec_plane_pool_init(struct rp_avcodec_plane_pool *pool, uint32_t width_px,
                                uint32_t height_px, uint32_t bit_depth, uint32_t extra_rows);

/* When libavcodec has released all planes. */
void rp_avcodec_plane_pool_finish(struct rp_avcodec_plane_pool *pool);

/* The next picture stays in the job's target, if that suits: pictures of 10 bits never do, as
 * images have them in the high bits. */
void rp_avcodec_plane_pool_offer(struct rp_avcodec_plane_pool *pool,
                                 const struct rp_decode_job *job);
void rp_avcodec_plane_pool_withdraw(struct rp_avcodec_plane_pool *pool);

/* For get_buffer2: planes for the frame, of which libavcodec has the only reference. NULL when
 * memory is short. */
struct rp_avcodec_planes *rp_avcodec_planes_give(struct rp_avcodec_plane_pool *pool,
                                                 const struct rp_avcodec_library *lib,
                                                 struct AVFrame *avframe);

#endif
