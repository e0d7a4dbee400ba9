/* SPDX-License-Identifier: MIT */
/* Texels that are no single word of bytes or halves, read, written and sampled: of 64 and 128 bits,
 * of floats of 16 bits, of ten bits a component, signed or sRGB; and samples of volumes and with a
 * border, of other formats, too. They lie in memory lane by lane, or in rows; their components are
 * made a vector at a time. Compiled once for each instruction set.
 */
#include "compute/exec/math.h"
#include "compute/exec/texel_axis.h"
#include "compute/exec/texel_kind.h"
#include "compute/image/texel.h"

/* The linear value of bytes. */
static inline vi
linear_of(vu bytes)
{
    const uint8_t *table = (const uint8_t *)rp_srgb_to_linear;
#if RP_VW >= 8
    return VI(gather_words(table, VI(bytes * 4)));
#else
    vf value = {0};
    for (uint32_t i = 0; i < RP_VW; i++)
        value[i] = ((const float *)(const void *)table)[bytes[i]];
    return VI(value);
#endif
}

RP_ALWAYS_INLINE vi
component_of(enum nature nature, const vu texel[4], uint32_t c)
{
    const struct field field = field_of(nature, c);
    const vu word = texel[field.word];
    if (is_word(nature))
        return VI(word);
    const bool is_alpha = (nature == BYTE_SRGB || nature == BYTE_SRGB_BGR) && c == 3;
    if (nature == UNORM16 || nature == TEN_RGB || nature == TEN_BGR || nature == BYTE_UNORM ||
        nature == BYTE_BGR || is_alpha)
        return VI(unorm_of(word, field.bits, field.shift));
    if (nature == BYTE_SNORM) {
        const vi number = VI(word << (24 - field.shift)) >> 24;
        const vf value = __builtin_convertvector(number, vf) / 127.0f;
        return VI(vf_select(number == -128, vf_splat(-1.0f), value));
    }
    if (nature == SINT16)
        return VI(word << (16 - field.shift)) >> 16;
    const vu bits = word >> field.shift & ((1u << field.bits) - 1);
    if (nature == BYTE_SRGB || nature == BYTE_SRGB_BGR)
        return linear_of(bits);
    if (nature == SMALL_FLOAT) /* a half's exponent, fewer bits behind it */
        return VI(half_to_float(VI(bits << (15 - field.bits))));
    if (nature == HALF)
        return VI(half_to_float(VI(bits)));
    return VI(bits);
}

RP_ALWAYS_INLINE vi
missing(enum nature nature, uint32_t c)
{
    if (c != 3)
        return (vi){0};
    return is_float(nature) ? VI(vf_splat(1.0f)) : vi_splat(1);
}

/* As rp_float_to_half() has it: NaN keeps its sign alone. */
static inline vu
half_from(vi value)
{
    const vi magnitude = value & INT32_MAX;
    const vi nan = VI(VU(value) >> 16 & 0x8000) | 0x7e00;
    return VU(vi_select(magnitude > 0x7f800000, nan, float_to_half(VF(value)))) & 0xffff;
}

/* What a component is in its field's lowest bits. */
RP_ALWAYS_INLINE vu
bits_from(enum nature nature, vi value, uint32_t bits)
{
    switch (nature) {
    case UINT16:
    case TEN_RGB_UINT:
    case TEN_BGR_UINT:
        return uint_from(value, bits);
    case SINT16:
        value = vi_select(value < vi_splat(-32768), vi_splat(-32768), value);
        return VU(vi_select(value > vi_splat(32767), vi_splat(32767), value)) & 0xffff;
    case HALF:
        return half_from(value);
    case WORD_FLOAT:
    case WORD_INT:
        return VU(value);
    case UNORM16:
    case TEN_RGB:
    case TEN_BGR:
        return unorm_long_from(value, bits);
    default:
        return (vu){0};
    }
}

/* (No loop: where each component lies is a constant.) */
RP_ALWAYS_INLINE void
decode_as(enum nature nature, uint32_t count, const vu texel[4], vi out[4])
{
    out[0] = component_of(nature, texel, 0);
    out[1] = count > 1 ? component_of(nature, texel, 1) : missing(nature, 1);
    out[2] = count > 2 ? component_of(nature, texel, 2) : missing(nature, 2);
    out[3] = count > 3 ? component_of(nature, texel, 3) : missing(nature, 3);
}

RP_ALWAYS_INLINE void
encode_as(enum nature nature, uint32_t count, const uint32_t *const value[4], uint32_t lane,
          vu texel[4])
{
    for (uint32_t c = 0; c < 4 && c < count; c++) {
        const struct field field = field_of(nature, c);
        const vi v = *(const vi *)(value[c] + lane);
        texel[field.word] |= bits_from(nature, v, field.bits) << field.shift;
    }
}

