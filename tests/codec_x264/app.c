/* SPDX-License-Identifier: MIT */
/* Jobs from pictures; overlapped coding on a few threads, as the driver's queue does it.
 */
#include "app.h"

#include "content.h"

#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_IN_FLIGHT 8

struct work {
    struct rp_h264_encode_job job;
    struct header header;
    struct rp_h264_weights weights;
    struct rp_h264_slice slices[APP_MAX_SLICES];
    uint8_t *src;
    int8_t *map;
    float *emphasis;
    uint8_t *force_intra;
    uint8_t *intra_clean;
    uint32_t record;
    uint32_t entry;
    struct rp_task task;
    sem_t is_done;
    struct app *app;
};

struct app {
    struct app_options options;
    const struct rp_h264_encode_codec *codec;
    struct rp_workers *workers;
    struct rp_h264_encoder *encoder;
    struct rp_h264_rate *rate;
    StdVideoH264SequenceParameterSet sps;
    StdVideoH264PictureParameterSet pps;
    struct dpb dpb;
    uint32_t random;
    uint32_t mb_width;
    uint32_t mb_height;
    uint32_t epoch;
    uint32_t epoch_display; /* display index at POC 0 */
    uint32_t prev_ref_frame_num;
    struct app_record *records;
    uint32_t record_count;
    struct work work[MAX_IN_FLIGHT];
    uint32_t begun_count;
    uint32_t ended_count;
    enum rp_codec_status status;
};

static uint32_t
or_default(uint32_t value, uint32_t fallback)
{
    return value ? value : fallback;
}

static void
fail_if(bool failed, const char *what)
{
    if (failed) {
        fprintf(stderr, "the test itself failed: %s\n", what);
        abort();
    }
}

static void
sps_init(struct app *app)
{
    const struct app_options *o = &app->options;
    StdVideoH264SequenceParameterSet *sps = &app->sps;

    sps->profile_idc = o->profile ? o->profile : STD_VIDEO_H264_PROFILE_IDC_MAIN;
    sps->level_idc = o->level ? o->level : STD_VIDEO_H264_LEVEL_IDC_5_1;
    sps->chroma_format_idc = STD_VIDEO_H264_CHROMA_FORMAT_IDC_420;
    sps->log2_max_frame_num_minus4 = (uint8_t)(or_default(o->log2_max_frame_num, 8) - 4);
    sps->pic_order_cnt_type = (StdVideoH264PocType)o->poc_type;
    sps->log2_max_pic_order_cnt_lsb_minus4 = 6;
    sps->max_num_ref_frames = (uint8_t)o->max_refs;
    sps->pic_width_in_mbs_minus1 = app->mb_width - 1;
    sps->pic_height_in_map_units_minus1 = app->mb_height - 1;
    sps->flags.frame_mbs_only_flag = 1;
    sps->flags.direct_8x8_inference_flag = 1;
    sps->flags.constraint_set1_flag = sps->profile_idc == STD_VIDEO_H264_PROFILE_IDC_BASELINE;
    sps->frame_crop_right_offset = (16 * app->mb_width - o->width) / 2;
    sps->frame_crop_bottom_offset = (16 * app->mb_height - o->height) / 2;
    sps->flags.frame_cropping_flag = sps->frame_crop_right_offset || sps->frame_crop_bottom_offset;
}

static void
pps_init(struct app *app)
{
    const struct app_options *o = &app->options;
    StdVideoH264PictureParameterSet *pps = &app->pps;

    pps->num_ref_idx_l0_default_active_minus1 = (uint8_t)(or_default(o->default_refs[0], 1) - 1);
    pps->num_ref_idx_l1_default_active_minus1 = (uint8_t)(or_default(o->default_refs[1], 1) - 1);
    pps->weighted_bipred_idc = (StdVideoH264WeightedBipredIdc)o->weighted_bipred_idc;
    pps->pic_init_qp_minus26 = -3;
    pps->chroma_qp_index_offset = (int8_t)o->chroma_qp_offset;
    pps->second_chroma_qp_index_offset = (int8_t)o->chroma_qp_offset;
    pps->flags.entropy_coding_mode_flag = !o->is_cavlc;
    pps->flags.transform_8x8_mode_flag = o->has_transform_8x8;
    pps->flags.constrained_intra_pred_flag = o->has_constrained_intra;
    pps->flags.weighted_pred_flag = o->has_weighted_pred;
    pps->flags.deblocking_filter_control_present_flag = 1;
}

