/* SPDX-License-Identifier: MIT */
/* VkImage: texels in device memory. Every tiling is linear inside; layouts have no meaning.
 */
#ifndef RP_OBJECT_IMAGE_H
#define RP_OBJECT_IMAGE_H

#include "compute/bindings.h"
#include "object/device.h"
#include "object/image_coders.h"
#include "object/object.h"
#include "util/compiler.h"

#include <vulkan/vulkan_core.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#define RP_MAX_PLANES 3
#define RP_MAX_MIP_LEVELS 16
#define RP_MAX_IMAGE_LAYERS 2048u /* maxImageArrayLayers */

/* maxResourceSize: no image is larger, so offsets into one never wrap. */
#define RP_MAX_IMAGE_B (UINT64_C(1) << 40)

struct rp_device;
struct rp_format;
struct rp_memory;

/* One mip level of one plane. Strides are between texel blocks' rows, depth slices, array layers.
 * The samples of a multisampled image are its slices: all first samples, all second samples... */
struct rp_image_level {
    uint64_t offset_B; /* from the plane's memory binding */
    uint64_t row_stride_B;
    uint64_t slice_stride_B;
    uint64_t layer_stride_B;
    uint64_t size_B;      /* of one layer: what vkGetImageSubresourceLayout calls size */
    VkExtent3D extent_px; /* of this plane's level, in this plane's texels */
};

struct rp_image_plane {
    const struct rp_format *format; /* compatible single-plane format of the plane */
    VkImageAspectFlagBits aspect;   /* COLOR, DEPTH, STENCIL or PLANE_i */
    uint8_t *host;                  /* memory that offsets count from; NULL until bound */
    uint64_t file_id;               /* of that memory, as in rp_memory */
    uint64_t file_offset_B;         /* of host in it */
    struct rp_image_level level[RP_MAX_MIP_LEVELS];
};

struct rp_image {
    struct rp_object base;
    uint64_t id; /* unique in the device's life, never used again: keys codec slots */
    VkImageCreateFlags flags;
    VkImageUsageFlags usage;
    VkImageType type;
    VkImageTiling tiling;
    VkFormat vk_format;
    const struct rp_format *format;
    VkExtent3D extent_px;
    uint32_t level_count;
    uint32_t layer_count;
    uint32_t sample_count;
    bool is_disjoint;
    bool is_in_file; /* memory of a plane has a file_id */

    /* A depth/stencil image has its depth and stencil aspects as two planes. */
    uint32_t plane_count;
    struct rp_image_plane plane[RP_MAX_PLANES];
    uint64_t memory_size_B[RP_MAX_PLANES]; /* [0] of all unless disjoint */
    uint64_t memory_align_B;
    struct rp_memory *memory;    /* borrowed; of plane 0; NULL until bound */
    struct rp_image *next_alias; /* in rp_device::image_aliases */

    /* A DPB image of an encoder: planes are padded as dpb_layout() of reelpipe/encode.h says. */
    bool is_dpb_padded;
    /* One of a decoder: its luma is as layout() of reelpipe/decode.h says. */
    bool is_decode_padded;

    /* Pictures being encoded from it, and those whose reconstructions it takes. */
    atomic_uint source_count;
    atomic_uint setup_count;

    /* Grows with every write that does not come from an encode session; see
     * rp_image_mark_written(). Guards pictures that a codec knows more of than pixels. */
    atomic_uint_fast64_t generation;
    /* What counts writes of encode sessions, for each layer; in the image's own memory. */
    struct rp_image_coders *coders;
    uint32_t coder_count;        /* 0: it is no DPB image of one */
    pthread_mutex_t coder_mutex; /* guards coders; only where there are some */

    uint32_t heap_name;                        /* object/descriptor_heap.h; 0: none */
    _Atomic(struct rp_heap_view *) heap_views; /* owned: views of descriptors in heaps */
};

RP_HANDLE_CASTS(rp_image, VkImage, VK_OBJECT_TYPE_IMAGE)

/* Whether other images may have the same texels: images of memory that is exported or imported need
 * no flag for that. */
static inline bool
rp_image_may_be_alias(const struct rp_image *img)
{
    return (img->flags & VK_IMAGE_CREATE_ALIAS_BIT) || img->is_in_file;
}

