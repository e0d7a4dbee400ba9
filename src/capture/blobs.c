/* SPDX-License-Identifier: MIT */
#include "capture/blobs.h"

#include "platform/file.h"
#include "util/alloc.h"
#include "util/hash.h"

#include <assert.h>

#define FIRST_CAPACITY 1024u

static_assert(sizeof(struct rp_blob_header) == 32, "the file's layout");

bool
rp_blobs_init(struct rp_blobs *blobs, const char *folder)
{
    *blobs = (struct rp_blobs){.file = rp_file_create(folder, "blobs.bin")};
    return blobs->file >= 0;
}

void
rp_blobs_finish(struct rp_blobs *blobs)
{
    rp_file_close(blobs->file);
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

bool
rp_blobs_add(struct rp_blobs *blobs, const void *data, size_t size_B, uint64_t *place_out)
{
    static const uint8_t zeros[8] = {0};
    const struct rp_blob_header header = {
        .magic = RP_BLOB_MAGIC,
        .version = 1,
        .size_B = size_B,
        .hash = rp_hash(0, data, size_B),
        .stored_B = size_B,
    };
    if (blobs->entry_count >= blobs->capacity / 2 && !blobs_grow(blobs))
        return false;
    struct rp_blob_entry *entry = blobs_find(blobs, header.hash, size_B);
    if (!entry->size_B) {
        const size_t padding_B = (size_t)(-(uint64_t)size_B & 7);
        if (!rp_file_append(blobs->file, &header, sizeof(header)) ||
            !rp_file_append(blobs->file, data, size_B) ||
            !rp_file_append(blobs->file, zeros, padding_B))
            return false;
        *entry = (struct rp_blob_entry){header.hash, size_B, blobs->end_B};
        blobs->entry_count++;
        blobs->end_B += sizeof(header) + size_B + padding_B;
    }
    *place_out = entry->place;
    return true;
}
