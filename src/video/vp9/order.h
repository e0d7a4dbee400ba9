/* SPDX-License-Identifier: MIT */
/* The pictures of a session in the order in which they were submitted.
 *
 * A picture of VP9 needs what the one before it left behind (probabilities, motion vectors,
 * segments), whether it refers to it or not; and applications may submit them to several queues, as
 * FFmpeg does, which then run at their own pace. So a picture waits for those that were submitted
 * before it.
 */
#ifndef RP_VIDEO_VP9_ORDER_H
#define RP_VIDEO_VP9_ORDER_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#define RP_VP9_EXPECTED_PICTURES 64

struct rp_vp9_expected {
    bool is_used;
    uint64_t sequence; /* of the submission */
};

/* Zeroed and then initialised. */
struct rp_vp9_order {
    pthread_mutex_t mutex; /* guards these two: who submits does not wait for a picture */
    struct rp_vp9_expected expected[RP_VP9_EXPECTED_PICTURES]; /* submitted, not decoded; a ring */
    uint32_t next;

    pthread_cond_t changed; /* with the session's mutex */
};

void rp_vp9_order_init(struct rp_vp9_order *order);
void rp_vp9_order_finish(struct rp_vp9_order *order);

/* A picture was submitted. */
void rp_vp9_order_expect(struct rp_vp9_order *order, uint64_t sequence);

/* A picture is about to be decoded: waits, with the mutex, until none of an earlier submission is
 * expected; but not for long. */
void rp_vp9_order_enter(struct rp_vp9_order *order, pthread_mutex_t *mutex, uint64_t sequence);

/* The picture was decoded, or it will not be: nobody is to wait for it. With the session's
 * mutex. */
void rp_vp9_order_leave(struct rp_vp9_order *order, uint64_t sequence);

#endif
