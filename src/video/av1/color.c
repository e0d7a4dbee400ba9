/* SPDX-License-Identifier: MIT */
/* color_config() (5.5.2, 6.4.2).
 */
#include "video/av1/sequence.h"

#define CP_BT_709 1u
#define UNSPECIFIED 2u
#define TC_SRGB 13u
#define MC_IDENTITY 0u
#define CSP_RESERVED 3u

static void
code_bit_depth(struct rp_av1_syntax *syntax, uint32_t seq_profile, struct rp_av1_color *color)
{
    bool high_bitdepth = color->bit_depth > 8;
    bool twelve_bit = color->bit_depth > 10;
    rp_av1_code_flag(syntax, &high_bitdepth);
    if (seq_profile == 2 && high_bitdepth)
        rp_av1_code_flag(syntax, &twelve_bit);
    else
        twelve_bit = false;

    const uint32_t bit_depth = twelve_bit ? 12 : high_bitdepth ? 10 : 8;
    if (syntax->is_writing)
        rp_av1_require(syntax, color->bit_depth == bit_depth);
    color->bit_depth = bit_depth;
}

static void
code_description(struct rp_av1_syntax *syntax, struct rp_av1_color *color)
{
    rp_av1_code_flag(syntax, &color->color_description_present_flag);
    if (!color->color_description_present_flag) {
        color->color_primaries = UNSPECIFIED;
        color->transfer_characteristics = UNSPECIFIED;
        color->matrix_coefficients = UNSPECIFIED;
        return;
    }
    rp_av1_code_f(syntax, 8, &color->color_primaries);
    rp_av1_code_f(syntax, 8, &color->transfer_characteristics);
    rp_av1_code_f(syntax, 8, &color->matrix_coefficients);
}

static void
code_subsampling(struct rp_av1_syntax *syntax, uint32_t seq_profile, struct rp_av1_color *color)
{
    if (seq_profile == 2 && color->bit_depth == 12) {
        rp_av1_code_flag(syntax, &color->subsampling_x);
        if (color->subsampling_x)
            rp_av1_code_flag(syntax, &color->subsampling_y);
        else
            color->subsampling_y = false;
        return;
    }
    color->subsampling_x = seq_profile != 1;
    color->subsampling_y = seq_profile == 0;
}

void
rp_av1_code_color(struct rp_av1_syntax *syntax, uint32_t seq_profile, struct rp_av1_color *color)
{
    code_bit_depth(syntax, seq_profile, color);
    if (seq_profile == 1)
        color->mono_chrome = false;
    else
        rp_av1_code_flag(syntax, &color->mono_chrome);
    code_description(syntax, color);

    if (color->mono_chrome) {
        rp_av1_code_flag(syntax, &color->color_range);
        color->subsampling_x = color->subsampling_y = true;
        color->chroma_sample_position = 0;
        color->separate_uv_delta_q = false;
        return;
    }
    if (color->color_primaries == CP_BT_709 && color->transfer_characteristics == TC_SRGB &&
        color->matrix_coefficients == MC_IDENTITY) {
        color->color_range = true;
        color->subsampling_x = color->subsampling_y = false;
        rp_av1_require(syntax, seq_profile == 1 || (seq_profile == 2 && color->bit_depth == 12));
    } else {
        rp_av1_code_flag(syntax, &color->color_range);
        code_subsampling(syntax, seq_profile, color);
    }
    rp_av1_require(syntax, color->matrix_coefficients != MC_IDENTITY ||
                               (!color->subsampling_x && !color->subsampling_y));
    if (color->subsampling_x && color->subsampling_y)
        rp_av1_code_f(syntax, 2, &color->chroma_sample_position);
    else
        color->chroma_sample_position = 0;
    rp_av1_require(syntax, color->chroma_sample_position != CSP_RESERVED);
    rp_av1_code_flag(syntax, &color->separate_uv_delta_q);
}
