/* SPDX-License-Identifier: MIT */
/* reelpipe-encode: raw video in, H.264, H.265 or AV1 out, through Vulkan Video.
 *
 * How such a program is made is in session.c (what comes before the first picture) and picture.c
 * (what is done for each).
 */
#include "tools/encode/encoder.h"
#include "tools/encode/input.h"
#include "tools/encode/options.h"
#include "tools/encode/progress.h"
#include "tools/encode/stream.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/types.h>

/* The file of --recon. */
struct reconstruction {
    FILE *file; /* NULL: there is none */
    uint32_t width_px;
    uint32_t height_px;
    uint64_t next; /* picture at whose place the file is, in the order of display */
};

static void
planes_write(FILE *file, const struct planes *planes, uint32_t width_px, uint32_t height_px)
{
    const size_t chroma_B = (size_t)width_px / 2 * planes->chroma_step_B;
    const bool has_v = planes->chroma_step_B == planes->sample_B;

    for (uint32_t y = 0; y < height_px; y++)
        file_write(file, planes->y + y * planes->y_stride_B, (size_t)width_px * planes->sample_B);
    for (uint32_t y = 0; y < height_px / 2; y++)
        file_write(file, planes->u + y * planes->chroma_stride_B, chroma_B);
    for (uint32_t y = 0; has_v && y < height_px / 2; y++)
        file_write(file, planes->v + y * planes->chroma_stride_B, chroma_B);
}

/* Pictures come in the order of coding. */
static void
reconstruction_write(void *ctx, uint64_t number, const struct planes *planes)
{
    struct reconstruction *recon = ctx;
    const uint64_t picture_B =
        (uint64_t)recon->width_px * recon->height_px * 3 / 2 * planes->sample_B;

    if (number != recon->next && fseeko(recon->file, (off_t)(number * picture_B), SEEK_SET) != 0)
        die("--recon: pictures out of their order need a file, not a pipe");
    planes_write(recon->file, planes, recon->width_px, recon->height_px);
    recon->next = number + 1;
}

static uint64_t
encode_all(struct encoder *enc, struct input *input, const struct options *options,
           struct stream *stream)
{
    const uint64_t limit = options->frame_limit > 0 ? options->frame_limit : UINT64_MAX;
    const uint64_t left = input->frame_count - options->skip_count;
    const uint64_t known = input->frame_count > 0 ? left : options->expected;
    FILE *text = stream->file == stdout ? stderr : stdout;
    struct progress progress;
    uint64_t count = 0;

    progress_start(&progress, known < limit ? known : limit,
                   (double)input->fps_numerator / input->fps_denominator);
    while (count < limit) {
        const uint32_t source = (uint32_t)(count % options->encoder.source_count);
        const struct planes planes = encoder_source_map(enc, source);

        if (!input_read(input, &planes))
            break;
        encoder_source_upload(enc, source);
        encoder_encode(enc, source);
        count++;
        progress_update(&progress, count, stream->size_B);
    }
    encoder_drain(enc);
    progress_finish(&progress, count, stream->size_B, options->wants_summary ? text : NULL);
    return count;
}

static void
list_devices(void)
{
    const struct gpu_work *works[ENCODE_CODECS];

    for (uint32_t i = 0; i < ENCODE_CODECS; i++)
        works[i] = &encode_codecs[i]->work;
    gpu_list(works, ENCODE_CODECS);
}

/* What the input says; ends the program when the codec does not have it. */
static void
settings_complete(struct options *options, const struct input *input)
{
    struct encoder_settings *settings = &options->encoder;
    const bool is_deep = input->bit_depth > 8;

    if (is_deep && !settings->codec->has_10_bits)
        die("--codec %s encodes 8 bits, not %u", settings->codec->name, input->bit_depth);
    if (settings->format == VK_FORMAT_UNDEFINED)
        settings->format = is_deep ? VK_FORMAT_G10X6_B10X6R10X6_2PLANE_420_UNORM_3PACK16
                                   : VK_FORMAT_G8_B8R8_2PLANE_420_UNORM;
    else if (is_deep)
        die("--image: pictures of 10 bits are P010");
    settings->width_px = input->width_px;
    settings->height_px = input->height_px;
    settings->bit_depth = input->bit_depth;
    settings->fps_numerator = input->fps_numerator;
    settings->fps_denominator = input->fps_denominator;
    settings->first_picture = options->skip_count;
    settings->is_bt709 = input->format == INPUT_RGBA;
    /* One is being filled, others wait for later pictures. */
    settings->source_count = settings->in_flight + 1 + settings->b_frames;
}

static void
output_open(struct options *options, struct stream *stream)
{
    const struct encoder_settings *settings = &options->encoder;
    const struct stream_settings stream_settings = {
        .container = options->container,
        .width_px = settings->width_px,
        .height_px = settings->height_px,
        .fps_numerator = settings->fps_numerator,
        .fps_denominator = settings->fps_denominator,
        .first_picture = settings->first_picture,
    };

    stream_open(stream, options->output, &stream_settings);
}

int
main(int argc, char **argv)
{
    struct options options;
    struct input input;
    struct stream stream;
    struct reconstruction recon = {0};
    struct gpu gpu;
    struct encoder *enc;
    uint64_t count;

    options_parse(&options, argc, argv);
    if (options.wants_list) {
        list_devices();
        return 0;
    }
    input_open(&input, options.input, options.format, options.width_px, options.height_px,
               options.fps_numerator, options.fps_denominator);
    if (input_skip(&input, options.skip_count) < options.skip_count)
        die("--skip: %s has not so many frames", options.input);
    if (options.wants_count) {
        printf("%llu\n", (unsigned long long)input_skip(&input, UINT64_MAX));
        input_close(&input);
        return 0;
    }
    settings_complete(&options, &input);
    options.encoder.begin_picture = stream_begin_picture;
    options.encoder.write = stream_write;
    options.encoder.ctx = &stream;
    if (options.reconstruction) {
        recon.width_px = input.width_px;
        recon.height_px = input.height_px;
        options.encoder.reconstructed = reconstruction_write;
        options.encoder.reconstructed_ctx = &recon;
    }

    gpu_open(&gpu, options.device, &options.encoder.codec->work);
    enc = encoder_create(&gpu, &options.encoder);
    output_open(&options, &stream);
    if (options.reconstruction)
        recon.file = file_create(options.reconstruction);

    count = encode_all(enc, &input, &options, &stream);

    encoder_destroy(enc);
    gpu_close(&gpu);
    input_close(&input);
    stream_close(&stream);
    if (recon.file)
        file_close(recon.file);
    return count > 0 ? 0 : 1;
}