static bool
entry_create(struct app *app, struct dpb_entry *e)
{
    struct rp_h264_dpb_layout layout;
    const uint32_t width = 16 * app->mb_width, height = 16 * app->mb_height;
    app->codec->dpb_layout(width, height, &layout);
    const size_t plain_B = (size_t)width * height * 3 / 2;

    e->slot = app->codec->slot_create(app->encoder);
    e->is_padded = !app->options.has_plain_images;
    const size_t size_B = e->is_padded ? layout.size_B : plain_B;
    e->memory = aligned_alloc(64, (size_B + 63) & ~(size_t)63);
    fail_if(!e->memory, "no memory for an image");
    memset(e->memory, 0x55, size_B);
    e->pixels = (struct rp_picture){
        .layout = RP_PICTURE_NV12,
        .width_px = width,
        .height_px = height,
        .plane = {{e->memory + (e->is_padded ? layout.offset_B[0] : 0),
                   e->is_padded ? layout.stride_B : width},
                  {e->memory + (e->is_padded ? layout.offset_B[1] : (size_t)width * height),
                   e->is_padded ? layout.stride_B : width}},
    };
    return e->slot;
}

static bool
work_create(struct app *app, struct work *w)
{
    const uint32_t mb_count = app->mb_width * app->mb_height;
    const size_t src_B = 256 * (size_t)mb_count * 3 / 2;

    w->app = app;
    w->src = malloc(src_B);
    w->map = malloc(mb_count);
    w->emphasis = malloc(mb_count * sizeof(*w->emphasis));
    w->force_intra = malloc(mb_count);
    w->intra_clean = malloc(mb_count);
    w->job.dst_capacity_B = 1000 + 1000 * (size_t)mb_count;
    w->job.dst = malloc(w->job.dst_capacity_B);
    return w->src && w->map && w->emphasis && w->force_intra && w->intra_clean && w->job.dst;
}

struct app *
app_create(const struct app_options *options, const struct rp_h264_encode_codec *codec)
{
    struct app *app = calloc(1, sizeof(*app));
    fail_if(!app, "no memory");
    app->options = *options;
    app->codec = codec;
    app->random = options->seed * 2654435761u + 12345;
    app->mb_width = (options->width + 15) / 16;
    app->mb_height = (options->height + 15) / 16;
    sps_init(app);
    pps_init(app);
    app->dpb.max_refs = options->max_refs;
    app->dpb.max_frame_num = 1u << (app->sps.log2_max_frame_num_minus4 + 4);
    app->records = calloc(options->picture_count + 16, sizeof(*app->records));
    app->workers = rp_workers_create(or_default(options->threads, 1));
    app->encoder = app->workers ? codec->create(app->workers) : NULL;
    bool is_made = app->encoder != NULL;
    if (is_made && options->rate) {
        app->rate = codec->rate_create(app->encoder);
        is_made = app->rate != NULL;
    }
    for (uint32_t i = 0; i < DPB_SIZE && is_made; i++)
        is_made = entry_create(app, &app->dpb.entry[i]);
    for (uint32_t i = 0; i < MAX_IN_FLIGHT && is_made; i++)
        is_made = work_create(app, &app->work[i]);
    if (!is_made) {
        app_destroy(app);
        return NULL;
    }
    return app;
}

void
app_destroy(struct app *app)
{
    for (uint32_t i = 0; i < MAX_IN_FLIGHT; i++) {
        free(app->work[i].src);
        free(app->work[i].map);
        free(app->work[i].emphasis);
        free(app->work[i].force_intra);
        free(app->work[i].intra_clean);
        free(app->work[i].job.dst);
    }
    for (uint32_t i = 0; i < DPB_SIZE; i++) {
        app->codec->slot_destroy(app->encoder, app->dpb.entry[i].slot);
        free(app->dpb.entry[i].memory);
    }
    if (app->rate)
        app->codec->rate_destroy(app->encoder, app->rate);
    app->codec->destroy(app->encoder);
    rp_workers_destroy(app->workers);
    for (uint32_t i = 0; i < app->record_count; i++) {
        free(app->records[i].i420);
        free(app->records[i].data);
    }
    free(app->records);
    free(app);
}

