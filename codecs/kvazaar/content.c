/* SPDX-License-Identifier: MIT */
#include "codecs/kvazaar/content.h"

#include "codecs/kvazaar/rows.h"
#include "codecs/planes/interleave.h"

#include "util/alloc.h"
#include "util/compiler.h"

#include <string.h>

#define ALIGN_B 64u
#define CTB_SCUS (LCU_WIDTH / SCU_WIDTH)
#define PADDING_PX 64u /* that kvazaar's kernels may read before and behind the planes */

static void
picture_init(kvz_picture *picture, kvz_pixel *planes, uint32_t width_px, uint32_t height_px)
{
    const size_t luma = (size_t)width_px * height_px;
    *picture = (kvz_picture){
        .fulldata = planes,
        .y = planes,
        .u = planes + luma,
        .v = planes + luma + luma / 4,
        .data = {planes, planes + luma, planes + luma + luma / 4},
        .width = (int32_t)width_px,
        .height = (int32_t)height_px,
        .stride = (int32_t)width_px,
        .refcount = 1, /* ours, so that kvazaar's never is the last one */
        .chroma_format = KVZ_CSP_420,
    };
    picture->base_image = picture;
}

static size_t
planes_B(uint32_t width_px, uint32_t height_px)
{
    return ((size_t)width_px * height_px * 3 / 2 + (size_t)2 * PADDING_PX) * sizeof(kvz_pixel);
}

bool
rp_kvazaar_content_reserve(struct rp_kvazaar_content *content, uint32_t width_px,
                           uint32_t height_px)
{
    content->has_picture = false;
    content->small.is_filled = false;
    content->rate_base = 0;
    rp_kvazaar_coded_rows_clear(&content->coded);
    if (content->width_px == width_px && content->height_px == height_px)
        return true;
    rp_kvazaar_content_finish(content);

    const uint32_t columns = (width_px + LCU_WIDTH - 1) / LCU_WIDTH;
    const uint32_t rows = (height_px + LCU_WIDTH - 1) / LCU_WIDTH;
    const size_t motion_B = (size_t)columns * rows * CTB_SCUS * CTB_SCUS * sizeof(cu_info_t);
    const size_t motion_at_B = planes_B(width_px, height_px);
    const size_t rows_at_B = motion_at_B + motion_B;
    unsigned char *memory = rp_zalloc(NULL, rows_at_B + rows * sizeof(struct rp_progress), ALIGN_B,
                                      VK_SYSTEM_ALLOCATION_SCOPE_OBJECT);
    if (!memory)
        return false;
    content->memory = memory;
    content->width_px = width_px;
    content->height_px = height_px;
    picture_init(&content->picture, (kvz_pixel *)memory + PADDING_PX, width_px, height_px);
    content->motion = (cu_array_t){
        .data = (cu_info_t *)(memory + motion_at_B),
        .width = (int32_t)(columns * LCU_WIDTH),
        .height = (int32_t)(rows * LCU_WIDTH),
        .stride = (int32_t)(columns * LCU_WIDTH),
        .refcount = 1,
    };
    content->coded = (struct rp_kvazaar_coded_rows){
        .rows = (struct rp_progress *)(memory + rows_at_B),
        .row_count = rows,
        .column_count = columns,
    };
    return true;
}

void
rp_kvazaar_content_finish(struct rp_kvazaar_content *content)
{
    rp_free(NULL, content->memory);
    rp_small_picture_finish(&content->small);
    *content = (struct rp_kvazaar_content){0};
}

struct rp_kvazaar_content *
rp_kvazaar_content_create(void)
{
    return rp_zalloc(NULL, sizeof(struct rp_kvazaar_content), _Alignof(struct rp_kvazaar_content),
                     VK_SYSTEM_ALLOCATION_SCOPE_OBJECT);
}

void
rp_kvazaar_content_destroy(struct rp_kvazaar_content *content)
{
    if (!content)
        return;
    rp_kvazaar_content_finish(content);
    rp_free(NULL, content);
}

void
rp_kvazaar_content_view(const struct rp_kvazaar_content *content, kvz_picture *out)
{
    picture_init(out, (kvz_pixel *)content->memory + PADDING_PX, content->width_px,
                 content->height_px);
}

static size_t
block_count(const struct rp_kvazaar_content *content)
{
    return (size_t)(content->motion.width / SCU_WIDTH) *
           (size_t)(content->motion.height / SCU_WIDTH);
}