static inline void
rp_image_mark_aliases_written(const struct rp_image *img)
{
    if (rp_image_may_be_alias(img))
        rp_image_aliases_mark_written(&img->base.dev->image_aliases, img);
}

/* Called before a command, a host copy or a shader writes texels of img. */
static inline void
rp_image_mark_written(struct rp_image *img)
{
    atomic_fetch_add_explicit(&img->generation, 1, memory_order_relaxed);
    rp_image_mark_aliases_written(img);
}

/* Called before an encode session writes a picture to a place in the layer. */
void rp_image_mark_coded(struct rp_image *img, uint32_t layer, const struct rp_image_place *place,
                         uint64_t session_id);

/* Changes when something else may have written the place than the encode session that did last, and
 * that a picture there. */
uint64_t rp_image_generation(struct rp_image *img, uint32_t layer,
                             const struct rp_image_place *place);

/* Fills in a zeroed image from its create info: layout and sizes, nothing that must be given back.
 * VK_ERROR_OUT_OF_DEVICE_MEMORY for what is larger than any memory (src/object/image_layout.c). */
VkResult rp_image_init(struct rp_image *img, const struct rp_device *dev,
                       const VkImageCreateInfo *info) RP_MUST_CHECK;

/* The plane that a single aspect bit names; COLOR of a multi-planar image is plane 0. */
struct rp_image_plane *rp_image_plane_of(struct rp_image *img, VkImageAspectFlags aspect);

/* First byte of texel block (0, 0, z) of a level and layer. The image is bound, the rest in
 * range. */
static inline uint8_t *
rp_image_texels(const struct rp_image_plane *plane, uint32_t level, uint32_t layer, uint32_t z)
{
    const struct rp_image_level *l = &plane->level[level];
    return plane->host + l->offset_B + layer * l->layer_stride_B + z * l->slice_stride_B;
}

/* Depth slices of a level, or samples. */
static inline uint32_t
rp_image_slice_count(const struct rp_image *img, const struct rp_image_level *level)
{
    return img->sample_count > 1 ? img->sample_count : level->extent_px.depth;
}

struct rp_image_view {
    struct rp_object base;
    struct rp_image *img; /* borrowed */
    VkImageViewType type;
    VkFormat vk_format;
    const struct rp_format *format; /* the view's, not the image's */
    VkComponentMapping swizzle;     /* IDENTITY resolved to R, G, B, A */
    VkImageAspectFlags aspects;
    VkImageUsageFlags usage;
    uint32_t base_level;
    uint32_t level_count;
    uint32_t base_layer; /* a depth slice when the image is 3D and the view is 2D */
    uint32_t layer_count;
    float min_lod;            /* counted from base_level (VK_EXT_image_view_min_lod); 0 */
    uint32_t descriptor_name; /* object/descriptor_memory.h */
    uint64_t heap_number;     /* of a heap's: object/descriptor_heap.h; 0: the application's */

    /* The image as the compute engine sees it; as a storage image (VK_EXT_image_sliced_view_of_3d)
     * perhaps with a part of its one level's depth alone. */
    struct rp_texture texture;
    struct rp_texture storage;
    struct rp_texture_level part;     /* of storage */
    struct rp_texture_level levels[]; /* of texture: plane_count * level_count */
};

RP_HANDLE_CASTS(rp_image_view, VkImageView, VK_OBJECT_TYPE_IMAGE_VIEW)

/* Bits of enum rp_descriptor_use. */
static inline uint32_t
rp_image_view_uses(const struct rp_image_view *view)
{
    uint32_t uses = 0;
    if (view->usage & (VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT))
        uses |= RP_DESCRIPTOR_SAMPLED;
    if (view->usage & VK_IMAGE_USAGE_STORAGE_BIT)
        uses |= RP_DESCRIPTOR_STORAGE;
    return uses;
}

/* heap_number: as in the view. */
VkResult rp_image_view_create(struct rp_device *dev, const VkAllocationCallbacks *alloc,
                              const VkImageViewCreateInfo *info, uint64_t heap_number,
                              struct rp_image_view **out) RP_MUST_CHECK;

#endif
