/* SPDX-License-Identifier: MIT */
#include "app.h"

#include "tests/test.h"

uint32_t
app_random(struct app *app, uint32_t below)
{
    app->random = app->random * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(app->random >> 33) % below;
}

static uint32_t
chroma_width(const struct app *app)
{
    return (app->width_px + 1) / 2;
}

static uint32_t
chroma_height(const struct app *app)
{
    return (app->height_px + 1) / 2;
}

size_t
app_picture_B(const struct app *app)
{
    return app->sample_B * ((size_t)app->width_px * app->height_px +
                            2 * (size_t)chroma_width(app) * chroma_height(app));
}

/* Of even size, as images are. */
static size_t
image_B(const struct app *app)
{
    return app->sample_B * (size_t)chroma_width(app) * 2 * chroma_height(app) * 3;
}

static struct rp_picture
image_of(const struct app *app, uint8_t *planes)
{
    const size_t stride_B = app->sample_B * (size_t)chroma_width(app) * 2;
    return (struct rp_picture){
        .layout = RP_PICTURE_NV12,
        .chroma = RP_CHROMA_420,
        .bit_depth = app->sample_B == 2 ? 10 : 8,
        .width_px = chroma_width(app) * 2,
        .height_px = chroma_height(app) * 2,
        .plane = {{planes, stride_B}, {planes + stride_B * chroma_height(app) * 2, stride_B}},
    };
}

void
app_init(struct app *app, uint32_t width_px, uint32_t height_px, uint64_t seed)
{
    if (!app->codec)
        app->codec = rp_codec_av1_encode();
    app->width_px = width_px;
    app->height_px = height_px;
    app->random = seed;
    app->color.subsampling_x = app->color.subsampling_y = 1;
    if (app->color.BitDepth == 0)
        app->color.BitDepth = 8;
    app->sample_B = app->color.BitDepth > 8 ? 2 : 1;
    app->seq.pColorConfig = &app->color;
    app->seq.max_frame_width_minus_1 = (uint16_t)(width_px - 1);
    app->seq.max_frame_height_minus_1 = (uint16_t)(height_px - 1);
    writer_init(&app->writer, &app->seq);
    app->judge = judge_create();
    app->enc = app->codec->create(app->workers);
    REQUIRE(app->enc);
    for (uint32_t i = 0; i < APP_SLOTS; i++) {
        app->slots[i].codec_slot = app->codec->slot_create(app->enc);
        app->slots[i].planes = calloc(1, image_B(app));
        REQUIRE(app->slots[i].codec_slot && app->slots[i].planes);
    }
    for (uint32_t i = 0; i < STD_VIDEO_AV1_NUM_REF_FRAMES; i++) {
        app->references[i] = (struct app_reference){.slot = -1};
        app->references[i].shown = malloc(app_picture_B(app));
        REQUIRE(app->references[i].shown);
    }
    app->source = malloc(image_B(app));
    app->picture = malloc(app_picture_B(app));
    app->unit = malloc(APP_UNIT_B);
    REQUIRE(app->source && app->picture && app->unit);
    app->stream_hash = 14695981039346656037u;
}

void
app_finish(struct app *app)
{
    for (uint32_t i = 0; i < APP_SLOTS; i++) {
        app->codec->slot_destroy(app->enc, app->slots[i].codec_slot);
        free(app->slots[i].planes);
    }
    app->codec->destroy(app->enc);
    for (uint32_t i = 0; i < STD_VIDEO_AV1_NUM_REF_FRAMES; i++)
        free(app->references[i].shown);
    free(app->source);
    free(app->picture);
    free(app->unit);
    judge_destroy(app->judge);
}

static void
put_sample(const struct app *app, uint8_t *row, uint32_t x, uint32_t value)
{
    if (app->sample_B == 2)
        ((uint16_t *)row)[x] = (uint16_t)((value * 4 + x % 4) << 6);
    else
        row[x] = (uint8_t)value;
}

void
app_draw(struct app *app, uint32_t time)
{
    const struct rp_picture image = image_of(app, app->source);
    uint32_t noise = time * 2654435761u + 1;
    for (uint32_t y = 0; y < image.height_px; y++) {
        uint8_t *row = app->source + y * image.plane[0].stride_B;
        for (uint32_t x = 0; x < image.width_px; x++) {
            const uint32_t u = x + 3 * time, v = y + time;
            noise = noise * 1664525u + 1013904223u;
            uint32_t value = 64 + (u * u / 64 + v * 3) % 128 + (noise >> 30);
            if ((u / 24 + v / 16) % 5 == 0)
                value = 200 - (u ^ v) % 64;
            put_sample(app, row, x, value);
        }
    }
    for (uint32_t y = 0; y < chroma_height(app); y++) {
        uint8_t *row = image.plane[1].data + y * image.plane[1].stride_B;
        for (uint32_t x = 0; x < chroma_width(app); x++) {
            put_sample(app, row, 2 * x, 100 + (x + 2 * time) % 50);
            put_sample(app, row, 2 * x + 1, 160 - (y + time) % 60);
        }
    }
}

