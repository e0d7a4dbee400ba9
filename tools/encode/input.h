/* SPDX-License-Identifier: MIT */
/* Raw video from a file or a pipe: NV12, I420, P010, Y4M (4:2:0 of 8 or 10 bits) or RGBA.
 */
#ifndef RP_TOOLS_ENCODE_INPUT_H
#define RP_TOOLS_ENCODE_INPUT_H

#include "tools/encode/encoder.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum input_format { INPUT_NV12, INPUT_I420, INPUT_Y4M, INPUT_RGBA, INPUT_P010 };

struct input {
    FILE *file;
    enum input_format format;
    uint32_t bit_depth; /* 8 or 10 */
    uint32_t width_px;
    uint32_t height_px;
    uint32_t fps_numerator;
    uint32_t fps_denominator;
    uint64_t frame_count; /* 0: not known (a pipe) */
    uint8_t *frame;       /* owned: one frame as it is in the file */
    size_t frame_B;
    uint64_t file_B; /* of a regular file; 0: a pipe */
};

/* path "-" is the standard input. Size and rate are 0 when not given; the header of a Y4M file
 * gives the size, and the rate then. Ends the program when the input is not usable. */
void input_open(struct input *input, const char *path, enum input_format format, uint32_t width_px,
                uint32_t height_px, uint32_t fps_numerator, uint32_t fps_denominator);
void input_close(struct input *input);

/* Leaves out count frames, or as many as there are, which is returned. Those of a file are not
 * read. */
uint64_t input_skip(struct input *input, uint64_t count);

/* The next frame, of input->bit_depth; false at the end. RGBA becomes BT.709, narrow range, chroma
 * in the middle of four pixels. */
bool input_read(struct input *input, const struct planes *out);

#endif
