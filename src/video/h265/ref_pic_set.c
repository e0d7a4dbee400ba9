/* SPDX-License-Identifier: MIT */
/* Short-term reference picture sets (7.3.7, 7.4.8).
 */
#include "video/h265/parameter_sets.h"

/* Differences of picture order counts, the negative ones first, each half nearest first. */
struct deltas {
    int32_t at[2 * RP_H265_MAX_REFS];
    bool is_used[2 * RP_H265_MAX_REFS];
    uint32_t negative_count;
    uint32_t count;
};

static void
deltas_of(const StdVideoH265ShortTermRefPicSet *set, struct deltas *out)
{
    int32_t delta = 0;
    out->negative_count = set->num_negative_pics;
    out->count = 0;
    for (uint32_t i = 0; i < set->num_negative_pics && i < RP_H265_MAX_REFS; i++) {
        delta -= set->delta_poc_s0_minus1[i] + 1;
        out->is_used[out->count] = set->used_by_curr_pic_s0_flag >> i & 1;
        out->at[out->count++] = delta;
    }
    delta = 0;
    for (uint32_t i = 0; i < set->num_positive_pics && i < RP_H265_MAX_REFS; i++) {
        delta += set->delta_poc_s1_minus1[i] + 1;
        out->is_used[out->count] = set->used_by_curr_pic_s1_flag >> i & 1;
        out->at[out->count++] = delta;
    }
}

/* One half of a set: count deltas of the given sign, nearest first. False when they are not. */
static bool
half_store(const struct deltas *deltas, uint32_t first, uint32_t count, int32_t sign,
           uint16_t minus1[STD_VIDEO_H265_MAX_DPB_SIZE], uint16_t *used_flags)
{
    int32_t last = 0;
    *used_flags = 0;
    for (uint32_t i = 0; i < count; i++) {
        const int32_t delta = deltas->at[first + i] * sign;
        if (delta <= last || delta - last > 0x8000)
            return false;
        minus1[i] = (uint16_t)(delta - last - 1);
        *used_flags |= (uint16_t)(deltas->is_used[first + i] << i);
        last = delta;
    }
    return true;
}

static void
deltas_store(struct rp_h265_syntax *syntax, const struct deltas *deltas,
             StdVideoH265ShortTermRefPicSet *set)
{
    const uint32_t positive_count = deltas->count - deltas->negative_count;
    const bool fits = deltas->count <= RP_H265_MAX_REFS;
    rp_h265_require(syntax, fits);
    set->num_negative_pics = fits ? (uint8_t)deltas->negative_count : 0;
    set->num_positive_pics = fits ? (uint8_t)positive_count : 0;
    rp_h265_require(syntax,
                    fits && half_store(deltas, 0, deltas->negative_count, -1,
                                       set->delta_poc_s0_minus1, &set->used_by_curr_pic_s0_flag));
    rp_h265_require(syntax,
                    fits && half_store(deltas, deltas->negative_count, positive_count, 1,
                                       set->delta_poc_s1_minus1, &set->used_by_curr_pic_s1_flag));
}

/* The set of a prediction while it is derived. */
struct prediction {
    const struct deltas *from;
    const StdVideoH265ShortTermRefPicSet *set;
    int32_t delta_rps;
    struct deltas *out;
};

/* Entry j of the source set, or with j its count the source itself, when its sign is asked for. */
static void
predict_entry(const struct prediction *p, uint32_t j, int32_t sign)
{
    const int32_t delta = (j < p->from->count ? p->from->at[j] : 0) + p->delta_rps;
    if (delta * sign > 0 && p->set->use_delta_flag >> j & 1) {
        p->out->is_used[p->out->count] = p->set->used_by_curr_pic_flag >> j & 1;
        p->out->at[p->out->count++] = delta;
    }
}

