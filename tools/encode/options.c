/* SPDX-License-Identifier: MIT */
/* Options, their defaults and their help. */
#include "tools/encode/options.h"

#include "tools/encode/gop.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "usage: reelpipe-encode [options] -i INPUT -o OUTPUT\n"
    "Encodes raw video to H.264, H.265 or AV1 with a Vulkan device.\n"
    "INPUT and OUTPUT may be - (pipes).\n"
    "\n"
    "  -i, --input FILE       raw video\n"
    "  -o, --output FILE      the stream\n"
    "      --codec CODEC      h264, h265 or av1 (default: av1 for *.ivf and *.obu, h265 for "
    "*.h265,\n"
    "                         *.265 and *.hevc, else h264)\n"
    "      --container C      of AV1: ivf, or obu for open bitstream units with temporal\n"
    "                         delimiters (default: ivf for *.ivf, else obu). The others are in\n"
    "                         Annex B\n"
    "      --format FORMAT    y4m (8 or 10 bits), nv12, i420, p010 (10 bits) or rgba (default: "
    "y4m\n"
    "                         for *.y4m, else nv12). H.264 has 8 bits alone\n"
    "      --size WxH         of the frames (not needed for y4m)\n"
    "      --fps N[/D]        frames per second (default: the file's, else 25)\n"
    "      --skip N           leave out N frames at the start; if N is a multiple of --gop, the\n"
    "                         others are coded as with them, but for the rate control\n"
    "      --frames N         stop after N frames\n"
    "      --count            prints how many frames there are, without those of --skip, and\n"
    "                         encodes nothing\n"
    "      --expect N         frames that a pipe will bring, for the progress bar\n"
    "      --summary          prints frames, seconds, fps and kbit/s at the end\n"
    "      --recon FILE       writes the encoder's reconstruction too, in the format of its\n"
    "                         reference pictures: NV12 or P010 where the device has it\n"
    "\n"
    "      --device NAME      a part of the device's name, or its index\n"
    "      --list             lists the devices\n"
    "      --image FORMAT     of the images that 8 bits are encoded from: nv12 or i420\n"
    "                         (default: nv12)\n"
    "      --in-flight N      pictures under way at a time (default: 4)\n"
    "\n"
    "      --qp N[:M[:B]]     constant QP of IDR, P and B pictures (default: 26); with AV1 the Q\n"
    "                         index of key and inter frames (default: 120). M is as N when it is\n"
    "                         not given, B is 2 more than M, with AV1 16\n"
    "      --cbr KBIT         constant bit rate, in kbit/s\n"
    "      --vbr KBIT[:MAX]   variable bit rate\n"
    "      --buffer MS        size of the rate control's virtual buffer (default: 1000)\n"
    "      --gop N            frames from IDR to IDR or key to key; 0: one at the start (default:\n"
    "                         60)\n"
    "      --refs N           reference pictures of a P picture or inter frame (default: 1)\n"
    "      --b-frames N       B pictures between two others, coded after both (default: 0); AV1\n"
    "                         hides frames until their turn comes\n"
    "      --quality N        quality level, 0 is the fastest (default: 0)\n"
    "\n"
    "H.264:\n"
    "      --profile P        baseline, main or high (default: high)\n"
    "      --cavlc            no CABAC\n"
    "\n"
    "H.264 and H.265:\n"
    "      --slices N         slices of a picture, in whole rows of macroblocks or coding tree\n"
    "                         blocks (default: 1)\n"
    "\n"
    "AV1:\n"
    "      --tiles CxR        columns and rows of tiles (default: as few as can be)\n"
    "      --compound         blocks may be predicted from two references (with --refs 2)\n";

enum option_id {
    OPTION_CODEC = 256,
    OPTION_CONTAINER,
    OPTION_FORMAT,
    OPTION_SIZE,
    OPTION_FPS,
    OPTION_SKIP,
    OPTION_FRAMES,
    OPTION_COUNT,
    OPTION_EXPECT,
    OPTION_SUMMARY,
    OPTION_RECON,
    OPTION_DEVICE,
    OPTION_LIST,
    OPTION_IMAGE,
    OPTION_IN_FLIGHT,
    OPTION_PROFILE,
    OPTION_CAVLC,
    OPTION_QP,
    OPTION_CBR,
    OPTION_VBR,
    OPTION_BUFFER,
    OPTION_GOP,
    OPTION_REFS,
    OPTION_B_FRAMES,
    OPTION_SLICES,
    OPTION_QUALITY,
    OPTION_TILES,
    OPTION_COMPOUND,
    OPTION_END,
};
#define LONG_OPTIONS (OPTION_END - OPTION_CODEC)

