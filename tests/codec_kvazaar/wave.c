/* SPDX-License-Identifier: MIT */
/* Rows and slices of one picture side by side, and pictures that overlap: bytes do not depend on
 * how many threads code them, nor on how fast each of them is, and a decoder's output is the
 * reconstruction.
 *
 * usage: codec_kvazaar_wave [brief | --long | --seeds FIRST COUNT | --times [WIDTH HEIGHT]]
 *   brief    for sanitizers: few cases, on five threads
 *   --long   larger pictures, too
 *   --seeds  of these random structures several pictures at a time, on many numbers of threads
 *   --times  no test: milliseconds a picture takes, one after the other
 *
 * The linker sends what threads tell each other here (--wrap), where they are delayed at random.
 */
#include "app.h"
#include "judge.h"
#include "random_structure.h"
#include "replay.h"

#include "platform/clock.h"
#include "platform/progress.h"

#include "reelpipe/rate.h"

#include "tests/test.h"

#include <stdatomic.h>

#define MOST_BLOCKS (64 * 64)

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
    random = random * 1664525u + 1013904223u;
    if (period && (random >> 8) % period == 0)
        rp_clock_sleep((uint64_t)(random >> 24) * 1000);
    __real_rp_progress_set(progress, value);
}

struct stream {
    uint32_t width_px;
    uint32_t height_px;
    uint32_t picture_count;
    uint32_t bit_depth;
    uint32_t quality_level;
    uint32_t slice_count;
    bool has_wavefronts;
    bool is_b;
    bool has_map;
    bool has_refresh;
    bool has_rate; /* some pictures are coded again */
    bool has_no_filters;
    bool has_foreign; /* of some pictures the reference is adopted */
};

#define ONE_SLICE .slice_count = 1, .has_wavefronts = true
#define SMALL .width_px = 424, .height_px = 328, .picture_count = 4, .bit_depth = 8
#define SMALL10 .width_px = 424, .height_px = 328, .picture_count = 3, .bit_depth = 10
#define LARGE .picture_count = 3, .bit_depth = 8, ONE_SLICE

static const struct stream streams[] = {
    {SMALL, ONE_SLICE, .has_map = true},
    {SMALL, ONE_SLICE, .has_refresh = true, .quality_level = 1},
    {SMALL10, ONE_SLICE, .is_b = true, .has_rate = true},
    {SMALL, ONE_SLICE, .is_b = true, .has_map = true, .quality_level = 2, .has_foreign = true},
    {SMALL, ONE_SLICE, .has_no_filters = true, .quality_level = 3},
    {SMALL, ONE_SLICE, .quality_level = 4, .is_b = true},
    {SMALL10, ONE_SLICE, .has_refresh = true, .has_map = true},
    {SMALL, .slice_count = 3, .is_b = true},
    {SMALL, .slice_count = 2, .has_wavefronts = true, .has_map = true, .has_refresh = true},
    {.width_px = 64, .height_px = 328, .picture_count = 3, .bit_depth = 8, ONE_SLICE},
    {.width_px = 72, .height_px = 264, .picture_count = 3, .bit_depth = 8, .slice_count = 4},
    {.width_px = 1024, .height_px = 64, .picture_count = 2, .bit_depth = 8, ONE_SLICE},
};

static const struct stream large_streams[] = {
    {LARGE, .width_px = 1280, .height_px = 720, .is_b = true, .has_map = true},
    {LARGE, .width_px = 1920, .height_px = 1080, .quality_level = 1, .has_rate = true},
    {LARGE, .width_px = 1920, .height_px = 1080, .quality_level = 4, .is_b = true},
    {LARGE, .width_px = 3840, .height_px = 2160, .has_refresh = true},
};

struct session {
    const struct stream *stream;
    struct app app;
    struct rp_encoder_rate *rate;
    uint8_t force_intra[MOST_BLOCKS];
    uint8_t intra_clean[MOST_BLOCKS];
    uint64_t times_ns[64]; /* of pictures behind the first one */
    uint32_t time_count;
};

static struct rp_encoder_rate *
make_rate(const struct app *app, uint64_t bps)
{
    struct rp_rate_settings settings = {.mode = RP_RATE_CBR, .layer_count = 1};
    settings.virtual_buffer_ms = 400;
    settings.layer[0] = (struct rp_rate_layer){
        .average_bps = bps,
        .max_bps = bps,
        .frame_rate_numerator = 30,
        .frame_rate_denominator = 1,
        .max_frame_size_B = {[RP_RATE_P] = (uint32_t)(bps / 240)},
    };
    struct rp_encoder_rate *rate = app->codec->rate_create(app->enc);
    REQUIRE(rate);
    app->codec->rate_set(rate, &settings);
    return rate;
}

