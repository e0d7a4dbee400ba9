/* SPDX-License-Identifier: MIT */
/* Texels read and written a vector at a time: in rows of blocks where the lanes' coordinates say
 * so, else by the offset of each lane. Compiled once for each instruction set.
 */
#include "compute/exec/access.h"
#include "compute/exec/texel_vec.h"

/* Blocks whose lanes lie in one row, `step` texels apart, all inside; or blocks that do not. */
struct row {
    uint8_t *texels; /* NULL: no row */
    uint32_t step;   /* 1 or 2 */
    uint32_t blocks; /* at least 1 */
    uintptr_t ahead; /* of reads: how far from here what follows will be */
};

static uint32_t
coordinate_at(const struct rp_texel_coord *coord, const struct rp_geometry *g, uint32_t lane)
{
    if (g->is_line)
        return coord->base + coord->stride[0] * lane;
    return coord->base + coord->stride[0] * (uint32_t)g->x[lane] +
           coord->stride[1] * (uint32_t)g->y[lane] + coord->stride[2] * (uint32_t)g->z[lane];
}

/* The row that begins with block b. is_read: step * 16 texels a block are touched. */
static struct row
row_at(const struct rp_texel_call *call, const struct rp_texture_level *level, uint32_t texel_B,
       uint32_t b, bool is_read)
{
    const struct rp_geometry *g = call->geometry;
    const struct rp_texel_coord *cx = &call->coord[0], *cy = &call->coord[1];
    struct row row = {.step = cx->stride[0], .blocks = 1};
    if (cx->lanes || cy->lanes || !g->has_rows || cy->stride[0] != 0 || row.step - 1 > 1) {
        row.blocks = call->block_count - b; /* there is none behind it either */
        return row;
    }

    const uint32_t k = call->first_block + b;
    const uint32_t x = coordinate_at(cx, g, k * 16), y = coordinate_at(cy, g, k * 16);
    uint32_t blocks = call->block_count - b;
    if (!g->is_line && blocks > 1) {
        const uint32_t width = g->width / 16;
        const uint32_t left = width == 1 ? 1 : width - k % width;
        blocks = blocks < left ? blocks : left;
    }
    if (x >= level->width_px || y >= level->height_px)
        return row;
    const uint32_t inside = (((level->width_px - x - 1) >> (row.step - 1)) + 1) / 16;
    const size_t offset_B = y * level->row_B + (size_t)x * texel_B;
    if (blocks > inside)
        blocks = inside;
    if (is_read && blocks &&
        offset_B + (size_t)blocks * 16 * row.step * texel_B > level_size(level))
        blocks--; /* texels between the last lanes' */
    if (blocks) {
        row.blocks = blocks;
        row.texels = level->data + offset_B;
    }
    return row;
}

RP_ALWAYS_INLINE void
read_row_as(enum texel_form form, uint32_t step, const struct row *row, uint32_t lane,
            uint32_t *const out[4])
{
    const uint32_t stride_B = texel_size(form) * step;
    for (uint32_t s = 0; s < row->blocks * RP_NS; s++) {
        vu texel;
        const uint8_t *at = row->texels + (size_t)s * RP_VW * stride_B;
        (void)load_even(at, stride_B, &texel);
        for (uint32_t b = 0; row->ahead && b < RP_VW * stride_B; b += ACCESS_LINE_B)
            access_fetch((uintptr_t)at + row->ahead + b);
        if (step > 1)
            texel &= texel_used(texel_size(form));
        texel_put(form, texel, lane / RP_VW + s, out);
    }
}

/* clang-format off */
#define FORMS(X) \
    X(TEXEL_R8) X(TEXEL_RG8) X(TEXEL_RGBA8) X(TEXEL_BGRA8) X(TEXEL_R16) X(TEXEL_RG16) \
    X(TEXEL_R32F) X(TEXEL_R32I) X(TEXEL_R8U) X(TEXEL_RG8U) X(TEXEL_RGBA8U) X(TEXEL_R16U) \
    X(TEXEL_RG16U)
/* clang-format on */

