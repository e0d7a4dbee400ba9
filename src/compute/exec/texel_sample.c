/* SPDX-License-Identifier: MIT */
/* Textures of one level without a border, sampled a vector at a time; texel_unit.c
 * has all others. Compiled once for each instruction set.
 */
#include "compute/exec/texel_axis.h"
#include "compute/exec/texel_load.h"
#include "compute/exec/texel_square.h"

/* The form of what is sampled. */
static inline enum texel_form
sampled_form_of(VkFormat format, bool is_compared)
{
    if (is_compared)
        return format == VK_FORMAT_D32_SFLOAT ? TEXEL_DEPTH : TEXEL_NONE;
    if (RP_VW >= 8 && rp_texel_kind(format).nature == BYTE_SRGB)
        return TEXEL_SRGB;
    return format == VK_FORMAT_D32_SFLOAT ? TEXEL_R32F : texel_form_of(format);
}

/* Component c of four texels, weighted. */
RP_ALWAYS_INLINE vf
mix(enum texel_form form, const struct square *q, uint32_t c)
{
    const bool is_finite = form != TEXEL_R32F;
    const vf first = pair_component(form, &q->pair[0], 0, c);
    vf sum = q->weight[0] * first;
    if (!is_finite)
        sum = add_part(false, (vf){0}, q->weight[0], first);
    if (q->has_right)
        sum = add_part(is_finite, sum, q->weight[1], pair_component(form, &q->pair[0], 1, c));
    if (q->has_low)
        sum = add_part(is_finite, sum, q->weight[2], pair_component(form, &q->pair[1], 0, c));
    if (q->has_low && q->has_right)
        sum = add_part(is_finite, sum, q->weight[3], pair_component(form, &q->pair[1], 1, c));
    return sum * pair_unit(form, c);
}

/* The comparisons of four texels, weighted. (The operator is known: nothing branches by it.) */
RP_ALWAYS_INLINE vf
mix_passes_by(VkCompareOp compare_op, vf dref, const struct square *q)
{
    vf sum = {0};
#pragma GCC unroll 4
    for (uint32_t tap = 0; tap < 4; tap++) {
        if ((tap & 1 && !q->has_right) || (tap > 1 && !q->has_low))
            continue;
        const vf depth = pair_component(TEXEL_DEPTH, &q->pair[tap >> 1], tap & 1, 0);
        sum += VF(VI(q->weight[tap]) & passes_of(compare_op, dref, depth));
    }
    return sum;
}

