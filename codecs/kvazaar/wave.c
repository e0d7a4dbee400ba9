/* SPDX-License-Identifier: MIT */
#include "codecs/kvazaar/wave.h"

#include "codecs/kvazaar/step.h"

#include "util/alloc.h"

#define WAVE_SCOPE VK_SYSTEM_ALLOCATION_SCOPE_OBJECT

/* A row goes on when the one above is so many blocks ahead, or at its end. */
#define AHEAD 2u

#define LEADS_IN_ROW 4u /* a row begins so much of the width behind the one above, and references */
#define ROWS_BELOW 2u   /* of references that a row reads, but for long vectors */

static uint32_t
leaf_count(const encoder_state_t *state)
{
    uint32_t count = state->is_leaf;
    for (uint32_t i = 0; state->children[i].encoder_control; i++)
        count += leaf_count(&state->children[i]);
    return count;
}

static void
row_init(struct rp_kvazaar_row *row, encoder_state_t *leaf)
{
    const lcu_order_element_t *first = &leaf->lcu_order[0];
    const lcu_order_element_t *last = &leaf->lcu_order[leaf->lcu_order_count - 1];
    row->leaf = leaf;
    row->block_count = (uint32_t)leaf->lcu_order_count;
    row->y_px = (uint32_t)(leaf->tile->offset_y + first->position_px.y);
    row->end_px = (uint32_t)(leaf->tile->offset_y + last->position_px.y + last->size.y);
    if (first->above) /* then it is not the slice's first row, but that of the row before */
        row->above = row - 1;
}

/* Lists the rows in the order of the picture. */
static void
rows_init(struct rp_kvazaar_wave *wave, encoder_state_t *state)
{
    if (state->is_leaf)
        row_init(&wave->rows[wave->row_count++], state);
    for (uint32_t i = 0; state->children[i].encoder_control; i++)
        rows_init(wave, &state->children[i]);
}

/* Rows of a slice that are on their way at once: each is two blocks behind the one above. */
static uint32_t
useful_threads(const struct rp_kvazaar_wave *wave)
{
    uint32_t all = 0, of_slice = 0;
    for (uint32_t i = 0; i < wave->row_count; i++) {
        const struct rp_kvazaar_row *row = &wave->rows[i];
        const uint32_t columns = (uint32_t)row->leaf->tile->frame->width_in_lcu;
        of_slice = row->above ? of_slice + 1 : 1;
        all += of_slice <= (columns + AHEAD - 1) / AHEAD;
    }
    return all;
}

bool
rp_kvazaar_wave_init(struct rp_kvazaar_wave *wave, struct rp_workers *workers,
                     encoder_state_t *state)
{
    wave->workers = workers;
    wave->rows = rp_zalloc(NULL, leaf_count(state) * sizeof(*wave->rows),
                           _Alignof(struct rp_kvazaar_row), WAVE_SCOPE);
    if (!wave->rows)
        return false;
    rows_init(wave, state);
    wave->thread_limit = useful_threads(wave);
    return true;
}

void
rp_kvazaar_wave_finish(struct rp_kvazaar_wave *wave)
{
    for (uint32_t i = 0; i < wave->row_count; i++)
        rp_kvazaar_heap_finish(&wave->rows[i].heap);
    rp_free(NULL, wave->rows);
    wave->rows = NULL;
    wave->row_count = 0;
}

/* A row that is coded by the calling thread. */
struct row_run {
    struct rp_kvazaar_wave *wave;
    struct rp_kvazaar_row *row;
};

static void
tell_coded(struct rp_kvazaar_coded_rows *coded, const encoder_state_t *leaf, uint32_t i)
{
    const vector2d_t *at = &leaf->lcu_order[i].position;
    rp_progress_set(&coded->rows[leaf->tile->lcu_offset_y + at->y], (uint32_t)at->x + 1);
}

static void
row_code(void *opaque)
{
    const struct row_run *run = opaque;
    struct rp_kvazaar_row *row = run->row;
    const uint32_t count = row->block_count;
    for (uint32_t i = 0; i < count; i++) {
        if (row->above)
            rp_kvazaar_step_wait(run->wave->workers, &row->above->done, RP_MIN(i + AHEAD, count),
                                 false);
        if (atomic_load(&run->wave->has_failed))
            return;
        rp_kvazaar_leaf_code(row->leaf, (int)i);
        rp_progress_set(&row->done, i + 1);
        if (run->wave->coded)
            tell_coded(run->wave->coded, row->leaf, i);
        if (run->wave->workers)
            rp_workers_poke(run->wave->workers);
    }
}

