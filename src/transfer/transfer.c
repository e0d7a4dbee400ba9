/* SPDX-License-Identifier: MIT */
/* Every transfer is cut into rows of bytes; rows that touch become one, large ones become several
 * pieces for the workers.
 */
#include "transfer/transfer.h"

#include "reelpipe/workers.h"
#include "util/compiler.h"

#include <stdbool.h>
#include <string.h>

/* From here on a second thread pays for being woken, even where others keep the cores busy. */
#define PARALLEL_FROM_B (UINT64_C(16) << 20)
#define PIECE_MIN_B (UINT64_C(512) << 10)
#define CACHE_LINE_B UINT64_C(64)

/* src NULL: a fill with pattern. */
struct transfer {
    struct rp_transfer_box dst;
    struct rp_transfer_box src;
    struct rp_transfer_size size;
    const uint8_t *pattern; /* PATTERN_B bytes of repeated texels */
    uint32_t texel_B;
    uint64_t piece_B; /* of a row: rows longer than that are split */
    uint32_t pieces_per_row;
    uint32_t rows_per_piece;
    uint64_t row_total; /* row_count * slice_count */
};

/* A common multiple of all texel sizes that are powers of two or three times one. */
#define PATTERN_B 96u

static void
fill_row(uint8_t *dst, uint64_t size_B, const uint8_t *pattern, uint32_t texel_B)
{
    if (texel_B == 1) {
        memset(dst, pattern[0], size_B);
        return;
    }
    if (size_B <= PATTERN_B) {
        memcpy(dst, pattern, size_B);
        return;
    }
    /* Doubling: each copy reads what the last one has written, up to what stays in the cache. */
    memcpy(dst, pattern, PATTERN_B);
    uint64_t done_B = PATTERN_B;
    while (done_B < size_B) {
        const uint64_t step_B = RP_MIN(RP_MIN(done_B, size_B - done_B), PATTERN_B * 128);
        memcpy(dst + done_B, dst, step_B);
        done_B += step_B;
    }
}

static void
transfer_rows(const struct transfer *t, uint64_t first, uint64_t end, uint64_t offset_B,
              uint64_t size_B)
{
    for (uint64_t i = first; i < end; i++) {
        const uint64_t slice = i / t->size.row_count;
        const uint64_t row = i % t->size.row_count;
        uint8_t *dst =
            t->dst.data + slice * t->dst.slice_stride_B + row * t->dst.row_stride_B + offset_B;
        if (t->pattern) {
            fill_row(dst, size_B, t->pattern, t->texel_B);
        } else {
            memcpy(dst,
                   t->src.data + slice * t->src.slice_stride_B + row * t->src.row_stride_B +
                       offset_B,
                   size_B);
        }
    }
}

static void
transfer_piece(void *ctx, uint32_t i, uint32_t thread)
{
    const struct transfer *t = ctx;

    if (t->pieces_per_row > 1) {
        const uint64_t offset_B = i % t->pieces_per_row * t->piece_B;
        const uint64_t row = i / t->pieces_per_row;
        transfer_rows(t, row, row + 1, offset_B, RP_MIN(t->piece_B, t->size.row_B - offset_B));
    } else {
        const uint64_t first = (uint64_t)i * t->rows_per_piece;
        transfer_rows(t, first, RP_MIN(first + t->rows_per_piece, t->row_total), 0, t->size.row_B);
    }
}

/* Rows, and slices, that lie side by side in all boxes are one row. */
static void
transfer_join(struct transfer *t)
{
    const bool has_src = !t->pattern;
    struct rp_transfer_size *size = &t->size;

    if (size->row_count > 1 &&
        (t->dst.row_stride_B != size->row_B || (has_src && t->src.row_stride_B != size->row_B)))
        return;
    size->row_B *= size->row_count;
    size->row_count = 1;
    if (size->slice_count > 1 &&
        (t->dst.slice_stride_B != size->row_B || (has_src && t->src.slice_stride_B != size->row_B)))
        return;
    size->row_B *= size->slice_count;
    size->slice_count = 1;
}

/* Pieces of equal size, none too small, and enough that a thread which is held up holds up
 * little. */
static void
transfer_run(struct transfer *t, struct rp_workers *workers)
{
    transfer_join(t);
    t->row_total = (uint64_t)t->size.row_count * t->size.slice_count;
    const uint64_t total_B = t->row_total * t->size.row_B;
    if (total_B < PARALLEL_FROM_B || !workers) {
        transfer_rows(t, 0, t->row_total, 0, t->size.row_B);
        return;
    }

    const uint64_t wanted_B =
        RP_MAX(total_B / (8 * rp_workers_thread_count(workers)) + 1, PIECE_MIN_B);
    uint64_t count;
    if (t->size.row_B > wanted_B) {
        /* Pieces of a row start at whole texels and cache lines. */
        const uint64_t unit_B = t->pattern ? PATTERN_B * 2 : CACHE_LINE_B;
        t->piece_B = (wanted_B + unit_B - 1) / unit_B * unit_B;
        t->pieces_per_row = (uint32_t)((t->size.row_B + t->piece_B - 1) / t->piece_B);
        count = t->row_total * t->pieces_per_row;
    } else {
        t->pieces_per_row = 1;
        t->rows_per_piece = (uint32_t)(wanted_B / t->size.row_B);
        count = (t->row_total + t->rows_per_piece - 1) / t->rows_per_piece;
    }
    rp_workers_run(workers, (uint32_t)count, transfer_piece, t);
}

void
rp_transfer_copy_box(struct rp_workers *workers, const struct rp_transfer_box *dst,
                     const struct rp_transfer_box *src, const struct rp_transfer_size *size)
{
    if (size->row_B == 0 || size->row_count == 0 || size->slice_count == 0)
        return;
    struct transfer t = {.dst = *dst, .src = *src, .size = *size};
    transfer_run(&t, workers);
}

void
rp_transfer_copy(struct rp_workers *workers, uint8_t *dst, const uint8_t *src, uint64_t size_B)
{
    if (size_B < PARALLEL_FROM_B) {
        memcpy(dst, src, size_B);
        return;
    }
    struct transfer t = {
        .dst = {.data = dst},
        .src = {.data = (uint8_t *)src},
        .size = {.row_B = size_B, .row_count = 1, .slice_count = 1},
    };
    transfer_run(&t, workers);
}

void
rp_transfer_fill_box(struct rp_workers *workers, const struct rp_transfer_box *dst,
                     const struct rp_transfer_size *size, const uint8_t *texel, uint32_t texel_B)
{
    if (size->row_B == 0 || size->row_count == 0 || size->slice_count == 0)
        return;
    uint8_t pattern[PATTERN_B];
    bool is_one_byte = true;
    for (uint32_t i = 0; i < PATTERN_B; i++) {
        pattern[i] = texel[i % texel_B];
        is_one_byte &= pattern[i] == texel[0];
    }
    struct transfer t = {
        .dst = *dst,
        .size = *size,
        .pattern = pattern,
        .texel_B = is_one_byte ? 1 : texel_B,
    };
    transfer_run(&t, workers);
}

void
rp_transfer_fill(struct rp_workers *workers, uint8_t *dst, uint64_t size_B, uint32_t word)
{
    const struct rp_transfer_box box = {.data = dst};
    const struct rp_transfer_size size = {.row_B = size_B, .row_count = 1, .slice_count = 1};
    rp_transfer_fill_box(workers, &box, &size, (const uint8_t *)&word, sizeof(word));
}
