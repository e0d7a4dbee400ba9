/* SPDX-License-Identifier: MIT */
#include "codecs/kvazaar/wave.h"

#include "util/alloc.h"

#define WAVE_SCOPE VK_SYSTEM_ALLOCATION_SCOPE_OBJECT

/* A row goes on when the one above is so many blocks ahead, or at its end. */
#define AHEAD 2u

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
    row->y_px = (uint32_t)(leaf->tile->offset_y + first->position_px.y);
    row->end_px = (uint32_t)(leaf->tile->offset_y + last->position_px.y + last->size.y);
    if (first->above) /* then it is not the slice's first row, but that of the row before */
        row->above = row - 1;
}

/* In the order of the picture. */
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
    uint64_t spin_ns;
};

static void
wait_for_row(struct rp_kvazaar_row *row, uint32_t count, uint64_t spin_ns)
{
    uint32_t done = rp_progress_get(&row->done);
    while (done < count)
        done = rp_progress_wait(&row->done, done, spin_ns);
}

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
    const uint32_t count = (uint32_t)row->leaf->lcu_order_count;
    for (uint32_t i = 0; i < count; i++) {
        if (row->above)
            wait_for_row(row->above, RP_MIN(i + AHEAD, count), run->spin_ns);
        if (atomic_load(&run->wave->has_failed))
            return;
        rp_kvazaar_leaf_code(row->leaf, (int)i);
        rp_progress_set(&row->done, i + 1);
        if (run->wave->coded)
            tell_coded(run->wave->coded, row->leaf, i);
    }
}

static void
take_part(void *opaque, uint32_t i, uint32_t thread)
{
    struct rp_kvazaar_wave *wave = opaque;
    const uint64_t spin_ns = wave->workers ? rp_workers_wait_ns(wave->workers) : 0;
    (void)i;
    (void)thread;

    for (;;) {
        const uint32_t next = atomic_fetch_add(&wave->next_row, 1);
        if (next >= wave->row_count)
            return;
        struct row_run run = {wave, &wave->rows[next], spin_ns};
        wave->prepare(wave->prepare_ctx, run.row->y_px, run.row->end_px);
        if (!rp_kvazaar_heap_run(&run.row->heap, row_code, &run))
            atomic_store(&wave->has_failed, true);
        /* Nobody waits for a row that has failed. */
        rp_progress_set(&run.row->done, (uint32_t)run.row->leaf->lcu_order_count);
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
rp_kvazaar_wave_code(struct rp_kvazaar_wave *wave, struct rp_kvazaar_coded_rows *coded,
                     rp_kvazaar_prepare_fn *prepare, void *ctx)
{
    wave->coded = coded;
    wave->prepare = prepare;
    wave->prepare_ctx = ctx;
    atomic_store(&wave->next_row, 0);
    atomic_store(&wave->has_failed, false);
    for (uint32_t i = 0; i < wave->row_count; i++)
        rp_progress_set(&wave->rows[i].done, 0);
    rp_kvazaar_wave_run(wave, wave->thread_limit, take_part, wave);
    return !atomic_load(&wave->has_failed);
}
