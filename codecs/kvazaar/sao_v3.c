/* SPDX-License-Identifier: MIT */
/* Statistics of edge offsets (8.7.3.2) for x86-64-v3: of each category of samples how many there
 * are, and the sum of what they lack. What an offset changes follows from both.
 */
#include "codecs/kvazaar/kernels.h"

#if defined(__AVX2__)
#include "global.h"
#include "strategies/strategies-sao.h"

#include <immintrin.h>

#define LANES 16

/* From the sum of two signs (edgeIdx before it is changed), from -2 on. */
static const int categories[] = {SAO_EO_CAT1, SAO_EO_CAT2, SAO_EO_CAT0, SAO_EO_CAT3, SAO_EO_CAT4};

struct block {
    const kvz_pixel *original;
    const kvz_pixel *decoded;
    int width; /* of a row of either, too */
    int height;
    ptrdiff_t neighbours[2];
};

static struct block
block_of(const kvz_pixel *original, const kvz_pixel *decoded, int width, int height, int eo_class)
{
    struct block block = {original, decoded, width, height, {0}};
    for (int i = 0; i < 2; i++) {
        const vector2d_t *at = &g_sao_edge_offsets[eo_class][i];
        block.neighbours[i] = (ptrdiff_t)at->y * width + at->x;
    }
    return block;
}

/* At eight bits, rounded. */
static inline int
difference(int original, int decoded)
{
    return (original - decoded + (1 << (KVZ_BIT_DEPTH - 8) >> 1)) >> (KVZ_BIT_DEPTH - 8);
}

/* A block that has less than 16 columns inside. */
static void
narrow_add(const struct block *block, int stats[2][NUM_SAO_EDGE_CATEGORIES])
{
    for (int y = 1; y < block->height - 1; y++) {
        for (int x = 1; x < block->width - 1; x++) {
            const kvz_pixel *at = block->decoded + y * block->width + x;
            int edge = 2;
            for (int i = 0; i < 2; i++) {
                const kvz_pixel neighbour = at[block->neighbours[i]];
                edge += (*at > neighbour) - (*at < neighbour);
            }
            stats[0][categories[edge]] += difference(block->original[y * block->width + x], *at);
            stats[1][categories[edge]]++;
        }
    }
}

static inline __m256i
samples_load(const kvz_pixel *samples)
{
#if KVZ_BIT_DEPTH == 8
    return _mm256_cvtepu8_epi16(_mm_loadu_si128((const __m128i *)samples));
#else
    return _mm256_loadu_si256((const __m256i *)samples);
#endif
}

static inline __m256i
sign_of_difference(__m256i a, __m256i b)
{
    return _mm256_sub_epi16(_mm256_cmpgt_epi16(b, a), _mm256_cmpgt_epi16(a, b));
}

