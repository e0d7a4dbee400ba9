/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Threads that take rows.
 */
#include "picture/wave.h"

#include "encoder.h"
#include "picture/slices.h"
#include "picture/source.h"
#include "rate/attempt.h"

#include "reelpipe/workers.h"
#include "util/alloc.h"
#include "util/compiler.h"

#define WAVE_SCOPE VK_SYSTEM_ALLOCATION_SCOPE_OBJECT

/* A thread is worth waking for so many rows, and finds work in so many macroblocks of each. */
#define ROWS_PER_THREAD 3
#define MBS_PER_THREAD 4

#define LEADS_IN_ROW 4 /* a row begins so much of the picture's width behind the one above */

#define LEAST_ROWS 4     /* as many macroblocks as these have, of a slice beside others */
#define STAGE_ROWS 2     /* that a thread does of a stage before it goes on with macroblocks */
#define BORDER_PAD 64    /* in front of a line, and behind it */
#define LEAST_SAFE_QP 24 /* finer ones may have levels without a code in CAVLC */

/* Rows are looked at before they are coded, be they of several slices or of one. */
static bool
wave_foresees(const struct rp_x264_context *ctx)
{
    return ctx->job->common.rate && rp_x264_rate_rows_can_be_planned(ctx->h);
}

bool
rp_x264_wave_is_for(const struct rp_x264_context *ctx, uint32_t index)
{
    const struct rp_h264_encode_job *job = ctx->job;
    const uint32_t width = (uint32_t)ctx->h->mb.i_mb_width;

    if (job->common.rate)
        return wave_foresees(ctx);
    return job->slice_count == 1 || job->slices[index].mb_count >= LEAST_ROWS * width;
}

static bool
wave_is_for_any(const struct rp_x264_context *ctx)
{
    for (uint32_t i = 0; i < ctx->job->slice_count; i++) {
        if (rp_x264_wave_is_for(ctx, i))
            return true;
    }
    return false;
}

static bool
slot_init(struct rp_x264_wave_row *slot, const x264_t *h)
{
    const size_t width = (size_t)h->mb.i_mb_width;
    const bool has_cabac = h->param.b_cabac;
    const size_t border_B = 16 * width + 2 * BORDER_PAD;
    const size_t strengths_B = width * sizeof(slot->strengths[0]);
    const size_t known_B = ALIGN(width * sizeof(slot->known[0]), 64);
    const size_t samples_B = ALIGN(width * sizeof(slot->syntax.samples_at[0]), 64);
    const size_t data_B = width * RP_X264_ROW_MB_B;
    const size_t blocks_B = has_cabac ? width * RP_X264_ROW_MB_BLOCKS_B : 0;

    slot->memory = rp_alloc(
        NULL, 2 * ALIGN(border_B, 64) + strengths_B + known_B + samples_B + data_B + blocks_B, 64,
        WAVE_SCOPE);
    uint8_t *at = slot->memory;
    if (!at)
        return false;
    for (int p = 0; p < 2; p++) {
        memset(at, 0, border_B); /* beyond its ends it is read, and not looked at */
        slot->border[p] = at + BORDER_PAD;
        at += ALIGN(border_B, 64);
    }
    slot->strengths = (uint8_t(*)[2][8][4])at;
    at += strengths_B;
    slot->known = (struct rp_x264_known *)at;
    at += known_B;
    slot->syntax.samples_at = (int *)at;
    at += samples_B;
    slot->syntax.data = at;
    slot->syntax.blocks = at + data_B;
    return true;
}

static struct rp_x264_row_coder *
coder_create(const x264_t *h)
{
    struct rp_x264_row_coder *coder = rp_zalloc(NULL, sizeof(*coder), 64, WAVE_SCOPE);
    if (!coder)
        return NULL;
    /* The size that x264_macroblock_thread_allocate() takes for half-pel planes. */
    const size_t scratch_B = (16 * (size_t)h->mb.i_mb_width + 48 + 32) * sizeof(int16_t);
    coder->h.scratch_buffer = rp_alloc(NULL, scratch_B, 64, WAVE_SCOPE);
    if (coder->h.scratch_buffer)
        return coder;
    rp_free(NULL, coder);
    return NULL;
}

