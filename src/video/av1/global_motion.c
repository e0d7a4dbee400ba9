/* SPDX-License-Identifier: MIT */
/* Global motion parameters, coded as differences to those of the primary reference frame.
 */
#include "video/av1/global_motion.h"

#define GM_ABS_ALPHA_BITS 12u
#define GM_ALPHA_PREC_BITS 15u
#define GM_ABS_TRANS_ONLY_BITS 9u
#define GM_TRANS_ONLY_PREC_BITS 3u
#define GM_ABS_TRANS_BITS 12u
#define GM_TRANS_PREC_BITS 6u
#define WARPEDMODEL_PREC_BITS 16u

/* The precision of one parameter: how far it reaches, and how fine it is. */
struct precision {
    uint32_t abs_bits;
    uint32_t prec_bits;
};

void
rp_av1_motion_params_init(struct rp_av1_motion_params *params)
{
    for (uint32_t i = 0; i < 8; i++) {
        for (uint32_t j = 0; j < 6; j++)
            params->gm_params[i][j] = j % 3 == 2 ? RP_AV1_WARPED_MODEL_ONE : 0;
    }
}

/* decode_subexp() (5.9.27): a value below count. */
static void
code_subexp(struct rp_av1_syntax *syntax, uint32_t count, uint32_t *value)
{
    uint32_t base = 0;
    for (uint32_t i = 0;; i++) {
        const uint32_t bits = i ? 3 + i - 1 : 3;
        const uint32_t step = 1u << bits;
        uint32_t rest = *value - base;
        if (count <= base + 3 * step) {
            rp_av1_code_ns(syntax, count - base, &rest); /* subexp_final_bits */
            *value = base + rest;
            return;
        }
        bool subexp_more_bits = syntax->is_writing && *value >= base + step;
        rp_av1_code_flag(syntax, &subexp_more_bits);
        if (!subexp_more_bits) {
            rp_av1_code_f(syntax, bits, &rest); /* subexp_bits */
            *value = base + rest;
            return;
        }
        base += step;
    }
}

/* inverse_recenter() (5.9.28) and the inverse of that. */
static uint32_t
recentered_value(uint32_t center, uint32_t code)
{
    if (code > 2 * center)
        return code;
    return code & 1 ? center - ((code + 1) >> 1) : center + (code >> 1);
}

static uint32_t
recentered_code(uint32_t center, uint32_t value)
{
    if (value > 2 * center)
        return value;
    return value >= center ? 2 * (value - center) : 2 * (center - value) - 1;
}

/* decode_unsigned_subexp_with_ref() (5.9.26): a value below count, near center. */
static void
code_near(struct rp_av1_syntax *syntax, uint32_t count, uint32_t center, uint32_t *value)
{
    const bool is_mirrored = 2 * center > count;
    const uint32_t r = is_mirrored ? count - 1 - center : center;
    uint32_t code = 0;
    if (syntax->is_writing)
        code = recentered_code(r, is_mirrored ? count - 1 - *value : *value);
    code_subexp(syntax, count, &code);
    const uint32_t x = recentered_value(r, code);
    *value = is_mirrored ? count - 1 - x : x;
}

static struct precision
precision_of(enum rp_av1_motion_type type, uint32_t i, bool allow_high_precision_mv)
{
    const uint32_t low = !allow_high_precision_mv;
    if (i >= 2)
        return (struct precision){GM_ABS_ALPHA_BITS, GM_ALPHA_PREC_BITS};
    if (type == RP_AV1_TRANSLATION)
        return (struct precision){GM_ABS_TRANS_ONLY_BITS - low, GM_TRANS_ONLY_PREC_BITS - low};
    return (struct precision){GM_ABS_TRANS_BITS, GM_TRANS_PREC_BITS};
}

