/* SPDX-License-Identifier: MIT */
/* The transforms of 16x16 and 32x32 samples (8.6.4.2) for x86-64-v3 by partial butterflies: the
 * even rows of the matrix are symmetric, the odd ones antisymmetric, so that the sums of each
 * sample and its mirror make the even rows of the result, which are the transform of half the size,
 * and the differences the odd ones.
 */
#include "codecs/kvazaar/kernels.h"

#if defined(__AVX2__)
#include "util/compiler.h"

#include "global.h"
#include "strategies/strategies-dct.h"

#include <immintrin.h>
#include <string.h>

#define MAX_SIZE 32
#define MAX_PAIRS (MAX_SIZE / 2)
#define LANES 16 /* columns at a time */
#define INLINE_ALWAYS static inline __attribute__((always_inline))

/* transMatrix (8.6.4.2), which no header of kvazaar declares. Every row of a smaller matrix is the
 * first half of one of a larger, and the first halves of the odd rows are symmetric as a matrix:
 * those of transMatrix in steps, and the transpose of the smallest one, serve all. */
extern const int16_t kvz_g_dct_32[MAX_SIZE][MAX_SIZE];
extern const int16_t kvz_g_dct_4_t[4][4];

/* Columns 0-3 and 8-11, then 4-7 and 12-15, of two rows side by side in each 32 bits. */
struct pair {
    __m256i half[2];
};

INLINE_ALWAYS __m256i
row_load(const int16_t *row)
{
    return _mm256_loadu_si256((const __m256i *)row);
}

INLINE_ALWAYS void
row_store(int16_t *row, __m256i value)
{
    _mm256_storeu_si256((__m256i *)row, value);
}

INLINE_ALWAYS struct pair
pair_of(__m256i first, __m256i second)
{
    return (struct pair){
        {_mm256_unpacklo_epi16(first, second), _mm256_unpackhi_epi16(first, second)}};
}

/* sum + the products of the rows in pairs and their factors, of half the columns. */
INLINE_ALWAYS __m256i
multiply_add(__m256i sum, const struct pair *pairs, uint32_t count, uint32_t half,
             const int16_t *factors)
{
    for (uint32_t p = 0; p < count; p++) {
        int32_t two;
        memcpy(&two, factors + (size_t)2 * p, sizeof(two));
        sum = _mm256_add_epi32(sum, _mm256_madd_epi16(pairs[p].half[half], _mm256_set1_epi32(two)));
    }
    return sum;
}

/* 16x16, rows of stride elements. */
INLINE_ALWAYS void
transpose_16x16(const int16_t *src, int16_t *dst, uint32_t stride)
{
    __m256i a[16], b[16];
    for (uint32_t i = 0; i < 16; i++)
        a[i] = row_load(src + (size_t)i * stride);
    for (uint32_t i = 0; i < 8; i++) {
        b[2 * i] = _mm256_unpacklo_epi16(a[i], a[i + 8]);
        b[2 * i + 1] = _mm256_unpackhi_epi16(a[i], a[i + 8]);
    }
    for (uint32_t i = 0; i < 8; i++) {
        a[2 * i] = _mm256_unpacklo_epi16(b[i], b[i + 8]);
        a[2 * i + 1] = _mm256_unpackhi_epi16(b[i], b[i + 8]);
    }
    for (uint32_t i = 0; i < 8; i++) {
        b[2 * i] = _mm256_unpacklo_epi16(a[i], a[i + 8]);
        b[2 * i + 1] = _mm256_unpackhi_epi16(a[i], a[i + 8]);
    }
    for (uint32_t i = 0; i < 8; i++) {
        a[2 * i] = _mm256_unpacklo_epi16(b[i], b[i + 8]);
        a[2 * i + 1] = _mm256_unpackhi_epi16(b[i], b[i + 8]);
    }
    /* Within halves of 128 bits: columns 0 to 7 in the low ones, 8 to 15 in the high ones. */
    for (uint32_t i = 0; i < 8; i++) {
        row_store(dst + (size_t)i * stride,
                  _mm256_permute2x128_si256(a[2 * i], a[2 * i + 1], 0x20));
        row_store(dst + (size_t)(i + 8) * stride,
                  _mm256_permute2x128_si256(a[2 * i], a[2 * i + 1], 0x31));
    }
}

