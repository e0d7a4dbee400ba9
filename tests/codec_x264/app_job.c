/* SPDX-License-Identifier: MIT */
/* Jobs from pictures.
 */
#include "app_state.h"

#include "content.h"

#include <stdlib.h>
#include <string.h>

#define SHORT_SLICE_MBS 3

uint32_t
app_or_default(uint32_t value, uint32_t fallback)
{
    return value ? value : fallback;
}

static bool
has_clean_stripes(const struct app *app, uint32_t display)
{
    const uint32_t period = app->options.stripes_period;
    return period && display % period == period - 1;
}

static void
load_source(struct app *app, struct work *w, uint32_t number)
{
    const uint32_t display = app->options.is_still ? 0 : number;
    const uint32_t width = app->options.width, height = app->options.height;
    const size_t luma_B = (size_t)width * height;
    uint8_t *uv = w->src + luma_B;

    if (app->options.is_i420) {
        w->job.common.src = (struct rp_picture){
            .layout = RP_PICTURE_I420,
            .bit_depth = 8,
            .plane = {{w->src, width}, {uv, width / 2}, {uv + luma_B / 4, width / 2}},
        };
        content_fill(w->src, uv, uv + luma_B / 4, width, width / 2, 1, width, height, display);
    } else {
        w->job.common.src = (struct rp_picture){
            .layout = RP_PICTURE_NV12,
            .bit_depth = 8,
            .plane = {{w->src, width}, {uv, width}},
        };
        content_fill(w->src, uv, uv + 1, width, width, 2, width, height, display);
    }
    if (app->options.is_text)
        content_fill_text(w->src, width, width, height);
    if (app->options.is_noisy)
        content_fill_noise(w->src, width, width, height, display);
    if (app->options.is_still)
        content_fill_spot(w->src, width, width, height, number);
    if (app->options.stripes_period)
        content_fill_stripes(w->src, width, width, height, has_clean_stripes(app, number));
    if (app->options.lines_per_picture)
        content_fill_moved(w->src, width, width, height, display * app->options.lines_per_picture);
    w->job.common.src.width_px = width;
    w->job.common.src.height_px = height;
}

static int32_t
slice_qp(const struct app *app, const struct work *w, uint32_t slice_type, uint32_t index)
{
    const int32_t base =
        app->options.qp < 0 ? 0 : (int32_t)app_or_default((uint32_t)app->options.qp, 28);
    int32_t qp = base;
    if (slice_type == STD_VIDEO_H264_SLICE_TYPE_I)
        qp -= 3;
    if (slice_type == STD_VIDEO_H264_SLICE_TYPE_B)
        qp += 2;
    qp = qp < 0 || base == 0 ? 0 : qp > 51 || base == 51 ? 51 : qp;
    if (app->options.has_slice_qp)
        qp += (int32_t)(index * 3 % 7) - 3;
    return w->job.common.rate ? -1 : qp < 0 ? 0 : qp > 51 ? 51 : qp;
}

static uint32_t
slice_type(struct app *app, const struct app_picture *pic, uint32_t index)
{
    static const uint32_t others[] = {STD_VIDEO_H264_SLICE_TYPE_I, STD_VIDEO_H264_SLICE_TYPE_P};

    if (app->options.refresh == REFRESH_SLICES && !pic->marking.is_idr)
        return index == (app->record_count - 1) % app->options.refresh_cycle
                   ? STD_VIDEO_H264_SLICE_TYPE_I
                   : pic->slice_type;
    if (has_clean_stripes(app, pic->display) && index == 1)
        return STD_VIDEO_H264_SLICE_TYPE_I;
    if (!app->options.has_slice_types || pic->slice_type == STD_VIDEO_H264_SLICE_TYPE_I ||
        app_random(app) % 2)
        return pic->slice_type;
    return others[app_random(app) % 2];
}

static void
set_filter(struct app *app, struct rp_h264_slice *slice)
{
    const struct app_options *o = &app->options;

    slice->disable_deblocking_filter_idc = o->deblocking_idc;
    slice->alpha_c0_offset_div2 = o->alpha_div2;
    slice->beta_offset_div2 = o->beta_div2;
    if (o->has_slice_filters) {
        slice->disable_deblocking_filter_idc = app_random(app) % 4 % 3;
        slice->alpha_c0_offset_div2 = (int32_t)(app_random(app) % 13) - 6;
        slice->beta_offset_div2 = (int32_t)(app_random(app) % 13) - 6;
    }
}

