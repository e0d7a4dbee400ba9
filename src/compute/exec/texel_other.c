/* SPDX-License-Identifier: MIT */
/* Texels that are no single word of bytes or halves, read and written: of 64 and 128 bits, of
 * floats of 16 bits, of ten bits a component, signed or sRGB, or of whatever channels; and accesses
 * whose lanes are in several layers or levels. They lie in memory lane by lane, or in rows; their
 * components are made a vector at a time. Compiled once for each instruction set.
 */
#include "compute/exec/texel_load.h"
#include "compute/exec/texel_unit.h"

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
        return sint_from(value, bits);
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

void
RP_FN(decode)(const struct kind *kind, const vu texel[4], vi out[4])
{
    switch (kind->nature) {
    case PACKED:
        packed_decode(kind, texel, out);
        break;
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
        packed_encode(kind, value, lane, texel);
        break;
    }
}

void
RP_FN(load)(uint32_t texel_B, const struct texel_span *span, vi offsets, vu texel[4])
{
    if (texel_B == 1)
        load_as(1, span, offsets, texel);
    else if (texel_B == 2)
        load_as(2, span, offsets, texel);
    else if (texel_B == 4)
        load_as(4, span, offsets, texel);
    else if (texel_B == 8)
        load_as(8, span, offsets, texel);
    else
        load_as(16, span, offsets, texel);
}

/* Texels of four halves or words, loaded whole; false: there are others, or some are outside. (The
 * conversion of halves has no signalling NaN.) */
static inline bool
read_whole(const struct kind *kind, const struct texel_span *span, vi offsets, vi out[4])
{
#if RP_VW >= 8
    vf quarter[4];
    vi is_nan = {0};
    if (kind->count != 4 || (kind->nature != HALF && !is_word(kind->nature)) ||
        vi_bits(offsets) != 0)
        return false;
    if (kind->nature == HALF) {
        load_quarters(HALF, span->data, offsets, quarter);
        for (int32_t i = 0; i < 4; i++)
            is_nan |= VI(quarter[i] != quarter[i]);
        if (vi_bits(is_nan) != 0)
            return false;
    } else {
        load_quarters(WORD_FLOAT, span->data, offsets, quarter);
    }
    turn(quarter, out);
    return true;
#else
    (void)kind, (void)span, (void)offsets, (void)out;
    return false;
#endif
}

/* The components of texels at offsets. */
static void
read_at(const struct kind *kind, const struct texel_span *span, vi offsets, vi out[4])
{
    vu texel[4];
    if (read_whole(kind, span, offsets, out))
        return;
    RP_FN(load)(size_of(kind), span, offsets, texel);
    RP_FN(decode)(kind, texel, out);
}

/* The s-th vectors of what somebody wants. */
static inline void
put(const vi from[4], uint32_t s, uint32_t *const out[4])
{
    for (uint32_t c = 0; c < 4; c++)
        if (out[c])
            ((vi *)out[c])[s] = from[c];
}

/* A vector of texels side by side, of 16 to 64 bits; those whose bit is 0 stay. False: nothing is
 * stored, as not all lanes are active or there are no rows. */
RP_ALWAYS_INLINE bool
store_row(uint8_t *to, uint32_t texel_B, const vu texel[4], uint32_t active)
{
#if RP_VW == 16
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
    return true;
#elif RP_VW == 8
    const __m256i low = (__m256i)texel[0], high = (__m256i)texel[1];
    if ((active & 0xff) != 0xff)
        return false;
    if (texel_B == 8) {
        const __m256i outer = _mm256_unpacklo_epi32(low, high); /* texels 0, 1, 4, 5 */
        const __m256i inner = _mm256_unpackhi_epi32(low, high); /* texels 2, 3, 6, 7 */
        _mm256_storeu_si256((void *)to, _mm256_permute2x128_si256(outer, inner, 0x20));
        _mm256_storeu_si256((void *)(to + 32), _mm256_permute2x128_si256(outer, inner, 0x31));
    } else if (texel_B == 4) {
        _mm256_storeu_si256((void *)to, low);
    } else {
        _mm_storeu_si128((void *)to, _mm_packus_epi32(_mm256_castsi256_si128(low),
                                                      _mm256_extracti128_si256(low, 1)));
    }
    return true;
#else
    (void)to, (void)texel_B, (void)texel, (void)active;
    return false;
#endif
}

RP_ALWAYS_INLINE void
store_lanes(uint32_t texel_B, const struct texel_span *span, vi offsets, const vu texel[4],
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
        memcpy(span->data + offset[i], to, texel_B);
    }
}

