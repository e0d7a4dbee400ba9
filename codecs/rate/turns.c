/* SPDX-License-Identifier: MIT */
#include "turns.h"

#include "util/alloc.h"

void
rp_turns_init(struct rp_turns *turns)
{
    *turns = (struct rp_turns){0};
    pthread_mutex_init(&turns->mutex, NULL);
    pthread_cond_init(&turns->has_ended, NULL);
}

void
rp_turns_finish(struct rp_turns *turns)
{
    while (turns->free) {
        struct rp_turn *turn = turns->free;
        turns->free = turn->next_free;
        rp_free(NULL, turn);
    }
    pthread_cond_destroy(&turns->has_ended);
    pthread_mutex_destroy(&turns->mutex);
}

/* With the mutex. */
static struct rp_turn *
take(struct rp_turns *turns)
{
    struct rp_turn *turn = turns->free;
    if (!turn)
        return rp_zalloc(NULL, sizeof(*turn), _Alignof(struct rp_turn),
                         VK_SYSTEM_ALLOCATION_SCOPE_OBJECT);
    turns->free = turn->next_free;
    return turn;
}

struct rp_turn *
rp_turns_take(struct rp_turns *turns, const struct rp_rate_control *control)
{
    pthread_mutex_lock(&turns->mutex);
    struct rp_turn *turn = take(turns);
    if (turn) {
        turn->number = turns->begun_count++;
        if (control)
            turn->rate = control->next;
    }
    pthread_mutex_unlock(&turns->mutex);
    return turn;
}

void
rp_turns_begin(struct rp_turns *turns, const struct rp_turn *turn)
{
    pthread_mutex_lock(&turns->mutex);
    while (turns->is_busy || (turn && turns->ended_count != turn->number))
        pthread_cond_wait(&turns->has_ended, &turns->mutex);
    turns->is_busy = true;
    pthread_mutex_unlock(&turns->mutex);
}

void
rp_turns_end(struct rp_turns *turns, struct rp_turn *turn)
{
    pthread_mutex_lock(&turns->mutex);
    turns->is_busy = false;
    if (turn) {
        turns->ended_count++;
        turn->next_free = turns->free;
        turns->free = turn;
    }
    pthread_cond_broadcast(&turns->has_ended);
    pthread_mutex_unlock(&turns->mutex);
}