/* read_global_param() (5.9.25) */
static void
code_param(struct rp_av1_syntax *syntax, struct precision precision, uint32_t i, int32_t previous,
           int32_t *value)
{
    const int32_t unit = (int32_t)(1u << (WARPEDMODEL_PREC_BITS - precision.prec_bits));
    const int32_t zero = i % 3 == 2 ? RP_AV1_WARPED_MODEL_ONE : 0;
    const int32_t max = (int32_t)(1u << precision.abs_bits);
    /* The previous one may be finer, or out of reach: that of another type. */
    const int32_t center = (int32_t)((uint32_t)(previous + (1 << 30)) / (uint32_t)unit) -
                           (1 << 30) / unit - zero / unit;
    int32_t units = 0;
    rp_av1_require(syntax, center >= -max && center <= max);
    if (syntax->is_writing) {
        const int64_t difference = (int64_t)*value - zero;
        rp_av1_require(syntax, difference % unit == 0 && difference / unit >= -max &&
                                   difference / unit <= max);
        units = (int32_t)(difference / unit);
    }
    if (!rp_av1_syntax_is_ok(syntax)) {
        *value = zero;
        return;
    }
    uint32_t code = (uint32_t)(units + max);
    code_near(syntax, (uint32_t)(2 * max + 1), (uint32_t)(center + max), &code);
    *value = ((int32_t)code - max) * unit + zero;
}

static void
code_type(struct rp_av1_syntax *syntax, enum rp_av1_motion_type *type)
{
    bool is_global = *type != RP_AV1_IDENTITY;
    bool is_rot_zoom = *type == RP_AV1_ROTZOOM;
    bool is_translation = *type == RP_AV1_TRANSLATION;
    rp_av1_code_flag(syntax, &is_global);
    if (is_global)
        rp_av1_code_flag(syntax, &is_rot_zoom);
    if (is_global && !is_rot_zoom)
        rp_av1_code_flag(syntax, &is_translation);
    *type = !is_global       ? RP_AV1_IDENTITY
            : is_rot_zoom    ? RP_AV1_ROTZOOM
            : is_translation ? RP_AV1_TRANSLATION
                             : RP_AV1_AFFINE;
}

static void
code_reference(struct rp_av1_syntax *syntax, bool allow_high_precision_mv, const int32_t *previous,
               enum rp_av1_motion_type *type, int32_t *params)
{
    static const uint32_t order[] = {2, 3, 4, 5, 0, 1};
    code_type(syntax, type);
    for (uint32_t k = 0; k < 6; k++) {
        const uint32_t i = order[k];
        const enum rp_av1_motion_type least = i < 2   ? RP_AV1_TRANSLATION
                                              : i < 4 ? RP_AV1_ROTZOOM
                                                      : RP_AV1_AFFINE;
        if (*type >= least)
            code_param(syntax, precision_of(*type, i, allow_high_precision_mv), i, previous[i],
                       &params[i]);
        else
            params[i] = i % 3 == 2 ? RP_AV1_WARPED_MODEL_ONE : 0;
    }
    if (*type == RP_AV1_ROTZOOM) {
        params[4] = -params[3];
        params[5] = params[2];
    }
}

void
rp_av1_code_global_motion(struct rp_av1_syntax *syntax, bool is_intra, bool allow_high_precision_mv,
                          const struct rp_av1_motion_params *previous,
                          struct rp_av1_global_motion *motion)
{
    if (is_intra) {
        *motion = (struct rp_av1_global_motion){0};
        rp_av1_motion_params_init(&motion->params);
        return;
    }
    motion->type[0] = RP_AV1_IDENTITY;
    for (uint32_t j = 0; j < 6; j++)
        motion->params.gm_params[0][j] = j % 3 == 2 ? RP_AV1_WARPED_MODEL_ONE : 0;
    for (uint32_t i = 1; i < 8; i++)
        code_reference(syntax, allow_high_precision_mv, previous->gm_params[i], &motion->type[i],
                       motion->params.gm_params[i]);
}