static __attribute__((noinline)) void
store(uint32_t texel_B, const struct texel_span *span, vi offsets, const vu texel[4],
      uint32_t active)
{
    const bool is_row = texel_B > 1 && texel_B <= 8 && even_stride(offsets) == texel_B;
    if (is_row && store_row(span->data + offsets[0], texel_B, texel, active))
        return;
    if (texel_B == 1)
        store_lanes(1, span, offsets, texel, active);
    else if (texel_B == 2)
        store_lanes(2, span, offsets, texel, active);
    else if (texel_B == 4)
        store_lanes(4, span, offsets, texel, active);
    else if (texel_B == 8)
        store_lanes(8, span, offsets, texel, active);
    else if (HAS_LONG_LOADS)
        store_longest(span->data, offsets, texel, active);
    else
        store_lanes(16, span, offsets, texel, active);
}

/* The format as it is written. */
static struct kind
written_kind_of(VkFormat format)
{
    const struct kind read = rp_texel_kind(format);
    if (is_written(&read))
        return read;
    struct kind kind = rp_packed_kind(format);
    kind.is_bytes = read.nature == BYTE_UNORM || read.nature == BYTE_BGR;
    return is_packed_written(&kind) ? kind : (struct kind){.count = 0};
}

/* Natures of four components whose rows are read as such. */
#define ROWS(X) X(UNORM16) X(HALF) X(TEN_RGB) X(TEN_BGR)

uint32_t
RP_FN(other_row_texel_B)(VkFormat format)
{
    const struct kind kind = rp_texel_kind(format);
    switch (kind.nature) {
#define ROW_TEXEL_B(nature) case nature:
        ROWS(ROW_TEXEL_B)
        return kind.count == 4 ? size_of(&kind) : 0;
    default:
        return 0;
    }
}

/* (No loop over components: where each lies is a constant.) */
RP_ALWAYS_INLINE void
read_row_as(enum nature nature, const uint8_t *from, uint32_t s, uint32_t end,
            uint32_t *const out[4])
{
    const uint32_t texel_B = is_ten(nature) ? 4 : 8;
    for (; s < end; s++, from += RP_VW * texel_B) {
        vu texel[4];
        if (texel_B == 8)
            load_long_row(from, texel);
        else
            memcpy(&texel[0], from, sizeof(texel[0]));
        if (out[0])
            ((vi *)out[0])[s] = component_of(nature, texel, 0);
        if (out[1])
            ((vi *)out[1])[s] = component_of(nature, texel, 1);
        if (out[2])
            ((vi *)out[2])[s] = component_of(nature, texel, 2);
        if (out[3])
            ((vi *)out[3])[s] = component_of(nature, texel, 3);
    }
}

void
RP_FN(read_other_row)(VkFormat format, const uint8_t *from, uint32_t b, uint32_t end,
                      uint32_t *const out[4])
{
    switch (rp_texel_kind(format).nature) {
#define READ_ROW(nature) \
    case nature: \
        read_row_as(nature, from, b *RP_NS, end *RP_NS, out); \
        break;
        ROWS(READ_ROW)
    default:
        break;
    }
}

static struct texel_span
span_of(const struct rp_texel_call *call, const struct rp_texture_level *level)
{
    const size_t others = call->slice_count > 0 ? call->slice_count - 1 : 0;
    return (struct texel_span){.data = level->data,
                               .size_B = others * call->slice_B + level_size(level)};
}

/* Offsets of the s-th vector's texels, each in a slice of its own; -1: outside. */
static inline vi
slice_offsets(const struct rp_texel_call *call, const struct rp_texture_level *level,
              uint32_t texel_B, uint32_t s)
{
    const vi offset = texel_offsets(call, level, texel_B, s);
    if (call->slice_count == 0)
        return offset;
    const vi slice = texel_coordinates(call, 2, s);
    const vi inside = ~(offset >> 31) & VI(VU(slice) < call->slice_count);
    return vi_select(inside, offset + slice * (int32_t)call->slice_B, vi_splat(-1));
}

/* Four words a texel, in front of others: nothing has to be decoded. */
static __attribute__((noinline)) void
read_words(const struct rp_texel_call *call, const struct rp_texture_level *level, uint32_t b,
           uint32_t end, uint32_t *const out[4])
{
    const struct texel_span span = span_of(call, level);
    for (uint32_t s = b * RP_NS; s < end * RP_NS; s++) {
        vu texel[4];
        load_as(16, &span, slice_offsets(call, level, 16, s), texel);
        put((const vi *)texel, s, out);
    }
}

