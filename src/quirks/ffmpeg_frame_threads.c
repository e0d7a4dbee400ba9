/* SPDX-License-Identifier: MIT */
/* A short list in the order of the turns.
 */
#include "object/decode_turns.h"

#include "object/image.h"
#include "util/compiler.h"

#include <dirent.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Longer than a thread that is about to submit is kept from it. */
#define MAX_PATIENCE_NS UINT64_C(100000000)
#define MAX_NEXT_PATIENCE_NS UINT64_C(50000000)

/* Where more threads want to run than can, it may be kept from it for longer: so often patience is
 * found anew while somebody is at work (is_anybody_at_work). */
#define MAX_EXTENSIONS 50

#define BOTH_FIELDS 3u

void
rp_decode_turns_init(struct rp_decode_turns *turns)
{
    pthread_condattr_t attr;
    pthread_condattr_init(&attr);
    pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    pthread_mutex_init(&turns->mutex, NULL);
    pthread_cond_init(&turns->changed, &attr);
    pthread_condattr_destroy(&attr);
    turns->last_index = -1;
    turns->patience_ns = turns->max_patience_ns = MAX_PATIENCE_NS;
    turns->next_patience_ns = turns->max_next_patience_ns = MAX_NEXT_PATIENCE_NS;
    turns->max_extensions = MAX_EXTENSIONS;
}

void
rp_decode_turns_finish(struct rp_decode_turns *turns)
{
    pthread_cond_destroy(&turns->changed);
    pthread_mutex_destroy(&turns->mutex);
}

/* With the mutex held, like all that follow. */
static void
turn_announce(struct rp_decode_turns *turns)
{
    turns->change_count++;
    pthread_cond_broadcast(&turns->changed);
}

static void
turn_end(struct rp_decode_turns *turns, uint32_t index)
{
    turns->count--;
    for (uint32_t i = index; i < turns->count; i++)
        turns->at[i] = turns->at[i + 1];
    turn_announce(turns);
}

static bool
is_anothers(const struct rp_decode_turn *turn)
{
    return turn->thread != gettid();
}

static struct timespec
time_after(uint64_t ns)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    ns += (uint64_t)time.tv_nsec;
    time.tv_sec += (time_t)(ns / 1000000000u);
    time.tv_nsec = (long)(ns % 1000000000u);
    return time;
}

/* FFmpeg calls the threads of a decoder av:h264:df0, df1 and so on, and pictures go to them in this
 * order, round by round. -1: another thread. */
static int
own_index(void)
{
    char name[16] = "";
    int index = -1;
    (void)pthread_getname_np(pthread_self(), name, sizeof(name));
    return sscanf(name, "av:%*[^:]:df%d", &index) == 1 ? index : -1;
}

/* What /proc says of a thread; false when it is gone, or /proc is. */
static bool
thread_read(pid_t id, char text[static 64])
{
    char path[64];
    (void)snprintf(path, sizeof(path), "/proc/self/task/%d/stat", (int)id);
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    const ssize_t size_B = read(fd, text, 63);
    close(fd);
    text[size_B > 0 ? size_B : 0] = 0;
    return size_B > 0;
}

/* It runs, or would if it could. The name is between brackets, and may have some. */
static bool
is_busy(const char *text)
{
    const char *end = strrchr(text, ')');
    return end && end[1] == ' ' && end[2] && strchr("RD", end[2]);
}

/* Threads of FFmpeg's decoders, this device's or not; none when /proc is not there. */
struct named_threads {
    int count;          /* of one decoder */
    bool is_index_busy; /* one with the index */
};

static struct named_threads
named_threads_find(int index)
{
    struct named_threads threads = {0};
    DIR *dir = opendir("/proc/self/task");
    const struct dirent *entry;
    while (dir && (entry = readdir(dir))) {
        char text[64];
        int found;
        if (!thread_read((pid_t)strtol(entry->d_name, NULL, 10), text) ||
            sscanf(text, "%*d (av:%*[^:]:df%d)", &found) != 1)
            continue;
        threads.count = RP_MAX(threads.count, found + 1);
        threads.is_index_busy |= found == index && is_busy(text);
    }
    if (dir)
        closedir(dir);
    return threads;
}

/* The calling thread's entry, made when there is none. */
static struct rp_decode_thread *
own_thread(struct rp_decode_turns *turns)
{
    for (uint32_t i = 0; i < RP_DECODE_TURNS; i++) {
        if (turns->threads[i].id == gettid())
            return &turns->threads[i];
    }
    struct rp_decode_thread *thread = &turns->threads[turns->next_thread];
    turns->next_thread = (turns->next_thread + 1) % RP_DECODE_TURNS;
    *thread = (struct rp_decode_thread){.id = gettid(), .index = own_index()};
    return thread;
}

