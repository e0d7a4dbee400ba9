/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Frames of DPB slots: made, bound to the application's memory, adopted from its pixels.
 */
#include "slot.h"

#define ALL_ROWS (INT_MAX / 2)

bool
rp_x264_slot_has_extent(const struct rp_h264_slot *slot, const struct rp_x264_config *config)
{
    return slot->frame && slot->geometry.i_width[0] == ALIGN((int)config->width_px, 16) &&
           slot->geometry.i_lines[0] == ALIGN((int)config->height_px, 16);
}

bool
rp_x264_slot_fits(const struct rp_h264_slot *slot, const struct rp_x264_config *config)
{
    return rp_x264_slot_has_extent(slot, config) &&
           (slot->geometry.filtered[0][1] || !rp_x264_config_wants_half_pel(config));
}

bool
rp_x264_slot_is_complete(const struct rp_h264_slot *slot, const struct rp_x264_config *config)
{
    return slot->has_half_pel || !rp_x264_config_wants_half_pel(config);
}

void
rp_x264_slot_drop_frame(struct rp_h264_slot *slot)
{
    if (slot->frame)
        x264_frame_delete(slot->frame);
    if (slot->lowres)
        x264_frame_delete(slot->lowres);
    slot->frame = slot->lowres = NULL;
    slot->has_lowres = false;
    slot->is_in_place = false;
    slot->origin = (struct rp_x264_origin){0};
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

bool
rp_x264_slot_make_frame(struct rp_h264_slot *slot, struct rp_x264_context *ctx)
{
    rp_x264_slot_drop_frame(slot);
    slot->frame = context_take_frame(ctx);
    if (!slot->frame)
        return false;
    slot->geometry = *slot->frame;
    slot->has_half_pel = false;
    return true;
}

/* x264 reads and writes all pictures with one stride and loads rows with aligned accesses. */
static bool
picture_is_usable(const struct rp_h264_slot *slot, const struct rp_h264_dpb_picture *picture)
{
    const struct rp_plane *plane = picture->pixels.plane;

    return picture->is_padded && picture->pixels.layout == RP_PICTURE_NV12 &&
           plane[0].stride_B == (size_t)slot->geometry.i_stride[0] &&
           plane[1].stride_B == (size_t)slot->geometry.i_stride[1] &&
           (((uintptr_t)plane[0].data | (uintptr_t)plane[1].data) & 63) == 0;
}

bool
rp_x264_slot_is_bound(const struct rp_h264_slot *slot, const struct rp_h264_dpb_picture *picture)
{
    if (!picture_is_usable(slot, picture))
        return !slot->is_in_place;
    return slot->is_in_place && slot->frame->plane[0] == picture->pixels.plane[0].data &&
           slot->frame->plane[1] == picture->pixels.plane[1].data;
}

void
rp_x264_slot_bind(struct rp_h264_slot *slot, const struct rp_h264_dpb_picture *picture)
{
    x264_frame_t *frame = slot->frame;

    if (rp_x264_slot_is_bound(slot, picture))
        return;
    slot->is_in_place = picture_is_usable(slot, picture);
    if (slot->is_in_place) {
        frame->plane[0] = picture->pixels.plane[0].data;
        frame->plane[1] = picture->pixels.plane[1].data;
    } else {
        const int stride = frame->i_stride[0];
        frame->plane[0] = frame->buffer[0] + PADV * stride + PADH_ALIGN;
        frame->plane[1] = frame->buffer[1] + PADV / 2 * stride + PADH_ALIGN;
    }
    frame->filtered[0][0] = frame->plane[0];
    for (int i = 0; i < 2; i++)
        slot->geometry.plane[i] = frame->plane[i];
    slot->geometry.filtered[0][0] = frame->filtered[0][0];
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

void
rp_x264_slot_filter(struct rp_h264_slot *slot, struct rp_x264_context *ctx)
{
    x264_t *h = ctx->h;
    x264_frame_t *frame = slot->frame;

    for (int y = 0; y < h->mb.i_mb_height; y++) {
        const int is_last = y == h->mb.i_mb_height - 1;
        x264_frame_expand_border(h, frame, y);
        if (rp_x264_config_wants_half_pel(&ctx->config)) {
            x264_frame_filter(h, frame, y, is_last);
            x264_frame_expand_border_filtered(h, frame, y, is_last);
        }
    }
    slot->has_half_pel = rp_x264_config_wants_half_pel(&ctx->config);
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
rp_x264_slot_adopt(struct rp_h264_slot *slot, struct rp_x264_context *ctx,
                   const struct rp_h264_dpb_picture *picture, bool keeps_old, uint64_t serial)
{
    x264_frame_t *old = NULL;
    if (keeps_old) {
        old = slot->frame;
        slot->frame = NULL;
    }
    if (!rp_x264_slot_fits(slot, &ctx->config) && !rp_x264_slot_make_frame(slot, ctx)) {
        if (old)
            x264_frame_delete(old);
        return false;
    }
    rp_x264_slot_bind(slot, picture);

    x264_frame_t *frame = slot->frame;
    if (old && old->plane[0] != frame->plane[0]) {
        for (int p = 0; p < 2; p++)
            frame_copy_plane(frame, ctx->h, p, old->plane[p], (size_t)old->i_stride[p],
                             frame->i_width[0], frame->i_lines[p]);
    } else if (!slot->is_in_place) {
        frame_copy_in(frame, ctx->h, &picture->pixels);
    }
    if (old)
        x264_frame_delete(old);
    slot->has_lowres = false;
    rp_x264_slot_filter(slot, ctx);
    frame_clear_motion(frame, ctx->h);
    slot->origin = (struct rp_x264_origin){
        .serial = serial,
        .slice_type = SLICE_TYPE_P,
        .is_adopted = true,
    };
    rp_x264_slot_complete(slot);
    return true;
}

bool
rp_x264_slot_need_lowres(struct rp_h264_slot *slot, struct rp_x264_context *ctx)
{
    const x264_frame_t *frame = slot->frame;
    if (slot->has_lowres)
        return true;

    if (!slot->lowres)
        slot->lowres = rp_x264_context_make_source(ctx, true);
    if (!slot->lowres)
        return false;
    frame_copy_plane(slot->lowres, ctx->h, 0, frame->plane[0], (size_t)frame->i_stride[0],
                     frame->i_width[0], frame->i_lines[0]);
    x264_frame_init_lowres(ctx->h, slot->lowres);
    slot->has_lowres = true;
    return true;
}

void
rp_x264_slot_take_lowres(struct rp_h264_slot *slot, struct rp_x264_context *ctx)
{
    x264_frame_t *free_frame = slot->lowres;

    slot->lowres = ctx->lowres_source;
    slot->has_lowres = true;
    ctx->lowres_source = free_frame;
}

void
rp_x264_slot_copy_out(const struct rp_h264_slot *slot, const struct rp_picture *out)
{
    const x264_frame_t *frame = slot->frame;
    if (slot->is_in_place || !out->plane[0].data)
        return;

    const int width = X264_MIN((int)out->width_px, frame->i_width[0]);
    const int lines = X264_MIN((int)out->height_px, frame->i_lines[0]);
    for (int p = 0; p < 2; p++) {
        for (int y = 0; y < lines >> p; y++)
            memcpy(out->plane[p].data + (size_t)y * out->plane[p].stride_B,
                   frame->plane[p] + (intptr_t)y * frame->i_stride[p], (size_t)width);
    }
}

void
rp_x264_slot_start(struct rp_h264_slot *slot, const struct rp_x264_config *config)
{
    slot->has_half_pel = rp_x264_config_wants_half_pel(config);
    slot->has_lowres = false;
    x264_frame_cond_broadcast(slot->frame, -1);
}

void
rp_x264_slot_complete(struct rp_h264_slot *slot)
{
    x264_frame_cond_broadcast(slot->frame, ALL_ROWS);
}

void
rp_x264_slot_wait(struct rp_h264_slot *slot)
{
    x264_frame_cond_wait(slot->frame, ALL_ROWS);
}