void
rp_kvazaar_content_clear_motion(struct rp_kvazaar_content *content, uint32_t y_px, uint32_t end_px)
{
    const size_t columns = (size_t)content->motion.width / SCU_WIDTH;
    const size_t first = y_px / SCU_WIDTH * columns;
    const size_t end = (end_px + LCU_WIDTH - 1) / LCU_WIDTH * (LCU_WIDTH / SCU_WIDTH) * columns;
    memset(content->motion.data + first, 0, (end - first) * sizeof(*content->motion.data));
}

void *
rp_kvazaar_planes_create(kvz_picture *out, uint32_t width_px, uint32_t height_px)
{
    kvz_pixel *planes =
        rp_zalloc(NULL, planes_B(width_px, height_px), ALIGN_B, VK_SYSTEM_ALLOCATION_SCOPE_OBJECT);
    if (planes)
        picture_init(out, planes + PADDING_PX, width_px, height_px);
    return planes;
}

/* Beyond the first samples of a row the last of them is repeated. */
static void
extend_row(kvz_pixel *row, uint32_t there, uint32_t count)
{
    for (uint32_t i = there; i < count; i++)
        row[i] = row[there - 1];
}

static void
fill_row(kvz_pixel *dst, uint32_t count, const uint8_t *src, uint32_t src_count)
{
    const uint32_t copied = RP_MIN(src_count, count);
    rp_kvazaar_row_read(src, dst, copied);
    extend_row(dst, copied, count);
}

static void
fill_pairs(kvz_pixel *u, kvz_pixel *v, uint32_t count, const uint8_t *src, uint32_t src_count)
{
    const uint32_t copied = RP_MIN(src_count, count);
    rp_kvazaar_uv_row_read(src, u, v, copied);
    extend_row(u, copied, count);
    extend_row(v, copied, count);
}

void
rp_kvazaar_planes_fill(kvz_picture *dst, const struct rp_picture *src, uint32_t y_px,
                       uint32_t end_px)
{
    const uint32_t width_px = (uint32_t)dst->width;
    const uint32_t stride = (uint32_t)dst->stride;
    const uint32_t src_columns = (src->width_px + 1) / 2, src_rows = (src->height_px + 1) / 2;

    for (uint32_t y = y_px; y < end_px; y++)
        fill_row(dst->y + (size_t)y * stride, width_px,
                 src->plane[0].data + RP_MIN(y, src->height_px - 1) * src->plane[0].stride_B,
                 src->width_px);
    for (uint32_t y = y_px / 2; y < end_px / 2; y++) {
        const uint32_t src_y = RP_MIN(y, src_rows - 1);
        kvz_pixel *u = dst->u + (size_t)y * (stride / 2), *v = dst->v + (size_t)y * (stride / 2);
        const uint8_t *row = src->plane[1].data + src_y * src->plane[1].stride_B;
        if (src->layout == RP_PICTURE_NV12) {
            fill_pairs(u, v, width_px / 2, row, src_columns);
        } else {
            fill_row(u, width_px / 2, row, src_columns);
            fill_row(v, width_px / 2, src->plane[2].data + src_y * src->plane[2].stride_B,
                     src_columns);
        }
    }
}

void
rp_kvazaar_content_adopt(struct rp_kvazaar_content *content, const struct rp_picture *pixels)
{
    rp_kvazaar_planes_fill(&content->picture, pixels, 0, content->height_px);
    rp_kvazaar_content_clear_motion(content, 0, content->height_px);
    for (size_t i = 0; i < block_count(content); i++)
        content->motion.data[i].type = CU_INTRA;
    content->small.is_filled = false;
    content->rate_base = 0;
    content->has_picture = true;
    atomic_store(&content->is_lost, false);
    rp_kvazaar_coded_rows_end(&content->coded);
}

void
rp_kvazaar_content_copy(const struct rp_kvazaar_content *content, const struct rp_picture *dst,
                        uint32_t y_px, uint32_t end_px)
{
    const kvz_picture *src = &content->picture;
    const uint32_t width_px = RP_MIN(dst->width_px, content->width_px);
    const uint32_t there_px = RP_MIN(RP_MIN(dst->height_px, content->height_px), end_px);
    const size_t stride = (size_t)src->stride;

    for (uint32_t y = y_px; y < there_px; y++)
        rp_kvazaar_row_write(src->y + y * stride, dst->plane[0].data + y * dst->plane[0].stride_B,
                             width_px);
    for (uint32_t y = y_px / 2; y < (there_px + 1) / 2; y++)
        rp_kvazaar_uv_row_write(src->u + y * (stride / 2), src->v + y * (stride / 2),
                                dst->plane[1].data + y * dst->plane[1].stride_B,
                                (width_px + 1) / 2);
    rp_interleave_end();
}