static int
wave_thread_count(const struct rp_encoder *enc, const x264_t *h)
{
    const int useful =
        X264_MIN(h->mb.i_mb_height / ROWS_PER_THREAD, h->mb.i_mb_width / MBS_PER_THREAD);
    return x264_clip3(useful, 1, (int)rp_workers_thread_count(enc->workers));
}

static struct rp_x264_wave *
wave_create(struct rp_encoder *enc, x264_t *h)
{
    struct rp_x264_wave *wave =
        rp_zalloc(NULL, sizeof(*wave), _Alignof(struct rp_x264_wave), WAVE_SCOPE);
    if (!wave)
        return NULL;
    pthread_mutex_init(&wave->mutex, NULL);
    wave->enc = enc;
    wave->h = h;
    wave->width = h->mb.i_mb_width;
    wave->row_count = h->mb.i_mb_height;
    wave->thread_count = wave_thread_count(enc, h);
    wave->slot_count = 2 * wave->thread_count + 1;
    wave->slots = rp_zalloc_array(NULL, (size_t)wave->slot_count, sizeof(*wave->slots), WAVE_SCOPE);
    wave->coders =
        rp_zalloc_array(NULL, (size_t)wave->thread_count, sizeof(*wave->coders), WAVE_SCOPE);
    wave->done = rp_zalloc(NULL, (size_t)wave->row_count * sizeof(*wave->done), 128, WAVE_SCOPE);
    bool is_made =
        wave->slots && wave->coders && wave->done && rp_x264_wave_states_init(&wave->states, h);
    for (int i = 0; i < wave->slot_count && is_made; i++)
        is_made = slot_init(&wave->slots[i], h);
    for (int i = 0; i < wave->thread_count && is_made; i++) {
        wave->coders[i] = coder_create(h);
        is_made = wave->coders[i];
    }
    if (is_made)
        return wave;
    rp_x264_wave_destroy(wave);
    return NULL;
}

void
rp_x264_wave_destroy(struct rp_x264_wave *wave)
{
    if (!wave)
        return;
    for (int i = 0; i < wave->slot_count && wave->slots; i++)
        rp_free(NULL, wave->slots[i].memory);
    for (int i = 0; i < wave->thread_count && wave->coders; i++) {
        if (wave->coders[i])
            rp_free(NULL, wave->coders[i]->h.scratch_buffer);
        rp_free(NULL, wave->coders[i]);
    }
    rp_free(NULL, wave->slots);
    rp_free(NULL, wave->coders);
    rp_free(NULL, wave->done);
    pthread_mutex_destroy(&wave->mutex);
    rp_x264_wave_states_finish(&wave->states);
    rp_free(NULL, wave);
}

bool
rp_x264_wave_reserve(struct rp_encoder *enc, struct rp_x264_context *ctx)
{
    const bool is_wanted = wave_is_for_any(ctx);

    if (!ctx->wave && is_wanted)
        ctx->wave = wave_create(enc, ctx->h);
    return ctx->wave || !is_wanted;
}

/* All of from but what changes while rows are joined. */
static void
context_copy(x264_t *to, const x264_t *from)
{
    static const size_t ends[][2] = {
        {0, offsetof(x264_t, out)},
        {offsetof(x264_t, nal_buffer), offsetof(x264_t, cabac)},
        {offsetof(x264_t, frames), sizeof(x264_t)},
    };
    void *scratch = to->scratch_buffer;

    for (size_t i = 0; i < RP_ARRAY_SIZE(ends); i++)
        memcpy((char *)to + ends[i][0], (const char *)from + ends[i][0], ends[i][1] - ends[i][0]);
    to->scratch_buffer = scratch;
    to->scratch_buffer2 = NULL;
    x264_macroblock_thread_init(to);
}

