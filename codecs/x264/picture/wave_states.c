/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Learning CABAC states from rows that are being coded.
 */
#include "picture/wave_states.h"

#include "picture/wave.h"

#include "util/alloc.h"

#define STATES_SCOPE VK_SYSTEM_ALLOCATION_SCOPE_OBJECT

#define MOST_ROWS 16     /* that have work at a time */
#define STEP_UNIT_MB 4   /* rows tell of so many macroblocks at a time */
#define ROW_MB_BINS 1024 /* what the macroblocks of a row have beyond it is not learned */

/* Rate-distortion optimisation and trellis quantisation decide by states. */
static bool
are_wanted(const x264_param_t *param)
{
    return param->b_cabac && (param->analyse.i_subpel_refine >= 6 || param->analyse.i_trellis);
}

/* The step, in macroblocks, by which a row follows the one above when row_count of them have work
 * at a time; one: each row waits for the end of the one above, as in x264. */
static int
step_for(int width_mb, int row_count)
{
    const int unit = row_count * STEP_UNIT_MB;
    const int step_mb = STEP_UNIT_MB * X264_MAX((width_mb + unit / 2) / unit, 1);
    return row_count == 1 ? width_mb : step_mb;
}

static int
reach_of(int width_mb, int step_mb)
{
    return (width_mb + step_mb - 1) / step_mb;
}

bool
rp_x264_wave_states_init(struct rp_x264_wave_states *states, const x264_t *h)
{
    const int width = h->mb.i_mb_width;
    const size_t bins = ROW_MB_BINS * (size_t)width;
    const size_t row_B = bins * sizeof(uint16_t) + ALIGN((size_t)width * sizeof(int), 64);
    if (!are_wanted(&h->param))
        return true;

    states->ring_count = reach_of(width, step_for(width, MOST_ROWS)) + 1;
    states->rows =
        rp_zalloc_array(NULL, (size_t)states->ring_count, sizeof(*states->rows), STATES_SCOPE);
    states->memory = rp_alloc(NULL, (size_t)states->ring_count * row_B, 64, STATES_SCOPE);
    if (!states->rows || !states->memory)
        return false;
    uint8_t *at = states->memory;
    for (int i = 0; i < states->ring_count; i++, at += row_B)
        states->rows[i] = (struct rp_x264_row_bins){
            .tokens = (uint16_t *)at,
            .ends = (int *)(at + bins * sizeof(uint16_t)),
            .room = (int)bins,
        };
    return true;
}

void
rp_x264_wave_states_finish(struct rp_x264_wave_states *states)
{
    rp_free(NULL, states->rows);
    rp_free(NULL, states->memory);
}

void
rp_x264_wave_states_begin(struct rp_x264_wave *wave)
{
    struct rp_x264_wave_states *states = &wave->states;

    states->step_mb = step_for(wave->width, X264_MIN(wave->useful_threads, MOST_ROWS));
    states->reach_rows = reach_of(wave->width, states->step_mb);
    memcpy(states->learned, wave->cabac_at_start.state, sizeof(states->learned));
}

/* The row above comes first: once it is coded, nobody else learns. */
static void
states_wait(struct rp_x264_wave *wave, const struct rp_x264_row_coder *coder, int first, int y)
{
    for (int from = y - 1; from >= first; from--)
        (void)rp_x264_wave_wait_for_mbs(wave, coder, from,
                                        X264_MIN((y - from) * wave->states.step_mb, wave->width));
}

static void
states_learn(uint8_t *states, const struct rp_x264_row_bins *bins, int begin_x, int end_x)
{
    const uint16_t *t = bins->tokens + (begin_x > 0 ? bins->ends[begin_x - 1] : 0);
    const uint16_t *end = bins->tokens + bins->ends[end_x - 1];

    for (; t < end; t++)
        states[*t >> 1] = x264_cabac_transition[states[*t >> 1]][*t & 1];
}

void
rp_x264_wave_states_begin_row(struct rp_x264_wave *wave, struct rp_x264_row_coder *coder, int y)
{
    struct rp_x264_wave_states *states = &wave->states;
    struct rp_x264_row_bins *bins = &states->rows[y % states->ring_count];
    const int first = X264_MAX(y - states->reach_rows, wave->first_row);

    states_wait(wave, coder, first, y);
    for (int from = first; from < y; from++) {
        const int begin_x = (y - 1 - from) * states->step_mb;
        const int end_x = X264_MIN(begin_x + states->step_mb, wave->width);
        states_learn(states->learned, &states->rows[from % states->ring_count], begin_x, end_x);
    }
    memcpy(coder->h.cabac.state, states->learned, sizeof(states->learned));
    bins->count = 0;
    for (int x = 0; x < rp_x264_wave_first_x(wave, y); x++)
        bins->ends[x] = 0;
    coder->bins = bins;
}
