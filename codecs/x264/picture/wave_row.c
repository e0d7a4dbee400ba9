/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One row of macroblocks: what x264's slice_write() does with them, and the rules in place of what
 * it takes from those before in raster order.
 */
#include "picture/wave.h"

#include "encoder/macroblock.h"
#include "encoder/ratecontrol.h"
#include "glue/mb_limits.h"
#include "picture/slices.h"

/* x264's header declares another name. */
void x264_macroblock_cache_load_progressive(x264_t *h, int mb_x, int mb_y);

#define LEAD_MBS 2     /* that the row above is ahead: what is to the upper right has been coded */
#define MBS_PER_TELL 4 /* others are told of */

struct row {
    struct rp_x264_wave *wave;
    struct rp_x264_row_coder *coder;
    struct rp_x264_wave_row *slot;
    const struct rp_x264_wave_row *above; /* NULL: none */
    int y;
    int first_x;     /* of the slice's macroblocks in the row */
    int known_above; /* macroblocks that the row above is known to have */
    int skips;       /* since the last macroblock that is not skipped */
    int intra_count;
};

static void
row_point_buffers(const struct row *row)
{
    x264_t *h = &row->coder->h;
    struct rp_x264_wave_row *slot = row->slot;
    struct rp_x264_row_syntax *syntax = &slot->syntax;
    const struct rp_x264_slices *slices = row->wave->slices;

    row->coder->row = syntax;
    for (int p = 0; p < 2; p++) {
        h->intra_border_backup[row->y & 1][p] = slot->border[p];
        h->intra_border_backup[!(row->y & 1)][p] =
            row->above ? row->above->border[p] : slot->border[p];
    }
    h->deblock_strength[0] = h->deblock_strength[1] =
        slices ? slices->strengths + row->y * row->wave->width : slot->strengths;
    syntax->samples_count = 0;
    syntax->has_coded = false;
    syntax->leading_skips = 0;
    syntax->first_qp = -1;
    syntax->leading_mbs = 0;
    syntax->qp_sum = 0;
    if (h->param.b_cabac) {
        h->cabac.p = h->cabac.p_start = syntax->data;
        h->cabac.p_end = syntax->blocks;
    } else {
        bs_init(&h->out.bs, syntax->data, RP_X264_ROW_MB_B * row->wave->width);
    }
}

static void
row_begin(const struct row *row)
{
    x264_t *h = &row->coder->h;

    row_point_buffers(row);
    h->mb.i_mb_prev_xy = row->y * row->wave->width + row->first_x - 1;
    h->mb.b_reencode_mb = 0;
    h->mb.cache =
        row->wave->h->mb.cache; /* as at the slice's start: the row coded last may be any */
}

/* The slice begins inside the row: the row below knows nothing of those before. It is told that it
 * may begin. */
static void
row_begin_inside(const struct row *row)
{
    memset(row->slot->known, 0, (size_t)row->first_x * sizeof(row->slot->known[0]));
    rp_progress_set(&row->wave->done[row->y].mbs, (uint32_t)row->first_x);
}

int
rp_x264_wave_wait_for_mbs(struct rp_x264_wave *wave, const struct rp_x264_row_coder *coder, int y,
                          int count)
{
    struct rp_progress *mbs = &wave->done[y].mbs;

    uint32_t seen = rp_progress_get(mbs);
    while ((int)seen < count)
        seen = rp_progress_wait(mbs, seen, coder->spin_ns);
    return (int)seen;
}

/* The row above has the macroblock to the upper right. */
static void
row_wait(struct row *row, int x)
{
    const int needed = X264_MIN(x + LEAD_MBS, row->wave->width);

    if (row->above && row->known_above < needed)
        row->known_above = rp_x264_wave_wait_for_mbs(row->wave, row->coder, row->y - 1, needed);
}

/* The row's first mb_count macroblocks, and what the row above knew with the one to the upper
 * right. */
static struct rp_x264_known
row_known(const struct row *row, int x, int mb_count)
{
    struct rp_x264_known known = {mb_count, row->intra_count};

    if (row->above) {
        const struct rp_x264_known *above =
            &row->above->known[X264_MIN(x + 1, row->wave->width - 1)];
        known.mb_count += above->mb_count;
        known.intra_count += above->intra_count;
    }
    return known;
}

/* x264 looks whether a third of the macroblocks before is intra: their number is that of the
 * macroblock, and it sums up i_mb_count. Here those that are known stand for them. */
static void
row_show_known(const struct row *row, int x)
{
    int *counts = row->coder->h.stat.frame.i_mb_count;
    const struct rp_x264_known known = row_known(row, x, x);

    counts[I_4x4] = counts[I_8x8] = counts[I_16x16] = 0;
    counts[I_PCM] = known.mb_count < 3 * known.intra_count ? row->wave->h->mb.i_mb_count : 0;
}

