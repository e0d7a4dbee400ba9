/* SPDX-License-Identifier: MIT */
/* blobs.bin: where its pieces are, and their bytes.
 */
#include "files.h"

#include "capture/blobs.h"
#include "util/hash.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* The header at a place; false when there is none that is whole, with its bytes behind it. */
static bool
header_at(const struct replay_blobs *blobs, uint64_t place, struct rp_blob_header *out)
{
    if (blobs->size_B < sizeof(*out) || place > blobs->size_B - sizeof(*out))
        return false;
    memcpy(out, blobs->bytes + place, sizeof(*out));
    return out->magic == RP_BLOB_MAGIC && out->version == 1 &&
           out->stored_B <= blobs->size_B - place - sizeof(*out);
}

/* Up to the first one that is not whole: it was being written when the process died, and nothing
 * refers to it. */
static bool
find_all(struct replay_reader *r, struct replay_blobs *blobs)
{
    struct rp_blob_header header;
    uint64_t place = 0;
    size_t capacity = 0;
    while (header_at(blobs, place, &header)) {
        if (blobs->count == capacity) {
            capacity = capacity ? 2 * capacity : 1024;
            uint64_t *places = realloc(blobs->places, capacity * sizeof(*places));
            if (!places)
                return replay_fail(r, "no memory");
            blobs->places = places;
        }
        blobs->places[blobs->count++] = place;
        place += sizeof(header) + header.stored_B + (-header.stored_B & 7);
    }
    return true;
}

bool
replay_blobs_open(struct replay_reader *r, const char *folder, struct replay_blobs *out)
{
    *out = (struct replay_blobs){0};
    const int file = replay_file_open(r, folder, "blobs.bin", &out->size_B);
    if (file < 0)
        return false;
    void *bytes = out->size_B ? mmap(NULL, out->size_B, PROT_READ, MAP_PRIVATE, file, 0) : NULL;
    close(file);
    if (bytes == MAP_FAILED)
        return replay_fail(r, "cannot be mapped");
    out->bytes = bytes;
    return find_all(r, out);
}

void
replay_blobs_close(struct replay_blobs *blobs)
{
    if (blobs->bytes)
        munmap(blobs->bytes, blobs->size_B);
    free(blobs->places);
    *blobs = (struct replay_blobs){0};
}

const uint8_t *
replay_blob(struct replay_reader *r, const struct replay_blobs *blobs, uint64_t number,
            size_t *size_out)
{
    struct rp_blob_header header;
    const unsigned long long told = number;
    if (number >= blobs->count || !header_at(blobs, blobs->places[number], &header) ||
        header.coding != 0 || header.stored_B != header.size_B) {
        (void)replay_fail(r, "blobs.bin has no blob %llu", told);
        return NULL;
    }
    const uint8_t *bytes = blobs->bytes + blobs->places[number] + sizeof(header);
    if (rp_hash(0, bytes, header.size_B) != header.hash) {
        (void)replay_fail(r, "blob %llu is damaged", told);
        return NULL;
    }
    *size_out = header.size_B;
    return bytes;
}