bool
RP_FN(read_other)(const struct rp_texel_call *call, const struct rp_texture_level *level,
                  uint32_t b, uint32_t end, uint32_t *const out[4])
{
    const struct kind kind = rp_texel_kind(call->view->format);
    if (is_word(kind.nature) && kind.count == 4) {
        read_words(call, level, b, end, out);
        return true;
    }
    const struct texel_span span = span_of(call, level);
    const uint32_t texel_B = kind.count ? size_of(&kind) : 0;
    for (uint32_t s = b * RP_NS; kind.count && s < end * RP_NS; s++) {
        vi value[4];
        read_at(&kind, &span, slice_offsets(call, level, texel_B, s), value);
        put(value, s, out);
    }
    return kind.count > 0;
}

/* The lanes of the s-th vector that are stored. */
static inline uint32_t
active_of(const struct rp_texel_call *call, uint32_t s)
{
    return (call->mask ? call->mask[s / RP_NS] : 0xffffu) >> s % RP_NS * RP_VW;
}

bool
RP_FN(write_other)(const struct rp_texel_call *call, const struct rp_texture_level *level,
                   const uint32_t *const value[4])
{
    const struct kind kind = written_kind_of(call->view->format);
    const struct texel_span span = span_of(call, level);
    const uint32_t texel_B = kind.count ? size_of(&kind) : 0;
    for (uint32_t s = 0; kind.count && s < call->block_count * RP_NS; s++) {
        vu texel[4];
        texel[0] = texel[1] = texel[2] = texel[3] = (vu){0};
        encode(&kind, value, s * RP_VW, texel);
        store(texel_B, &span, slice_offsets(call, level, texel_B, s), texel, active_of(call, s));
    }
    return kind.count > 0;
}

/* Offsets of the s-th vector's texels, each in a level and a layer of its own; -1: outside. */
static vi
access_offsets(const struct rp_texel_call *call, const struct rp_texel_places *places, uint32_t s)
{
    const struct rp_image_args *args = call->args;
    const vi level = args->lod ? ((const vi *)args->lod)[s] : (vi){0};
    const vi has_level = VI(VU(level) < places->level_count);
    struct level_lanes l;
    level_lanes_of(places, vi_select(has_level, level, (vi){0}), &l);

    const uint32_t axis_count = call->shape->dim == RP_DIM_CUBE ? 2 : call->coord_count;
    vi inside = has_level, offset = l.base_B;
    for (uint32_t i = 0; i < axis_count; i++) {
        vi at = texel_coordinates(call, i, s);
        if (args->offset[i])
            at += ((const vi *)args->offset[i])[s];
        inside &= VI(VU(at) < VU(l.size_px[i]));
        offset += at * l.step_B[i];
    }
    if (call->has_layer) {
        const vi layer = texel_coordinates(call, axis_count, s);
        inside &= VI(VU(layer) < call->view->layer_count);
        offset += layer * l.layer_B;
    }
    return vi_select(inside, offset, vi_splat(-1));
}

bool
RP_FN(read_any)(const struct rp_texel_call *call, bool is_fetch, uint32_t *const out[4])
{
    const struct kind kind = rp_texel_kind(call->view->format);
    struct rp_texel_places places;
    if (kind.count == 0 || !rp_texel_places_of(call->view, size_of(&kind), &places))
        return false;
    const struct texel_span span = {.data = places.data, .size_B = places.size_B};
    const struct picks picks = picks_of(&call->view->swizzle);
    for (uint32_t s = 0; s < call->block_count * RP_NS; s++) {
        vi value[4];
        read_at(&kind, &span, access_offsets(call, &places, s), value);
        if (is_fetch)
            picks_apply(&picks, kind_is_int(&kind), value);
        put(value, s, out);
    }
    return true;
}

bool
RP_FN(write_any)(const struct rp_texel_call *call, const uint32_t *const value[4])
{
    const struct kind kind = written_kind_of(call->view->format);
    struct rp_texel_places places;
    if (kind.count == 0 || !rp_texel_places_of(call->view, size_of(&kind), &places))
        return false;
    const struct texel_span span = {.data = places.data, .size_B = places.size_B};
    for (uint32_t s = 0; s < call->block_count * RP_NS; s++) {
        vu texel[4];
        texel[0] = texel[1] = texel[2] = texel[3] = (vu){0};
        encode(&kind, value, s * RP_VW, texel);
        store(size_of(&kind), &span, access_offsets(call, &places, s), texel, active_of(call, s));
    }
    return true;
}
