/* SPDX-License-Identifier: MIT */
#include "codecs/aom/pack.h"

#include "codecs/aom/hooks.h"
#include "codecs/aom/libaom.h"

#include "aom_dsp/entenc.h"
#include "av1/common/alloccommon.h"
#include "av1/encoder/bitstream.h"
#include "av1/encoder/encodetxb.h"

#include "reelpipe/workers.h"
#include "util/alloc.h"

#include <setjmp.h>

CB_COEFF_BUFFER *__real_av1_get_cb_coeff_buffer(const AV1_COMP *cpi, int mi_row, int mi_col);
CB_COEFF_BUFFER *__wrap_av1_get_cb_coeff_buffer(const AV1_COMP *cpi, int mi_row, int mi_col);
void __real_od_ec_enc_init(od_ec_enc *enc, uint32_t size_B);
void __wrap_od_ec_enc_init(od_ec_enc *enc, uint32_t size_B);

/* With fewer the one that follows rows is missed among those that code them. */
#define LEAST_THREADS_TO_FOLLOW 4u
/* With fewer the one that goes on beside CDEF is missed by other pictures. */
#define LEAST_THREADS_TO_SHARE 3u

/* What the coder changes, of a picture of one tile. */
struct rp_aom_pack_copy {
    AV1_COMP cpi;
    TileDataEnc tile;
    struct aom_internal_error_info error;
    CommonContexts above; /* owned */
    od_ec_enc *encoder;   /* the coder's, on its stack */
};

struct rp_aom_pack_copy *
rp_aom_pack_copy_create(uint32_t width_px)
{
    struct rp_aom_pack_copy *copy = rp_zalloc(
        NULL, sizeof(*copy), _Alignof(struct rp_aom_pack_copy), VK_SYSTEM_ALLOCATION_SCOPE_OBJECT);
    const int cols = (int)(width_px + MI_SIZE - 1) >> MI_SIZE_LOG2;
    if (copy && av1_alloc_above_context_buffers(&copy->above, 1, cols, MAX_MB_PLANE) != 0) {
        rp_aom_pack_copy_destroy(copy);
        return NULL;
    }
    return copy;
}

void
rp_aom_pack_copy_destroy(struct rp_aom_pack_copy *copy)
{
    if (!copy)
        return;
    av1_free_above_context_buffers(&copy->above);
    rp_free(NULL, copy);
}

/* Tiles have threads of their own, if there are several. With segments the coder changes blocks. */
static bool
may_begin(const struct rp_aom_picture *picture)
{
    return picture->ctx->pack_copy && picture->tiles.cols * picture->tiles.rows == 1 &&
           !picture->ctx->compressor->common.seg.enabled;
}

/* What is written of blocks is known as soon as they are coded: which of several strengths they
 * have is not chosen later, and nothing but the header is chosen for the picture then. */
static bool
is_known(const struct rp_aom_picture *picture)
{
    const AV1_COMP *cpi = picture->ctx->compressor;
    const AV1_COMMON *cm = &cpi->common;
    const StdVideoAV1CDEF *cdef = picture->job->picture->pCDEF;

    if (is_cdef_used(cm) &&
        (cdef ? cdef->cdef_bits > 0 : cpi->sf.lpf_sf.cdef_pick_method != CDEF_PICK_FROM_Q))
        return false;
    return cm->current_frame.reference_mode == SINGLE_REFERENCE &&
           !cm->delta_q_info.delta_q_present_flag &&
           !cm->current_frame.skip_mode_info.skip_mode_flag &&
           !is_token_info_allocated(&cpi->token_info);
}

void
rp_aom_pack_see_rows(struct rp_aom_picture *picture)
{
    struct rp_aom_pack *pack = &picture->pack;

    pack->follows_rows =
        may_begin(picture) &&
        rp_workers_thread_count(picture->ctx->workers) >= LEAST_THREADS_TO_FOLLOW &&
        is_known(picture);
    pack->stage = pack->follows_rows ? RP_AOM_PACK_READY : RP_AOM_PACK_NOT_BEGUN;
}

void
rp_aom_pack_see_strengths(struct rp_aom_picture *picture)
{
    struct rp_aom_pack *pack = &picture->pack;
    const struct rp_workers *workers = picture->ctx->workers;

    if (pack->stage == RP_AOM_PACK_BEGUN || !may_begin(picture) ||
        (rp_workers_thread_count(workers) < LEAST_THREADS_TO_SHARE &&
         rp_workers_is_shared(workers)))
        return;
    pack->follows_rows = false;
    pack->stage = RP_AOM_PACK_READY;
}

/* As libaom would have it when the picture is coded and filtered. */
static void
copy_fill(struct rp_aom_pack_copy *copy, const AV1_COMP *cpi)
{
    AV1_COMMON *cm = &copy->cpi.common;

    copy->cpi = *cpi;
    copy->tile = cpi->tile_data[0];
    copy->error = (struct aom_internal_error_info){.error_code = AOM_CODEC_OK};
    copy->cpi.tile_data = &copy->tile;
    copy->cpi.td.mb.e_mbd.error_info = cm->error = &copy->error;
    cm->above_contexts = copy->above;
    av1_finalize_encoded_frame(&copy->cpi); /* probabilities, and the interpolation filter */
}

