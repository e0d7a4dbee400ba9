/* SPDX-License-Identifier: MIT */
/* Decodes streams of AV1 with our codec behind its contract, into NV12 or P010, and with libdav1d's
 * own API, into its planes; with the same number of threads.
 *
 * usage: bench_decode_av1 ROUNDS STREAM.ivf...
 *
 * Ours is measured while it decodes: the application that owns the slots, and libdav1d which judges
 * each picture, do not count.
 */
#include "measure.h"

#include "codecs/dav1d/library.h"
#include "tests/codec_dav1d/codec_decoder.h"
#include "tests/test.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define MAX_THREADS 8 /* src/video/decode/engine.c */
#define IVF_HEADER_B 32
#define IVF_FRAME_HEADER_B 12

/* At 8 bits luma is decoded in place. */
#define GOAL_8_BITS 1.08
#define GOAL_10_BITS 1.12

struct bench {
    const char *name;
    uint32_t thread_count;
    struct codec_decoder ours;
    double ours_s; /* CPU time spent in it */

    const struct rp_dav1d_library *lib;
    uint8_t *file;
    size_t file_B;
    uint32_t picture_count; /* of the peer's last run */
};

static enum rp_codec_status
decode_measured(void *ctx, const struct app_job *job)
{
    struct bench *bench = ctx;
    const double begin_s = bench_cpu_s();
    const enum rp_codec_status status = codec_decoder_decode(&bench->ours, job);
    bench->ours_s += bench_cpu_s() - begin_s;
    return status;
}

static void
decode_ours(void *ctx)
{
    struct bench *bench = ctx;
    const struct app_options options = {
        .names = {bench->name}, .stream_count = 1, .seed = 1, .is_quiet = true};
    bench->ours = (struct codec_decoder){.codec = NULL};
    REQUIRE(codec_decoder_open(&bench->ours, bench->thread_count, true));
    REQUIRE(app_run(&options, &(struct app_decoder){bench, decode_measured, NULL}));
    codec_decoder_close(&bench->ours);
}

/* bench_compare_clocks() knows no context. */
static struct bench bench;

static double
ours_clock(void)
{
    return bench.ours_s;
}

static void
keep_data(const uint8_t *data, void *cookie)
{
}

static void
take_pictures(struct bench *b, struct Dav1dContext *dav1d)
{
    struct rp_dav1d_picture picture = {.data = {NULL}};
    while (b->lib->dav1d_get_picture(dav1d, &picture) == 0) {
        b->picture_count++;
        b->lib->dav1d_picture_unref(&picture);
    }
}

static void
decode_peer(void *ctx)
{
    struct bench *b = ctx;
    struct rp_dav1d_settings settings;
    struct Dav1dContext *dav1d;
    b->lib->dav1d_default_settings(&settings);
    settings.n_threads = (int)b->thread_count;
    settings.max_frame_delay = 1;
    REQUIRE_EQ(b->lib->dav1d_open(&dav1d, &settings), 0);
    b->picture_count = 0;
    for (size_t at_B = IVF_HEADER_B; at_B + IVF_FRAME_HEADER_B <= b->file_B;) {
        uint32_t unit_B;
        memcpy(&unit_B, b->file + at_B, sizeof(unit_B));
        at_B += IVF_FRAME_HEADER_B;
        REQUIRE(unit_B <= b->file_B - at_B);
        struct rp_dav1d_data data = {.data = NULL};
        REQUIRE_EQ(b->lib->dav1d_data_wrap(&data, b->file + at_B, unit_B, keep_data, NULL), 0);
        while (data.size_B) {
            (void)b->lib->dav1d_send_data(dav1d, &data);
            take_pictures(b, dav1d);
        }
        at_B += unit_B;
    }
    take_pictures(b, dav1d);
    b->lib->dav1d_close(&dav1d);
}

static void
file_read(struct bench *b)
{
    FILE *file = fopen(b->name, "rb");
    REQUIRE(file && fseek(file, 0, SEEK_END) == 0);
    b->file_B = (size_t)ftell(file);
    rewind(file);
    b->file = malloc(b->file_B);
    REQUIRE(b->file && fread(b->file, 1, b->file_B, file) == b->file_B && fclose(file) == 0);
}

static void
bench_stream(const char *name, uint32_t rounds)
{
    struct bench_times ours;
    struct bench_times peer;
    char row[64];
    bench.name = name;
    file_read(&bench);
    const uint32_t bit_depth = app_bit_depth(name);
    bench_compare_clocks(decode_ours, ours_clock, decode_peer, bench_cpu_s, &bench, rounds, &ours,
                         &peer);
    (void)snprintf(row, sizeof(row), "decode AV1, %u bits, %u frames", bit_depth,
                   bench.picture_count);
    bench_row(row, "ms", &ours, &peer, bit_depth > 8 ? GOAL_10_BITS : GOAL_8_BITS);
    free(bench.file);
}

int
main(int argc, char **argv)
{
    const uint32_t rounds = argc > 2 ? (uint32_t)strtoul(argv[1], NULL, 10) : 0;
    if (rounds == 0 || rounds > BENCH_MAX_ROUNDS) {
        (void)fprintf(stderr, "usage: bench_decode_av1 ROUNDS STREAM.ivf...\n");
        return 2;
    }
    bench.lib = rp_dav1d_library_open();
    if (!bench.lib) {
        printf("decode of AV1: there is no libdav1d that the driver knows\n");
        return 0;
    }
    const long cpu_count = sysconf(_SC_NPROCESSORS_ONLN);
    bench.thread_count = (uint32_t)(cpu_count < MAX_THREADS ? cpu_count : MAX_THREADS);
    for (int i = 2; i < argc; i++)
        bench_stream(argv[i], rounds);
    return 0;
}
