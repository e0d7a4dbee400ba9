/* SPDX-License-Identifier: MIT */
/* Tasks that wait for other tasks: the others run meanwhile, also where one thread is all there is.
 */
#include "reelpipe/workers.h"

#include "test.h"
#include "util/compiler.h"

#include <pthread.h>
#include <time.h>

#define CHAIN 6 /* tasks, each waiting for the one that is submitted after it */
#define PATIENCE_S 20

struct link {
    struct rp_task task;
    struct chain *chain;
    bool is_done; /* guarded by the chain's mutex */
    bool is_last;
};

struct chain {
    struct rp_workers *workers;
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    struct link links[CHAIN];
};

static void
wait_for(struct link *other)
{
    struct chain *chain = other->chain;
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += PATIENCE_S;

    rp_workers_wait_begin(chain->workers);
    pthread_mutex_lock(&chain->mutex);
    while (!other->is_done)
        REQUIRE_EQ(pthread_cond_timedwait(&chain->changed, &chain->mutex, &until), 0);
    pthread_mutex_unlock(&chain->mutex);
    rp_workers_wait_end(chain->workers);
}

static void
link_run(struct rp_task *task)
{
    struct link *link = rp_container_of(task, struct link, task);
    struct chain *chain = link->chain;

    if (!link->is_last)
        wait_for(link + 1);
    pthread_mutex_lock(&chain->mutex);
    link->is_done = true;
    pthread_cond_broadcast(&chain->changed);
    pthread_mutex_unlock(&chain->mutex);
}

/* Of a pool of thread_count threads, as many again may stand in for those that wait. */
static void
waiting_tasks_let_later_ones_run(uint32_t thread_count)
{
    struct chain chain = {.workers = rp_workers_create(thread_count)};
    REQUIRE(chain.workers);
    pthread_mutex_init(&chain.mutex, NULL);
    pthread_cond_init(&chain.changed, NULL);
    const uint32_t count = 2 * thread_count < CHAIN ? 2 * thread_count : CHAIN;

    for (uint32_t i = 0; i < count; i++)
        chain.links[i] = (struct link){
            .task.run = link_run, .chain = &chain, .is_last = i + 1 == count};
    for (uint32_t i = 0; i < count; i++)
        rp_workers_submit(chain.workers, &chain.links[i].task);
    rp_workers_destroy(chain.workers); /* waits for them */

    for (uint32_t i = 0; i < count; i++)
        REQUIRE(chain.links[i].is_done);
    pthread_cond_destroy(&chain.changed);
    pthread_mutex_destroy(&chain.mutex);
}

int
main(void)
{
    waiting_tasks_let_later_ones_run(1);
    waiting_tasks_let_later_ones_run(2);
    waiting_tasks_let_later_ones_run(3);
    return 0;
}
