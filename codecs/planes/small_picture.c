/* SPDX-License-Identifier: MIT */
#include "codecs/planes/small_picture.h"

#include "util/alloc.h"
#include "util/compiler.h"

#include <stdlib.h>
#include <string.h>

#define BLOCK 8              /* samples of a small picture, squared */
#define SEARCH_STEPS 12      /* of one sample each, at the most */
#define LARGE_PX (640 * 400) /* larger pictures are made a quarter as wide, others half */
#define BLOCK_COST 6         /* of a block that is predicted without a difference */
#define MAX_WIDTH (RP_SMALL_PICTURE_MAX_WIDTH_PX / 2)

void
rp_small_picture_finish(struct rp_small_picture *small)
{
    rp_free(NULL, small->luma);
    *small = (struct rp_small_picture){0};
}

/* Adds factor samples of a row, of 8 bits or the high ones of 16, to each of the sums. */
static void
add_row(const uint8_t *row, uint32_t bit_depth, uint32_t factor, uint32_t count, uint16_t *sums)
{
    const uint16_t *high = (const uint16_t *)row;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t sum = 0;
        for (uint32_t k = 0; k < factor; k++)
            sum += bit_depth > 8 ? high[i * factor + k] >> 8 : row[i * factor + k];
        sums[i] = (uint16_t)(sums[i] + sum);
    }
}

void
rp_small_picture_swap(struct rp_small_picture *a, struct rp_small_picture *b)
{
    const struct rp_small_picture was = *a;
    *a = *b;
    *b = was;
}

bool
rp_small_picture_fill(struct rp_small_picture *small, const struct rp_picture *src,
                      uint32_t width_px, uint32_t height_px)
{
    const uint32_t shift = width_px * height_px > LARGE_PX ? 2 : 1;
    const uint32_t width = RP_MIN(width_px, src->width_px) >> shift;
    const uint32_t height = RP_MIN(height_px, src->height_px) >> shift;
    const size_t size_B = (size_t)width * height;
    uint16_t sums[MAX_WIDTH];

    small->is_filled = false;
    if (small->capacity_B < size_B) {
        rp_small_picture_finish(small);
        small->luma = rp_alloc(NULL, size_B, 1, VK_SYSTEM_ALLOCATION_SCOPE_OBJECT);
        if (!small->luma)
            return false;
        small->capacity_B = size_B;
    }
    for (uint32_t y = 0; y < height; y++) {
        memset(sums, 0, width * sizeof(*sums));
        for (uint32_t k = 0; k < 2; k++) /* of four rows two are enough */
            add_row(src->plane[0].data +
                        (((size_t)y << shift) + k * shift) * src->plane[0].stride_B,
                    src->bit_depth, 1u << shift, width, sums);
        for (uint32_t x = 0; x < width; x++)
            small->luma[(size_t)y * width + x] = (uint8_t)(sums[x] >> (1 + shift));
    }
    small->width = width;
    small->height = height;
    small->is_filled = true;
    return true;
}

/* A block, which ends with the picture, at its place in the picture or at another. */
struct block {
    const uint8_t *at;
    uint32_t stride;
    uint32_t width;
    uint32_t height;
};

static inline uint32_t
row_difference(const uint8_t *a, const uint8_t *b, uint32_t count)
{
    uint32_t sum = 0;
    for (uint32_t x = 0; x < count; x++)
        sum += (uint32_t)abs(a[x] - b[x]);
    return sum;
}

static uint32_t
difference(const struct block *block, const uint8_t *other)
{
    const bool is_whole = block->width == BLOCK; /* a number that compilers know is faster */
    uint32_t sum = 0;
    for (uint32_t y = 0; y < block->height; y++) {
        const uint8_t *a = block->at + (size_t)y * block->stride;
        const uint8_t *b = other + (size_t)y * block->stride;
        sum += is_whole ? row_difference(a, b, BLOCK) : row_difference(a, b, block->width);
    }
    return sum;
}