struct rows_run {
    struct rp_x264_wave *wave;
    void (*fn)(void *arg, x264_t *h, int y);
    void *arg;
};

static RP_X264_ENTRY void
rows_take_part(void *arg, uint32_t i, uint32_t thread)
{
    const struct rows_run *run = arg;
    struct rp_x264_wave *wave = run->wave;
    x264_t *h = NULL;
    (void)i;

    for (;;) {
        const int y = atomic_fetch_add(&wave->next_row, 1);
        if (y >= wave->row_count)
            return;
        if (!h) {
            h = &wave->coders[thread]->h;
            context_copy(h, wave->h);
        }
        run->fn(run->arg, h, y);
    }
}

void
rp_x264_wave_for_rows(struct rp_encoder *enc, struct rp_x264_context *ctx,
                      void (*fn)(void *arg, x264_t *h, int y), void *arg)
{
    struct rp_x264_wave *wave = ctx->wave;
    struct rows_run run = {wave, fn, arg};

    for (int y = 0; y < ctx->h->mb.i_mb_height && !wave; y++)
        fn(arg, ctx->h, y);
    if (!wave)
        return;
    const uint32_t threads = (uint32_t)wave->thread_count;
    atomic_store(&wave->next_row, 0);
    rp_workers_run_on(enc->workers, threads, threads, rows_take_part, &run);
}

static struct rp_x264_row_coder *
wave_begin_coder(struct rp_x264_wave *wave, struct rp_x264_row_coder *coder)
{
    context_copy(&coder->h, wave->h);
    if (wave->has_refresh) {
        coder->frame = wave->frame_at_start;
        coder->h.fdec = &coder->frame;
    }
    return coder;
}

/* What row y - slot_count has left has been used, and the row's QP is known. */
static void
wave_wait_for_row(struct rp_x264_wave *wave, struct rp_x264_row_coder *coder, int y)
{
    const struct rp_x264_rate_planned_rows *planned = wave->planned_rows;

    rp_x264_wave_wait_for_stage(wave, RP_X264_STAGE_JOIN, coder, y - wave->slot_count);
    rp_x264_wave_wait_for_stage(wave, RP_X264_STAGE_FILTER, coder, y - wave->slot_count);
    if (planned)
        rp_x264_wave_wait_for_stage(wave, RP_X264_STAGE_JOIN, coder, y - planned->delay);
}

static struct rp_x264_context *
wave_owner(const struct rp_x264_wave *wave)
{
    return wave->slices ? wave->slices->owner : wave->h->api;
}

/* A source that cannot be used where it is: who codes a row from its start copies its pixels. */
static void
row_copy_source(const struct rp_x264_wave *wave, x264_t *h, int y)
{
    const struct rp_x264_context *ctx = wave_owner(wave);

    if (ctx->has_source_by_bands && rp_x264_wave_first_x(wave, y) == 0)
        rp_x264_source_copy_rows(h, &ctx->job->common.src, y, y + 1);
}

static struct rp_x264_row_coder *
wave_take_coder(struct rp_x264_wave *wave)
{
    pthread_mutex_lock(&wave->mutex);
    struct rp_x264_row_coder *coder = wave->free_coders;
    const bool is_new = !coder;
    if (coder)
        wave->free_coders = coder->next;
    else
        coder = wave->coders[wave->used_coder_count++];
    pthread_mutex_unlock(&wave->mutex);
    return is_new ? wave_begin_coder(wave, coder) : coder;
}

static void
wave_leave_coder(struct rp_x264_wave *wave, struct rp_x264_row_coder *coder)
{
    pthread_mutex_lock(&wave->mutex);
    coder->next = wave->free_coders;
    wave->free_coders = coder;
    pthread_mutex_unlock(&wave->mutex);
}

