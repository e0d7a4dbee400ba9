/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Frames of decoded pictures: made, bound to the application's memory, adopted from its pixels.
 */
#include "picture/content.h"

#include "reelpipe/workers.h"

#include "util/alloc.h"

/* More threads than that were not measured (1080p, 3 MB). An even number of lines keeps rows of
 * chroma in one band. */
#define COPYING_THREADS 4
#define COPIED_LINES 64

bool
rp_x264_content_has_extent(const struct rp_x264_content *content,
                           const struct rp_x264_config *config)
{
    return content->frame && content->geometry.i_width[0] == ALIGN((int)config->width_px, 16) &&
           content->geometry.i_lines[0] == ALIGN((int)config->height_px, 16);
}

bool
rp_x264_content_fits(const struct rp_x264_content *content, const struct rp_x264_config *config)
{
    return rp_x264_content_has_extent(content, config) &&
           (content->geometry.filtered[0][1] || !rp_x264_config_wants_half_pel(config));
}

bool
rp_x264_content_is_complete(const struct rp_x264_content *content,
                            const struct rp_x264_config *config)
{
    return content->has_half_pel || !rp_x264_config_wants_half_pel(config);
}

struct rp_x264_content *
rp_x264_content_create(struct rp_workers *workers)
{
    struct rp_x264_content *content =
        rp_zalloc(NULL, sizeof(*content), 64, VK_SYSTEM_ALLOCATION_SCOPE_OBJECT);
    if (content)
        content->told.workers = workers;
    return content;
}

static void
content_drop_frame(struct rp_x264_content *content)
{
    if (content->frame)
        x264_frame_delete(content->frame);
    if (content->lowres)
        x264_frame_delete(content->lowres);
    content->frame = content->lowres = NULL;
    content->has_lowres = false;
    content->is_in_place = content->is_private = false;
    content->origin = (struct rp_x264_origin){0};
}

void
rp_x264_content_destroy(struct rp_x264_content *content)
{
    if (!content)
        return;
    content_drop_frame(content);
    rp_free(NULL, content);
}

static x264_frame_t *
context_take_frame(struct rp_x264_context *ctx)
{
    x264_frame_t *frame = ctx->unkept;
    if (!frame)
        return x264_frame_pop_unused(ctx->h, 1);
    ctx->unkept = NULL;
    ctx->h->fdec = NULL;
    return frame;
}

/* Motion and rates that say "not known". */
static void
frame_clear_motion(x264_frame_t *frame, const x264_t *h)
{
    const size_t mb_count = (size_t)h->mb.i_mb_count;

    memset(frame->mb_type, P_SKIP, mb_count);
    memset(frame->mb_partition, D_16x16, mb_count);
    memset(frame->mv16x16 - 1, 0, (mb_count + 1) * sizeof(frame->mv16x16[0]));
    for (int list = 0; list < 2; list++) {
        memset(frame->mv[list], 0, 16 * mb_count * sizeof(frame->mv[0][0]));
        memset(frame->ref[list], -1, 4 * mb_count);
    }
    rp_x264_frame_clear_rate(frame, h);
}

bool
rp_x264_content_make_frame(struct rp_x264_content *content, struct rp_x264_context *ctx)
{
    content_drop_frame(content);
    content->frame = context_take_frame(ctx);
    if (!content->frame)
        return false;
    /* Coding the first picture may fail before it has begun, with the next one waiting for it. */
    frame_clear_motion(content->frame, ctx->h);
    content->frame->opaque = &content->told;
    content->geometry = *content->frame;
    content->has_half_pel = false;
    return true;
}

/* x264 reads and writes all pictures with one stride and loads rows with aligned accesses. */
static bool
picture_is_usable(const struct rp_x264_content *content, const struct rp_dpb_picture *picture)
{
    const struct rp_plane *plane = picture->pixels.plane;

    return picture->is_padded && picture->pixels.layout == RP_PICTURE_NV12 &&
           plane[0].stride_B == (size_t)content->geometry.i_stride[0] &&
           plane[1].stride_B == (size_t)content->geometry.i_stride[1] &&
           (((uintptr_t)plane[0].data | (uintptr_t)plane[1].data) & 63) == 0;
}

bool
rp_x264_content_is_bound(const struct rp_x264_content *content,
                         const struct rp_dpb_picture *picture)
{
    if (!picture_is_usable(content, picture))
        return !content->is_in_place;
    return content->is_in_place && content->frame->plane[0] == picture->pixels.plane[0].data &&
           content->frame->plane[1] == picture->pixels.plane[1].data;
}

