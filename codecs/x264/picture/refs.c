/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reference lists of any kind for an encoder that makes its own.
 *
 * x264 takes two entries of its lists for two pictures, knows no long-term pictures and writes the
 * POC of a reference into the frame itself. So each picture gets views of its references: copies
 * of their geometry with POCs that are relative to the picture, so that no frame is ever written
 * to by those who read it, whatever became of its POC since (MMCO 5).
 */
#include "picture/refs.h"

#include "glue/bipred.h"
#include "glue/deblock_strength.h"

#define NO_POC INT_MIN /* of a picture that is in no list */

/* Legal streams stay within 16 bits (8.2.1); others must not overflow. */
static int
poc_difference(int32_t a, int32_t b)
{
    const int64_t difference = (int64_t)a - b;
    return (int)X264_MAX(INT16_MIN, X264_MIN(INT16_MAX, difference));
}

static int
view_index(struct rp_x264_context *ctx, const struct rp_x264_content *content, int *count)
{
    int i = 0;
    while (i < *count && ctx->views[i].orig != content->frame)
        i++;
    if (i == *count) {
        ctx->views[i] = content->geometry;
        ctx->views[i].orig = content->frame;
        (*count)++;
    }
    return i;
}

static void
view_init(x264_frame_t *view, const struct rp_x264_origin *origin, int poc)
{
    view->i_poc = poc;
    view->i_delta_poc[0] = view->i_delta_poc[1] = 0;
    view->i_type = origin->slice_type == SLICE_TYPE_I   ? X264_TYPE_I
                   : origin->slice_type == SLICE_TYPE_P ? X264_TYPE_P
                                                        : X264_TYPE_BREF;
    view->i_ref[0] = (int)origin->ref_count;
    view->i_ref[1] = 0;
    for (uint32_t i = 0; i < origin->ref_count; i++)
        view->ref_poc[0][i] = NO_POC;
    if (origin->ref0_distance != 0) {
        const int distance = origin->ref0_distance;
        view->inv_ref_poc[0] = (int16_t)((256 + distance / 2) / distance);
    }
}

static void
refs_set_nearest(x264_t *h)
{
    for (int list = 0; list < 2; list++) {
        h->fref_nearest[list] = NULL;
        for (int i = 0; i < h->i_ref[list]; i++) {
            x264_frame_t *ref = h->fref[list][i];
            if (!h->fref_nearest[list] || abs(ref->i_poc) < abs(h->fref_nearest[list]->i_poc))
                h->fref_nearest[list] = ref;
        }
    }
}

/* The colocated picture's references, found again in list 0 by what they are: POCs may have been
 * given anew since (8.4.1.2.3: "the frame ... referred to by the colocated macroblock"). */
static void
colocated_find_refs(struct rp_x264_context *ctx)
{
    const struct rp_h264_encode_job *job = ctx->job;
    const struct rp_x264_begun *begun = rp_x264_begun_of(job);
    const struct rp_x264_origin *origin = &begun->refs[1][0]->origin;
    x264_frame_t *col = ctx->h->fref[1][0];

    for (uint32_t i = 0; i < origin->ref_count; i++) {
        for (uint32_t j = 0; j < job->ref_count[0]; j++) {
            if (begun->refs[0][j]->origin.serial == origin->ref_serial[i])
                col->ref_poc[0][i] = ctx->h->fref[0][j]->i_poc;
        }
    }
}

/* colZeroFlag is 0 when RefPicList1[0] is a long-term picture (8.4.1.2.2): a colocated picture
 * without references gives that. */
static void
colocated_make_long_term(struct rp_x264_context *ctx, int view)
{
    x264_t *h = ctx->h;
    x264_frame_t *col = &ctx->views[view];

    *col = *h->fref[1][0];
    col->ref[0] = col->ref[1] = ctx->absent_refs;
    h->fref[1][0] = col;
}

static bool
job_has_long_term(const struct rp_h264_encode_job *job)
{
    for (uint32_t list = 0; list < 2; list++) {
        for (uint32_t i = 0; i < job->ref_count[list]; i++) {
            if (job->refs[list][i].is_long_term)
                return true;
        }
    }
    return false;
}

