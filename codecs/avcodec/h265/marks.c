/* SPDX-License-Identifier: MIT */
/* Four by four samples in the last 8x8 samples of each block.
 */
#include "codecs/avcodec/h265/marks.h"

#include "util/compiler.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define MARK_PX 4u
#define LAST_BLOCK_PX 8u /* the smallest coding block */

/* How far sample adaptive offsets may change a sample (7.4.9.3.2). */
static int
max_change(const struct rp_h265dec_marks *marks)
{
    return (1 << (marks->bit_depth - 5)) - 1;
}

static size_t
sample_B(const struct rp_h265dec_marks *marks)
{
    return marks->bit_depth > 8 ? 2 : 1;
}

/* The upper left sample of the mark in the block at x, y. */
static size_t
mark_offset(const struct rp_h265dec_marks *marks, uint32_t x, uint32_t y, size_t stride_B)
{
    const uint32_t right = RP_MIN(x + marks->ctb_px, marks->width_px);
    const uint32_t bottom = RP_MIN(y + marks->ctb_px, marks->height_px);
    return (bottom - LAST_BLOCK_PX) * stride_B + (right - LAST_BLOCK_PX) * sample_B(marks);
}

static void
mark_samples(const struct rp_h265dec_marks *marks, uint32_t x, uint32_t y,
             uint16_t out[MARK_PX * MARK_PX])
{
    uint32_t random = marks->seed ^ (x << 16 | y) * 2654435761u;
    for (uint32_t i = 0; i < MARK_PX * MARK_PX; i++) {
        random = random * 1664525u + 1013904223u;
        out[i] = (uint16_t)(random >> (32 - marks->bit_depth));
    }
}

static void
row_write(const struct rp_h265dec_marks *marks, uint8_t *at, const uint16_t *samples)
{
    if (marks->bit_depth > 8) {
        memcpy(at, samples, MARK_PX * sizeof(*samples));
        return;
    }
    for (uint32_t i = 0; i < MARK_PX; i++)
        at[i] = (uint8_t)samples[i];
}

void
rp_h265dec_marks_set(struct rp_h265dec_marks *marks, uint8_t *luma, size_t stride_B)
{
    marks->seed = marks->seed * 1664525u + 1013904223u;
    for (uint32_t y = 0; y < marks->height_px; y += marks->ctb_px) {
        for (uint32_t x = 0; x < marks->width_px; x += marks->ctb_px) {
            uint16_t samples[MARK_PX * MARK_PX];
            uint8_t *at = luma + mark_offset(marks, x, y, stride_B);
            mark_samples(marks, x, y, samples);
            for (uint32_t row = 0; row < MARK_PX; row++)
                row_write(marks, at + row * stride_B, samples + row * MARK_PX);
        }
    }
}

static int
sample_read(const struct rp_h265dec_marks *marks, const uint8_t *row, uint32_t i)
{
    uint16_t word;
    if (marks->bit_depth == 8)
        return row[i];
    memcpy(&word, row + 2 * i, sizeof(word));
    return word;
}

static bool
is_marked(const struct rp_h265dec_marks *marks, uint32_t x, uint32_t y, const uint8_t *luma,
          size_t stride_B)
{
    uint16_t samples[MARK_PX * MARK_PX];
    const uint8_t *at = luma + mark_offset(marks, x, y, stride_B);
    mark_samples(marks, x, y, samples);
    for (uint32_t i = 0; i < MARK_PX * MARK_PX; i++) {
        const int sample = sample_read(marks, at + i / MARK_PX * stride_B, i % MARK_PX);
        if (abs(sample - samples[i]) > max_change(marks))
            return false;
    }
    return true;
}

/* With grey, from column x of the rows on. */
static void
fill(const struct rp_h265dec_marks *marks, uint8_t *rows, size_t stride_B, uint32_t x,
     uint32_t width, uint32_t row_count)
{
    for (uint32_t y = 0; y < row_count; y++) {
        uint8_t *row = rows + y * stride_B + x * sample_B(marks);
        if (marks->bit_depth == 8)
            memset(row, 1 << 7, width);
        for (uint32_t i = 0; i < width && marks->bit_depth > 8; i++)
            ((uint16_t *)row)[i] = (uint16_t)(1u << (marks->bit_depth - 1));
    }
}

uint32_t
rp_h265dec_marks_clear(const struct rp_h265dec_marks *marks, uint8_t *const data[3],
                       const size_t stride_B[3])
{
    uint32_t count = 0;
    for (uint32_t y = 0; y < marks->height_px; y += marks->ctb_px) {
        for (uint32_t x = 0; x < marks->width_px; x += marks->ctb_px) {
            if (!is_marked(marks, x, y, data[0], stride_B[0]))
                continue;
            const uint32_t width = RP_MIN(marks->ctb_px, marks->width_px - x);
            const uint32_t rows = RP_MIN(marks->ctb_px, marks->height_px - y);
            fill(marks, data[0] + y * stride_B[0], stride_B[0], x, width, rows);
            for (uint32_t i = 1; i < 3; i++)
                fill(marks, data[i] + y / 2 * stride_B[i], stride_B[i], x / 2, width / 2, rows / 2);
            count++;
        }
    }
    return count;
}