INLINE_ALWAYS void
transpose(const int16_t *src, int16_t *dst, uint32_t size)
{
    for (uint32_t y = 0; y < size; y += LANES)
        for (uint32_t x = 0; x < size; x += LANES)
            transpose_16x16(src + (size_t)y * size + x, dst + (size_t)x * size + y, size);
}

/* Computes as many rows of the result as there are values, each with a row of transMatrix: the
 * first with that of number first_factors, and so on in steps. */
INLINE_ALWAYS void
forward_rows(const __m256i *values, uint32_t count, uint32_t first_factors, uint32_t step,
             int16_t *dst, uint32_t size, uint32_t shift)
{
    const __m256i round = _mm256_set1_epi32(1 << (shift - 1));
    struct pair pairs[MAX_PAIRS];
    for (uint32_t p = 0; p < count / 2; p++)
        pairs[p] = pair_of(values[2 * p], values[2 * p + 1]);
    for (uint32_t m = 0; m < count; m++) {
        const uint32_t k = first_factors + m * step;
        const __m256i low = multiply_add(round, pairs, count / 2, 0, kvz_g_dct_32[k]);
        const __m256i high = multiply_add(round, pairs, count / 2, 1, kvz_g_dct_32[k]);
        row_store(dst + (size_t)k * size / MAX_SIZE * size,
                  _mm256_packs_epi32(_mm256_srai_epi32(low, (int)shift),
                                     _mm256_srai_epi32(high, (int)shift)));
    }
}

/* The odd rows of the transform of 2 * count values; leaves the sums that make the others in the
 * first half of the values. */
INLINE_ALWAYS void
forward_odd_rows(__m256i *values, uint32_t count, int16_t *dst, uint32_t size, uint32_t shift)
{
    __m256i odd[MAX_SIZE / 2];
    for (uint32_t i = 0; i < count; i++) {
        odd[i] = _mm256_sub_epi16(values[i], values[2 * count - 1 - i]);
        values[i] = _mm256_add_epi16(values[i], values[2 * count - 1 - i]);
    }
    forward_rows(odd, count, 16 / count, 32 / count, dst, size, shift);
}

/* The columns' transform, of 16 of them. */
INLINE_ALWAYS void
forward_columns(const int16_t *src, int16_t *dst, uint32_t size, uint32_t shift, bool may_be_large)
{
    __m256i even[MAX_SIZE];
    __m256i bits = _mm256_setzero_si256();
    for (uint32_t i = 0; i < size; i++) {
        even[i] = row_load(src + (size_t)i * size);
        if (may_be_large)
            bits = _mm256_or_si256(bits, _mm256_abs_epi16(even[i]));
    }
    /* The sums are of size / 4 samples at most: where they could leave 16 bits, a matrix
     * product. */
    const uint32_t limit = 4u * 32768 / size;
    if (may_be_large && !_mm256_testz_si256(bits, _mm256_set1_epi16((int16_t)-limit))) {
        forward_rows(even, size, 0, MAX_SIZE / size, dst, size, shift);
        return;
    }
    if (size == 32)
        forward_odd_rows(even, 16, dst, size, shift);
    forward_odd_rows(even, 8, dst, size, shift);
    forward_odd_rows(even, 4, dst, size, shift);
    forward_rows(even, 4, 0, 8, dst, size, shift);
}

INLINE_ALWAYS void
forward(int32_t bit_depth, const int16_t *input, int16_t *output, uint32_t size)
{
    const uint32_t log2_size = size == 32 ? 5 : 4;
    _Alignas(32) int16_t rows[MAX_SIZE * MAX_SIZE], columns[MAX_SIZE * MAX_SIZE];
    transpose(input, rows, size);
    for (uint32_t x = 0; x < size; x += LANES)
        forward_columns(rows + x, columns + x, size, log2_size - 1 + (uint32_t)(bit_depth - 8),
                        false);
    transpose(columns, rows, size);
    for (uint32_t x = 0; x < size; x += LANES)
        forward_columns(rows + x, output + x, size, log2_size + 6, true);
}

