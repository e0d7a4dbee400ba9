/* SPDX-License-Identifier: MIT */
/* The queue of a capture's files, with writes that take a millisecond and go nowhere.
 */
#include "test.h"

#include "capture/writer.h"
#include "platform/clock.h"
#include "platform/file.h"
#include "platform/thread.h"

#include <stdatomic.h>

#define WRITE_NS UINT64_C(1000000)
#define LINES 20u

static atomic_uint written_count;
static atomic_bool is_over;

int __wrap_rp_file_create(const char *folder, const char *name);
bool __wrap_rp_file_append(int file, const void *data, size_t size_B);
void __wrap_rp_file_close(int file);

int
__wrap_rp_file_create(const char *folder, const char *name)
{
    (void)folder;
    (void)name;
    return 0;
}

bool
__wrap_rp_file_append(int file, const void *data, size_t size_B)
{
    (void)file;
    (void)data;
    (void)size_B;
    rp_clock_sleep(WRITE_NS);
    atomic_fetch_add(&written_count, 1);
    return true;
}

void
__wrap_rp_file_close(int file)
{
    (void)file;
}

static void
add_line(struct rp_writer *w)
{
    REQUIRE(rp_writer_add_line(w, RP_WRITER_SUBMITS, "{}\n", 3));
}

/* Twice as fast as they are written. */
static void *
add_without_end(void *arg)
{
    while (!atomic_load(&is_over)) {
        add_line(arg);
        rp_clock_sleep(WRITE_NS / 2);
    }
    return NULL;
}

/* A process ends while other threads of it go on. */
static void
the_end_waits_for_what_is_there_alone(void)
{
    struct rp_writer w;
    pthread_t thread;
    REQUIRE(rp_writer_init(&w, "", 0));
    for (uint32_t i = 0; i < LINES; i++)
        add_line(&w);
    REQUIRE(rp_thread_create(&thread, "adds", add_without_end, &w));

    const uint64_t began_ns = rp_clock_now_ns();
    rp_writer_wait_unlocked(&w);
    const uint64_t took_ns = rp_clock_now_ns() - began_ns;
    REQUIRE(atomic_load(&written_count) >= LINES);
    atomic_store(&is_over, true);
    pthread_join(thread, NULL);
    REQUIRE(took_ns < UINT64_C(5000000000));
    REQUIRE(rp_writer_flush(&w));
    rp_writer_wait_unlocked(&w);
    rp_writer_finish(&w);
}

int
main(void)
{
    RUN(the_end_waits_for_what_is_there_alone);
    return 0;
}
