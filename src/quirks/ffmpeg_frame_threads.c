/* SPDX-License-Identifier: MIT */
/* A short list of the open pictures, in the order in which they are to be submitted.
 */
#include "quirks/ffmpeg_frame_threads.h"

#include "platform/clock.h"
#include "platform/condition.h"
#include "util/compiler.h"

#include <stddef.h>
#include <stdio.h>

/* Longer than a thread that is about to submit is kept from it. */
#define MAX_PATIENCE_NS UINT64_C(100000000)
#define MAX_NEXT_PATIENCE_NS UINT64_C(50000000)

/* Where more threads want to run than can, it may be kept from it for longer: so often a wait is
 * extended while somebody is at work (is_anybody_at_work). */
#define MAX_EXTENSIONS 50

#define BOTH_FIELDS 3u

void
rp_frame_threads_init(struct rp_frame_threads *threads)
{
    pthread_mutex_init(&threads->mutex, NULL);
    rp_condition_init(&threads->changed);
    threads->last_index = -1;
    threads->patience_ns = threads->max_patience_ns = MAX_PATIENCE_NS;
    threads->next_patience_ns = threads->max_next_patience_ns = MAX_NEXT_PATIENCE_NS;
    threads->max_extensions = MAX_EXTENSIONS;
}

void
rp_frame_threads_finish(struct rp_frame_threads *threads)
{
    pthread_cond_destroy(&threads->changed);
    pthread_mutex_destroy(&threads->mutex);
}

/* All static functions that take threads are called with the mutex held. */
static void
note_change(struct rp_frame_threads *threads)
{
    threads->change_count++;
    pthread_cond_broadcast(&threads->changed);
}

static void
picture_close(struct rp_frame_threads *threads, uint32_t index)
{
    threads->open_count--;
    for (uint32_t i = index; i < threads->open_count; i++)
        threads->open[i] = threads->open[i + 1];
    note_change(threads);
}

static bool
is_anothers(const struct rp_open_picture *pic)
{
    return pic->thread != rp_thread_own_id();
}

/* FFmpeg calls the threads of a decoder av:h264:df0, df1 and so on, and pictures go to them in this
 * order, round by round. -1: another thread. */
static int
index_of_name(const char *name)
{
    int index;
    return sscanf(name, "av:%*[^:]:df%d", &index) == 1 ? index : -1;
}

/* Threads of FFmpeg's decoders, whether they use this device or not; none when the system does not
 * tell. */
struct named_threads {
    int wanted_index;
    int count;           /* of one decoder */
    bool is_wanted_busy; /* one with wanted_index is */
};

static void
named_threads_visit(void *ctx, const struct rp_thread_state *state)
{
    struct named_threads *named = ctx;
    const int index = index_of_name(state->name);
    if (index < 0)
        return;
    named->count = RP_MAX(named->count, index + 1);
    named->is_wanted_busy |= index == named->wanted_index && state->is_busy;
}

static struct named_threads
named_threads_find(int wanted_index)
{
    struct named_threads named = {.wanted_index = wanted_index};
    rp_thread_states_visit(named_threads_visit, &named);
    return named;
}

/* The calling thread's entry, made when there is none. */
static struct rp_frame_thread *
own_thread(struct rp_frame_threads *threads)
{
    const rp_thread_id id = rp_thread_own_id();
    for (uint32_t i = 0; i < RP_FRAME_THREADS; i++) {
        if (threads->threads[i].id == id)
            return &threads->threads[i];
    }
    char name[RP_THREAD_NAME_B];
    rp_thread_own_name(name);
    struct rp_frame_thread *thread = &threads->threads[threads->next_thread];
    threads->next_thread = (threads->next_thread + 1) % RP_FRAME_THREADS;
    *thread = (struct rp_frame_thread){.id = id, .index = index_of_name(name)};
    return thread;
}

/* Threads that may be about to go on: not those that wait here like the caller. Whatever keeps one
 * of them from running may keep another one waiting for it, in a lock of FFmpeg's. */
static uint32_t
threads_list(const struct rp_frame_threads *threads, rp_thread_id ids[RP_FRAME_THREADS])
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < RP_FRAME_THREADS; i++) {
        const struct rp_frame_thread *thread = &threads->threads[i];
        if (thread->id && !thread->is_waiting && thread->id != rp_thread_own_id())
            ids[count++] = thread->id;
    }
    return count;
}

