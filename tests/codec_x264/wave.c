/* SPDX-License-Identifier: MIT */
/* Rows of a slice side by side: bytes do not depend on how many threads code them, nor on how
 * fast each of them is, and a decoder's output is the reconstruction.
 *
 * usage: wave [STEP [CASES] | --long | --random FIRST COUNT | --times [slices]]
 *   STEP      every which number of threads is tried with a case (default 1: all)
 *   CASES     every which case is tried (default 1: all); with fewer, what is not a case has four
 *             pictures at most
 *   --long    pictures of up to 2160p as well
 *   --random  pictures with random slices and features instead, by seed
 *   --times   no test: milliseconds a picture takes, one after the other; slices: of those alone
 *
 * The linker sends what threads tell each other here (--wrap), where they are delayed at random,
 * threads that are to be made, where some are not, and copies of sources, which are counted.
 */
#include "app.h"
#include "content.h"
#include "decoder.h"
#include "structures.h"
#include "wave_times.h"

#include "platform/progress.h"
#include "platform/thread.h"
#include "reelpipe/codec.h"
#include "util/compiler.h"

#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MOST_SPREAD 20 /* of a picture's QPs, with rate control */

#define BASELINE STD_VIDEO_H264_PROFILE_IDC_BASELINE
#define HIGH STD_VIDEO_H264_PROFILE_IDC_HIGH

void __real_rp_progress_set(struct rp_progress *progress, uint32_t value);
void __wrap_rp_progress_set(struct rp_progress *progress, uint32_t value);

static atomic_uint delay_period; /* one of so many is delayed; 0: none */

void
__wrap_rp_progress_set(struct rp_progress *progress, uint32_t value)
{
    static _Thread_local uint32_t random;
    const uint32_t period = atomic_load(&delay_period);

    if (random == 0)
        random = (uint32_t)((uintptr_t)&random >> 4) | 1;
    const uint32_t drawn = content_random(&random);
    if (period && (drawn >> 8) % period == 0)
        nanosleep(&(struct timespec){.tv_nsec = drawn % 256 * 1000}, NULL);
    __real_rp_progress_set(progress, value);
}

bool __real_rp_thread_create(pthread_t *out, const char *name, void *(*run)(void *), void *arg);
bool __wrap_rp_thread_create(pthread_t *out, const char *name, void *(*run)(void *), void *arg);

static atomic_uint thread_limit = UINT_MAX; /* so many more can be made */

bool
__wrap_rp_thread_create(pthread_t *out, const char *name, void *(*run)(void *), void *arg)
{
    if (atomic_load(&thread_limit) == 0)
        return false;
    atomic_fetch_sub(&thread_limit, 1);
    return __real_rp_thread_create(out, name, run, arg);
}

void __real_rp_x264_source_copy_rows(void *h, const struct rp_picture *src, int first_row,
                                     int end_row);
void __wrap_rp_x264_source_copy_rows(void *h, const struct rp_picture *src, int first_row,
                                     int end_row);

static atomic_uint empty_copy_count;

/* x264 copies a line where it is asked for none: another thread's, or one behind the picture. */
void
__wrap_rp_x264_source_copy_rows(void *h, const struct rp_picture *src, int first_row, int end_row)
{
    atomic_fetch_add(&empty_copy_count, first_row >= end_row);
    __real_rp_x264_source_copy_rows(h, src, first_row, end_row);
}

uint32_t __real_rp_thread_cpu_count(void);
uint32_t __wrap_rp_thread_cpu_count(void);

static atomic_uint said_cpu_count; /* of the machine; 0: as it is */

uint32_t
__wrap_rp_thread_cpu_count(void)
{
    const uint32_t count = atomic_load(&said_cpu_count);
    return count ? count : __real_rp_thread_cpu_count();
}

#define SMALL .width = 336, .height = 208, .picture_count = 4, .max_refs = 3
#define SMALL_P .width = 336, .height = 208, .picture_count = 4, .max_refs = 1

