/* SPDX-License-Identifier: MIT */
/* Texels as vectors: where lanes' texels lie, loading and storing them, and their components as
 * numbers. For files that are compiled once for each instruction set.
 */
#ifndef RP_COMPUTE_EXEC_TEXEL_VEC_H
#define RP_COMPUTE_EXEC_TEXEL_VEC_H

#include "compute/exec/op_list.h"
#include "compute/exec/texel_form.h"
#include "compute/exec/texels.h"
#include "compute/exec/vec.h"

/* Whether all lanes are the same. */
static inline bool
vi_equal(vi a, vi b)
{
#if RP_VW == 16
    return _mm512_cmpneq_epi32_mask((__m512i)a, (__m512i)b) == 0;
#elif RP_VW == 8
    return _mm256_testz_si256((__m256i)(a ^ b), (__m256i)(a ^ b));
#else
    return vi_bits(a != b) == 0;
#endif
}

static inline vf
vf_mad(vf a, vf b, vf c)
{
#if RP_VW == 16
    return (vf)_mm512_fmadd_ps((__m512)a, (__m512)b, (__m512)c);
#elif RP_VW == 8
    return (vf)_mm256_fmadd_ps((__m256)a, (__m256)b, (__m256)c);
#else
    return a * b + c;
#endif
}

/* The nearest float to n / (2^bits - 1): the reciprocal in two parts, of which n times the first is
 * exact. With or without a rounding of the second product all n give the same. */
RP_ALWAYS_INLINE vf
unorm_of(vu texel, uint32_t bits, uint32_t shift)
{
    /* The field is left where it is, but at the top, where it would be a sign. */
    const bool is_top = shift + bits == 32;
    const float unit = is_top ? 1.0f : 1.0f / (float)(1u << shift);
    if (is_top)
        texel >>= shift;
    else
        texel &= ((1u << bits) - 1) << shift;
    const vf n = __builtin_convertvector(VI(texel), vf);
    if (bits == 16)
        return vf_mad(n, vf_splat(0x1.0001p-32f * unit), n * (0x1p-16f * unit));
    if (bits == 10)
        return vf_mad(n, vf_splat(0x1.00401p-20f * unit), n * (0x1p-10f * unit));
    if (bits == 2)
        return vf_mad(n, vf_splat(0x1.555556p-14f * unit), n * (0x1.554p-2f * unit));
    return vf_mad(n, vf_splat(0x1.010102p-24f * unit), n * (0x1.01p-8f * unit));
}

/* A byte of each word as a number of 0 to 1 over BYTE_UNIT, exactly what unorm_of() gives. The byte
 * four times (or three) is n / 255 in so many bits, of which all but 0 are rounded up. */
#if RP_VW == 16
#define BYTE_UNIT 0x1p-32f
#elif RP_VW == 8
#define BYTE_UNIT 0x1p-24f
#else
#define BYTE_UNIT 1.0f
#endif
RP_ALWAYS_INLINE vf
byte_number(vu word, uint32_t byte)
{
#if RP_VW == 16
    const __m512i from =
        _mm512_set4_epi32(0x0c0c0c0c, 0x08080808, 0x04040404, 0) + _mm512_set1_epi8((char)byte);
    return (vf)_mm512_cvt_roundepu32_ps(_mm512_shuffle_epi8((__m512i)word, from),
                                        _MM_FROUND_TO_POS_INF | _MM_FROUND_NO_EXC);
#elif RP_VW == 8
    const int b = (int)byte * 0x010101 - INT32_MAX - 1; /* and a 0 on top */
    const __m256i from = _mm256_setr_epi32(b, b + 0x040404, b + 0x080808, b + 0x0c0c0c, b,
                                           b + 0x040404, b + 0x080808, b + 0x0c0c0c);
    const vf number = (vf)_mm256_cvtepi32_ps(_mm256_shuffle_epi8((__m256i)word, from));
    return vf_mad(number, vf_splat(0x1p-24f), number);
#else
    return unorm_of(word, 8, 8 * byte);
#endif
}

RP_ALWAYS_INLINE vi
texel_component(enum texel_form form, vu texel, uint32_t c)
{
    if (texel_bits(form) == 0)
        return VI(texel);
    if (texel_is_uint(form))
        return VI(texel >> texel_shift(form, c) & ((1u << texel_bits(form)) - 1));
    if (RP_VW == 16 && texel_bits(form) == 8) /* one step less */
        return VI(byte_number(texel, texel_shift(form, c) / 8) * BYTE_UNIT);
    return VI(unorm_of(texel, texel_bits(form), texel_shift(form, c)));
}

