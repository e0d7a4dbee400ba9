/* SPDX-License-Identifier: MIT */
#include "codecs/aom/pack.h"

#include "codecs/aom/hooks.h"
#include "codecs/aom/libaom.h"

#include "av1/common/alloccommon.h"
#include "av1/encoder/bitstream.h"

#include "util/alloc.h"

#include <setjmp.h>

/* What the coder changes, of a picture of one tile. */
struct rp_aom_pack_copy {
    AV1_COMP cpi;
    TileDataEnc tile;
    struct aom_internal_error_info error;
    CommonContexts above; /* owned */
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

void
rp_aom_pack_see_strengths(struct rp_aom_picture *picture)
{
    if (may_begin(picture))
        picture->pack.stage = RP_AOM_PACK_READY;
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

bool
rp_aom_pack_begin(struct rp_aom_picture *picture)
{
    if (picture->pack.stage != RP_AOM_PACK_READY)
        return false;
    copy_fill(picture->ctx->pack_copy, picture->ctx->compressor);
    picture->pack.stage = RP_AOM_PACK_BEGUN;
    return true;
}

/* libaom jumps when it fails: here to where this thread is. */
void
rp_aom_pack_run(struct rp_aom_picture *picture)
{
    struct rp_aom_pack *pack = &picture->pack;
    struct rp_aom_pack_copy *copy = picture->ctx->pack_copy;

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