/* Which direct mode can be exact. */
static bool
direct_choose(struct rp_x264_context *ctx)
{
    const struct rp_h264_encode_job *job = ctx->job;
    x264_param_t *param = &ctx->h->param;
    const struct rp_x264_origin *col = &rp_x264_begun_of(job)->refs[1][0]->origin;

    /* A decoder has the motion of the colocated picture, we do not. */
    if (col->is_adopted) {
        param->analyse.i_direct_mv_pred = X264_DIRECT_PRED_NONE;
        return job->direct_spatial;
    }
    const bool is_spatial = job->direct_spatial || param->analyse.i_subpel_refine == 0 ||
                            col->ref_count == 0 || job_has_long_term(job);
    param->analyse.i_direct_mv_pred =
        is_spatial ? X264_DIRECT_PRED_SPATIAL : X264_DIRECT_PRED_TEMPORAL;
    return is_spatial;
}

bool
rp_x264_refs_attach(struct rp_x264_context *ctx)
{
    const struct rp_h264_encode_job *job = ctx->job;
    x264_t *h = ctx->h;
    int view_count = 0;
    bool has_duplicates = false;

    memset(ctx->picture_id, -1, sizeof(ctx->picture_id));
    for (int list = 0; list < 2; list++) {
        h->i_ref[list] = (int)job->ref_count[list];
        for (int i = 0; i < h->i_ref[list]; i++) {
            const struct rp_h264_reference *ref = &job->refs[list][i];
            const int before = view_count;
            const struct rp_x264_content *content = rp_x264_begun_of(job)->refs[list][i];
            const int id = view_index(ctx, content, &view_count);
            if (id == before)
                view_init(&ctx->views[id], &content->origin, poc_difference(ref->poc, job->poc));
            else
                has_duplicates = true;
            h->fref[list][i] = &ctx->views[id];
            ctx->picture_id[list][2 + i] = (int8_t)id;
        }
        h->mb.pic.i_fref[list] = h->i_ref[list];
    }
    h->mb.ref_blind_dupe = -1;
    h->loopf.deblock_strength = has_duplicates ? rp_x264_deblock_strength : ctx->x264_strength;
    refs_set_nearest(h);
    if (job->slice_type != RP_H264_SLICE_B)
        return true;

    colocated_find_refs(ctx);
    if (job->refs[1][0].is_long_term)
        colocated_make_long_term(ctx, view_count);
    return direct_choose(ctx);
}

/* Implicit weight of list 0 and DistScaleFactor for one pair (8.4.2.3.1). */
static int
pair_weight(const struct rp_x264_context *ctx, int poc0, int poc1, bool is_long_term, int *scale)
{
    const int tb = x264_clip3(-poc0, -128, 127);
    const int td = x264_clip3(poc1 - poc0, -128, 127);
    *scale = 256;
    if (td == 0)
        return 32;

    const int tx = (16384 + (abs(td) >> 1)) / td;
    *scale = x264_clip3((tb * tx + 32) >> 6, -1024, 1023);
    const int w1 = *scale >> 2;
    if (!ctx->config.has_implicit_weights || is_long_term || w1 < -64 || w1 > 128)
        return 32;
    return 64 - w1;
}

void
rp_x264_refs_init_bipred(struct rp_x264_context *ctx)
{
    const struct rp_h264_encode_job *job = ctx->job;
    x264_t *h = ctx->h;
    bool is_extreme = false;

    for (int i = 0; i < h->i_ref[0]; i++) {
        for (int j = 0; j < h->i_ref[1]; j++) {
            const bool is_long_term = job->refs[0][i].is_long_term || job->refs[1][j].is_long_term;
            int scale;
            const int weight =
                pair_weight(ctx, h->fref[0][i]->i_poc, h->fref[1][j]->i_poc, is_long_term, &scale);
            is_extreme |= weight > 127 || weight < -63;
            h->mb.dist_scale_factor_buf[0][0][i][j] = (int16_t)scale;
            h->mb.bipred_weight_buf[0][0][i][j] = (int8_t)weight;
        }
    }
    h->mb.dist_scale_factor = h->mb.dist_scale_factor_buf[0][0];
    h->mb.bipred_weight = h->mb.bipred_weight_buf[0][0];
    memcpy(h->mc.avg, is_extreme ? rp_x264_wide_avg : ctx->x264_avg, sizeof(h->mc.avg));
}