/* Texels to the s-th vectors of the components that somebody wants and the format has. (No loop:
 * each component's shift and scale are constants.) */
RP_ALWAYS_INLINE void
texel_put(enum texel_form form, vu texel, uint32_t s, uint32_t *const out[4])
{
    const uint32_t count = texel_components(form);
    if (out[0])
        ((vi *)out[0])[s] = texel_component(form, texel, 0);
    if (count > 1 && out[1])
        ((vi *)out[1])[s] = texel_component(form, texel, 1);
    if (count > 2 && out[2])
        ((vi *)out[2])[s] = texel_component(form, texel, 2);
    if (count > 3 && out[3])
        ((vi *)out[3])[s] = texel_component(form, texel, 3);
}

#if RP_VW == 16
/* To 0 to 1; NaN gives 0. */
static inline __m512
clamped_from(vi value)
{
    return _mm512_min_ps(_mm512_max_ps((__m512)value, _mm512_setzero_ps()), _mm512_set1_ps(1.0f));
}
#elif RP_VW == 8
/* To 0 to 1; NaN gives 0. */
static inline __m256
clamped_from(vi value)
{
    return _mm256_min_ps(_mm256_max_ps((__m256)value, _mm256_setzero_ps()), _mm256_set1_ps(1.0f));
}
#endif

/* 0 to 2^bits - 1, ties to even; NaN gives 0. */
RP_ALWAYS_INLINE vu
unorm_from(vi value, uint32_t bits)
{
    const float top = (float)((1u << bits) - 1);
#if RP_VW == 16
    return (vu)_mm512_cvtps_epi32(clamped_from(value) * _mm512_set1_ps(top));
#elif RP_VW == 8
    return (vu)_mm256_cvtps_epi32(clamped_from(value) * _mm256_set1_ps(top));
#elif defined(RP_NEON)
    const float32x4_t low = vmaxq_f32((float32x4_t)value, vdupq_n_f32(0.0f)); /* NaN stays */
    const float32x4_t clamped = vminq_f32(low, vdupq_n_f32(1.0f));
    return (vu)vcvtnq_u32_f32(clamped * vdupq_n_f32(top));
#else
    /* Adding 2^23 leaves the rounded number in the low bits. */
    const vf low = vf_select(VF(value) > 0.0f, VF(value), (vf){0});
    const vf clamped = vf_select(low < 1.0f, low, vf_splat(1.0f));
    return VU(clamped * top + 8388608.0f) & 0x7fffff;
#endif
}

/* 0 to 2^bits - 1, of up to 16 bits: the product has more bits than a float. */
RP_ALWAYS_INLINE vu
unorm_long_from(vi value, uint32_t bits)
{
    const double top = (double)((1u << bits) - 1);
#if RP_VW == 16
    const __m512 clamped = clamped_from(value);
    const __m512d low = _mm512_cvtps_pd(_mm512_castps512_ps256(clamped));
    const __m512d high = _mm512_cvtps_pd(_mm512_extractf32x8_ps(clamped, 1));
    const __m256i low_word = _mm512_cvtpd_epi32(low * _mm512_set1_pd(top));
    const __m256i high_word = _mm512_cvtpd_epi32(high * _mm512_set1_pd(top));
    return (vu)_mm512_inserti64x4(_mm512_castsi256_si512(low_word), high_word, 1);
#elif RP_VW == 8
    const __m256 clamped = clamped_from(value);
    const __m256d low = _mm256_cvtps_pd(_mm256_castps256_ps128(clamped));
    const __m256d high = _mm256_cvtps_pd(_mm256_extractf128_ps(clamped, 1));
    const __m128i low_word = _mm256_cvtpd_epi32(low * _mm256_set1_pd(top));
    const __m128i high_word = _mm256_cvtpd_epi32(high * _mm256_set1_pd(top));
    return (vu)_mm256_set_m128i(high_word, low_word);
#else
    vu out = {0};
    for (int32_t i = 0; i < RP_VW; i += RP_VW / 2) {
        vfh half;
        memcpy(&half, (const char *)&value + 4 * i, sizeof(half));
        vd wide = __builtin_convertvector(half, vd);
        wide = vd_select(VL(wide > 0.0), wide, (vd){0});
        wide = vd_select(VL(wide < 1.0), wide, (vd){0} + 1.0);
        /* Adding 2^52 leaves the rounded number in the low bits. */
        const vul number = VUL(wide * top + 0x1p52) & (uint64_t)top;
        const vuh low = __builtin_convertvector(number, vuh);
        memcpy((char *)&out + 4 * i, &low, sizeof(low));
    }
    return out;
#endif
}