static void
read_row(enum texel_form form, const struct row *row, uint32_t lane, uint32_t *const out[4])
{
    switch (form) {
#define READ(f) \
    case f: \
        if (row->step == 1) \
            read_row_as(f, 1, row, lane, out); \
        else \
            read_row_as(f, 2, row, lane, out); \
        break;
        FORMS(READ)
    default:
        break;
    }
}

RP_ALWAYS_INLINE void
read_blocks_as(enum texel_form form, const struct rp_texel_call *call,
               const struct rp_texture_level *level, uint32_t b, uint32_t end,
               uint32_t *const out[4])
{
    const uint32_t texel_B = texel_size(form);
    const uintptr_t data = (uintptr_t)level->data;
    uintptr_t ahead = 0;
    for (uint32_t s = b * RP_NS; s < end * RP_NS; s++) {
        const vi offset = texel_offsets(call, level, texel_B, s);
        if (s == 0)
            ahead = access_ahead(call->exec, call->op, data + (uint32_t)offset[0]);
        access_fetch(data + (uint32_t)offset[0] + ahead);
        access_fetch(data + (uint32_t)offset[RP_VW - 1] + ahead);
        texel_put(form, load_texels(level, texel_B, offset), s, out);
    }
}

/* Blocks from b to end whose lanes may lie anywhere. */
static void
read_blocks(enum texel_form form, const struct rp_texel_call *call,
            const struct rp_texture_level *level, uint32_t b, uint32_t end, uint32_t *const out[4])
{
    switch (form) {
#define READ_BLOCKS(f) \
    case f: \
        read_blocks_as(f, call, level, b, end, out); \
        break;
        FORMS(READ_BLOCKS)
    default:
        break;
    }
}

/* Formats without a form; false: nobody has it. */
static bool
read_other(const struct rp_texel_call *call, const struct rp_texture_level *level,
           uint32_t *const out[4])
{
    const VkFormat format = call->view->format;
    const uint32_t texel_B = RP_FN(other_row_texel_B)(format);
    if (texel_B == 0 || call->slice_count > 0)
        return RP_FN(read_other)(call, level, 0, call->block_count, out);

    for (uint32_t b = 0; b < call->block_count;) {
        const struct row row = row_at(call, level, texel_B, b, true);
        const uint32_t end = b + row.blocks;
        if (row.texels && row.step == 1)
            RP_FN(read_other_row)(format, row.texels, b, end, out);
        else if (!RP_FN(read_other)(call, level, b, end, out))
            return false;
        b = end;
    }
    return true;
}

static bool
texels_read(const struct rp_texel_call *call, bool is_fetch, uint32_t *const out[4])
{
    const enum texel_form form = texel_form_of(call->view->format);
    const struct rp_texture_level *level = rp_texel_level(call->view);
    if (!level || (is_fetch && !rp_swizzle_is_identity(&call->view->swizzle)))
        return false;
    if (form == TEXEL_NONE)
        return read_other(call, level, out);
    if (call->slice_count > 0)
        return false;

    for (uint32_t b = 0; b < call->block_count;) {
        struct row row = row_at(call, level, texel_size(form), b, true);
        if (b == 0 && row.texels)
            row.ahead = access_ahead(call->exec, call->op, (uintptr_t)row.texels);
        if (row.texels)
            read_row(form, &row, b * 16, out);
        else
            read_blocks(form, call, level, b, b + row.blocks, out);
        b += row.blocks;
    }
    for (uint32_t c = texel_components(form); c < 4; c++)
        for (uint32_t s = 0; out[c] && s < call->block_count * RP_NS; s++)
            ((vi *)out[c])[s] = texel_missing(form, c);
    return true;
}

/* 16 texels in their places; bits: lanes that are stored. What lies between them stays. */
static inline void
store_lanes(uint8_t *to, uint32_t texel_B, uint32_t step, const vu texel[RP_NS], uint32_t bits)
{
    const uint8_t *from = (const uint8_t *)texel;
    for (uint32_t i = 0; i < 16; i++)
        if (bits >> i & 1)
            memcpy(to + (size_t)i * step * texel_B, from + 4 * i, texel_B);
}

