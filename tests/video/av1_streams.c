/* SPDX-License-Identifier: MIT */
/* AV1 streams decoded through Vulkan by an application with a DPB of its own: every picture equals
 * libdav1d's.
 *
 * usage: av1_streams [OPTION...] STREAM...
 *   The streams are decoded one after the other on one session. Options:
 *   --i420 (output images, with --distinct)  --distinct (images for output and DPB)  --layered
 (DPB)
 *   --moving (a new image for every picture; the slot's old one is freed)
 *   --inline (sequence headers)  --narrow (coded extents before super-resolution)
 *   --reset (at every key frame)  --border PX (right of and below pictures)
 *   --margin N (bytes around each tile's)  --memory exported|imported|host
 *   --seed N (of slots)  --damage (of tiles and slots; nothing is compared)
 */
#include "av1_decoder.h"

#include "test.h"

#include <stdlib.h>
#include <string.h>

#define MAX_STREAMS 128

struct arguments {
    struct app_options app;
    struct av1_decoder_options decoder;
    const char *names[MAX_STREAMS];
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

/* Returns whether it is such an option. */
static bool
value_parse(struct arguments *args, const char *arg, const char *value)
{
    if (!value)
        return false;
    if (strcmp(arg, "--memory") == 0)
        args->decoder.memory = memory_parse(value);
    else if (strcmp(arg, "--border") == 0)
        args->decoder.border_px = (uint32_t)strtoul(value, NULL, 10);
    else if (strcmp(arg, "--margin") == 0)
        args->decoder.margin_B = (uint32_t)strtoul(value, NULL, 10);
    else if (strcmp(arg, "--seed") == 0)
        args->app.seed = strtoul(value, NULL, 10);
    else
        return false;
    return true;
}

static bool
flag_parse(struct arguments *args, const char *arg)
{
    const struct {
        const char *name;
        bool *flag;
    } flags[] = {
        {"--distinct", &args->decoder.is_distinct}, {"--layered", &args->decoder.is_layered},
        {"--moving", &args->decoder.is_moving},     {"--inline", &args->decoder.is_inline},
        {"--narrow", &args->decoder.is_narrow},     {"--reset", &args->decoder.shall_reset},
        {"--damage", &args->app.is_damaging},       {"--i420", &args->decoder.is_i420},
    };
    for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++) {
        if (strcmp(arg, flags[i].name) == 0)
            return *flags[i].flag = true;
    }
    return false;
}

static void
arguments_parse(struct arguments *args, char **argv)
{
    *args = (struct arguments){
        .app = {.seed = 1, .stream_count = 1},
        .decoder = {.has_grain = true},
    };
    for (argv++; *argv; argv++) {
        if (flag_parse(args, *argv))
            continue;
        if (value_parse(args, *argv, argv[1])) {
            argv++;
            continue;
        }
        REQUIRE(args->stream_count < MAX_STREAMS);
        args->names[args->stream_count++] = *argv;
    }
    REQUIRE(args->stream_count);
}

/* Those of the bit depth, if there are some; all are decoded on one session. */
static void
decode_streams(struct vk *vk, struct arguments *args, uint32_t bit_depth)
{
    struct av1_decoder *dec = NULL;
    args->decoder.bit_depth = bit_depth;
    for (uint32_t i = 0; i < args->stream_count; i++) {
        if (app_bit_depth(args->names[i]) != bit_depth)
            continue;
        if (!dec)
            dec = av1_decoder_open(vk, &args->decoder);
        if (!dec) {
            (void)printf("%s: the device does not decode %u bits\n", args->names[i], bit_depth);
            continue;
        }
        args->app.names[0] = args->names[i];
        REQUIRE(app_run(&args->app, &(struct app_decoder){dec, av1_decoder_decode,
                                                          av1_decoder_begin_sequence}));
    }
    if (dec)
        av1_decoder_close(dec);
}

int
main(int argc, char **argv)
{
    struct arguments args;
    arguments_parse(&args, argv);
    struct vk vk;
    vk_open_for(&vk, 0, VK_VIDEO_CODEC_OPERATION_DECODE_AV1_BIT_KHR);
    decode_streams(&vk, &args, 8);
    decode_streams(&vk, &args, 10);
    vk_close(&vk);
    return 0;
}