/* Every step-th row from the first one on, count of them, of which those from row_count on are
 * zeros. Returns how many pairs are not. */
INLINE_ALWAYS uint32_t
pairs_load(const int16_t *src, uint32_t size, uint32_t first, uint32_t step, uint32_t count,
           uint32_t row_count, struct pair *out)
{
    uint32_t used = 0;
    for (; used < count / 2 && first + 2 * used * step < row_count; used++) {
        const int16_t *row = src + (size_t)(first + 2 * used * step) * size;
        out[used] = pair_of(row_load(row), row_load(row + (size_t)step * size));
    }
    return used;
}

/* Makes 2 * count values of the odd rows, and of as many values that the even ones made. */
INLINE_ALWAYS void
inverse_odd_rows(const int16_t *src, uint32_t count, uint32_t size, uint32_t row_count,
                 uint32_t half, __m256i *values)
{
    const uint32_t step = size / count;
    struct pair pairs[MAX_PAIRS / 2];
    const uint32_t used = pairs_load(src, size, step / 2, step, count, row_count, pairs);
    for (uint32_t n = 0; n < count; n++) {
        const __m256i odd = multiply_add(_mm256_setzero_si256(), pairs, used, half,
                                         kvz_g_dct_32[(2 * n + 1) * (16 / count)]);
        values[2 * count - 1 - n] = _mm256_sub_epi32(values[n], odd);
        values[n] = _mm256_add_epi32(values[n], odd);
    }
}

/* The columns' inverse transform of half of 16 of them, plus round. */
INLINE_ALWAYS void
inverse_half(const int16_t *src, uint32_t size, uint32_t row_count, uint32_t half, __m256i round,
             __m256i out[MAX_SIZE])
{
    struct pair pairs[2];
    const uint32_t used = pairs_load(src, size, 0, size / 4, 4, row_count, pairs);
    for (uint32_t n = 0; n < 4; n++)
        out[n] = multiply_add(round, pairs, used, half, kvz_g_dct_4_t[n]);
    inverse_odd_rows(src, 4, size, row_count, half, out);
    inverse_odd_rows(src, 8, size, row_count, half, out);
    if (size == 32)
        inverse_odd_rows(src, 16, size, row_count, half, out);
}

INLINE_ALWAYS void
inverse_columns(const int16_t *src, int16_t *dst, uint32_t size, uint32_t row_count, uint32_t shift)
{
    const __m256i round = _mm256_set1_epi32(1 << (shift - 1));
    __m256i low[MAX_SIZE], high[MAX_SIZE];
    inverse_half(src, size, row_count, 0, round, low);
    inverse_half(src, size, row_count, 1, round, high);
    for (uint32_t i = 0; i < size; i++)
        row_store(dst + (size_t)i * size,
                  _mm256_packs_epi32(_mm256_srai_epi32(low[i], (int)shift),
                                     _mm256_srai_epi32(high[i], (int)shift)));
}

/* Transforms all columns up to column_count back: a function for each size and number of rows, so
 * that these are constants in it. */
#define INVERSE(SIZE, ROWS) \
    static void inverse_##SIZE##_of_##ROWS(const int16_t *src, int16_t *dst, \
                                           uint32_t column_count, uint32_t shift) \
    { \
        for (uint32_t x = 0; x < column_count; x += LANES) \
            inverse_columns(src + x, dst + x, SIZE, ROWS, shift); \
    }

INVERSE(16, 8)
INVERSE(16, 16)
INVERSE(32, 8)
INVERSE(32, 16)
INVERSE(32, 32)

static void
inverse_16(const int16_t *src, int16_t *dst, uint32_t row_count, uint32_t column_count,
           uint32_t shift)
{
    if (row_count <= 8)
        inverse_16_of_8(src, dst, column_count, shift);
    else
        inverse_16_of_16(src, dst, column_count, shift);
}