/* From its mean, or from what is left of each sample, or above. */
static uint32_t
intra_cost(const struct block *block)
{
    uint32_t sum = 0, flat = 0, across = 0, down = 0;
    for (uint32_t y = 0; y < block->height; y++) {
        for (uint32_t x = 0; x < block->width; x++)
            sum += block->at[(size_t)y * block->stride + x];
    }
    const int mean = (int)(sum / (block->width * block->height));
    for (uint32_t y = 0; y < block->height; y++) {
        const uint8_t *row = block->at + (size_t)y * block->stride;
        for (uint32_t x = 0; x < block->width; x++) {
            flat += (uint32_t)abs(row[x] - mean);
            across += (uint32_t)abs(row[x] - (x > 0 ? row[x - 1] : mean));
            down += (uint32_t)abs(row[x] - (y > 0 ? (row - block->stride)[x] : mean));
        }
    }
    return RP_MIN(flat, RP_MIN(across, down));
}

struct motion {
    int x;
    int y;
};

/* From where the block stands, or where the one before came from, downhill by single samples. */
static uint32_t
inter_cost(const struct rp_small_picture *reference, const struct block *block, int x, int y,
           struct motion *motion)
{
    static const struct motion sides[] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}};
    const int most_x = (int)(reference->width - block->width);
    const int most_y = (int)(reference->height - block->height);
    struct motion best = {x, y};
    uint32_t least = difference(block, reference->luma + (size_t)y * reference->width + x);

    const struct motion last = {RP_MAX(0, RP_MIN(x + motion->x, most_x)),
                                RP_MAX(0, RP_MIN(y + motion->y, most_y))};
    const uint32_t as_last =
        difference(block, reference->luma + (size_t)last.y * reference->width + last.x);
    if (as_last < least) {
        least = as_last;
        best = last;
    }
    bool has_moved = true;
    for (int step = 0; step < SEARCH_STEPS && has_moved && least > 0; step++) {
        const struct motion from = best;
        has_moved = false;
        for (uint32_t i = 0; i < RP_ARRAY_SIZE(sides); i++) {
            const struct motion to = {from.x + sides[i].x, from.y + sides[i].y};
            if (to.x < 0 || to.y < 0 || to.x > most_x || to.y > most_y)
                continue;
            const uint32_t cost =
                difference(block, reference->luma + (size_t)to.y * reference->width + to.x);
            if (cost < least) {
                least = cost;
                best = to;
                has_moved = true;
            }
        }
    }
    *motion = (struct motion){best.x - x, best.y - y};
    return least;
}

static bool
is_comparable(const struct rp_small_picture *small, const struct rp_small_picture *reference)
{
    return reference && reference->is_filled && reference->width == small->width &&
           reference->height == small->height;
}

double
rp_small_picture_complexity(const struct rp_small_picture *small,
                            const struct rp_small_picture *const *references,
                            uint32_t reference_count)
{
    struct motion motion[RP_SMALL_PICTURE_REFERENCES] = {0};
    double sum = 0;

    for (uint32_t y = 0; y < small->height; y += BLOCK) {
        for (uint32_t x = 0; x < small->width; x += BLOCK) {
            const struct block block = {
                .at = small->luma + (size_t)y * small->width + x,
                .stride = small->width,
                .width = RP_MIN(BLOCK, small->width - x),
                .height = RP_MIN(BLOCK, small->height - y),
            };
            uint32_t cost = intra_cost(&block);
            for (uint32_t i = 0; i < RP_MIN(reference_count, RP_SMALL_PICTURE_REFERENCES); i++) {
                if (is_comparable(small, references[i]))
                    cost =
                        RP_MIN(cost, inter_cost(references[i], &block, (int)x, (int)y, &motion[i]));
            }
            sum += cost + BLOCK_COST;
        }
    }
    return sum;
}