/* Threads that may be about to go on: not those that wait here like the caller. Whatever keeps one
 * of them from running may keep another one waiting for it, in a lock of FFmpeg's. */
static uint32_t
threads_list(const struct rp_decode_turns *turns, pid_t ids[RP_DECODE_TURNS])
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < RP_DECODE_TURNS; i++) {
        const struct rp_decode_thread *thread = &turns->threads[i];
        if (thread->id && !thread->is_waiting && thread->id != gettid())
            ids[count++] = thread->id;
    }
    return count;
}

static bool
is_known(const struct rp_decode_turns *turns, int index)
{
    for (uint32_t i = 0; i < RP_DECODE_TURNS; i++) {
        if (turns->threads[i].id && turns->threads[i].index == index)
            return true;
    }
    return false;
}

static void
thread_forget(struct rp_decode_turns *turns, pid_t id)
{
    for (uint32_t i = 0; i < RP_DECODE_TURNS; i++) {
        if (turns->threads[i].id == id)
            turns->threads[i] = (struct rp_decode_thread){.id = 0};
    }
}

/* Of those that the caller may wait for: pictures that are decoded, which FFmpeg waits for before
 * it submits more; threads of this device's decoders; or one that has not been here yet, of which
 * only the name is known (-1: none). The application's other decoders are none of its business. */
static bool
is_anybody_at_work(struct rp_decode_turns *turns, int index)
{
    if (atomic_load(&turns->under_way_count) > 0)
        return true;
    pid_t ids[RP_DECODE_TURNS];
    const uint32_t count = threads_list(turns, ids);
    const bool is_named = index >= 0 && !is_known(turns, index);
    bool is_any = false;

    /* Without the mutex: a thread that waits for it would look as if it were at rest. */
    pthread_mutex_unlock(&turns->mutex);
    bool is_gone[RP_DECODE_TURNS];
    for (uint32_t i = 0; i < count; i++) {
        char text[64];
        is_gone[i] = !thread_read(ids[i], text);
        is_any |= !is_gone[i] && is_busy(text);
    }
    if (!is_any && is_named)
        is_any = named_threads_find(index).is_index_busy;
    pthread_mutex_lock(&turns->mutex);
    for (uint32_t i = 0; i < count; i++) {
        if (is_gone[i])
            thread_forget(turns, ids[i]);
    }
    return is_any;
}

/* Waits until turns begin or end; false when nothing happens. index: as in is_anybody_at_work. */
static bool
wait_for_change(struct rp_decode_turns *turns, uint64_t patience_ns, int index)
{
    const uint64_t change_count = turns->change_count;
    uint32_t extension_count = 0;
    own_thread(turns)->is_waiting = true;
    do {
        const struct timespec until = time_after(patience_ns);
        int error = 0;
        while (turns->change_count == change_count && error == 0)
            error = pthread_cond_timedwait(&turns->changed, &turns->mutex, &until);
    } while (turns->change_count == change_count && extension_count++ < turns->max_extensions &&
             is_anybody_at_work(turns, index));
    own_thread(turns)->is_waiting = false;
    return turns->change_count != change_count;
}

/* Somebody made a view of the image as of a reference: who is to decode it must not wait. */
static bool
is_late(const struct rp_decode_turns *turns, uint64_t image_id)
{
    for (uint32_t i = 0; i < turns->count && image_id; i++) {
        if (is_anothers(&turns->at[i]) && turns->at[i].image_id == image_id)
            return true;
    }
    return false;
}

/* The oldest turn of another thread before a number; or NULL. Without an image of its own the
 * caller may be late for any that is a reference. */
static struct rp_decode_turn *
first_before(struct rp_decode_turns *turns, uint64_t number, uint64_t image_id)
{
    for (uint32_t i = 0; i < turns->count && turns->at[i].number < number; i++) {
        if (is_anothers(&turns->at[i]) && (image_id || !turns->at[i].is_reference))
            return &turns->at[i];
    }
    return NULL;
}

/* Patient as long as something happens; then the oldest one ends by force. */
static void
wait_for_earlier(struct rp_decode_turns *turns, uint64_t number, uint64_t image_id)
{
    struct rp_decode_turn *first;
    while (!is_late(turns, image_id) && (first = first_before(turns, number, image_id))) {
        if (wait_for_change(turns, turns->patience_ns, -1)) {
            turns->patience_ns = RP_MIN(turns->patience_ns * 2 + 1, turns->max_patience_ns);
        } else {
            turn_end(turns, (uint32_t)(first - turns->at));
            turns->patience_ns /= 2;
        }
    }
}

/* Of the thread that is to begin after the last one; -1: any. A new round only begins when all
 * threads have begun, and so have their names. */
