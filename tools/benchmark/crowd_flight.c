/* SPDX-License-Identifier: MIT */
/* Pictures in flight, and sessions that come and go.
 */
#include "crowd.h"

#include "measure.h"

#include <stdio.h>

#define PICTURES 24u
#define WIDTH_PX 640u
#define HEIGHT_PX 360u

struct one {
    struct video video;
    struct gpu gpu;
    struct encoder *enc;
    uint32_t encoded_count;
};

static void
one_open(struct one *one, uint32_t in_flight, bool has_rate)
{
    struct encoder_settings settings;

    one->encoded_count = 0;
    gpu_open(&one->gpu, "Reelpipe", &encode_h264.work);
    settings = video_settings(&one->video, 2, in_flight);
    settings.gop = 60;
    if (has_rate)
        video_set_cbr(&one->video, &settings);
    one->enc = encoder_create(&one->gpu, &settings);
    video_fill_sources(&one->video, one->enc, CROWD_SOURCES);
}

static void
one_close(struct one *one)
{
    encoder_destroy(one->enc);
    gpu_close(&one->gpu);
}

static void
one_run(void *ctx)
{
    struct one *one = ctx;

    for (uint32_t i = 0; i < PICTURES; i++)
        crowd_encode(one->enc, one->encoded_count++);
    encoder_drain(one->enc);
}

void
crowd_in_flight(uint32_t rounds)
{
    struct one one;

    crowd_make_frames(&one.video, WIDTH_PX, HEIGHT_PX);
    for (uint32_t k = 0; k < 2; k++) {
        struct scaling s = cores_table(k ? "640x360 at a constant rate" : "640x360 at constant QP",
                                       "pictures in flight");
        scaling_doublings(&s, 16);
        for (uint32_t i = 0; i < s.count; i++) {
            one_open(&one, s.x[i], k);
            const struct bench_cost cost = bench_cost_per_unit(one_run, &one, PICTURES, rounds);
            one_close(&one);
            cores_table_set(&s, i, &cost);
        }
        cores_table_print(&s);
    }
    crowd_free_frames(&one.video);
}

static double
map_count(void)
{
    FILE *file = fopen("/proc/self/maps", "r");
    double count = 0;
    int c;

    if (!file)
        die("/proc/self/maps cannot be read");
    while ((c = fgetc(file)) != EOF)
        count += c == '\n';
    fclose(file);
    return count;
}

#define MAX_SESSIONS 64u

struct comers {
    struct video video;
    struct gpu gpu;
    struct encoder *enc[MAX_SESSIONS];
    uint32_t count;
    double map_count; /* with all of them there */
};

/* Sessions are made, code a picture each, and go. */
static void
comers_run(void *ctx)
{
    struct comers *c = ctx;

    for (uint32_t i = 0; i < c->count; i++)
        c->enc[i] = crowd_encoder(&c->video, &c->gpu, 1);
    for (uint32_t i = 0; i < c->count; i++)
        crowd_encode(c->enc[i], 0);
    for (uint32_t i = 0; i < c->count; i++)
        encoder_drain(c->enc[i]);
    c->map_count = map_count();
    for (uint32_t i = 0; i < c->count; i++)
        encoder_destroy(c->enc[i]);
}

void
crowd_maps(uint32_t rounds)
{
    struct comers c;
    struct scaling s = cores_table("sessions of 640x360 made, used once, unmade", "sessions");
    struct scaling maps = {.title = "memory mappings and pages",
                           .unit = "of a session",
                           .line_count = 3,
                           .lines = {{.name = "mappings that it has"},
                                     {.name = "pages touched for the first time"},
                                     {.name = "mappings left behind, of all"}}};

    crowd_make_frames(&c.video, WIDTH_PX, HEIGHT_PX);
    scaling_doublings(&s, MAX_SESSIONS);
    scaling_doublings(&maps, MAX_SESSIONS);
    maps.x_name = "sessions";
    for (uint32_t i = 0; i < s.count; i++) {
        gpu_open(&c.gpu, "Reelpipe", &encode_h264.work);
        c.count = s.x[i];
        comers_run(&c);
        const double before = map_count();
        const struct bench_cost cost = bench_cost_per_unit(comers_run, &c, c.count, rounds);
        cores_table_set(&s, i, &cost);
        maps.lines[0].y[i] = (c.map_count - before) / c.count;
        maps.lines[1].y[i] = cost.fault_count;
        maps.lines[2].y[i] = map_count() - before;
        gpu_close(&c.gpu);
    }
    crowd_free_frames(&c.video);
    cores_table_print(&s);
    scaling_print(&maps);
}
