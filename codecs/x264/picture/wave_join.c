/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rows become a slice, in raster order.
 */
#include "picture/wave.h"

#include "rate/rows.h"

#include "encoder/ratecontrol.h"

void
rp_x264_wave_join_begin(struct rp_x264_wave *wave)
{
    x264_t *h = wave->h;
    const struct rp_x264_context *ctx = h->api;

    bs_realign(&h->out.bs);
    rp_x264_nal_start(h, h->i_nal_type, h->i_nal_ref_idc);
    h->out.nal[h->out.i_nal].i_first_mb = h->sh.i_first_mb;
    x264_macroblock_thread_init(h);
    h->mb.i_mb_xy = h->sh.i_first_mb;
    h->mb.i_mb_y = h->mb.i_mb_xy / wave->width;
    h->sh.i_qp = SPEC_QP(x264_ratecontrol_mb_qp(h));
    h->sh.i_qp_delta = h->sh.i_qp - h->pps->i_pic_init_qp;
    ctx->hooks->write_slice_header(h, &h->out.bs);
    if (h->param.b_cabac) {
        bs_align_1(&h->out.bs);
        x264_cabac_context_init(h, &h->cabac, h->sh.i_type, x264_clip3(h->sh.i_qp, 0, QP_MAX_SPEC),
                                h->sh.i_cabac_init_idc);
        x264_cabac_encode_init(&h->cabac, h->out.bs.p, h->out.bs.p_end);
        wave->cabac_at_start = h->cabac;
    }
    h->mb.i_last_qp = h->sh.i_qp;
    h->mb.i_last_dqp = 0;
    h->mb.field_decoding_flag = 0;
    wave->skips = 0;
    wave->last_qp = h->sh.i_qp;
    wave->last_delta = 0;
}

static uint32_t
load_be32(const uint8_t *p)
{
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

/* Bits [begin, end) of data. */
static void
bits_append(bs_t *s, const uint8_t *data, int begin, int end)
{
    const int head = X264_MIN(-begin & 7, end - begin);
    if (begin >= end)
        return;

    if (head) {
        const int unused = 8 - (begin & 7) - head;
        bs_write(s, head, (uint32_t)data[begin / 8] >> unused & ((1u << head) - 1));
    }
    const uint8_t *p = data + (begin + head) / 8;
    int rest = end - begin - head;
    for (; rest >= 32; rest -= 32, p += 4)
        bs_write32(s, load_be32(p));
    if (rest)
        bs_write(s, rest, load_be32(p) >> (32 - rest));
}

/* 7.4.5: modulo 52. */
static int
delta_wrap(int delta)
{
    if (delta < -(QP_MAX_SPEC + 1) / 2)
        return delta + QP_MAX_SPEC + 1;
    return delta > QP_MAX_SPEC / 2 ? delta - (QP_MAX_SPEC + 1) : delta;
}

/* Bits [begin, end) of the row, where one bit may stand for the first mb_qp_delta. */
static void
row_append(struct rp_x264_wave *wave, const struct rp_x264_row_syntax *row, int begin, int end)
{
    bs_t *s = &wave->h->out.bs;

    if (row->first_qp >= 0 && row->delta_at >= begin && row->delta_at < end) {
        bits_append(s, row->data, begin, row->delta_at);
        bs_write_se(s, delta_wrap(row->first_qp - wave->last_qp));
        begin = row->delta_at + 1;
    }
    bits_append(s, row->data, begin, end);
}

static void
join_cavlc(struct rp_x264_wave *wave, const struct rp_x264_row_syntax *row)
{
    bs_t *s = &wave->h->out.bs;
    int begin = 0;
    if (!row->has_coded) {
        wave->skips += row->trailing_skips;
        return;
    }

    if (wave->h->sh.i_type != SLICE_TYPE_I)
        bs_write_ue_big(s, wave->skips + row->leading_skips);
    for (int i = 0; i < row->samples_count; i++) {
        row_append(wave, row, begin, row->samples_at[i]);
        bs_align_0(s);
        begin = ALIGN(row->samples_at[i], 8);
    }
    row_append(wave, row, begin, row->size);
    wave->skips = row->trailing_skips;
    if (row->first_qp >= 0)
        wave->last_qp = row->last_qp;
}

/* Macroblocks before the row's first mb_qp_delta have the QP before, which the filter asks for. */
static void
row_set_leading_qp(const struct rp_x264_wave *wave, const struct rp_x264_row_syntax *row, int y)
{
    const x264_t *h = wave->h;
    const int first = y * wave->width + rp_x264_wave_first_x(wave, y);

    for (int i = first; i < first + row->leading_mbs; i++) {
        if (h->mb.type[i] != I_PCM)
            h->mb.qp[i] = (int8_t)wave->last_qp;
    }
}

static int
slice_size(const x264_t *h)
{
    return h->param.b_cabac ? x264_cabac_pos((x264_cabac_t *)&h->cabac)
                            : bs_pos((bs_t *)&h->out.bs);
}

bool
rp_x264_wave_join_row(struct rp_x264_wave *wave, x264_t *h, int y)
{
    const struct rp_x264_row_syntax *row = &wave->slots[y % wave->slot_count].syntax;
    x264_t *owner = wave->h;

    if (!rp_x264_bitstream_has_room(owner))
        return false;
    const int size = slice_size(owner);
    if (wave->has_varying_qp)
        row_set_leading_qp(wave, row, y);
    if (owner->param.b_cabac)
        rp_x264_row_play(owner, &owner->cabac, row, &wave->last_qp, &wave->last_delta);
    else
        join_cavlc(wave, row);
    if (wave->planned_rows)
        rp_x264_rate_rows_coded(wave->planned_rows, h, y, slice_size(owner) - size, row->qp_sum,
                                rp_x264_wave_end_x(wave, y) == wave->width);
    return true;
}

bool
rp_x264_wave_join_end(struct rp_x264_wave *wave)
{
    x264_t *h = wave->h;

    h->out.nal[h->out.i_nal].i_last_mb = h->sh.i_last_mb;
    if (h->param.b_cabac) {
        x264_cabac_encode_flush(h, &h->cabac);
        h->out.bs.p = h->cabac.p;
    } else {
        if (wave->skips > 0)
            bs_write_ue_big(&h->out.bs, wave->skips);
        bs_rbsp_trailing(&h->out.bs);
        bs_flush(&h->out.bs);
    }
    return rp_x264_nal_end(h) == 0;
}
