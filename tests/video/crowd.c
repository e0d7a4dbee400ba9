/* SPDX-License-Identifier: MIT */
/* 64 sessions of mixed sizes and standards, which encode and decode side by side: each codes the
 * same bytes as alone, what decoders make of them is the reconstruction, and nothing is left
 * behind.
 *
 * usage: crowd [SECONDS [SEED [SESSIONS]]]
 *   SECONDS   of larger pictures, and more of them; memory is watched then, and each round says a
 line
 */
#include "crowd.h"

#include "test.h"

#include <dirent.h>
#include <malloc.h>
#include <pthread.h>
#include <time.h>

#define MEMBERS 64u
#define DEVICES 3u
#define SEEDS 3u /* whose rounds are repeated */
#define MAX_DRIFT_B (4l << 20)

struct size {
    uint32_t largest_px[2];
    uint32_t picture_count; /* of a session */
};

static uint32_t member_count = MEMBERS;

static const struct size brief = {{128, 96}, 3};
static const struct size lasting = {{640, 368}, 12};

/* The sessions of one device, which one thread uses. */
struct part {
    struct vk vk;
    uint32_t count;
    struct crowd_options options[MEMBERS];
    uint64_t hashes[MEMBERS]; /* alone, then of those beside each other */
    uint32_t picture_count;
    pthread_t thread;
};