#if RP_VW == 16
RP_ALWAYS_INLINE void
store_block(uint8_t *to, uint32_t texel_B, uint32_t step, const vu texel[RP_NS], uint32_t bits)
{
    const __m512i t = (__m512i)texel[0];
    const __mmask16 mask = (__mmask16)bits;
    if (texel_B == 4 && step == 1)
        _mm512_mask_storeu_epi32(to, mask, t);
    else if (texel_B == 2 && step == 1)
        _mm256_mask_storeu_epi16(to, mask, _mm512_cvtepi32_epi16(t));
    else if (texel_B == 1 && step == 1)
        _mm_mask_storeu_epi8(to, mask, _mm512_cvtepi32_epi8(t));
    else if (texel_B == 2) /* each in front of one that stays */
        _mm512_mask_storeu_epi16(to, _pdep_u32(bits, 0x55555555), t);
    else if (texel_B == 1)
        _mm256_mask_storeu_epi8(to, _pdep_u32(bits, 0x55555555), _mm512_cvtepi32_epi16(t));
    else
        store_lanes(to, texel_B, step, texel, bits);
}
#else
#if RP_VW == 8
static inline __m256i
halves_of_block(const vu texel[RP_NS])
{
    return _mm256_permute4x64_epi64(_mm256_packus_epi32((__m256i)texel[0], (__m256i)texel[1]),
                                    0xd8);
}

static inline __m128i
bytes_of_block(const vu texel[RP_NS])
{
    const __m256i halves = halves_of_block(texel);
    return _mm_packus_epi16(_mm256_castsi256_si128(halves), _mm256_extracti128_si256(halves, 1));
}

static inline void
store_dense(uint8_t *to, uint32_t texel_B, const vu texel[RP_NS])
{
    if (texel_B == 4)
        memcpy(to, texel, 64);
    else if (texel_B == 2)
        _mm256_storeu_si256((__m256i *)to, halves_of_block(texel));
    else
        _mm_storeu_si128((__m128i *)to, bytes_of_block(texel));
}

/* Every second byte. */
static inline void
store_bytes_apart(uint8_t *to, const vu texel[RP_NS])
{
    const __m128i bytes = bytes_of_block(texel);
#define BYTE(i) to[2 * (i)] = (uint8_t)_mm_extract_epi8(bytes, i)
    BYTE(0), BYTE(1), BYTE(2), BYTE(3), BYTE(4), BYTE(5), BYTE(6), BYTE(7);
    BYTE(8), BYTE(9), BYTE(10), BYTE(11), BYTE(12), BYTE(13), BYTE(14), BYTE(15);
#undef BYTE
}
#elif defined(RP_NEON)
static inline uint16x8_t
half_of_block(const vu texel[2])
{
    return vuzp1q_u16((uint16x8_t)texel[0], (uint16x8_t)texel[1]);
}

static inline void
store_dense(uint8_t *to, uint32_t texel_B, const vu texel[RP_NS])
{
    if (texel_B == 4) {
        memcpy(to, texel, 64);
        return;
    }
    const uint8x16_t low = (uint8x16_t)half_of_block(texel);
    const uint8x16_t high = (uint8x16_t)half_of_block(texel + 2);
    if (texel_B == 2) {
        vst1q_u8(to, low);
        vst1q_u8(to + 16, high);
    } else {
        vst1q_u8(to, vuzp1q_u8(low, high));
    }
}
#else
static inline void
store_dense(uint8_t *to, uint32_t texel_B, const vu texel[RP_NS])
{
    store_lanes(to, texel_B, 1, texel, 0xffff);
}
#endif

RP_ALWAYS_INLINE void
store_block(uint8_t *to, uint32_t texel_B, uint32_t step, const vu texel[RP_NS], uint32_t bits)
{
    if (bits == 0xffff && step == 1)
        store_dense(to, texel_B, texel);
#if RP_VW == 8
    else if (bits == 0xffff && texel_B == 1)
        store_bytes_apart(to, texel);
#endif
    else
        store_lanes(to, texel_B, step, texel, bits);
}
#endif

RP_ALWAYS_INLINE void
write_row_as(enum texel_form form, uint32_t step, const struct row *row, const uint16_t *mask,
             uint32_t lane, const uint32_t *const value[4])
{
    const uint32_t block_B = 16 * step * texel_size(form);
    for (uint32_t b = 0; b < row->blocks; b++) {
        vu texel[RP_NS];
        for (uint32_t j = 0; j < RP_NS; j++)
            texel[j] = texel_from(form, value, lane + b * 16 + j * RP_VW);
        store_block(row->texels + (size_t)b * block_B, texel_size(form), step, texel,
                    mask ? mask[b] : 0xffff);
    }
}