static bool
is_known(const struct rp_frame_threads *threads, int index)
{
    for (uint32_t i = 0; i < RP_FRAME_THREADS; i++) {
        if (threads->threads[i].id && threads->threads[i].index == index)
            return true;
    }
    return false;
}

static void
thread_forget(struct rp_frame_threads *threads, rp_thread_id id)
{
    for (uint32_t i = 0; i < RP_FRAME_THREADS; i++) {
        if (threads->threads[i].id == id)
            threads->threads[i] = (struct rp_frame_thread){.id = 0};
    }
}

/* Whether anybody that the caller may wait for is at work: pictures that are decoded, which FFmpeg
 * waits for before it submits more; threads of this device's decoders; or one that has not been
 * here yet, of which only the name is known (-1: none). The application's other decoders are none
 * of its business. */
static bool
is_anybody_at_work(struct rp_frame_threads *threads, int index)
{
    if (atomic_load(&threads->undecoded_count) > 0)
        return true;
    rp_thread_id ids[RP_FRAME_THREADS];
    const uint32_t count = threads_list(threads, ids);
    const bool is_named = index >= 0 && !is_known(threads, index);
    bool is_any = false;

    /* Without the mutex: a thread that waits for it would look as if it were at rest. */
    pthread_mutex_unlock(&threads->mutex);
    bool is_gone[RP_FRAME_THREADS];
    for (uint32_t i = 0; i < count; i++) {
        struct rp_thread_state state;
        is_gone[i] = !rp_thread_state_read(ids[i], &state);
        is_any |= !is_gone[i] && state.is_busy;
    }
    if (!is_any && is_named)
        is_any = named_threads_find(index).is_wanted_busy;
    pthread_mutex_lock(&threads->mutex);
    for (uint32_t i = 0; i < count; i++) {
        if (is_gone[i])
            thread_forget(threads, ids[i]);
    }
    return is_any;
}

/* Waits until pictures are opened or closed; false when nothing happens. index: as in
 * is_anybody_at_work. */
static bool
wait_for_change(struct rp_frame_threads *threads, uint64_t patience_ns, int index)
{
    const uint64_t change_count = threads->change_count;
    uint32_t extension_count = 0;
    own_thread(threads)->is_waiting = true;
    do {
        const uint64_t until_ns = rp_clock_now_ns() + patience_ns;
        while (threads->change_count == change_count &&
               rp_condition_wait_until(&threads->changed, &threads->mutex, until_ns)) {
        }
    } while (threads->change_count == change_count && extension_count++ < threads->max_extensions &&
             is_anybody_at_work(threads, index));
    own_thread(threads)->is_waiting = false;
    return threads->change_count != change_count;
}

/* Another thread made a view of the image as of a reference: who is to decode it must not wait. */
static bool
is_awaited(const struct rp_frame_threads *threads, uint64_t image_id)
{
    for (uint32_t i = 0; i < threads->open_count && image_id; i++) {
        if (is_anothers(&threads->open[i]) && threads->open[i].image_id == image_id)
            return true;
    }
    return false;
}

/* The oldest open picture of another thread before a number; or NULL. Without an image of its own
 * the caller may be awaited for any that is a reference. */
static struct rp_open_picture *
first_before(struct rp_frame_threads *threads, uint64_t number, uint64_t image_id)
{
    for (uint32_t i = 0; i < threads->open_count && threads->open[i].number < number; i++) {
        if (is_anothers(&threads->open[i]) && (image_id || !threads->open[i].is_reference))
            return &threads->open[i];
    }
    return NULL;
}

/* Patient as long as something happens; then the oldest picture is closed by force. */
static void
wait_for_earlier(struct rp_frame_threads *threads, uint64_t number, uint64_t image_id)
{
    struct rp_open_picture *first;
    while (!is_awaited(threads, image_id) && (first = first_before(threads, number, image_id))) {
        if (wait_for_change(threads, threads->patience_ns, -1)) {
            threads->patience_ns = RP_MIN(threads->patience_ns * 2 + 1, threads->max_patience_ns);
        } else {
            picture_close(threads, (uint32_t)(first - threads->open));
            threads->patience_ns /= 2;
        }
    }
}

/* The index of the thread that is to begin after the last one; -1: any. A new round only begins
 * when all threads have begun, and so have their names. */
static int
next_index(struct rp_frame_threads *threads)
{
    if (threads->last_index < 0)
        return -1;
    const int next = threads->last_index + 1;
    if (next >= threads->thread_count)
        threads->thread_count = named_threads_find(-1).count;
    return next < threads->thread_count ? next : 0;
}

