/* SPDX-License-Identifier: MIT */
/* blobs.bin: pieces of bytes, each stored once, found by their number: 0 is the first in the file.
 *
 * A piece is a header of 32 bytes, little-endian - "RPBL", a version (1), how it is coded (enum
 * rp_blob_coding), 0, its size, its hash (content_hash.h), both of what it is decoded to, its
 * stored size - and its stored bytes, filled up with zeros to a multiple of 8. Those that are
 * compressed are at most RP_BLOB_MAX_B long.
 */
#ifndef RP_CAPTURE_BLOBS_H
#define RP_CAPTURE_BLOBS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RP_BLOB_MAX_B (UINT64_C(1) << 20)
#define RP_BLOB_MAGIC UINT32_C(0x4c425052)

struct rp_writer;
struct rp_writer_item;

enum rp_blob_coding {
    RP_BLOB_RAW = 0,
    RP_BLOB_ZSTD = 1,             /* a frame of zstd */
    RP_BLOB_ZSTD_DIFFERENCES = 2, /* the same of what each byte differs from the one before */
};

struct rp_blob_header {
    uint32_t magic;
    uint8_t version;
    uint8_t coding; /* enum rp_blob_coding */
    uint16_t zero;
    uint64_t size_B;
    uint64_t hash;
    uint64_t stored_B;
};

struct rp_blob_entry {
    uint64_t hash;
    uint64_t size_B; /* 0: free */
    uint64_t number;
};

struct rp_blobs {
    struct rp_writer *writer;      /* borrowed */
    struct rp_writer_item *open;   /* owned: of rp_blobs_open() */
    struct rp_blob_entry *entries; /* owned, open addressing */
    size_t entry_count;
    size_t capacity; /* a power of two, or 0 */
};

void rp_blobs_init(struct rp_blobs *blobs, struct rp_writer *writer);
void rp_blobs_finish(struct rp_blobs *blobs); /* before the writer */

/* Stores bytes unless they are there already. False when the disk or memory is full. */
bool rp_blobs_add(struct rp_blobs *blobs, const void *data, size_t size_B, uint64_t *number_out);

/* Where the bytes of a piece go, at most RP_BLOB_MAX_B, that rp_blobs_close() stores, so that they
 * need not be copied then. hash: theirs, of which the caller has the parts. NULL: no memory. */
uint8_t *rp_blobs_open(struct rp_blobs *blobs);
bool rp_blobs_close(struct rp_blobs *blobs, size_t size_B, uint64_t hash, uint64_t *number_out);

#endif
