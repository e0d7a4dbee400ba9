/* SPDX-License-Identifier: MIT */
/* Prediction of motion vectors in any reference lists (8.5.3.2.2 to 8.5.3.2.9), in the place of
 * kvazaar's.
 */
#include "codecs/kvazaar/core.h"

#include "inter.h"

#include <stdlib.h>
#include <string.h>

struct block {
    const encoder_state_t *state;
    vector2d_t at; /* in the slice */
    vector2d_t size;
};

/* Where a motion vector leads: a picture, by its index in frame->ref. */
static uint8_t
picture_of(const encoder_state_t *state, uint32_t list, uint32_t index)
{
    return state->frame->ref_LX[list][index];
}

static int32_t
clip3(int32_t low, int32_t high, int32_t x)
{
    return x < low ? low : x > high ? high : x;
}

/* (8-177) to (8-183) */
static void
scale(int32_t to_diff, int32_t from_diff, int16_t mv[2])
{
    if (to_diff == from_diff || from_diff == 0)
        return;
    const int32_t tb = clip3(-128, 127, to_diff), td = clip3(-128, 127, from_diff);
    const int32_t tx = (16384 + (abs(td) >> 1)) / td;
    const int32_t factor = clip3(-4096, 4095, (tb * tx + 32) >> 6);
    for (uint32_t i = 0; i < 2; i++) {
        const int32_t product = factor * mv[i];
        const int32_t size = (abs(product) + 127) >> 8;
        mv[i] = (int16_t)clip3(-32768, 32767, product < 0 ? -size : size);
    }
}

/* 8.5.3.2.9, of the block of the collocated picture at (x, y). */
static bool
collocated_mv(const encoder_state_t *state, int32_t x, int32_t y, uint32_t list, uint8_t picture,
              int16_t mv[2])
{
    const struct rp_kvazaar_motion *motion = rp_kvazaar_motion_of(state);
    const image_list_t *pictures = state->frame->ref;
    const uint8_t col = motion->collocated;
    const cu_info_t *cu =
        kvz_cu_array_at_const(pictures->cu_arrays[col], (uint32_t)(x & ~15), (uint32_t)(y & ~15));
    if (cu->type != CU_INTER)
        return false;
    uint32_t from;
    if (!(cu->inter.mv_dir & 1))
        from = 1;
    else if (!(cu->inter.mv_dir & 2))
        from = 0;
    else
        from = motion->has_no_backward ? list : motion->collocated_from_l0;

    const uint32_t index = cu->inter.mv_ref[from];
    if (motion->ref_is_long_term[col][from][index] != motion->is_long_term[picture])
        return false;
    memcpy(mv, cu->inter.mv[from], sizeof(cu->inter.mv[from]));
    if (!motion->is_long_term[picture]) {
        const int32_t ref_poc =
            pictures->images[col]->ref_pocs[pictures->ref_LXs[col][from][index]];
        scale(state->frame->poc - pictures->pocs[picture], pictures->pocs[col] - ref_poc, mv);
    }
    return true;
}

/* 8.5.3.2.8 */
static bool
temporal_mv(const struct block *block, uint32_t list, uint8_t picture, int16_t mv[2])
{
    const encoder_state_t *state = block->state;
    if (!rp_kvazaar_motion_of(state)->has_temporal)
        return false;
    const int32_t x = block->at.x + state->tile->offset_x;
    const int32_t y = block->at.y + state->tile->offset_y;
    const int32_t right = x + block->size.x, bottom = y + block->size.y;
    if (y >> LOG2_LCU_WIDTH == bottom >> LOG2_LCU_WIDTH &&
        bottom < state->encoder_control->in.height && right < state->encoder_control->in.width &&
        collocated_mv(state, right, bottom, list, picture, mv))
        return true;
    return collocated_mv(state, x + block->size.x / 2, y + block->size.y / 2, list, picture, mv);
}

/* The vector of a neighbour that leads to the picture or, if it may be scaled, to another one of
 * its kind; that of its own list first (8.5.3.2.7). */
