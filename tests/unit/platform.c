/* SPDX-License-Identifier: MIT */
/* What src/platform says of the system, against what the system says itself.
 */
#include "platform/clock.h"
#include "platform/condition.h"
#include "platform/descriptor.h"
#include "platform/environment.h"
#include "platform/heap.h"
#include "platform/module.h"
#include "platform/pages.h"
#include "platform/process.h"
#include "platform/processor.h"
#include "platform/signal_mask.h"
#include "platform/system_memory.h"
#include "platform/thread.h"
#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MS UINT64_C(1000000)

/* Whether a page is mapped and may be read: the kernel looks for us. */
static bool
may_be_read(const void *page)
{
    int ends[2];
    REQUIRE(pipe(ends) == 0);
    const bool is_mapped = write(ends[1], page, 1) == 1;
    REQUIRE(is_mapped || errno == EFAULT);
    close(ends[0]);
    close(ends[1]);
    return is_mapped;
}

static bool
is_the_last(const void *ctx, uint32_t cpu)
{
    return cpu == *(const uint32_t *)ctx;
}

/* Counts down to the call that fails as when the process has lost those processors. 0: none
 * does. */
static int calls_to_failure;

int __real_sched_setaffinity(pid_t pid, size_t set_B, const cpu_set_t *set);
int __wrap_sched_setaffinity(pid_t pid, size_t set_B, const cpu_set_t *set);

int
__wrap_sched_setaffinity(pid_t pid, size_t set_B, const cpu_set_t *set)
{
    if (calls_to_failure == 0 || --calls_to_failure > 0)
        return __real_sched_setaffinity(pid, set_B, set);
    errno = EINVAL;
    return -1;
}

static bool
is_none(const void *ctx, uint32_t cpu)
{
    (void)ctx;
    (void)cpu;
    return false;
}

/* To the last processor that it may be on, and it may be on all of them after that. */
static void
a_thread_moves_and_is_not_bound(void)
{
    cpu_set_t before, after;
    uint32_t last = 0;

    REQUIRE(sched_getaffinity(0, sizeof(before), &before) == 0);
    for (uint32_t cpu = 0; cpu < CPU_SETSIZE; cpu++)
        last = CPU_ISSET(cpu, &before) ? cpu : last;
    REQUIRE_EQ(rp_thread_move(is_the_last, &last), last);
    REQUIRE(sched_getaffinity(0, sizeof(after), &after) == 0);
    REQUIRE(CPU_EQUAL(&before, &after));
    REQUIRE_EQ(rp_thread_move(is_none, NULL), RP_THREAD_CPU_UNKNOWN);
    REQUIRE(CPU_ISSET(rp_thread_cpu(), &before));

    calls_to_failure = 2;
    REQUIRE_EQ(rp_thread_move(is_the_last, &last), last);
    REQUIRE(sched_getaffinity(0, sizeof(after), &after) == 0);
    REQUIRE(CPU_COUNT(&after) >= CPU_COUNT(&before));
    calls_to_failure = 1;
    REQUIRE_EQ(rp_thread_move(is_the_last, &last), RP_THREAD_CPU_UNKNOWN);
    REQUIRE(sched_setaffinity(0, sizeof(before), &before) == 0);
}

static void
a_sleep_lasts_as_long_as_was_asked(void)
{
    const uint64_t begin_ns = rp_clock_now_ns();
    uint64_t begin, end;
    REQUIRE(rp_clock_read(RP_CLOCK_MONOTONIC_RAW, &begin));
    rp_clock_sleep(2 * MS);
    REQUIRE(rp_clock_now_ns() - begin_ns >= 2 * MS);
    REQUIRE(rp_clock_read(RP_CLOCK_MONOTONIC_RAW, &end) && end > begin);
    REQUIRE(!rp_clock_read(RP_CLOCK_PERFORMANCE_COUNTER, &end));
}

static void
a_thread_that_sleeps_spends_nothing(void)
{
    const uint64_t begin_ns = rp_clock_thread_cpu_ns();
    rp_clock_sleep(20 * MS);
    const uint64_t asleep_ns = rp_clock_thread_cpu_ns();
    REQUIRE(asleep_ns - begin_ns < 10 * MS);
    while (rp_clock_thread_cpu_ns() == asleep_ns)
        continue;
}

