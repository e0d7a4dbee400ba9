/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The stages of rows behind those that are coded.
 */
#include "picture/wave.h"

#include "encoder.h"
#include "picture/slices.h"

#include "reelpipe/workers.h"

static bool
row_is_coded(struct rp_x264_wave *wave, int y)
{
    return (int)rp_progress_get(&wave->done[y].mbs) == rp_x264_wave_end_x(wave, y);
}

int
rp_x264_wave_stage_next(const struct rp_x264_wave *wave, enum rp_x264_stage_kind kind)
{
    return (int)(rp_progress_get(&wave->stages[kind].state) / 2);
}

static bool
stage_is_ready(struct rp_x264_wave *wave, enum rp_x264_stage_kind kind, int y)
{
    if (y >= wave->end_row || (kind == RP_X264_STAGE_EXTEND && !wave->is_extended))
        return false;
    /* x264 extends all lines of the first row, also those that the second one's filter changes. */
    if (kind == RP_X264_STAGE_EXTEND)
        return rp_x264_wave_stage_next(wave, RP_X264_STAGE_FILTER) >
               X264_MAX(y, X264_MIN(1, wave->end_row - 1));
    if (kind == RP_X264_STAGE_FILTER && wave->has_varying_qp)
        return rp_x264_wave_stage_next(wave, RP_X264_STAGE_JOIN) > y;
    return row_is_coded(wave, y);
}

/* Rows of several slices are filtered and extended in the picture's order, once the last slice that
 * is in the row has been coded. */
static void
row_filter(struct rp_x264_wave *wave, x264_t *h, int y)
{
    if (wave->slices) {
        if (rp_x264_wave_end_x(wave, y) == wave->width)
            wave->enc->hooks->filter_coded_rows(h, y + 1);
        return;
    }
    h->deblock_strength[0] = h->deblock_strength[1] = wave->slots[y % wave->slot_count].strengths;
    if (wave->is_filtered)
        x264_frame_deblock_row(h, y);
}

/* Does what x264's fdec_filter_row() does: the last lines may change yet when the row below is
 * filtered. */
static void
row_extend(struct rp_x264_wave *wave, x264_t *h, int y)
{
    const bool is_last = y + 1 == wave->end_row;

    x264_frame_expand_border(h, h->fdec, y);
    if (h->param.analyse.i_subpel_refine) {
        x264_frame_filter(h, h->fdec, y, is_last);
        x264_frame_expand_border_filtered(h, h->fdec, y, is_last);
    }
    if (h->i_thread_frames > 1)
        rp_x264_tell_rows(wave->h->fdec, 16 * (y + 1) + (is_last ? 10000 : -X264_THREAD_HEIGHT));
}

static void
stage_do_row(struct rp_x264_wave *wave, enum rp_x264_stage_kind kind, x264_t *h, int y)
{
    switch (kind) {
    case RP_X264_STAGE_JOIN:
        if (!atomic_load(&wave->has_failed) && !rp_x264_wave_join_row(wave, h, y))
            atomic_store(&wave->has_failed, true);
        break;
    case RP_X264_STAGE_FILTER:
        row_filter(wave, h, y);
        break;
    default:
        row_extend(wave, h, y);
        break;
    }
}

/* Does rows of the stage while they are ready, most_rows at a time. Whoever makes a row ready while
 * another thread is at the stage leaves it to that one, which looks again once it has left. True
 * when something was done. */
static bool
stage_work(struct rp_x264_wave *wave, enum rp_x264_stage_kind kind, x264_t *h, int most_rows)
{
    struct rp_progress *state = &wave->stages[kind].state;
    int done_rows = 0;

    while (done_rows < most_rows) {
        const uint32_t at = rp_progress_get(state);
        int y = (int)(at / 2);
        if (at % 2 || !stage_is_ready(wave, kind, y))
            break;
        if (!rp_progress_exchange(state, at, at + 1))
            continue;
        do {
            stage_do_row(wave, kind, h, y);
            rp_progress_set(state, 2 * (uint32_t)++y + 1);
        } while (++done_rows < most_rows && stage_is_ready(wave, kind, y));
        rp_progress_set(state, 2 * (uint32_t)y);
    }
    x264_emms();
    return done_rows > 0;
}

bool
rp_x264_wave_work_on_stages(struct rp_x264_wave *wave, x264_t *h, int most_rows)
{
    bool has_worked = false;

    for (int kind = 0; kind < RP_X264_STAGE_COUNT; kind++)
        has_worked |= stage_work(wave, (enum rp_x264_stage_kind)kind, h, most_rows);
    return has_worked;
}

void
rp_x264_wave_wait_for_stage(struct rp_x264_wave *wave, enum rp_x264_stage_kind kind,
                            struct rp_x264_row_coder *coder, int y)
{
    struct rp_progress *state = &wave->stages[kind].state;

    for (;;) {
        const uint32_t seen = rp_progress_get(state);
        const int next = (int)(seen / 2);
        if (next > y)
            return;
        if (seen % 2 || !stage_is_ready(wave, kind, next))
            (void)rp_progress_wait(state, seen, coder->spin_ns);
        else
            (void)rp_x264_wave_work_on_stages(wave, &coder->h, wave->row_count);
    }
}