const struct app_options *
app_options(const struct app *app)
{
    return &app->options;
}

struct dpb *
app_dpb(struct app *app)
{
    return &app->dpb;
}

uint32_t
app_random(struct app *app)
{
    return content_random(&app->random) >> 4;
}

uint32_t
app_next_frame_num(const struct app *app)
{
    return (app->prev_ref_frame_num + 1) % app->dpb.max_frame_num;
}

int32_t
app_poc(const struct app *app, uint32_t display)
{
    const int32_t step = app->options.poc_step ? app->options.poc_step : 2;
    return step * ((int32_t)display - (int32_t)app->epoch_display);
}

static void
load_source(struct app *app, struct work *w, uint32_t display)
{
    const uint32_t width = app->options.width, height = app->options.height;
    const size_t luma_B = (size_t)width * height;
    uint8_t *uv = w->src + luma_B;

    if (app->options.is_i420) {
        w->job.src = (struct rp_picture){
            .layout = RP_PICTURE_I420,
            .plane = {{w->src, width}, {uv, width / 2}, {uv + luma_B / 4, width / 2}},
        };
        content_fill(w->src, uv, uv + luma_B / 4, width, width / 2, 1, width, height, display);
    } else {
        w->job.src = (struct rp_picture){
            .layout = RP_PICTURE_NV12,
            .plane = {{w->src, width}, {uv, width}},
        };
        content_fill(w->src, uv, uv + 1, width, width, 2, width, height, display);
    }
    w->job.src.width_px = width;
    w->job.src.height_px = height;
}

static int32_t
picture_qp(const struct app *app, const struct app_picture *pic)
{
    const int32_t base =
        app->options.qp < 0 ? 0 : (int32_t)or_default((uint32_t)app->options.qp, 28);
    int32_t qp = base;
    if (pic->slice_type == STD_VIDEO_H264_SLICE_TYPE_I)
        qp -= 3;
    if (pic->slice_type == STD_VIDEO_H264_SLICE_TYPE_B)
        qp += 2;
    return qp < 0 || base == 0 ? 0 : qp > 51 || base == 51 ? 51 : qp;
}

static void
set_slices(struct app *app, struct work *w, int32_t qp)
{
    const uint32_t count = or_default(app->options.slice_count, 1);
    const uint32_t mb_count = app->mb_width * app->mb_height;

    for (uint32_t i = 0; i < count; i++) {
        const uint32_t ends[2] = {
            app->options.is_unaligned ? mb_count * i / count
                                      : app->mb_height * i / count * app->mb_width,
            app->options.is_unaligned ? mb_count * (i + 1) / count
                                      : app->mb_height * (i + 1) / count * app->mb_width,
        };
        int32_t slice_qp = qp + (app->options.has_slice_qp ? (int32_t)(i * 3 % 7) - 3 : 0);
        slice_qp = slice_qp < 0 ? 0 : slice_qp > 51 ? 51 : slice_qp;
        if (app->rate)
            slice_qp = -1;
        w->slices[i] = (struct rp_h264_slice){ends[0], ends[1] - ends[0], slice_qp};
    }
    w->job.slices = w->slices;
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
    if (count >= wanted && !app->options.has_explicit_lists &&
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
    const struct app_options *o = &app->options;

    w->header = (struct header){
        .sps = &app->sps,
        .pps = &app->pps,
        .slice_type = pic->slice_type,
        .nal_ref_idc = pic->nal_ref_idc,
        .idr_pic_id = pic->idr_pic_id,
        .poc = pic->poc,
        .ref_count = {pic->ref_count[0], pic->ref_count[1]},
        .marking = pic->marking,
        .cabac_init_idc = o->cabac_init_idc,
        .deblocking_idc = o->deblocking_idc,
        .alpha_div2 = o->alpha_div2,
        .beta_div2 = o->beta_div2,
    };
    w->header.marking.frame_num = pic->marking.is_idr ? 0 : app_next_frame_num(app);
}

static void
set_map(struct app *app, struct work *w)
{
    const uint32_t mb_count = app->mb_width * app->mb_height;

    w->job.qp_delta = app->options.has_map ? w->map : NULL;
    for (uint32_t i = 0; i < mb_count; i++)
        w->map[i] = (int8_t)(app_random(app) % 13) - 6;
}

/* Near the default ones for the most part, so that they are of use; some are anything. */
static void
set_weights(struct app *app, struct work *w)
{
    const bool has_weights =
        app->options.has_weights && w->job.slice_type == STD_VIDEO_H264_SLICE_TYPE_P;
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
    w->job.emphasis = app->options.has_emphasis ? w->emphasis : NULL;
    for (uint32_t i = 0; i < app->mb_width * app->mb_height; i++)
        w->emphasis[i] = i % app->mb_width * 4 / app->mb_width % 3 ? 1 : 0;
}

/* Which picture of a cycle refreshes the macroblock. */
static uint32_t
refresh_region(const struct app *app, uint32_t mb)
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
    default:
        return mb * 7 % mb_count * cycle / mb_count;
    }
}

