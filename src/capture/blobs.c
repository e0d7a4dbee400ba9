/* SPDX-License-Identifier: MIT */
#include "capture/blobs.h"

#include "capture/content_hash.h"
#include "capture/writer.h"
#include "util/alloc.h"

#include <assert.h>
#include <string.h>

#define FIRST_CAPACITY 1024u

static_assert(sizeof(struct rp_blob_header) == 32, "the file's layout");

void
rp_blobs_init(struct rp_blobs *blobs, struct rp_writer *writer)
{
    *blobs = (struct rp_blobs){.writer = writer};
}

void
rp_blobs_finish(struct rp_blobs *blobs)
{
    if (blobs->open)
        rp_writer_drop(blobs->writer, blobs->open);
    rp_free(NULL, blobs->entries);
}

/* The entry of a piece, or the free one where it belongs. */
static struct rp_blob_entry *
blobs_find(const struct rp_blobs *blobs, uint64_t hash, uint64_t size_B)
{
    size_t i = (size_t)hash & (blobs->capacity - 1);
    while (blobs->entries[i].size_B &&
           (blobs->entries[i].hash != hash || blobs->entries[i].size_B != size_B))
        i = (i + 1) & (blobs->capacity - 1);
    return &blobs->entries[i];
}

static bool
blobs_grow(struct rp_blobs *blobs)
{
    struct rp_blobs larger = *blobs;
    larger.capacity = blobs->capacity ? 2 * blobs->capacity : FIRST_CAPACITY;
    larger.entries = rp_zalloc_array(NULL, larger.capacity, sizeof(*larger.entries),
                                     VK_SYSTEM_ALLOCATION_SCOPE_DEVICE);
    if (!larger.entries)
        return false;
    for (size_t i = 0; i < blobs->capacity; i++) {
        const struct rp_blob_entry *entry = &blobs->entries[i];
        if (entry->size_B)
            *blobs_find(&larger, entry->hash, entry->size_B) = *entry;
    }
    rp_free(NULL, blobs->entries);
    *blobs = larger;
    return true;
}

/* The entry of bytes; a new one when they are not stored yet (*is_new_out). NULL: no memory. */
static const struct rp_blob_entry *
blobs_enter(struct rp_blobs *blobs, uint64_t hash, size_t size_B, bool *is_new_out)
{
    if (blobs->entry_count >= blobs->capacity / 2 && !blobs_grow(blobs))
        return NULL;
    struct rp_blob_entry *entry = blobs_find(blobs, hash, size_B);
    *is_new_out = !entry->size_B;
    if (*is_new_out)
        *entry = (struct rp_blob_entry){hash, size_B, blobs->entry_count++};
    return entry;
}

static bool
blobs_copy(struct rp_blobs *blobs, const void *data, size_t size_B, uint64_t hash)
{
    struct rp_writer_item *piece = rp_writer_piece(blobs->writer, size_B);
    if (!piece)
        return false;
    memcpy(rp_writer_data(piece), data, size_B);
    return rp_writer_add_piece(blobs->writer, piece, size_B, hash);
}

bool
rp_blobs_add(struct rp_blobs *blobs, const void *data, size_t size_B, uint64_t *number_out)
{
    bool is_new;
    const uint64_t hash = rp_content_hash(data, 0, size_B);
    const struct rp_blob_entry *entry = blobs_enter(blobs, hash, size_B, &is_new);
    if (!entry)
        return false;
    *number_out = entry->number;
    return !is_new || blobs_copy(blobs, data, size_B, hash);
}

uint8_t *
rp_blobs_open(struct rp_blobs *blobs)
{
    if (!blobs->open)
        blobs->open = rp_writer_piece(blobs->writer, RP_BLOB_MAX_B);
    return blobs->open ? rp_writer_data(blobs->open) : NULL;
}

bool
rp_blobs_close(struct rp_blobs *blobs, size_t size_B, uint64_t hash, uint64_t *number_out)
{
    struct rp_writer_item *piece = blobs->open;
    bool is_new;
    const struct rp_blob_entry *entry = blobs_enter(blobs, hash, size_B, &is_new);
    if (!entry)
        return false;
    *number_out = entry->number;
    if (!is_new)
        return true;
    /* Little of it would hold much of the writer's memory. */
    if (size_B < RP_BLOB_MAX_B / 4)
        return blobs_copy(blobs, rp_writer_data(piece), size_B, hash);
    blobs->open = NULL;
    return rp_writer_add_piece(blobs->writer, piece, size_B, hash);
}
