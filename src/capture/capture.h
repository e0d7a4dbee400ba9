/* SPDX-License-Identifier: MIT */
/* REELPIPE_CAPTURE: a folder from which reelpipe-replay does what an application did, without it.
 *
 * What is written is not calls but state and submissions:
 *   capture.json    what the device is and what was enabled
 *   objects.jsonl   a line for each object that is made, changed, named or destroyed (objects.c)
 *   submits.jsonl   two lines for each submission: before it runs, what memory holds now that it
 *                   did not hold before, and its commands; after it has run, hashes of what it
 *                   may have written (submissions.c, memory.c)
 *   blobs.bin       the bytes, each piece once (blobs.h)
 *
 * Threads of the capture write all that (writer.h), so that applications wait for neither disk nor
 * compression. A line is written when all that it refers to has been, so what is there when the
 * process dies is whole up to its last line. The first error (no room on the disk, no memory) ends
 * the capture with a message; the application goes on.
 */
#ifndef RP_CAPTURE_CAPTURE_H
#define RP_CAPTURE_CAPTURE_H

#include "capture/blobs.h"
#include "capture/spans.h"
#include "capture/writer.h"
#include "object/capture.h"
#include "object/image.h"
#include "util/json.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

struct rp_buffer;

/* What a kernel does that a capture has to know of. */
enum rp_capture_kernel_flag {
    RP_CAPTURE_KERNEL_ADDRESSES = 1u << 0, /* goes through buffer device addresses */
    RP_CAPTURE_KERNEL_CLOCK = 1u << 1,     /* reads a clock: what it writes does not repeat */
    RP_CAPTURE_KERNEL_HEAPS = 1u << 2,     /* finds its descriptors in heaps */
};

/* Objects that descriptors are looked up in, or that go with their memory. */
enum rp_capture_list {
    RP_CAPTURE_BUFFERS,
    RP_CAPTURE_IMAGES,
    RP_CAPTURE_BUFFER_VIEWS,
    RP_CAPTURE_SAMPLERS,
    RP_CAPTURE_LIST_COUNT,
};

/* An object of the application. */
struct rp_capture_object {
    uint32_t id; /* 1, 2, 3...: never used again */
    struct rp_object *obj;
    /* What buffers and images, or the planes of a disjoint image, are bound to, as far as
     * objects.jsonl says it. Borrowed; none any more when one of them is freed. */
    const struct rp_object *memories[RP_MAX_PLANES];
    uint32_t memory_count;
    uint32_t kernel_flags;                   /* of pipelines */
    struct rp_capture_object *next_in_list;  /* of rp_capture_device::lists */
    struct rp_capture_object **link_in_list; /* what points to it; NULL: it is in none */
    uint64_t *hashes; /* owned: of what the reader of the capture has; 0: not known */
    size_t hash_count;
    struct rp_capture_object *next_in_bucket;
};

/* A range of a buffer, or an image (size_B 0), that the submission being captured reaches. */
struct rp_capture_touch {
    struct rp_capture_object *object;
    uint64_t offset_B;
    uint64_t size_B;
    uint64_t output_B; /* with RP_CAPTURE_OUTPUT: what was written, from offset_B on */
    uint32_t access;   /* enum rp_capture_access */
    uint32_t slot;     /* of rp_capture_device::touch_slots, until all are known */
    bool is_covered;   /* another one of the object that reaches all of it is looked at before */
};

/* Descriptors in memory that the submission being captured reads. */
struct rp_capture_descriptors {
    const uint8_t *at;
    uint64_t size_B;
    uint64_t hash;
};

enum rp_capture_access {
    RP_CAPTURE_READ = 0,
    RP_CAPTURE_WRITE = 1u << 0,
    RP_CAPTURE_UNREPEATABLE = 1u << 1, /* writes times, say: there is nothing to check */
    /* Writes a part that rp_capture_output() tells, and does not depend on what was there: a
     * bitstream. With RP_CAPTURE_WRITE. */
    RP_CAPTURE_OUTPUT = 1u << 2,
};

struct rp_capture_device {
    struct rp_capture base;
    struct rp_device *dev;
    char folder[3072];
    uint64_t first_submission; /* of the range that is captured */
    uint64_t last_submission;
    bool flushes; /* a submission runs when all that was captured of it is written */
    struct rp_capture_device *next_live; /* of the process' captures; guarded by their mutex */

    pthread_mutex_t run_mutex; /* held while a submission runs: one at a time */
    pthread_mutex_t mutex;     /* guards all below; taken inside of run_mutex */
    bool has_ended;
    struct rp_writer writer;
    struct rp_blobs blobs;
    uint64_t object_lines;
    uint32_t next_id;
    uint64_t submission_count;
    struct rp_json object_json;
    struct rp_json submit_json;
    struct rp_json result_json;

    struct rp_capture_object **buckets; /* owned, by handle */
    uint32_t bucket_count;              /* a power of two */
    uint32_t object_count;
    struct rp_capture_object *lists[RP_CAPTURE_LIST_COUNT]; /* newest first */
    /* Where those lie that are bound, of the lists for which it is wanted (lookup.c). */
    struct rp_spans spans[RP_CAPTURE_LIST_COUNT];
    bool spans_are_current[RP_CAPTURE_LIST_COUNT];

    struct rp_capture_touch *touches; /* owned, of the submission being captured */
    uint32_t touch_count;
    uint32_t touch_capacity;
    bool touches_repeat;           /* none of them is RP_CAPTURE_UNREPEATABLE */
    uint32_t *touch_slots;         /* owned, by what is touched: its index plus one, or 0 */
    uint32_t touch_slot_count;     /* a power of two */
    uint32_t addressable_accesses; /* bits: 1 << access of rp_capture_touch_addressable() */
    uint32_t heap_accesses;        /* the same of rp_capture_touch_heap_images() */
    struct rp_capture_descriptors *descriptors; /* owned, likewise */
    uint32_t descriptors_count;
    uint32_t descriptors_capacity;
    uint64_t *part_hashes; /* owned: hashing.c's */
    size_t part_capacity;
};

/* REELPIPE_CAPTURE is set: a capture of dev, or NULL after a message. header: what capture.json
 * holds. *out is NULL without the variable. Owned by dev->capture; ops->finish ends it. */
void rp_capture_create(struct rp_device *dev, const struct rp_json *header,
                       struct rp_capture **out);
bool rp_capture_is_wanted(void);

static inline struct rp_capture_device *
rp_capture_device_of(struct rp_capture *capture)
{
    return (struct rp_capture_device *)capture;
}

/* For the files of this folder and src/cmd/describe.c; mutex is held. */
void rp_capture_end(struct rp_capture_device *c, const char *why);
/* NULL: not an object of the application that is alive. */
struct rp_capture_object *rp_capture_find(const struct rp_capture_device *c, const void *handle);
/* A buffer or image whose memory the reader of the capture knows, too. Before it says so, another
 * thread may be binding it. */
bool rp_capture_is_bound(const struct rp_capture_object *object);

#endif
