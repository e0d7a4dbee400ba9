/* SPDX-License-Identifier: MIT */
/* Each thread takes what comes first of two: to write all that is ready at the queue's head, which
 * one thread does at a time, or to code the next piece.
 */
#include "capture/writer.h"

#include "capture/blobs.h"
#include "capture/zstd.h"
#include "platform/clock.h"
#include "platform/file.h"
#include "platform/thread.h"
#include "util/alloc.h"
#include "util/checked.h"

#include <string.h>

#define HEADER_B sizeof(struct rp_blob_header)
#define PIECE_B (HEADER_B + RP_BLOB_MAX_B) /* whose memory is used again */
#define LEAST_CODED_B 256u
#define SAMPLE_B ((size_t)32 << 10)
#define LEAST_GAIN 16u /* the part of a piece that coding has to save */
#define WAIT_STEP_NS UINT64_C(1000000)
#define WAIT_STEPS 10000u

static const char *const file_names[RP_WRITER_FILE_COUNT] = {
    [RP_WRITER_BLOBS] = "blobs.bin",
    [RP_WRITER_OBJECTS] = "objects.jsonl",
    [RP_WRITER_SUBMITS] = "submits.jsonl",
};

static struct rp_writer_item *
item_create(size_t capacity_B)
{
    size_t size_B;
    if (!rp_add_size(sizeof(struct rp_writer_item), capacity_B, &size_B))
        return NULL;
    struct rp_writer_item *item =
        rp_alloc(NULL, size_B, _Alignof(struct rp_writer_item), VK_SYSTEM_ALLOCATION_SCOPE_DEVICE);
    if (item)
        *item = (struct rp_writer_item){.capacity_B = capacity_B};
    return item;
}

/* Under the mutex. */
static void
item_release(struct rp_writer *w, struct rp_writer_item *item)
{
    if (item->capacity_B != PIECE_B) {
        rp_free(NULL, item);
        return;
    }
    item->next = w->spare;
    w->spare = item;
}

struct rp_writer_item *
rp_writer_piece(struct rp_writer *w, size_t size_B)
{
    struct rp_writer_item *piece = NULL;
    const size_t padded_B = size_B + (size_t)(-(uint64_t)size_B & 7);
    if (padded_B < size_B || padded_B > SIZE_MAX - HEADER_B)
        return NULL;
    if (padded_B != RP_BLOB_MAX_B)
        return item_create(HEADER_B + padded_B);
    pthread_mutex_lock(&w->mutex);
    if (w->spare) {
        piece = w->spare;
        w->spare = piece->next;
    }
    pthread_mutex_unlock(&w->mutex);
    if (piece)
        *piece = (struct rp_writer_item){.capacity_B = PIECE_B};
    return piece ? piece : item_create(PIECE_B);
}

uint8_t *
rp_writer_data(struct rp_writer_item *piece)
{
    return piece->bytes + HEADER_B;
}

void
rp_writer_drop(struct rp_writer *w, struct rp_writer_item *piece)
{
    if (!piece)
        return;
    pthread_mutex_lock(&w->mutex);
    item_release(w, piece);
    pthread_mutex_unlock(&w->mutex);
}

static size_t
compress(const struct rp_writer_thread *thread, const uint8_t *data, size_t size_B)
{
    const struct rp_writer *w = thread->writer;
    const size_t coded_B = w->zstd->ZSTD_compressCCtx(thread->zstd_context, thread->coded,
                                                      thread->coded_B, data, size_B, w->level);
    return w->zstd->ZSTD_isError(coded_B) ? SIZE_MAX : coded_B;
}

static void
differences(const uint8_t *data, size_t size_B, uint8_t *out)
{
    if (size_B)
        out[0] = data[0];
    for (size_t i = 1; i < size_B; i++)
        out[i] = (uint8_t)(data[i] - data[i - 1]);
}

/* Pictures take a third less by what each byte differs from the one before; what else there is
 * takes more. A part from the middle tells. */
static bool
differences_help(const struct rp_writer_thread *thread, const uint8_t *data, size_t size_B)
{
    const size_t sample_B = RP_MIN(size_B, SAMPLE_B);
    const uint8_t *sample = data + (size_B - sample_B) / 2;
    differences(sample, sample_B, thread->differences);
    return compress(thread, thread->differences, sample_B) < compress(thread, sample, sample_B);
}