static const struct option long_options[] = {
    {"help", no_argument, NULL, 'h'},
    {"input", required_argument, NULL, 'i'},
    {"output", required_argument, NULL, 'o'},
    {"codec", required_argument, NULL, OPTION_CODEC},
    {"container", required_argument, NULL, OPTION_CONTAINER},
    {"format", required_argument, NULL, OPTION_FORMAT},
    {"size", required_argument, NULL, OPTION_SIZE},
    {"fps", required_argument, NULL, OPTION_FPS},
    {"skip", required_argument, NULL, OPTION_SKIP},
    {"frames", required_argument, NULL, OPTION_FRAMES},
    {"count", no_argument, NULL, OPTION_COUNT},
    {"expect", required_argument, NULL, OPTION_EXPECT},
    {"summary", no_argument, NULL, OPTION_SUMMARY},
    {"recon", required_argument, NULL, OPTION_RECON},
    {"device", required_argument, NULL, OPTION_DEVICE},
    {"list", no_argument, NULL, OPTION_LIST},
    {"image", required_argument, NULL, OPTION_IMAGE},
    {"in-flight", required_argument, NULL, OPTION_IN_FLIGHT},
    {"profile", required_argument, NULL, OPTION_PROFILE},
    {"cavlc", no_argument, NULL, OPTION_CAVLC},
    {"qp", required_argument, NULL, OPTION_QP},
    {"cbr", required_argument, NULL, OPTION_CBR},
    {"vbr", required_argument, NULL, OPTION_VBR},
    {"buffer", required_argument, NULL, OPTION_BUFFER},
    {"gop", required_argument, NULL, OPTION_GOP},
    {"refs", required_argument, NULL, OPTION_REFS},
    {"b-frames", required_argument, NULL, OPTION_B_FRAMES},
    {"slices", required_argument, NULL, OPTION_SLICES},
    {"quality", required_argument, NULL, OPTION_QUALITY},
    {"tiles", required_argument, NULL, OPTION_TILES},
    {"compound", no_argument, NULL, OPTION_COMPOUND},
    {0},
};

/* A word and what it stands for. */
struct choice {
    const char *word;
    int value;
};

static int
choose(const char *option, const char *word, const struct choice *choices, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(choices[i].word, word) == 0)
            return choices[i].value;
    }
    die("--%s: %s is not known", option, word);
}

#define CHOOSE(option, choices) \
    choose(option, optarg, choices, sizeof(choices) / sizeof(choices[0]))

static const struct choice formats[] = {{"nv12", INPUT_NV12},
                                        {"i420", INPUT_I420},
                                        {"p010", INPUT_P010},
                                        {"y4m", INPUT_Y4M},
                                        {"rgba", INPUT_RGBA}};
static const struct choice containers[] = {{"ivf", CONTAINER_IVF}, {"obu", CONTAINER_NONE}};
static const struct choice images[] = {{"nv12", VK_FORMAT_G8_B8R8_2PLANE_420_UNORM},
                                       {"i420", VK_FORMAT_G8_B8_R8_3PLANE_420_UNORM}};
static const struct choice profiles[] = {{"baseline", STD_VIDEO_H264_PROFILE_IDC_BASELINE},
                                         {"main", STD_VIDEO_H264_PROFILE_IDC_MAIN},
                                         {"high", STD_VIDEO_H264_PROFILE_IDC_HIGH}};

/* "a" or "a<separator>b"; b is as given before when it is missing. Ends the program for less than
 * min. */
static void
numbers(const char *option, char separator, uint32_t min, uint32_t *a, uint32_t *b)
{
    char *end;
    const unsigned long first = strtoul(optarg, &end, 10);
    unsigned long second = *b;
    bool is_number = end != optarg;

    if (is_number && *end == separator && separator != '\0') {
        const char *rest = end + 1;

        second = strtoul(rest, &end, 10);
        is_number = end != rest;
    }
    if (!is_number || *end != '\0' || first < min || second < min || first > INT32_MAX ||
        second > INT32_MAX)
        die("--%s %s: not understood", option, optarg);
    *a = (uint32_t)first;
    *b = (uint32_t)second;
}

static uint32_t
number(const char *option, uint32_t min)
{
    uint32_t value;
    uint32_t none = min;

    numbers(option, '\0', min, &value, &none);
    return value;
}