#define FPS 30

static const struct rp_rate_settings cbr = {
    .mode = RP_RATE_CBR,
    .layer_count = 1,
    .virtual_buffer_ms = 500,
    .initial_virtual_buffer_ms = 400,
    .layer[0] = {.average_bps = 1500000,
                 .max_bps = 1500000,
                 .frame_rate_numerator = FPS,
                 .frame_rate_denominator = 1},
};

/* Pictures that break its limit are coded again. */
static const struct rp_rate_settings vbr = {
    .mode = RP_RATE_VBR,
    .layer_count = 1,
    .virtual_buffer_ms = 1000,
    .initial_virtual_buffer_ms = 750,
    .layer[0] = {.average_bps = 1000000,
                 .max_bps = 2500000,
                 .frame_rate_numerator = FPS,
                 .frame_rate_denominator = 1,
                 .max_frame_size_B[RP_RATE_P] = 6000},
};

/* Lower pictures have no rows side by side with rate control. */
#define RATED .width = 336, .height = 336, .picture_count = 6
#define TALL .width = 160, .height = 1040, .picture_count = 6

/* Every quality level with both entropy coders, QPs from end to end, what a picture can have, and
 * sizes that make few threads or none useful. */
static const struct app_options cases[] = {
    {SMALL_P, .quality = 0, .is_cavlc = true, .profile = BASELINE},
    {SMALL, .quality = 0},
    {SMALL, .quality = 1, .is_cavlc = true, .qp = 20},
    {SMALL_P, .quality = 1, .qp = 33, .is_noisy = true},
    {SMALL, .quality = 2, .is_cavlc = true, .has_map = true},
    {SMALL_P, .quality = 2, .qp = 24},
    {SMALL, .quality = 3, .is_cavlc = true, .has_weighted_pred = true, .has_weights = true},
    {SMALL, .quality = 3, .has_map = true, .is_temporal_direct = true},
    {SMALL, .quality = 4, .is_cavlc = true, .profile = HIGH, .has_transform_8x8 = true},
    {SMALL, .quality = 4, .profile = HIGH, .has_transform_8x8 = true, .qp = 14, .is_noisy = true},
    {SMALL, .quality = 5, .is_cavlc = true, .has_map = true, .has_constrained_intra = true},
    {SMALL_P, .quality = 5, .profile = HIGH, .has_transform_8x8 = true, .has_map = true},
    {SMALL, .quality = 6, .is_cavlc = true},
    {SMALL, .quality = 6, .profile = HIGH, .has_transform_8x8 = true, .weighted_bipred_idc = 2},
    {SMALL, .quality = 7, .is_cavlc = true, .qp = 51},
    {SMALL, .quality = 7, .profile = HIGH, .has_transform_8x8 = true},
    {SMALL, .quality = 2, .is_cavlc = true, .qp = -1, .is_noisy = true},
    {SMALL, .quality = 2, .qp = -1, .is_noisy = true, .deblocking_idc = 1},
    {SMALL_P, .quality = 1, .is_cavlc = true, .qp = 4, .is_noisy = true, .has_map = true},
    {SMALL, .quality = 5, .qp = 6, .is_noisy = true, .has_map = true},
    {SMALL, .quality = 2, .qp = 51, .cabac_init_idc = 2, .alpha_div2 = 3},
    {SMALL_P, .quality = 2, .refresh = REFRESH_COLUMNS, .refresh_cycle = 3, .has_map = true,
     .has_constrained_intra = true},
    {SMALL_P, .quality = 1, .refresh = REFRESH_SCATTER, .refresh_cycle = 3, .is_cavlc = true,
     .has_constrained_intra = true},
    {.width = 640, .height = 400, .picture_count = 4, .max_refs = 2, .is_cavlc = true},
    {.width = 640, .height = 400, .picture_count = 3, .max_refs = 1, .quality = 2, .qp = 26},
    {.width = 1024, .height = 784, .picture_count = 3, .max_refs = 1, .quality = 1},
    /* Skip runs of many rows, up to the slice's end. */
    {.width = 768,
     .height = 576,
     .picture_count = 5,
     .max_refs = 2,
     .quality = 2,
     .is_cavlc = true,
     .profile = BASELINE,
     .is_still = true},
    {.width = 768,
     .height = 576,
     .picture_count = 5,
     .max_refs = 3,
     .quality = 2,
     .is_cavlc = true,
     .is_still = true},
    {.width = 4096,
     .height = 64,
     .picture_count = 4,
     .max_refs = 1,
     .is_cavlc = true,
     .is_still = true},
    {.width = 16, .height = 16, .picture_count = 4, .max_refs = 1, .quality = 2},
    {.width = 16, .height = 400, .picture_count = 4, .max_refs = 1, .quality = 2, .qp = 10},
    {.width = 32, .height = 208, .picture_count = 4, .max_refs = 1, .quality = 5, .has_map = true},
    {.width = 80, .height = 208, .picture_count = 4, .max_refs = 1, .quality = 2, .is_cavlc = true},
    {.width = 640, .height = 16, .picture_count = 4, .max_refs = 1, .quality = 2, .has_map = true},
    {.width = 320, .height = 96, .picture_count = 4, .max_refs = 1, .quality = 5, .qp = 8},
    {RATED, .rate = &cbr, .max_refs = 1, .is_cavlc = true, .profile = BASELINE},
    {RATED, .rate = &vbr, .max_refs = 3, .quality = 2},
    {TALL, .rate = &cbr, .max_refs = 3, .quality = 2, .is_cavlc = true, .cut_period = 3},
    {TALL, .rate = &vbr, .max_refs = 1, .quality = 5, .profile = HIGH, .has_transform_8x8 = true,
     .is_noisy = true, .has_map = true},
    {RATED, .rate = &cbr, .max_refs = 1, .quality = 1, .refresh = REFRESH_COLUMNS,
     .refresh_cycle = 3, .has_constrained_intra = true, .has_emphasis = true},
    {RATED, .rate = &cbr, .max_refs = 3, .quality = 3, .has_weighted_pred = true,
     .has_weights = true, .is_still = true},
    /* Slices, each with rows of its own, and at the end some that are coded otherwise. */
    {TALL, .slice_count = 2, .max_refs = 1, .is_cavlc = true, .profile = BASELINE},
    {TALL, .slice_count = 3, .max_refs = 3, .quality = 2},
    {TALL, .slice_count = 4, .max_refs = 1, .quality = 5, .profile = HIGH,
     .has_transform_8x8 = true, .has_map = true, .has_slice_qp = true, .deblocking_idc = 2},
    {TALL, .slice_count = 5, .max_refs = 3, .quality = 1, .is_cavlc = true, .qp = 4,
     .is_noisy = true, .has_map = true},
    {TALL, .slice_count = 6, .max_refs = 3, .quality = 2, .has_slice_filters = true,
     .is_still = true},
    {TALL, .slice_count = 7, .max_refs = 3, .quality = 2, .is_cavlc = true, .has_slice_types = true,
     .is_i420 = true},
    {TALL, .slice_count = 8, .max_refs = 3, .quality = 3, .is_temporal_direct = true,
     .has_slice_qp = true},
    {TALL, .slice_count = 8, .rate = &cbr, .max_refs = 1, .is_cavlc = true},
    {TALL, .slice_count = 4, .rate = &vbr, .max_refs = 3, .quality = 5, .profile = HIGH,
     .has_transform_8x8 = true, .is_noisy = true, .has_map = true},
    {TALL, .slice_count = 3, .rate = &cbr, .max_refs = 3, .quality = 2, .cut_period = 3},
    {RATED, .slice_count = 2, .rate = &cbr, .max_refs = 1, .quality = 1, .is_cavlc = true,
     .refresh = REFRESH_COLUMNS, .refresh_cycle = 3, .has_constrained_intra = true},
    {TALL, .slice_count = 4, .max_refs = 3, .quality = 2, .has_weighted_pred = true,
     .has_weights = true},
    {TALL, .slice_count = 4, .max_refs = 3, .quality = 2, .is_unaligned = true},
    {TALL, .slice_count = 40, .max_refs = 1, .is_cavlc = true},
    /* Slices that begin inside a row, some of them lower than a row, and weights. */
    {TALL, .slice_count = 3, .max_refs = 3, .quality = 5, .profile = HIGH,
     .has_transform_8x8 = true, .is_unaligned = true, .has_map = true, .has_slice_qp = true},
    {TALL, .slice_count = 7, .max_refs = 3, .quality = 1, .is_cavlc = true, .qp = 6,
     .is_noisy = true, .is_unaligned = true, .has_slice_filters = true},
    {TALL, .slice_count = 15, .max_refs = 3, .quality = 2, .is_unaligned = true,
     .has_slice_types = true, .is_still = true, .is_i420 = true},
    {.width = 16,
     .height = 1040,
     .picture_count = 4,
     .max_refs = 1,
     .quality = 5,
     .slice_count = 9,
     .is_unaligned = true},
    {.width = 400,
     .height = 208,
     .picture_count = 4,
     .max_refs = 3,
     .quality = 5,
     .qp = 22,
     .slice_count = 3,
     .is_unaligned = true},
    {TALL, .slice_count = 3, .max_refs = 3, .quality = 2, .is_unaligned = true, .has_map = true,
     .is_still = true},
    {TALL, .slice_count = 3, .rate = &cbr, .max_refs = 3, .quality = 2, .is_cavlc = true,
     .is_unaligned = true, .has_weighted_pred = true, .has_weights = true},
    {TALL, .slice_count = 90, .rate = &vbr, .max_refs = 1, .quality = 2, .is_unaligned = true},
    {TALL, .slice_count = 40, .rate = &cbr, .max_refs = 1, .is_cavlc = true, .is_still = true},
    {TALL, .slice_count = 5, .max_refs = 3, .quality = 5, .is_cavlc = true,
     .has_weighted_pred = true, .has_weights = true, .has_slice_types = true, .is_i420 = true},
    /* A few macroblocks inside a row, one after the other, between slices that are waves. */
    {TALL, .slice_count = 12, .max_refs = 1, .quality = 5, .qp = 24, .is_unaligned = true,
     .has_short_slices = true},
    {.width = 110,
     .height = 464,
     .picture_count = 4,
     .max_refs = 1,
     .quality = 6,
     .is_cavlc = true,
     .qp = 50,
     .slice_count = 11,
     .is_unaligned = true,
     .has_short_slices = true},
    /* Rows of intra macroblocks had the slot of one whose start is another slice's: the row below
     * must not take them for its own. There I_4x4 is cheapest, and seen if intra is likely. */
    {.width = 336,
     .height = 256,
     .picture_count = 5,
     .max_refs = 1,
     .quality = 3,
     .qp = 20,
     .slice_count = 4,
     .has_short_slices = true,
     .stripes_period = 5},
};