RP_ALWAYS_INLINE vf
mix_passes(VkCompareOp compare_op, vf dref, const struct square *q)
{
    switch ((int)compare_op) {
#define MIX(op) \
    case VK_COMPARE_OP_##op: \
        return mix_passes_by(VK_COMPARE_OP_##op, dref, q);
        MIX(LESS)
        MIX(LESS_OR_EQUAL)
        MIX(GREATER)
        MIX(GREATER_OR_EQUAL)
#undef MIX
    default:
        return mix_passes_by(compare_op, dref, q);
    }
}

RP_ALWAYS_INLINE void
sample_linear_as(enum texel_form form, const struct sampling *sampling, uint32_t s,
                 uint32_t *const out[4])
{
    struct square q;
    square_of(form, sampling, s, &q);
    const uint32_t count = texel_components(form);
    if (form == TEXEL_DEPTH)
        ((vf *)out[0])[s] =
            mix_passes(sampling->compare_op, ((const vf *)sampling->call->dref)[s], &q);
    else if (out[0])
        ((vf *)out[0])[s] = mix(form, &q, 0);
    if (count > 1 && out[1])
        ((vf *)out[1])[s] = mix(form, &q, 1);
    if (count > 2 && out[2])
        ((vf *)out[2])[s] = mix(form, &q, 2);
    if (count > 3 && out[3])
        ((vf *)out[3])[s] = mix(form, &q, 3);
}

RP_ALWAYS_INLINE void
sample_nearest_as(enum texel_form form, const struct sampling *sampling, uint32_t s,
                  uint32_t *const out[4])
{
    const struct rp_texture_level *level = sampling->level;
    texel_put(form,
              load_texels(level, texel_size(form), nearest_offsets(sampling, s, texel_size(form))),
              s, out);
}

static void
sample_as(enum texel_form form, VkFilter filter, const struct sampling *sampling,
          uint32_t *const out[4])
{
    const uint32_t count = sampling->call->block_count * RP_NS;
    switch (form) {
#define SAMPLE(f) \
    case f: \
        for (uint32_t s = 0; filter == VK_FILTER_LINEAR && s < count; s++) \
            sample_linear_as(f, sampling, s, out); \
        for (uint32_t s = 0; filter != VK_FILTER_LINEAR && s < count; s++) \
            sample_nearest_as(f, sampling, s, out); \
        break;
        SAMPLE(TEXEL_R8)
        SAMPLE(TEXEL_RG8)
        SAMPLE(TEXEL_RGBA8)
        SAMPLE(TEXEL_R16)
        SAMPLE(TEXEL_RG16)
#if RP_VW >= 8
        SAMPLE(TEXEL_R32F)
#define SAMPLE_LINEAR(f) \
    case f: \
        for (uint32_t s = 0; s < count; s++) \
            sample_linear_as(f, sampling, s, out); \
        break;
        SAMPLE_LINEAR(TEXEL_SRGB)
        SAMPLE_LINEAR(TEXEL_DEPTH)
#endif
    default:
        break;
    }
}

static bool
has_form(enum texel_form form, VkFilter filter)
{
    if (form == TEXEL_NONE || form == TEXEL_R32I || texel_is_uint(form))
        return false;
    if (form == TEXEL_R32F)
        return RP_VW >= 8;
    if (form == TEXEL_DEPTH && RP_VW < 8)
        return false;
    return form <= TEXEL_RG16 || filter == VK_FILTER_LINEAR;
}

#if RP_VW >= 8
/* Linear samples of texels of four halves or floats. */
RP_ALWAYS_INLINE void
sample_whole_as(enum nature nature, const struct sampling *sampling, uint32_t *const out[4])
{
    const struct rp_texel_call *call = sampling->call;
    const struct rp_texture_level *level = sampling->level;
    const int32_t texel_B = nature == HALF ? 8 : 16;
    struct linear_axis x, y = sampling->y;
    for (uint32_t s = 0; s < call->block_count * RP_NS; s++) {
        linear_axis_to(sampling, 0, s, &x);
        if (!sampling->has_one_row)
            linear_axis_to(sampling, 1, s, &y);
        vf sum[4];
        sum[0] = sum[1] = sum[2] = sum[3] = (vf){0};
        vi value[4];
        for (uint32_t row = 0; row < 1u + y.has_second; row++) {
            const vi base = y.at[row] * (int32_t)level->row_B;
            const vf weight[2] = {x.weight[0] * y.weight[row], x.weight[1] * y.weight[row]};
            add_whole_pair(nature, level->data, base + x.at[0] * texel_B, base + x.at[1] * texel_B,
                           weight, x.has_second, sum);
        }
        turn(sum, value);
        for (uint32_t c = 0; c < 4; c++)
            if (out[c])
                ((vi *)out[c])[s] = value[c];
    }
}
#endif

/* false: the format's texels are of another sort. */
static bool
sample_whole(const struct sampling *sampling, uint32_t *const out[4])
{
#if RP_VW >= 8
    const struct kind kind = rp_texel_kind(sampling->call->view->format);
    if (kind.count == 4 && kind.nature == HALF)
        sample_whole_as(HALF, sampling, out);
    else if (kind.count == 4 && kind.nature == WORD_FLOAT)
        sample_whole_as(WORD_FLOAT, sampling, out);
    else
        return false;
    return true;
#else
    (void)sampling, (void)out;
    return false;
#endif
}

static bool
has_border(const struct rp_sampler_state *s)
{
    return s->address_mode[0] == VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER ||
           s->address_mode[1] == VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER;
}

/* No level of detail to find, no border, one filter whatever the level. */
static bool
sampler_is_plain(const struct rp_sampler_state *s)
{
    return !s->ycbcr && s->mag_filter == s->min_filter &&
           s->reduction == VK_SAMPLER_REDUCTION_MODE_WEIGHTED_AVERAGE && !has_border(s);
}

/* What the sampler says of each axis. */
static void
set_axes(struct sampling *sampling, const struct rp_sampler_state *sampler)
{
    const struct rp_texture_level *level = sampling->level;
    const uint32_t size_px[2] = {level->width_px, level->height_px};
    for (uint32_t i = 0; i < 2; i++) {
        sampling->scale[i] = sampler->is_unnormalized ? 1.0f : (float)size_px[i];
        sampling->mode[i] = sampler->address_mode[i];
    }
}

bool
RP_FN(sample)(const struct rp_texel_call *call, const struct rp_sampler_state *sampler,
              uint32_t *const out[4])
{
    const struct rp_texture *view = call->view;
    const enum texel_form form = sampled_form_of(view->format, call->dref != NULL);
    const struct rp_texture_level *level = rp_texel_level(view);
    if (!level || view->level_count != 1 || !sampler_is_plain(sampler) ||
        (sampler->has_compare && !call->dref) || (call->dref && !out[0]) ||
        !rp_swizzle_is_identity(&view->swizzle))
        return false;

    const struct rp_texel_coord *y = &call->coord[1];
    struct sampling sampling = {
        .call = call,
        .level = level,
        .compare_op = sampler->compare_op,
        .has_one_row =
            !y->lanes && !call->offset[1] && (y->stride[0] | y->stride[1] | y->stride[2]) == 0,
    };
    set_axes(&sampling, sampler);
    if (sampling.has_one_row)
        linear_axis_to(&sampling, 1, 0, &sampling.y);
    if (!has_form(form, sampler->mag_filter))
        return !call->dref && sampler->mag_filter == VK_FILTER_LINEAR &&
               sample_whole(&sampling, out);
    if (form == TEXEL_BGRA8) /* components 0 and 2 are each other's */
        sample_as(TEXEL_RGBA8, sampler->mag_filter, &sampling,
                  (uint32_t *const[4]){out[2], out[1], out[0], out[3]});
    else
        sample_as(form, sampler->mag_filter, &sampling, out);
    for (uint32_t c = texel_components(form); c < 4 && !call->dref; c++)
        for (uint32_t s = 0; out[c] && s < call->block_count * RP_NS; s++)
            ((vi *)out[c])[s] = texel_missing(form, c);
    return true;
}

#if RP_VW >= 8
/* What a gather makes of a word, in which the component has so many bits from `shift` on. */
RP_ALWAYS_INLINE vi
gathered(const struct sampling *sampling, uint32_t s, uint32_t bits, vu word, uint32_t shift)
{
    const vf *dref = (const vf *)sampling->call->dref;
    if (dref)
        return compared(sampling->compare_op, dref[s], VF(word));
    if (bits == 0)
        return VI(word);
    const vu field = word >> shift;
    return bits == 8 ? VI(byte_number(field, 0) * BYTE_UNIT) : VI(unorm_of(field & 0xffff, 16, 0));
}

static void
gather_square(const struct sampling *sampling, uint32_t s, enum texel_form form,
              uint32_t *const out[4])
{
    const uint32_t texel_B = texel_size(form), bits = texel_bits(form);
    const uint32_t left = sampling->call->dref ? 0 : texel_shift(form, sampling->call->component);
    const uint32_t right = texel_B == 4 ? left : left + 16;
    struct square q;
    if (texel_B == 4)
        square_4(sampling, s, &q);
    else if (texel_B == 2)
        square_2(sampling, s, &q);
    else
        square_1(sampling, s, &q);
    if (texel_B < 4) {
        q.pair[0].right = q.pair[0].left;
        q.pair[1].right = q.pair[1].left;
    }
    const vu word[4] = {q.pair[1].left, q.pair[1].right, q.pair[0].right, q.pair[0].left};
    for (uint32_t i = 0; i < 4; i++)
        if (out[i])
            ((vi *)out[i])[s] =
                gathered(sampling, s, bits, word[i], i == 1 || i == 2 ? right : left);
}
#endif

bool
RP_FN(gather)(const struct rp_texel_call *call, const struct rp_sampler_state *sampler,
              uint32_t *const out[4])
{
#if RP_VW >= 8
    const struct rp_texture *view = call->view;
    const enum texel_form form = sampled_form_of(view->format, call->dref != NULL);
    const struct rp_texture_level *level = rp_texel_level(view);
    if (!level || view->level_count != 1 || !has_form(form, VK_FILTER_LINEAR) ||
        form == TEXEL_SRGB || sampler->ycbcr || has_border(sampler) ||
        !rp_swizzle_is_identity(&view->swizzle) ||
        (!call->dref && call->component >= texel_components(form)))
        return false;
    struct sampling sampling = {
        .call = call, .level = level, .compare_op = sampler->compare_op, .is_gather = true};
    set_axes(&sampling, sampler);
    for (uint32_t s = 0; s < call->block_count * RP_NS; s++)
        gather_square(&sampling, s, form, out);
    return true;
#else
    (void)call, (void)sampler, (void)out;
    return false;
#endif
}
