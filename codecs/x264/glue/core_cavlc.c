/* SPDX-License-Identifier: GPL-2.0-or-later */
/* x264's cavlc.c, unchanged, for rows whose place in the slice is not known: what depends on it is
 * noted and left to who writes the slice.
 *
 * The call cavlc_qp_delta( h ) goes to ours, as in core_encoder.c: the definition's argument reads
 * "x264_t *h". bs_align_0( s ) stands before samples alone.
 */
#include "glue/row_syntax.h"

#include "encoder/macroblock.h"

static int
row_bit_position(const struct rp_x264_row_syntax *row, const bs_t *s)
{
    return (int)(8 * (s->p - row->data)) + 8 * WORD_SIZE - s->i_left;
}

static void
samples_align(x264_t *h, bs_t *s)
{
    struct rp_x264_row_syntax *row = rp_x264_row_coder_of(h)->row;

    row->samples_at[row->samples_count++] = row_bit_position(row, s);
    bs_align_0(s);
}

static void cavlc_qp_delta_of_x264(x264_t *h);

static void
cavlc_qp_delta_of_row(x264_t *h)
{
    struct rp_x264_row_syntax *row = rp_x264_row_coder_of(h)->row;

    if (row->first_qp >= 0) {
        cavlc_qp_delta_of_x264(h);
        return;
    }
    row->first_qp = h->mb.i_qp;
    row->delta_at = row_bit_position(row, &h->out.bs);
    bs_write1(&h->out.bs, 1);
}

#define DELTA_FIRST(a, ...) a
#define DELTA_PICK(...) DELTA_FIRST(__VA_ARGS__)
#define DELTA_x264_t cavlc_qp_delta_of_x264, 0,
#define DELTA_h cavlc_qp_delta_of_row, 0,
#define cavlc_qp_delta(h) DELTA_PICK(DELTA_##h)(h)
#define bs_align_0(s) samples_align(h, s)
#undef x264_macroblock_write_cavlc
#define x264_macroblock_write_cavlc rp_x264_row_write_cavlc

#include "encoder/cavlc.c"
