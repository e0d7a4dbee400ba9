/* SPDX-License-Identifier: MIT */
/* Serialises the frame threads of FFmpeg 6.1 to 8: each thread waits with its picture until those
 * before it are submitted.
 *
 * These FFmpegs decode with frame threads and guard nothing (their hwaccel says THREAD_SAFE; that
 * of FFmpeg 9 does not). A thread makes a view of its picture's image, collects slices and submits.
 * The next thread begins meanwhile: it submits before its reference was, which is invalid use, and
 * it begins the reference's slices anew while they are being collected, so that the stream is lost
 * before anybody else has seen it. The only call of a thread that comes before all this is
 * vkCreateImageView (or, with new parameter sets, vkCreateVideoSessionParametersKHR). So that is
 * where it waits: until the pictures that are open are submitted, and until the thread has begun
 * whose picture comes first by FFmpeg's order of its threads.
 *
 * A picture is open from the view of its image to its submission. An FFmpeg that decodes with one
 * thread never waits.
 */
#ifndef RP_QUIRKS_FFMPEG_FRAME_THREADS_H
#define RP_QUIRKS_FFMPEG_FRAME_THREADS_H

#include "platform/thread_state.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#define RP_FRAME_THREADS 32 /* more than FFmpeg starts by itself */

struct rp_open_picture {
    uint64_t view_id;    /* 0: none yet */
    uint64_t image_id;   /* 0: none yet */
    rp_thread_id thread; /* that made the view */
    uint64_t number;     /* pictures are submitted in this order */
    uint32_t fields;     /* that were submitted */
    bool is_reference;   /* of the thread's own picture: another thread is to decode it */
};

/* A thread that has begun pictures of this device. */
struct rp_frame_thread {
    rp_thread_id id; /* 0: none */
    int index;       /* in FFmpeg's name of it; -1: it has no such name */
    bool is_waiting; /* in begin_picture, for others */
};

struct rp_frame_threads {
    atomic_int undecoded_count; /* pictures that were submitted and are not decoded */
    pthread_mutex_t mutex;      /* guards all that follows; no lock is taken with it held */
    pthread_cond_t changed;     /* change_count */
    struct rp_open_picture open[RP_FRAME_THREADS]; /* by number */
    uint32_t open_count;
    uint64_t next_number;
    uint64_t change_count;    /* grows when a picture is opened or closed */
    int last_index;           /* of the thread that began the last picture; -1: it has no name */
    rp_thread_id last_thread; /* the same one */
    bool last_has_submitted;  /* so its next picture is of another round */
    struct rp_frame_thread threads[RP_FRAME_THREADS]; /* a ring */
    uint32_t next_thread;
    int thread_count; /* of one decoder, as far as it is known */

    /* Limits of waits, so that an application that does something else goes on: how long for an
     * open picture to be submitted, and for the next thread to begin one. They shrink with each
     * wait that was in vain and grow to their max again. A wait is extended, so many times at most,
     * while a thread that it may be for is at work. */
    uint64_t patience_ns;
    uint64_t next_patience_ns;
    uint64_t max_patience_ns;
    uint64_t max_next_patience_ns;
    uint32_t max_extensions;
};

void rp_frame_threads_init(struct rp_frame_threads *threads);
void rp_frame_threads_finish(struct rp_frame_threads *threads);

/* The calling thread opens a picture with a new view (0, 0: with new session parameters; the view
 * follows), and waits for those of other threads. */
void rp_frame_threads_begin_picture(struct rp_frame_threads *threads, uint64_t view_id,
                                    uint64_t image_id);

/* The view is destroyed, and its picture is not open any more. */
void rp_frame_threads_forget_view(struct rp_frame_threads *threads, uint64_t view_id);

/* Fields of the image were submitted: with both of them its picture is not open any more. */
void rp_frame_threads_submit(struct rp_frame_threads *threads, uint64_t image_id, uint32_t fields);

/* The calling thread has submitted something: its other pictures are not open any more, their views
 * were of another kind; but for those of images that it waits for itself. kept_image_ids is NULL
 * when what it has submitted decodes nothing. */
void rp_frame_threads_close_others(struct rp_frame_threads *threads, const uint64_t *kept_image_ids,
                                   uint32_t kept_count);

/* A picture was submitted, whether it was open or not; and it was decoded, or will not be. */
void rp_frame_threads_note_submitted(struct rp_frame_threads *threads);
void rp_frame_threads_note_decoded(struct rp_frame_threads *threads);

#endif