static void
set_refresh(struct app *app, struct work *w, const struct app_picture *pic)
{
    const bool has_refresh = app->options.refresh != REFRESH_NONE && !pic->marking.is_idr;
    w->job.force_intra = has_refresh ? w->force_intra : NULL;
    w->job.intra_clean = has_refresh ? w->intra_clean : NULL;
    if (!has_refresh)
        return;

    const uint32_t now = (app->record_count - 1) % app->options.refresh_cycle;
    for (uint32_t i = 0; i < app->mb_width * app->mb_height; i++) {
        w->force_intra[i] = refresh_region(app, i) == now;
        w->intra_clean[i] = refresh_region(app, i) < now;
    }
}

static void
set_rate(struct app *app, struct work *w, const struct app_picture *pic)
{
    const struct app_options *o = &app->options;
    const bool is_later = o->later_rate && app->record_count >= o->later_picture;

    w->job.rate = app->rate;
    w->job.temporal_layer = o->has_temporal_layers && !pic->nal_ref_idc;
    app->records[w->record].layer = w->job.temporal_layer;
    if (app->rate)
        app->codec->rate_set(app->rate, is_later ? o->later_rate : o->rate);
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
    job->width_px = o->width;
    job->height_px = o->height;
    job->quality_level = o->quality;
    if (o->quality_period)
        job->quality_level = (o->quality + app->record_count / o->quality_period) % 8;
    job->slice_type = pic->slice_type;
    job->is_idr = pic->marking.is_idr;
    job->nal_ref_idc = pic->nal_ref_idc;
    job->poc = pic->poc;
    job->direct_spatial = !o->is_temporal_direct;
    job->cabac_init_idc = o->cabac_init_idc;
    job->disable_deblocking_filter_idc = o->deblocking_idc;
    job->alpha_c0_offset_div2 = o->alpha_div2;
    job->beta_offset_div2 = o->beta_div2;
    job->recon = (struct rp_h264_dpb_picture){0};
    if (is_kept)
        job->recon = (struct rp_h264_dpb_picture){e->slot, e->pixels, e->is_padded};
    job->write_aud = o->has_aud;
    job->preceding_B = o->preceding_B;
    job->write_slice_header = write_slice_header;
    job->slice_header_ctx = &w->header;
}

static uint8_t *
copy_i420(const struct app *app, const struct rp_picture *p)
{
    const size_t width = app->options.width, height = app->options.height;
    uint8_t *out = malloc(width * height * 3 / 2);
    fail_if(!out, "no memory for a reconstruction");

    for (size_t y = 0; y < height; y++)
        memcpy(out + y * width, p->plane[0].data + y * p->plane[0].stride_B, width);
    uint8_t *u = out + width * height, *v = u + width * height / 4;
    for (size_t y = 0; y < height / 2; y++) {
        const uint8_t *row = p->plane[1].data + y * p->plane[1].stride_B;
        for (size_t x = 0; x < width / 2; x++) {
            u[y * width / 2 + x] = row[2 * x];
            v[y * width / 2 + x] = row[2 * x + 1];
        }
    }
    return out;
}