static void
set_rate(struct encoder_settings *encoder, const char *option,
         VkVideoEncodeRateControlModeFlagBitsKHR mode)
{
    uint32_t average;
    uint32_t max = 0;

    numbers(option, ':', 0, &average, &max);
    if (average == 0)
        die("--%s: a rate in kbit/s", option);
    encoder->rate_mode = mode;
    encoder->bitrate_bps = 1000 * (uint64_t)average;
    encoder->max_bitrate_bps = 1000 * (uint64_t)(max > average ? max : average);
}

/* Quantizers that were not given, which are negative, become the codec's. */
static void
quantizers_complete(struct encoder_settings *encoder)
{
    const struct encode_codec *codec = encoder->codec;

    if (encoder->q_key < 0)
        encoder->q_key = encoder->q_p = codec->default_q;
    if (encoder->q_b < 0)
        encoder->q_b = encoder->q_p < codec->max_q - codec->q_b_offset
                           ? encoder->q_p + codec->q_b_offset
                           : codec->max_q;
}

/* "a", "a:b" or "a:b:c"; b is as a when it is missing, c is left to quantizers_complete(). */
static void
set_qp(struct encoder_settings *encoder)
{
    int32_t *const q[] = {&encoder->q_key, &encoder->q_p, &encoder->q_b};
    const char *rest = optarg;

    encoder->q_b = -1;

    for (uint32_t i = 0; i < 3; i++) {
        char *end;
        const unsigned long value = strtoul(rest, &end, 10);

        if (end == rest || value > INT32_MAX || (*end != '\0' && (*end != ':' || i == 2)))
            die("--qp %s: not understood", optarg);
        *q[i] = (int32_t)value;
        if (i == 0)
            encoder->q_p = encoder->q_key;
        if (*end == '\0')
            return;
        rest = end + 1;
    }
}

/* Options that not every codec has; false when id is none of them. */
static bool
codec_option(struct encoder_settings *encoder, int id)
{
    switch (id) {
    case OPTION_PROFILE:
        encoder->h264.profile = (StdVideoH264ProfileIdc)CHOOSE("profile", profiles);
        return true;
    case OPTION_CAVLC:
        encoder->h264.wants_cavlc = true;
        return true;
    case OPTION_SLICES:
        encoder->slice_count = number("slices", 1);
        return true;
    case OPTION_TILES:
        encoder->av1.tile_rows = 0;
        numbers("tiles", 'x', 1, &encoder->av1.tile_columns, &encoder->av1.tile_rows);
        return true;
    case OPTION_COMPOUND:
        encoder->av1.wants_compound = true;
        return true;
    }
    return false;
}

/* Whether the codec has the option. */
static bool
is_for(int id, const struct encode_codec *codec)
{
    switch (id) {
    case OPTION_PROFILE:
    case OPTION_CAVLC:
        return codec == &encode_h264;
    case OPTION_SLICES:
        return codec == &encode_h264 || codec == &encode_h265;
    case OPTION_CONTAINER:
    case OPTION_TILES:
    case OPTION_COMPOUND:
        return codec == &encode_av1;
    }
    return true;
}

/* Options about the encoder; false when id is none of them. */
static bool
encoder_option(struct encoder_settings *encoder, int id)
{
    switch (id) {
    case OPTION_IMAGE:
        encoder->format = (VkFormat)CHOOSE("image", images);
        return true;
    case OPTION_IN_FLIGHT:
        encoder->in_flight = number("in-flight", 1);
        return true;
    case OPTION_QP:
        set_qp(encoder);
        return true;
    case OPTION_CBR:
        set_rate(encoder, "cbr", VK_VIDEO_ENCODE_RATE_CONTROL_MODE_CBR_BIT_KHR);
        encoder->max_bitrate_bps = encoder->bitrate_bps;
        return true;
    case OPTION_VBR:
        set_rate(encoder, "vbr", VK_VIDEO_ENCODE_RATE_CONTROL_MODE_VBR_BIT_KHR);
        return true;
    case OPTION_BUFFER:
        encoder->virtual_buffer_ms = number("buffer", 1);
        return true;
    case OPTION_GOP:
        encoder->gop = number("gop", 0);
        return true;
    case OPTION_REFS:
        encoder->refs = number("refs", 1);
        return true;
    case OPTION_B_FRAMES:
        encoder->b_frames = number("b-frames", 0);
        if (encoder->b_frames > GOP_MAX_B)
            die("--b-frames: at most %u", GOP_MAX_B);
        return true;
    case OPTION_QUALITY:
        encoder->quality_level = number("quality", 0);
        return true;
    }
    return false;
}

/* Which long options were given. */
struct given {
    bool options[LONG_OPTIONS];
};

static bool
is_given(const struct given *given, enum option_id id)
{
    return given->options[id - OPTION_CODEC];
}