static bool
neighbour_mv(const struct block *block, const cu_info_t *neighbour, uint32_t list, uint8_t picture,
             bool may_scale, int16_t mv[2])
{
    const encoder_state_t *state = block->state;
    const bool *is_long_term = rp_kvazaar_motion_of(state)->is_long_term;
    if (!neighbour)
        return false;
    for (uint32_t k = 0; k < 2; k++) {
        const uint32_t from = k ? !list : list;
        if (!(neighbour->inter.mv_dir >> from & 1))
            continue;
        const uint8_t other = picture_of(state, from, neighbour->inter.mv_ref[from]);
        if (may_scale ? is_long_term[other] != is_long_term[picture] : other != picture)
            continue;
        memcpy(mv, neighbour->inter.mv[from], sizeof(neighbour->inter.mv[from]));
        if (may_scale && !is_long_term[other] && other != picture)
            scale(state->frame->poc - state->frame->ref->pocs[picture],
                  state->frame->poc - state->frame->ref->pocs[other], mv);
        return true;
    }
    return false;
}

static bool
first_mv(const struct block *block, const cu_info_t *const *neighbours, uint32_t count,
         uint32_t list, uint8_t picture, bool may_scale, int16_t mv[2])
{
    for (uint32_t i = 0; i < count; i++) {
        if (neighbour_mv(block, neighbours[i], list, picture, may_scale, mv))
            return true;
    }
    return false;
}

/* 8.5.3.2.6, 8.5.3.2.7 */
static void
predict(const struct block *block, const struct rp_kvazaar_neighbours *near, uint32_t list,
        uint32_t index, int16_t out[2][2])
{
    const uint8_t picture = picture_of(block->state, list, index);
    const bool is_scaled = near->a[0] || near->a[1];
    int16_t a[2] = {0}, b[2] = {0};
    bool has_a = first_mv(block, near->a, 2, list, picture, false, a) ||
                 first_mv(block, near->a, 2, list, picture, true, a);
    bool has_b = first_mv(block, near->b, 3, list, picture, false, b);
    if (!is_scaled && has_b) {
        memcpy(a, b, sizeof(a));
        has_a = true;
    }
    if (!is_scaled)
        has_b = first_mv(block, near->b, 3, list, picture, true, b);

    uint32_t count = 0;
    if (has_a)
        memcpy(out[count++], a, sizeof(a));
    if (has_b && !(has_a && memcmp(a, b, sizeof(a)) == 0))
        memcpy(out[count++], b, sizeof(b));
    if (count < 2 && temporal_mv(block, list, picture, out[count]))
        count++;
    for (; count < 2; count++)
        out[count][0] = out[count][1] = 0;
}

void
kvz_inter_get_mv_cand(const encoder_state_t *const state, int32_t x, int32_t y, int32_t width,
                      int32_t height, int16_t mv_cand[2][2], const cu_info_t *const cur_cu,
                      lcu_t *lcu, int8_t reflist)
{
    const struct block block = {state, {x, y}, {width, height}};
    struct rp_kvazaar_neighbours near;
    rp_kvazaar_neighbours_get(state, &block.at, &block.size, lcu, &near);
    predict(&block, &near, (uint32_t)reflist, cur_cu->inter.mv_ref[reflist], mv_cand);
}

void
kvz_inter_get_mv_cand_cua(const encoder_state_t *const state, int32_t x, int32_t y, int32_t width,
                          int32_t height, int16_t mv_cand[2][2], const cu_info_t *cur_cu,
                          int8_t reflist)
{
    const struct block block = {state, {x, y}, {width, height}};
    struct rp_kvazaar_neighbours near;
    rp_kvazaar_neighbours_get_written(state, &block.at, &block.size, &near);
    predict(&block, &near, (uint32_t)reflist, cur_cu->inter.mv_ref[reflist], mv_cand);
}

/* MergeCandList while it is made. */
struct merge_list {
    inter_merge_cand_t *at;
    uint32_t count;
    uint32_t limit; /* MaxNumMergeCand */
};

static bool
motion_is_equal(const cu_info_t *a, const cu_info_t *b)
{
    if (!a || !b || a->inter.mv_dir != b->inter.mv_dir)
        return false;
    for (uint32_t list = 0; list < 2; list++) {
        if (a->inter.mv_dir >> list & 1 &&
            (a->inter.mv_ref[list] != b->inter.mv_ref[list] ||
             memcmp(a->inter.mv[list], b->inter.mv[list], sizeof(a->inter.mv[list])) != 0))
            return false;
    }
    return true;
}

