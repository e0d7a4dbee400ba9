/* SPDX-License-Identifier: MIT */
/* Pixels as codecs and converters see them: planes, strides, extents, no Vulkan handle.
 */
#ifndef REELPIPE_PICTURE_H
#define REELPIPE_PICTURE_H

#include <stddef.h>
#include <stdint.h>

/* 8 bits a sample, 4:2:0. */
enum rp_picture_layout {
    RP_PICTURE_NV12, /* plane 0: Y; plane 1: U and V interleaved */
    RP_PICTURE_I420, /* planes 0, 1, 2: Y, U, V */
};

struct rp_plane {
    uint8_t *data; /* first sample of the first row; borrowed */
    size_t stride_B;
};

/* width_px and height_px count luma samples that may be read (or written). Both are even, but for
 * the source of an encoder: chroma of an odd one is rounded up, and the last column or row of luma
 * stands for the one that is missing. */
struct rp_picture {
    enum rp_picture_layout layout;
    uint32_t width_px;
    uint32_t height_px;
    struct rp_plane plane[3];
};

#endif