/* What a texel cannot hold becomes the largest number that it can. */
static inline vu
uint_from(vi value, uint32_t bits)
{
    const vi top = vi_splat((int32_t)((1u << bits) - 1));
    return VU(vi_select(VI(VU(value) < VU(top)), value, top));
}

RP_ALWAYS_INLINE vu
texel_part(enum texel_form form, const uint32_t *const value[4], uint32_t i, uint32_t c)
{
    const vi v = *(const vi *)(value[c] + i);
    if (texel_is_uint(form))
        return uint_from(v, texel_bits(form)) << texel_shift(form, c);
    return (texel_bits(form) == 8 ? unorm_from(v, 8) : unorm_long_from(v, 16))
           << texel_shift(form, c);
}

/* The components of one texel put together. */
RP_ALWAYS_INLINE vu
texel_from(enum texel_form form, const uint32_t *const value[4], uint32_t i)
{
    if (texel_bits(form) == 0)
        return *(const vu *)(value[0] + i);
    vu texel = texel_part(form, value, i, 0);
    if (texel_components(form) > 1)
        texel |= texel_part(form, value, i, 1);
    if (texel_components(form) > 2)
        texel |= texel_part(form, value, i, 2) | texel_part(form, value, i, 3);
    return texel;
}

/* The s-th vector of a coordinate. */
static inline vi
texel_coordinates(const struct rp_texel_call *call, uint32_t axis, uint32_t s)
{
    const struct rp_texel_coord *coord = &call->coord[axis];
    const struct rp_geometry *g = call->geometry;
    const int32_t at = (int32_t)(call->first_block * RP_NS + s);
    if (coord->lanes)
        return ((const vi *)coord->lanes)[s];
    if (g->is_line)
        return VI(VU(lane_numbers(0) + at * RP_VW) * coord->stride[0] + coord->base);
    const vu x = VU(((const vi *)g->x)[at]), y = VU(((const vi *)g->y)[at]);
    const vu z = VU(((const vi *)g->z)[at]);
    return VI(x * coord->stride[0] + y * coord->stride[1] + z * coord->stride[2] + coord->base);
}

/* Offsets of the s-th vector's texels; -1: outside. */
static inline vi
texel_offsets(const struct rp_texel_call *call, const struct rp_texture_level *level,
              uint32_t texel_B, uint32_t s)
{
    const vu w = VU(vi_splat((int32_t)level->width_px));
    const vu h = VU(vi_splat((int32_t)level->height_px));
    const vu x = VU(texel_coordinates(call, 0, s)), y = VU(texel_coordinates(call, 1, s));
    const vi inside = VI(x < w) & VI(y < h);
    return vi_select(inside, VI(y * (uint32_t)level->row_B + x * texel_B), vi_splat(-1));
}

/* Bytes from lane to lane when that is the same everywhere and all lanes are inside; else 0. */
static inline uint32_t
even_stride(vi offset)
{
    const int32_t first = offset[0], stride = offset[1] - first;
    if (first < 0 || stride <= 0 || stride > 64)
        return 0;
    return vi_bits(offset != first + lane_numbers(0) * stride) == 0 ? (uint32_t)stride : 0;
}

/* Whether the lanes lie side by side, all inside. */
RP_ALWAYS_INLINE bool
is_row_of(vi offset, uint32_t texel_B)
{
    return offset[0] >= 0 &&
           vi_equal(offset, vi_splat(offset[0]) + lane_numbers(0) * (int32_t)texel_B);
}

/* Four bytes from each offset that is not negative, else 0. */
#if RP_VW == 16
static inline vu
gather_words(const uint8_t *data, vi offset)
{
    const __mmask16 inside = (__mmask16)~vi_bits(offset);
    return (vu)_mm512_mask_i32gather_epi32(_mm512_setzero_si512(), inside, (__m512i)offset, data,
                                           1);
}
#elif RP_VW == 8
static inline vu
gather_words(const uint8_t *data, vi offset)
{
    const __m256i inside = (__m256i)(offset >= 0);
    return (vu)_mm256_mask_i32gather_epi32(_mm256_setzero_si256(), (const int *)(const void *)data,
                                           (__m256i)offset, inside, 1);
}
#endif

/* Halves and bytes side by side, as words. (Compilers make one lane after the other of
 * __builtin_convertvector here.) */
