/* SPDX-License-Identifier: MIT */
#include "codecs/aom/threads.h"

#include "codecs/aom/hooks.h"
#include "codecs/aom/libaom.h"

#include "reelpipe/workers.h"
#include "util/compiler.h"

const AVxWorkerInterface *__wrap_aom_get_worker_interface(void);

#define LEAST_TASKS 2 /* with one libaom does not code by rows */

uint32_t
rp_aom_task_count(const struct rp_workers *workers)
{
    const uint32_t threads = workers ? rp_workers_thread_count(workers) : 1;
    return RP_MIN(RP_MAX(threads, LEAST_TASKS), RP_AOM_MAX_THREADS);
}

/* Rows of a tile of which each is two superblocks behind the one above. */
static int
tile_useful_tasks(const struct rp_aom_tiles *tiles, uint32_t col, uint32_t row)
{
    const int width_sb = tiles->widths_sb_minus_1[col] + 1;
    const int height_sb = tiles->heights_sb_minus_1[row] + 1;
    return RP_MIN((width_sb + 1) / 2, height_sb);
}

void
rp_aom_threads_share(AV1_COMP *cpi, const struct rp_aom_tiles *tiles)
{
    const int rows =
        (cpi->oxcf.frm_dim_cfg.height + (int)RP_AV1_SUPERBLOCK_PX - 1) / (int)RP_AV1_SUPERBLOCK_PX;
    const int tile_count = (int)(tiles->cols * tiles->rows);
    int *counts = cpi->ppi->p_mt_info.num_mod_workers;
    int useful = 0;

    for (uint32_t i = 0; i < tiles->cols * tiles->rows; i++)
        useful += tile_useful_tasks(tiles, i % tiles->cols, i / tiles->cols);
    /* Who codes rows filters them, and searches for CDEF's strengths with what is made for that. */
    counts[MOD_ENC] = RP_MIN(cpi->oxcf.max_threads, RP_MAX(useful, LEAST_TASKS));
    counts[MOD_LPF] = counts[MOD_CDEF_SEARCH] = counts[MOD_ENC];
    counts[MOD_PACK_BS] = RP_MIN(cpi->oxcf.max_threads, tile_count);
    counts[MOD_CDEF] = RP_MIN(cpi->oxcf.max_threads, rows);
}

/* libaom makes what the threads of a tile wait with anew when the layout is another one than that
 * of the picture with the most tiles: one with fewer, since then, has left the last ones
 * without. */
static void
threads_reserve_rows(AV1_COMP *cpi)
{
    const int tiles = cpi->common.tiles.cols * cpi->common.tiles.rows;
    if (tiles <= cpi->allocated_tiles && !cpi->tile_data[tiles - 1].row_mt_sync.num_finished_cols)
        cpi->mt_info.enc_row_mt.allocated_rows = 0; /* it makes all of it */
}

void
rp_aom_threads_begin(AV1_COMP *cpi)
{
    threads_reserve_rows(cpi);
    if (cpi->mt_info.num_workers > 1)
        cpi->mt_info.tile_thr_data[0].td = &cpi->td;
}

static void
run_one(void *ctx, uint32_t i, uint32_t thread)
{
    struct rp_aom_picture *picture = ctx;
    struct rp_aom_picture *before = rp_aom_hooks_get();
    AVxWorker *worker = picture->launched[i];
    const uint64_t float_state = rp_float_state_enter();
    (void)thread;

    rp_aom_hooks_set(picture);
    if (worker)
        worker->had_error |= !worker->hook(worker->data1, worker->data2);
    else
        rp_aom_pack_run(picture);
    rp_aom_hooks_set(before);
    rp_float_state_leave(float_state);
}

static void
worker_init(AVxWorker *worker)
{
    *worker = (AVxWorker){.status_ = AVX_WORKER_STATUS_NOT_OK};
}

static int
worker_reset(AVxWorker *worker)
{
    worker->had_error = 0;
    worker->status_ = AVX_WORKER_STATUS_OK;
    return 1;
}

static void
worker_launch(AVxWorker *worker)
{
    struct rp_aom_picture *picture = rp_aom_hooks_get();
    picture->launched[picture->launched_count++] = worker;
}

/* The second to begin: it waits for rows, and whoever has begun the first part codes all that
 * nobody else does. */
static void
launch_coder(struct rp_aom_picture *picture)
{
    picture->launched[picture->launched_count++] = picture->launched[1];
    picture->launched[1] = NULL;
}

/* Always the last one of those that work together. */
static void
worker_execute(AVxWorker *worker)
{
    struct rp_aom_picture *picture = rp_aom_hooks_get();
    worker_launch(worker);
    if (rp_aom_pack_begin(picture))
        launch_coder(picture);
    const uint32_t count = picture->launched_count;
    picture->launched_count = 0;
    struct rp_workers *workers = picture->ctx->workers;
    if (count > 1 && workers && rp_workers_thread_count(workers) > 1) {
        rp_workers_run_on(workers, count, count, run_one, picture);
        return;
    }
    for (uint32_t i = 0; i < count; i++)
        run_one(picture, i, 0);
}

static int
worker_sync(AVxWorker *worker)
{
    return !worker->had_error;
}

static void
worker_end(AVxWorker *worker)
{
    worker->status_ = AVX_WORKER_STATUS_NOT_OK;
}

const AVxWorkerInterface *
__wrap_aom_get_worker_interface(void)
{
    static const AVxWorkerInterface interface = {
        .init = worker_init,
        .reset = worker_reset,
        .sync = worker_sync,
        .launch = worker_launch,
        .execute = worker_execute,
        .end = worker_end,
    };
    return &interface;
}