/* The first macroblock behind so many of count slices. */
static uint32_t
slices_end(const struct app *app, uint32_t slices, uint32_t count)
{
    const struct app_options *o = &app->options;
    const uint32_t mb_count = app->mb_width * app->mb_height;
    const bool has_short = o->has_short_slices && slices < count;

    if (!o->is_unaligned) /* the third is short, so that the fourth begins inside its row */
        return has_short && slices % 2 == 1 && slices > 1
                   ? app->mb_height * (slices - 1) / count * app->mb_width + SHORT_SLICE_MBS
                   : app->mb_height * slices / count * app->mb_width;
    if (has_short && slices % 2 == 1 && mb_count / count > SHORT_SLICE_MBS)
        return mb_count * (slices + 1) / count - SHORT_SLICE_MBS;
    return mb_count * slices / count;
}

static void
set_slices(struct app *app, struct work *w, const struct app_picture *pic)
{
    const struct app_options *o = &app->options;
    const uint32_t most = o->is_unaligned ? app->mb_width * app->mb_height : app->mb_height;
    const uint32_t wanted = app_or_default(o->slice_count, 1);
    const uint32_t count = wanted < most ? wanted : most;

    for (uint32_t i = 0; i < count; i++) {
        struct rp_h264_slice *slice = &w->slices[i];
        const uint32_t ends[2] = {slices_end(app, i, count), slices_end(app, i + 1, count)};
        const uint32_t type = slice_type(app, pic, i);
        *slice = (struct rp_h264_slice){
            .first_mb = ends[0],
            .mb_count = ends[1] - ends[0],
            .qp = slice_qp(app, w, type, i),
            .type = type,
            .cabac_init_idc = (o->cabac_init_idc + (o->has_slice_types ? i : 0)) % 3,
        };
        set_filter(app, slice);
    }
    w->job.slices = w->header.slices = w->slices;
    w->job.slice_count = count;
}

/* Modification commands that make the initial list into the picture's (7.4.3.1). */
static void
set_modification(struct app *app, struct header *h, const struct app_picture *pic, uint32_t list)
{
    uint32_t initial[DPB_SIZE];
    const uint32_t count =
        dpb_initial_list(&app->dpb, pic->slice_type, list, h->marking.frame_num, pic->poc, initial);
    const uint32_t wanted = pic->ref_count[list];

    h->mod_count[list] = 0;
    /* P slices of B pictures would begin with another list. */
    if (count >= wanted && !app->options.has_explicit_lists && !app->options.has_slice_types &&
        memcmp(initial, pic->refs[list], wanted * sizeof(initial[0])) == 0)
        return;
    int32_t predicted = (int32_t)h->marking.frame_num;
    for (uint32_t i = 0; i < wanted; i++) {
        const struct dpb_entry *e = &app->dpb.entry[pic->refs[list][i]];
        struct modification *mod = &h->mod[list][i];
        if (e->is_long_term) {
            *mod = (struct modification){2, e->long_term_idx};
            continue;
        }
        const int32_t pic_num = dpb_pic_num(&app->dpb, pic->refs[list][i], h->marking.frame_num);
        const int32_t difference = pic_num - predicted;
        if (difference == 0) /* the same again: once around */
            *mod = (struct modification){0, app->dpb.max_frame_num - 1};
        else
            *mod = (struct modification){difference > 0, (uint32_t)abs(difference) - 1};
        predicted = pic_num;
    }
    h->mod_count[list] = wanted;
}