static struct session *
open_session(const struct stream *stream, struct rp_workers *workers, const struct app_route *route)
{
    struct session *s = calloc(1, sizeof(*s));
    REQUIRE(s);
    s->stream = stream;
    s->app.workers = workers;
    s->app.route = route;
    s->app.bit_depth = stream->bit_depth;
    s->app.pan_px = 2;
    s->app.has_noise = true;
    app_init(&s->app, stream->width_px, stream->height_px, 8);
    s->app.sps.std.flags.sample_adaptive_offset_enabled_flag = 1;
    s->app.sps.std.flags.sps_temporal_mvp_enabled_flag = 1;
    s->app.pps.std.flags.cu_qp_delta_enabled_flag = stream->has_map;
    s->app.pps.std.flags.entropy_coding_sync_enabled_flag = stream->has_wavefronts;
    app_write_sets(&s->app);
    if (stream->has_rate)
        s->rate = make_rate(&s->app, (uint64_t)stream->width_px * stream->height_px * 4);
    return s;
}

static void
close_session(struct session *s)
{
    s->app.codec->rate_destroy(s->app.enc, s->rate);
    app_finish(&s->app);
    free(s);
}

/* Every other column, one further on in each picture. */
static void
set_refresh(struct session *s, uint32_t number)
{
    const uint32_t columns = (s->stream->width_px + 63) / 64;
    const uint32_t rows = (s->stream->height_px + 63) / 64;
    for (uint32_t i = 0; i < columns * rows; i++) {
        s->force_intra[i] = i % columns == number;
        s->intra_clean[i] = i % columns < number;
    }
    s->app.job.common.force_intra = s->force_intra;
    s->app.job.common.intra_clean = s->intra_clean;
}

static void
set_references(struct session *s, uint32_t number)
{
    struct app *app = &s->app;
    uint32_t initial[2][APP_SLOTS];
    app->header.nal_unit_type = RP_H265_NAL_TRAIL_R;
    app_set_references(app, 1u << (number - 1) % 2, initial);
    app->job.slice_type =
        s->stream->is_b ? STD_VIDEO_H265_SLICE_TYPE_B : STD_VIDEO_H265_SLICE_TYPE_P;
    for (uint32_t list = 0; list < (s->stream->is_b ? 2u : 1u); list++)
        app_refer(app, list, 0, 0, initial[list][0]);
    const bool is_foreign = s->stream->has_foreign && number % 3 == 2;
    for (uint32_t list = 0; list < 2; list++)
        app->job.refs[list][0].is_foreign = is_foreign;
    /* The decoder knows motion of what is adopted here, the encoder none. */
    app->job.temporal_mvp = !s->stream->has_refresh && !is_foreign;
    if (s->stream->has_refresh)
        set_refresh(s, number);
}

static void
encode(struct session *s, uint32_t number)
{
    struct app *app = &s->app;
    const uint32_t slot = number % 2;
    app_draw(app, number);
    app_picture_init(app, number == 0, (int32_t)number);
    app->job.common.rate = s->rate;
    app->job.common.quality_level = s->stream->quality_level;
    app->job.qp = 26;
    app->job.sao = app->job.deblocking = !s->stream->has_no_filters;
    app->slots[slot].is_reference = false;
    if (number > 0)
        set_references(s, number);
    app_spread_slices(app, s->stream->slice_count);
    for (uint32_t i = 0; i < MOST_BLOCKS && s->stream->has_map; i++)
        app->map[i] = (int16_t)(app_random(app, 13) - 6);
    app->job.common.qp_delta = s->stream->has_map ? app->map : NULL;
    const uint64_t begin_ns = rp_clock_now_ns();
    REQUIRE(app_encode(app, (int32_t)slot) == RP_CODEC_OK);
    if (number > 0 && s->time_count < 64)
        s->times_ns[s->time_count++] = rp_clock_now_ns() - begin_ns;
    app->slots[slot].poc = app->job.poc;
    app->slots[slot].is_reference = true;
}