/* The lines of references that row y may read are there, also for its rate. */
static bool
row_has_references(const struct rp_x264_wave *wave, int y)
{
    const x264_t *h = wave->h;
    const struct rp_x264_context *owner = wave_owner(wave);
    const x264_frame_t *rated = owner->job->common.rate ? owner->attempt->reference : NULL;
    const int lines = 16 * y + h->param.analyse.i_mv_range_thread;

    if (rated && !rp_x264_has_rows(rated, lines))
        return false;
    if (h->sh.i_type == SLICE_TYPE_I)
        return true;
    for (int list = 0; list < 2; list++) {
        for (int i = 0; i < h->i_ref[list]; i++) {
            if (!rp_x264_has_rows(h->fref[list][i]->orig, lines))
                return false;
        }
    }
    return true;
}

/* What row y waits for before its first macroblock: what used its slot before, and its QP. */
static bool
row_has_slot(const struct rp_x264_wave *wave, int y)
{
    const struct rp_x264_rate_planned_rows *planned = wave->planned_rows;
    const int joined_rows = rp_x264_wave_stage_next(wave, RP_X264_STAGE_JOIN);

    return y - wave->slot_count < joined_rows &&
           y - wave->slot_count < rp_x264_wave_stage_next(wave, RP_X264_STAGE_FILTER) &&
           (!planned || y - planned->delay < joined_rows);
}

/* A row that begins behind enough of the one above seldom has to wait for it. */
static bool
row_has_lead(const struct rp_x264_wave *wave, int y)
{
    const int end_x = rp_x264_wave_end_x(wave, y - 1);
    const int lead = X264_MIN(X264_MAX(wave->width / LEADS_IN_ROW, 2), end_x);
    return y == wave->first_row || (int)rp_progress_get(&wave->done[y - 1].mbs) >= lead;
}

static enum rp_readiness
wave_readiness(const void *arg)
{
    const struct rp_x264_wave *wave = arg;
    const int y = atomic_load(&wave->next_row);

    if (y >= wave->end_row)
        return RP_READINESS_OVER;
    if (!row_has_references(wave, y))
        return RP_READINESS_BLOCKED;
    return row_has_lead(wave, y) && row_has_slot(wave, y) ? RP_READINESS_READY : RP_READINESS_SOON;
}

/* The next row becomes the calling thread's. -1: there is none, or it would wait for references. */
static int
wave_take_row(struct rp_x264_wave *wave)
{
    int y = atomic_load(&wave->next_row);

    while (y < wave->end_row && row_has_references(wave, y)) {
        if (atomic_compare_exchange_weak(&wave->next_row, &y, y + 1))
            return y;
    }
    return -1;
}

/* Rows are coded as long as nobody else has work. */
static RP_X264_ENTRY void
wave_code_rows(void *arg)
{
    struct rp_x264_wave *wave = arg;
    struct rp_x264_row_coder *coder = NULL;

    do {
        const int y = wave_take_row(wave);
        if (y < 0)
            break;
        if (!coder)
            coder = wave_take_coder(wave);
        rp_workers_keep_apart(wave->enc->workers);
        coder->spin_ns = rp_workers_wait_ns(wave->enc->workers);
        row_copy_source(wave, &coder->h, y);
        wave_wait_for_row(wave, coder, y);
        rp_x264_wave_code_row(wave, coder, y);
        (void)rp_x264_wave_work_on_stages(wave, &coder->h, STAGE_ROWS);
    } while (!rp_workers_is_shared(wave->enc->workers));
    if (!coder)
        return;
    while (atomic_load(&wave->next_row) >= wave->end_row &&
           rp_x264_wave_work_on_stages(wave, &coder->h, wave->row_count))
        ;
    x264_emms();
    wave_leave_coder(wave, coder);
}

