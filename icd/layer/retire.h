/* SPDX-License-Identifier: MIT */
/* Destroying while batches are under way.
 *
 * The layer's threads and our driver use objects at times that only they know. What the application
 * destroys is kept until every batch has ended that was submitted before: so a destruction that
 * comes too early ends in a wrong result at most, never in a use of freed memory.
 */
#ifndef RP_ICD_LAYER_RETIRE_H
#define RP_ICD_LAYER_RETIRE_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

struct rp_layer_batch;
struct rp_layer_device;
struct rp_layer_entry;

struct rp_layer_retirement {
    pthread_mutex_t mutex; /* guards what follows */
    uint64_t serial;       /* of the last batch that began */
    struct rp_layer_batch *oldest;
    struct rp_layer_batch *newest;
    struct rp_layer_entry *first; /* in the order of their serials */
    struct rp_layer_entry **last;
};

void rp_layer_retirement_init(struct rp_layer_retirement *retirement);
/* Every batch has ended. */
void rp_layer_retirement_finish(struct rp_layer_retirement *retirement);

/* From its making to its end a batch is under way. */
void rp_layer_batch_begin(struct rp_layer_device *dev, struct rp_layer_batch *batch);
void rp_layer_batch_end(struct rp_layer_device *dev, struct rp_layer_batch *batch);

/* Calls destroy, which frees the entry, now or when what is under way has ended: then from any
 * thread. The entry is not in the map any more. */
void rp_layer_retire(struct rp_layer_device *dev, struct rp_layer_entry *entry,
                     void (*destroy)(struct rp_layer_device *dev, struct rp_layer_entry *entry));

/* For what only the application's own calls may destroy: notes what is under way, and says whether
 * that has ended. */
void rp_layer_retire_note(struct rp_layer_device *dev, struct rp_layer_entry *entry);
bool rp_layer_retire_is_over(struct rp_layer_device *dev, const struct rp_layer_entry *entry);

#endif
