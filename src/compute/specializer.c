/* SPDX-License-Identifier: MIT */
#include "compute/specializer.h"

#include "platform/thread.h"
#include "util/alloc.h"

#include <stdatomic.h>

struct rp_specializer {
    pthread_mutex_t mutex; /* guards what follows, but for memory */
    pthread_cond_t has_work;
    struct rp_specializer_task *first, **last;
    pthread_t thread;
    bool has_thread;
    bool is_ending;
    size_t memory_limit_B;
    atomic_size_t memory_B;
};

struct rp_specializer *
rp_specializer_create(size_t memory_limit_B)
{
    struct rp_specializer *s = rp_zalloc(NULL, sizeof(*s), _Alignof(struct rp_specializer),
                                         VK_SYSTEM_ALLOCATION_SCOPE_DEVICE);
    if (!s)
        return NULL;
    pthread_mutex_init(&s->mutex, NULL);
    pthread_cond_init(&s->has_work, NULL);
    s->last = &s->first;
    s->memory_limit_B = memory_limit_B;
    atomic_init(&s->memory_B, 0);
    return s;
}

void
rp_specializer_destroy(struct rp_specializer *s)
{
    if (!s)
        return;
    pthread_mutex_lock(&s->mutex);
    s->is_ending = true;
    pthread_cond_signal(&s->has_work);
    pthread_mutex_unlock(&s->mutex);
    if (s->has_thread) {
        rp_thread_run_normally(s->thread); /* somebody waits for it now */
        pthread_join(s->thread, NULL);
    }
    pthread_cond_destroy(&s->has_work);
    pthread_mutex_destroy(&s->mutex);
    rp_free(NULL, s);
}

/* With the mutex held. */
static struct rp_specializer_task *
pop(struct rp_specializer *s)
{
    struct rp_specializer_task *task = s->first;
    s->first = task->next;
    if (!s->first)
        s->last = &s->first;
    return task;
}

static void *
specializer_thread(void *arg)
{
    struct rp_specializer *s = arg;
    rp_thread_run_idly();
    pthread_mutex_lock(&s->mutex);
    while (s->first || !s->is_ending) {
        if (!s->first) {
            pthread_cond_wait(&s->has_work, &s->mutex);
            continue;
        }
        struct rp_specializer_task *task = pop(s);
        const bool is_wanted = !s->is_ending;
        pthread_mutex_unlock(&s->mutex);
        task->run(task, is_wanted);
        pthread_mutex_lock(&s->mutex);
    }
    pthread_mutex_unlock(&s->mutex);
    return NULL;
}

bool
rp_specializer_try_submit(struct rp_specializer *s, struct rp_specializer_task *task)
{
    if (pthread_mutex_trylock(&s->mutex) != 0)
        return false;
    if (!s->has_thread)
        s->has_thread = rp_thread_create(&s->thread, "rp-specializer", specializer_thread, s);
    if (s->has_thread) {
        task->next = NULL;
        *s->last = task;
        s->last = &task->next;
        pthread_cond_signal(&s->has_work);
    }
    const bool is_queued = s->has_thread;
    pthread_mutex_unlock(&s->mutex);
    return is_queued;
}

bool
rp_specializer_take_memory(struct rp_specializer *s, size_t size_B)
{
    if (size_B > s->memory_limit_B)
        return false;
    if (atomic_fetch_add(&s->memory_B, size_B) <= s->memory_limit_B - size_B)
        return true;
    atomic_fetch_sub(&s->memory_B, size_B);
    return false;
}

void
rp_specializer_give_memory(struct rp_specializer *s, size_t size_B)
{
    atomic_fetch_sub(&s->memory_B, size_B);
}
