/* SPDX-License-Identifier: MIT */
/* Pictures per second, and the time that one picture takes from its submission to its fence, over
 * cores and over sessions, beside as many encoders of libx264.
 *
 * Streams go on from round to round in groups of GOP pictures, so nothing is drained in between and
 * IDR pictures have their usual share. The numbers of cores that one session has are measured in
 * turn, round by round: whatever else the machine does falls on all of them.
 */
#include "video.h"

#include "measure.h"
#include "scaling.h"
#include "x264_peer.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define VERYFAST 2
#define GOP 60u
#define SOURCES 4u
#define MAX_SESSIONS 64u
#define MAX_PICTURES 60u           /* of a session in a round */
#define LIVE_PAUSE_NS 5000000L     /* between two pictures of a live source */
#define ROUND_PX (60u * 640 * 480) /* what a session encodes in a round, about */

/* Sessions on some cores, or encoders of libx264. */
struct point {
    struct video *video;
    uint32_t core_count; /* 0: all */
    struct gpu gpu;
    struct encoder *enc[MAX_SESSIONS];
    struct x264_peer *peer[MAX_SESSIONS];
    uint32_t count;         /* of sessions, or of encoders of libx264 */
    bool is_live;           /* LIVE_PAUSE_NS go by before each picture */
    uint32_t picture_count; /* of each session in a round */
    uint32_t encoded_count; /* by each session so far */
    uint32_t round_count;
    double round_s[BENCH_MAX_ROUNDS];
    double picture_s[BENCH_MAX_ROUNDS]; /* median of the pictures of a round */
};

static uint32_t
round_pictures(const struct video *video)
{
    const uint32_t count = ROUND_PX / (video->width_px * video->height_px);
    return count < 4 ? 4 : count > MAX_PICTURES ? MAX_PICTURES : count;
}

static void
point_use_cores(const struct point *p)
{
    if (p->core_count)
        scaling_use_cores(p->core_count);
}

/* A device of its own, which counts the cores that it may use. */
static void
point_open_sessions(struct point *p, uint32_t count, uint32_t in_flight)
{
    struct encoder_settings settings = video_settings(p->video, VERYFAST, in_flight);

    point_use_cores(p);
    gpu_open(&p->gpu, NULL, &encode_h264.work);
    settings.source_count = SOURCES;
    settings.gop = GOP;
    p->count = count;
    p->picture_count = round_pictures(p->video);
    for (uint32_t i = 0; i < count; i++) {
        p->enc[i] = encoder_create(&p->gpu, &settings);
        video_fill_sources(p->video, p->enc[i], SOURCES);
    }
}

static void
point_open_peers(struct point *p, uint32_t count)
{
    const struct video *video = p->video;

    p->count = count;
    p->picture_count = round_pictures(video);
    for (uint32_t i = 0; i < count; i++) {
        p->peer[i] = x264_peer_create("veryfast", video->width_px, video->height_px, VIDEO_QP);
        if (!p->peer[i])
            die("libx264 does not open");
    }
}

static void
point_close(struct point *p)
{
    for (uint32_t i = 0; i < p->count; i++) {
        if (p->enc[i])
            encoder_destroy(p->enc[i]);
        if (p->peer[i])
            x264_peer_destroy(p->peer[i]);
    }
    if (p->enc[0])
        gpu_close(&p->gpu);
}

/* There and back, so that no picture differs from the one before by more than motion. */
static uint32_t
source_of(uint32_t picture)
{
    const uint32_t i = picture % (2 * SOURCES - 2);
    return i < SOURCES ? i : 2 * SOURCES - 2 - i;
}

static int
double_compare(const void *a, const void *b)
{
    const double x = *(const double *)a;
    const double y = *(const double *)b;
    return (x > y) - (x < y);
}

static double
median(double *samples, uint32_t count)
{
    qsort(samples, count, sizeof(samples[0]), double_compare);
    return samples[count / 2];
}

/* One session, each of whose pictures is waited for. */
static void
encode_one_by_one(struct point *p)
{
    double picture_s[MAX_PICTURES];

    for (uint32_t i = 0; i < p->picture_count; i++) {
        if (p->is_live)
            nanosleep(&(struct timespec){.tv_nsec = LIVE_PAUSE_NS}, NULL);
        const double begin_s = bench_wall_s();
        encoder_encode(p->enc[0], source_of(p->encoded_count++));
        encoder_drain(p->enc[0]);
        picture_s[i] = bench_wall_s() - begin_s;
    }
    p->picture_s[p->round_count] = median(picture_s, p->picture_count);
}

/* As many pictures of each session in flight as it was made for. */
static void
encode_side_by_side(struct point *p)
{
    for (uint32_t i = 0; i < p->picture_count; i++, p->encoded_count++) {
        for (uint32_t k = 0; k < p->count; k++)
            encoder_encode(p->enc[k], source_of(p->encoded_count));
    }
}

struct peer_thread {
    pthread_t thread;
    struct point *point;
    uint32_t index;
};

static void *
peer_run(void *arg)
{
    const struct peer_thread *t = arg;
    const struct point *p = t->point;

    for (uint32_t i = 0; i < p->picture_count; i += SOURCES)
        (void)x264_peer_encode(p->peer[t->index], p->video->frames, SOURCES);
    return NULL;
}

/* A thread for each encoder. */
static void
encode_peers(struct point *p)
{
    struct peer_thread threads[MAX_SESSIONS];

    for (uint32_t i = 0; i < p->count; i++) {
        threads[i] = (struct peer_thread){.point = p, .index = i};
        if (pthread_create(&threads[i].thread, NULL, peer_run, &threads[i]) != 0)
            die("no thread");
    }
    for (uint32_t i = 0; i < p->count; i++)
        pthread_join(threads[i].thread, NULL);
}

