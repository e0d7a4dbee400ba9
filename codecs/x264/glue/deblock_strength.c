/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bS of 8.7.2.1 for inter blocks: "different reference pictures" are different pictures, even
 * when one picture has several indices or is in both lists.
 */
#include "glue/deblock_strength.h"

static bool
mv_is_far(const int16_t *a, const int16_t *b, int mvy_limit)
{
    return abs(a[0] - b[0]) >= 4 || abs(a[1] - b[1]) >= mvy_limit;
}

bool
rp_x264_motion_is_different(const struct rp_x264_block_motion *p,
                            const struct rp_x264_block_motion *q, int limit)
{
    const bool is_same_order = p->id[0] == q->id[0] && p->id[1] == q->id[1];
    const bool is_crossed = p->id[0] == q->id[1] && p->id[1] == q->id[0];
    if (!is_same_order && !is_crossed)
        return true;

    /* One picture each: the vector is in the list that is used. */
    if (p->id[0] < 0 || p->id[1] < 0) {
        const int p_list = p->id[0] < 0;
        const int q_list = q->id[0] < 0;
        return mv_is_far(p->mv[p_list], q->mv[q_list], limit);
    }
    const bool is_far =
        mv_is_far(p->mv[0], q->mv[0], limit) || mv_is_far(p->mv[1], q->mv[1], limit);
    const bool is_far_crossed =
        mv_is_far(p->mv[0], q->mv[1], limit) || mv_is_far(p->mv[1], q->mv[0], limit);
    if (p->id[0] == p->id[1])
        return is_far && is_far_crossed;
    return is_same_order ? is_far : is_far_crossed;
}

RP_X264_ENTRY void
rp_x264_deblock_strength(uint8_t nnz[X264_SCAN8_SIZE], int8_t ref[2][X264_SCAN8_LUMA_SIZE],
                         int16_t mv[2][X264_SCAN8_LUMA_SIZE][2], uint8_t bs[2][8][4], int mvy_limit,
                         int is_b)
{
    /* nnz is h->mb.cache.non_zero_count. */
    const uintptr_t address = (uintptr_t)nnz - offsetof(x264_t, mb.cache.non_zero_count);
    const x264_t *h = (const x264_t *)address;
    const struct rp_x264_context *ctx = h->api;

    for (int dir = 0; dir < 2; dir++) {
        const int along = dir ? 1 : 8;
        const int across = dir ? 8 : 1;
        for (int edge = 0; edge < 4; edge++) {
            for (int i = 0; i < 4; i++) {
                const int at[2] = {X264_SCAN8_0 + edge * across + i * along,
                                   X264_SCAN8_0 + (edge - 1) * across + i * along};
                if (nnz[at[0]] || nnz[at[1]]) {
                    bs[dir][edge][i] = 2;
                    continue;
                }
                struct rp_x264_block_motion motion[2];
                for (int side = 0; side < 2; side++) {
                    for (int list = 0; list < 2; list++) {
                        const bool is_used = list == 0 || is_b;
                        motion[side].id[list] =
                            is_used ? ctx->picture_id[list][2 + ref[list][at[side]]] : -1;
                        motion[side].mv[list] = mv[list][at[side]];
                    }
                }
                bs[dir][edge][i] = rp_x264_motion_is_different(&motion[0], &motion[1], mvy_limit);
            }
        }
    }
}