/* The policy of the calling thread, as the kernel says it: musl's function does not. */
static int
policy(void)
{
    return (int)syscall(SYS_sched_getscheduler, 0);
}

/* policies[2]: what the kernel gives a thread that asks to run normally again, which without
 * privilege depends on RLIMIT_NICE. */
static void *
run_idly(void *arg)
{
    int *policies = arg;
    rp_thread_run_idly();
    policies[0] = policy();
    rp_thread_run_normally(pthread_self());
    policies[1] = policy();
    const struct sched_param none = {.sched_priority = 0};
    rp_thread_run_idly();
    const long refused = syscall(SYS_sched_setscheduler, 0, SCHED_OTHER, &none);
    policies[2] = refused ? SCHED_IDLE : SCHED_OTHER;
    return NULL;
}

static void
a_thread_that_gives_way_changes_no_other(void)
{
    pthread_t thread;
    int policies[3] = {-1, -1, -1};
    REQUIRE(rp_thread_create(&thread, "idle", run_idly, policies));
    pthread_join(thread, NULL);
    REQUIRE_EQ(policies[0], SCHED_IDLE);
    REQUIRE_EQ(policies[1], policies[2]);
    REQUIRE(policy() != SCHED_IDLE);
}

static void
a_condition_that_nobody_signals_ends_at_its_deadline(void)
{
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    pthread_cond_t cond;
    rp_condition_init(&cond);
    pthread_mutex_lock(&mutex);
    REQUIRE(!rp_condition_wait_until(&cond, &mutex, 0));
    const uint64_t until_ns = rp_clock_now_ns() + 2 * MS;
    while (rp_condition_wait_until(&cond, &mutex, until_ns)) {
    }
    REQUIRE(rp_clock_now_ns() >= until_ns);
    pthread_mutex_unlock(&mutex);
    pthread_cond_destroy(&cond);
}

struct call {
    pthread_mutex_t mutex;
    pthread_cond_t cond;
    bool is_made;
};

static void *
call_make(void *arg)
{
    struct call *call = arg;
    pthread_mutex_lock(&call->mutex);
    call->is_made = true;
    pthread_cond_signal(&call->cond);
    pthread_mutex_unlock(&call->mutex);
    return NULL;
}

static void
a_condition_that_is_signalled_ends_before_its_deadline(void)
{
    struct call call = {.mutex = PTHREAD_MUTEX_INITIALIZER};
    pthread_t thread;
    bool is_in_time = true;
    rp_condition_init(&call.cond);
    pthread_mutex_lock(&call.mutex);
    REQUIRE(rp_thread_create(&thread, "caller", call_make, &call));
    while (!call.is_made && is_in_time)
        is_in_time = rp_condition_wait_until(&call.cond, &call.mutex, INT64_MAX);
    REQUIRE(is_in_time);
    pthread_mutex_unlock(&call.mutex);
    pthread_join(thread, NULL);
    pthread_cond_destroy(&call.cond);
}

static void
variables_and_the_name_of_the_program_are_those_of_the_system(void)
{
    REQUIRE(setenv("UNIT_PLATFORM", "said", 1) == 0);
    const char *said = rp_environment_get("UNIT_PLATFORM");
    REQUIRE(said && strcmp(said, "said") == 0);
    REQUIRE(unsetenv("UNIT_PLATFORM") == 0);
    REQUIRE(!rp_environment_get("UNIT_PLATFORM"));
    char name[RP_PROCESS_NAME_B];
    rp_process_name(name);
    REQUIRE(strcmp(name, "unit_platform") == 0);
}

static void
the_heap_aligns_and_clears(void)
{
    for (size_t align_B = 1; align_B <= 4096; align_B *= 2) {
        uint8_t *memory = rp_heap_alloc(100, align_B);
        REQUIRE(memory && (uintptr_t)memory % align_B == 0);
        memset(memory, 0xee, 100);
        rp_heap_free(memory);
        memory = rp_heap_zalloc(100, align_B);
        REQUIRE(memory && (uintptr_t)memory % align_B == 0);
        for (uint32_t i = 0; i < 100; i++)
            REQUIRE_EQ(memory[i], 0);
        rp_heap_free(memory);
    }
    rp_heap_free(NULL);
}