/* clang-format off */
#define WRITTEN(X) \
    X(UNORM16) X(UINT16) X(SINT16) X(HALF) X(WORD_FLOAT) X(WORD_INT) X(TEN_RGB) X(TEN_BGR) \
    X(TEN_RGB_UINT) X(TEN_BGR_UINT)
#define NATURES(X) \
    WRITTEN(X) X(BYTE_UNORM) X(BYTE_BGR) X(BYTE_SRGB) X(BYTE_SRGB_BGR) X(BYTE_SNORM) X(SMALL_FLOAT)
/* clang-format on */

/* The four components of a vector of texels, and back. */
static void
decode(const struct kind *kind, const vu texel[4], vi out[4])
{
    switch (kind->nature) {
#define DECODE(nature) \
    case nature: \
        decode_as(nature, kind->count, texel, out); \
        break;
        NATURES(DECODE)
    }
}

static void
encode(const struct kind *kind, const uint32_t *const value[4], uint32_t lane, vu texel[4])
{
    switch (kind->nature) {
#define ENCODE(nature) \
    case nature: \
        encode_as(nature, kind->count, value, lane, texel); \
        break;
        WRITTEN(ENCODE)
    default:
        break;
    }
}

/* Words of texels at offsets, of which a negative one is none: zeros. */
RP_ALWAYS_INLINE void
load_lanes(uint32_t texel_B, const struct rp_texture_level *level, vi offsets, vu texel[4])
{
    uint32_t at[4][RP_VW] = {{0}};
    int32_t offset[RP_VW];
    memcpy(offset, &offsets, sizeof(offset));
    for (uint32_t i = 0; i < RP_VW; i++) {
        uint32_t word[4] = {0};
        if (offset[i] < 0)
            continue;
        memcpy(word, level->data + offset[i], texel_B);
        for (uint32_t w = 0; w < (texel_B + 3) / 4; w++)
            at[w][i] = word[w];
    }
    memcpy(texel, at, sizeof(at));
}

/* Texels of 64 bits side by side: their low and their high words. */
static inline void
load_long_row(const uint8_t *from, vu texel[4])
{
#if RP_VW == 16
    const __m512i low = _mm512_loadu_si512(from), high = _mm512_loadu_si512(from + 64);
    const __m512i even = (__m512i)(2 * lane_numbers(0)), odd = (__m512i)(2 * lane_numbers(0) + 1);
    texel[0] = (vu)_mm512_permutex2var_epi32(low, even, high);
    texel[1] = (vu)_mm512_permutex2var_epi32(low, odd, high);
#elif RP_VW == 8
    const __m256 low = _mm256_loadu_ps((const float *)(const void *)from);
    const __m256 high = _mm256_loadu_ps((const float *)(const void *)(from + 32));
    texel[0] = (vu)_mm256_permute4x64_pd((__m256d)_mm256_shuffle_ps(low, high, 0x88), 0xd8);
    texel[1] = (vu)_mm256_permute4x64_pd((__m256d)_mm256_shuffle_ps(low, high, 0xdd), 0xd8);
#else
    uint32_t words[2 * RP_VW];
    memcpy(words, from, sizeof(words));
    for (uint32_t i = 0; i < RP_VW; i++) {
        texel[0][i] = words[2 * i];
        texel[1][i] = words[2 * i + 1];
    }
#endif
}

#if RP_VW == 16
/* Texels of 128 bits side by side. */
static inline void
load_longest_row(const uint8_t *from, vu texel[4])
{
    const __m512i a = _mm512_loadu_si512(from), b = _mm512_loadu_si512(from + 64);
    const __m512i c = _mm512_loadu_si512(from + 128), d = _mm512_loadu_si512(from + 192);
    for (int32_t w = 0; w < 4; w++) {
        const __m512i each = (__m512i)(lane_numbers(0) * 4 + w); /* of the 32 words of two */
        const __m512i low = _mm512_permutex2var_epi32(a, each, b);
        const __m512i high = _mm512_permutex2var_epi32(c, each, d);
        texel[w] = (vu)_mm512_inserti64x4(low, _mm512_castsi512_si256(high), 1);
    }
}
#endif

RP_ALWAYS_INLINE void
load_as(uint32_t texel_B, const struct rp_texture_level *level, vi offsets, vu texel[4])
{
    const bool is_row = even_stride(offsets) == texel_B;
    if (is_row && texel_B == 8) {
        load_long_row(level->data + offsets[0], texel);
        return;
    }
    if (is_row && texel_B <= 4) {
        (void)load_even(level->data + offsets[0], texel_B, &texel[0]);
        return;
    }
#if RP_VW == 16
    if (is_row && texel_B == 16) {
        load_longest_row(level->data + offsets[0], texel);
        return;
    }
#endif
#if RP_VW >= 8
    if (texel_B >= 4) {
        for (uint32_t w = 0; w < texel_B / 4; w++)
            texel[w] = gather_words(level->data + 4 * (size_t)w, offsets);
        return;
    }
#endif
    load_lanes(texel_B, level, offsets, texel);
}