/* Columns of whole macroblocks, aligned; the last row has eight lines, or all. */
static const struct app_options whole[] = {
    {.width = 320,
     .height = 328,
     .picture_count = 12,
     .max_refs = 1,
     .rate = &cbr,
     .is_noisy = true},
    {.width = 64,
     .height = 336,
     .picture_count = 12,
     .max_refs = 3,
     .rate = &vbr,
     .quality = 2,
     .is_noisy = true},
    {.width = 128,
     .height = 1048,
     .picture_count = 4,
     .max_refs = 1,
     .rate = &cbr,
     .quality = 2,
     .slice_count = 4},
};

static const struct app_options crossing = {TALL, .slice_count = 14, .rate = &cbr, .max_refs = 1,
                                            .quality = 2};

static const struct app_options large_cases[] = {
    {.width = 1280, .height = 720, .picture_count = 6, .max_refs = 2, .quality = 2, .qp = 22},
    {.width = 1920,
     .height = 1080,
     .picture_count = 4,
     .max_refs = 1,
     .quality = 0,
     .is_cavlc = true},
    {.width = 1920,
     .height = 1080,
     .picture_count = 3,
     .max_refs = 2,
     .quality = 5,
     .has_map = true},
    {.width = 3840, .height = 2160, .picture_count = 3, .max_refs = 1, .quality = 2},
    {.width = 3840,
     .height = 2160,
     .picture_count = 3,
     .max_refs = 1,
     .quality = 1,
     .is_cavlc = true},
    {.width = 1920, .height = 1080, .picture_count = 6, .max_refs = 3, .quality = 2, .rate = &cbr},
    {.width = 3840, .height = 2160, .picture_count = 4, .max_refs = 1, .rate = &vbr},
};

