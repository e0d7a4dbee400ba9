/* SPDX-License-Identifier: MIT */
/* blobs.bin: where its pieces are, and their bytes.
 */
#include "files.h"

#include "system.h"

#include "capture/blobs.h"
#include "capture/content_hash.h"
#include "platform/module.h"

#include <stdlib.h>
#include <string.h>

/* libzstd, opened when a compressed piece is read. */
struct replay_zstd {
    void *library;
    size_t (*decompress)(void *out, size_t capacity_B, const void *data, size_t size_B);
    unsigned (*is_error)(size_t result);
};

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
    if (!replay_file_open(r, folder, "blobs.bin", &out->bytes, &out->size_B))
        return false;
    return find_all(r, out);
}

void
replay_blobs_close(struct replay_blobs *blobs)
{
    replay_file_unmap(blobs->bytes, blobs->size_B);
    if (blobs->zstd && blobs->zstd->library)
        rp_module_close(blobs->zstd->library);
    free(blobs->zstd);
    free(blobs->decoded);
    free(blobs->places);
    *blobs = (struct replay_blobs){0};
}

static void
symbol_find(void *library, const char *name, void *out, size_t size_B)
{
    void *address = library ? rp_module_symbol(library, name) : NULL;
    memcpy(out, &address, size_B);
}

static bool
decoder_open(struct replay_reader *r, struct replay_blobs *blobs)
{
    if (!blobs->zstd)
        blobs->zstd = calloc(1, sizeof(*blobs->zstd));
    if (!blobs->decoded)
        blobs->decoded = malloc(RP_BLOB_MAX_B);
    struct replay_zstd *zstd = blobs->zstd;
    if (!zstd || !blobs->decoded)
        return replay_fail(r, "no memory");
    if (!zstd->library)
        zstd->library = rp_module_open("libzstd.so.1");
    symbol_find(zstd->library, "ZSTD_decompress", &zstd->decompress, sizeof(zstd->decompress));
    symbol_find(zstd->library, "ZSTD_isError", &zstd->is_error, sizeof(zstd->is_error));
    return (zstd->decompress && zstd->is_error) ||
           replay_fail(r, "is compressed, and libzstd.so.1 is not there");
}

/* What a piece is decoded to, which is no larger than a piece may be. */
static const uint8_t *
decoded(struct replay_reader *r, struct replay_blobs *blobs, const struct rp_blob_header *header,
        const uint8_t *stored, unsigned long long number)
{
    if (header->coding == RP_BLOB_RAW && header->stored_B == header->size_B)
        return stored;
    if ((header->coding != RP_BLOB_ZSTD && header->coding != RP_BLOB_ZSTD_DIFFERENCES) ||
        header->size_B > RP_BLOB_MAX_B) {
        (void)replay_fail(r, "blob %llu is not coded in a way that is known", number);
        return NULL;
    }
    if (!decoder_open(r, blobs))
        return NULL;
    const size_t size_B =
        blobs->zstd->decompress(blobs->decoded, RP_BLOB_MAX_B, stored, header->stored_B);
    if (blobs->zstd->is_error(size_B) || size_B != header->size_B) {
        (void)replay_fail(r, "blob %llu is damaged: it is no %llu bytes", number,
                          (unsigned long long)header->size_B);
        return NULL;
    }
    for (size_t i = 1; header->coding == RP_BLOB_ZSTD_DIFFERENCES && i < size_B; i++)
        blobs->decoded[i] = (uint8_t)(blobs->decoded[i] + blobs->decoded[i - 1]);
    return blobs->decoded;
}

const uint8_t *
replay_blob(struct replay_reader *r, struct replay_blobs *blobs, uint64_t number, size_t *size_out)
{
    struct rp_blob_header header;
    const unsigned long long told = number;
    if (number >= blobs->count || !header_at(blobs, blobs->places[number], &header)) {
        (void)replay_fail(r, "blobs.bin has no blob %llu", told);
        return NULL;
    }
    const uint8_t *bytes =
        decoded(r, blobs, &header, blobs->bytes + blobs->places[number] + sizeof(header), told);
    if (!bytes)
        return NULL;
    if (rp_content_hash(bytes, 0, header.size_B) != header.hash) {
        (void)replay_fail(r, "blob %llu is damaged", told);
        return NULL;
    }
    *size_out = header.size_B;
    return bytes;
}