static void
write_row(enum texel_form form, const struct row *row, const uint16_t *mask, uint32_t lane,
          const uint32_t *const value[4])
{
    switch (form) {
#define WRITE(f) \
    case f: \
        if (row->step == 1) \
            write_row_as(f, 1, row, mask, lane, value); \
        else \
            write_row_as(f, 2, row, mask, lane, value); \
        break;
        FORMS(WRITE)
    default:
        break;
    }
}

static void
store_texel(uint8_t *to, uint32_t texel_B, uint32_t word)
{
    if (texel_B == 4)
        memcpy(to, &word, 4);
    else if (texel_B == 2)
        memcpy(to, &word, 2);
    else
        *to = (uint8_t)word;
}

RP_ALWAYS_INLINE void
write_block_as(enum texel_form form, const struct rp_texel_call *call,
               const struct rp_texture_level *level, uint32_t b, const uint32_t *const value[4])
{
    const uint32_t texel_B = texel_size(form);
    const uint32_t active = call->mask ? call->mask[b] : 0xffff;
    int32_t offsets[16];
    vu texel[RP_NS];
    uint32_t inside = 0;
    bool is_dense = true;
    for (uint32_t j = 0; j < RP_NS; j++) {
        const vi offset = texel_offsets(call, level, texel_B, b * RP_NS + j);
        memcpy(offsets + j * RP_VW, &offset, sizeof(offset));
        inside |= (~vi_bits(offset) & ((1u << RP_VW) - 1)) << j * RP_VW;
        is_dense &=
            vi_bits(offset != offsets[0] + lane_numbers((int32_t)j) * (int32_t)texel_B) == 0;
        texel[j] = texel_from(form, value, b * 16 + j * RP_VW);
    }
    if (inside == 0xffff && is_dense) {
        store_block(level->data + offsets[0], texel_B, 1, texel, active);
        return;
    }
    const uint32_t *words = (const uint32_t *)texel;
    for (uint32_t bits = inside & active; bits; bits &= bits - 1) {
        const int lane = __builtin_ctz(bits);
        store_texel(level->data + offsets[lane], texel_B, words[lane]);
    }
}

/* Blocks from b to end whose lanes may lie anywhere. */
static void
write_blocks(enum texel_form form, const struct rp_texel_call *call,
             const struct rp_texture_level *level, uint32_t b, uint32_t end,
             const uint32_t *const value[4])
{
    switch (form) {
#define WRITE_BLOCKS(f) \
    case f: \
        for (; b < end; b++) \
            write_block_as(f, call, level, b, value); \
        break;
        FORMS(WRITE_BLOCKS)
    default:
        break;
    }
}

static bool
texels_write(const struct rp_texel_call *call, const uint32_t *const value[4])
{
    const enum texel_form form = texel_form_of(call->view->format);
    const struct rp_texture_level *level = rp_texel_level(call->view);
    if (!level)
        return false;
    if (form == TEXEL_NONE)
        return RP_FN(write_other)(call, level, value);
    if (call->slice_count > 0)
        return false;

    for (uint32_t b = 0; b < call->block_count;) {
        const struct row row = row_at(call, level, texel_size(form), b, false);
        if (row.texels)
            write_row(form, &row, call->mask ? call->mask + b : NULL, b * 16, value);
        else
            write_blocks(form, call, level, b, b + row.blocks, value);
        b += row.blocks;
    }
    return true;
}

static const struct rp_texel_cuts cuts = {
    .read = texels_read,
    .write = texels_write,
    .sample = RP_FN(sample),
    .read_any = RP_FN(read_any),
    .write_any = RP_FN(write_any),
    .sample_any = RP_FN(sample_any),
    .gather_any = RP_FN(gather_any),
};

RP_OP(IMAGE)
{
#if RP_VW >= 8
    _mm256_zeroupper(); /* image.c has no AVX: the processor would stall between the two */
#endif
    return rp_exec_image(o, R, x, &cuts);
}
