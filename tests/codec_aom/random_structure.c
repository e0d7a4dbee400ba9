/* SPDX-License-Identifier: MIT */
#include "random_structure.h"

#include "tests/test.h"

static bool
chance(struct app *app, uint32_t percent)
{
    return app_random(app, 100) < percent;
}

static int8_t
random_delta(struct app *app)
{
    return (int8_t)((int32_t)app_random(app, 127) - 63);
}

static void
sequence_init(struct app *app)
{
    StdVideoAV1SequenceHeaderFlags *flags = &app->seq.flags;
    flags->enable_filter_intra = chance(app, 50);
    flags->enable_intra_edge_filter = chance(app, 50);
    flags->enable_masked_compound = chance(app, 30);
    flags->enable_warped_motion = chance(app, 30);
    flags->enable_order_hint = chance(app, 85);
    flags->enable_ref_frame_mvs = flags->enable_order_hint && chance(app, 50);
    flags->enable_superres = chance(app, 20);
    flags->enable_cdef = chance(app, 80);
    flags->enable_restoration = chance(app, 20);
    app->seq.order_hint_bits_minus_1 = (uint8_t)(chance(app, 60) ? 7 : app_random(app, 8));
    app->color.flags.separate_uv_delta_q = chance(app, 30);
    app->color.BitDepth = chance(app, 30) ? 10 : 8;
}

static void
choose_quantizers(struct app *app)
{
    app->job.q_index = (int32_t)(chance(app, 4) ? app_random(app, 3) : 20 + app_random(app, 236));
    app->std.pQuantization = &app->quantization;
    app->quantization = (StdVideoAV1Quantization){0};
    if (!chance(app, 30))
        return;
    app->quantization.DeltaQYDc = random_delta(app);
    app->quantization.DeltaQUDc = random_delta(app);
    app->quantization.DeltaQUAc = random_delta(app);
    app->quantization.DeltaQVDc = random_delta(app);
    app->quantization.DeltaQVAc = random_delta(app);
}

/* Deltas in effect: those of the primary reference frame, as far as they are not updated. */
static void
choose_deltas(struct app *app)
{
    StdVideoAV1LoopFilter *filter = &app->loop_filter;
    const struct rp_av1_loop_filter_deltas *before = &rp_av1_default_loop_filter_deltas;
    if (app->std.primary_ref_frame != STD_VIDEO_AV1_PRIMARY_REF_NONE)
        before = &app->writer.state.references[app->std.ref_frame_idx[app->std.primary_ref_frame]]
                      .loop_filter_deltas;

    filter->flags.loop_filter_delta_enabled = chance(app, 75);
    filter->flags.loop_filter_delta_update = chance(app, 60);
    filter->update_ref_delta = (uint8_t)app_random(app, 256);
    filter->update_mode_delta = (uint8_t)app_random(app, 4);
    const bool is_updated =
        filter->flags.loop_filter_delta_enabled && filter->flags.loop_filter_delta_update;
    for (uint32_t i = 0; i < 8; i++)
        filter->loop_filter_ref_deltas[i] = is_updated && (filter->update_ref_delta >> i & 1)
                                                ? random_delta(app)
                                                : (int8_t)before->ref[i];
    for (uint32_t i = 0; i < 2; i++)
        filter->loop_filter_mode_deltas[i] = is_updated && (filter->update_mode_delta >> i & 1)
                                                 ? random_delta(app)
                                                 : (int8_t)before->mode[i];
}

/* Half of them are the codec's. */
static void
choose_filters(struct app *app)
{
    if (chance(app, 50)) {
        app->loop_filter = (StdVideoAV1LoopFilter){0};
        app->std.pLoopFilter = &app->loop_filter;
        for (uint32_t i = 0; i < 4; i++)
            app->loop_filter.loop_filter_level[i] =
                (uint8_t)(chance(app, 15) ? 0 : app_random(app, 64));
        app->loop_filter.loop_filter_sharpness = (uint8_t)app_random(app, 8);
        choose_deltas(app);
    }
    if (chance(app, 50)) {
        app->cdef = (StdVideoAV1CDEF){
            .cdef_damping_minus_3 = (uint8_t)app_random(app, 4),
            .cdef_bits = (uint8_t)app_random(app, 4),
        };
        app->std.pCDEF = &app->cdef;
        for (uint32_t i = 0; i < STD_VIDEO_AV1_MAX_CDEF_FILTER_STRENGTHS; i++) {
            app->cdef.cdef_y_pri_strength[i] = (uint8_t)app_random(app, 16);
            app->cdef.cdef_y_sec_strength[i] = (uint8_t)app_random(app, 4);
            app->cdef.cdef_uv_pri_strength[i] = (uint8_t)app_random(app, 16);
            app->cdef.cdef_uv_sec_strength[i] = (uint8_t)app_random(app, 4);
        }
    }
}