static uint32_t failed_count;
static uint32_t most_pictures = UINT32_MAX;

static void
fail(const char *what, size_t case_index, uint32_t threads)
{
    fprintf(stderr, "FAILED: case %zu, %u threads: %s\n", case_index, threads, what);
    failed_count++;
}

/* B pictures where there are references for them. */
static struct app *
code(const struct app_options *options, uint32_t threads, uint32_t in_flight, uint32_t period)
{
    const char *structure = options->max_refs > 2 ? "random-b" : "short-gops";
    struct app_options o = *options;

    o.picture_count = RP_MIN(o.picture_count, most_pictures);
    o.slice_threads = threads;
    o.threads = in_flight > 1 ? threads : 0;
    o.in_flight = in_flight;
    atomic_store(&delay_period, period);
    struct app *app = structure_code(structure_find(structure), &o);
    atomic_store(&delay_period, 0);
    return app;
}

/* Macroblocks of I_PCM, which noise gives, have no QP. */
static bool
has_one_qp(const struct app *app)
{
    uint32_t count;
    const struct app_record *records = app_records(app, &count);
    bool has_one = true;

    for (uint32_t i = 0; i < count; i++)
        has_one &= records[i].result.min_qp == records[i].result.max_qp &&
                   records[i].result.min_qp == records[i].result.average_qp;
    return has_one;
}

