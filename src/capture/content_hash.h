/* SPDX-License-Identifier: MIT */
/* The hashes of a capture, for who writes it and who reads it: of parts whose own hashes several
 * threads can make at once.
 *
 * The hash of bytes in a buffer is that of the hashes of its pages, as far as the bytes reach into
 * them, in their order; of a blob likewise, from its start. That of a subresource is that of the
 * hashes of its bands: RP_CONTENT_BAND_ROWS rows of texels one after the other, counted through all
 * slices. Never 0, which stands for a content that is not known.
 */
#ifndef RP_CAPTURE_CONTENT_HASH_H
#define RP_CAPTURE_CONTENT_HASH_H

#include "util/hash.h"

#define RP_CONTENT_PAGE_B UINT64_C(4096)
#define RP_CONTENT_BAND_ROWS 32u

/* Texels of a subresource, as rows of blocks. */
struct rp_content_rows {
    const uint8_t *data;
    uint64_t row_B;
    uint64_t row_stride_B;
    uint64_t slice_stride_B;
    uint32_t row_count; /* of a slice */
    uint32_t slice_count;
};

static inline uint64_t
rp_content_known(uint64_t hash)
{
    return hash ? hash : 1;
}

/* The hash of hashes of parts. */
static inline uint64_t
rp_content_hash_parts(const uint64_t *hashes, size_t count)
{
    uint64_t hash = 0;
    for (size_t i = 0; i < count; i++)
        hash = rp_hash_mix(hash, hashes[i]);
    return rp_content_known(hash);
}

static inline uint64_t
rp_content_hash_page(const void *data, size_t size_B)
{
    return rp_content_known(rp_hash(0, data, size_B));
}

/* How many pages bytes lie in that begin at offset_B of a buffer. */
static inline size_t
rp_content_page_count(uint64_t offset_B, uint64_t size_B)
{
    if (!size_B)
        return 0;
    return (size_t)((offset_B + size_B - 1) / RP_CONTENT_PAGE_B - offset_B / RP_CONTENT_PAGE_B + 1);
}

/* The part of the i-th page that the bytes lie in: its first byte, counted from data, and its
 * size. */
static inline uint64_t
rp_content_page(uint64_t offset_B, uint64_t size_B, size_t i, uint64_t *size_out)
{
    const uint64_t lead_B = offset_B % RP_CONTENT_PAGE_B;
    const uint64_t begin_B = i ? i * RP_CONTENT_PAGE_B - lead_B : 0;
    const uint64_t end_B = (i + 1) * RP_CONTENT_PAGE_B - lead_B;
    *size_out = (end_B < size_B ? end_B : size_B) - begin_B;
    return begin_B;
}

/* The hash of bytes that begin at offset_B of a buffer, or with 0 of a blob. */
static inline uint64_t
rp_content_hash(const void *data, uint64_t offset_B, uint64_t size_B)
{
    uint64_t hash = 0;
    for (size_t i = 0; i < rp_content_page_count(offset_B, size_B); i++) {
        uint64_t page_B;
        const uint64_t begin_B = rp_content_page(offset_B, size_B, i, &page_B);
        hash = rp_hash_mix(hash, rp_content_hash_page((const uint8_t *)data + begin_B, page_B));
    }
    return rp_content_known(hash);
}

static inline uint32_t
rp_content_band_count(const struct rp_content_rows *rows)
{
    const uint64_t count = (uint64_t)rows->row_count * rows->slice_count;
    return (uint32_t)((count + RP_CONTENT_BAND_ROWS - 1) / RP_CONTENT_BAND_ROWS);
}

static inline uint64_t
rp_content_hash_band(const struct rp_content_rows *rows, uint32_t band)
{
    const uint64_t count = (uint64_t)rows->row_count * rows->slice_count;
    const uint64_t first = (uint64_t)band * RP_CONTENT_BAND_ROWS;
    uint64_t hash = 0;
    for (uint64_t i = first; i < first + RP_CONTENT_BAND_ROWS && i < count; i++) {
        const uint8_t *row = rows->data + i / rows->row_count * rows->slice_stride_B +
                             i % rows->row_count * rows->row_stride_B;
        hash = rp_hash(hash, row, rows->row_B);
    }
    return rp_content_known(hash);
}

static inline uint64_t
rp_content_hash_rows(const struct rp_content_rows *rows)
{
    uint64_t hash = 0;
    for (uint32_t band = 0; band < rp_content_band_count(rows); band++)
        hash = rp_hash_mix(hash, rp_content_hash_band(rows, band));
    return rp_content_known(hash);
}

#endif