static uint8_t
random_sizes(struct app *app, uint32_t size_px, uint16_t *sizes_minus_1)
{
    const uint32_t size_sb = (size_px + 63) / 64;
    uint8_t count = 0;
    for (uint32_t at = 0; at < size_sb; count++) {
        const uint32_t tile_sb = 1 + app_random(app, size_sb - at);
        sizes_minus_1[count] = (uint16_t)(tile_sb - 1);
        at += tile_sb;
    }
    return count;
}

static void
choose_tiles(struct app *app)
{
    if (!chance(app, 40))
        return;
    app->tiles = (StdVideoAV1TileInfo){0};
    app->std.pTileInfo = &app->tiles;
    if (chance(app, 50)) {
        app->tiles.flags.uniform_tile_spacing_flag = 1;
        app->tiles.TileCols = (uint8_t)(1 + app_random(app, 5));
        app->tiles.TileRows = (uint8_t)(1 + app_random(app, 5));
    } else {
        app->tiles.TileCols = random_sizes(app, app->width_px, app->tile_widths);
        app->tiles.TileRows = random_sizes(app, app->height_px, app->tile_heights);
        app->tiles.pWidthInSbsMinus1 = app->tile_widths;
        app->tiles.pHeightInSbsMinus1 = app->tile_heights;
    }
}

static void
choose_modes(struct app *app)
{
    StdVideoEncodeAV1PictureInfoFlags *flags = &app->std.flags;
    flags->is_filter_switchable = chance(app, 60);
    if (!flags->is_filter_switchable)
        app->std.interpolation_filter = (StdVideoAV1InterpolationFilter)app_random(app, 4);
    flags->allow_high_precision_mv = chance(app, 50);
    flags->reduced_tx_set = chance(app, 20);
    flags->use_ref_frame_mvs = chance(app, 50);
    flags->disable_cdf_update = chance(app, 12);
    flags->disable_frame_end_update_cdf = flags->disable_cdf_update || chance(app, 15);
    app->std.TxMode =
        chance(app, 20) ? STD_VIDEO_AV1_TX_MODE_LARGEST : STD_VIDEO_AV1_TX_MODE_SELECT;
}

/* All names have numbers, some a picture: LAST, GOLDEN or ALTREF at least. */
static void
choose_names(struct app *app)
{
    static const uint32_t principals[] = {0, 3, 6};
    const uint32_t principal = principals[app_random(app, 3)];
    const uint32_t percent = chance(app, 25) ? 100 : 35;
    for (uint32_t i = 0; i < RP_AV1_NAMES; i++)
        app->std.ref_frame_idx[i] = (int8_t)app_random(app, STD_VIDEO_AV1_NUM_REF_FRAMES);
    for (uint32_t i = 0; i < RP_AV1_NAMES; i++) {
        if (i == principal || chance(app, percent))
            app_name(app, i, (uint32_t)app->std.ref_frame_idx[i]);
    }
    app->job.prediction = (enum rp_av1_prediction)(1 + app_random(app, 3));
    if (app->std.frame_type == STD_VIDEO_AV1_FRAME_TYPE_INTER) {
        app->std.flags.error_resilient_mode = chance(app, 15);
        if (!app->std.flags.error_resilient_mode && chance(app, 80)) {
            do
                app->std.primary_ref_frame = (uint8_t)app_random(app, RP_AV1_NAMES);
            while (!app->job.refs[app->std.primary_ref_frame].picture.slot);
        }
    }
}

/* A few values, or more than the eight that can be coded. */
static void
choose_map(struct app *app)
{
    const uint32_t texels = ((app->width_px + 15) / 16) * ((app->height_px + 15) / 16);
    const uint32_t value_count = 1 + app_random(app, chance(app, 70) ? 10 : 100);
    int16_t values[100];
    if (!chance(app, 25))
        return;
    REQUIRE(texels <= sizeof(app->map) / sizeof(app->map[0]));
    for (uint32_t i = 0; i < value_count; i++)
        values[i] = (int16_t)((int32_t)app_random(app, 511) - 255);
    for (uint32_t i = 0; i < texels; i++)
        app->map[i] = values[app_random(app, value_count)];
    app->job.common.qp_delta = app->map;
}