/* thread_count 0: without workers. period: see delay_period. */
static uint64_t
stream_hash(const struct stream *stream, uint32_t thread_count, uint32_t period)
{
    struct rp_workers *workers = thread_count ? rp_workers_create(thread_count) : NULL;
    REQUIRE(workers || thread_count == 0);
    struct session *s = open_session(stream, workers, NULL);
    atomic_store(&delay_period, period);
    for (uint32_t i = 0; i < stream->picture_count; i++)
        encode(s, i);
    atomic_store(&delay_period, 0);
    if (thread_count == 0)
        judge_stream(&s->app);
    const uint64_t hash = app_hash(&s->app);
    close_session(s);
    rp_workers_destroy(workers);
    return hash;
}

struct threads {
    const uint32_t *counts;
    uint32_t count_count;
};

static void
bytes_do_not_depend_on_threads(const struct stream *stream, const struct threads *threads)
{
    const uint64_t expected = stream_hash(stream, 0, 0);
    for (uint32_t i = 0; i < threads->count_count; i++)
        REQUIRE(stream_hash(stream, threads->counts[i], i % 2 ? 4 : 16) == expected);
}

/* Random structures are judged in each run. */
static void
random_structures_do_not_depend_on_threads(uint32_t count, uint32_t bit_depth,
                                           const struct threads *threads)
{
    for (uint64_t seed = 1; seed <= count; seed++) {
        const uint64_t expected = random_structure_run(seed, 8, bit_depth, NULL);
        const uint32_t thread_count = threads->counts[seed % threads->count_count];
        struct rp_workers *workers = rp_workers_create(thread_count);
        REQUIRE(workers);
        atomic_store(&delay_period, 8);
        REQUIRE(random_structure_run_on(workers, seed, 8, bit_depth) == expected);
        atomic_store(&delay_period, 0);
        rp_workers_destroy(workers);
    }
}

static void
delay_some(void)
{
    atomic_store(&delay_period, 8);
}

static bool
delay_none(void)
{
    atomic_store(&delay_period, 0);
    return false;
}

static uint32_t busy_count; /* without workers there are too few contents for 8 pictures */

static const struct replay_round rounds[] = {
    {.thread_count = 5, .in_flight = 4, .short_period = 3, .begin = delay_some, .end = delay_none},
    {.thread_count = 0, .in_flight = 8, .busy_count = &busy_count},
    {.thread_count = 1, .in_flight = 3},
    {.thread_count = 2, .in_flight = 2, .begin = delay_some, .end = delay_none},
    {.thread_count = 8,
     .in_flight = 8,
     .busy_count = &busy_count,
     .begin = delay_some,
     .end = delay_none},
    {.thread_count = 3, .in_flight = 6, .begin = delay_some, .end = delay_none},
    {.thread_count = 16, .in_flight = 8, .begin = delay_some, .end = delay_none},
};

static void
bytes_do_not_depend_on_pictures_in_flight(const struct stream *stream, bool is_brief)
{
    struct stream longer = *stream;
    longer.picture_count = 8;
    busy_count = 0;
    struct session *s = open_session(&longer, NULL, &replay_route);
    for (uint32_t i = 0; i < longer.picture_count; i++)
        encode(s, i);
    judge_stream(&s->app);
    close_session(s);
    REQUIRE(is_brief || busy_count > 0);
}

static void
random_structures_do_not_depend_on_pictures_in_flight(uint64_t first, uint64_t count)
{
    for (uint64_t seed = first; seed < first + count; seed++)
        (void)random_structure_run(seed, 12, seed % 2 ? 8 : 10, &replay_route);
}

static double
median_ms(const struct session *s)
{
    uint64_t sorted[64];
    for (uint32_t i = 0; i < s->time_count; i++) {
        uint32_t at = i;
        for (; at > 0 && sorted[at - 1] > s->times_ns[i]; at--)
            sorted[at] = sorted[at - 1];
        sorted[at] = s->times_ns[i];
    }
    return (double)sorted[s->time_count / 2] / 1e6;
}