static const struct encode_codec *
codec_find(const char *name)
{
    for (uint32_t i = 0; i < ENCODE_CODECS; i++) {
        if (strcmp(encode_codecs[i]->name, name) == 0)
            return encode_codecs[i];
    }
    die("--codec: %s is not known", name);
}

static void
other_option(struct options *options, int id)
{
    uint32_t one = 1;

    switch (id) {
    case OPTION_CODEC:
        options->encoder.codec = codec_find(optarg);
        return;
    case OPTION_CONTAINER:
        options->container = (enum container)CHOOSE("container", containers);
        return;
    case 'i':
        options->input = optarg;
        return;
    case 'o':
        options->output = optarg;
        return;
    case OPTION_FORMAT:
        options->format = (enum input_format)CHOOSE("format", formats);
        return;
    case OPTION_SIZE:
        options->height_px = 0;
        numbers("size", 'x', 0, &options->width_px, &options->height_px);
        return;
    case OPTION_FPS:
        numbers("fps", '/', 1, &options->fps_numerator, &one);
        options->fps_denominator = one;
        return;
    case OPTION_SKIP:
        options->skip_count = number("skip", 0);
        return;
    case OPTION_FRAMES:
        options->frame_limit = number("frames", 1);
        return;
    case OPTION_COUNT:
        options->wants_count = true;
        return;
    case OPTION_EXPECT:
        options->expected = number("expect", 0);
        return;
    case OPTION_SUMMARY:
        options->wants_summary = true;
        return;
    case OPTION_RECON:
        options->reconstruction = optarg;
        return;
    case OPTION_DEVICE:
        options->device = optarg;
        return;
    case OPTION_LIST:
        options->wants_list = true;
        return;
    case 'h':
        fputs(help, stdout);
        exit(0);
    }
    fputs("reelpipe-encode --help lists the options\n", stderr);
    exit(2);
}

static bool
has_suffix(const char *text, const char *suffix)
{
    const size_t length = strlen(text);
    const size_t suffix_length = strlen(suffix);

    return length >= suffix_length && strcmp(text + length - suffix_length, suffix) == 0;
}

/* The codec that files of this name have. */
static const struct encode_codec *
codec_of_name(const char *path)
{
    static const struct {
        const char *suffix;
        const struct encode_codec *codec;
    } names[] = {
        {".ivf", &encode_av1},   {".obu", &encode_av1},   {".265", &encode_h265},
        {".h265", &encode_h265}, {".hevc", &encode_h265},
    };

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (has_suffix(path, names[i].suffix))
            return names[i].codec;
    }
    return &encode_h264;
}

/* Where the default depends on names of files, and on the codec. */
static void
defaults_choose(struct options *options, const struct given *given)
{
    struct encoder_settings *encoder = &options->encoder;

    if (!encoder->codec)
        encoder->codec = codec_of_name(options->output);
    for (const struct option *option = long_options; option->name; option++) {
        if (option->val >= OPTION_CODEC && is_given(given, (enum option_id)option->val) &&
            !is_for(option->val, encoder->codec))
            die("--%s is not for --codec %s", option->name, encoder->codec->name);
    }
    if (!is_given(given, OPTION_CONTAINER) && encoder->codec == &encode_av1 &&
        has_suffix(options->output, ".ivf"))
        options->container = CONTAINER_IVF;
    if (!is_given(given, OPTION_FORMAT))
        options->format = has_suffix(options->input, ".y4m") ? INPUT_Y4M : INPUT_NV12;
    quantizers_complete(encoder);
}

void
options_parse(struct options *options, int argc, char **argv)
{
    struct given given = {0};
    int id;

    *options = (struct options){
        .encoder =
            {
                .h264.profile = STD_VIDEO_H264_PROFILE_IDC_HIGH,
                .gop = 60,
                .refs = 1,
                .in_flight = 4,
                .rate_mode = VK_VIDEO_ENCODE_RATE_CONTROL_MODE_DISABLED_BIT_KHR,
                .q_key = -1,
                .q_b = -1,
                .virtual_buffer_ms = 1000,
            },
    };
    while ((id = getopt_long(argc, argv, "hi:o:", long_options, NULL)) != -1) {
        if (id >= OPTION_CODEC)
            given.options[id - OPTION_CODEC] = true;
        if (!codec_option(&options->encoder, id) && !encoder_option(&options->encoder, id))
            other_option(options, id);
    }
    if (options->wants_list)
        return;
    if (options->wants_count && !options->output)
        options->output = "-";
    if (!options->input || !options->output || optind < argc) {
        fputs(help, stderr);
        exit(2);
    }
    defaults_choose(options, &given);
}
