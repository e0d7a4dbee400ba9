/* SPDX-License-Identifier: MIT */
/* Quantization without a search for the best levels, and sign data hiding (9.3.4.3), for x86-64-v3:
 * most coefficients become zeros, which a comparison tells without a product.
 */
#include "codecs/kvazaar/kernels.h"

#if defined(__AVX2__)
#include "util/compiler.h"

#include "global.h"
#include "strategies/generic/quant-generic.h"
#include "strategies/strategies-quant.h"
#include "tables.h"
#include "transform.h"

#include <immintrin.h>
#include <string.h>

#define LANES 16
#define GROUP 16 /* coefficients of a group of 4x4, in scan order (6.5.3) */

/* level = (|coefficient| * scale + round) >> bits. Without scaling lists all coefficients of all
 * blocks have one scale. */
struct quantizer {
    int32_t scale;
    int32_t round;
    int32_t bits;
};

static struct quantizer
quantizer_of(const encoder_state_t *state, uint32_t log2_size, int8_t type)
{
    const encoder_control_t *control = state->encoder_control;
    const int32_t qp = kvz_get_scaled_qp(type, state->qp, (int8_t)((KVZ_BIT_DEPTH - 8) * 6));
    const int32_t bits =
        QUANT_SHIFT + qp / 6 + MAX_TR_DYNAMIC_RANGE - KVZ_BIT_DEPTH - (int32_t)log2_size;
    return (struct quantizer){
        .scale = control->scaling_list.quant_coeff[log2_size - 2][0][qp % 6][0],
        .round = (state->frame->slicetype == KVZ_SLICE_I ? 171 : 85) << (bits - 9),
        .bits = bits,
    };
}

/* The largest coefficient that becomes 0. */
static uint32_t
largest_zero(const struct quantizer *quantizer)
{
    const uint32_t largest =
        (uint32_t)((1 << quantizer->bits) - 1 - quantizer->round) / (uint32_t)quantizer->scale;
    return RP_MIN(largest, UINT16_MAX);
}

static inline __m256i
quantize_half(__m256i magnitudes, const struct quantizer *quantizer)
{
    const __m256i product = _mm256_mullo_epi32(magnitudes, _mm256_set1_epi32(quantizer->scale));
    return _mm256_srai_epi32(_mm256_add_epi32(product, _mm256_set1_epi32(quantizer->round)),
                             quantizer->bits);
}

/* Returns the sum of the levels' magnitudes. */
static uint32_t
quantize(const int16_t *coefficients, int16_t *levels, uint32_t count,
         const struct quantizer *quantizer)
{
    const __m256i zero_limit = _mm256_set1_epi16((int16_t)largest_zero(quantizer));
    __m256i sum = _mm256_setzero_si256();
    for (uint32_t i = 0; i < count; i += LANES) {
        const __m256i values = _mm256_loadu_si256((const __m256i *)(coefficients + i));
        const __m256i magnitudes = _mm256_abs_epi16(values);
        const __m256i above = _mm256_subs_epu16(magnitudes, zero_limit);
        __m256i out = _mm256_setzero_si256();
        if (!_mm256_testz_si256(above, above)) {
            const __m256i low =
                quantize_half(_mm256_unpacklo_epi16(magnitudes, _mm256_setzero_si256()), quantizer);
            const __m256i high =
                quantize_half(_mm256_unpackhi_epi16(magnitudes, _mm256_setzero_si256()), quantizer);
            sum = _mm256_add_epi32(sum, _mm256_add_epi32(low, high));
            out = _mm256_sign_epi16(_mm256_packs_epi32(low, high), values);
        }
        _mm256_storeu_si256((__m256i *)(levels + i), out);
    }
    __m128i sums = _mm_add_epi32(_mm256_castsi256_si128(sum), _mm256_extracti128_si256(sum, 1));
    sums = _mm_add_epi32(sums, _mm_shuffle_epi32(sums, _MM_SHUFFLE(1, 0, 3, 2)));
    sums = _mm_add_epi32(sums, _mm_shuffle_epi32(sums, _MM_SHUFFLE(2, 3, 0, 1)));
    return (uint32_t)_mm_cvtsi128_si32(sums);
}

/* Takes the words of a group of 4x4, row by row, to scan order: which bytes of their own half of
 * 128 bits, and of the other, come where. */
struct order {
    __m256i own;
    __m256i other;
};

