/* SPDX-License-Identifier: MIT */
/* Planes that are taken, given to libavcodec, and kept for the next picture.
 */
#include "codecs/avcodec/library/planes.h"

#include "util/alloc.h"

#include <assert.h>
#include <string.h>

#define PLANE_ALIGN_B 64
#define PLANES_HEADER_B 128 /* struct rp_avcodec_planes */

size_t
rp_avcodec_stride(size_t row_B)
{
    const size_t stride_B = (row_B + PLANE_ALIGN_B - 1) / PLANE_ALIGN_B * PLANE_ALIGN_B;
    /* Rows a multiple of 1 KiB apart would fight for the same cache sets. */
    return stride_B % 1024 ? stride_B : stride_B + PLANE_ALIGN_B;
}

void
rp_avcodec_plane_pool_init(struct rp_avcodec_plane_pool *pool, uint32_t width_px,
                           uint32_t height_px, uint32_t bit_depth, uint32_t extra_rows)
{
    const size_t sample_B = bit_depth > 8 ? 2 : 1;
    const size_t luma_stride_B = rp_avcodec_stride(width_px * sample_B);
    const size_t chroma_stride_B = rp_avcodec_stride(width_px / 2 * sample_B);
    *pool = (struct rp_avcodec_plane_pool){
        .width_px = width_px,
        .height_px = height_px,
        .bit_depth = bit_depth,
        .stride_B = {luma_stride_B, chroma_stride_B, chroma_stride_B},
        .luma_rows = height_px + extra_rows,
        .luma_B = luma_stride_B * (height_px + extra_rows),
        .chroma_B = PLANES_HEADER_B + 2 * chroma_stride_B * (height_px / 2 + extra_rows),
    };
}

/* Grey: what a damaged stream leaves undecoded must not be somebody else's memory, nor samples that
 * there are not. */
static uint8_t *
samples_alloc(struct rp_avcodec_plane_pool *pool, size_t size_B)
{
    uint8_t *memory = rp_alloc(NULL, size_B, PLANE_ALIGN_B, VK_SYSTEM_ALLOCATION_SCOPE_OBJECT);
    if (!memory)
        return NULL;
    if (pool->bit_depth == 8) {
        memset(memory, 1 << 7, size_B);
    } else {
        for (size_t i = 0; i < size_B / 2; i++)
            ((uint16_t *)memory)[i] = (uint16_t)(1u << (pool->bit_depth - 1));
    }
    pool->memory_B += size_B;
    return memory;
}

static struct rp_avcodec_planes *
planes_create(struct rp_avcodec_plane_pool *pool)
{
    static_assert(sizeof(struct rp_avcodec_planes) <= PLANES_HEADER_B, "samples come behind");
    uint8_t *memory = samples_alloc(pool, pool->chroma_B);
    if (!memory)
        return NULL;

    struct rp_avcodec_planes *planes = (struct rp_avcodec_planes *)memory;
    *planes = (struct rp_avcodec_planes){.pool = pool};
    planes->data[1] = memory + PLANES_HEADER_B;
    planes->data[2] = planes->data[1] + (pool->chroma_B - PLANES_HEADER_B) / 2;
    return planes;
}

void
rp_avcodec_plane_pool_finish(struct rp_avcodec_plane_pool *pool)
{
    while (pool->free_planes) {
        struct rp_avcodec_planes *planes = pool->free_planes;
        pool->free_planes = planes->next_free;
        rp_free(NULL, planes->luma);
        rp_free(NULL, planes);
    }
}

void
rp_avcodec_plane_pool_offer(struct rp_avcodec_plane_pool *pool, const struct rp_decode_job *job)
{
    const struct rp_plane *luma = &job->dst.plane[0];
    const bool is_suitable = job->target.memory && pool->bit_depth == 8 && luma->data &&
                             luma->stride_B == pool->stride_B[0] &&
                             ((uintptr_t)luma->data & (PLANE_ALIGN_B - 1)) == 0 &&
                             job->target.rows >= pool->luma_rows;
    pool->target = is_suitable ? job->target : (struct rp_decode_target){.memory = NULL};
    pool->target_luma = luma->data;
}

void
rp_avcodec_plane_pool_withdraw(struct rp_avcodec_plane_pool *pool)
{
    pool->target.memory = NULL;
}

/* libavcodec's last reference is gone. */
static void
planes_release(void *opaque, uint8_t *data)
{
    struct rp_avcodec_planes *planes = opaque;
    struct rp_avcodec_plane_pool *pool = planes->pool;

    if (planes->target.memory)
        planes->target.release(planes->target.memory);
    planes->target.memory = NULL;
    planes->next_free = pool->free_planes;
    pool->free_planes = planes;
    pool->given_count--;
}

/* At the target that is offered, once, or in memory of ours. */
static bool
planes_find_luma(struct rp_avcodec_planes *planes)
{
    struct rp_avcodec_plane_pool *pool = planes->pool;

    if (pool->target.memory) {
        planes->target = pool->target;
        planes->target.retain(planes->target.memory);
        planes->data[0] = pool->target_luma;
        pool->target.memory = NULL;
        return true;
    }
    if (!planes->luma)
        planes->luma = samples_alloc(pool, pool->luma_B);
    planes->data[0] = planes->luma;
    return planes->luma;
}

static struct rp_avcodec_planes *
planes_get(struct rp_avcodec_plane_pool *pool)
{
    struct rp_avcodec_planes *planes = pool->free_planes;
    if (planes)
        pool->free_planes = planes->next_free;
    else
        planes = planes_create(pool);
    pool->given_count += planes != NULL;
    if (planes && !planes_find_luma(planes)) {
        planes_release(planes, NULL);
        return NULL;
    }
    return planes;
}

struct rp_avcodec_planes *
rp_avcodec_planes_give(struct rp_avcodec_plane_pool *pool, const struct rp_avcodec_library *lib,
                       struct AVFrame *avframe)
{
    struct rp_avcodec_planes *planes = planes_get(pool);
    if (!planes)
        return NULL;
    /* A new AVBuffer every time: libavcodec tells pictures apart by it. */
    struct AVBufferRef *buf = lib->av_buffer_create(planes->data[0], 1, planes_release, planes, 0);
    if (!buf) {
        planes_release(planes, NULL);
        return NULL;
    }
    struct rp_av_frame *frame = (struct rp_av_frame *)avframe;
    *(struct AVBufferRef **)rp_av_field(avframe, lib->layout->frame_buf_offset_B) = buf;
    for (uint32_t i = 0; i < 3; i++) {
        frame->data[i] = planes->data[i];
        frame->stride_B[i] = (int)pool->stride_B[i];
    }
    frame->extended_data = frame->data;
    return planes;
}