static __attribute__((noinline)) void
load(uint32_t texel_B, const struct rp_texture_level *level, vi offsets, vu texel[4])
{
    if (texel_B == 1)
        load_as(1, level, offsets, texel);
    else if (texel_B == 2)
        load_as(2, level, offsets, texel);
    else if (texel_B == 4)
        load_as(4, level, offsets, texel);
    else if (texel_B == 8)
        load_as(8, level, offsets, texel);
    else
        load_as(16, level, offsets, texel);
}

/* The s-th vectors of what somebody wants. */
static inline void
put(const vi from[4], uint32_t s, uint32_t *const out[4])
{
    for (uint32_t c = 0; c < 4; c++)
        if (out[c])
            ((vi *)out[c])[s] = from[c];
}

/* A texel of weight 0 has no part in the sum: it may be infinite. */
RP_ALWAYS_INLINE void
add_weighted(vf *sum, vf weight, vf value)
{
    *sum = vf_select(weight == 0.0f, *sum, *sum + weight * value);
}

/* Where a vector of samples lies; without a filter there are no second texels and no weights. */
struct taps {
    struct linear_axis axis[3];
    vi offset[3][2];
};

static struct taps
taps_of(const struct sampling *sampling, uint32_t s, VkFilter filter, uint32_t texel_B)
{
    const struct rp_texture_level *level = sampling->level;
    const uint32_t size_px[3] = {level->width_px, level->height_px, level->depth_px};
    const size_t step_B[3] = {texel_B, level->row_B, level->slice_B};
    struct taps taps;
    for (uint32_t i = 0; i < sampling->axis_count; i++) {
        const vi coordinate = texel_coordinates(sampling->call, i, s);
        taps.axis[i] =
            filter == VK_FILTER_LINEAR
                ? linear_axis_of(coordinate, size_px[i], sampling->scale[i], sampling->repeats[i])
                : nearest_axis_of(coordinate, size_px[i], sampling->scale[i], sampling->repeats[i]);
        for (uint32_t k = 0; k < 2; k++) {
            taps.offset[i][k] = taps.axis[i].at[k] * (int32_t)step_B[i];
            if (!sampling->has_border[i])
                taps.axis[i].outside[k] = (vi){0};
        }
    }
    return taps;
}

/* The components of one tap: bit i says which of the two texels along axis i. */
static void
tap_read(const struct kind *kind, const struct sampling *sampling, const struct taps *taps,
         uint32_t tap, vi value[4])
{
    vi offset = {0}, outside = {0};
    vu texel[4];
    for (uint32_t i = 0; i < sampling->axis_count; i++) {
        offset += taps->offset[i][tap >> i & 1];
        outside |= taps->axis[i].outside[tap >> i & 1];
    }
    load(size_of(kind), sampling->level, offset, texel);
    decode(kind, texel, value);
    for (uint32_t c = 0; vi_bits(outside) && c < kind->count; c++)
        value[c] = vi_select(outside, vi_splat((int32_t)sampling->border[c]), value[c]);
}

static void
sample_linear(const struct kind *kind, const struct sampling *sampling, uint32_t s,
              uint32_t *const out[4])
{
    const struct taps taps = taps_of(sampling, s, VK_FILTER_LINEAR, size_of(kind));
    vf sum[4] = {{0}};
    vi value[4];
    for (uint32_t tap = 0; tap < 1u << sampling->axis_count; tap++) {
        vf weight = taps.axis[0].weight[tap & 1] * taps.axis[1].weight[tap >> 1 & 1];
        if (sampling->axis_count > 2)
            weight *= taps.axis[2].weight[tap >> 2];
        tap_read(kind, sampling, &taps, tap, value);
        for (uint32_t c = 0; c < kind->count; c++)
            add_weighted(&sum[c], weight, VF(value[c]));
    }
    for (uint32_t c = 0; c < kind->count; c++)
        value[c] = VI(sum[c]);
    put(value, s, out);
}

