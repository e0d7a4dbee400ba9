/* SPDX-License-Identifier: MIT */
/* What a kernel reads and writes, as plain memory.
 *
 * Everything here is borrowed for the length of a dispatch. A descriptor of all zeros is an empty
 * one: reads give zero, writes go nowhere.
 */
#ifndef RP_COMPUTE_BINDINGS_H
#define RP_COMPUTE_BINDINGS_H

#include <vulkan/vulkan_core.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RP_MAX_SAMPLER_LOD_BIAS 16.0f /* levels: of a sampler and a shader together */

/* One mip level of one plane of a view, at the view's first layer. */
struct rp_texture_level {
    uint8_t *data;
    uint32_t width_px; /* in texels of this plane */
    uint32_t height_px;
    uint32_t depth_px;
    size_t row_B;
    size_t slice_B; /* from one depth slice to the next */
    size_t layer_B; /* from one array layer (or cube face) to the next */
};

/* An image as a shader sees it. The format is the view's: for a view of one plane that plane's,
 * for a multi-planar view (with a YCbCr sampler) the image's, and then plane_count is 2 or 3. */
struct rp_texture {
    VkImageViewType type;
    VkFormat format;
    VkComponentMapping swizzle; /* IDENTITY or resolved; ignored for storage */
    uint32_t plane_count;       /* >= 1 */
    uint32_t level_count;       /* of the view, >= 1 */
    uint32_t layer_count;       /* of the view; faces of a cube count */
    uint32_t sample_count;      /* >= 1 */
    size_t sample_B;            /* from one sample of a texel to the next plane of samples */
    float min_lod;              /* of the view's levels, from 0 on (VK_EXT_image_view_min_lod) */
    const struct rp_texture_level *levels; /* plane_count * level_count: plane 0's levels first */
};

/* VkSamplerYcbcrConversionCreateInfo without handles. */
struct rp_ycbcr {
    VkFormat format;
    VkSamplerYcbcrModelConversion model;
    VkSamplerYcbcrRange range;
    VkComponentMapping components;
    VkChromaLocation x_offset;
    VkChromaLocation y_offset;
    VkFilter chroma_filter;
};

/* VkSamplerCreateInfo without handles. */
struct rp_sampler_state {
    VkFilter mag_filter;
    VkFilter min_filter;
    VkSamplerMipmapMode mipmap_mode;
    VkSamplerAddressMode address_mode[3]; /* u, v, w */
    float mip_lod_bias;
    float min_lod;
    float max_lod;
    float max_anisotropy; /* 0: disabled */
    bool has_compare;
    VkCompareOp compare_op;
    VkSamplerReductionMode reduction;
    bool is_unnormalized;
    bool is_non_seamless; /* cube faces do not join: each is wrapped by the address modes */
    VkClearColorValue border_color;
    const struct rp_ycbcr *ycbcr; /* NULL: none */
};

/* A buffer (uniform, storage, inline uniform block): ptr and size_B, dynamic offset added.
 * A texel buffer: ptr, size_B and format. An image: view (storage, sampled, input attachment).
 * A sampler: sampler. A combined image sampler: view and sampler. */
struct rp_descriptor {
    uint8_t *ptr;
    uint64_t size_B;
    uint64_t limit_B; /* from ptr to the end of the buffer: bounds dynamic offsets; not read by
                         kernels */
    VkFormat format;
    const struct rp_texture *view;
    const struct rp_sampler_state *sampler;
};

#endif
