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
static inline uint8_t *
texel_place(const struct rp_op *o, const char *R, const struct rp_kept_view *view)
{
    const uint32_t x = *(const uint32_t *)(R + o->c), y = *(const uint32_t *)(R + o->d);
    if (RP_UNLIKELY(x >= view->width_px || y >= view->height_px))
        return NULL;
    return view->data + (size_t)y * view->row_B + ((size_t)x << view->texel_B_log2);
}

/* What is known of an image that is not this file's is that it has no texels. */
static void
keep_view(const struct rp_exec *x, uint32_t handle, struct rp_kept_view *kept)
{
    struct rp_descriptor room;
    const struct rp_descriptor *desc = rp_exec_descriptor(x, handle, &room);
    const struct rp_texture *view = desc ? desc->view : NULL;
    const struct layout layout = layout_of(view ? view->format : VK_FORMAT_UNDEFINED);
    const struct rp_texture_level *level = layout.component_B ? rp_texel_level(view) : NULL;
    *kept = (struct rp_kept_view){.handle = handle};
    if (!level)
        return;
    *kept = (struct rp_kept_view){
        .handle = handle,
        .width_px = level->width_px,
        .height_px = level->height_px,
        .row_B = (uint32_t)level->row_B,
        .data = level->data,
        .component_B = layout.component_B,
        .count = layout.count,
        .texel_B_log2 = (uint8_t)__builtin_ctz((uint32_t)layout.component_B * layout.count),
        .is_reordered = !rp_swizzle_is_identity(&view->swizzle),
    };
}

static inline struct rp_kept_view *
view_room(struct rp_exec *x, uint32_t handle)
{
    return &x->views[(handle ^ handle >> RP_PAGE_SHIFT) % RP_KEPT_VIEWS];
}

/* The image that this file reads and writes; NULL: another. */
static const struct rp_kept_view *
find_view(const struct rp_op *o, const char *R, struct rp_exec *x, const struct ir_image *image)
{
    const uint32_t handle = *(const uint32_t *)(R + o->a);
    struct rp_kept_view *kept = view_room(x, handle);
    if (kept->handle != handle)
        keep_view(x, handle, kept);
    if (!kept->data || (image->lod >= 0 && *operand(o, R, image->lod) != 0) ||
        (image->is_fetch && kept->is_reordered))
        return NULL;
    return kept;
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

/* Of any image, and any of its components. */
static __attribute__((noinline)) const struct rp_op *
read_any(const struct rp_op *o, char *R, struct rp_exec *x)
{
    const struct rp_kept_view *view = find_view(o, R, x, &x->images[o->i]);
    if (!view)
        return rp_exec_image(o, R, x, NULL);
    read_components(o, R, view, texel_place(o, R, view));
    o += o->n >> RP_IMAGE_RECORDS_SHIFT;
    RP_MUSTTAIL return RP_GO(o);
}

static __attribute__((noinline)) const struct rp_op *
write_any(const struct rp_op *o, char *R, struct rp_exec *x)
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

/* One component of a texel that is there, of an image that is known. */
const struct rp_op *
rp_common_IMAGE_READ_S(const struct rp_op *o, char *R, struct rp_exec *x)
{
    const struct rp_op_more *more = (const struct rp_op_more *)(o + 1);
    const uint32_t handle = *(const uint32_t *)(R + o->a);
    const struct rp_kept_view *view = view_room(x, handle);
    const uint32_t asked = RP_IMAGE_WANTS_ALL | RP_IMAGE_ASKS_MORE;
    const uint8_t *from = view->handle == handle ? texel_place(o, R, view) : NULL;
    if (RP_UNLIKELY(!from || (o->n & asked) != RP_IMAGE_WANTS_0))
        RP_MUSTTAIL return read_any(o, R, x);
    *(uint32_t *)(R + more->r[0]) = load_component(from, view->component_B);
    o += o->n >> RP_IMAGE_RECORDS_SHIFT;
    RP_MUSTTAIL return RP_GO(o);
}

const struct rp_op *
rp_common_IMAGE_WRITE_S(const struct rp_op *o, char *R, struct rp_exec *x)
{
    const uint32_t handle = *(const uint32_t *)(R + o->a);
    const struct rp_kept_view *view = view_room(x, handle);
    uint8_t *to = view->handle == handle ? texel_place(o, R, view) : NULL;
    if (RP_UNLIKELY(!to || view->count != 1 || (o->n & RP_IMAGE_ASKS_MORE)))
        RP_MUSTTAIL return write_any(o, R, x);
    store_component(to, view->component_B, *(const uint32_t *)(R + o->b));
    o += o->n >> RP_IMAGE_RECORDS_SHIFT;
    RP_MUSTTAIL return RP_GO(o);
}
