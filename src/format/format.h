/* SPDX-License-Identifier: MIT */
/* What is known of each VkFormat: one row per format, generated from the registry.
 *
 * A plane is what lies by itself in memory. Y'CbCr formats have up to three; formats with depth and
 * stencil have two (the depth as its own format, then S8_UINT); all others have one.
 *
 * format.c looks rows up, features.c says what can be done with a format, and pack.c writes colours
 * as texels.
 */
#ifndef RP_FORMAT_FORMAT_H
#define RP_FORMAT_FORMAT_H

#include <vulkan/vulkan_core.h>

#include <stdbool.h>
#include <stdint.h>

enum rp_numeric {
    RP_NUMERIC_UNORM,
    RP_NUMERIC_SNORM,
    RP_NUMERIC_USCALED,
    RP_NUMERIC_SSCALED,
    RP_NUMERIC_UINT,
    RP_NUMERIC_SINT,
    RP_NUMERIC_UFLOAT,
    RP_NUMERIC_SFLOAT,
    RP_NUMERIC_SRGB,
};

enum rp_compression {
    RP_COMPRESSION_NONE,
    RP_COMPRESSION_BC,
    RP_COMPRESSION_ETC2, /* with EAC */
    RP_COMPRESSION_ASTC_LDR,
    RP_COMPRESSION_ASTC_HDR,
};

struct rp_format_channel {
    char component;    /* 'R', 'G', 'B', 'A', 'D' or 'S' */
    uint8_t bits;      /* 0: compressed */
    uint8_t first_bit; /* of the block in memory, read as a little-endian number */
    enum rp_numeric numeric;
};

struct rp_format_plane {
    VkFormat format; /* that a view of this plane alone has by default */
    uint8_t block_B;
    uint8_t block_w_px; /* in texels of this plane */
    uint8_t block_h_px;
    uint8_t log2_div_w; /* subsampling against plane 0 */
    uint8_t log2_div_h;
    VkImageAspectFlags aspect; /* COLOR, DEPTH, STENCIL or PLANE_n */
};

struct rp_format {
    VkFormat vk;
    const char *name;      /* "VK_FORMAT_..." */
    uint16_t compat_class; /* equal: views of one format fit images of the other */
    enum rp_compression compression;
    VkImageAspectFlags aspects; /* COLOR, DEPTH|STENCIL; multi-planar: COLOR too, and PLANE_n */
    uint8_t plane_count;
    struct rp_format_plane planes[3];
    uint8_t channel_count; /* in memory order for single-plane formats */
    struct rp_format_channel channels[4];
    uint16_t chroma;          /* 0, or 420, 422, 444: it needs Y'CbCr conversion */
    bool has_shared_exponent; /* E5B9G9R9 */
};

/* NULL: VK_FORMAT_UNDEFINED, or not known to the driver. */
const struct rp_format *rp_format_get(VkFormat format);

/* All known formats, ascending by number. */
const struct rp_format *rp_format_all(uint32_t *count_out);

/* The plane that a single aspect selects; COLOR, and anything a format does not have, gives 0. */
uint32_t rp_format_plane_index(const struct rp_format *fmt, VkImageAspectFlags aspect);

/* The planes of an aspect mask (of barriers and subresource ranges) as bits. */
uint32_t rp_format_plane_mask(const struct rp_format *fmt, VkImageAspectFlags aspects);

static inline bool
rp_format_is_compressed(const struct rp_format *fmt)
{
    return fmt->compression != RP_COMPRESSION_NONE;
}

static inline bool
rp_format_has_depth(const struct rp_format *fmt)
{
    return fmt->aspects & VK_IMAGE_ASPECT_DEPTH_BIT;
}

static inline bool
rp_format_has_stencil(const struct rp_format *fmt)
{
    return fmt->aspects & VK_IMAGE_ASPECT_STENCIL_BIT;
}

static inline bool
rp_format_is_depth_stencil(const struct rp_format *fmt)
{
    return fmt->aspects & (VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT);
}

/* Two or three planes of colour. */
static inline bool
rp_format_is_multi_planar(const struct rp_format *fmt)
{
    return fmt->aspects & VK_IMAGE_ASPECT_PLANE_0_BIT;
}

/* The extent of plane i of a picture: Vulkan rounds chroma up. */
static inline uint32_t
rp_format_plane_width(const struct rp_format *fmt, uint32_t i, uint32_t width_px)
{
    const uint32_t log2 = fmt->planes[i].log2_div_w;
    return (width_px >> log2) + ((width_px & ((1u << log2) - 1)) != 0);
}

static inline uint32_t
rp_format_plane_height(const struct rp_format *fmt, uint32_t i, uint32_t height_px)
{
    const uint32_t log2 = fmt->planes[i].log2_div_h;
    return (height_px >> log2) + ((height_px & ((1u << log2) - 1)) != 0);
}

#endif
