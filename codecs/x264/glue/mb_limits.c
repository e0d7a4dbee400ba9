/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Limits of macroblocks: x264 leaves the number of vectors out of account, and looks at I_PCM in
 * rate-distortion analysis alone, not at all at the faster quality levels.
 */
#include "glue/mb_limits.h"

#include "glue/row_syntax.h"

#include <limits.h>

/* MaxMvsPer2Mb of levels from 3.1 on is 16; B macroblocks have eight at most. */
#define MOST_VECTORS 8

/* MaxSubMbRectSize of Baseline, up to level 3: the samples that predict 8x8. */
#define MOST_RECT 576

/* Annex A: macroblock_layer() has at most 128 bits more than the samples. */
#define MOST_BITS (128 + 8 * 384)

/* What a macroblock of a row may take by an estimate: states are other ones when it is coded. */
#define MOST_ESTIMATED_BITS (MOST_BITS - 300)

/* From here on not even noise between black and white takes so many bits. */
#define COARSE_QP 30

static int
count_vectors(const x264_t *h)
{
    static const uint8_t counts[] = {
        [D_L0_4x4] = 4, [D_L0_8x4] = 2, [D_L0_4x8] = 2, [D_L0_8x8] = 1};
    int count = 0;

    for (int i = 0; i < 4; i++)
        count += counts[h->mb.i_sub_partition[i]];
    return count;
}

/* A.3.3: the samples that one 8x8 is predicted from, with what interpolation adds. */
static int
rect_size(const x264_t *h, int block8x8)
{
    int least[2] = {INT_MAX, INT_MAX}, most[2] = {INT_MIN, INT_MIN};

    for (int i = 0; i < 4; i++) {
        const int16_t *mv = h->mb.cache.mv[0][x264_scan8[4 * block8x8 + i]];
        const int at[2] = {4 * (i & 1) + (mv[0] >> 2), 4 * (i >> 1) + (mv[1] >> 2)};
        for (int d = 0; d < 2; d++) {
            least[d] = X264_MIN(least[d], at[d]);
            most[d] = X264_MAX(most[d], at[d]);
        }
    }
    return (most[0] - least[0] + 3 + 6) * (most[1] - least[1] + 3 + 6);
}

static bool
is_within_level(const x264_t *h)
{
    const struct rp_x264_context *ctx = h->api;
    const StdVideoH264SequenceParameterSet *sps = ctx->job->sps;

    if (h->mb.i_type != P_8x8)
        return true;
    if (sps->level_idc >= STD_VIDEO_H264_LEVEL_IDC_3_1)
        return count_vectors(h) <= MOST_VECTORS;
    if (sps->profile_idc != STD_VIDEO_H264_PROFILE_IDC_BASELINE)
        return true;
    for (int i = 0; i < 4; i++) {
        if (h->mb.i_sub_partition[i] != D_L0_8x8 && rect_size(h, i) > MOST_RECT)
            return false;
    }
    return true;
}

void
rp_x264_analyse_within_level(x264_t *h, void (*analyse)(x264_t *h))
{
    const unsigned inter = h->param.analyse.inter;

    analyse(h);
    if (!(inter & X264_ANALYSE_PSUB8x8) || is_within_level(h))
        return;
    h->param.analyse.inter = inter & ~X264_ANALYSE_PSUB8x8;
    analyse(h);
    h->param.analyse.inter = inter;
}

struct written {
    int mv_bits;
    int tex_bits;
};

static struct written
written_note(const x264_t *h)
{
    return (struct written){h->stat.frame.i_mv_bits, h->stat.frame.i_tex_bits};
}

static bool
can_be_long(const x264_t *h)
{
    return h->mb.i_qp < COARSE_QP && h->mb.i_type != I_PCM;
}

static void
encode_as_pcm(x264_t *h, const struct written *before)
{
    h->stat.frame.i_mv_bits = before->mv_bits;
    h->stat.frame.i_tex_bits = before->tex_bits;
    h->mb.i_type = I_PCM;
    x264_macroblock_encode(h);
}

