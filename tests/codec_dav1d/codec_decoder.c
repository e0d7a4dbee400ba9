/* SPDX-License-Identifier: MIT */
#include "codec_decoder.h"

#include "std_structures.h"
#include "tests/test.h"

static uint32_t retained_count;

static void
retain(void *memory)
{
    retained_count++;
    app_memory_retain(memory);
}

bool
codec_decoder_open(struct codec_decoder *dec, uint32_t thread_count, bool is_in_place)
{
    dec->codec = rp_codec_av1_decode();
    if (!dec->codec)
        return false;
    enum rp_codec_status status;
    dec->dec = dec->codec->create(thread_count, &status);
    REQUIRE(dec->dec);
    dec->is_in_place = is_in_place;
    rp_av1_private_streams_init(&dec->streams);
    return true;
}

void
codec_decoder_close(struct codec_decoder *dec)
{
    dec->codec->destroy(dec->dec);
    REQUIRE(retained_count > 0 || dec->target_count == 0);
}

static struct rp_av1_decode_job
job_of(const struct codec_decoder *dec, const struct app_job *app)
{
    const struct rp_av1_private_picture *picture = &dec->picture;
    const struct rp_av1_private_stream *stream = &dec->streams.at[picture->stream];
    return (struct rp_av1_decode_job){
        .common = {.data = app->data,
                   .data_B = app->data_B,
                   .setup_slot = app->setup_slot,
                   .dst = app->dst,
                   .dst_setup = app->dst_setup},
        .stream = picture->stream,
        .starts_stream = picture->starts_stream,
        .applies_film_grain = picture->applies_film_grain,
        .sequence_header = stream->sequence_header,
        .sequence_header_B = stream->sequence_header_B,
        .frame_header = picture->frame_header,
        .frame_header_B = picture->frame_header_B,
        .tile_offsets_B = app->tile_offsets_B,
        .tile_sizes_B = app->tile_sizes_B,
        .tile_count = app->tile_count,
    };
}

enum rp_codec_status
codec_decoder_decode(void *ctx, const struct app_job *app)
{
    struct codec_decoder *dec = ctx;
    struct rp_av1_private_request request = {
        .sequence = &app->std->sequence,
        .picture = &app->std->picture,
        .setup_slot = app->setup_slot,
        .width_px = app->width_px,
        .height_px = app->height_px,
        .tile_count = app->tile_count,
    };
    memcpy(request.name_slots, app->name_slots, sizeof(request.name_slots));
    enum rp_codec_status status = rp_av1_private_begin(&dec->streams, &request, &dec->picture);
    if (status != RP_CODEC_OK)
        return status;
    struct rp_av1_decode_job job = job_of(dec, app);
    if (dec->is_in_place && !app->dst_setup.plane[0].data && app->dst.bit_depth == 8) {
        struct rp_decode_layout layout;
        dec->codec->layout(app->width_px, app->height_px, &layout);
        dec->target_count++;
        job.common.target =
            (struct rp_decode_target){app_memory_of(app), retain, app_memory_release, layout.rows};
    }
    status = dec->codec->decode(dec->dec, &job.common);
    rp_av1_private_end(&dec->streams, &dec->picture, status == RP_CODEC_OK);
    return status == RP_CODEC_OK && dec->picture.is_damaged ? RP_CODEC_DAMAGED : status;
}