/* step: every which number of threads is tried, another one in the next case. */
static void
run_case(const struct app_options *options, size_t index, size_t step)
{
    static const uint32_t threads[] = {2, 3, 5, 8, 16};
    struct app *expected = code(options, 1, 1, 0);

    if (app_status(expected) != RP_CODEC_OK || decoder_check(expected) != 0)
        fail("the decoder's output is not the reconstruction", index, 1);
    if (!options->rate && !options->has_map && !options->is_cavlc && !options->has_slice_qp &&
        !options->has_slice_types && !options->stripes_period && !has_one_qp(expected))
        fail("a constant QP is not constant", index, 1);
    if (atomic_exchange(&empty_copy_count, 0))
        fail("no rows of the source are copied", index, 1);
    for (size_t i = index % step; i < sizeof(threads) / sizeof(threads[0]); i += step) {
        for (uint32_t in_flight = 1; in_flight <= 4; in_flight += 3) {
            struct app *found = code(options, threads[i], in_flight, in_flight == 1 ? 16 : 0);
            if (!app_is_same(expected, found))
                fail("other bytes", index, threads[i]);
            app_destroy(found);
        }
    }
    app_destroy(expected);
}

/* Those that there are code all rows. */
static void
run_with_few_threads(const struct app_options *options)
{
    struct app *expected = code(options, 1, 1, 0);

    for (uint32_t limit = 0; limit < 3; limit++) {
        atomic_store(&thread_limit, limit);
        struct app *found = code(options, 8, 1, 16);
        if (!app_is_same(expected, found))
            fail("other bytes when threads cannot be made", limit, 8);
        app_destroy(found);
    }
    atomic_store(&thread_limit, UINT_MAX);
    app_destroy(expected);
}