static void
set_references(struct app *app, struct work *w, const struct app_picture *pic)
{
    const struct app_options *o = &app->options;
    const bool is_foreign = o->foreign_period && app->record_count % o->foreign_period == 0;

    for (uint32_t list = 0; list < 2; list++) {
        w->job.ref_count[list] = pic->ref_count[list];
        for (uint32_t i = 0; i < pic->ref_count[list]; i++) {
            const struct dpb_entry *e = &app->dpb.entry[pic->refs[list][i]];
            w->job.refs[list][i] = (struct rp_h264_reference){
                .picture = {e->slot, e->pixels, e->is_padded},
                .poc = e->poc,
                .is_long_term = e->is_long_term,
                .is_foreign = is_foreign,
            };
        }
        if (pic->ref_count[list])
            set_modification(app, &w->header, pic, list);
        else
            w->header.mod_count[list] = 0;
    }
}

static void
set_header(struct app *app, struct work *w, const struct app_picture *pic)
{
    w->header = (struct header){
        .sps = &app->sps,
        .pps = &app->pps,
        .nal_ref_idc = pic->nal_ref_idc,
        .idr_pic_id = pic->idr_pic_id,
        .poc = pic->poc,
        .ref_count = {pic->ref_count[0], pic->ref_count[1]},
        .marking = pic->marking,
    };
    w->header.marking.frame_num = pic->marking.is_idr ? 0 : app_next_frame_num(app);
}

static void
set_map(struct app *app, struct work *w)
{
    const uint32_t mb_count = app->mb_width * app->mb_height;
    const uint32_t fine_period = app->options.fine_period;
    const int8_t map_qp = (int8_t)app->options.map_qp;
    const bool is_fine = fine_period && app->record_count % fine_period == fine_period - 1;

    w->job.common.qp_delta = app->options.has_map || is_fine ? w->map : NULL;
    for (uint32_t i = 0; i < mb_count; i++)
        w->map[i] = is_fine  ? -40 * (i >= mb_count - app->mb_width)
                    : map_qp ? map_qp
                             : (int8_t)(app_random(app) % 13) - 6;
}

/* Near the default ones for the most part, so that they are of use; some are anything. */
static void
set_weights(struct app *app, struct work *w)
{
    const bool has_weights = app->options.has_weights && w->job.slice_type == RP_H264_SLICE_P;
    w->job.weights = w->header.weights = has_weights ? &w->weights : NULL;
    for (uint32_t c = 0; c < 2 && has_weights; c++)
        w->weights.log2_denom[c] = app_random(app) % 8;
    for (uint32_t i = 0; i < RP_H264_MAX_REFS && has_weights; i++) {
        struct rp_h264_ref_weights *ref = &w->weights.ref[i];
        ref->has_luma = app_random(app) % 4 > 0;
        ref->has_chroma = app_random(app) % 3 > 0;
        for (uint32_t c = 0; c < 3; c++) {
            const int32_t one = 1 << w->weights.log2_denom[c > 0];
            const bool is_wild = app_random(app) % 8 == 0;
            const int32_t weight = is_wild ? (int32_t)(app_random(app) % 256) - 128
                                           : one + (int32_t)(app_random(app) % 5) - 2;
            ref->weight[c] = (int8_t)(weight > 127 ? 127 : weight);
            ref->offset[c] = (int8_t)(is_wild ? (int32_t)(app_random(app) % 256) - 128
                                              : (int32_t)(app_random(app) % 9) - 4);
        }
    }
}

/* The middle matters most. */
static void
set_emphasis(struct app *app, struct work *w)
{
    w->job.common.emphasis = app->options.has_emphasis ? w->emphasis : NULL;
    for (uint32_t i = 0; i < app->mb_width * app->mb_height; i++)
        w->emphasis[i] = i % app->mb_width * 4 / app->mb_width % 3 ? 1 : 0;
}

static uint32_t
slice_of(const struct work *w, uint32_t mb)
{
    uint32_t i = 0;
    while (mb >= w->slices[i].first_mb + w->slices[i].mb_count)
        i++;
    return i;
}

/* Which picture of a cycle refreshes the macroblock. */
static uint32_t
refresh_region(const struct app *app, const struct work *w, uint32_t mb)
{
    const uint32_t cycle = app->options.refresh_cycle;
    const uint32_t mb_count = app->mb_width * app->mb_height;

    switch (app->options.refresh) {
    case REFRESH_COLUMNS:
        return mb % app->mb_width * cycle / app->mb_width;
    case REFRESH_ROWS:
        return mb / app->mb_width * cycle / app->mb_height;
    case REFRESH_RASTER:
        return mb * cycle / mb_count;
    case REFRESH_SLICES:
        return slice_of(w, mb);
    default:
        return mb * 7 % mb_count * cycle / mb_count;
    }
}