static void
inverse_32(const int16_t *src, int16_t *dst, uint32_t row_count, uint32_t column_count,
           uint32_t shift)
{
    if (row_count <= 8)
        inverse_32_of_8(src, dst, column_count, shift);
    else if (row_count <= 16)
        inverse_32_of_16(src, dst, column_count, shift);
    else
        inverse_32_of_32(src, dst, column_count, shift);
}

/* How many rows, and columns, hold all that is not zero. */
INLINE_ALWAYS void
extent_find(const int16_t *block, uint32_t size, uint32_t *row_count, uint32_t *column_count)
{
    *row_count = 0;
    *column_count = 0;
    for (uint32_t x = 0; x < size; x += LANES) {
        __m256i columns = _mm256_setzero_si256();
        for (uint32_t y = 0; y < size; y++)
            columns = _mm256_or_si256(columns, row_load(block + (size_t)y * size + x));
        const uint32_t zeros =
            (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi16(columns, _mm256_setzero_si256()));
        if (~zeros)
            *column_count = x + LANES - (uint32_t)__builtin_clz(~zeros) / 2;
    }
    for (uint32_t y = size; y > 0 && *row_count == 0; y--) {
        __m256i row = row_load(block + (size_t)(y - 1) * size);
        if (size > LANES)
            row = _mm256_or_si256(row, row_load(block + (size_t)(y - 1) * size + LANES));
        if (!_mm256_testz_si256(row, row))
            *row_count = y;
    }
}

static inline int32_t
scale_dc(int32_t value, uint32_t shift)
{
    const int32_t scaled = (64 * value + (1 << (shift - 1))) >> shift;
    return RP_MAX(INT16_MIN, RP_MIN(INT16_MAX, scaled));
}

INLINE_ALWAYS void
inverse(int32_t bit_depth, const int16_t *input, int16_t *output, uint32_t size)
{
    const uint32_t first_shift = 7, second_shift = 20 - (uint32_t)bit_depth;
    _Alignas(32) int16_t rows[MAX_SIZE * MAX_SIZE], columns[MAX_SIZE * MAX_SIZE];
    uint32_t row_count, column_count;
    extent_find(input, size, &row_count, &column_count);
    if (row_count <= 1 && column_count <= 1) {
        const int32_t value = scale_dc(scale_dc(input[0], first_shift), second_shift);
        for (uint32_t i = 0; i < size * size; i += LANES)
            row_store(output + i, _mm256_set1_epi16((int16_t)value));
        return;
    }
    void (*const stage)(const int16_t *, int16_t *, uint32_t, uint32_t, uint32_t) =
        size == 32 ? inverse_32 : inverse_16;
    stage(input, columns, row_count, column_count, first_shift);
    /* What is right of the columns that hold something is not there, and nobody looks at it. */
    for (uint32_t x = 0; x < column_count; x += LANES)
        for (uint32_t y = 0; y < size; y += LANES)
            transpose_16x16(columns + (size_t)y * size + x, rows + (size_t)x * size + y, size);
    stage(rows, columns, column_count, size, second_shift);
    transpose(columns, output, size);
}

static void
dct_16x16(int8_t bit_depth, const int16_t *input, int16_t *output)
{
    forward(bit_depth, input, output, 16);
}

static void
dct_32x32(int8_t bit_depth, const int16_t *input, int16_t *output)
{
    forward(bit_depth, input, output, 32);
}

static void
idct_16x16(int8_t bit_depth, const int16_t *input, int16_t *output)
{
    inverse(bit_depth, input, output, 16);
}

static void
idct_32x32(int8_t bit_depth, const int16_t *input, int16_t *output)
{
    inverse(bit_depth, input, output, 32);
}

void
rp_kvazaar_dct_init_v3(void)
{
    kvz_dct_16x16 = dct_16x16;
    kvz_dct_32x32 = dct_32x32;
    kvz_idct_16x16 = idct_16x16;
    kvz_idct_32x32 = idct_32x32;
}
#else
void
rp_kvazaar_dct_init_v3(void)
{
}
#endif