static void
shared_pages_have_a_second_address(void)
{
    const uint64_t size_B = 2 * rp_page_B();
    uint8_t *pages = rp_pages_map(size_B, true);
    uint8_t *place = rp_pages_map(size_B, false);
    REQUIRE(pages && place);

    REQUIRE(rp_pages_map_again(pages, size_B, place));
    pages[size_B - 1] = 7;
    REQUIRE_EQ(place[size_B - 1], 7);
    rp_pages_unmap(place, size_B);
    REQUIRE(!may_be_read(place));
    REQUIRE_EQ(pages[size_B - 1], 7);
    rp_pages_unmap(pages, size_B);
    REQUIRE(!may_be_read(pages));
}

static void
reserved_pages_keep_their_addresses_alone(void)
{
    const uint64_t size_B = rp_page_B();
    uint8_t *pages = rp_pages_map(size_B, false);
    REQUIRE(pages && may_be_read(pages));
    REQUIRE(rp_pages_reserve(pages, size_B));
    REQUIRE(!may_be_read(pages));
    REQUIRE(!rp_pages_map_at((uintptr_t)pages, size_B, false));
    rp_pages_unmap(pages, size_B);
    REQUIRE(rp_pages_map_at((uintptr_t)pages, size_B, false) == pages);
    rp_pages_unmap(pages, size_B);
}

static void
replaced_pages_are_zero_here_and_as_before_elsewhere(void)
{
    const uint64_t size_B = rp_page_B();
    const int memfd = rp_memfd_create("unit");
    REQUIRE(memfd >= 0 && rp_memfd_seal(memfd, size_B, true));
    uint8_t *pages = rp_descriptor_map(memfd, size_B);
    uint8_t *others = rp_descriptor_map(memfd, size_B);
    REQUIRE(pages && others);

    pages[0] = 7;
    REQUIRE(rp_pages_replace(pages, size_B));
    REQUIRE_EQ(pages[0], 0);
    pages[0] = 8;
    REQUIRE_EQ(others[0], 7);
    rp_pages_unmap(pages, size_B);
    rp_pages_unmap(others, size_B);
    rp_descriptor_close(memfd);
}

static void
a_sealed_memfd_keeps_its_pages(void)
{
    for (uint32_t may_change = 0; may_change < 2; may_change++) {
        const int memfd = rp_memfd_create("unit");
        REQUIRE(memfd >= 0 && !rp_memfd_is_sealed(memfd));
        REQUIRE(rp_memfd_seal(memfd, 8192, may_change));
        REQUIRE(rp_memfd_is_sealed(memfd));
        REQUIRE_EQ(rp_descriptor_size_B(memfd), 8192);
        REQUIRE(ftruncate(memfd, 4096) != 0);
        REQUIRE_EQ(ftruncate(memfd, 12288) == 0, may_change);
        REQUIRE_EQ(fcntl(memfd, F_ADD_SEALS, F_SEAL_GROW) == 0, may_change);
        rp_descriptor_close(memfd);
    }
}

static void
a_duplicate_is_the_same_file(void)
{
    const int memfds[2] = {rp_memfd_create("unit"), rp_memfd_create("unit")};
    const int again = rp_descriptor_duplicate(memfds[0]);
    uint64_t ids[3];
    REQUIRE(again >= 0 && again != memfds[0] && fcntl(again, F_GETFD) == FD_CLOEXEC);
    REQUIRE(rp_descriptor_identify(memfds[0], &ids[0]) &&
            rp_descriptor_identify(memfds[1], &ids[1]) && rp_descriptor_identify(again, &ids[2]));
    REQUIRE(ids[0] == ids[2] && ids[0] != ids[1]);
    rp_descriptor_close(memfds[0]);
    rp_descriptor_close(memfds[1]);
    rp_descriptor_close(again);
}