/* A vector of texels side by side, of at most 64 bits; those whose bit is 0 stay. */
#if RP_VW == 16
#define HAS_ROWS 1
RP_ALWAYS_INLINE void
store_row(uint8_t *to, uint32_t texel_B, const vu texel[4], uint32_t active)
{
    const __m512i low = (__m512i)texel[0], high = (__m512i)texel[1];
    const vi first = lane_numbers(0) / 2 + (lane_numbers(0) & 1) * 16;
    if (texel_B == 8) {
        _mm512_mask_storeu_epi64(to, (__mmask8)active,
                                 _mm512_permutex2var_epi32(low, (__m512i)first, high));
        _mm512_mask_storeu_epi64(to + 64, (__mmask8)(active >> 8),
                                 _mm512_permutex2var_epi32(low, (__m512i)(first + 8), high));
    } else if (texel_B == 4) {
        _mm512_mask_storeu_epi32(to, (__mmask16)active, low);
    } else {
        _mm256_mask_storeu_epi16(to, (__mmask16)active, _mm512_cvtepi32_epi16(low));
    }
}
#else
#define HAS_ROWS 0
RP_ALWAYS_INLINE void
store_row(uint8_t *to, uint32_t texel_B, const vu texel[4], uint32_t active)
{
    (void)to, (void)texel_B, (void)texel, (void)active;
}
#endif

RP_ALWAYS_INLINE void
store_lanes(uint32_t texel_B, const struct rp_texture_level *level, vi offsets, const vu texel[4],
            uint32_t active)
{
    uint32_t from[4][RP_VW];
    int32_t offset[RP_VW];
    memcpy(from, texel, sizeof(from));
    memcpy(offset, &offsets, sizeof(offset));
    for (uint32_t i = 0; i < RP_VW; i++) {
        uint32_t to[4];
        if (offset[i] < 0 || !(active >> i & 1))
            continue;
        for (uint32_t w = 0; w < (texel_B + 3) / 4; w++)
            to[w] = from[w][i];
        memcpy(level->data + offset[i], to, texel_B);
    }
}

static __attribute__((noinline)) void
store(uint32_t texel_B, const struct rp_texture_level *level, vi offsets, const vu texel[4],
      uint32_t active)
{
    if (HAS_ROWS && texel_B <= 8 && even_stride(offsets) == texel_B)
        store_row(level->data + offsets[0], texel_B, texel, active);
    else if (texel_B == 2)
        store_lanes(2, level, offsets, texel, active);
    else if (texel_B == 4)
        store_lanes(4, level, offsets, texel, active);
    else if (texel_B == 8)
        store_lanes(8, level, offsets, texel, active);
    else
        store_lanes(16, level, offsets, texel, active);
}

bool
RP_FN(read_other)(const struct rp_texel_call *call, const struct rp_texture_level *level,
                  uint32_t *const out[4])
{
    const struct kind kind = kind_of(call->view->format);
    const uint32_t texel_B = size_of(&kind);
    for (uint32_t s = 0; kind.count && s < call->block_count * RP_NS; s++) {
        vu texel[4];
        vi value[4];
        load(texel_B, level, texel_offsets(call, level, texel_B, s), texel);
        decode(&kind, texel, value);
        put(value, s, out);
    }
    return kind.count > 0;
}

bool
RP_FN(write_other)(const struct rp_texel_call *call, const struct rp_texture_level *level,
                   const uint32_t *const value[4])
{
    const struct kind kind = kind_of(call->view->format);
    const uint32_t texel_B = size_of(&kind);
    for (uint32_t s = 0; is_written(&kind) && s < call->block_count * RP_NS; s++) {
        const uint32_t mask = call->mask ? call->mask[s / RP_NS] : 0xffffu;
        vu texel[4] = {{0}};
        encode(&kind, value, s * RP_VW, texel);
        store(texel_B, level, texel_offsets(call, level, texel_B, s), texel,
              mask >> s % RP_NS * RP_VW);
    }
    return is_written(&kind);
}

bool
RP_FN(sample_other)(const struct sampling *sampling, VkFilter filter, uint32_t *const out[4])
{
    const struct kind kind = kind_of(sampling->call->view->format);
    if (kind.count == 0 || !is_float(kind.nature))
        return false;
    for (uint32_t s = 0; s < sampling->call->block_count * RP_NS; s++) {
        vi value[4];
        if (filter == VK_FILTER_LINEAR) {
            sample_linear(&kind, sampling, s, out);
            continue;
        }
        const struct taps taps = taps_of(sampling, s, filter, size_of(&kind));
        tap_read(&kind, sampling, &taps, 0, value);
        put(value, s, out);
    }
    return true;
}

bool
RP_FN(gather_other)(const struct sampling *sampling, uint32_t component, uint32_t *const out[4])
{
    static const uint32_t taps_in_order[4] = {2, 3, 1, 0}; /* x is bit 0, y bit 1 */
    const struct kind kind = kind_of(sampling->call->view->format);
    for (uint32_t s = 0; kind.count && s < sampling->call->block_count * RP_NS; s++) {
        const struct taps taps = taps_of(sampling, s, VK_FILTER_LINEAR, size_of(&kind));
        for (uint32_t i = 0; i < 4; i++) {
            vi value[4];
            tap_read(&kind, sampling, &taps, taps_in_order[i], value);
            if (out[i])
                ((vi *)out[i])[s] = value[component];
        }
    }
    return kind.count > 0;
}
