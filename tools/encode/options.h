/* SPDX-License-Identifier: MIT */
/* The command line of reelpipe-encode.
 */
#ifndef RP_TOOLS_ENCODE_OPTIONS_H
#define RP_TOOLS_ENCODE_OPTIONS_H

#include "tools/encode/encoder.h"
#include "tools/encode/input.h"
#include "tools/encode/stream.h"

#include <stdbool.h>
#include <stdint.h>

struct options {
    bool wants_list;
    bool wants_count;   /* of frames; nothing is encoded */
    const char *device; /* NULL: the first that encodes with the codec */
    const char *input;
    const char *output;
    const char *reconstruction; /* NULL: not written */
    enum input_format format;
    enum container container;
    uint32_t width_px; /* 0: not given */
    uint32_t height_px;
    uint32_t fps_numerator;
    uint32_t fps_denominator;
    uint64_t skip_count;  /* frames to leave out at the start */
    uint64_t frame_limit; /* 0: none */
    uint64_t expected;    /* frames of a pipe, for the progress bar; 0: not known */
    bool wants_summary;
    struct encoder_settings encoder; /* all that is not the input's; format UNDEFINED: as the
                                        input is */
};

/* Prints help or what is wrong, and ends the program, when there is nothing to do. */
void options_parse(struct options *options, int argc, char **argv);

#endif