/* The thread that comes next may have been interrupted before anything was heard of its picture. */
static void
wait_for_next(struct rp_frame_threads *threads, int own, uint64_t image_id)
{
    int next;
    while (own >= 0 && !is_awaited(threads, image_id) &&
           (own != threads->last_index || threads->last_has_submitted) &&
           (next = next_index(threads)) >= 0 && next != own) {
        if (!wait_for_change(threads, threads->next_patience_ns, next)) {
            threads->next_patience_ns /= 2;
            return;
        }
        if (threads->last_index == next)
            threads->next_patience_ns =
                RP_MIN(threads->next_patience_ns * 5 / 4 + 1, threads->max_next_patience_ns);
    }
}

static void
picture_open(struct rp_frame_threads *threads, uint64_t view_id, uint64_t image_id,
             bool is_reference)
{
    if (threads->open_count == RP_FRAME_THREADS)
        picture_close(threads, 0);
    threads->open[threads->open_count++] = (struct rp_open_picture){
        .view_id = view_id,
        .image_id = image_id,
        .thread = rp_thread_own_id(),
        .number = threads->next_number++,
        .is_reference = is_reference,
    };
    note_change(threads);
}

/* The calling thread's; or NULL. */
static struct rp_open_picture *
own_picture(struct rp_frame_threads *threads)
{
    for (uint32_t i = 0; i < threads->open_count; i++) {
        if (!is_anothers(&threads->open[i]))
            return &threads->open[i];
    }
    return NULL;
}

static void
picture_begin(struct rp_frame_threads *threads, uint64_t view_id, uint64_t image_id)
{
    const int own = own_thread(threads)->index;
    wait_for_next(threads, own, image_id);
    threads->last_index = own;
    threads->last_thread = rp_thread_own_id();
    threads->last_has_submitted = false;
    const uint64_t number = threads->next_number;
    picture_open(threads, view_id, image_id, false);
    wait_for_earlier(threads, number, image_id);
}

void
rp_frame_threads_begin_picture(struct rp_frame_threads *threads, uint64_t view_id,
                               uint64_t image_id)
{
    pthread_mutex_lock(&threads->mutex);
    struct rp_open_picture *own = own_picture(threads);
    if (!own) {
        picture_begin(threads, view_id, image_id);
    } else if (view_id && !own->view_id) {
        own->view_id = view_id;
        own->image_id = image_id;
        note_change(threads);
    } else if (view_id) {
        picture_open(threads, view_id, image_id, true); /* a reference whose thread is late */
    }
    pthread_mutex_unlock(&threads->mutex);
}

void
rp_frame_threads_forget_view(struct rp_frame_threads *threads, uint64_t view_id)
{
    pthread_mutex_lock(&threads->mutex);
    for (uint32_t i = 0; i < threads->open_count; i++) {
        if (threads->open[i].view_id == view_id)
            picture_close(threads, i--);
    }
    pthread_mutex_unlock(&threads->mutex);
}

void
rp_frame_threads_submit(struct rp_frame_threads *threads, uint64_t image_id, uint32_t fields)
{
    pthread_mutex_lock(&threads->mutex);
    threads->last_has_submitted |= threads->last_thread == rp_thread_own_id();
    for (uint32_t i = 0; i < threads->open_count; i++) {
        if (threads->open[i].image_id != image_id)
            continue;
        threads->open[i].fields |= fields;
        if (threads->open[i].fields == BOTH_FIELDS)
            picture_close(threads, i--);
    }
    pthread_mutex_unlock(&threads->mutex);
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
rp_frame_threads_close_others(struct rp_frame_threads *threads, const uint64_t *kept_image_ids,
                              uint32_t kept_count)
{
    pthread_mutex_lock(&threads->mutex);
    for (uint32_t i = 0; i < threads->open_count; i++) {
        const struct rp_open_picture *pic = &threads->open[i];
        if (!is_anothers(pic) && pic->fields == 0 && (pic->view_id || kept_image_ids) &&
            !contains(kept_image_ids, kept_count, pic->image_id))
            picture_close(threads, i--);
    }
    pthread_mutex_unlock(&threads->mutex);
}

void
rp_frame_threads_note_submitted(struct rp_frame_threads *threads)
{
    atomic_fetch_add(&threads->undecoded_count, 1);
}

void
rp_frame_threads_note_decoded(struct rp_frame_threads *threads)
{
    atomic_fetch_sub(&threads->undecoded_count, 1);
}