/* (7-61), (7-62) */
static void
predict(const struct prediction *p)
{
    const struct deltas *from = p->from;
    for (uint32_t j = from->count; j > from->negative_count; j--)
        predict_entry(p, j - 1, -1);
    predict_entry(p, from->count, -1);
    for (uint32_t j = 0; j < from->negative_count; j++)
        predict_entry(p, j, -1);
    p->out->negative_count = p->out->count;
    for (uint32_t j = from->negative_count; j > 0; j--)
        predict_entry(p, j - 1, 1);
    predict_entry(p, from->count, 1);
    for (uint32_t j = from->negative_count; j < from->count; j++)
        predict_entry(p, j, 1);
}

static void
code_predicted(struct rp_h265_syntax *syntax, StdVideoH265ShortTermRefPicSet *set, uint32_t index,
               uint32_t count, const StdVideoH265ShortTermRefPicSet *sets)
{
    if (index == count)
        set->delta_idx_minus1 = rp_h265_ue(syntax, index - 1, set->delta_idx_minus1);
    const uint32_t delta_idx = index == count ? set->delta_idx_minus1 + 1 : 1;
    set->flags.delta_rps_sign = rp_h265_flag(syntax, set->flags.delta_rps_sign);
    set->abs_delta_rps_minus1 = (uint16_t)rp_h265_ue(syntax, 0x7fff, set->abs_delta_rps_minus1);

    struct deltas from;
    struct deltas out = {.count = 0};
    deltas_of(&sets[index - delta_idx], &from);
    rp_h265_require(syntax, from.count < RP_H265_MAX_REFS);
    for (uint32_t j = 0; j <= from.count && j < RP_H265_MAX_REFS; j++) {
        const bool is_used = rp_h265_flag(syntax, set->used_by_curr_pic_flag >> j & 1);
        const bool has_delta = is_used || rp_h265_flag(syntax, set->use_delta_flag >> j & 1);
        set->used_by_curr_pic_flag =
            (uint16_t)((set->used_by_curr_pic_flag & ~(1u << j)) | (uint32_t)is_used << j);
        set->use_delta_flag =
            (uint16_t)((set->use_delta_flag & ~(1u << j)) | (uint32_t)has_delta << j);
    }
    if (!rp_h265_syntax_is_ok(syntax))
        return;
    const int32_t distance = set->abs_delta_rps_minus1 + 1;
    predict(
        &(struct prediction){&from, set, set->flags.delta_rps_sign ? -distance : distance, &out});
    deltas_store(syntax, &out, set);
}

static void
code_half(struct rp_h265_syntax *syntax, uint32_t count,
          uint16_t minus1[STD_VIDEO_H265_MAX_DPB_SIZE], uint16_t *used_flags)
{
    uint32_t flags = 0;
    for (uint32_t i = 0; i < count; i++) {
        minus1[i] = (uint16_t)rp_h265_ue(syntax, 0x7fff, minus1[i]);
        flags |= (uint32_t)rp_h265_flag(syntax, *used_flags >> i & 1) << i;
    }
    *used_flags = (uint16_t)flags;
}

void
rp_h265_code_short_term_set(struct rp_h265_syntax *syntax, StdVideoH265ShortTermRefPicSet *set,
                            uint32_t index, uint32_t count,
                            const StdVideoH265ShortTermRefPicSet *sets)
{
    set->flags.inter_ref_pic_set_prediction_flag =
        index > 0 && rp_h265_flag(syntax, set->flags.inter_ref_pic_set_prediction_flag);
    if (set->flags.inter_ref_pic_set_prediction_flag) {
        code_predicted(syntax, set, index, count, sets);
        return;
    }
    set->num_negative_pics = (uint8_t)rp_h265_ue(syntax, RP_H265_MAX_REFS, set->num_negative_pics);
    set->num_positive_pics = (uint8_t)rp_h265_ue(syntax, RP_H265_MAX_REFS - set->num_negative_pics,
                                                 set->num_positive_pics);
    code_half(syntax, set->num_negative_pics, set->delta_poc_s0_minus1,
              &set->used_by_curr_pic_s0_flag);
    code_half(syntax, set->num_positive_pics, set->delta_poc_s1_minus1,
              &set->used_by_curr_pic_s1_flag);
}
