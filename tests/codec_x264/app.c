/* SPDX-License-Identifier: MIT */
/* Overlapped coding on a few threads, as the driver's queue does it.
 */
#include "app_state.h"

#include "content.h"

#include "platform/clock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    sps->log2_max_frame_num_minus4 = (uint8_t)(app_or_default(o->log2_max_frame_num, 8) - 4);
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

    pps->num_ref_idx_l0_default_active_minus1 =
        (uint8_t)(app_or_default(o->default_refs[0], 1) - 1);
    pps->num_ref_idx_l1_default_active_minus1 =
        (uint8_t)(app_or_default(o->default_refs[1], 1) - 1);
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
    struct rp_dpb_layout layout;
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
        .bit_depth = 8,
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
    w->src = aligned_alloc(64, (src_B + 63) & ~(size_t)63); /* as images are */
    w->map = malloc(mb_count * sizeof(*w->map));
    w->emphasis = malloc(mb_count * sizeof(*w->emphasis));
    w->force_intra = malloc(mb_count);
    w->intra_clean = malloc(mb_count);
    w->job.common.dst_capacity_B = 1000 + 1000 * (size_t)mb_count;
    w->job.common.dst = malloc(w->job.common.dst_capacity_B);
    return w->src && w->map && w->emphasis && w->force_intra && w->intra_clean && w->job.common.dst;
}

struct app *
app_create(const struct app_options *options, const struct rp_encode_codec *codec)
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
    app->workers = rp_workers_create(
        app_or_default(options->threads, app_or_default(options->slice_threads, 1)));
    app->encoder = app->workers ? codec->create(app->workers) : NULL;
    bool is_made = app->encoder != NULL;
    if (is_made && (options->rate || options->later_rate_count)) {
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
        free(app->work[i].job.common.dst);
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

    const uint64_t begin_ns = rp_clock_now_ns();
    app->codec->encode(app->encoder, &w->job.common);
    record->encode_ms = (double)(rp_clock_now_ns() - begin_ns) / 1e6;
    record->result = w->job.common.result;
    if (w->job.common.result.status != RP_CODEC_OK)
        return;
    record->size_B = w->job.common.result.size_B;
    record->data = malloc(record->size_B);
    fail_if(!record->data, "no memory for a coded picture");
    memcpy(record->data, w->job.common.dst, record->size_B);
    if (w->job.common.recon.slot)
        record->i420 = copy_i420(app, &w->job.common.recon.pixels);
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
    if (w->job.common.result.status != RP_CODEC_OK)
        app->status = w->job.common.result.status;
}

static void
work_begin(struct app *app, struct work *w)
{
    const enum rp_codec_status status = app->codec->begin(app->encoder, &w->job.common, true);
    if (status != RP_CODEC_OK) {
        app->status = status;
        app->begun_count++;
        if (app->options.threads)
            sem_init(&w->is_done, 0, 1); /* its end comes after those before it */
        else
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
    const uint32_t most = app_or_default(app->options.in_flight, MAX_IN_FLIGHT);
    if (app->begun_count - app->ended_count == most)
        work_end(app);

    struct work *w = &app->work[app->begun_count % MAX_IN_FLIGHT];
    if (pic->marking.is_idr) {
        app->epoch++;
        app->epoch_display = pic->display;
    }
    w->entry = dpb_take_free(&app->dpb);
    w->record = app->record_count;
    app->records[w->record] = (struct app_record){.epoch = app->epoch, .poc = pic->poc};
    app_job_set(app, w, pic);
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

bool
app_is_same(const struct app *a, const struct app *b)
{
    uint32_t count[2];
    const struct app_record *x = app_records(a, &count[0]);
    const struct app_record *y = app_records(b, &count[1]);
    if (count[0] != count[1] || app_status(a) != RP_CODEC_OK || app_status(b) != RP_CODEC_OK)
        return false;

    for (uint32_t i = 0; i < count[0]; i++) {
        if (x[i].size_B != y[i].size_B || memcmp(x[i].data, y[i].data, x[i].size_B) != 0)
            return false;
    }
    return true;
}