/* Rows are planned from the picture's start, or the band's, across its slices. */
static void
wave_begin_rate(struct rp_x264_wave *wave, struct rp_x264_context *ctx)
{
    struct rp_x264_context *owner = wave_owner(wave);

    wave->planned_rows = NULL;
    if (!ctx->job->common.rate)
        return;
    wave->planned_rows = ctx->band ? &ctx->band->planned_rows : &owner->attempt->planned_rows;
    if (wave->first_mb == ctx->h->i_threadslice_start * wave->width)
        rp_x264_rate_rows_begin(wave->planned_rows, ctx->h);
    ctx->row_qps = wave->planned_rows->qp;
}

/* Slices that begin or end inside a row are coded one after the other: nobody else has work. */
static int
useful_threads(const struct rp_x264_wave *wave)
{
    const int rows = wave->end_row - wave->first_row;
    const bool is_cut = wave->first_mb % wave->width != 0 || wave->end_mb % wave->width != 0;
    return X264_MAX(is_cut ? rows : rows / ROWS_PER_THREAD, 1);
}

static void
wave_begin(struct rp_x264_wave *wave, struct rp_x264_context *ctx)
{
    x264_t *h = wave->h;
    const int qp = ctx->job->slices[ctx->slice_index].qp;

    wave->first_mb = h->sh.i_first_mb;
    wave->end_mb = h->sh.i_last_mb + 1;
    wave->first_row = wave->first_mb / wave->width;
    wave->end_row = h->sh.i_last_mb / wave->width + 1;
    wave->useful_threads = useful_threads(wave);
    wave->slices = ctx->shared_slices;
    wave->is_extended = h->fdec->b_kept_as_ref && !wave->slices;
    wave->is_filtered = h->fdec->b_kept_as_ref && h->sh.i_disable_deblocking_filter_idc != 1;
    wave->has_refresh = ctx->has_refresh;
    if (wave->has_refresh)
        wave->frame_at_start = *h->fdec;
    wave_begin_rate(wave, ctx);
    wave->has_varying_qp =
        wave->planned_rows || ctx->qp_offsets || (!h->param.b_cabac && qp < LEAST_SAFE_QP);
    for (int y = wave->first_row; y < wave->end_row; y++)
        rp_progress_set(&wave->done[y].mbs, 0);
    for (int kind = 0; kind < RP_X264_STAGE_COUNT; kind++)
        rp_progress_set(&wave->stages[kind].state, 2 * (uint32_t)wave->first_row);
    for (int i = 0; i < wave->thread_count; i++)
        memset(wave->coders[i]->mb_counts, 0, sizeof(wave->coders[i]->mb_counts));
    wave->free_coders = NULL;
    wave->used_coder_count = 0;
    atomic_store(&wave->next_row, wave->first_row);
    atomic_store(&wave->has_failed, false);
    rp_x264_wave_join_begin(wave);
    rp_x264_wave_states_begin(wave);
}

bool
rp_x264_wave_code(struct rp_encoder *enc, struct rp_x264_context *ctx)
{
    struct rp_x264_wave *wave = ctx->wave;

    wave_begin(wave, ctx);
    const uint32_t threads = (uint32_t)X264_MIN(wave->useful_threads, wave->thread_count);
    const struct rp_stepwise_run run = {
        .step = wave_code_rows, .readiness = wave_readiness, .ctx = wave};
    rp_workers_run_steps(enc->workers, threads, &run);
    ctx->row_qps = NULL;
    for (uint32_t i = 0; i < threads; i++) {
        for (size_t k = 0; k < RP_ARRAY_SIZE(wave->coders[i]->mb_counts); k++)
            ctx->h->stat.frame.i_mb_count[k] += wave->coders[i]->mb_counts[k];
    }
    return !atomic_load(&wave->has_failed) && rp_x264_wave_join_end(wave);
}
