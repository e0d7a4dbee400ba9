/* SPDX-License-Identifier: MIT */
/* Jobs of an encoder that codes them one after the other, in the order in which they began, on
 * whatever thread: rate control goes on from each to the next.
 */
#ifndef RP_CODECS_RATE_TURNS_H
#define RP_CODECS_RATE_TURNS_H

#include "control.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

/* A job from begin() to the end of encode(). */
struct rp_turn {
    struct rp_turn *next_free;
    uint64_t number;
    struct rp_rate_snapshot rate; /* of jobs with rate control */
};

struct rp_turns {
    pthread_mutex_t mutex; /* of what follows */
    pthread_cond_t has_ended;
    uint64_t begun_count;
    uint64_t ended_count;
    bool is_busy;         /* somebody has the turn */
    struct rp_turn *free; /* owned list; as many as were ever on their way at once */
};

void rp_turns_init(struct rp_turns *turns);
void rp_turns_finish(struct rp_turns *turns); /* nobody is on the way */

/* A job begins. control: its rate control, or NULL. NULL when memory is short. */
struct rp_turn *rp_turns_take(struct rp_turns *turns, const struct rp_rate_control *control);

/* Waits until it is this job's turn; NULL: until it is nobody's. */
void rp_turns_begin(struct rp_turns *turns, const struct rp_turn *turn);

/* turn: as it began; a job has ended with it. */
void rp_turns_end(struct rp_turns *turns, struct rp_turn *turn);

#endif