/* A quota of one processor, one and a half, or three of many: as many threads as it gives rise to,
 * which do not look long for what others do. */
static void
run_with_quota(const struct app_options *options)
{
    struct app *expected = code(options, 1, 1, 0);

    atomic_store(&said_cpu_count, 16);
    for (uint32_t threads = 1; threads <= 3; threads++) {
        struct app *found = code(options, threads, 1, 16);
        if (!app_is_same(expected, found))
            fail("other bytes with a quota", threads, threads);
        app_destroy(found);
    }
    atomic_store(&said_cpu_count, 0);
    app_destroy(expected);
}

/* Slices of four rows or five share bands: a row's QP is planned in the slice before its own. */
static void
plan_crosses_slices(const struct app_options *options)
{
    struct app *app = code(options, 3, 1, 16);
    uint32_t count;
    const struct app_record *records = app_records(app, &count);

    for (uint32_t i = 0; i < count; i++) {
        const struct rp_encode_result *result = &records[i].result;
        if (result->max_qp - result->min_qp > MOST_SPREAD)
            fail("rows of a slice have QPs of their own", i, 3);
    }
    app_destroy(app);
}

/* Rate control looks at a source of whole macroblocks where it is, and at one of three planes when
 * it has been copied. */
static void
run_with_layouts(const struct app_options *options)
{
    struct app_options o = *options;
    struct app *expected = code(&o, 1, 1, 0);

    o.is_i420 = true;
    struct app *found = code(&o, 3, 1, 16);
    if (!app_is_same(expected, found))
        fail("other bytes with another layout", options->height, 3);
    app_destroy(found);
    app_destroy(expected);
}

static uint32_t
below(uint32_t *random, uint32_t count)
{
    return (content_random(random) >> 8) % count;
}

/* Slices of a row and of many, and what they can have. */
static void
choose_slices(struct app_options *o, uint32_t *random)
{
    o->slice_count = 1 + below(random, 2) * below(random, 20);
    o->is_unaligned = below(random, 3) == 0;
    o->has_short_slices = o->is_unaligned && below(random, 2);
    o->has_slice_types = below(random, 3) == 0;
    o->has_slice_filters = below(random, 3) == 0;
    o->has_slice_qp = below(random, 2);
    o->has_weighted_pred = o->has_weights = below(random, 3) == 0;
}

static void
choose_rate(struct app_options *o, uint32_t *random, struct rp_rate_settings *rate)
{
    *rate = below(random, 2) ? cbr : vbr;
    rate->layer[0].average_bps = rate->layer[0].max_bps = 20000u << below(random, 8);
    rate->layer[0].max_frame_size_B[RP_RATE_P] = below(random, 3) ? 0 : 1000 + below(random, 9000);
    o->rate = below(random, 2) ? rate : NULL;
}