/* The sum of the lanes from the first on. */
static inline int
lanes_sum(__m256i words, int first)
{
    const __m256i lanes = _mm256_setr_epi16(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    const __m256i is_in = _mm256_cmpgt_epi16(lanes, _mm256_set1_epi16((int16_t)(first - 1)));
    const __m256i pairs = _mm256_madd_epi16(_mm256_and_si256(words, is_in), _mm256_set1_epi16(1));
    __m128i sum = _mm_add_epi32(_mm256_castsi256_si128(pairs), _mm256_extracti128_si256(pairs, 1));
    sum = _mm_add_epi32(sum, _mm_shuffle_epi32(sum, _MM_SHUFFLE(1, 0, 3, 2)));
    sum = _mm_add_epi32(sum, _mm_shuffle_epi32(sum, _MM_SHUFFLE(2, 3, 0, 1)));
    return _mm_cvtsi128_si32(sum);
}

/* original - decoded, at eight bits. */
static inline __m256i
lack_of(__m256i original, __m256i decoded)
{
    const __m256i lack = _mm256_sub_epi16(original, decoded);
#if KVZ_BIT_DEPTH == 8
    return lack;
#else
    const __m256i round = _mm256_set1_epi16(1 << (KVZ_BIT_DEPTH - 9));
    return _mm256_srai_epi16(_mm256_add_epi16(lack, round), KVZ_BIT_DEPTH - 8);
#endif
}

/* 16 columns from x on, without the first skipped ones. A block is at most 64 samples high, so that
 * a column's sums have 16 bits. */
static void
columns_add(const struct block *block, int x, int skipped, int stats[2][NUM_SAO_EDGE_CATEGORIES])
{
    static const int edges[] = {-2, -1, 1, 2}; /* 0 has what the others leave */
    __m256i sums[4], counts[4], all = _mm256_setzero_si256();
    for (int i = 0; i < 4; i++)
        sums[i] = counts[i] = _mm256_setzero_si256();

    for (int y = 1; y < block->height - 1; y++) {
        const ptrdiff_t row = (ptrdiff_t)y * block->width + x;
        const kvz_pixel *at = block->decoded + row;
        const __m256i decoded = samples_load(at);
        const __m256i lack = lack_of(samples_load(block->original + row), decoded);
        const __m256i edge =
            _mm256_add_epi16(sign_of_difference(decoded, samples_load(at + block->neighbours[0])),
                             sign_of_difference(decoded, samples_load(at + block->neighbours[1])));
        all = _mm256_add_epi16(all, lack);
        for (int i = 0; i < 4; i++) {
            const __m256i is_it = _mm256_cmpeq_epi16(edge, _mm256_set1_epi16((int16_t)edges[i]));
            counts[i] = _mm256_sub_epi16(counts[i], is_it);
            sums[i] = _mm256_add_epi16(sums[i], _mm256_and_si256(lack, is_it));
        }
    }

    int sum = lanes_sum(all, skipped), count = (LANES - skipped) * (block->height - 2);
    for (int i = 0; i < 4; i++) {
        const int its_sum = lanes_sum(sums[i], skipped);
        const int its_count = lanes_sum(counts[i], skipped);
        stats[0][categories[2 + edges[i]]] += its_sum;
        stats[1][categories[2 + edges[i]]] += its_count;
        sum -= its_sum;
        count -= its_count;
    }
    stats[0][SAO_EO_CAT0] += sum;
    stats[1][SAO_EO_CAT0] += count;
}

static void
stats_add(const struct block *block, int stats[2][NUM_SAO_EDGE_CATEGORIES])
{
    const int end = block->width - 1;
    if (end - 1 < LANES) {
        narrow_add(block, stats);
        return;
    }
    for (int x = 1; x < end && block->height > 2; x += LANES) {
        const int first = x < end - LANES ? x : end - LANES;
        columns_add(block, first, x - first, stats);
    }
}

static void
edge_dir(const encoder_control_t *encoder, const kvz_pixel *original, const kvz_pixel *decoded,
         int eo_class, int width, int height, int stats[2][NUM_SAO_EDGE_CATEGORIES])
{
    const struct block block = block_of(original, decoded, width, height, eo_class);
    stats_add(&block, stats);
}

static int
edge_distortion(const encoder_control_t *encoder, const kvz_pixel *original,
                const kvz_pixel *decoded, int width, int height, int eo_class,
                int offsets[NUM_SAO_EDGE_CATEGORIES])
{
    const struct block block = block_of(original, decoded, width, height, eo_class);
    int stats[2][NUM_SAO_EDGE_CATEGORIES] = {{0}};
    int change = 0; /* of the squares: (lack - offset)^2 - lack^2 */
    stats_add(&block, stats);
    for (int i = 0; i < NUM_SAO_EDGE_CATEGORIES; i++)
        change += offsets[i] * (stats[1][i] * offsets[i] - 2 * stats[0][i]);
    return change;
}

void
rp_kvazaar_sao_init_v3(void)
{
    kvz_calc_sao_edge_dir = edge_dir;
    kvz_sao_edge_ddistortion = edge_distortion;
}
#else
void
rp_kvazaar_sao_init_v3(void)
{
}
#endif