static StdVideoAV1FrameType
choose_type(struct app *app)
{
    if (chance(app, 4))
        return STD_VIDEO_AV1_FRAME_TYPE_KEY;
    if (chance(app, 8))
        return STD_VIDEO_AV1_FRAME_TYPE_INTRA_ONLY;
    return chance(app, 5) ? STD_VIDEO_AV1_FRAME_TYPE_SWITCH : STD_VIDEO_AV1_FRAME_TYPE_INTER;
}

static void
picture_init(struct app *app, uint32_t number, uint32_t *time)
{
    const bool is_first = number == 0;
    const StdVideoAV1FrameType type = is_first ? STD_VIDEO_AV1_FRAME_TYPE_KEY : choose_type(app);
    const bool is_shown = is_first || chance(app, 75);

    if (is_shown)
        (*time)++;
    app_picture_init(app, type, is_shown ? *time : *time + 1 + app_random(app, 6), is_shown);
    if (!is_shown)
        app->std.flags.showable_frame = chance(app, 75);
    if (app->std.refresh_frame_flags == 0)
        app->std.refresh_frame_flags = (uint8_t)(app_random(app, 256) & app_random(app, 256));
    if (type == STD_VIDEO_AV1_FRAME_TYPE_INTRA_ONLY && app->std.refresh_frame_flags == 0xff)
        app->std.refresh_frame_flags = 0x7f;
    if (type == STD_VIDEO_AV1_FRAME_TYPE_INTRA_ONLY ||
        (type == STD_VIDEO_AV1_FRAME_TYPE_KEY && !is_shown))
        app->std.flags.error_resilient_mode = chance(app, 30);
    if (type == STD_VIDEO_AV1_FRAME_TYPE_INTER || type == STD_VIDEO_AV1_FRAME_TYPE_SWITCH)
        choose_names(app);
    app->job.common.quality_level = app_random(app, 4);
    choose_modes(app);
    choose_quantizers(app);
    choose_filters(app);
    choose_tiles(app);
    choose_map(app);
}

static void
show_some(struct app *app, uint32_t *time, bool has_moves)
{
    const uint32_t index = app_random(app, STD_VIDEO_AV1_NUM_REF_FRAMES);
    const struct app_reference *ref = &app->references[index];
    if (ref->slot < 0 || !ref->is_showable)
        return;
    if (ref->type == STD_VIDEO_AV1_FRAME_TYPE_KEY && has_moves)
        return; /* the codec would not know all that have moved */
    if (ref->type == STD_VIDEO_AV1_FRAME_TYPE_KEY)
        *time = ref->order_hint;
    app_show_existing(app, index);
}

/* Rate control of any kind, which comes and goes. */
struct random_rate {
    struct rp_encoder_rate *rate; /* NULL: none in this stream */
    struct rp_rate_settings settings;
};

static void
random_rate_set(struct app *app, struct random_rate *r)
{
    struct rp_rate_settings *s = &r->settings;
    const uint64_t bps = 10000u + app_random(app, chance(app, 50) ? 100000 : 3000000);
    *s = (struct rp_rate_settings){
        .mode = chance(app, 50) ? RP_RATE_CBR : RP_RATE_VBR,
        .layer_count = 1 + app_random(app, chance(app, 20) ? RP_RATE_LAYERS : 1),
        .virtual_buffer_ms = 50 + app_random(app, 2000),
        .gop_frame_count = app_random(app, 20),
        .consecutive_b_frame_count = app_random(app, 4),
    };
    for (uint32_t i = 0; i < s->layer_count; i++) {
        struct rp_rate_layer *layer = &s->layer[i];
        *layer = (struct rp_rate_layer){
            .average_bps = bps,
            .max_bps = bps + app_random(app, 100000),
            .frame_rate_numerator = 1 + app_random(app, 60),
            .frame_rate_denominator = 1,
            .has_min_qp = chance(app, 50),
            .has_max_qp = chance(app, 50),
        };
        for (uint32_t type = 0; type < RP_RATE_TYPES; type++) {
            layer->min_qp[type] =
                layer->has_min_qp ? (int32_t)app_random(app, RP_AV1_MAX_Q_INDEX + 1) : 0;
            layer->max_qp[type] = RP_AV1_MAX_Q_INDEX;
            if (layer->has_max_qp)
                layer->max_qp[type] -= (int32_t)app_random(
                    app, (uint32_t)(RP_AV1_MAX_Q_INDEX - layer->min_qp[type] + 1));
            layer->max_frame_size_B[type] = chance(app, 20) ? 100 + app_random(app, 5000) : 0;
        }
    }
    app->codec->rate_set(r->rate, s);
}

