/* SPDX-License-Identifier: MIT */
/* reelpipe-encode: raw video in, H.264 out, through Vulkan Video.
 *
 * How such a program is made is in session.c (what comes before the first picture) and picture.c
 * (what is done for each).
 */
#include "tools/encode/encoder.h"
#include "tools/encode/input.h"
#include "tools/encode/options.h"
#include "tools/encode/progress.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct output {
    FILE *file;
    uint64_t bytes;
};

static FILE *
file_create(const char *path)
{
    FILE *file = strcmp(path, "-") == 0 ? stdout : fopen(path, "wb");

    if (!file)
        die("%s: %s", path, strerror(errno));
    return file;
}

static void
file_write(FILE *file, const void *data, size_t size_B)
{
    if (fwrite(data, 1, size_B, file) != size_B)
        die("cannot write: %s", strerror(errno));
}

static void
file_close(FILE *file)
{
    if (fclose(file) != 0)
        die("cannot write: %s", strerror(errno));
}

static void
output_write(void *ctx, const void *data, size_t size_B)
{
    struct output *output = ctx;

    file_write(output->file, data, size_B);
    output->bytes += size_B;
}

static void
planes_write(FILE *file, const struct planes *planes, uint32_t width_px, uint32_t height_px)
{
    const size_t chroma_B = (size_t)width_px / 2 * planes->chroma_step_B;
    const bool has_v = planes->chroma_step_B == 1;

    for (uint32_t y = 0; y < height_px; y++)
        file_write(file, planes->y + y * planes->y_stride_B, width_px);
    for (uint32_t y = 0; y < height_px / 2; y++)
        file_write(file, planes->u + y * planes->chroma_stride_B, chroma_B);
    for (uint32_t y = 0; has_v && y < height_px / 2; y++)
        file_write(file, planes->v + y * planes->chroma_stride_B, chroma_B);
}

static uint64_t
encode_all(struct encoder *enc, struct input *input, const struct options *options,
           struct output *output, FILE *reconstruction)
{
    const uint64_t limit = options->frame_limit > 0 ? options->frame_limit : UINT64_MAX;
    const uint64_t known = input->frame_count > 0 ? input->frame_count : options->expected;
    FILE *text = output->file == stdout ? stderr : stdout;
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
        if (reconstruction) {
            struct planes recon;

            encoder_drain(enc);
            recon = encoder_reconstruction(enc);
            planes_write(reconstruction, &recon, input->width_px, input->height_px);
        }
        progress_update(&progress, count, output->bytes);
    }
    encoder_drain(enc);
    progress_finish(&progress, count, output->bytes, options->wants_summary ? text : NULL);
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

int
main(int argc, char **argv)
{
    struct options options;
    struct input input;
    struct output output = {0};
    FILE *reconstruction = NULL;
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
    options.encoder.width_px = input.width_px;
    options.encoder.height_px = input.height_px;
    options.encoder.fps_numerator = input.fps_numerator;
    options.encoder.fps_denominator = input.fps_denominator;
    options.encoder.is_bt709 = input.format == INPUT_RGBA;
    options.encoder.source_count = options.encoder.in_flight + 1; /* one is being filled */
    options.encoder.write = output_write;
    options.encoder.ctx = &output;

    gpu_open(&gpu, options.device, &options.encoder.codec->work);
    enc = encoder_create(&gpu, &options.encoder);
    output.file = file_create(options.output);
    if (options.reconstruction)
        reconstruction = file_create(options.reconstruction);

    count = encode_all(enc, &input, &options, &output, reconstruction);

    encoder_destroy(enc);
    gpu_close(&gpu);
    input_close(&input);
    file_close(output.file);
    if (reconstruction)
        file_close(reconstruction);
    return count > 0 ? 0 : 1;
}