static int
next_index(struct rp_decode_turns *turns)
{
    if (turns->last_index < 0)
        return -1;
    const int next = turns->last_index + 1;
    if (next >= turns->thread_count)
        turns->thread_count = named_threads_find(-1).count;
    return next < turns->thread_count ? next : 0;
}

/* The thread whose turn it is may have been interrupted before anything was heard of it. */
static void
wait_for_next(struct rp_decode_turns *turns, int own, uint64_t image_id)
{
    int next;
    while (own >= 0 && !is_late(turns, image_id) &&
           (own != turns->last_index || turns->last_has_submitted) &&
           (next = next_index(turns)) >= 0 && next != own) {
        if (!wait_for_change(turns, turns->next_patience_ns, next)) {
            turns->next_patience_ns /= 2;
            return;
        }
        if (turns->last_index == next)
            turns->next_patience_ns =
                RP_MIN(turns->next_patience_ns * 5 / 4 + 1, turns->max_next_patience_ns);
    }
}

static void
turn_add(struct rp_decode_turns *turns, const struct rp_image_view *view, bool is_reference)
{
    if (turns->count == RP_DECODE_TURNS)
        turn_end(turns, 0);
    turns->at[turns->count++] = (struct rp_decode_turn){
        .view = view,
        .image_id = view ? view->img->id : 0,
        .thread = gettid(),
        .number = turns->next_number++,
        .is_reference = is_reference,
    };
    turn_announce(turns);
}

/* The calling thread's; or NULL. */
static struct rp_decode_turn *
turn_find(struct rp_decode_turns *turns)
{
    for (uint32_t i = 0; i < turns->count; i++) {
        if (!is_anothers(&turns->at[i]))
            return &turns->at[i];
    }
    return NULL;
}

static void
turn_begin(struct rp_decode_turns *turns, const struct rp_image_view *view)
{
    const uint64_t image_id = view ? view->img->id : 0;
    const int own = own_thread(turns)->index;
    wait_for_next(turns, own, image_id);
    turns->last_index = own;
    turns->last_thread = gettid();
    turns->last_has_submitted = false;
    const uint64_t number = turns->next_number;
    turn_add(turns, view, false);
    wait_for_earlier(turns, number, image_id);
}

void
rp_decode_turns_begin(struct rp_decode_turns *turns, const struct rp_image_view *view)
{
    pthread_mutex_lock(&turns->mutex);
    struct rp_decode_turn *own = turn_find(turns);
    if (!own) {
        turn_begin(turns, view);
    } else if (view && !own->view) {
        own->view = view;
        own->image_id = view->img->id;
        turn_announce(turns);
    } else if (view) {
        turn_add(turns, view, true); /* of a reference that is late */
    }
    pthread_mutex_unlock(&turns->mutex);
}

void
rp_decode_turns_forget(struct rp_decode_turns *turns, const struct rp_image_view *view)
{
    pthread_mutex_lock(&turns->mutex);
    for (uint32_t i = 0; i < turns->count; i++) {
        if (turns->at[i].view == view)
            turn_end(turns, i--);
    }
    pthread_mutex_unlock(&turns->mutex);
}

void
rp_decode_turns_submit(struct rp_decode_turns *turns, uint64_t image_id, uint32_t fields)
{
    pthread_mutex_lock(&turns->mutex);
    turns->last_has_submitted |= turns->last_thread == gettid();
    for (uint32_t i = 0; i < turns->count; i++) {
        if (turns->at[i].image_id != image_id)
            continue;
        turns->at[i].fields |= fields;
        if (turns->at[i].fields == BOTH_FIELDS)
            turn_end(turns, i--);
    }
    pthread_mutex_unlock(&turns->mutex);
}

static bool
contains(const uint64_t *ids, uint32_t count, uint64_t id)
{
    uint32_t i = 0;
    while (i < count && ids[i] != id)
        i++;
    return i < count;
}

void
rp_decode_turns_end_others(struct rp_decode_turns *turns, const uint64_t *kept_image_ids,
                           uint32_t kept_count)
{
    pthread_mutex_lock(&turns->mutex);
    for (uint32_t i = 0; i < turns->count; i++) {
        const struct rp_decode_turn *turn = &turns->at[i];
        if (!is_anothers(turn) && turn->fields == 0 && (turn->view || kept_image_ids) &&
            !contains(kept_image_ids, kept_count, turn->image_id))
            turn_end(turns, i--);
    }
    pthread_mutex_unlock(&turns->mutex);
}

void
rp_decode_turns_picture_begin(struct rp_decode_turns *turns)
{
    atomic_fetch_add(&turns->under_way_count, 1);
}

void
rp_decode_turns_picture_end(struct rp_decode_turns *turns)
{
    atomic_fetch_sub(&turns->under_way_count, 1);
}