void
app_picture_init(struct app *app, StdVideoAV1FrameType type, uint32_t order, bool is_shown)
{
    const uint32_t hint_mask =
        app->seq.flags.enable_order_hint ? (2u << app->seq.order_hint_bits_minus_1) - 1 : 0;
    app->std = (StdVideoEncodeAV1PictureInfo){
        .frame_type = type,
        .order_hint = (uint8_t)(order & hint_mask),
        .primary_ref_frame = STD_VIDEO_AV1_PRIMARY_REF_NONE,
        .interpolation_filter = STD_VIDEO_AV1_INTERPOLATION_FILTER_SWITCHABLE,
        .TxMode = STD_VIDEO_AV1_TX_MODE_SELECT,
    };
    app->std.flags.show_frame = is_shown;
    app->std.flags.showable_frame = !is_shown || type != STD_VIDEO_AV1_FRAME_TYPE_KEY;
    app->std.flags.is_filter_switchable = 1;
    app->std.flags.error_resilient_mode = type == STD_VIDEO_AV1_FRAME_TYPE_SWITCH ||
                                          (type == STD_VIDEO_AV1_FRAME_TYPE_KEY && is_shown);
    if (type == STD_VIDEO_AV1_FRAME_TYPE_SWITCH ||
        (type == STD_VIDEO_AV1_FRAME_TYPE_KEY && is_shown))
        app->std.refresh_frame_flags = 0xff;
    app->job = (struct rp_av1_encode_job){
        .sequence = &app->seq,
        .picture = &app->std,
        .q_index = 120,
        .rate_type = RP_RATE_I,
        .tile_size_B = app->tile_sizes_B,
        .write_headers = writer_headers,
        .write_headers_ctx = &app->writer,
    };
    app->job.common.width_px = app->width_px;
    app->job.common.height_px = app->height_px;
    app->job.common.src = image_of(app, app->source);
}

/* The references that are in the slot: the codec is told of them, and knows them from then on. */
static uint8_t
tell(struct app *app, int32_t slot)
{
    uint32_t numbers = 0;
    for (uint32_t i = 0; i < STD_VIDEO_AV1_NUM_REF_FRAMES; i++) {
        struct app_reference *ref = &app->references[i];
        if (ref->slot != slot)
            continue;
        numbers |= 1u << i;
        ref->is_shown_again = false;
    }
    return (uint8_t)numbers;
}

void
app_name(struct app *app, uint32_t name, uint32_t index)
{
    const int32_t slot = app->references[index].slot;
    REQUIRE(slot >= 0);
    /* Some are foreign that have the same samples as before. */
    const bool is_foreign =
        app->references[index].is_moved ||
        (!app->references[index].is_shown_again && (app->std.order_hint + name) % 2);
    app->std.ref_frame_idx[name] = (int8_t)index;
    app->job.refs[name] = (struct rp_av1_encode_reference){
        .picture = {.slot = app->slots[slot].codec_slot,
                    .pixels = image_of(app, app->slots[slot].planes)},
        .is_foreign = is_foreign,
        .numbers = is_foreign ? 0 : tell(app, slot),
    };
    app->job.rate_type = RP_RATE_P;
    if (app->job.prediction == RP_AV1_PREDICTION_INTRA)
        app->job.prediction = RP_AV1_PREDICTION_SINGLE;
}

int32_t
app_free_slot(const struct app *app, uint32_t refresh_frame_flags)
{
    for (int32_t slot = 0; slot < APP_SLOTS; slot++) {
        bool is_used = false;
        for (uint32_t i = 0; i < STD_VIDEO_AV1_NUM_REF_FRAMES; i++)
            is_used |=
                app->references[i].slot == slot; /* names of this picture may be among them */
        if (!is_used)
            return slot;
    }
    (void)refresh_frame_flags;
    return -1;
}

void
app_move(struct app *app, uint32_t index)
{
    const int32_t from = app->references[index].slot;
    const int32_t to = app_free_slot(app, 0);
    if (from < 0)
        return;
    REQUIRE(to >= 0);
    memcpy(app->slots[to].planes, app->slots[from].planes, image_B(app));
    memset(app->slots[from].planes, 0x55, image_B(app));
    for (uint32_t i = 0; i < STD_VIDEO_AV1_NUM_REF_FRAMES; i++) {
        struct app_reference *ref = &app->references[i];
        if (ref->slot != from)
            continue;
        ref->slot = to;
        ref->is_moved = true;
    }
}

