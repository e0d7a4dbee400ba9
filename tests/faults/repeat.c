/* SPDX-License-Identifier: MIT */
/* Many times the same, and many side by side: nothing grows, nothing stops.
 *
 * REELPIPE_TEST_LONG: seconds that the sessions run, and the cycles are 10,000 then.
 */
#include "pictures.h"
#include "test.h"

#include <malloc.h>
#include <stdbool.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#define CYCLES 300u
#define LONG_CYCLES 10000u
#define WARM_UP_CYCLES 40u
#define MAX_DRIFT_B (1l << 20)
#define MAX_HEAP_DRIFT_B 16384l /* lists that were never as long before */
#define SESSIONS 64u
#define SESSION_PICTURES 6u
#define WARM_UP_ROUNDS 4u

static long
seconds_asked(void)
{
    const char *text = getenv("REELPIPE_TEST_LONG");
    return text ? atol(text) : 0;
}

/* Memory of the process, without what malloc keeps for later. What is mapped from files (code that
 * runs for the first time) is not counted: that is the kernel's cache. */
static long
resident_B(void)
{
    FILE *file = fopen("/proc/self/status", "r");
    char line[256];
    long sum_KiB = 0;
    long of_kind_KiB;

    (void)malloc_trim(0);
    REQUIRE(file);
    while (fgets(line, sizeof(line), file)) {
        if (sscanf(line, "RssAnon: %ld kB", &of_kind_KiB) == 1 ||
            sscanf(line, "RssShmem: %ld kB", &of_kind_KiB) == 1)
            sum_KiB += of_kind_KiB;
    }
    (void)fclose(file);
    REQUIRE(sum_KiB > 0);
    return sum_KiB * 1024;
}

/* What was taken from malloc and not given back. */
static long
live_B(void)
{
    return (long)mallinfo2().uordblks;
}

static void
encode(struct vk *vk, uint32_t count)
{
    struct stream *s = stream_open(
        vk, &(struct stream_options){.width_px = 64, .height_px = 48, .reorder_count = 1});
    for (uint32_t i = 0; i < count; i++) {
        const struct stream_picture pic = picture_of_chain(s, i, 30);
        (void)stream_encode(s, &pic);
    }
    (void)stream_finish(s);
}

static void
instances_come_and_go_without_growth(void)
{
    const uint32_t cycles = seconds_asked() ? LONG_CYCLES : CYCLES;
    long before_B = 0;
    long live_before_B = 0;

    for (uint32_t i = 0; i < WARM_UP_CYCLES + cycles; i++) {
        struct vk vk;
        if (i == WARM_UP_CYCLES) {
            before_B = resident_B();
            live_before_B = live_B();
        }
        vk_open(&vk);
        if (i % 16 == 0)
            encode(&vk, 2);
        vk_close(&vk);
    }
    const long drift_B = resident_B() - before_B;
    (void)fprintf(stderr, "%u cycles, %ld KiB more, of them %ld B in the heap\n", cycles,
                  drift_B / 1024, live_B() - live_before_B);
    REQUIRE(drift_B < MAX_DRIFT_B);
}

static void
sixty_four_sessions(struct vk *vk)
{
    struct stream *streams[SESSIONS];

    for (uint32_t i = 0; i < SESSIONS; i++)
        streams[i] = stream_open(
            vk, &(struct stream_options){
                    .width_px = 64 + 2 * i, .height_px = 96, .content = i, .quality_level = i % 4});
    for (uint32_t number = 0; number < SESSION_PICTURES; number++) {
        for (uint32_t i = 0; i < SESSIONS; i++) {
            const struct stream_picture pic = picture_of_chain(streams[i], number, 28);
            (void)stream_encode(streams[i], &pic);
        }
    }
    for (uint32_t i = 0; i < SESSIONS; i++)
        (void)stream_finish(streams[i]);
}

/* Every picture is decoded and compared, in every round. */
static void
sixty_four_sessions_work_side_by_side(void)
{
    const time_t end = time(NULL) + seconds_asked();
    uint32_t rounds = 0;
    long before_B = 0;
    long live_before_B = 0;
    struct vk vk;

    vk_open(&vk);
    for (; rounds < WARM_UP_ROUNDS + 1 || time(NULL) < end; rounds++) {
        if (rounds == WARM_UP_ROUNDS) {
            before_B = resident_B();
            live_before_B = live_B();
        }
        sixty_four_sessions(&vk);
    }
    const long live_drift_B = live_B() - live_before_B;
    const long drift_B = resident_B() - before_B;
    vk_close(&vk);
    (void)fprintf(stderr, "%u pictures, %ld KiB more, of them %ld B in the heap\n",
                  rounds * SESSIONS * SESSION_PICTURES, drift_B / 1024, live_drift_B);
    REQUIRE(drift_B < MAX_DRIFT_B);
    REQUIRE(live_drift_B < MAX_HEAP_DRIFT_B);
}

/* What malloc keeps for a thread counts as taken, and each arena keeps some for later: neither is
 * growth of ours. glibc reads this when the program starts. */
static void
start_with_a_plain_heap(char **argv)
{
    static const char tunables[] = "glibc.malloc.tcache_count=0:glibc.malloc.arena_max=1";
    const char *text = getenv("GLIBC_TUNABLES");
    if (text && strcmp(text, tunables) == 0)
        return;
    REQUIRE_EQ(setenv("GLIBC_TUNABLES", tunables, 1), 0);
    (void)execv("/proc/self/exe", argv);
    (void)fprintf(stderr, "no second start: the heap may seem to grow\n");
}

int
main(int argc, char **argv)
{
    (void)argc;
    start_with_a_plain_heap(argv);
    /* A huge page in place of a few small ones is no growth of ours, and comes when it likes. */
    (void)prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
    RUN(instances_come_and_go_without_growth);
    RUN(sixty_four_sessions_work_side_by_side);
    return 0;
}
