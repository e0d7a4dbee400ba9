/* SPDX-License-Identifier: MIT */
/* film_grain_params() (5.9.30).
 */
#include "video/av1/film_grain.h"

#include "util/compiler.h"

static void
code_points(struct rp_av1_syntax *syntax, uint32_t max, uint32_t *count,
            struct rp_av1_grain_point *points)
{
    rp_av1_code_f(syntax, 4, count);
    rp_av1_require(syntax, *count <= max);
    for (uint32_t i = 0; i < RP_MIN(*count, max); i++) {
        rp_av1_code_f(syntax, 8, &points[i].value);
        rp_av1_code_f(syntax, 8, &points[i].scaling);
        rp_av1_require(syntax, i == 0 || points[i].value > points[i - 1].value);
    }
}

static void
code_scaling(struct rp_av1_syntax *syntax, const struct rp_av1_color *color,
             struct rp_av1_grain_model *model)
{
    const bool is_420 = color->subsampling_x && color->subsampling_y;
    code_points(syntax, RP_AV1_MAX_Y_POINTS, &model->num_y_points, model->point_y);
    if (color->mono_chrome)
        model->chroma_scaling_from_luma = false;
    else
        rp_av1_code_flag(syntax, &model->chroma_scaling_from_luma);
    if (color->mono_chrome || model->chroma_scaling_from_luma ||
        (is_420 && model->num_y_points == 0)) {
        model->num_cb_points = model->num_cr_points = 0;
        return;
    }
    code_points(syntax, RP_AV1_MAX_UV_POINTS, &model->num_cb_points, model->point_cb);
    code_points(syntax, RP_AV1_MAX_UV_POINTS, &model->num_cr_points, model->point_cr);
    rp_av1_require(syntax, !is_420 || (model->num_cb_points == 0) == (model->num_cr_points == 0));
}

static void
code_coefficients(struct rp_av1_syntax *syntax, uint32_t count, uint32_t *coefficients)
{
    for (uint32_t i = 0; i < count; i++)
        rp_av1_code_f(syntax, 8, &coefficients[i]);
}

static void
code_autoregression(struct rp_av1_syntax *syntax, struct rp_av1_grain_model *model)
{
    rp_av1_code_f(syntax, 2, &model->ar_coeff_lag);
    const uint32_t lag = model->ar_coeff_lag & 3;
    const uint32_t num_pos_luma = 2 * lag * (lag + 1);
    const uint32_t num_pos_chroma = num_pos_luma + (model->num_y_points > 0);
    if (model->num_y_points > 0)
        code_coefficients(syntax, num_pos_luma, model->ar_coeffs_y_plus_128);
    if (model->chroma_scaling_from_luma || model->num_cb_points > 0)
        code_coefficients(syntax, num_pos_chroma, model->ar_coeffs_cb_plus_128);
    if (model->chroma_scaling_from_luma || model->num_cr_points > 0)
        code_coefficients(syntax, num_pos_chroma, model->ar_coeffs_cr_plus_128);
    rp_av1_code_f(syntax, 2, &model->ar_coeff_shift_minus_6);
}

static void
code_model(struct rp_av1_syntax *syntax, const struct rp_av1_color *color,
           struct rp_av1_grain_model *model)
{
    code_scaling(syntax, color, model);
    rp_av1_code_f(syntax, 2, &model->grain_scaling_minus_8);
    code_autoregression(syntax, model);
    rp_av1_code_f(syntax, 2, &model->grain_scale_shift);
    if (model->num_cb_points > 0) {
        rp_av1_code_f(syntax, 8, &model->cb_mult);
        rp_av1_code_f(syntax, 8, &model->cb_luma_mult);
        rp_av1_code_f(syntax, 9, &model->cb_offset);
    }
    if (model->num_cr_points > 0) {
        rp_av1_code_f(syntax, 8, &model->cr_mult);
        rp_av1_code_f(syntax, 8, &model->cr_luma_mult);
        rp_av1_code_f(syntax, 9, &model->cr_offset);
    }
    rp_av1_code_flag(syntax, &model->overlap_flag);
    rp_av1_code_flag(syntax, &model->clip_to_restricted_range);
}

void
rp_av1_code_film_grain(struct rp_av1_syntax *syntax, const struct rp_av1_color *color,
                       const struct rp_av1_grain_frame *frame, struct rp_av1_film_grain *grain)
{
    if (frame->has_grain)
        rp_av1_code_flag(syntax, &grain->apply_grain);
    else
        grain->apply_grain = false;
    if (!grain->apply_grain) {
        *grain = (struct rp_av1_film_grain){0};
        return;
    }
    rp_av1_code_f(syntax, 16, &grain->grain_seed);
    if (frame->is_inter)
        rp_av1_code_flag(syntax, &grain->update_grain);
    else
        grain->update_grain = true;
    if (grain->update_grain) {
        grain->film_grain_params_ref_idx = 0;
        code_model(syntax, color, &grain->model);
        return;
    }
    rp_av1_code_f(syntax, 3, &grain->film_grain_params_ref_idx);
    const uint32_t ref = grain->film_grain_params_ref_idx & 7;
    rp_av1_require(syntax, frame->ref_frame_mask >> ref & 1);
    grain->model = *frame->models[ref]; /* load_grain_params() */
}