/* Fewer coefficients would need more bits each than one can have. */
static bool
has_many_coefficients(const x264_t *h)
{
    const int luma_blocks = __builtin_popcount((unsigned)h->mb.i_cbp_luma);
    return 64 * luma_blocks + (h->mb.i_cbp_chroma == 2 ? 128 : 0) >= 192;
}

void
rp_x264_write_cabac(x264_t *h, x264_cabac_t *cb)
{
    if (!can_be_long(h) || !has_many_coefficients(h)) {
        x264_macroblock_write_cabac(h, cb);
        return;
    }

    const struct written written = written_note(h);
    const x264_cabac_t before = *cb;
    const int bits_before = x264_cabac_pos(cb);
    const uint8_t byte_before = cb->p[-1]; /* a carry goes there */
    x264_macroblock_write_cabac(h, cb);
    if (x264_cabac_pos(cb) - bits_before <= MOST_BITS)
        return;
    *cb = before;
    cb->p[-1] = byte_before;
    encode_as_pcm(h, &written);
    x264_macroblock_write_cabac(h, cb);
}

void
rp_x264_write_cavlc(x264_t *h)
{
    bs_t *bs = &h->out.bs;
    const struct written written = written_note(h);
    const bs_t before = *bs;
    const int bits_before = bs_pos(bs);

    x264_macroblock_write_cavlc(h);
    /* After an overflow x264 takes it back and encodes it again. */
    if (h->mb.b_overflow || !can_be_long(h) || bs_pos(bs) - bits_before <= MOST_BITS)
        return;
    *bs = before;
    encode_as_pcm(h, &written);
    x264_macroblock_write_cavlc(h);
}

void
rp_x264_row_write_cavlc_within_level(x264_t *h)
{
    struct rp_x264_row_syntax *row = rp_x264_row_coder_of(h)->row;
    bs_t *bs = &h->out.bs;
    const struct written written = written_note(h);
    const int first_qp = row->first_qp;
    const bs_t before = *bs;
    const int bits_before = bs_pos(bs);

    rp_x264_row_write_cavlc(h);
    if (h->mb.b_overflow || !can_be_long(h) || bs_pos(bs) - bits_before <= MOST_BITS)
        return;
    *bs = before;
    row->first_qp = first_qp;
    encode_as_pcm(h, &written);
    rp_x264_row_write_cavlc(h);
}

/* A block of 16 coefficients between -8 and 7 takes a third of what it may; few that have larger
 * ones do not make a macroblock too long. Whether it is worth counting its bits. */
static bool
has_large_levels(const uint8_t *block, const uint8_t *end)
{
    int count = 0;

    for (; block < end; block += 32) {
        uint64_t magnitudes = 0;
        for (int i = 0; i < 4; i++) {
            uint64_t levels;
            memcpy(&levels, block + 8 * i, sizeof(levels));
            /* Levels below 0 are inverted. */
            const uint64_t signs = levels >> 15 & UINT64_C(0x0001000100010001);
            magnitudes |= levels ^ signs * 0xffff;
        }
        count += (magnitudes & UINT64_C(0xfff8fff8fff8fff8)) != 0;
    }
    return count >= 8;
}

void
rp_x264_row_write_cabac_within_level(x264_t *h, const x264_cabac_t *start)
{
    x264_cabac_t *cb = &h->cabac;
    struct rp_x264_row_syntax *row = rp_x264_row_coder_of(h)->row;
    struct rp_x264_row_bins *bins = rp_x264_row_coder_of(h)->bins;
    if (!can_be_long(h) || !has_many_coefficients(h)) {
        rp_x264_row_write_cabac(h, cb);
        return;
    }

    const struct written written = written_note(h);
    const x264_cabac_t before = *cb;
    const int bin_count = bins ? bins->count : 0;
    const int first_qp = row->first_qp;
    const int last_qp = h->mb.i_last_qp;
    rp_x264_row_write_cabac(h, cb);
    if (!has_large_levels(before.p_end, cb->p_end) ||
        rp_x264_row_count_bits(h, start, before.p, before.p_end) <= MOST_ESTIMATED_BITS)
        return;
    *cb = before;
    if (bins)
        bins->count = bin_count;
    row->first_qp = first_qp;
    h->mb.i_last_qp = last_qp;
    encode_as_pcm(h, &written);
    rp_x264_row_write_cabac(h, cb);
}
