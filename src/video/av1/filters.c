/* SPDX-License-Identifier: MIT */
/* Loop filter, CDEF and loop restoration of a frame.
 */
#include "video/av1/filters.h"

const struct rp_av1_loop_filter_deltas rp_av1_default_loop_filter_deltas = {
    .ref = {1, 0, 0, 0, -1, 0, -1, -1},
};

static void
code_delta(struct rp_av1_syntax *syntax, bool *is_updated, int32_t previous, int32_t *delta)
{
    rp_av1_code_flag(syntax, is_updated);
    if (*is_updated)
        rp_av1_code_su(syntax, 7, delta);
    else
        *delta = previous;
}

static void
code_deltas(struct rp_av1_syntax *syntax, const struct rp_av1_loop_filter_deltas *previous,
            struct rp_av1_loop_filter *filter)
{
    rp_av1_code_flag(syntax, &filter->delta_enabled);
    if (filter->delta_enabled)
        rp_av1_code_flag(syntax, &filter->delta_update);
    else
        filter->delta_update = false;
    if (!filter->delta_update) {
        filter->deltas = *previous;
        return;
    }
    for (uint32_t i = 0; i < 8; i++)
        code_delta(syntax, &filter->update_ref_delta[i], previous->ref[i], &filter->deltas.ref[i]);
    for (uint32_t i = 0; i < 2; i++)
        code_delta(syntax, &filter->update_mode_delta[i], previous->mode[i],
                   &filter->deltas.mode[i]);
}

void
rp_av1_code_loop_filter(struct rp_av1_syntax *syntax, bool is_off, bool mono_chrome,
                        const struct rp_av1_loop_filter_deltas *previous,
                        struct rp_av1_loop_filter *filter)
{
    if (is_off) {
        *filter = (struct rp_av1_loop_filter){.deltas = rp_av1_default_loop_filter_deltas};
        return;
    }
    rp_av1_code_f(syntax, 6, &filter->level[0]);
    rp_av1_code_f(syntax, 6, &filter->level[1]);
    if (!mono_chrome && (filter->level[0] || filter->level[1])) {
        rp_av1_code_f(syntax, 6, &filter->level[2]);
        rp_av1_code_f(syntax, 6, &filter->level[3]);
    }
    rp_av1_code_f(syntax, 3, &filter->sharpness);
    code_deltas(syntax, previous, filter);
}

void
rp_av1_code_cdef(struct rp_av1_syntax *syntax, bool is_off, bool mono_chrome,
                 struct rp_av1_cdef *cdef)
{
    if (is_off) {
        *cdef = (struct rp_av1_cdef){0};
        return;
    }
    rp_av1_code_f(syntax, 2, &cdef->damping_minus_3);
    rp_av1_code_f(syntax, 2, &cdef->bits);
    for (uint32_t i = 0; i < 1u << (cdef->bits & 3); i++) {
        rp_av1_code_f(syntax, 4, &cdef->y_pri_strength[i]);
        rp_av1_code_f(syntax, 2, &cdef->y_sec_strength[i]);
        if (mono_chrome)
            continue;
        rp_av1_code_f(syntax, 4, &cdef->uv_pri_strength[i]);
        rp_av1_code_f(syntax, 2, &cdef->uv_sec_strength[i]);
    }
}

static void
code_unit_shift(struct rp_av1_syntax *syntax, bool use_128x128_superblock, uint32_t *unit_shift)
{
    if (use_128x128_superblock) {
        uint32_t lr_unit_shift = *unit_shift - 1;
        rp_av1_code_f(syntax, 1, &lr_unit_shift);
        *unit_shift = lr_unit_shift + 1;
        return;
    }
    bool lr_unit_shift = *unit_shift > 0;
    uint32_t lr_unit_extra_shift = *unit_shift > 0 ? *unit_shift - 1 : 0;
    rp_av1_code_flag(syntax, &lr_unit_shift);
    if (lr_unit_shift)
        rp_av1_code_f(syntax, 1, &lr_unit_extra_shift);
    *unit_shift = lr_unit_shift ? 1 + lr_unit_extra_shift : 0;
}

void
rp_av1_code_loop_restoration(struct rp_av1_syntax *syntax, bool is_off,
                             const struct rp_av1_sequence *seq,
                             struct rp_av1_loop_restoration *restoration)
{
    if (is_off) {
        *restoration = (struct rp_av1_loop_restoration){0};
        return;
    }
    const uint32_t plane_count = seq->color.mono_chrome ? 1 : RP_AV1_MAX_PLANES;
    bool uses_lr = false;
    bool uses_chroma_lr = false;
    for (uint32_t i = 0; i < plane_count; i++) {
        rp_av1_code_f(syntax, 2, &restoration->type[i]);
        uses_lr |= restoration->type[i] != 0;
        uses_chroma_lr |= i > 0 && restoration->type[i] != 0;
    }
    if (!uses_lr) {
        restoration->unit_shift = restoration->uv_shift = 0;
        return;
    }
    code_unit_shift(syntax, seq->use_128x128_superblock, &restoration->unit_shift);
    if (seq->color.subsampling_x && seq->color.subsampling_y && uses_chroma_lr)
        rp_av1_code_f(syntax, 1, &restoration->uv_shift);
    else
        restoration->uv_shift = 0;
}