void
rp_x264_content_bind(struct rp_x264_content *content, const struct rp_dpb_picture *picture,
                     bool may_be_in_place)
{
    x264_frame_t *frame = content->frame;
    const bool is_usable = picture_is_usable(content, picture);

    content->is_private = is_usable && !may_be_in_place;
    if (content->is_private ? !content->is_in_place : rp_x264_content_is_bound(content, picture))
        return;
    content->is_in_place = is_usable && may_be_in_place;
    if (content->is_in_place) {
        frame->plane[0] = picture->pixels.plane[0].data;
        frame->plane[1] = picture->pixels.plane[1].data;
    } else {
        const int stride = frame->i_stride[0];
        frame->plane[0] = frame->buffer[0] + PADV * stride + PADH_ALIGN;
        frame->plane[1] = frame->buffer[1] + PADV / 2 * stride + PADH_ALIGN;
    }
    frame->filtered[0][0] = frame->plane[0];
    for (int i = 0; i < 2; i++)
        content->geometry.plane[i] = frame->plane[i];
    content->geometry.filtered[0][0] = frame->filtered[0][0];
}

static void
frame_copy_plane(x264_frame_t *frame, x264_t *h, int p, const uint8_t *src, size_t stride_B,
                 int width, int lines)
{
    h->mc.plane_copy(frame->plane[p], frame->i_stride[p], (pixel *)src, (intptr_t)stride_B, width,
                     lines);
}

/* Rows and columns that the image does not have repeat its last ones. */
static void
frame_extend(x264_frame_t *frame, int p, int width, int lines)
{
    const int full_width = frame->i_width[0];
    const int unit = p + 1; /* UV pairs in plane 1 */

    for (int y = 0; y < lines; y++) {
        uint8_t *row = frame->plane[p] + (intptr_t)y * frame->i_stride[p];
        for (int x = width; x < full_width; x++)
            row[x] = row[x - unit];
    }
    for (int y = lines; y < frame->i_lines[p]; y++)
        memcpy(frame->plane[p] + (intptr_t)y * frame->i_stride[p],
               frame->plane[p] + (intptr_t)(lines - 1) * frame->i_stride[p], (size_t)full_width);
}

static void
frame_copy_in(x264_frame_t *frame, x264_t *h, const struct rp_picture *pixels)
{
    const int width = X264_MIN((int)pixels->width_px, frame->i_width[0]);
    const int lines = X264_MIN((int)pixels->height_px, frame->i_lines[0]);

    for (int p = 0; p < 2; p++) {
        frame_copy_plane(frame, h, p, pixels->plane[p].data, pixels->plane[p].stride_B, width,
                         lines >> p);
        frame_extend(frame, p, width, lines >> p);
    }
}

static void
content_filter(struct rp_x264_content *content, struct rp_x264_context *ctx)
{
    x264_t *h = ctx->h;
    x264_frame_t *frame = content->frame;

    for (int y = 0; y < h->mb.i_mb_height; y++) {
        const int is_last = y == h->mb.i_mb_height - 1;
        x264_frame_expand_border(h, frame, y);
        if (rp_x264_config_wants_half_pel(&ctx->config)) {
            x264_frame_filter(h, frame, y, is_last);
            x264_frame_expand_border_filtered(h, frame, y, is_last);
        }
    }
    content->has_half_pel = rp_x264_config_wants_half_pel(&ctx->config);
    x264_emms();
}

void
rp_x264_frame_clear_rate(x264_frame_t *frame, const x264_t *h)
{
    const size_t row_count = (size_t)h->mb.i_mb_height;

    memset(frame->i_row_bits, 0, row_count * sizeof(frame->i_row_bits[0]));
    memset(frame->f_row_qp, 0, row_count * sizeof(frame->f_row_qp[0]));
    memset(frame->f_row_qscale, 0, row_count * sizeof(frame->f_row_qscale[0]));
    frame->i_row_satd = frame->i_row_satds[0][0];
    memset(frame->i_row_satd, 0, row_count * sizeof(frame->i_row_satd[0]));
    frame->i_satd = 0;
    frame->f_qp_avg_rc = 0;
}

