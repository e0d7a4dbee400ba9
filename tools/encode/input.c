/* SPDX-License-Identifier: MIT */
/* Readers of raw video. */
#include "tools/encode/input.h"

#include "tools/encode/rgba.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define Y4M_FRAME "FRAME"

static void
read_line(FILE *file, char *line, size_t size_B)
{
    size_t used = 0;
    int c;

    while ((c = getc(file)) != EOF && c != '\n') {
        if (used + 1 < size_B)
            line[used++] = (char)c;
    }
    line[used] = '\0';
}

/* "F30:1"; what the caller asked for wins. */
static void
y4m_rate_read(struct input *input, const char *word)
{
    uint32_t numerator, denominator;

    if (sscanf(word, "F%u:%u", &numerator, &denominator) != 2)
        die("Y4M: strange frame rate %s", word);
    if (input->fps_numerator > 0)
        return;
    input->fps_numerator = numerator;
    input->fps_denominator = denominator;
}

/* "C420jpeg", "C420p10". */
static uint32_t
y4m_bit_depth(const char *word)
{
    const bool is_deep = strncmp(word, "C420p1", 6) == 0;

    if (strncmp(word, "C420", 4) != 0 || (is_deep && strcmp(word, "C420p10") != 0))
        die("Y4M: %s: only 4:2:0 of 8 or 10 bits is read", word);
    return is_deep ? 10 : 8;
}

/* "YUV4MPEG2 W176 H144 F30:1 Ip A1:1 C420jpeg ..." */
static void
y4m_header_read(struct input *input)
{
    char line[1024];

    read_line(input->file, line, sizeof(line));
    if (strncmp(line, "YUV4MPEG2 ", 10) != 0)
        die("not a Y4M file");
    for (char *word = strtok(line, " "); word; word = strtok(NULL, " ")) {
        if (word[0] == 'W')
            input->width_px = (uint32_t)strtoul(word + 1, NULL, 10);
        else if (word[0] == 'H')
            input->height_px = (uint32_t)strtoul(word + 1, NULL, 10);
        else if (word[0] == 'F')
            y4m_rate_read(input, word);
        else if (word[0] == 'C')
            input->bit_depth = y4m_bit_depth(word);
    }
}

static uint32_t
sample_size(const struct input *input)
{
    return input->bit_depth > 8 ? 2 : 1;
}

static size_t
frame_size(const struct input *input)
{
    const size_t pixels = (size_t)input->width_px * input->height_px;

    if (input->format == INPUT_RGBA)
        return 4 * pixels;
    return (pixels + pixels / 2) * sample_size(input);
}

static uint64_t
file_size(FILE *file)
{
    struct stat status;

    if (ftello(file) < 0 || fstat(fileno(file), &status) != 0 || !S_ISREG(status.st_mode))
        return 0;
    return (uint64_t)status.st_size;
}

/* The number of frames of a regular file; each Y4M frame is taken to have the short header. */
static uint64_t
frame_count(const struct input *input)
{
    const size_t header_B = input->format == INPUT_Y4M ? strlen(Y4M_FRAME) + 1 : 0;

    if (input->file_B == 0)
        return 0;
    return (input->file_B - (uint64_t)ftello(input->file)) / (input->frame_B + header_B);
}

void
input_open(struct input *input, const char *path, enum input_format format, uint32_t width_px,
           uint32_t height_px, uint32_t fps_numerator, uint32_t fps_denominator)
{
    *input = (struct input){
        .format = format,
        .bit_depth = format == INPUT_P010 ? 10 : 8,
        .width_px = width_px,
        .height_px = height_px,
        .fps_numerator = fps_numerator,
        .fps_denominator = fps_denominator,
    };
    input->file = strcmp(path, "-") == 0 ? stdin : fopen(path, "rb");
    if (!input->file)
        die("%s: %s", path, strerror(errno));
    if (format == INPUT_Y4M)
        y4m_header_read(input);
    if (input->fps_numerator == 0 || input->fps_denominator == 0) {
        input->fps_numerator = 25;
        input->fps_denominator = 1;
    }
    if (input->width_px == 0 || input->height_px == 0)
        die("--size WxH is missing");
    if (input->width_px % 2 != 0 || input->height_px % 2 != 0 || input->width_px > 65536 ||
        input->height_px > 65536)
        die("size %ux%u: must be even, and at most 65536", input->width_px, input->height_px);
    input->frame_B = frame_size(input);
    input->file_B = file_size(input->file);
    input->frame_count = frame_count(input);
    input->frame = malloc(input->frame_B);
    if (!input->frame)
        die("out of memory");
}

