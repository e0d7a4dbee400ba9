/* SPDX-License-Identifier: MIT */
/* H.265 streams with rate control.
 */
#include "app.h"
#include "judge.h"

#include "tests/encode_rate/stream.h"
#include "tests/test.h"

#define NAL_TRAIL_N 0u
#define SECOND_LAYER_SLOT 2u
#define UNREFERRED_SLOT 3u

const struct rate_stream_codec rate_stream_codec = {
    .max_q = RP_H265_MAX_QP,
    .finest_q = 0,
    .bit_depth = 8,
    .quality_level = 0,
    .low_q = {{[RP_RATE_P] = 26, [RP_RATE_B] = 30, [RP_RATE_I] = 20},
              {[RP_RATE_P] = 32, [RP_RATE_B] = 0, [RP_RATE_I] = 29}},
    .high_q = {{[RP_RATE_P] = 36, [RP_RATE_B] = 38, [RP_RATE_I] = 29},
               {[RP_RATE_P] = 33, [RP_RATE_B] = 51, [RP_RATE_I] = 29}},
};

/* One stream on its way. */
struct run {
    const struct rate_stream_options *options;
    struct rate_stream *out;
    struct app *app;
    struct rp_encoder_rate *rate;
};

static void
draw(const struct run *run, uint32_t time)
{
    struct app *app = run->app;
    const size_t luma_B = (size_t)app->width_px * app->height_px;
    app_draw(app, 0); /* chroma */
    if (!rate_stream_draw(run->options, time, app->source))
        memset(app->source + luma_B, 0x80, luma_B / 2);
}

/* The picture that app has, of this time. */
static void
encode(struct run *run, uint32_t time, enum rp_rate_type type, uint32_t layer, int32_t slot)
{
    struct app *app = run->app;
    struct rp_encode_job *common = &app->job.common;
    draw(run, time);
    app->codec->rate_set(run->rate, rate_stream_rate(run->options, run->out->count));
    common->rate = run->rate;
    common->quality_level = run->options->quality_level;
    common->temporal_layer = app->job.temporal_id = layer;
    app->job.sao = true;
    REQUIRE(app_encode(app, slot) == RP_CODEC_OK);
    REQUIRE(run->out->count < RATE_STREAM_PICTURES);
    run->out->record[run->out->count++] = (struct rate_record){
        common->result.size_B, type, layer, common->result.min_qp, common->result.max_qp,
    };
    app->slots[slot].poc = app->job.poc;
    app->slots[slot].is_reference = app->header.nal_unit_type != NAL_TRAIL_N;
}

static void
encode_key(struct run *run, uint32_t time)
{
    app_picture_init(run->app, true, 0);
    encode(run, time, RP_RATE_I, 0, 0);
}

/* The entry of the initial list that is the slot. */
static void
refer(struct app *app, uint32_t list, const uint32_t initial[APP_SLOTS], uint32_t slot)
{
    uint32_t entry = 0;
    while (initial[entry] != slot)
        entry++;
    app->header.ref_pic_list_modification_flag[list] = entry > 0;
    app_refer(app, list, 0, entry, slot);
}

/* A picture that refers to that in slot from, and when it is B to that in slot next, too. */
struct inter {
    uint32_t time;
    uint32_t order;
    uint32_t layer;
    bool is_b;
    bool is_reference;
    uint32_t from;
    uint32_t next;
    uint32_t slot; /* where it stays */
};

static void
encode_inter(struct run *run, const struct inter *picture)
{
    struct app *app = run->app;
    uint32_t initial[2][APP_SLOTS];
    app_picture_init(app, false, (int32_t)picture->order);
    app->header.nal_unit_type = picture->is_reference ? RP_H265_NAL_TRAIL_R : NAL_TRAIL_N;
    app->job.slice_type = picture->is_b ? STD_VIDEO_H265_SLICE_TYPE_B : STD_VIDEO_H265_SLICE_TYPE_P;
    app->slots[picture->slot].is_reference = false;
    app_set_references(app, 1u << picture->from | (picture->is_b ? 1u << picture->next : 0),
                       initial);
    refer(app, 0, initial[0], picture->from);
    if (picture->is_b)
        refer(app, 1, initial[1], picture->next);
    encode(run, picture->time, picture->is_b ? RP_RATE_B : RP_RATE_P, picture->layer,
           (int32_t)picture->slot);
}