/* A line of times on 1, 2, 4, 8 and 16 threads, and of what the first ones are to them. */
static void
print_times(const struct stream *stream, const char *name)
{
    static const uint32_t counts[] = {1, 2, 4, 8, 16};
    double ms[5];
    size_t size_B = 0;
    for (uint32_t i = 0; i < 5; i++) {
        struct rp_workers *workers = rp_workers_create(counts[i]);
        REQUIRE(workers);
        struct session *s = open_session(stream, workers, NULL);
        for (uint32_t k = 0; k < stream->picture_count; k++)
            encode(s, k);
        ms[i] = median_ms(s);
        size_B = 0;
        for (uint32_t k = 0; k < s->app.record_count; k++)
            size_B += s->app.records[k].unit_B;
        close_session(s);
        rp_workers_destroy(workers);
    }
    printf("%4ux%-4u %-22s", stream->width_px, stream->height_px, name);
    for (uint32_t i = 0; i < 5; i++)
        printf("%8.2f", ms[i]);
    printf("  %5.2f %5.2f %5.2f %5.2f  %8zu\n", ms[1] / ms[0], ms[2] / ms[0], ms[3] / ms[0],
           ms[4] / ms[0], size_B);
    fflush(stdout);
}

static void
print_all_times(uint32_t width_px, uint32_t height_px)
{
    static const char *const levels[] = {"superfast", "veryfast"};
    static const uint32_t sizes[][2] = {{1280, 720}, {1920, 1080}, {3840, 2160}};
    printf("threads%25s%8u%8u%8u%8u%8u  (ms a picture, median; parts of 1; bytes)\n", "", 1, 2, 4,
           8, 16);
    for (uint32_t i = 0; i < 12; i++) {
        const uint32_t *size = sizes[i / 4];
        if (width_px && (size[0] != width_px || size[1] != height_px))
            continue;
        const struct stream stream = {
            .width_px = size[0],
            .height_px = size[1],
            .picture_count = size[0] > 2000 ? 8 : 16,
            .bit_depth = 8,
            .slice_count = 1,
            .quality_level = i / 2 % 2,
            .has_wavefronts = i % 2,
        };
        char name[64];
        (void)snprintf(name, sizeof(name), "%s%s", levels[i / 2 % 2], i % 2 ? ", wavefronts" : "");
        print_times(&stream, name);
    }
}

int
main(int argc, char **argv)
{
    static const uint32_t counts[] = {1, 2, 3, 5, 8, 16};
    static const uint32_t brief_counts[] = {5};
    const bool is_brief = argc > 1 && strcmp(argv[1], "brief") == 0;
    const bool is_long = argc > 1 && strcmp(argv[1], "--long") == 0;
    const uint32_t structure_count = is_long ? 60 : 4;
    const struct threads threads = {is_brief ? brief_counts : counts, is_brief ? 1 : 6};
    if (argc > 1 && strcmp(argv[1], "--times") == 0) {
        print_all_times(argc > 3 ? (uint32_t)strtoul(argv[2], NULL, 10) : 0,
                        argc > 3 ? (uint32_t)strtoul(argv[3], NULL, 10) : 0);
        return 0;
    }
    if (argc > 3 && strcmp(argv[1], "--seeds") == 0) {
        replay_set_rounds(rounds, sizeof(rounds) / sizeof(rounds[0]));
        RUN(random_structures_do_not_depend_on_pictures_in_flight, strtoul(argv[2], NULL, 10),
            strtoul(argv[3], NULL, 10));
        return 0;
    }
    for (size_t i = 0; i < sizeof(streams) / sizeof(streams[0]); i += is_brief ? 4 : 1)
        RUN(bytes_do_not_depend_on_threads, &streams[i], &threads);
    RUN(random_structures_do_not_depend_on_threads, is_brief ? 1 : is_long ? 60 : 6, 8, &threads);
    RUN(random_structures_do_not_depend_on_threads, is_brief ? 1 : is_long ? 60 : 3, 10, &threads);
    replay_set_rounds(rounds, is_brief ? 1 : sizeof(rounds) / sizeof(rounds[0]));
    for (size_t i = is_brief ? 3 : 0; i < sizeof(streams) / sizeof(streams[0]);
         i += is_brief ? 6 : 1) {
        if (!streams[i].has_rate) /* codec_kvazaar.rate_in_flight has those */
            RUN(bytes_do_not_depend_on_pictures_in_flight, &streams[i], is_brief);
    }
    RUN(random_structures_do_not_depend_on_pictures_in_flight, 401, is_brief ? 1 : structure_count);
    for (size_t i = 0; i < sizeof(large_streams) / sizeof(large_streams[0]) && is_long; i++)
        RUN(bytes_do_not_depend_on_threads, &large_streams[i], &threads);
    return 0;
}