static void
choose_rate(struct app *app, struct random_rate *r, bool is_first)
{
    if (!r->rate)
        return;
    if (is_first || chance(app, 10))
        random_rate_set(app, r);
    if (chance(app, 10))
        return;
    app->job.q_index = -1;
    app->job.common.rate = r->rate;
    app->job.common.temporal_layer = app_random(app, RP_RATE_LAYERS);
    if (app->job.rate_type == RP_RATE_P && chance(app, 40))
        app->job.rate_type = RP_RATE_B;
}

/* Of the picture that was coded. A map may go beyond them, and deltas keep 0 from being one. */
static void
check_bounds(const struct app *app, const struct random_rate *r)
{
    const struct rp_encode_job *job = &app->job.common;
    if (!job->rate || job->qp_delta)
        return;
    const uint32_t index = job->temporal_layer < r->settings.layer_count
                               ? job->temporal_layer
                               : r->settings.layer_count - 1;
    const struct rp_rate_layer *layer = &r->settings.layer[index];
    const enum rp_rate_type type = app->job.rate_type;
    REQUIRE((int32_t)job->result.min_qp >= layer->min_qp[type]);
    REQUIRE((int32_t)job->result.max_qp <= (layer->max_qp[type] ? layer->max_qp[type] : 1));
}

static uint64_t
encode_stream(uint64_t seed, uint32_t picture_count, struct rp_workers *workers, app_take_fn *take,
              void *take_ctx)
{
    struct app *app = calloc(1, sizeof(*app));
    REQUIRE(app);
    app->take = take;
    app->take_ctx = take_ctx;
    app->random = seed;
    app->workers = workers;
    for (uint32_t i = 0; i < 4; i++)
        (void)app_random(app, 1);
    sequence_init(app);
    const uint32_t width_px = 16 + app_random(app, chance(app, 20) ? 500 : 180);
    const uint32_t height_px = 16 + app_random(app, chance(app, 20) ? 300 : 140);
    app_init(app, width_px, height_px, app->random);

    struct random_rate rate = {0};
    if (chance(app, 60)) {
        rate.rate = app->codec->rate_create(app->enc);
        REQUIRE(rate.rate);
    }
    uint32_t time = 0;
    const bool has_moves = seed % 2 == 1;
    for (uint32_t i = 0; i < picture_count; i++) {
        if (i > 4 && chance(app, 20))
            show_some(app, &time, has_moves);
        if (has_moves && i % 3 == 0)
            app_move(app, (uint32_t)(seed / 2 + i) % STD_VIDEO_AV1_NUM_REF_FRAMES);
        picture_init(app, i, &time);
        choose_rate(app, &rate, i == 0);
        app_draw(app, time);
        const int32_t slot = app_free_slot(app, app->std.refresh_frame_flags);
        REQUIRE(slot >= 0); /* eight references, ten slots */
        app_encode(app, slot);
        check_bounds(app, &rate);
    }
    for (uint32_t i = 0; i < STD_VIDEO_AV1_NUM_REF_FRAMES; i++) {
        const struct app_reference *ref = &app->references[i];
        if (ref->is_showable && ref->type != STD_VIDEO_AV1_FRAME_TYPE_KEY)
            app_show_existing(app, i);
    }
    const uint64_t hash = app->stream_hash;
    app->codec->rate_destroy(app->enc, rate.rate);
    app_finish(app);
    free(app);
    return hash;
}

uint64_t
random_structure_run(uint64_t seed, uint32_t picture_count, struct rp_workers *workers)
{
    return encode_stream(seed, picture_count, workers, NULL, NULL);
}

uint64_t
random_structure_write(uint64_t seed, uint32_t picture_count, app_take_fn *take, void *take_ctx)
{
    return encode_stream(seed, picture_count, NULL, take, take_ctx);
}