typedef void encode_fn(struct point *p);

static void
point_run(struct point *p, encode_fn *encode)
{
    point_use_cores(p);
    const double begin_s = bench_wall_s();
    encode(p);
    p->round_s[p->round_count++] = bench_wall_s() - begin_s;
}

/* A round of each to warm up, which does not count, then rounds of all of them in turn. */
static void
points_measure(struct point *points, uint32_t count, encode_fn *encode, uint32_t rounds)
{
    for (uint32_t r = 0; r <= rounds; r++) {
        for (uint32_t i = 0; i < count; i++) {
            point_run(&points[i], encode);
            points[i].round_count = r;
        }
    }
}

static double
pictures_per_s(struct point *p)
{
    return p->count * p->picture_count / median(p->round_s, p->round_count);
}

static double
picture_ms(struct point *p)
{
    return 1e3 * median(p->picture_s, p->round_count);
}

static uint32_t
sessions_on(uint32_t core_count)
{
    return core_count < MAX_SESSIONS ? core_count : MAX_SESSIONS;
}

static struct point *
points_create(struct video *video, const struct scaling *s, bool is_over_cores)
{
    struct point *points = calloc(s->count, sizeof(*points));
    if (!points)
        die("no memory");
    for (uint32_t i = 0; i < s->count; i++) {
        points[i].video = video;
        points[i].core_count = is_over_cores ? s->x[i] : 0;
    }
    return points;
}

static void
points_destroy(struct point *points, const struct scaling *s)
{
    for (uint32_t i = 0; i < s->count; i++)
        point_close(&points[i]);
    free(points);
}

/* A line of one session on each number of cores, with one picture in flight or several. */
static void
one_session(struct video *video, uint32_t in_flight, bool is_live, uint32_t rounds,
            struct scaling *per_s, uint32_t line, struct scaling *ms, uint32_t ms_line)
{
    struct point *points = points_create(video, per_s, true);

    for (uint32_t i = 0; i < per_s->count; i++) {
        points[i].is_live = is_live;
        point_open_sessions(&points[i], 1, in_flight);
    }
    points_measure(points, per_s->count, in_flight == 1 ? encode_one_by_one : encode_side_by_side,
                   rounds);
    for (uint32_t i = 0; i < per_s->count; i++) {
        if (!is_live)
            per_s->lines[line].y[i] = pictures_per_s(&points[i]);
        if (in_flight == 1)
            ms->lines[ms_line].y[i] = picture_ms(&points[i]);
    }
    points_destroy(points, per_s);
}

/* A line of as many sessions, or of encoders of libx264, as the plot's x says. Their memory is why
 * these points are measured one after the other. */
static void
crowds(struct video *video, bool is_over_cores, bool is_peer, uint32_t rounds, struct scaling *s,
       uint32_t line)
{
    struct point *points = points_create(video, s, is_over_cores);

    for (uint32_t i = 0; i < s->count; i++) {
        struct point *p = &points[i];
        if (is_peer)
            point_open_peers(p, sessions_on(s->x[i]));
        else
            point_open_sessions(p, sessions_on(s->x[i]), 1);
        points_measure(p, 1, is_peer ? encode_peers : encode_side_by_side, rounds);
        s->lines[line].y[i] = pictures_per_s(p);
        point_close(p);
    }
    free(points);
}

static void
scale_over_cores(struct video *video, uint32_t rounds, const char *title)
{
    struct scaling per_s = {.title = title,
                            .unit = "pictures/s",
                            .line_count = 4,
                            .lines = {{.name = "one session, one picture"},
                                      {.name = "one session, 4 pictures in flight"},
                                      {.name = "a session for each core"},
                                      {.name = "libx264, an encoder for each core"}}};
    struct scaling ms = {
        .title = title,
        .unit = "ms from submission to fence",
        .line_count = 2,
        .lines = {{.name = "one picture after the other"}, {.name = "5 ms between pictures"}}};

    scaling_cores(&per_s);
    scaling_cores(&ms);
    one_session(video, 1, false, rounds, &per_s, 0, &ms, 0);
    one_session(video, 1, true, rounds, &per_s, 0, &ms, 1);
    one_session(video, 4, false, rounds, &per_s, 1, &ms, 0);
    crowds(video, true, false, rounds, &per_s, 2);
    crowds(video, true, true, rounds, &per_s, 3);
    scaling_print(&per_s);
    scaling_print(&ms);
}

static void
scale_over_sessions(struct video *video, uint32_t rounds, uint32_t most, const char *title)
{
    struct scaling s = {.title = title,
                        .x_name = "sessions",
                        .unit = "pictures/s",
                        .line_count = 2,
                        .lines = {{.name = "sessions"}, {.name = "encoders of libx264"}}};

    scaling_doublings(&s, most);
    crowds(video, false, false, rounds, &s, 0);
    crowds(video, false, true, rounds, &s, 1);
    scaling_print(&s);
}

void
bench_video_scaling(struct video *video, uint32_t rounds, uint32_t most_sessions)
{
    char title[64];

    if (video->frame_count < SOURCES)
        die("fewer than %u frames", SOURCES);
    if (most_sessions == 0 || most_sessions > MAX_SESSIONS)
        die("sessions: 1 to %u", MAX_SESSIONS);
    (void)snprintf(title, sizeof(title), "encode %ux%u, veryfast", video->width_px,
                   video->height_px);
    scale_over_sessions(video, rounds, most_sessions, title);
    scale_over_cores(video, rounds, title);
}
