/* SPDX-License-Identifier: MIT */
/* 64 sessions of mixed sizes on some queues of one device, or on some devices; a small picture
 * behind a large one.
 */
#include "crowd.h"

#include "measure.h"

#include <pthread.h>
#include <stdio.h>

#define SESSIONS 64u
#define QUEUES 4u   /* and threads, one for each */
#define PICTURES 3u /* of each session in a round */
#define MAX_DEVICES SESSIONS

static const uint32_t sizes_px[][2] = {{64, 64},   {160, 96},  {176, 144}, {240, 136},
                                       {320, 180}, {352, 288}, {480, 272}, {640, 360}};
#define SIZES (sizeof(sizes_px) / sizeof(sizes_px[0]))

struct place {
    struct gpu gpu;
    struct gpu on_queue[QUEUES]; /* the same device, with its queues in turn */
};

struct sessions {
    struct video videos[SIZES];
    struct place places[MAX_DEVICES];
    struct encoder *enc[SESSIONS];
    uint32_t device_count;
    uint32_t queue_count;
    uint32_t encoded_count;
};

struct driver {
    const struct sessions *sessions;
    uint32_t first; /* number of the thread */
    pthread_t thread;
};

static void
place_open(struct place *place)
{
    gpu_open_queues(&place->gpu, "Reelpipe", &encode_h264.work, QUEUES);
    for (uint32_t i = 0; i < QUEUES; i++) {
        place->on_queue[i] = place->gpu;
        gpu_use_queue(&place->on_queue[i], i);
    }
}

static void
sessions_open(struct sessions *s, uint32_t device_count, uint32_t queue_count)
{
    s->device_count = device_count;
    s->queue_count = queue_count;
    s->encoded_count = 0;
    for (uint32_t i = 0; i < device_count; i++)
        place_open(&s->places[i]);
    for (uint32_t i = 0; i < SESSIONS; i++) {
        struct place *place = &s->places[i % device_count];
        s->enc[i] = crowd_encoder(&s->videos[i / QUEUES % SIZES],
                                  &place->on_queue[i / device_count % queue_count], 1);
    }
}

static void
sessions_close(struct sessions *s)
{
    for (uint32_t i = 0; i < SESSIONS; i++)
        encoder_destroy(s->enc[i]);
    for (uint32_t i = 0; i < s->device_count; i++)
        gpu_close(&s->places[i].gpu);
}

/* A thread has a queue of a device for itself. */
static uint32_t
driver_of(const struct sessions *s, uint32_t session)
{
    return s->device_count > 1 ? session % s->device_count % QUEUES : session % s->queue_count;
}

static void *
driver_run(void *arg)
{
    const struct driver *d = arg;
    const struct sessions *s = d->sessions;

    for (uint32_t k = 0; k < PICTURES; k++) {
        for (uint32_t i = 0; i < SESSIONS; i++) {
            if (driver_of(s, i) == d->first)
                crowd_encode(s->enc[i], s->encoded_count + k);
        }
    }
    for (uint32_t i = 0; i < SESSIONS; i++) {
        if (driver_of(s, i) == d->first)
            encoder_drain(s->enc[i]);
    }
    return NULL;
}

static void
sessions_run(void *ctx)
{
    struct sessions *s = ctx;
    struct driver drivers[QUEUES];
    const uint32_t count = s->device_count > 1 ? QUEUES : s->queue_count;

    for (uint32_t i = 0; i < count; i++) {
        drivers[i] = (struct driver){.sessions = s, .first = i};
        if (pthread_create(&drivers[i].thread, NULL, driver_run, &drivers[i]) != 0)
            die("no thread");
    }
    for (uint32_t i = 0; i < count; i++)
        pthread_join(drivers[i].thread, NULL);
    s->encoded_count += PICTURES;
}

static void
sessions_measure(struct scaling *table, bool is_over_devices, uint32_t rounds)
{
    static struct sessions s;

    for (uint32_t i = 0; i < SIZES; i++)
        crowd_make_frames(&s.videos[i], sizes_px[i][0], sizes_px[i][1]);
    for (uint32_t i = 0; i < table->count; i++) {
        sessions_open(&s, is_over_devices ? table->x[i] : 1,
                      is_over_devices ? QUEUES : table->x[i]);
        const struct bench_cost cost =
            bench_cost_per_unit(sessions_run, &s, SESSIONS * PICTURES, rounds);
        sessions_close(&s);
        cores_table_set(table, i, &cost);
    }
    for (uint32_t i = 0; i < SIZES; i++)
        crowd_free_frames(&s.videos[i]);
    cores_table_print(table);
}

void
crowd_queues(uint32_t rounds)
{
    struct scaling table = cores_table("64 sessions of mixed sizes, a thread a queue", "queues");

    scaling_doublings(&table, QUEUES);
    sessions_measure(&table, false, rounds);
}

void
crowd_devices(uint32_t rounds)
{
    struct scaling table = cores_table("64 sessions of mixed sizes, 4 threads", "devices");

    table.count = 3;
    table.x[0] = 1;
    table.x[1] = 8;
    table.x[2] = 64;
    sessions_measure(&table, true, rounds);
}

/* A large picture is submitted, then a small one, whose time to its semaphore counts. */
struct neighbours {
    struct encoder *large;
    struct encoder *small;
    uint32_t number;
    double wall_s;
};

static void
neighbours_run(void *ctx)
{
    struct neighbours *n = ctx;

    crowd_encode(n->large, n->number);
    const double begin_s = bench_wall_s();
    crowd_encode(n->small, n->number++);
    encoder_drain(n->small);
    n->wall_s += bench_wall_s() - begin_s;
    encoder_drain(n->large);
}

static double
neighbours_measure(struct video videos[2], uint32_t queue, uint32_t rounds)
{
    static struct place place;
    struct neighbours n = {0};

    place_open(&place);
    n.large = crowd_encoder(&videos[0], &place.on_queue[0], 1);
    n.small = crowd_encoder(&videos[1], &place.on_queue[queue], 1);
    for (uint32_t i = 0; i < 4 * rounds; i++)
        neighbours_run(&n);
    encoder_destroy(n.large);
    encoder_destroy(n.small);
    gpu_close(&place.gpu);
    return n.wall_s / (4 * rounds);
}

void
crowd_neighbour(uint32_t rounds)
{
    struct video videos[2];

    crowd_make_frames(&videos[0], 1920, 1088);
    crowd_make_frames(&videos[1], 320, 180);
    const double same_s = neighbours_measure(videos, 0, rounds);
    const double other_s = neighbours_measure(videos, 1, rounds);
    const struct bench_times same = {same_s, same_s, same_s};
    const struct bench_times other = {other_s, other_s, other_s};
    bench_row("320x180 behind 1080p: same queue, another", "ms", &same, &other, 0);
    crowd_free_frames(&videos[0]);
    crowd_free_frames(&videos[1]);
}
