/* SPDX-License-Identifier: MIT */
/* Pixels as codecs and converters see them: planes, strides, extents, no Vulkan handle.
 */
#ifndef REELPIPE_PICTURE_H
#define REELPIPE_PICTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Names are those of 8-bit 4:2:0; other depths and chroma formats have their planes alike: P010 is
 * RP_PICTURE_NV12 with a bit depth of 10. */
enum rp_picture_layout {
    RP_PICTURE_NV12, /* plane 0: Y; plane 1: U and V interleaved */
    RP_PICTURE_I420, /* planes 0, 1, 2: Y, U, V */
};

/* How many samples chroma has. */
enum rp_chroma_format {
    RP_CHROMA_420, /* half as many columns and rows as luma */
    RP_CHROMA_422, /* half as many columns */
    RP_CHROMA_444, /* as many */
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
    enum rp_chroma_format chroma;
    uint32_t bit_depth; /* of a sample: 8 in a byte; 10 in the high bits of a word of 16 (host byte
                           order), whose low bits mean nothing and are written as zeros */
    uint32_t width_px;
    uint32_t height_px;
    struct rp_plane plane[3];
};

/* What codecs and converters of 8-bit 4:2:0 ask: they refuse the rest. */
static inline bool
rp_picture_is_8_bit_420(const struct rp_picture *picture)
{
    return picture->bit_depth == 8 && picture->chroma == RP_CHROMA_420;
}

/* Y in words, and U and V interleaved in words:
 * VK_FORMAT_G10X6_B10X6R10X6_2PLANE_420_UNORM_3PACK16. codecs/planes/high_bits.h reads and writes
 * its rows. */
static inline bool
rp_picture_is_p010(const struct rp_picture *picture)
{
    return picture->layout == RP_PICTURE_NV12 && picture->bit_depth == 10 &&
           picture->chroma == RP_CHROMA_420;
}

#endif