/* What is set later than rows are coded is still that of the picture before. Where libaom derives
 * strengths, whoever codes a superblock says whether it has the second ones, which do nothing. */
static void
copy_foresee(struct rp_aom_pack_copy *copy, const StdVideoAV1CDEF *cdef)
{
    AV1_COMMON *cm = &copy->cpi.common;

    cm->cdef_info.cdef_bits = is_cdef_used(cm) && !cdef && copy->cpi.sf.rt_sf.skip_cdef_sb;
    cm->features.tx_mode = cm->features.coded_lossless ? ONLY_4X4 : TX_MODE_SELECT;
}

bool
rp_aom_pack_begin(struct rp_aom_picture *picture)
{
    struct rp_aom_pack *pack = &picture->pack;
    struct rp_aom_pack_copy *copy = picture->ctx->pack_copy;

    if (pack->stage != RP_AOM_PACK_READY)
        return false;
    copy_fill(copy, picture->ctx->compressor);
    if (pack->follows_rows)
        copy_foresee(copy, picture->job->picture->pCDEF);
    pack->stage = RP_AOM_PACK_BEGUN;
    return true;
}

/* When a row has failed others are left unfinished, and count as done: none is to be looked at any
 * more. What libaom would free where the coder returns is not known then. */
static void
wait_for_row(struct rp_aom_picture *picture, int row)
{
    struct rp_aom_pack_copy *copy = picture->ctx->pack_copy;
    AV1EncRowMultiThreadInfo *rows = &picture->ctx->compressor->mt_info.enc_row_mt;

    pthread_mutex_lock(rows->mutex_);
    while (rows->num_tile_cols_done[row] == 0 && !rows->row_mt_exit)
        pthread_cond_wait(rows->cond_, rows->mutex_);
    const bool has_failed = rows->row_mt_exit;
    pthread_mutex_unlock(rows->mutex_);
    if (!has_failed)
        return;
    od_ec_enc_clear(copy->encoder);
    aom_internal_error(&copy->error, AOM_CODEC_ERROR, "a row has failed");
}

/* Called for each superblock, by those that code them, too. */
CB_COEFF_BUFFER *
__wrap_av1_get_cb_coeff_buffer(const AV1_COMP *cpi, int mi_row, int mi_col)
{
    struct rp_aom_picture *picture = rp_aom_hooks_get();
    if (mi_col == 0 && picture && picture->pack.follows_rows &&
        cpi == &picture->ctx->pack_copy->cpi)
        wait_for_row(picture, mi_row >> cpi->common.seq_params->mib_size_log2);
    return __real_av1_get_cb_coeff_buffer(cpi, mi_row, mi_col);
}

void
__wrap_od_ec_enc_init(od_ec_enc *enc, uint32_t size_B)
{
    const struct rp_aom_picture *picture = rp_aom_hooks_get();
    if (picture && picture->pack.stage == RP_AOM_PACK_BEGUN)
        picture->ctx->pack_copy->encoder = enc;
    __real_od_ec_enc_init(enc, size_B);
}

/* libaom jumps when it fails: here to where this thread is. */
void
rp_aom_pack_run(struct rp_aom_picture *picture)
{
    struct rp_aom_pack *pack = &picture->pack;
    struct rp_aom_pack_copy *copy = picture->ctx->pack_copy;

    /* A thread that waits is missed where there is other work. */
    if (pack->follows_rows && rp_workers_is_shared(picture->ctx->workers)) {
        pack->stage = RP_AOM_PACK_NOT_BEGUN;
        return;
    }
    pack->status = AOM_CODEC_ERROR;
    if (setjmp(copy->error.jmp))
        return;
    copy->error.setjmp = 1;
    pack->status =
        av1_pack_bitstream(&copy->cpi, pack->dst, pack->dst_B, &pack->size_B, &pack->largest_tile);
}

bool
rp_aom_pack_is_done(const struct rp_aom_picture *picture, const AV1_COMP *cpi)
{
    return picture->pack.stage == RP_AOM_PACK_BEGUN && cpi != &picture->ctx->pack_copy->cpi;
}

/* With what libaom looks at later. */
int
rp_aom_pack_take(const struct rp_aom_picture *picture, AV1_COMP *cpi, size_t *size_B,
                 int *largest_tile)
{
    const struct rp_aom_pack_copy *copy = picture->ctx->pack_copy;

    cpi->tile_data[0].tctx = copy->tile.tctx;
    cpi->mv_search_params.max_mv_magnitude = copy->cpi.mv_search_params.max_mv_magnitude;
    cpi->rc.coefficient_size = copy->cpi.rc.coefficient_size;
    *size_B = picture->pack.size_B;
    *largest_tile = picture->pack.largest_tile;
    return picture->pack.status;
}
