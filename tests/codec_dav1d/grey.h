/* SPDX-License-Identifier: MIT */
/* A job whose picture is grey, and an image for it.
 */
#ifndef RP_TESTS_CODEC_DAV1D_GREY_H
#define RP_TESTS_CODEC_DAV1D_GREY_H

#include "reelpipe/decode_av1.h"

#define WIDTH_PX 32
#define HEIGHT_PX 16
#define STRIDE_B 192
#define ROWS 129
#define GREY 126
#define GREY_10 503u /* in 10 bits */
#define UNTOUCHED 0xaa

struct grey_image {
    _Alignas(64) uint8_t luma[STRIDE_B * ROWS];
    _Alignas(64) uint8_t chroma[STRIDE_B * ROWS];
    int retained; /* as often as that more than it was released */
};

/* Functions of struct rp_decode_target; memory: a struct grey_image. */
void grey_image_retain(void *memory);
void grey_image_release(void *memory);

/* The source range has four bytes, of which the tile is all but the first. The image is
 * UNTOUCHED. */
struct rp_av1_decode_job grey_job(struct grey_image *image);

/* The picture with 10 bits, and the image as P010. */
struct rp_av1_decode_job grey_job_10(struct grey_image *image);

#endif