static void
descriptors_that_are_none_are_refused(void)
{
    int ends[2];
    uint64_t id;
    REQUIRE(pipe(ends) == 0);
    REQUIRE(!rp_memfd_is_sealed(ends[0]));
    REQUIRE_EQ(rp_descriptor_size_B(ends[0]), 0);
    REQUIRE(!rp_descriptor_map(ends[0], rp_page_B()));
    REQUIRE(!rp_descriptor_is_readable(ends[0]));
    REQUIRE(write(ends[1], "x", 1) == 1);
    REQUIRE(rp_descriptor_is_readable(ends[0]));
    rp_descriptor_close(ends[0]);
    rp_descriptor_close(ends[1]);
    rp_descriptor_close(-1);
    REQUIRE(!rp_descriptor_identify(ends[0], &id));
    REQUIRE(rp_descriptor_duplicate(ends[0]) == -1);
}

static void
libraries_are_found_opened_and_searched(void)
{
    REQUIRE(rp_module_is_present("libm.so.6"));
    REQUIRE(!rp_module_is_present("libreelpipe-unit.so.6"));
    REQUIRE(!rp_module_open("libreelpipe-unit.so.6"));
    char error[256];
    rp_module_error(error, sizeof(error));
    REQUIRE(strstr(error, "libreelpipe-unit.so.6"));

    void *module = rp_module_open("libm.so.6");
    REQUIRE(module);
    REQUIRE(rp_module_symbol(module, "cos") && !rp_module_symbol(module, "reelpipe_unit"));
    rp_module_close(module);
}

static void
a_build_id_is_cut_to_the_room_for_it(void)
{
    uint8_t all[64], some[4];
    const size_t size_B = rp_module_build_id(all, sizeof(all));
    REQUIRE(size_B >= 8 && size_B < sizeof(all));
    REQUIRE_EQ(rp_module_build_id(some, sizeof(some)), sizeof(some));
    REQUIRE_BYTES(some, all, sizeof(some));
}

static void
the_machine_has_memory_and_processors(void)
{
    const struct rp_system_memory memory = rp_system_memory_read();
    REQUIRE(memory.total_B > 0 && memory.available_B <= memory.total_B);
    REQUIRE(rp_processor_count() >= 1 && rp_processor_count() <= rp_thread_cpu_count());
    rp_thread_yield();
}

static void
blocked_signals_come_back(void)
{
    sigset_t set, now;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    REQUIRE(pthread_sigmask(SIG_SETMASK, &set, NULL) == 0);
    const struct rp_signal_mask mask = rp_signals_block();
    REQUIRE(pthread_sigmask(SIG_SETMASK, NULL, &now) == 0);
    REQUIRE(sigismember(&now, SIGUSR1) && sigismember(&now, SIGUSR2));
    rp_signals_restore(&mask);
    REQUIRE(pthread_sigmask(SIG_SETMASK, NULL, &now) == 0);
    REQUIRE(sigismember(&now, SIGUSR1) && !sigismember(&now, SIGUSR2));
}

int
main(void)
{
    RUN(a_thread_moves_and_is_not_bound);
    RUN(a_sleep_lasts_as_long_as_was_asked);
    RUN(a_thread_that_sleeps_spends_nothing);
    RUN(a_thread_that_gives_way_changes_no_other);
    RUN(a_condition_that_nobody_signals_ends_at_its_deadline);
    RUN(a_condition_that_is_signalled_ends_before_its_deadline);
    RUN(variables_and_the_name_of_the_program_are_those_of_the_system);
    RUN(the_heap_aligns_and_clears);
    RUN(shared_pages_have_a_second_address);
    RUN(reserved_pages_keep_their_addresses_alone);
    RUN(replaced_pages_are_zero_here_and_as_before_elsewhere);
    RUN(a_sealed_memfd_keeps_its_pages);
    RUN(a_duplicate_is_the_same_file);
    RUN(descriptors_that_are_none_are_refused);
    RUN(libraries_are_found_opened_and_searched);
    RUN(a_build_id_is_cut_to_the_room_for_it);
    RUN(the_machine_has_memory_and_processors);
    RUN(blocked_signals_come_back);
    return 0;
}
