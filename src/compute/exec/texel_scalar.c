/* SPDX-License-Identifier: MIT */
/* One texel for all lanes, of the images that codecs keep their samples in: level 0 of a 2D image
 * of unsigned integers of 8 or 16 bits, or of integers of 32 bits. Other images go to the texture
 * unit, which gives the same.
 */
#include "compute/exec/common.h"
#include "compute/exec/tail.h"
#include "compute/exec/texels.h"
#include "compute/image_op.h"
#include "util/compiler.h"

#include <string.h>

/* 0 bytes: of another kind. */
struct layout {
    uint8_t component_B;
    uint8_t count;
};

static struct layout
layout_of(VkFormat format)
{
    switch ((int)format) {
    case VK_FORMAT_R8_UINT:
        return (struct layout){1, 1};
    case VK_FORMAT_R8G8_UINT:
        return (struct layout){1, 2};
    case VK_FORMAT_R8G8B8A8_UINT:
        return (struct layout){1, 4};
    case VK_FORMAT_R16_UINT:
        return (struct layout){2, 1};
    case VK_FORMAT_R16G16_UINT:
        return (struct layout){2, 2};
    case VK_FORMAT_R16G16B16A16_UINT:
        return (struct layout){2, 4};
    case VK_FORMAT_R32_UINT:
    case VK_FORMAT_R32_SINT:
        return (struct layout){4, 1};
    default:
        return (struct layout){0, 0};
    }
}

static const uint32_t *
operand(const struct rp_op *o, const char *R, int position)
{
    const struct rp_op_more *more = (const struct rp_op_more *)(o + 2) + position / 8;
    return (const uint32_t *)(R + more->r[position % 8]);
}

/* The texel's place; NULL: it is outside. */
static uint8_t *
texel_place(const struct rp_op *o, const char *R, const struct rp_kept_view *view)
{
    const struct rp_texture_level *level = view->level;
    const uint32_t texel_B = (uint32_t)view->component_B * view->count;
    const uint32_t x = *(const uint32_t *)(R + o->c), y = *(const uint32_t *)(R + o->d);
    if (x >= level->width_px || y >= level->height_px)
        return NULL;
    return level->data + (size_t)y * level->row_B + (size_t)x * texel_B;
}

/* NULL: the texture unit has to do it. */
static __attribute__((noinline)) const struct rp_kept_view *
keep_view(const struct rp_exec *x, uint32_t handle, struct rp_kept_view *kept)
{
    struct rp_descriptor room;
    const struct rp_descriptor *desc = rp_exec_descriptor(x, handle, &room);
    const struct rp_texture *view = desc ? desc->view : NULL;
    const struct layout layout = layout_of(view ? view->format : VK_FORMAT_UNDEFINED);
    *kept = (struct rp_kept_view){
        .level = layout.component_B ? rp_texel_level(view) : NULL,
        .handle = handle,
        .component_B = layout.component_B,
        .count = layout.count,
        .is_reordered = view && !rp_swizzle_is_identity(&view->swizzle),
    };
    return kept->level ? kept : NULL;
}

/* The image that this file reads and writes; NULL: another. */
static inline const struct rp_kept_view *
find_view(const struct rp_op *o, const char *R, struct rp_exec *x, const struct ir_image *image)
{
    const uint32_t handle = *(const uint32_t *)(R + o->a);
    struct rp_kept_view *kept = &x->views[handle % RP_KEPT_VIEWS];
    const struct rp_kept_view *view = kept;
    if (!kept->level || kept->handle != handle)
        view = keep_view(x, handle, kept);
    if (!view || (image->lod >= 0 && *operand(o, R, image->lod) != 0) ||
        (image->is_fetch && view->is_reordered))
        return NULL;
    return view;
}

static inline uint32_t
load_component(const uint8_t *from, uint32_t component_B)
{
    uint32_t word;
    uint16_t half;
    if (component_B == 1)
        return *from;
    if (component_B == 2) {
        memcpy(&half, from, sizeof(half));
        return half;
    }
    memcpy(&word, from, sizeof(word));
    return word;
}

/* What is too large becomes the largest number. */
static inline void
store_component(uint8_t *to, uint32_t component_B, uint32_t word)
{
    const uint16_t half = word < UINT16_MAX ? (uint16_t)word : UINT16_MAX;
    if (component_B == 1)
        *to = word < UINT8_MAX ? (uint8_t)word : UINT8_MAX;
    else if (component_B == 2)
        memcpy(to, &half, sizeof(half));
    else
        memcpy(to, &word, sizeof(word));
}

static void
read_components(const struct rp_op *o, char *R, const struct rp_kept_view *view,
                const uint8_t *from)
{
    const struct rp_op_more *more = (const struct rp_op_more *)(o + 1);
    for (uint32_t c = 0; c < 4; c++) {
        if (!(o->n & (RP_IMAGE_WANTS_0 << c)))
            continue;
        uint32_t value = c == 3 && view->count < 4;
        if (from && c < view->count)
            value = load_component(from + (size_t)c * view->component_B, view->component_B);
        *(uint32_t *)(R + more->r[c]) = value;
    }
}

const struct rp_op *
rp_common_IMAGE_READ_S(const struct rp_op *o, char *R, struct rp_exec *x)
{
    const struct rp_op_more *more = (const struct rp_op_more *)(o + 1);
    const struct rp_kept_view *view = find_view(o, R, x, &x->images[o->i]);
    if (!view)
        return rp_exec_image(o, R, x, NULL);

    const uint8_t *from = texel_place(o, R, view);
    if (RP_LIKELY((o->n & RP_IMAGE_WANTS_ALL) == RP_IMAGE_WANTS_0))
        *(uint32_t *)(R + more->r[0]) = from ? load_component(from, view->component_B) : 0;
    else
        read_components(o, R, view, from);
    o += o->n >> RP_IMAGE_RECORDS_SHIFT;
    RP_MUSTTAIL return RP_GO(o);
}

const struct rp_op *
rp_common_IMAGE_WRITE_S(const struct rp_op *o, char *R, struct rp_exec *x)
{
    const struct ir_image *image = &x->images[o->i];
    const struct rp_kept_view *view = find_view(o, R, x, image);
    if (!view)
        return rp_exec_image(o, R, x, NULL);

    uint8_t *to = texel_place(o, R, view);
    for (uint32_t c = 0; to && c < view->count; c++) {
        const int value = image->value + (int)(c < image->value_count ? c : 0);
        store_component(to + (size_t)c * view->component_B, view->component_B,
                        *operand(o, R, value));
    }
    o += o->n >> RP_IMAGE_RECORDS_SHIFT;
    RP_MUSTTAIL return RP_GO(o);
}
