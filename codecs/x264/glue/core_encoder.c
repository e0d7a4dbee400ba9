/* SPDX-License-Identifier: GPL-2.0-or-later */
/* x264's encoder.c, unchanged, with its slice header, row filter, table set-up, row progress and
 * writers of macroblocks redirected.
 *
 * slice_write() calls slice_header_write(&h->out.bs, &h->sh, h->i_nal_ref_idc); the definition's
 * third argument reads "int i_nal_ref_idc". The macro below pastes that argument and so sends the
 * call to us and leaves the definition alone. Likewise fdec_filter_row(h, mb_y, 0), or 1 or 2 with
 * x264's own threads.
 */
#include "context.h"

#include "encoder/analyse.h"
#include "encoder/macroblock.h"
#include "encoder/me.h"
#include "encoder/ratecontrol.h"
#include "encoder/set.h"
#include "glue/intra_x9.h"
#include "glue/mb_limits.h"

#define HEADER_FIRST(a, ...) a
#define HEADER_PICK(...) HEADER_FIRST(__VA_ARGS__)
#define HEADER_3_int slice_header_write_of_x264, 0,
#define HEADER_3_h slice_header_write_of_ours, 0,
#define slice_header_write(s, sh, ref_idc) HEADER_PICK(HEADER_3_##ref_idc)(s, sh, ref_idc)

#define FILTER_3_int fdec_filter_row_of_x264, 0,
#define FILTER_3_0 fdec_filter_row_of_ours, 0,
#define FILTER_3_1 fdec_filter_row_of_x264, 0,
#define FILTER_3_2 fdec_filter_row_of_x264, 0,
#define fdec_filter_row(h, mb_y, pass) HEADER_PICK(FILTER_3_##pass)(h, mb_y, pass)

static void
slice_header_write_of_ours(bs_t *s, x264_slice_header_t *sh, int ref_idc)
{
    (void)ref_idc;
    x264_t *h = (x264_t *)((char *)sh - offsetof(x264_t, sh));
    const struct rp_x264_context *ctx = h->api;
    ctx->hooks->write_slice_header(h, s);
}

static void fdec_filter_row_of_x264(x264_t *h, int mb_y, int pass);

static void
fdec_filter_row_of_ours(x264_t *h, int mb_y, int pass)
{
    const struct rp_x264_context *ctx = h->api;

    if (ctx->shared_slices)
        ctx->hooks->filter_coded_rows(h, mb_y);
    else
        fdec_filter_row_of_x264(h, mb_y, pass);
}

/* x264_encoder_open() fills tables of the process each time, with the same values, while other
 * contexts may be reading them: here each is filled once. */
static pthread_mutex_t tables_mutex = PTHREAD_MUTEX_INITIALIZER;
static struct {
    bool has_rdo;
    bool has_cabac;
    bool has_cavlc;
} tables; /* guarded by tables_mutex */

static void
tables_init_rdo(void)
{
    pthread_mutex_lock(&tables_mutex);
    if (!tables.has_rdo)
        x264_rdo_init();
    tables.has_rdo = true;
    pthread_mutex_unlock(&tables_mutex);
}

static void
tables_init_cabac(x264_t *h)
{
    pthread_mutex_lock(&tables_mutex);
    if (!tables.has_cabac)
        x264_cabac_init(h);
    tables.has_cabac = true;
    pthread_mutex_unlock(&tables_mutex);
}

static void
tables_init_cavlc(x264_t *h)
{
    pthread_mutex_lock(&tables_mutex);
    if (!tables.has_cavlc)
        x264_cavlc_init(h);
    tables.has_cavlc = true;
    pthread_mutex_unlock(&tables_mutex);
}

/* The slice's first macroblock is not its row's first: bounds of vectors, and rows of references
 * that are to be complete, as x264 sees to at the start of each row that is not of an I slice. */