/* scan: of a block of 4x4. */
static struct order
order_of(const uint32_t *scan)
{
    const __m256i *from = (const __m256i *)scan;
    const __m256i words = _mm256_permute4x64_epi64(
        _mm256_packus_epi32(_mm256_loadu_si256(from), _mm256_loadu_si256(from + 1)),
        _MM_SHUFFLE(3, 1, 2, 0));
    const __m256i bytes = _mm256_add_epi16(_mm256_mullo_epi16(words, _mm256_set1_epi16(0x0202)),
                                           _mm256_set1_epi16(0x0100));
    const __m256i is_upper = _mm256_cmpgt_epi16(words, _mm256_set1_epi16(7));
    const __m256i to_upper = _mm256_setr_epi64x(0, 0, -1, -1);
    const __m256i is_other = _mm256_xor_si256(is_upper, to_upper);
    const __m256i none = _mm256_set1_epi8((char)0x80);
    return (struct order){
        .own = _mm256_or_si256(bytes, _mm256_and_si256(is_other, none)),
        .other = _mm256_or_si256(bytes, _mm256_andnot_si256(is_other, none)),
    };
}

static inline __m256i
group_load(const int16_t *corner, uint32_t size)
{
    int64_t rows[4];
    for (uint32_t y = 0; y < 4; y++)
        memcpy(&rows[y], corner + (size_t)y * size, sizeof(rows[y]));
    return _mm256_setr_epi64x(rows[0], rows[1], rows[2], rows[3]);
}

static inline __m256i
group_sort(__m256i group, const struct order *order)
{
    const __m256i swapped = _mm256_permute4x64_epi64(group, _MM_SHUFFLE(1, 0, 3, 2));
    return _mm256_or_si256(_mm256_shuffle_epi8(group, order->own),
                           _mm256_shuffle_epi8(swapped, order->other));
}

/* What was rounded off, in 1/256. */
static inline __m256i
rest_half(__m256i magnitudes, __m256i levels, const struct quantizer *quantizer)
{
    const __m256i product = _mm256_mullo_epi32(magnitudes, _mm256_set1_epi32(quantizer->scale));
    return _mm256_srai_epi32(_mm256_sub_epi32(product, _mm256_slli_epi32(levels, quantizer->bits)),
                             quantizer->bits - 8);
}

static inline __m256i
rest_of(__m256i coefficients, __m256i levels, const struct quantizer *quantizer)
{
    const __m256i zero = _mm256_setzero_si256();
    const __m256i magnitudes = _mm256_abs_epi16(coefficients);
    return _mm256_packs_epi32(rest_half(_mm256_unpacklo_epi16(magnitudes, zero),
                                        _mm256_unpacklo_epi16(levels, zero), quantizer),
                              rest_half(_mm256_unpackhi_epi16(magnitudes, zero),
                                        _mm256_unpackhi_epi16(levels, zero), quantizer));
}

/* Where a level changes by one at the least cost, and whether its magnitude grows: all in scan
 * order, levels that are not zeros from first to last, candidates up to end. */
