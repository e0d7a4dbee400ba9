/* SPDX-License-Identifier: MIT */
#include "capture/hashing.h"

#include "object/device.h"
#include "reelpipe/workers.h"
#include "util/alloc.h"
#include "util/checked.h"

#include <string.h>

#define PAGES_AT_ONCE 16u
#define LEAST_B (UINT64_C(128) << 10) /* for each thread: they spin for a while after it */

struct pages_loop {
    const uint8_t *data;
    const struct rp_content_rows *rows; /* or NULL; in place of data */
    uint64_t at_B;                      /* of their texels */
    uint64_t offset_B;
    uint64_t size_B;
    size_t count;
    uint8_t *copy;
    uint64_t *hashes;
};

/* size_B bytes of a subresource's texels, from at_B on. */
static void
texels_copy(const struct rp_content_rows *rows, uint64_t at_B, uint64_t size_B, uint8_t *out)
{
    uint64_t row = at_B / rows->row_B, in_row_B = at_B % rows->row_B;
    for (; size_B; row++, in_row_B = 0) {
        const uint64_t part_B = RP_MIN(size_B, rows->row_B - in_row_B);
        memcpy(out,
               rows->data + row / rows->row_count * rows->slice_stride_B +
                   row % rows->row_count * rows->row_stride_B + in_row_B,
               part_B);
        out += part_B;
        size_B -= part_B;
    }
}

static void
pages_hash(void *ctx, uint32_t index, uint32_t thread)
{
    const struct pages_loop *loop = ctx;
    const size_t first = (size_t)index * PAGES_AT_ONCE;
    (void)thread;
    for (size_t i = first; i < first + PAGES_AT_ONCE && i < loop->count; i++) {
        uint64_t page_B;
        const uint64_t begin_B = rp_content_page(loop->offset_B, loop->size_B, i, &page_B);
        if (loop->rows)
            texels_copy(loop->rows, loop->at_B + begin_B, page_B, loop->copy + begin_B);
        else if (loop->copy)
            memcpy(loop->copy + begin_B, loop->data + begin_B, page_B);
        const uint8_t *pages = loop->copy ? loop->copy : loop->data;
        loop->hashes[i] = rp_content_hash_page(pages + begin_B, page_B);
    }
}

struct rows_loop {
    const struct rp_content_rows *rows;
    uint64_t *hashes;
};

static void
band_hash(void *ctx, uint32_t index, uint32_t thread)
{
    const struct rows_loop *loop = ctx;
    (void)thread;
    loop->hashes[index] = rp_content_hash_band(loop->rows, index);
}

static bool
hashes_reserve(struct rp_capture_device *c, size_t count)
{
    if (count <= c->part_capacity)
        return true;
    rp_free(NULL, c->part_hashes);
    c->part_hashes =
        rp_zalloc_array(NULL, count, sizeof(uint64_t), VK_SYSTEM_ALLOCATION_SCOPE_DEVICE);
    c->part_capacity = c->part_hashes ? count : 0;
    if (!c->part_hashes)
        rp_capture_end(c, "ends: no memory");
    return c->part_hashes != NULL;
}

static void
run(struct rp_capture_device *c, uint64_t size_B, uint32_t count,
    void (*fn)(void *ctx, uint32_t i, uint32_t thread), void *ctx)
{
    const uint64_t threads = RP_MIN(size_B / LEAST_B, rp_workers_thread_count(c->dev->workers));
    if (threads > 1)
        rp_workers_run_on(c->dev->workers, (uint32_t)threads, count, fn, ctx);
    for (uint32_t i = 0; threads <= 1 && i < count; i++)
        fn(ctx, i, 0);
}

static const uint64_t *
pages_run(struct rp_capture_device *c, struct pages_loop *loop)
{
    loop->count = rp_content_page_count(loop->offset_B, loop->size_B);
    if (!hashes_reserve(c, loop->count))
        return NULL;
    loop->hashes = c->part_hashes;
    run(c, loop->size_B, (uint32_t)((loop->count + PAGES_AT_ONCE - 1) / PAGES_AT_ONCE), pages_hash,
        loop);
    return loop->hashes;
}

const uint64_t *
rp_capture_hash_pages(struct rp_capture_device *c, const uint8_t *data, uint64_t offset_B,
                      uint64_t size_B, uint8_t *copy)
{
    struct pages_loop loop = {.data = data, .offset_B = offset_B, .size_B = size_B, .copy = copy};
    return pages_run(c, &loop);
}

const uint64_t *
rp_capture_hash_texels(struct rp_capture_device *c, const struct rp_content_rows *rows,
                       uint64_t at_B, uint64_t size_B, uint8_t *copy)
{
    struct pages_loop loop = {.rows = rows, .at_B = at_B, .size_B = size_B, .copy = copy};
    return pages_run(c, &loop);
}

bool
rp_capture_hash_rows(struct rp_capture_device *c, const struct rp_content_rows *rows, uint64_t *out)
{
    const uint32_t count = rp_content_band_count(rows);
    if (!hashes_reserve(c, count))
        return false;
    struct rows_loop loop = {.rows = rows, .hashes = c->part_hashes};
    run(c, rows->row_B * rows->row_count * rows->slice_count, count, band_hash, &loop);
    *out = rp_content_hash_parts(loop.hashes, count);
    return true;
}