static void
slice_begin_row(x264_t *h)
{
    const int y = 16 * h->mb.i_mb_y;
    const int range = 4 * h->param.analyse.i_mv_range;
    const int rows_range = h->i_thread_frames > 1 ? h->param.analyse.i_mv_range_thread : range;
    const int margin = 6; /* a search goes on for some steps beyond its limits */

    for (int list = 0; list < 2 && h->i_thread_frames > 1; list++) {
        for (int i = 0; i < h->i_ref[list]; i++)
            rp_x264_wait_rows(h->fref[list][i]->orig, y + rows_range);
    }
    h->mb.mv_min[1] = 4 * (-y - 24);
    h->mb.mv_max[1] = 4 * (16 * (h->mb.i_mb_height - 1) - y + 24);
    h->mb.mv_min_spel[1] = X264_MAX(h->mb.mv_min[1], -range);
    h->mb.mv_max_spel[1] = X264_MIN3(h->mb.mv_max[1], range - 1, 4 * rows_range);
    h->mb.mv_limit_fpel[0][1] = (h->mb.mv_min_spel[1] >> 2) + margin;
    h->mb.mv_limit_fpel[1][1] = (h->mb.mv_max_spel[1] >> 2) - margin;
}

static void
analyse_within_level(x264_t *h)
{
    rp_x264_analyse_within_level(h, x264_macroblock_analyse);
}

static void
macroblock_analyse(x264_t *h)
{
    const struct rp_x264_context *ctx = h->api;

    rp_x264_intra_x9_enter(h);
    if (h->mb.i_mb_xy == h->sh.i_first_mb && h->mb.i_mb_x > 0 && h->sh.i_type != SLICE_TYPE_I)
        slice_begin_row(h);
    /* Not for I slices: their rows are begun before those of references are there. */
    if (ctx->has_weights && h->sh.i_type != SLICE_TYPE_I &&
        (h->mb.i_mb_x == 0 || h->mb.i_mb_xy == h->sh.i_first_mb))
        ctx->hooks->weigh_row(h);
    if (ctx->has_refresh)
        ctx->hooks->analyse_macroblock(h, analyse_within_level);
    else
        analyse_within_level(h);
}

#undef x264_macroblock_analyse
#define x264_macroblock_analyse macroblock_analyse
#undef x264_macroblock_write_cabac
#undef x264_macroblock_write_cavlc
#define x264_macroblock_write_cabac rp_x264_write_cabac
#define x264_macroblock_write_cavlc rp_x264_write_cavlc
#undef x264_rdo_init
#undef x264_cabac_init
#undef x264_cavlc_init
#define x264_rdo_init tables_init_rdo
#define x264_cabac_init tables_init_cabac
#define x264_cavlc_init tables_init_cavlc

#undef x264_frame_cond_broadcast
#define x264_frame_cond_broadcast(frame, lines) rp_x264_tell_rows(frame, lines)

#include "encoder/encoder.c"

x264_t *
rp_x264_open(x264_param_t *params)
{
    struct rp_x264_noted noted;

    rp_x264_noted_begin(&noted);
    x264_t *h = x264_encoder_open(params, NULL);
    rp_x264_noted_end();
    if (!h)
        rp_x264_noted_free(&noted);
    return h;
}

void
rp_x264_close(x264_t *h)
{
    x264_encoder_close(h);
}

int
rp_x264_slice_write(x264_t *h)
{
    return slice_write(h) == 0 ? 0 : -1;
}

void
rp_x264_macroblock_analyse(x264_t *h)
{
    macroblock_analyse(h);
}

bool
rp_x264_bitstream_has_room(x264_t *h)
{
    return bitstream_check_buffer(h) == 0;
}

void
rp_x264_filter_row(x264_t *h, int mb_y)
{
    fdec_filter_row_of_x264(h, mb_y, 0);
}

void
rp_x264_weighted_pred_init(x264_t *h)
{
    weighted_pred_init(h);
}

void
rp_x264_nal_start(x264_t *h, int type, int ref_idc)
{
    nal_start(h, type, ref_idc);
}

int
rp_x264_nal_end(x264_t *h)
{
    return nal_end(h);
}