static uint32_t
cheapest_change(__m256i coefficients, __m256i levels, uint32_t first, uint32_t end,
                const struct quantizer *quantizer, bool *is_up_out)
{
    const __m256i zero = _mm256_setzero_si256();
    const __m256i at = _mm256_setr_epi16(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    const __m256i first_at = _mm256_set1_epi16((int16_t)first);
    const __m256i is_first = _mm256_cmpeq_epi16(at, first_at);
    const __m256i is_zero = _mm256_cmpeq_epi16(levels, zero);
    const __m256i magnitudes = _mm256_abs_epi16(levels);
    const __m256i rest = rest_of(coefficients, magnitudes, quantizer);
    const __m256i is_up = _mm256_or_si256(is_zero, _mm256_cmpgt_epi16(rest, zero));
    const __m256i cost = _mm256_blendv_epi8(rest, _mm256_sub_epi16(zero, rest), is_up);
    /* A new first level must have the sign of the one before, and the first must stay. */
    const bool is_negative = (uint32_t)_mm256_movemask_epi8(levels) >> (2 * first + 1) & 1;
    const __m256i has_other_sign = _mm256_xor_si256(_mm256_cmpgt_epi16(zero, coefficients),
                                                    _mm256_set1_epi16((int16_t)-is_negative));
    const __m256i is_before = _mm256_and_si256(is_zero, _mm256_cmpgt_epi16(first_at, at));
    const __m256i is_one = _mm256_cmpeq_epi16(magnitudes, _mm256_set1_epi16(1));
    const __m256i is_forbidden = _mm256_or_si256(
        _mm256_or_si256(_mm256_and_si256(is_before, has_other_sign),
                        _mm256_andnot_si256(is_up, _mm256_and_si256(is_first, is_one))),
        _mm256_cmpgt_epi16(at, _mm256_set1_epi16((int16_t)end)));
    /* The least cost, from -256 to 256, and the last place where it is. */
    const __m256i key =
        _mm256_or_si256(_mm256_slli_epi16(_mm256_add_epi16(cost, _mm256_set1_epi16(256)), 4),
                        _mm256_sub_epi16(_mm256_set1_epi16(15), at));
    const __m256i keys = _mm256_or_si256(key, is_forbidden);
    const __m128i least = _mm_minpos_epu16(
        _mm_min_epu16(_mm256_castsi256_si128(keys), _mm256_extracti128_si256(keys, 1)));
    const uint32_t where = 15 - ((uint32_t)_mm_cvtsi128_si32(least) & 15);
    *is_up_out = (uint32_t)_mm256_movemask_epi8(is_up) >> (2 * where) & 1;
    return where;
}

/* Levels are 13107 at most, the largest product shifted by the fewest bits. */
static void
signs_hide(const int16_t *coefficients, int16_t *levels, uint32_t size, const uint32_t *scan,
           const struct order *order, const struct quantizer *quantizer)
{
    bool is_last_group = true; /* in scan order, of those that are not zeros */
    for (uint32_t i = size * size; i > 0; i -= GROUP) {
        const uint32_t *at = scan + i - GROUP; /* its first is the group's corner */
        const __m256i unsorted = group_load(levels + at[0], size);
        if (_mm256_testz_si256(unsorted, unsorted))
            continue;
        const __m256i group = group_sort(unsorted, order);
        const __m256i zeros = _mm256_cmpeq_epi16(group, _mm256_setzero_si256());
        const uint32_t is_set = ~(uint32_t)_mm256_movemask_epi8(zeros);
        const uint32_t is_odd = (uint32_t)_mm256_movemask_epi8(_mm256_slli_epi16(group, 15));
        const uint32_t first = (uint32_t)__builtin_ctz(is_set) / 2;
        const uint32_t last = 15 - (uint32_t)__builtin_clz(is_set) / 2;
        const uint32_t parity = (uint32_t)__builtin_popcount(is_odd & 0xaaaaaaaa) & 1;
        if (last - first >= 4 && parity != (levels[at[first]] < 0)) {
            bool is_up;
            const uint32_t where =
                cheapest_change(group_sort(group_load(coefficients + at[0], size), order), group,
                                first, is_last_group ? last : 15, quantizer, &is_up);
            int16_t *level = &levels[at[where]];
            *level = (int16_t)(*level + (is_up == (coefficients[at[where]] >= 0) ? 1 : -1));
        }
        is_last_group = false;
    }
}

static void
quant(const encoder_state_t *state, coeff_t *coefficients, coeff_t *levels, int32_t width,
      int32_t height, int8_t type, int8_t scan_idx, int8_t block_type)
{
    const encoder_control_t *control = state->encoder_control;
    if (control->scaling_list.enable) {
        kvz_quant_generic(state, coefficients, levels, width, height, type, scan_idx, block_type);
        return;
    }
    const uint32_t log2_size = (uint32_t)kvz_g_convert_to_bit[width] + 2;
    const struct quantizer quantizer = quantizer_of(state, log2_size, type);
    const uint32_t sum = quantize(coefficients, levels, 1u << 2 * log2_size, &quantizer);
    if (control->cfg.signhide_enable && sum >= 2) {
        const uint32_t *const *scans = kvz_g_sig_last_scan[scan_idx]; /* from 2x2 on */
        const struct order order = order_of(scans[1]);
        signs_hide(coefficients, levels, 1u << log2_size, scans[log2_size - 1], &order, &quantizer);
    }
}

void
rp_kvazaar_quant_init_v3(void)
{
    kvz_quant = quant;
}
#else
void
rp_kvazaar_quant_init_v3(void)
{
}
#endif