static struct app_options
random_options(uint32_t seed, struct rp_rate_settings *rate)
{
    uint32_t random = seed * 2654435761u + 12345;
    struct app_options o = {.seed = seed};

    o.width = 16 + 2 * below(&random, 160);
    o.height = below(&random, 4) ? 320 + 2 * below(&random, 300) : 16 + 2 * below(&random, 200);
    if (below(&random, 3) == 0)
        o.width = (o.width + 63) & ~63u;
    o.picture_count = 3 + below(&random, 5);
    o.max_refs = 1 + below(&random, 4);
    o.quality = below(&random, 8);
    o.is_cavlc = below(&random, 2);
    o.has_transform_8x8 = below(&random, 2);
    o.profile = o.has_transform_8x8 ? HIGH : 0;
    o.qp = 1 + (int32_t)below(&random, 51);
    o.is_i420 = below(&random, 4) == 0;
    o.is_noisy = below(&random, 3) == 0;
    o.is_still = below(&random, 5) == 0;
    o.has_map = below(&random, 4) == 0;
    o.cut_period = below(&random, 4) ? 0 : 3;
    o.is_temporal_direct = below(&random, 2);
    o.weighted_bipred_idc = 2 * below(&random, 2);
    choose_slices(&o, &random);
    choose_rate(&o, &random, rate);
    if (below(&random, 6) == 0) {
        o.refresh = (enum app_refresh)(REFRESH_COLUMNS + below(&random, 4));
        o.refresh_cycle = 2 + below(&random, 4);
        o.has_constrained_intra = true;
        o.max_refs = 1;
    }
    return o;
}

/* Those that found a fault. */
static const uint32_t seeds[] = {
    700018, /* I slices of pictures with weights, in flight: rows waited for rows of references */
};

static void
run_random(uint32_t seed)
{
    enum { THREAD_COUNTS = 7 };
    static const uint32_t thread_counts[THREAD_COUNTS] = {1, 2, 3, 4, 5, 8, 16};
    struct rp_rate_settings rate;
    const struct app_options o = random_options(seed, &rate);
    struct app_options other = o;
    struct app *expected = code(&o, 1, 1, 0);

    if (app_status(expected) != RP_CODEC_OK || decoder_check(expected) != 0)
        fail("the decoder's output is not the reconstruction", seed, 1);
    other.is_i420 = seed % 3 ? o.is_i420 : !o.is_i420;
    const uint32_t threads = thread_counts[seed % THREAD_COUNTS];
    const uint32_t in_flight = 1 + seed % 8;
    struct app *found = code(&other, threads, in_flight, in_flight == 1 ? 16 : 64);
    if (!app_is_same(expected, found))
        fail("other bytes", seed, threads);
    app_destroy(found);
    app_destroy(expected);
}

int
main(int argc, char **argv)
{
    const char *arg = argc > 1 ? argv[1] : "1";
    const bool is_long = strcmp(arg, "--long") == 0;
    const size_t step = is_long ? 1 : (size_t)strtoul(arg, NULL, 10);

    if (strcmp(arg, "--times") == 0) {
        if (argc == 2)
            wave_print_times(&cbr);
        wave_print_times_of_slices(&cbr);
        return 0;
    }
    if (argc > 3 && strcmp(arg, "--random") == 0) {
        const uint32_t first = (uint32_t)strtoul(argv[2], NULL, 10);
        const uint32_t count = (uint32_t)strtoul(argv[3], NULL, 10);
        for (uint32_t i = 0; i < count; i++)
            run_random(first + i);
        return failed_count != 0;
    }
    const size_t case_step = argc > 2 ? (size_t)strtoul(argv[2], NULL, 10) : 1;
    if (step == 0 || case_step == 0) {
        fprintf(stderr, "usage: wave [STEP [CASES] | --long | --random FIRST COUNT | --times]\n");
        return 2;
    }
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i += case_step)
        run_case(&cases[i], i, step);
    for (size_t i = 0; i < sizeof(seeds) / sizeof(seeds[0]); i++)
        run_random(seeds[i]);
    if (case_step > 1)
        most_pictures = 4;
    const struct app_options *rated = cases;
    while (!rated->rate)
        rated++;
    run_with_few_threads(&cases[0]);
    run_with_few_threads(rated);
    run_with_quota(rated);
    plan_crosses_slices(&crossing);
    for (size_t i = 0; i < sizeof(whole) / sizeof(whole[0]); i++)
        run_with_layouts(&whole[i]);
    for (size_t i = 0; i < sizeof(large_cases) / sizeof(large_cases[0]) && is_long; i++)
        run_case(&large_cases[i], 100 + i, 1);
    return failed_count != 0;
}