/* Unless its motion is that of one of the others, each of which may be NULL. */
static void
add_neighbour(struct merge_list *list, const cu_info_t *cu, const cu_info_t *other,
              const cu_info_t *another)
{
    if (!cu || list->count == list->limit || motion_is_equal(cu, other) ||
        motion_is_equal(cu, another))
        return;
    inter_merge_cand_t *out = &list->at[list->count++];
    out->dir = cu->inter.mv_dir;
    memcpy(out->ref, cu->inter.mv_ref, sizeof(out->ref));
    memcpy(out->mv, cu->inter.mv, sizeof(out->mv));
}

static void
add_temporal(struct merge_list *list, const struct block *block, uint32_t list_count)
{
    if (list->count == list->limit)
        return;
    inter_merge_cand_t *out = &list->at[list->count];
    *out = (inter_merge_cand_t){0};
    for (uint32_t l = 0; l < list_count; l++) {
        if (temporal_mv(block, l, picture_of(block->state, l, 0), out->mv[l]))
            out->dir |= (uint8_t)(1u << l);
    }
    list->count += out->dir != 0;
}

/* 8.5.3.2.4 */
static void
add_combined(struct merge_list *list, const encoder_state_t *state)
{
    static const uint8_t l0[12] = {0, 1, 0, 2, 1, 2, 0, 3, 1, 3, 2, 3};
    static const uint8_t l1[12] = {1, 0, 2, 0, 2, 1, 3, 0, 3, 1, 3, 2};
    const uint32_t original_count = list->count;
    for (uint32_t i = 0; i < original_count * (original_count - 1) && list->count < list->limit;
         i++) {
        const inter_merge_cand_t *a = &list->at[l0[i]], *b = &list->at[l1[i]];
        if (!(a->dir & 1) || !(b->dir & 2) ||
            (picture_of(state, 0, a->ref[0]) == picture_of(state, 1, b->ref[1]) &&
             memcmp(a->mv[0], b->mv[1], sizeof(a->mv[0])) == 0))
            continue;
        inter_merge_cand_t *out = &list->at[list->count++];
        out->dir = 3;
        out->ref[0] = a->ref[0];
        out->ref[1] = b->ref[1];
        memcpy(out->mv[0], a->mv[0], sizeof(out->mv[0]));
        memcpy(out->mv[1], b->mv[1], sizeof(out->mv[1]));
    }
}

/* 8.5.3.2.5 */
static void
add_zeros(struct merge_list *list, const encoder_state_t *state, bool is_b)
{
    uint32_t ref_count = state->frame->ref_LX_size[0];
    if (is_b && state->frame->ref_LX_size[1] < ref_count)
        ref_count = state->frame->ref_LX_size[1];
    for (uint32_t i = 0; list->count < list->limit; i++) {
        const uint8_t ref = (uint8_t)(i < ref_count ? i : 0);
        list->at[list->count++] = (inter_merge_cand_t){.dir = is_b ? 3 : 1, .ref = {ref, ref}};
    }
}

uint8_t
kvz_inter_get_merge_cand(const encoder_state_t *const state, int32_t x, int32_t y, int32_t width,
                         int32_t height, bool use_a1, bool use_b1,
                         inter_merge_cand_t mv_cand[MRG_MAX_NUM_CANDS], lcu_t *lcu)
{
    const bool is_b = state->frame->slicetype == KVZ_SLICE_B;
    const struct block block = {state, {x, y}, {width, height}};
    struct merge_list list = {.at = mv_cand, .limit = state->encoder_control->cfg.max_merge};
    struct rp_kvazaar_neighbours near;
    rp_kvazaar_neighbours_get(state, &block.at, &block.size, lcu, &near);
    const cu_info_t *a1 = use_a1 ? near.a[1] : NULL, *b1 = use_b1 ? near.b[1] : NULL;

    add_neighbour(&list, a1, NULL, NULL);
    add_neighbour(&list, b1, a1, NULL);
    add_neighbour(&list, near.b[0], b1, NULL);
    add_neighbour(&list, near.a[0], a1, NULL);
    if (list.count < 4)
        add_neighbour(&list, near.b[2], a1, b1);
    add_temporal(&list, &block, is_b ? 2 : 1);
    if (is_b && list.count > 1)
        add_combined(&list, state);
    add_zeros(&list, state, is_b);
    return (uint8_t)list.count;
}