/* Compresses the piece in its place, unless that helps too little; returns how it is coded. */
static enum rp_blob_coding
piece_compress(const struct rp_writer_thread *thread, struct rp_writer_item *piece,
               size_t *stored_out)
{
    const uint8_t *data = rp_writer_data(piece);
    const size_t size_B = piece->size_B;
    enum rp_blob_coding coding = RP_BLOB_ZSTD;
    *stored_out = size_B;
    if (!thread->zstd_context || size_B < LEAST_CODED_B || size_B > RP_BLOB_MAX_B)
        return RP_BLOB_RAW;
    if (differences_help(thread, data, size_B)) {
        differences(data, size_B, thread->differences);
        data = thread->differences;
        coding = RP_BLOB_ZSTD_DIFFERENCES;
    }
    const size_t coded_B = compress(thread, data, size_B);
    if (coded_B > size_B - size_B / LEAST_GAIN)
        return RP_BLOB_RAW;
    memcpy(rp_writer_data(piece), thread->coded, coded_B);
    *stored_out = coded_B;
    return coding;
}

/* Makes the piece what blobs.bin will hold of it. */
static void
piece_code(const struct rp_writer_thread *thread, struct rp_writer_item *piece)
{
    size_t stored_B;
    const enum rp_blob_coding coding = piece_compress(thread, piece, &stored_B);
    const struct rp_blob_header header = {
        .magic = RP_BLOB_MAGIC,
        .version = 1,
        .coding = (uint8_t)coding,
        .size_B = piece->size_B,
        .hash = piece->hash,
        .stored_B = stored_B,
    };
    const size_t padding_B = (size_t)(-header.stored_B & 7);
    memcpy(piece->bytes, &header, sizeof(header));
    memset(rp_writer_data(piece) + header.stored_B, 0, padding_B);
    piece->size_B = HEADER_B + header.stored_B + padding_B;
}

/* Under the mutex, which is free while the files are written. */
static void
write_ready(struct rp_writer *w)
{
    w->is_writing = true;
    while (w->first && w->first->is_ready) {
        struct rp_writer_item *item = w->first;
        const bool is_wanted = !w->has_failed;
        pthread_mutex_unlock(&w->mutex);
        const bool is_written =
            !is_wanted || rp_file_append(w->files[item->file], item->bytes, item->size_B);
        pthread_mutex_lock(&w->mutex);
        w->has_failed |= !is_written;
        w->first = item->next;
        if (!w->first)
            w->last_link = &w->first;
        w->queued_B -= item->capacity_B;
        atomic_fetch_add(&w->written_count, 1);
        item_release(w, item);
        pthread_cond_broadcast(&w->room);
    }
    w->is_writing = false;
}

/* Under the mutex. */
static void
code_next(struct rp_writer *w, const struct rp_writer_thread *thread)
{
    struct rp_writer_item *piece = w->uncoded;
    struct rp_writer_item *next = piece->next;
    while (next && next->is_ready)
        next = next->next;
    w->uncoded = next;
    pthread_mutex_unlock(&w->mutex);
    piece_code(thread, piece);
    pthread_mutex_lock(&w->mutex);
    piece->is_ready = true;
}

/* Does something that there is to do, under the mutex; false: there is nothing. */
static bool
thread_step(const struct rp_writer_thread *thread)
{
    struct rp_writer *w = thread->writer;
    if (w->first && w->first->is_ready && !w->is_writing)
        write_ready(w);
    else if (w->uncoded)
        code_next(w, thread);
    else
        return false;
    return true;
}

static void *
thread_run(void *arg)
{
    const struct rp_writer_thread *thread = arg;
    struct rp_writer *w = thread->writer;
    pthread_mutex_lock(&w->mutex);
    for (;;) {
        if (thread_step(thread))
            continue;
        if (w->is_ending)
            break;
        pthread_cond_wait(&w->work, &w->mutex);
    }
    pthread_mutex_unlock(&w->mutex);
    return NULL;
}

/* Without the library, or memory for it, it stores pieces as they are. */
static void
thread_init(struct rp_writer *w, struct rp_writer_thread *thread)
{
    *thread = (struct rp_writer_thread){.writer = w};
    if (!w->zstd)
        return;
    thread->coded_B = w->zstd->ZSTD_compressBound(RP_BLOB_MAX_B);
    thread->coded = rp_alloc(NULL, thread->coded_B, 16, VK_SYSTEM_ALLOCATION_SCOPE_DEVICE);
    thread->differences = rp_alloc(NULL, RP_BLOB_MAX_B, 16, VK_SYSTEM_ALLOCATION_SCOPE_DEVICE);
    if (thread->coded && thread->differences)
        thread->zstd_context = w->zstd->ZSTD_createCCtx();
}