/* An image as I420, 10 bits in the low bits. */
static void
unpack(const struct app *app, const uint8_t *planes, uint8_t *out)
{
    const struct rp_picture image = image_of(app, (uint8_t *)planes);
    const uint32_t shift = app->sample_B == 2 ? 6 : 0;
    for (uint32_t plane = 0; plane < 3; plane++) {
        const uint32_t width = plane ? chroma_width(app) : app->width_px;
        const uint32_t height = plane ? chroma_height(app) : app->height_px;
        for (uint32_t y = 0; y < height; y++) {
            const uint8_t *row =
                image.plane[plane != 0].data + y * image.plane[plane != 0].stride_B;
            for (uint32_t x = 0; x < width; x++, out += app->sample_B) {
                const uint32_t at = plane ? 2 * x + plane - 1 : x;
                if (app->sample_B == 2)
                    *(uint16_t *)out = ((const uint16_t *)row)[at] >> shift;
                else
                    *out = row[at];
            }
        }
    }
}

static void
unit_append(struct app *app, const uint8_t *data, size_t size_B)
{
    REQUIRE(app->unit_B + size_B <= APP_UNIT_B);
    memcpy(app->unit + app->unit_B, data, size_B);
    app->unit_B += size_B;
}

static void
unit_begin(struct app *app)
{
    static const uint8_t temporal_delimiter[] = {0x12, 0};
    if (app->unit_B == 0)
        unit_append(app, temporal_delimiter, sizeof(temporal_delimiter));
}

static void
unit_end(struct app *app, const uint8_t *expected)
{
    for (size_t i = 0; i < app->unit_B; i++)
        app->stream_hash = (app->stream_hash ^ app->unit[i]) * 1099511628211u;
    judge_unit(app->judge, app->unit, app->unit_B, expected, app->width_px, app->height_px,
               app->color.BitDepth);
    if (app->take)
        app->take(app->take_ctx, app->unit, app->unit_B);
    app->shown_B = app->unit_B;
    app->unit_B = 0;
}

/* The reference frame update process (7.20). */
static void
refresh(struct app *app, int32_t slot)
{
    for (uint32_t i = 0; i < STD_VIDEO_AV1_NUM_REF_FRAMES; i++) {
        struct app_reference *ref = &app->references[i];
        if (!(app->std.refresh_frame_flags >> i & 1))
            continue;
        memcpy(ref->shown, app->picture, app_picture_B(app));
        ref->slot = slot;
        ref->type = app->std.frame_type;
        ref->is_showable = app->std.flags.showable_frame;
        ref->is_moved = ref->is_shown_again = false;
        ref->order_hint = app->std.order_hint;
    }
}

enum rp_codec_status
app_try_encode(struct app *app, int32_t slot)
{
    struct rp_encode_job *common = &app->job.common;
    const size_t unit_B = app->unit_B;
    unit_begin(app);
    if (!app->has_sequence ||
        (app->std.frame_type == STD_VIDEO_AV1_FRAME_TYPE_KEY && app->std.flags.show_frame)) {
        uint8_t header[WRITER_MAX_HEADER_B];
        unit_append(app, header, writer_sequence(&app->writer, header));
    }
    if (slot >= 0)
        common->recon = (struct rp_dpb_picture){
            .slot = app->slots[slot].codec_slot,
            .pixels = image_of(app, app->slots[slot].planes),
        };
    common->dst = app->unit + app->unit_B;
    common->dst_capacity_B = APP_UNIT_B - app->unit_B;
    if (app->codec->begin(app->enc, common, true) == RP_CODEC_OK)
        app->codec->encode(app->enc, common);
    if (common->result.status != RP_CODEC_OK) {
        app->unit_B = unit_B;
        return common->result.status;
    }
    rp_av1_state_update(&app->writer.state, &app->writer.frame);
    app->has_sequence = true;
    app->unit_B += common->result.size_B;
    if (slot >= 0)
        unpack(app, app->slots[slot].planes, app->picture);
    refresh(app, slot);
    if (app->std.flags.show_frame)
        unit_end(app, app->picture);
    return RP_CODEC_OK;
}

void
app_encode(struct app *app, int32_t slot)
{
    REQUIRE(app_try_encode(app, slot) == RP_CODEC_OK);
}

void
app_show_existing(struct app *app, uint32_t index)
{
    struct app_reference *shown = &app->references[index];
    uint8_t header[WRITER_MAX_HEADER_B];
    unit_begin(app);
    unit_append(app, header, writer_show_existing(&app->writer, index, header));
    unit_end(app, shown->shown);
    for (uint32_t i = 0; i < STD_VIDEO_AV1_NUM_REF_FRAMES; i++) {
        struct app_reference *ref = &app->references[i];
        if (shown->type == STD_VIDEO_AV1_FRAME_TYPE_KEY && i != index) {
            uint8_t *planes = ref->shown;
            const bool is_news = ref->slot != shown->slot || ref->is_shown_again;
            memcpy(planes, shown->shown, app_picture_B(app));
            *ref = *shown;
            ref->shown = planes;
            ref->is_shown_again = is_news;
        }
        if (ref->slot == shown->slot)
            ref->is_showable = false;
    }
}