/* By how many blocks the row above has to be ahead, in rows of so many blocks. */
static uint32_t
lead_of(uint32_t column_count)
{
    return RP_MIN(RP_MAX(column_count / LEADS_IN_ROW, AHEAD), column_count);
}

static bool
row_has_references(const struct rp_kvazaar_wave *wave, const struct rp_kvazaar_row *row)
{
    const struct rp_kvazaar_motion *motion = wave->motion;
    const uint32_t y = row->y_px / LCU_WIDTH;

    for (uint32_t i = 0; i < motion->awaited_count; i++) {
        const struct rp_kvazaar_coded_rows *coded = motion->awaited[i];
        if (!rp_kvazaar_coded_rows_are_ended(coded) &&
            !rp_kvazaar_coded_rows_are_there(coded, lead_of(coded->column_count), y,
                                             RP_MIN(y + ROWS_BELOW, coded->row_count - 1)))
            return false;
    }
    return true;
}

/* A row that begins behind enough of the one above seldom has to wait for it. */
static bool
row_has_lead(const struct rp_kvazaar_row *row)
{
    return !row->above || rp_progress_get(&row->above->done) >= lead_of(row->above->block_count);
}

static enum rp_readiness
wave_readiness(const void *opaque)
{
    const struct rp_kvazaar_wave *wave = opaque;
    const uint32_t next = atomic_load(&wave->next_row);

    if (next >= wave->row_count)
        return RP_READINESS_OVER;
    if (!row_has_references(wave, &wave->rows[next]))
        return RP_READINESS_BLOCKED;
    return row_has_lead(&wave->rows[next]) ? RP_READINESS_READY : RP_READINESS_SOON;
}

/* The next row becomes the calling thread's. NULL: there is none, or it would wait for
 * references. */
static struct rp_kvazaar_row *
wave_take_row(struct rp_kvazaar_wave *wave)
{
    uint32_t next = atomic_load(&wave->next_row);

    while (next < wave->row_count && row_has_references(wave, &wave->rows[next])) {
        if (atomic_compare_exchange_weak(&wave->next_row, &next, next + 1))
            return &wave->rows[next];
    }
    return NULL;
}

static void
wave_code_row(struct rp_kvazaar_wave *wave, struct rp_kvazaar_row *row)
{
    struct row_run run = {wave, row};

    wave->prepare(wave->prepare_ctx, row->y_px, row->end_px);
    if (!rp_kvazaar_heap_run(&row->heap, row_code, &run))
        atomic_store(&wave->has_failed, true);
    /* Nobody waits for a row that has failed. */
    rp_progress_set(&row->done, row->block_count);
}

/* Rows are coded as long as nobody else has work. */
static void
wave_code_rows(void *opaque)
{
    struct rp_kvazaar_wave *wave = opaque;
    struct rp_kvazaar_row *row;

    while ((row = wave_take_row(wave))) {
        wave_code_row(wave, row);
        if (rp_workers_is_shared(wave->workers))
            return;
    }
}

void
rp_kvazaar_wave_run(const struct rp_kvazaar_wave *wave, uint32_t count,
                    void (*fn)(void *ctx, uint32_t i, uint32_t thread), void *ctx)
{
    if (wave->workers)
        rp_workers_run_on(wave->workers, wave->thread_limit, count, fn, ctx);
    for (uint32_t i = 0; i < count && !wave->workers; i++)
        fn(ctx, i, 0);
}

bool
rp_kvazaar_wave_code(struct rp_kvazaar_wave *wave, const struct rp_kvazaar_motion *motion,
                     struct rp_kvazaar_coded_rows *coded, rp_kvazaar_prepare_fn *prepare, void *ctx)
{
    const struct rp_stepwise_run run = {
        .step = wave_code_rows, .readiness = wave_readiness, .ctx = wave, .has_waits = true};

    wave->motion = motion;
    wave->coded = coded;
    wave->prepare = prepare;
    wave->prepare_ctx = ctx;
    atomic_store(&wave->next_row, 0);
    atomic_store(&wave->has_failed, false);
    for (uint32_t i = 0; i < wave->row_count; i++)
        rp_progress_set(&wave->rows[i].done, 0);
    if (wave->workers)
        rp_workers_run_steps(wave->workers, wave->thread_limit, &run);
    for (uint32_t i = 0; i < wave->row_count && !wave->workers; i++)
        wave_code_row(wave, &wave->rows[i]);
    return !atomic_load(&wave->has_failed);
}
