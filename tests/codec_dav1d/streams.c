/* SPDX-License-Identifier: MIT */
/* The codec behind its contract decodes streams for an application (app.h).
 *
 * usage: codec_dav1d_streams [--threads N] [--seed N] [--in-place] [--damage] FILE.ivf ...
 */
#include "codec_decoder.h"
#include "tests/test.h"

int
main(int argc, char **argv)
{
    static struct codec_decoder dec;
    struct app_options options = {.seed = 1};
    uint32_t thread_count = 1;
    bool is_in_place = false;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--threads") == 0 && i + 1 < argc)
            thread_count = (uint32_t)atoi(argv[++i]);
        else if (strcmp(argv[i], "--seed") == 0 && i + 1 < argc)
            options.seed = (uint64_t)atoi(argv[++i]);
        else if (strcmp(argv[i], "--in-place") == 0)
            is_in_place = true;
        else if (strcmp(argv[i], "--damage") == 0)
            options.is_damaging = true;
        else if (options.stream_count < APP_MAX_STREAMS)
            options.names[options.stream_count++] = argv[i];
    }
    if (!codec_decoder_open(&dec, thread_count, is_in_place))
        return TEST_SKIPPED;
    REQUIRE(app_run(&options, &(struct app_decoder){&dec, codec_decoder_decode, NULL}));
    codec_decoder_close(&dec);
    return 0;
}