static void
row_note_known(struct row *row, int x)
{
    row->intra_count += IS_INTRA(row->coder->h.mb.i_type);
    row->slot->known[x] = row_known(row, x, x + 1);
}

static void
write_cabac(const struct row *row, int x)
{
    x264_t *h = &row->coder->h;
    const uint8_t *first = h->cabac.p;
    const bool is_skipped = IS_SKIP(h->mb.i_type);

    if (h->mb.i_mb_xy > h->sh.i_first_mb)
        rp_x264_row_write_end_of_slice(&h->cabac);
    if (h->sh.i_type != SLICE_TYPE_I)
        rp_x264_row_write_skip(h, is_skipped);
    if (!is_skipped)
        rp_x264_row_write_cabac_within_level(h, &row->wave->cabac_at_start);
    if (row->coder->bins)
        rp_x264_row_note_bins(h, x, first);
}

/* False: a level has no code, and what was written has been taken back. */
static bool
write_cavlc(struct row *row)
{
    struct rp_x264_row_syntax *syntax = &row->slot->syntax;
    x264_t *h = &row->coder->h;
    const struct rp_x264_row_syntax syntax_before = *syntax;
    const bs_t before = h->out.bs;

    if (IS_SKIP(h->mb.i_type)) {
        row->skips++;
        return true;
    }
    if (syntax->has_coded && h->sh.i_type != SLICE_TYPE_I)
        bs_write_ue_big(&h->out.bs, row->skips);
    else
        syntax->leading_skips = row->skips;
    syntax->has_coded = true;
    rp_x264_row_write_cavlc_within_level(h);
    if (h->mb.b_overflow) {
        h->out.bs = before;
        *syntax = syntax_before;
        return false;
    }
    row->skips = 0;
    return true;
}

/* Goes on after an overflow as slice_write() does: with a larger QP. */
static void
encode_and_write_cavlc(struct row *row)
{
    x264_t *h = &row->coder->h;

    for (;;) {
        x264_macroblock_encode(h);
        if (write_cavlc(row))
            return;
        h->mb.i_chroma_qp = h->chroma_qp_table[++h->mb.i_qp];
        h->mb.i_skip_intra = 0;
        h->mb.b_skip_mc = 0;
        h->mb.b_overflow = 0;
    }
}

static void
code_macroblock(struct row *row, int x)
{
    x264_t *h = &row->coder->h;

    row_show_known(row, x);
    x264_macroblock_cache_load_progressive(h, x, row->y);
    if (x == row->first_x) { /* the QP before is not known yet */
        h->mb.i_last_qp = SPEC_QP(x264_ratecontrol_mb_qp(h));
        h->mb.i_last_dqp = 0;
    }
    rp_x264_macroblock_analyse(h);
    if (h->param.b_cabac) {
        x264_macroblock_encode(h);
        write_cabac(row, x);
    } else {
        encode_and_write_cavlc(row);
    }
    x264_macroblock_cache_save(h);
    row->coder->mb_counts[h->mb.i_type]++;
    row->slot->syntax.leading_mbs += row->slot->syntax.first_qp < 0;
    row->slot->syntax.qp_sum += h->mb.i_qp;
    row_note_known(row, x);
    if (row->wave->is_filtered)
        x264_macroblock_deblock_strength(h);
}

static void
row_end(const struct row *row)
{
    struct rp_x264_row_syntax *syntax = &row->slot->syntax;
    x264_t *h = &row->coder->h;

    syntax->trailing_skips = row->skips;
    syntax->last_qp = h->mb.i_last_qp;
    if (h->param.b_cabac) {
        syntax->size = (int)(h->cabac.p - syntax->data);
        return;
    }
    syntax->size = (int)(8 * (h->out.bs.p - syntax->data)) + 8 * WORD_SIZE - h->out.bs.i_left;
    bs_flush(&h->out.bs);
}

void
rp_x264_wave_code_row(struct rp_x264_wave *wave, struct rp_x264_row_coder *coder, int y)
{
    const int end_x = rp_x264_wave_end_x(wave, y);
    struct row row = {
        .wave = wave,
        .coder = coder,
        .slot = &wave->slots[y % wave->slot_count],
        .above = y > wave->first_row ? &wave->slots[(y - 1) % wave->slot_count] : NULL,
        .y = y,
        .first_x = rp_x264_wave_first_x(wave, y),
    };

    row_begin(&row);
    if (wave->states.rows)
        rp_x264_wave_states_begin_row(wave, coder, y);
    if (row.first_x > 0)
        row_begin_inside(&row);
    for (int x = row.first_x; x < end_x; x++) {
        row_wait(&row, x);
        code_macroblock(&row, x);
        if (x + 1 < end_x && (x < LEAD_MBS || (x + 1) % MBS_PER_TELL == 0))
            rp_progress_set(&wave->done[y].mbs, (uint32_t)x + 1);
    }
    row_end(&row);
    rp_progress_set(&wave->done[y].mbs, (uint32_t)end_x);
}