void
input_close(struct input *input)
{
    free(input->frame);
    if (input->file != stdin)
        fclose(input->file);
}

/* One sample in each of count places, step bytes apart. Samples of 10 bits are in the low bits in
 * Y4M, and go to the high ones. */
static void
samples_copy(const struct input *input, uint8_t *dst, uint32_t dst_step_B, const uint8_t *src,
             uint32_t src_step_B, uint32_t count)
{
    const uint32_t shift = input->format == INPUT_Y4M ? 6 : 0;

    for (uint32_t i = 0; i < count; i++, dst += dst_step_B, src += src_step_B) {
        if (input->bit_depth > 8) {
            const uint32_t sample = (src[0] | (uint32_t)src[1] << 8) << shift;
            dst[0] = (uint8_t)sample;
            dst[1] = (uint8_t)(sample >> 8);
        } else {
            dst[0] = src[0];
        }
    }
}

static void
luma_copy(const struct input *input, const struct planes *out)
{
    const uint32_t sample_B = sample_size(input);
    const size_t row_B = (size_t)input->width_px * sample_B;

    for (uint32_t row = 0; row < input->height_px; row++) {
        uint8_t *dst = out->y + row * out->y_stride_B;
        const uint8_t *src = input->frame + row * row_B;

        if (sample_B == 1)
            memcpy(dst, src, row_B);
        else
            samples_copy(input, dst, sample_B, src, sample_B, input->width_px);
    }
}

static void
chroma_copy(const struct input *input, const struct planes *out)
{
    const uint32_t sample_B = sample_size(input);
    const size_t luma_B = (size_t)input->width_px * input->height_px * sample_B;
    const bool is_interleaved = input->format == INPUT_NV12 || input->format == INPUT_P010;
    const uint32_t width = input->width_px / 2;
    const uint32_t step_B = is_interleaved ? 2 * sample_B : sample_B;
    const uint8_t *u = input->frame + luma_B;
    const uint8_t *v = is_interleaved ? u + sample_B : u + luma_B / 4;

    for (uint32_t row = 0; row < input->height_px / 2; row++) {
        const size_t src_B = (size_t)row * width * step_B;
        const size_t dst_B = row * out->chroma_stride_B;

        if (input->format == INPUT_NV12 && out->chroma_step_B == 2) {
            memcpy(out->u + dst_B, u + src_B, 2 * (size_t)width);
            continue;
        }
        samples_copy(input, out->u + dst_B, out->chroma_step_B, u + src_B, step_B, width);
        samples_copy(input, out->v + dst_B, out->chroma_step_B, v + src_B, step_B, width);
    }
}

/* Reads what is in front of a frame's samples; false at the end. */
static bool
frame_begin(struct input *input)
{
    char line[1024];

    if (input->format != INPUT_Y4M)
        return true;
    read_line(input->file, line, sizeof(line));
    return strncmp(line, Y4M_FRAME, strlen(Y4M_FRAME)) == 0;
}

static bool
frame_read(struct input *input)
{
    return frame_begin(input) &&
           fread(input->frame, 1, input->frame_B, input->file) == input->frame_B;
}

/* Goes past a frame of a file. */
static bool
frame_pass(struct input *input)
{
    return frame_begin(input) && (uint64_t)ftello(input->file) + input->frame_B <= input->file_B &&
           fseeko(input->file, (off_t)input->frame_B, SEEK_CUR) == 0;
}

uint64_t
input_skip(struct input *input, uint64_t count)
{
    uint64_t skipped = 0;

    while (skipped < count && (input->file_B > 0 ? frame_pass(input) : frame_read(input)))
        skipped++;
    return skipped;
}

bool
input_read(struct input *input, const struct planes *out)
{
    if (!frame_read(input))
        return false;
    if (input->format == INPUT_RGBA) {
        rgba_to_planes(input->frame, input->width_px, input->height_px, out);
        return true;
    }
    luma_copy(input, out);
    chroma_copy(input, out);
    return true;
}