static inline vu
load_halves(const uint8_t *data)
{
#if RP_VW == 16
    return (vu)_mm512_cvtepu16_epi32(_mm256_loadu_si256((const void *)data));
#elif RP_VW == 8
    return (vu)_mm256_cvtepu16_epi32(_mm_loadu_si128((const void *)data));
#elif defined(RP_NEON)
    return (vu)vmovl_u16((uint16x4_t)vld1_u8(data));
#else
    uint16_t half[RP_VW];
    memcpy(half, data, sizeof(half));
    return (vu){half[0], half[1], half[2], half[3]};
#endif
}

static inline vu
load_bytes(const uint8_t *data)
{
#if RP_VW == 16
    return (vu)_mm512_cvtepu8_epi32(_mm_loadu_si128((const void *)data));
#elif RP_VW == 8
    return (vu)_mm256_cvtepu8_epi32(_mm_loadl_epi64((const void *)data));
#elif defined(RP_NEON)
    uint32_t word;
    memcpy(&word, data, sizeof(word));
    return (vu)vmovl_u16(vget_low_u16(vmovl_u8(vcreate_u8(word))));
#else
    return (vu){data[0], data[1], data[2], data[3]};
#endif
}

/* Words, halves or bytes that are `stride` apart, as numbers of all that lies between them. Reads
 * stride * RP_VW bytes. */
RP_ALWAYS_INLINE bool
load_even(const uint8_t *data, uint32_t stride, vu *out)
{
    if (stride == 4) {
        *out = VU(*(const vi_u *)(const void *)data);
        return true;
    }
    if (stride == 2) {
        *out = load_halves(data);
        return true;
    }
    if (stride == 1) {
        *out = load_bytes(data);
        return true;
    }
#if RP_VW == 16
    if (stride == 8) {
        const __m512i even = (__m512i)(2 * lane_numbers(0));
        *out = (vu)_mm512_permutex2var_epi32(_mm512_loadu_si512(data), even,
                                             _mm512_loadu_si512(data + 64));
        return true;
    }
#elif RP_VW == 8
    if (stride == 8) {
        const __m256 low = _mm256_loadu_ps((const float *)(const void *)data);
        const __m256 high = _mm256_loadu_ps((const float *)(const void *)(data + 32));
        const __m256d even = (__m256d)_mm256_shuffle_ps(low, high, 0x88);
        *out = (vu)_mm256_permute4x64_pd(even, 0xd8);
        return true;
    }
#else
    if (stride == 8) {
        uint32_t words[2 * RP_VW];
        memcpy(words, data, sizeof(words));
        for (uint32_t i = 0; i < RP_VW; i++)
            (*out)[i] = words[2 * i];
        return true;
    }
#endif
    return false;
}

/* What of the words that load_even() gives belongs to a texel. */
RP_ALWAYS_INLINE uint32_t
texel_used(uint32_t texel_B)
{
    return texel_B == 4 ? UINT32_MAX : (1u << 8 * texel_B) - 1;
}

static inline size_t
level_size(const struct rp_texture_level *level)
{
    return level->row_B * level->height_px;
}

/* Texels side by side, with one break at most: two runs of them. */
RP_ALWAYS_INLINE bool
load_two_runs(const struct rp_texture_level *level, uint32_t texel_B, vi offset, vu *out)
{
    const int32_t size_B = (int32_t)(texel_B * RP_VW);
    const int32_t first = offset[0], second = offset[RP_VW - 1] - size_B + (int32_t)texel_B;
    const vi numbers = lane_numbers(0) * (int32_t)texel_B;
    const vi is_first = offset == first + numbers;
    const vi is_second = offset == second + numbers;
    vu a = {0}, b = {0};
    if ((first | second) < 0 || vi_bits(~(is_first | is_second)) != 0 ||
        (size_t)(uint32_t)first + (uint32_t)size_B > level_size(level))
        return false;
    (void)load_even(level->data + first, texel_B, &a);
    (void)load_even(level->data + second, texel_B, &b);
    *out = VU(vi_select(is_first, VI(a), VI(b)));
    return true;
}

