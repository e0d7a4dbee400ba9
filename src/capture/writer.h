/* SPDX-License-Identifier: MIT */
/* The three files that a capture grows by, written by threads of its own.
 *
 * Pieces of blobs.bin and lines of both text files stand in one queue, in the order in which the
 * capture adds them, and are written in this order: when a line is on the disk, so is all that it
 * refers to. Any number of pieces is compressed at once meanwhile. The queue holds at most
 * RP_WRITER_QUEUE_B of memory; who adds to a full one waits.
 *
 * The first write that fails is the last one: nothing is written after it, and all that adds to
 * the queue is told so.
 */
#ifndef RP_CAPTURE_WRITER_H
#define RP_CAPTURE_WRITER_H

#include "util/compiler.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RP_WRITER_QUEUE_B ((size_t)64 << 20)
#define RP_WRITER_THREADS 8u

struct rp_zstd;

enum rp_writer_file {
    RP_WRITER_BLOBS,
    RP_WRITER_OBJECTS,
    RP_WRITER_SUBMITS,
    RP_WRITER_FILE_COUNT,
};

/* Bytes on their way to a file: of a piece, room for its header comes first. */
struct rp_writer_item {
    struct rp_writer_item *next;
    size_t capacity_B; /* of bytes */
    size_t size_B;     /* of a piece: of its data alone, until it is coded */
    uint64_t hash;     /* of a piece */
    enum rp_writer_file file;
    bool is_ready; /* to be written: under the mutex */
    _Alignas(16) uint8_t bytes[];
};

struct rp_writer_thread {
    struct rp_writer *writer;
    pthread_t id;
    void *zstd_context; /* owned; NULL: it stores pieces as they are */
    uint8_t *coded;     /* owned, with a context: of a piece */
    size_t coded_B;
    uint8_t *differences; /* owned, with a context: RP_BLOB_MAX_B */
};

struct rp_writer {
    int files[RP_WRITER_FILE_COUNT];
    const struct rp_zstd *zstd; /* NULL: pieces are stored as they are */
    int level;
    struct rp_writer_thread threads[RP_WRITER_THREADS];
    uint32_t thread_count; /* that run; 0: who adds does it all, as the first one */

    pthread_mutex_t mutex; /* guards all below; taken inside of the capture's */
    pthread_cond_t work;   /* there is more to do, or nothing ever again */
    pthread_cond_t room;   /* something was written */
    struct rp_writer_item *first;
    struct rp_writer_item **last_link;
    struct rp_writer_item *uncoded; /* the first piece that nobody has taken to code it, or NULL */
    struct rp_writer_item *spare;   /* owned: to be used again */
    size_t queued_B;
    bool is_writing; /* a thread writes what is ready */
    bool has_failed;
    bool is_ending;
    /* Items, ever; for rp_writer_wait_unlocked(). Changed under the mutex. */
    atomic_uint_fast64_t added_count;
    atomic_uint_fast64_t written_count;
};

/* Makes the files in a folder. False when they cannot be made; rp_writer_finish() is due in any
 * case. level: of compression, 0 for none. */
bool rp_writer_init(struct rp_writer *w, const char *folder, int level) RP_MUST_CHECK;

/* All is written, unless a write has failed, and the files are closed. */
void rp_writer_finish(struct rp_writer *w);

/* A piece of blobs.bin with room for size_B bytes at rp_writer_data(); NULL: no memory. It is the
 * caller's until it is added or dropped. */
struct rp_writer_item *rp_writer_piece(struct rp_writer *w, size_t size_B);
uint8_t *rp_writer_data(struct rp_writer_item *piece);
void rp_writer_drop(struct rp_writer *w, struct rp_writer_item *piece); /* accepts NULL */

/* size_B bytes of the piece are used. False: a write has failed, and the piece is gone. */
bool rp_writer_add_piece(struct rp_writer *w, struct rp_writer_item *piece, size_t size_B,
                         uint64_t hash) RP_MUST_CHECK;

/* False: a write has failed, or memory is short. */
bool rp_writer_add_line(struct rp_writer *w, enum rp_writer_file file, const char *text,
                        size_t size_B) RP_MUST_CHECK;

/* Waits until all that was added is written; false: a write has failed. */
bool rp_writer_flush(struct rp_writer *w) RP_MUST_CHECK;

/* Waits for what was added before the call, without a lock and for some seconds at most: at the end
 * of a process, in whatever state the thread is that ends it, while other threads may add more. */
void rp_writer_wait_unlocked(struct rp_writer *w);

#endif
