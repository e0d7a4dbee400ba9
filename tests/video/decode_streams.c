/* SPDX-License-Identifier: MIT */
/* Streams decoded through Vulkan by an application with a DPB of its own: every frame equals
 * libavcodec's.
 *
 * usage: decode_streams [OPTION...] STREAM...
 *   Several streams share one session, picture by picture. Options:
 *   --i420 (output images)  --distinct (images for output and DPB)  --layered (DPB)
 *   --readable (DPB of distinct images: pictures are read from there)
 *   --moving (a new image for every frame; the slot's old one is freed)
 *   --overwrite (images that are no reference any more)  --alias (pictures are read from another
 *   image in the same place)  --memory exported|imported|host
 *   --border PX (right of and below pictures)  --crop PX  --offset PX (in the image)
 *   --margin N (bytes of other slices around each picture's)  --reset (at every IDR)
 *   --skip (non-reference pictures)  --keep (a slot for every picture)
 */
#include "job_decoder.h"

#include "test.h"
#include "tests/codec_avcodec/app.h"
#include "tests/codec_avcodec/judge.h"

#include <string.h>

#define MAX_STREAMS 3

struct arguments {
    struct app_options app;
    struct job_decoder_options decoder;
    const char *paths[MAX_STREAMS];
    uint32_t stream_count;
};

static enum guarded_memory
memory_parse(const char *name)
{
    if (strcmp(name, "exported") == 0)
        return GUARDED_EXPORTED;
    if (strcmp(name, "imported") == 0)
        return GUARDED_IMPORTED;
    REQUIRE(strcmp(name, "host") == 0);
    return GUARDED_HOST;
}

/* Where pictures are. Returns whether it is such an option. */
static bool
place_parse(struct arguments *args, const char *arg, const char *value)
{
    struct job_decoder_options *decoder = &args->decoder;
    if (!value)
        return false;
    if (strcmp(arg, "--memory") == 0) {
        decoder->memory = memory_parse(value);
        return true;
    }
    const uint32_t px = (uint32_t)strtoul(value, NULL, 10);
    if (strcmp(arg, "--border") == 0) {
        decoder->border_px = (int32_t)px;
    } else if (strcmp(arg, "--crop") == 0) {
        decoder->border_px = -(int32_t)px;
        args->app.crop_px = px;
    } else if (strcmp(arg, "--offset") == 0) {
        decoder->offset_px = px;
    } else {
        return false;
    }
    return true;
}

static void
arguments_parse(struct arguments *args, char **argv)
{
    *args = (struct arguments){
        .app = {.is_i420 = true},
        .decoder = {.dst_format = VK_FORMAT_G8_B8R8_2PLANE_420_UNORM},
    };
    for (argv++; *argv; argv++) {
        const char *arg = *argv;
        if (place_parse(args, arg, argv[1]))
            argv++;
        else if (strcmp(arg, "--i420") == 0)
            args->decoder.dst_format = VK_FORMAT_G8_B8_R8_3PLANE_420_UNORM;
        else if (strcmp(arg, "--distinct") == 0)
            args->decoder.is_distinct = true;
        else if (strcmp(arg, "--readable") == 0)
            args->decoder.is_dpb_readable = true;
        else if (strcmp(arg, "--layered") == 0)
            args->decoder.is_layered = true;
        else if (strcmp(arg, "--moving") == 0)
            args->decoder.is_moving = true;
        else if (strcmp(arg, "--overwrite") == 0)
            args->decoder.is_overwritten = true;
        else if (strcmp(arg, "--alias") == 0)
            args->decoder.is_aliased = true;
        else if (strcmp(arg, "--margin") == 0 && argv[1])
            args->decoder.margin_B = (uint32_t)strtoul(*++argv, NULL, 10);
        else if (strcmp(arg, "--reset") == 0)
            args->app.resets_at_idr = true;
        else if (strcmp(arg, "--skip") == 0)
            args->app.skips_non_reference = true;
        else if (strcmp(arg, "--keep") == 0)
            args->app.keeps_non_reference = true;
        else {
            REQUIRE(args->stream_count < MAX_STREAMS);
            args->paths[args->stream_count++] = arg;
        }
    }
    REQUIRE(args->stream_count);
}

static void
apps_init(struct app *apps, const struct arguments *args, struct rp_decoder *dec)
{
    const uint32_t share = RP_H264_DECODE_SLOTS / args->stream_count;
    for (uint32_t i = 0; i < args->stream_count; i++) {
        size_t data_B;
        uint8_t *data = file_read(args->paths[i], &data_B);
        app_init(&apps[i], &job_decoder_codec, dec, data, data_B, i * share, share, &args->app);
    }
}

/* A frame's second field comes right after the first one. */
static bool
app_step_frame(struct app *app, bool is_alone)
{
    bool has_more;
    do
        has_more = app_step(app);
    while (has_more && !is_alone && app_is_between_fields(app));
    return has_more;
}

static void
apps_run(struct app *apps, uint32_t count)
{
    bool is_over[MAX_STREAMS] = {false};
    uint32_t running = count;
    while (running) {
        for (uint32_t i = 0; i < count; i++) {
            if (is_over[i] || app_step_frame(&apps[i], count == 1))
                continue;
            is_over[i] = true;
            running--;
        }
    }
}

int
main(int argc, char **argv)
{
    struct arguments args;
    arguments_parse(&args, argv);
    struct vk vk;
    vk_open(&vk);
    if (vk.decode_family == UINT32_MAX) {
        vk_close(&vk);
        return TEST_SKIPPED;
    }

    struct rp_decoder *dec = job_decoder_open(&vk, &args.decoder);
    static struct app apps[MAX_STREAMS];
    apps_init(apps, &args, dec);
    apps_run(apps, args.stream_count);
    job_decoder_close(dec);
    vk_close(&vk);

    int failed = 0;
    for (uint32_t i = 0; i < args.stream_count; i++) {
        failed |= judge_compare(&apps[i], args.paths[i]);
        app_finish(&apps[i]);
    }
    return failed;
}