static void
thread_finish(struct rp_writer_thread *thread)
{
    if (thread->zstd_context)
        thread->writer->zstd->ZSTD_freeCCtx(thread->zstd_context);
    rp_free(NULL, thread->coded);
    rp_free(NULL, thread->differences);
}

static void
threads_start(struct rp_writer *w)
{
    const uint32_t wanted = RP_MIN(rp_thread_cpu_count(), RP_WRITER_THREADS);
    for (uint32_t i = 0; i < wanted; i++) {
        struct rp_writer_thread *thread = &w->threads[i];
        thread_init(w, thread);
        if (!rp_thread_create(&thread->id, "rp:capture", thread_run, thread))
            return;
        w->thread_count++;
    }
}

bool
rp_writer_init(struct rp_writer *w, const char *folder, int level)
{
    bool is_made = true;
    *w = (struct rp_writer){.zstd = level ? rp_zstd_open() : NULL, .level = level};
    w->last_link = &w->first;
    atomic_init(&w->added_count, 0);
    atomic_init(&w->written_count, 0);
    pthread_mutex_init(&w->mutex, NULL);
    pthread_cond_init(&w->work, NULL);
    pthread_cond_init(&w->room, NULL);
    for (int i = 0; i < RP_WRITER_FILE_COUNT; i++) {
        w->files[i] = rp_file_create(folder, file_names[i]);
        is_made &= w->files[i] >= 0;
    }
    if (is_made)
        threads_start(w);
    return is_made;
}

void
rp_writer_finish(struct rp_writer *w)
{
    pthread_mutex_lock(&w->mutex);
    w->is_ending = true;
    pthread_cond_broadcast(&w->work);
    pthread_mutex_unlock(&w->mutex);
    for (uint32_t i = 0; i < w->thread_count; i++)
        pthread_join(w->threads[i].id, NULL);
    for (uint32_t i = 0; i < RP_WRITER_THREADS; i++)
        thread_finish(&w->threads[i]);
    while (w->spare) {
        struct rp_writer_item *item = w->spare;
        w->spare = item->next;
        rp_free(NULL, item);
    }
    for (int i = 0; i < RP_WRITER_FILE_COUNT; i++)
        rp_file_close(w->files[i]);
    pthread_cond_destroy(&w->room);
    pthread_cond_destroy(&w->work);
    pthread_mutex_destroy(&w->mutex);
}

/* The item is the queue's from here on. */
static bool
item_add(struct rp_writer *w, struct rp_writer_item *item)
{
    pthread_mutex_lock(&w->mutex);
    while (w->queued_B &&
           item->capacity_B > RP_WRITER_QUEUE_B - RP_MIN(w->queued_B, RP_WRITER_QUEUE_B))
        pthread_cond_wait(&w->room, &w->mutex);
    *w->last_link = item;
    w->last_link = &item->next;
    if (!item->is_ready && !w->uncoded)
        w->uncoded = item;
    w->queued_B += item->capacity_B;
    atomic_fetch_add(&w->added_count, 1);
    while (!w->thread_count && thread_step(&w->threads[0])) {
    }
    pthread_cond_signal(&w->work);
    const bool is_good = !w->has_failed;
    pthread_mutex_unlock(&w->mutex);
    return is_good;
}

bool
rp_writer_add_piece(struct rp_writer *w, struct rp_writer_item *piece, size_t size_B, uint64_t hash)
{
    piece->file = RP_WRITER_BLOBS;
    piece->size_B = size_B;
    piece->hash = hash;
    return item_add(w, piece);
}

bool
rp_writer_add_line(struct rp_writer *w, enum rp_writer_file file, const char *text, size_t size_B)
{
    struct rp_writer_item *line = item_create(size_B);
    if (!line)
        return false;
    line->file = file;
    line->size_B = size_B;
    line->is_ready = true;
    memcpy(line->bytes, text, size_B);
    return item_add(w, line);
}

bool
rp_writer_flush(struct rp_writer *w)
{
    pthread_mutex_lock(&w->mutex);
    while (w->first)
        pthread_cond_wait(&w->room, &w->mutex);
    const bool is_good = !w->has_failed;
    pthread_mutex_unlock(&w->mutex);
    return is_good;
}

void
rp_writer_wait_unlocked(struct rp_writer *w)
{
    const uint64_t wanted = atomic_load(&w->added_count);
    for (uint32_t i = 0; i < WAIT_STEPS && atomic_load(&w->written_count) < wanted; i++)
        rp_clock_sleep(WAIT_STEP_NS);
}
