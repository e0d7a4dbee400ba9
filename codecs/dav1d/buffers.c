/* SPDX-License-Identifier: MIT */
/* Planes in one allocation, and a few of those that are free again.
 */
#include "codecs/dav1d/buffers.h"

#include "util/alloc.h"
#include "util/checked.h"

#include <errno.h>

struct rp_dav1d_buffer {
    struct rp_dav1d_buffer *next; /* while it is idle */
    size_t size_B;
    struct rp_decode_target target; /* memory: NULL or retained */
};

/* The planes follow. */
#define HEADER_B \
    ((sizeof(struct rp_dav1d_buffer) + RP_DAV1D_ALIGN_B - 1) & ~(size_t)(RP_DAV1D_ALIGN_B - 1))

bool
rp_dav1d_buffers_init(struct rp_dav1d_buffers *buffers, const struct rp_dav1d_layout *layout)
{
    *buffers = (struct rp_dav1d_buffers){.layout = layout};
    return pthread_mutex_init(&buffers->mutex, NULL) == 0;
}

static void
free_list(struct rp_dav1d_buffer *buffer)
{
    while (buffer) {
        struct rp_dav1d_buffer *next = buffer->next;
        rp_free(NULL, buffer);
        buffer = next;
    }
}

void
rp_dav1d_buffers_finish(struct rp_dav1d_buffers *buffers)
{
    free_list(buffers->idle);
    pthread_mutex_destroy(&buffers->mutex);
}

/* The stride of a plane of whole blocks. */
static size_t
stride_for(uint32_t width_px, uint32_t block_px, uint32_t sample_B)
{
    const size_t stride_B = (size_t)rp_align_u64(width_px, block_px) * sample_B;
    /* Rows a multiple of 1 KiB apart would fight for the same cache sets. */
    return stride_B % 1024 ? stride_B : stride_B + RP_DAV1D_ALIGN_B;
}

static struct rp_decode_layout
luma_layout(uint32_t width_px, uint32_t height_px, uint32_t sample_B)
{
    return (struct rp_decode_layout){
        .stride_B = stride_for(width_px, RP_DAV1D_BLOCK_PX, sample_B),
        .rows = (uint32_t)rp_align_u64(height_px, RP_DAV1D_BLOCK_PX) + 1, /* padding */
    };
}

void
rp_dav1d_image_layout(uint32_t width_px, uint32_t height_px, struct rp_decode_layout *out)
{
    *out = luma_layout(width_px, height_px, 1);
}

/* An idle one of this size. When there are only others, the pictures have another size now. */
static struct rp_dav1d_buffer *
take_idle(struct rp_dav1d_buffers *buffers, size_t size_B)
{
    struct rp_dav1d_buffer *found = NULL;
    struct rp_dav1d_buffer *others = NULL;
    pthread_mutex_lock(&buffers->mutex);
    for (struct rp_dav1d_buffer **at = &buffers->idle; *at && !found; at = &(*at)->next) {
        if ((*at)->size_B == size_B) {
            found = *at;
            *at = found->next;
            buffers->idle_count--;
            break;
        }
    }
    if (!found) {
        others = buffers->idle;
        buffers->idle = NULL;
        buffers->idle_count = 0;
    }
    pthread_mutex_unlock(&buffers->mutex);
    free_list(others);
    return found;
}

/* What a damaged stream leaves undecoded must not be somebody else's memory. */
static struct rp_dav1d_buffer *
buffer_get(struct rp_dav1d_buffers *buffers, size_t size_B)
{
    struct rp_dav1d_buffer *buffer = take_idle(buffers, size_B);
    if (buffer)
        return buffer;
    buffer =
        rp_zalloc(NULL, HEADER_B + size_B, RP_DAV1D_ALIGN_B, VK_SYSTEM_ALLOCATION_SCOPE_OBJECT);
    if (buffer)
        buffer->size_B = size_B;
    return buffer;
}

static void
buffer_put(struct rp_dav1d_buffers *buffers, struct rp_dav1d_buffer *buffer)
{
    pthread_mutex_lock(&buffers->mutex);
    const bool is_kept = buffers->idle_count < RP_DAV1D_IDLE_BUFFERS;
    if (is_kept) {
        buffer->next = buffers->idle;
        buffers->idle = buffer;
        buffers->idle_count++;
    }
    pthread_mutex_unlock(&buffers->mutex);
    if (!is_kept)
        rp_free(NULL, buffer);
}

