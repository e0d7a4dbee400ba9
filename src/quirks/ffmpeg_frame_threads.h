/* SPDX-License-Identifier: MIT */
/* Threads that decode one stream take turns: from the view of a picture to its submission.
 *
 * FFmpeg 6.1 to 8 decodes with frame threads and guards nothing (its hwaccel says THREAD_SAFE;
 * FFmpeg 9's does not). A thread makes a view of its picture's image, collects slices and submits.
 * The next one begins meanwhile: it submits before its reference was, which is invalid use, and it
 * begins the reference's slices anew while they are being collected, so that the stream is lost
 * before anybody else has seen it. The one call of its that comes before is vkCreateImageView (with
 * new parameter sets vkCreateVideoSessionParametersKHR); so there it waits for the turns that are
 * open, and for the thread whose turn it would be.
 *
 * An application that takes turns by itself never waits, and others than FFmpeg are not asked to.
 */
#ifndef RP_OBJECT_DECODE_TURNS_H
#define RP_OBJECT_DECODE_TURNS_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#define RP_DECODE_TURNS 32 /* more than threads that FFmpeg starts by itself */

struct rp_image_view;

struct rp_decode_turn {
    const struct rp_image_view *view; /* borrowed; only compared; NULL: none yet */
    uint64_t image_id;                /* 0: none yet */
    pid_t thread;                     /* that made the view */
    uint64_t number;                  /* they end in this order */
    uint32_t fields;                  /* that were submitted; enum of video/decode_order.h */
    bool is_reference;                /* of the thread's picture: another thread is to decode it */
};

/* A thread that has had turns of this device. */
struct rp_decode_thread {
    pid_t id;
    int index;       /* in FFmpeg's name of it; -1: none */
    bool is_waiting; /* here, for others */
};

struct rp_decode_turns {
    atomic_int under_way_count; /* pictures that were submitted and are not decoded */
    pthread_mutex_t mutex;      /* guards all that follow; taken last of all locks */
    pthread_cond_t changed;
    struct rp_decode_turn at[RP_DECODE_TURNS];
    uint32_t count;
    uint64_t next_number;
    uint64_t change_count; /* of begins and ends */
    int last_index;        /* of the thread that began the last one; -1: none of FFmpeg's */
    pid_t last_thread;
    bool last_has_submitted;                          /* so its next picture is of another round */
    struct rp_decode_thread threads[RP_DECODE_TURNS]; /* a ring; id 0: none */
    uint32_t next_thread;
    int thread_count;          /* of one decoder, known by now */
    uint64_t patience_ns;      /* how long is waited for a turn to end; less after each in vain */
    uint64_t next_patience_ns; /* the same for one to begin */
    uint64_t max_patience_ns;  /* what they are at first */
    uint64_t max_next_patience_ns;
    uint32_t max_extensions; /* of a wait, while somebody is at work */
};

void rp_decode_turns_init(struct rp_decode_turns *turns);
void rp_decode_turns_finish(struct rp_decode_turns *turns);

/* A turn of the calling thread begins with a new view (NULL: with new session parameters; the view
 * follows); it waits for those of other threads. */
void rp_decode_turns_begin(struct rp_decode_turns *turns, const struct rp_image_view *view);

/* The view is destroyed: its turn ends. */
void rp_decode_turns_forget(struct rp_decode_turns *turns, const struct rp_image_view *view);

/* Fields of the image were submitted: with both of them its turns end. */
void rp_decode_turns_submit(struct rp_decode_turns *turns, uint64_t image_id, uint32_t fields);

/* The calling thread has submitted something: its other turns end, they were for views of another
 * kind; but not those of images that it waits for itself. */
void rp_decode_turns_end_others(struct rp_decode_turns *turns, const uint64_t *kept_image_ids,
                                uint32_t kept_count);

/* A picture was submitted, whatever the turns; and it was decoded, or will not be. */
void rp_decode_turns_picture_begin(struct rp_decode_turns *turns);
void rp_decode_turns_picture_end(struct rp_decode_turns *turns);

#endif