static void
set_refresh(struct app *app, struct work *w, const struct app_picture *pic)
{
    const bool has_refresh = app->options.refresh != REFRESH_NONE && !pic->marking.is_idr;
    w->job.common.force_intra = has_refresh ? w->force_intra : NULL;
    w->job.common.intra_clean = has_refresh ? w->intra_clean : NULL;
    if (!has_refresh)
        return;

    const uint32_t now = (app->record_count - 1) % app->options.refresh_cycle;
    for (uint32_t i = 0; i < app->mb_width * app->mb_height; i++) {
        w->force_intra[i] = refresh_region(app, w, i) == now;
        w->intra_clean[i] = refresh_region(app, w, i) < now;
    }
}

/* B pictures without a later reference count as P. */
static uint32_t
rate_type(const struct rp_h264_encode_job *job)
{
    if (job->slice_type != RP_H264_SLICE_B)
        return job->slice_type;
    for (uint32_t i = 0; i < job->ref_count[1]; i++) {
        if (job->refs[1][i].poc > job->poc)
            return STD_VIDEO_H264_SLICE_TYPE_B;
    }
    return STD_VIDEO_H264_SLICE_TYPE_P;
}

static void
set_rate(struct app *app, struct work *w, const struct app_picture *pic)
{
    const struct app_options *o = &app->options;
    const struct rp_rate_settings *rate = o->rate;

    for (uint32_t i = 0; i < o->later_rate_count; i++) {
        if (app->record_count >= o->later_rates[i].picture)
            rate = o->later_rates[i].rate;
    }
    w->job.common.rate = rate ? app->rate : NULL;
    w->job.common.temporal_layer =
        o->has_temporal_layers ? pic->nal_ref_idc == 0 : pic->temporal_layer;
    app->records[w->record].layer = w->job.common.temporal_layer;
    app->records[w->record].slice_type = rate_type(&w->job);
    if (rate)
        app->codec->rate_set(app->rate, rate);
}

static void
set_job(struct app *app, struct work *w, const struct app_picture *pic)
{
    const struct app_options *o = &app->options;
    const struct dpb_entry *e = &app->dpb.entry[w->entry];
    struct rp_h264_encode_job *job = &w->job;
    const bool is_kept = pic->nal_ref_idc || !o->has_no_recon;

    job->sps = &app->sps;
    job->pps = &app->pps;
    job->common.width_px = o->width;
    job->common.height_px = o->height;
    job->common.quality_level = o->quality;
    if (o->quality_period)
        job->common.quality_level = (o->quality + app->record_count / o->quality_period) % 8;
    job->slice_type = pic->slice_type;
    job->is_idr = pic->marking.is_idr;
    job->nal_ref_idc = pic->nal_ref_idc;
    job->poc = pic->poc;
    job->direct_spatial = !o->is_temporal_direct;
    job->common.recon = (struct rp_dpb_picture){0};
    if (is_kept)
        job->common.recon = (struct rp_dpb_picture){e->slot, e->pixels, e->is_padded};
    job->write_aud = o->has_aud;
    job->common.preceding_B = o->preceding_B;
    job->write_slice_header = write_slice_header;
    job->slice_header_ctx = &w->header;
}

static uint32_t
content_index(const struct app *app, const struct app_picture *pic)
{
    const uint32_t period = app->options.cut_period;
    const uint32_t cut_count = period ? pic->display / period : 0;
    return pic->display + app->options.first_display + 1009 * cut_count;
}

void
app_job_set(struct app *app, struct work *w, const struct app_picture *pic)
{
    set_header(app, w, pic);
    set_references(app, w, pic);
    set_job(app, w, pic);
    set_rate(app, w, pic);
    set_slices(app, w, pic);
    set_weights(app, w);
    set_map(app, w);
    set_emphasis(app, w);
    set_refresh(app, w, pic);
    load_source(app, w, content_index(app, pic));
}