/* Whether luma of this layout can be decoded into the target. Samples of more than 8 bits lie in
 * other bits of their words there. */
static bool
target_fits(const struct rp_dav1d_buffers *buffers, const struct rp_decode_layout *luma,
            uint32_t sample_B)
{
    const struct rp_plane *plane = buffers->target_plane;
    return plane && sample_B == 1 && (uintptr_t)plane->data % RP_DAV1D_ALIGN_B == 0 &&
           plane->stride_B % RP_DAV1D_ALIGN_B == 0 && plane->stride_B >= luma->stride_B &&
           buffers->target->rows >= luma->rows;
}

/* Whether the outputs can hold such a picture. */
static bool
picture_is_supported(const struct rp_dav1d_buffers *buffers, const struct rp_dav1d_picture *picture)
{
    const uint32_t bit_depth = (uint32_t)picture->parameters.bit_depth;
    return (picture->parameters.layout == RP_DAV1D_I400 ||
            picture->parameters.layout == RP_DAV1D_I420) &&
           (bit_depth == 8 || bit_depth == 10) &&
           (buffers->bit_depth == 0 || buffers->bit_depth == bit_depth);
}

static void **
allocator_data(const struct rp_dav1d_buffers *buffers, struct rp_dav1d_picture *picture)
{
    return (void **)((char *)picture + buffers->layout->allocator_data_offset_B);
}

int
rp_dav1d_buffers_alloc_picture(struct rp_dav1d_picture *picture, void *cookie)
{
    struct rp_dav1d_buffers *buffers = cookie;
    if (!picture_is_supported(buffers, picture)) {
        buffers->is_unsupported = true;
        return -EINVAL;
    }

    const uint32_t width_px = (uint32_t)picture->parameters.width_px;
    const uint32_t height_px = (uint32_t)picture->parameters.height_px;
    const uint32_t sample_B = picture->parameters.bit_depth > 8 ? 2 : 1;
    const bool has_chroma = picture->parameters.layout != RP_DAV1D_I400;
    const struct rp_decode_layout luma = luma_layout(width_px, height_px, sample_B);
    const bool is_in_place = target_fits(buffers, &luma, sample_B);
    const size_t luma_B = is_in_place ? 0 : luma.stride_B * luma.rows;
    const size_t chroma_stride_B = stride_for((width_px + 1) / 2, RP_DAV1D_BLOCK_PX / 2, sample_B);
    const size_t chroma_B = has_chroma ? chroma_stride_B * (luma.rows / 2) : 0;
    struct rp_dav1d_buffer *buffer = buffer_get(buffers, luma_B + 2 * chroma_B + RP_DAV1D_ALIGN_B);
    if (!buffer) {
        buffers->is_out_of_memory = true;
        return -ENOMEM;
    }

    uint8_t *planes = (uint8_t *)buffer + HEADER_B;
    buffer->target = (struct rp_decode_target){.memory = NULL};
    if (is_in_place) {
        buffer->target = *buffers->target;
        buffer->target.retain(buffer->target.memory);
    }
    picture->data[0] = is_in_place ? buffers->target_plane->data : planes;
    picture->data[1] = has_chroma ? planes + luma_B : NULL;
    picture->data[2] = has_chroma ? planes + luma_B + chroma_B : NULL;
    picture->stride_B[0] =
        (ptrdiff_t)(is_in_place ? buffers->target_plane->stride_B : luma.stride_B);
    picture->stride_B[1] = has_chroma ? (ptrdiff_t)chroma_stride_B : 0;
    *allocator_data(buffers, picture) = buffer;
    buffers->target_plane = NULL;
    return 0;
}

void
rp_dav1d_buffers_release_picture(struct rp_dav1d_picture *picture, void *cookie)
{
    struct rp_dav1d_buffers *buffers = cookie;
    struct rp_dav1d_buffer *buffer = *allocator_data(buffers, picture);
    if (buffer->target.memory)
        buffer->target.release(buffer->target.memory);
    buffer_put(buffers, buffer);
}