static uint32_t
next_random(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

static uint32_t
even_below(uint32_t *state, uint32_t limit)
{
    return 32 + next_random(state) % (limit - 32) / 2 * 2;
}

/* A quarter are H.265 and an eighth AV1; of those of H.264 every third is decoded on the device. */
static void
parts_choose(struct part *parts, const struct size *size, uint32_t seed)
{
    for (uint32_t i = 0; i < DEVICES; i++) {
        parts[i].count = 0;
        parts[i].picture_count = size->picture_count;
    }
    for (uint32_t i = 0; i < member_count; i++) {
        struct crowd_options o = {.kind = i % 3 == 2 ? CROWD_H264_DECODE : CROWD_H264};
        struct part *part = &parts[0];
        if (i % 4 == 1) {
            o.kind = CROWD_H265;
            part = &parts[1];
        } else if (i % 8 == 3) {
            o.kind = CROWD_AV1;
            part = &parts[2];
        }
        o.width_px = even_below(&seed, size->largest_px[0]);
        o.height_px = even_below(&seed, size->largest_px[1]);
        if (o.kind == CROWD_H265) { /* coding blocks of 8x8 */
            o.width_px &= ~7u;
            o.height_px &= ~7u;
        }
        o.seed = next_random(&seed);
        part->options[part->count++] = o;
    }
}

static void
part_run_alone(struct part *p)
{
    for (uint32_t i = 0; i < p->count; i++) {
        struct crowd_member *m = crowd_open(&p->vk, &p->options[i]);
        for (uint32_t k = 0; k < p->picture_count; k++)
            crowd_step(m);
        p->hashes[i] = crowd_close(m);
    }
}

static void *
part_run_together(void *arg)
{
    struct part *p = arg;
    struct crowd_member *members[MEMBERS];

    for (uint32_t i = 0; i < p->count; i++)
        members[i] = crowd_open(&p->vk, &p->options[i]);
    for (uint32_t k = 0; k < p->picture_count; k++) {
        for (uint32_t i = 0; i < p->count; i++)
            crowd_step(members[i]);
    }
    for (uint32_t i = 0; i < p->count; i++)
        REQUIRE_EQ(crowd_close(members[i]), p->hashes[i]);
    return NULL;
}

static uint32_t
entry_count(const char *path)
{
    DIR *folder = opendir(path);
    uint32_t count = 0;

    REQUIRE(folder);
    while (readdir(folder))
        count++;
    (void)closedir(folder);
    return count;
}

/* A thread that was joined may be listed for a moment yet. */
static void
require_threads(uint32_t count)
{
    for (uint32_t i = 0; entry_count("/proc/self/task") > count; i++) {
        REQUIRE(i < 1000);
        (void)nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
}

static void
round_run(struct part *parts, const struct size *size, uint32_t seed)
{
    static const VkVideoCodecOperationFlagsKHR operations[DEVICES][2] = {
        {VK_VIDEO_CODEC_OPERATION_ENCODE_H264_BIT_KHR,
         VK_VIDEO_CODEC_OPERATION_DECODE_H264_BIT_KHR},
        {VK_VIDEO_CODEC_OPERATION_ENCODE_H265_BIT_KHR, 0},
        {VK_VIDEO_CODEC_OPERATION_ENCODE_AV1_BIT_KHR, 0},
    };

    for (uint32_t i = 0; i < DEVICES; i++)
        vk_open_for(&parts[i].vk, operations[i][0], operations[i][1]);
    parts_choose(parts, size, seed);
    for (uint32_t i = 0; i < DEVICES; i++)
        part_run_alone(&parts[i]);
    for (uint32_t i = 0; i < DEVICES; i++)
        REQUIRE_EQ(pthread_create(&parts[i].thread, NULL, part_run_together, &parts[i]), 0);
    for (uint32_t i = 0; i < DEVICES; i++)
        pthread_join(parts[i].thread, NULL);
    for (uint32_t i = 0; i < DEVICES; i++)
        vk_close(&parts[i].vk);
}

static long
resident_B(void)
{
    FILE *file = fopen("/proc/self/status", "r");
    char line[256];
    long size_KiB = -1;

    (void)malloc_trim(0);
    REQUIRE(file);
    while (fgets(line, sizeof(line), file))
        (void)sscanf(line, "RssAnon: %ld kB", &size_KiB);
    (void)fclose(file);
    REQUIRE(size_KiB >= 0);
    return size_KiB * 1024;
}

static void
sessions_side_by_side_are_as_alone(long seconds, uint32_t seed)
{
    static struct part parts[DEVICES];
    const time_t end = time(NULL) + seconds;
    const uint32_t warm_up_rounds = seconds ? 2 * SEEDS : 2;
    uint32_t descriptor_count = 0;
    uint32_t thread_count = 0;
    long before_B = 0;
    uint32_t round = 0;

    for (; round <= warm_up_rounds || round % SEEDS != 0 || time(NULL) < end; round++) {
        if (round == 1) {
            descriptor_count = entry_count("/proc/self/fd");
            thread_count = entry_count("/proc/self/task"); /* sanitizers have one, too */
        }
        if (round == warm_up_rounds) {
            before_B = resident_B();
            if (!seconds)
                break;
        }
        round_run(parts, seconds ? &lasting : &brief, seed + round % SEEDS);
        if (seconds)
            (void)fprintf(stderr, "round %u, %ld KiB\n", round, resident_B() / 1024);
        if (round == 0)
            continue;
        REQUIRE_EQ(entry_count("/proc/self/fd"), descriptor_count);
        require_threads(thread_count);
    }
    const long drift_B = resident_B() - before_B;
    (void)fprintf(stderr, "%u rounds of %u sessions, %ld KiB more\n", round, member_count,
                  drift_B / 1024);
    REQUIRE(drift_B < MAX_DRIFT_B);
}

int
main(int argc, char **argv)
{
    const long seconds = argc > 1 ? atol(argv[1]) : 0;
    const uint32_t seed = argc > 2 ? (uint32_t)strtoul(argv[2], NULL, 10) : 1;

    if (argc > 3)
        member_count = (uint32_t)strtoul(argv[3], NULL, 10);
    REQUIRE(member_count > 0 && member_count <= MEMBERS);
    (void)mallopt(M_ARENA_MAX, 1); /* what other arenas keep for later is no leak */
    RUN(sessions_side_by_side_are_as_alone, seconds, seed);
    return 0;
}
