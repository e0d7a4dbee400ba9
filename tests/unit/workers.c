/* SPDX-License-Identifier: MIT */
/* The order of tasks: each may wait for those before it, also where one thread is all there is and
 * another thread runs one of them itself.
 */
#include "reelpipe/workers.h"

#include "test.h"
#include "util/compiler.h"

#include <pthread.h>
#include <time.h>

#define CHAIN 6 /* tasks, each waiting for the one before it */
#define PATIENCE_S 20

struct link {
    struct rp_task task;
    struct chain *chain;
    bool is_done; /* guarded by the chain's mutex */
    bool is_first;
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

    pthread_mutex_lock(&chain->mutex);
    while (!other->is_done)
        REQUIRE_EQ(pthread_cond_timedwait(&chain->changed, &chain->mutex, &until), 0);
    pthread_mutex_unlock(&chain->mutex);
}

static void
link_run(struct rp_task *task)
{
    struct link *link = rp_container_of(task, struct link, task);
    struct chain *chain = link->chain;

    if (!link->is_first)
        wait_for(link - 1);
    pthread_mutex_lock(&chain->mutex);
    link->is_done = true;
    pthread_cond_broadcast(&chain->changed);
    pthread_mutex_unlock(&chain->mutex);
}

static void
chain_init(struct chain *chain, uint32_t thread_count)
{
    *chain = (struct chain){.workers = rp_workers_create(thread_count)};
    REQUIRE(chain->workers);
    pthread_mutex_init(&chain->mutex, NULL);
    pthread_cond_init(&chain->changed, NULL);
    for (uint32_t i = 0; i < CHAIN; i++)
        chain->links[i] = (struct link){.task.run = link_run, .chain = chain, .is_first = i == 0};
}

static void
chain_finish(struct chain *chain)
{
    rp_workers_destroy(chain->workers); /* waits for them */
    for (uint32_t i = 0; i < CHAIN; i++)
        REQUIRE(chain->links[i].is_done);
    pthread_cond_destroy(&chain->changed);
    pthread_mutex_destroy(&chain->mutex);
}

static void
tasks_start_in_order(uint32_t thread_count)
{
    struct chain chain;
    chain_init(&chain, thread_count);
    for (uint32_t i = 0; i < CHAIN; i++)
        rp_workers_queue(chain.workers, &chain.links[i].task);
    rp_workers_start(chain.workers);
    chain_finish(&chain);
}

/* Nobody is awake, so the order is the test's own. */
static void
only_the_next_task_is_taken(uint32_t thread_count)
{
    struct chain chain;
    chain_init(&chain, thread_count);
    for (uint32_t i = 0; i < 3; i++)
        rp_workers_queue(chain.workers, &chain.links[i].task);

    REQUIRE(!rp_workers_try_take(chain.workers, &chain.links[1].task));
    REQUIRE(rp_workers_try_take(chain.workers, &chain.links[0].task));
    REQUIRE(!rp_workers_try_take(chain.workers, &chain.links[0].task));
    const bool has_room = rp_workers_try_take(chain.workers, &chain.links[1].task);
    REQUIRE_EQ(has_room, thread_count > 1);
    link_run(&chain.links[0].task);
    if (has_room) {
        link_run(&chain.links[1].task);
        rp_workers_leave(chain.workers);
    }
    rp_workers_leave(chain.workers); /* starts the others */
    wait_for(&chain.links[2]);

    for (uint32_t i = 3; i < CHAIN; i++)
        rp_workers_submit(chain.workers, &chain.links[i].task);
    chain_finish(&chain);
}

int
main(void)
{
    for (uint32_t thread_count = 1; thread_count <= 3; thread_count++) {
        tasks_start_in_order(thread_count);
        only_the_next_task_is_taken(thread_count);
    }
    return 0;
}
