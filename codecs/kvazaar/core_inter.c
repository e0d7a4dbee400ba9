/* SPDX-License-Identifier: MIT */
/* kvazaar's inter.c, unchanged but for three functions that motion_vectors.c has instead: they
 * suppose that the collocated picture is the first one of list 0, that there are no long-term
 * pictures, and lists as kvazaar's own GOPs have them.
 */
#undef kvz_inter_get_merge_cand /* other names, of 10 bits */
#undef kvz_inter_get_mv_cand
#undef kvz_inter_get_mv_cand_cua
#define kvz_inter_get_merge_cand kvz_unused_get_merge_cand
#define kvz_inter_get_mv_cand kvz_unused_get_mv_cand
#define kvz_inter_get_mv_cand_cua kvz_unused_get_mv_cand_cua
#include "inter.c"

#include "codecs/kvazaar/core.h"

static void
neighbours_copy(const merge_candidates_t *from, struct rp_kvazaar_neighbours *to)
{
    for (int i = 0; i < 2; i++)
        to->a[i] = from->a[i];
    for (int i = 0; i < 3; i++)
        to->b[i] = from->b[i];
}

void
rp_kvazaar_neighbours_get(const encoder_state_t *state, const vector2d_t *at,
                          const vector2d_t *size, lcu_t *lcu, struct rp_kvazaar_neighbours *out)
{
    const videoframe_t *frame = state->tile->frame;
    merge_candidates_t found = {{0, 0}, {0, 0, 0}, 0, 0};
    get_spatial_merge_candidates(at->x, at->y, size->x, size->y, frame->width, frame->height, lcu,
                                 &found);
    neighbours_copy(&found, out);
}

void
rp_kvazaar_neighbours_get_written(const encoder_state_t *state, const vector2d_t *at,
                                  const vector2d_t *size, struct rp_kvazaar_neighbours *out)
{
    const videoframe_t *frame = state->tile->frame;
    merge_candidates_t found = {{0, 0}, {0, 0, 0}, 0, 0};
    get_spatial_merge_candidates_cua(frame->cu_array, at->x, at->y, size->x, size->y, frame->width,
                                     frame->height, &found);
    neighbours_copy(&found, out);
}