/* A picture ahead, then those in between. */
static void
encode_group(struct run *run, uint32_t time, uint32_t order)
{
    const uint32_t b_run = run->options->b_run;
    const uint32_t previous = (order - 1) / (1 + b_run) % 2;
    encode_inter(run, &(struct inter){.time = time + b_run,
                                      .order = order + b_run,
                                      .is_reference = true,
                                      .from = previous,
                                      .slot = 1 - previous});
    for (uint32_t i = 0; i < b_run; i++)
        encode_inter(run, &(struct inter){.time = time + i,
                                          .order = order + i,
                                          .is_b = true,
                                          .from = previous,
                                          .next = 1 - previous,
                                          .slot = UNREFERRED_SLOT});
}

/* Dyadic: pictures of the first layer refer to each other, those above to the one before that is
 * below them. Without layers each refers to the one before. */
static void
encode_layered(struct run *run, uint32_t time, uint32_t order)
{
    const uint32_t top = run->options->layer_count > 1 ? run->options->layer_count - 1 : 0;
    const uint32_t base = (order >> top) % 2; /* the slot of the first layer's newest picture */
    uint32_t layer = top;
    for (uint32_t k = 0; k < top && order % (2u << k) == 0; k++)
        layer--;
    const bool is_of_second = layer == 2 && order % 4 == 3;
    encode_inter(run, &(struct inter){.time = time,
                                      .order = order,
                                      .layer = layer,
                                      .is_reference = layer == 0 || layer < top,
                                      .from = layer == 0     ? 1 - base
                                              : is_of_second ? SECOND_LAYER_SLOT
                                                             : base,
                                      .slot = layer == 0    ? base
                                              : layer < top ? SECOND_LAYER_SLOT
                                                            : UNREFERRED_SLOT});
}

static void
set_sub_layers(struct app *app, uint32_t count)
{
    StdVideoH265DecPicBufMgr *dpb = &app->sps.dec_pic_buf_mgr;
    app->sps.std.sps_max_sub_layers_minus1 = (uint8_t)(count > 1 ? count - 1 : 0);
    for (uint32_t i = 1; i < count; i++) {
        dpb->max_dec_pic_buffering_minus1[i] = dpb->max_dec_pic_buffering_minus1[0];
        dpb->max_num_reorder_pics[i] = dpb->max_num_reorder_pics[0];
    }
}

void
rate_stream_run(const struct rate_stream_options *options, struct rate_stream *out)
{
    struct app *app = calloc(1, sizeof(*app));
    REQUIRE(app);
    app_init(app, options->width_px, options->height_px, 8);
    app->sps.std.flags.sample_adaptive_offset_enabled_flag = 1;
    set_sub_layers(app, options->layer_count);
    app_write_sets(app);
    struct run run = {options, out, app, app->codec->rate_create(app->enc)};
    REQUIRE(run.rate);
    out->count = 0;

    const uint32_t step = 1 + options->b_run;
    uint32_t order = 0;
    for (uint32_t time = 0; time < options->picture_count;) {
        if (time == 0 || (options->period > 0 && order >= options->period)) {
            encode_key(&run, time++);
            order = 1;
        } else if (options->b_run > 0) {
            encode_group(&run, time, order);
            time += step;
            order += step;
        } else {
            encode_layered(&run, time++, order++);
        }
    }
    judge_stream(app);
    out->hash = app_hash(app);
    app->codec->rate_destroy(app->enc, run.rate);
    app_finish(app);
    free(app);
}