/* Words in reach of the first one: two vectors of them hold all. */
static inline bool
load_near_words(const struct rp_texture_level *level, vi offset, vu *out)
{
#if RP_VW >= 8
    const int32_t first = offset[0];
    const vi at = offset - first;
    const uint8_t *from = level->data + (uint32_t)first;
    if (first < 0 || vi_bits(VI(VU(at) > 8 * RP_VW - 4)) != 0 ||
        (size_t)(uint32_t)first + 8 * RP_VW > level_size(level))
        return false;
#if RP_VW == 16
    *out = (vu)_mm512_permutex2var_epi32(_mm512_loadu_si512(from), (__m512i)(at >> 2),
                                         _mm512_loadu_si512(from + 64));
#else
    const __m256i low = _mm256_loadu_si256((const void *)from);
    const __m256i high = _mm256_loadu_si256((const void *)(from + 32));
    const __m256i index = (__m256i)(at >> 2), is_high = (__m256i)(at << 26);
    *out = (vu)_mm256_blendv_ps((__m256)_mm256_permutevar8x32_epi32(low, index),
                                (__m256)_mm256_permutevar8x32_epi32(high, index), (__m256)is_high);
#endif
    return true;
#else
    (void)level, (void)offset, (void)out;
    return false;
#endif
}

/* Texels as numbers; what lies outside (offset -1) is 0. */
RP_ALWAYS_INLINE vu
load_texels_of(const struct rp_texture_level *level, uint32_t texel_B, vi offset)
{
    const uint8_t *data = level->data;
    const size_t size_B = level_size(level);
    vu out = {0};
    if (load_two_runs(level, texel_B, offset, &out) ||
        (texel_B == 4 && load_near_words(level, offset, &out)))
        return out;
    const uint32_t stride = even_stride(offset);
    if (stride >= texel_B && size_B - (uint32_t)offset[0] >= (size_t)stride * RP_VW &&
        load_even(data + offset[0], stride, &out))
        return out & texel_used(texel_B);

#if RP_VW >= 8
    /* A gather reads four bytes of each texel: not those at the very end. */
    const int32_t last = (int32_t)size_B - 4;
    if (last >= 0 && vi_bits(offset > last) == 0)
        return gather_words(data, offset) & texel_used(texel_B);
#endif
    for (int32_t i = 0; i < RP_VW; i++) {
        uint32_t texel = 0;
        if (offset[i] < 0)
            continue;
        if (texel_B == 4)
            memcpy(&texel, data + offset[i], 4);
        else if (texel_B == 2)
            memcpy(&texel, data + offset[i], 2);
        else
            texel = data[offset[i]];
        out[i] = texel;
    }
    return out;
}

/* One function for each size. */
#define DEFINE_LOAD(size_B) \
    static __attribute__((unused)) \
    vu load_texels_##size_B(const struct rp_texture_level *level, vi offset) \
    { \
        return load_texels_of(level, size_B, offset); \
    }
DEFINE_LOAD(1)
DEFINE_LOAD(2)
DEFINE_LOAD(4)
#undef DEFINE_LOAD

RP_ALWAYS_INLINE vu
load_texels(const struct rp_texture_level *level, uint32_t texel_B, vi offset)
{
    return texel_B == 4   ? load_texels_4(level, offset)
           : texel_B == 2 ? load_texels_2(level, offset)
                          : load_texels_1(level, offset);
}

/* Formats without a form; false: one that this does not have. */
bool RP_FN(read_other)(const struct rp_texel_call *call, const struct rp_texture_level *level,
                       uint32_t b, uint32_t end, uint32_t *const out[4]);
/* How large a texel is where read_other_row() reads blocks b to end of it side by side; or 0. */
uint32_t RP_FN(other_row_texel_B)(VkFormat format);
void RP_FN(read_other_row)(VkFormat format, const uint8_t *from, uint32_t b, uint32_t end,
                           uint32_t *const out[4]);
bool RP_FN(write_other)(const struct rp_texel_call *call, const struct rp_texture_level *level,
                        const uint32_t *const value[4]);

bool RP_FN(sample)(const struct rp_texel_call *call, const struct rp_sampler_state *sampler,
                   uint32_t *const out[4]);
/* A gather of a plane of one level whose format has a form, all taps from one square. */
bool RP_FN(gather)(const struct rp_texel_call *call, const struct rp_sampler_state *sampler,
                   uint32_t *const out[4]);

/* Accesses of any format, level, layer and dimension; false: another sort. */
bool RP_FN(read_any)(const struct rp_texel_call *call, bool is_fetch, uint32_t *const out[4]);
bool RP_FN(write_any)(const struct rp_texel_call *call, const uint32_t *const value[4]);
bool RP_FN(sample_any)(const struct rp_texel_call *call, const struct rp_sampler_state *sampler,
                       uint32_t *const out[4]);
bool RP_FN(gather_any)(const struct rp_texel_call *call, const struct rp_sampler_state *sampler,
                       uint32_t *const out[4]);

#endif