static void
work_run(struct work *w)
{
    struct app *app = w->app;
    struct app_record *record = &app->records[w->record];

    app->codec->encode(app->encoder, &w->job);
    record->result = w->job.result;
    if (w->job.result.status != RP_CODEC_OK)
        return;
    record->size_B = w->job.result.size_B;
    record->data = malloc(record->size_B);
    fail_if(!record->data, "no memory for a coded picture");
    memcpy(record->data, w->job.dst, record->size_B);
    if (w->job.recon.slot)
        record->i420 = copy_i420(app, &w->job.recon.pixels);
}

static void
work_run_task(struct rp_task *task)
{
    struct work *w = (struct work *)((char *)task - offsetof(struct work, task));
    work_run(w);
    sem_post(&w->is_done);
}

static void
work_end(struct app *app)
{
    struct work *w = &app->work[app->ended_count++ % MAX_IN_FLIGHT];
    if (app->options.threads)
        sem_wait(&w->is_done);
    if (w->job.result.status != RP_CODEC_OK)
        app->status = w->job.result.status;
}

static void
work_begin(struct app *app, struct work *w)
{
    const enum rp_codec_status status = app->codec->begin(app->encoder, &w->job, true);
    if (status != RP_CODEC_OK) {
        fail_if(app->options.threads > 0, "begin() failed");
        app->status = status;
        app->begun_count++;
        app->ended_count++;
        return;
    }
    app->begun_count++;
    if (app->options.threads) {
        w->task = (struct rp_task){.run = work_run_task};
        sem_init(&w->is_done, 0, 0);
        rp_workers_submit(app->workers, &w->task);
        return;
    }
    work_run(w);
    work_end(app);
}

static void
mark(struct app *app, const struct work *w, const struct app_picture *pic)
{
    if (!pic->nal_ref_idc)
        return;
    const bool has_mmco5 =
        dpb_store(&app->dpb, w->entry, &w->header.marking, pic->poc, pic->display);
    app->prev_ref_frame_num = has_mmco5 ? 0 : w->header.marking.frame_num;
    if (has_mmco5) {
        app->epoch++;
        app->epoch_display = pic->display;
        app->records[w->record].epoch = app->epoch;
        app->records[w->record].poc = 0;
    }
}

uint32_t
app_code(struct app *app, const struct app_picture *pic)
{
    if (app->begun_count - app->ended_count == MAX_IN_FLIGHT)
        work_end(app);

    struct work *w = &app->work[app->begun_count % MAX_IN_FLIGHT];
    if (pic->marking.is_idr) {
        app->epoch++;
        app->epoch_display = pic->display;
    }
    w->entry = dpb_take_free(&app->dpb);
    w->record = app->record_count;
    app->records[w->record] = (struct app_record){.epoch = app->epoch, .poc = pic->poc};
    set_header(app, w, pic);
    set_references(app, w, pic);
    set_job(app, w, pic);
    set_slices(app, w, picture_qp(app, pic));
    set_weights(app, w);
    set_map(app, w);
    set_emphasis(app, w);
    set_refresh(app, w, pic);
    set_rate(app, w, pic);
    load_source(app, w, pic->display + app->options.first_display);
    app->record_count++;
    work_begin(app, w);
    mark(app, w, pic);
    return w->entry;
}

void
app_finish(struct app *app)
{
    while (app->ended_count != app->begun_count)
        work_end(app);
}

size_t
app_headers(const struct app *app, uint8_t *dst)
{
    const uint32_t reorder_count = app->options.poc_type == 2 ? 0 : 4;
    const size_t sps_B = write_sps(&app->sps, reorder_count, dst);
    return sps_B + write_pps(&app->pps, dst + sps_B);
}

const struct app_record *
app_records(const struct app *app, uint32_t *count)
{
    *count = app->record_count;
    return app->records;
}

enum rp_codec_status
app_status(const struct app *app)
{
    return app->status;
}