bool
rp_x264_content_adopt(struct rp_x264_content *content, struct rp_x264_context *ctx,
                      const struct rp_dpb_picture *picture, bool keeps_old, uint64_t serial)
{
    x264_frame_t *old = NULL;
    if (keeps_old) {
        old = content->frame;
        content->frame = NULL;
    }
    if (!rp_x264_content_fits(content, &ctx->config) && !rp_x264_content_make_frame(content, ctx)) {
        if (old)
            x264_frame_delete(old);
        return false;
    }
    rp_x264_content_bind(content, picture, true);

    x264_frame_t *frame = content->frame;
    if (old && old->plane[0] != frame->plane[0]) {
        for (int p = 0; p < 2; p++)
            frame_copy_plane(frame, ctx->h, p, old->plane[p], (size_t)old->i_stride[p],
                             frame->i_width[0], frame->i_lines[p]);
    } else if (!content->is_in_place) {
        frame_copy_in(frame, ctx->h, &picture->pixels);
    }
    if (old)
        x264_frame_delete(old);
    content->has_lowres = false;
    content_filter(content, ctx);
    frame_clear_motion(frame, ctx->h);
    content->origin = (struct rp_x264_origin){
        .serial = serial,
        .slice_type = SLICE_TYPE_P,
        .is_adopted = true,
    };
    rp_x264_content_complete(content, false);
    return true;
}

bool
rp_x264_content_need_lowres(struct rp_x264_content *content, struct rp_x264_context *ctx)
{
    const x264_frame_t *frame = content->frame;
    if (content->has_lowres)
        return true;

    if (!content->lowres)
        content->lowres = rp_x264_context_make_source(ctx, true);
    if (!content->lowres)
        return false;
    frame_copy_plane(content->lowres, ctx->h, 0, frame->plane[0], (size_t)frame->i_stride[0],
                     frame->i_width[0], frame->i_lines[0]);
    x264_frame_init_lowres(ctx->h, content->lowres);
    content->has_lowres = true;
    return true;
}

void
rp_x264_content_take_lowres(struct rp_x264_content *content, struct rp_x264_context *ctx)
{
    x264_frame_t *free_frame = content->lowres;

    content->lowres = ctx->lowres_source;
    content->has_lowres = true;
    ctx->lowres_source = free_frame;
}

/* A copy of the reconstruction to the application's picture. */
struct copy {
    const x264_frame_t *frame;
    const struct rp_picture *to;
    int width;
    int lines; /* of the luma plane */
};

static void
copy_band(void *ctx, uint32_t i, uint32_t thread)
{
    const struct copy *copy = ctx;
    const int first = (int)i * COPIED_LINES;
    const int end = X264_MIN(first + COPIED_LINES, copy->lines);
    (void)thread;

    for (int p = 0; p < 2; p++) {
        for (int y = first >> p; y < end >> p; y++)
            memcpy(copy->to->plane[p].data + (size_t)y * copy->to->plane[p].stride_B,
                   copy->frame->plane[p] + (intptr_t)y * copy->frame->i_stride[p],
                   (size_t)copy->width);
    }
}

void
rp_x264_content_copy_out(const struct rp_x264_content *content, const struct rp_dpb_picture *out)
{
    const x264_frame_t *frame = content->frame;
    const struct rp_picture *pixels = &out->pixels;
    if (content->is_in_place || !pixels->plane[0].data)
        return;

    /* A picture with the codec's layout has whole macroblocks, as if coded in place. */
    struct copy copy = {frame, pixels, frame->i_width[0], frame->i_lines[0]};
    if (!content->is_private) {
        copy.width = X264_MIN((int)pixels->width_px, copy.width);
        copy.lines = X264_MIN((int)pixels->height_px, copy.lines);
    }
    const int count = (copy.lines + COPIED_LINES - 1) / COPIED_LINES;
    rp_workers_run_on(content->told.workers, COPYING_THREADS, (uint32_t)count, copy_band, &copy);
}

void
rp_x264_content_start(struct rp_x264_content *content, const struct rp_x264_config *config)
{
    content->has_half_pel = rp_x264_config_wants_half_pel(config);
    content->has_lowres = false;
    atomic_store_explicit(&content->is_lost, false,
                          memory_order_relaxed); /* of an earlier picture */
    rp_x264_tell_rows(content->frame, 0);
}

void
rp_x264_content_complete(struct rp_x264_content *content, bool is_lost)
{
    atomic_store_explicit(&content->is_lost, is_lost, memory_order_relaxed);
    rp_x264_tell_rows(content->frame, RP_X264_ALL_LINES);
}

void
rp_x264_content_wait(struct rp_x264_content *content)
{
    (void)rp_x264_wait_rows(content->frame, RP_X264_ALL_LINES);
}
