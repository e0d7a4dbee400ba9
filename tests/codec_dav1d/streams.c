/* SPDX-License-Identifier: MIT */
/* The codec behind its contract decodes streams for an application (app.h).
 *
 * usage: codec_dav1d_streams [--threads N] [--seed N] [--in-place] [--damage] FILE.ivf ...
 */
#include "app.h"
#include "reelpipe/decode_av1.h"
#include "std_structures.h"
#include "tests/test.h"
#include "video/av1/private_stream.h"

static struct {
    const struct rp_decode_codec *codec;
    struct rp_decoder *dec;
    struct rp_av1_private_streams streams;
    bool is_in_place;
    uint32_t target_count;
    uint32_t retained_count;
} own;

static void
retain(void *memory)
{
    own.retained_count++;
    app_memory_retain(memory);
}

static enum rp_codec_status
decode(void *ctx, const struct app_job *app)
{
    static struct rp_av1_private_picture private;
    struct rp_av1_private_request request = {
        .sequence = &app->std->sequence,
        .picture = &app->std->picture,
        .setup_slot = app->setup_slot,
        .width_px = app->width_px,
        .height_px = app->height_px,
        .tile_count = app->tile_count,
    };
    memcpy(request.name_slots, app->name_slots, sizeof(request.name_slots));
    enum rp_codec_status status = rp_av1_private_begin(&own.streams, &request, &private);
    if (status != RP_CODEC_OK)
        return status;
    struct rp_decode_layout layout;
    own.codec->layout(app->width_px, app->height_px, &layout);
    struct rp_av1_decode_job job = {
        .common = {.data = app->data,
                   .data_B = app->data_B,
                   .setup_slot = app->setup_slot,
                   .dst = app->dst,
                   .dst_setup = app->dst_setup},
        .stream = private.stream,
        .starts_stream = private.starts_stream,
        .applies_film_grain = private.applies_film_grain,
        .sequence_header = own.streams.at[private.stream].sequence_header,
        .sequence_header_B = own.streams.at[private.stream].sequence_header_B,
        .frame_header = private.frame_header,
        .frame_header_B = private.frame_header_B,
        .tile_offsets_B = app->tile_offsets_B,
        .tile_sizes_B = app->tile_sizes_B,
        .tile_count = app->tile_count,
    };
    if (own.is_in_place && !app->dst_setup.plane[0].data && app->dst.bit_depth == 8) {
        own.target_count++;
        job.common.target =
            (struct rp_decode_target){app_memory_of(app), retain, app_memory_release, layout.rows};
    }
    status = own.codec->decode(own.dec, &job.common);
    rp_av1_private_end(&own.streams, &private, status == RP_CODEC_OK);
    return status == RP_CODEC_OK && private.is_damaged ? RP_CODEC_DAMAGED : status;
}

int
main(int argc, char **argv)
{
    static const struct app_decoder decoder = {.decode = decode};
    struct app_options options = {.seed = 1};
    uint32_t thread_count = 1;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--threads") == 0 && i + 1 < argc)
            thread_count = (uint32_t)atoi(argv[++i]);
        else if (strcmp(argv[i], "--seed") == 0 && i + 1 < argc)
            options.seed = (uint64_t)atoi(argv[++i]);
        else if (strcmp(argv[i], "--in-place") == 0)
            own.is_in_place = true;
        else if (strcmp(argv[i], "--damage") == 0)
            options.is_damaging = true;
        else if (options.stream_count < APP_MAX_STREAMS)
            options.names[options.stream_count++] = argv[i];
    }
    own.codec = rp_codec_av1_decode();
    if (!own.codec)
        return TEST_SKIPPED;
    enum rp_codec_status status;
    own.dec = own.codec->create(thread_count, &status);
    REQUIRE(own.dec);
    rp_av1_private_streams_init(&own.streams);
    REQUIRE(app_run(&options, &decoder));
    own.codec->destroy(own.dec);
    REQUIRE(own.retained_count > 0 || own.target_count == 0);
    return 0;
}
