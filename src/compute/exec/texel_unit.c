/* SPDX-License-Identifier: MIT */
/* The texture unit, a vector of lanes at a time: samples and gathers of every format, dimension,
 * address mode and level, with what the texture unit of compute/image/ computes for each lane in
 * the same order. Compiled once for each instruction set.
 */
#include "compute/exec/texel_cube.h"
#include "compute/exec/texel_load.h"
#include "compute/exec/texel_taps.h"
#include "util/compiler.h"

/* What a linear filter mixes, by the sampler's reduction mode. A texel of weight 0 has no part in
 * it: it may be infinite. */
static void
add_tap(VkSamplerReductionMode mode, vf weight, vf value, vi is_first, vf *sum)
{
    vf next;
    if (mode == VK_SAMPLER_REDUCTION_MODE_WEIGHTED_AVERAGE)
        next = *sum + weight * value;
    else if (mode == VK_SAMPLER_REDUCTION_MODE_MIN)
        next = vf_select(VI(*sum < value) | VI(value != value), *sum, value);
    else
        next = vf_select(VI(*sum > value) | VI(value != value), *sum, value);
    if (mode != VK_SAMPLER_REDUCTION_MODE_WEIGHTED_AVERAGE)
        next = vf_select(is_first, value, next);
    *sum = vf_select(weight == 0.0f, *sum, next);
}

/* Adds a tap's part to the first `count` sums. */
RP_ALWAYS_INLINE void
average_tap(uint32_t axis_count, uint32_t count, const struct unit *u, const struct taps *taps,
            uint32_t tap, vf sum[4], vi value[4])
{
    const vf weight = tap_weight(axis_count, taps, tap);
    tap_decode(axis_count, u, taps, tap, value);
    const vi has_part = ~VI(weight == 0.0f);
    for (uint32_t c = 0; c < count; c++)
        sum[c] = vf_select(has_part, sum[c] + weight * VF(value[c]), sum[c]);
}

/* The weighted average of what taps see, without comparison. */
RP_ALWAYS_INLINE void
average_along(uint32_t axis_count, uint32_t count, const struct unit *u, const struct taps *taps,
              vi out[4])
{
    vf sum[4];
    vi value[4];
    for (uint32_t c = 0; c < count; c++)
        sum[c] = (vf){0};
    for (uint32_t tap = 0; tap < 1u << axis_count; tap += 2) {
        average_tap(axis_count, count, u, taps, tap, sum, value);
        average_tap(axis_count, count, u, taps, tap + 1, sum, value);
    }
    for (uint32_t c = 0; c < 4; c++)
        out[c] = c < count && u->mixed >> c & 1 ? VI(sum[c]) : value[c];
}

static void
average(const struct unit *u, const struct taps *taps, vi out[4])
{
    if (u->axis_count == 1)
        average_along(1, 4, u, taps, out);
    else if (u->axis_count == 3)
        average_along(3, 4, u, taps, out);
    else if (u->mixed_end == 1)
        average_along(2, 1, u, taps, out);
    else
        average_along(2, 4, u, taps, out);
}

/* What a filter that compares or reduces makes of its taps. */
static void
reduce(const struct unit *u, const struct point *p, const struct taps *taps, vi out[4])
{
    vf sum[4];
    vi value[4], is_first = ~(vi){0};
    for (uint32_t c = 0; c < u->mixed_end; c++)
        sum[c] = (vf){0};
    for (uint32_t tap = 0; tap < 1u << u->axis_count; tap++) {
        const vf weight = tap_weight(u->axis_count, taps, tap);
        tap_read(u, p, taps, tap, value);
        for (uint32_t c = 0; c < u->mixed_end; c++)
            add_tap(u->sampler->reduction, weight, VF(value[c]), is_first, &sum[c]);
        is_first &= weight == 0.0f;
    }
    for (uint32_t c = 0; c < 4; c++)
        out[c] = u->mixed >> c & 1 ? VI(sum[c]) : value[c];
}

/* Returns lanes that see a corner of a cube. */
static vi
level_linear(const struct unit *u, const struct point *p, const struct level_lanes *l, vi out[4])
{
    struct taps taps;
    const vi astray = taps_square(u, p, l, &taps);
    if (u->mean && !taps.has_border)
        u->mean(u, p, &taps, out);
    else if (u->is_average)
        average(u, &taps, out);
    else
        reduce(u, p, &taps, out);
    return astray;
}

static void
level_nearest(const struct unit *u, const struct point *p, const struct level_lanes *l, vi out[4])
{
    struct taps taps;
    taps_nearest(u, p, l, &taps);
    tap_read(u, p, &taps, 0, out);
}

/* Of one level for all lanes what was written out before, else out. */
static const struct level_lanes *
level_lanes_kept(const struct unit *u, vi level, struct level_lanes *out)
{
    struct level_kept *kept = &u->kept[level[0] & 1];
    if (!level_is_even(level)) {
        level_lanes_of(&u->places, level, out);
        return out;
    }
    if (kept->level != level[0]) {
        kept->level = level[0];
        level_lanes_even(&u->places, level[0], &kept->lanes);
    }
    return &kept->lanes;
}

/* A level filtered, by each lane with the one or the other filter. */
static vi
level_filter(const struct unit *u, const struct point *p, vi level, vi is_linear, vi out[4])
{
    struct level_lanes written;
    const struct level_lanes *l = level_lanes_kept(u, level, &written);
    if (u->is_int || vi_bits(is_linear) == 0) {
        level_nearest(u, p, l, out);
        return (vi){0};
    }
    const vi astray = level_linear(u, p, l, out);
    if (vi_bits(~is_linear) != 0) {
        vi nearest[4];
        level_nearest(u, p, l, nearest);
        for (uint32_t c = 0; c < 4; c++)
            out[c] = vi_select(is_linear, out[c], nearest[c]);
    }
    return astray & is_linear;
}

static vi
splat_filter(VkFilter filter)
{
    return vi_splat(filter == VK_FILTER_LINEAR ? -1 : 0);
}

/* lod: clamped by the sampler, not yet to the levels there are. */
static struct lod_choice
choose_levels(const struct unit *u, vf lod)
{
    const struct rp_sampler_state *sampler = u->sampler;
    const uint32_t last = u->places.level_count - 1;
    struct lod_choice c = {
        .is_linear = vi_select(VI(lod <= 0.0f), splat_filter(sampler->mag_filter),
                               splat_filter(sampler->min_filter)),
    };
    const vf low = lod_most(lod_within(lod, last), vf_splat(u->call->view->min_lod));
    const vf d = lod_least(low, vf_splat((float)last));
    if (sampler->mipmap_mode == VK_SAMPLER_MIPMAP_MODE_NEAREST) {
        c.level = nearest_level(d, last);
        return c;
    }
    c.level = __builtin_convertvector(d, vi);
    c.fraction = d - __builtin_convertvector(c.level, vf);
    c.is_mixed = VI(c.fraction != 0.0f) & VI(c.level != (int32_t)last);
    c.is_any_mixed = vi_bits(c.is_mixed) != 0 && !u->is_int;
    return c;
}

static vi
filter_levels(const struct unit *u, const struct point *p, const struct lod_choice *c, vi out[4])
{
    const vi astray = level_filter(u, p, c->level, c->is_linear, out);
    if (!c->is_any_mixed)
        return astray;
    vi next[4];
    const vi level = vi_select(c->is_mixed, c->level + 1, c->level);
    const vi other = level_filter(u, p, level, c->is_linear, next);
    for (uint32_t i = 0; i < 4; i++) {
        const vf mixed = VF(out[i]) * (1.0f - c->fraction) + VF(next[i]) * c->fraction;
        if (u->mixed >> i & 1)
            out[i] = vi_select(c->is_mixed, VI(mixed), out[i]);
    }
    return astray | other;
}

static vi
filter_at_lod(const struct unit *u, const struct point *p, vf lod, vi out[4])
{
    const struct lod_choice choice = choose_levels(u, lod);
    return filter_levels(u, p, &choice, out);
}

static vi
words_of(const uint32_t *lanes, uint32_t s)
{
    return lanes ? ((const vi *)lanes)[s] : (vi){0};
}

static vf
dref_of(const struct unit *u, uint32_t s)
{
    const vf dref = VF(words_of(u->call->args->dref, s));
    if (!u->clamps_dref)
        return dref;
    return vf_select(dref > 1.0f, vf_splat(1.0f), vf_select(dref > 0.0f, dref, (vf){0}));
}

static void
point_of(const struct unit *u, uint32_t s, struct point *p)
{
    const struct rp_texel_call *call = u->call;
    const uint32_t coord_count = call->coord_count;
    const uint32_t layer_count = call->view->layer_count;
    for (uint32_t i = 0; i < coord_count; i++)
        p->coord[i] = VF(texel_coordinates(call, i, s));
    for (uint32_t i = 0; u->has_offset && i < 3; i++)
        p->offset[i] = words_of(call->args->offset[i], s);
    p->layer = (vi){0};
    if (call->shape->is_arrayed)
        p->layer = nearest_layer(VF(texel_coordinates(call, coord_count, s)),
                                 u->is_cube ? layer_count / 6 : layer_count);
    if (u->is_cube) {
        const vi face = cube_project(p->coord, &p->cube), layer = p->layer * 6 + face;
        const vi is_there = VI(VU(layer) < layer_count);
        p->layer = layer & is_there;
        p->cube.face = face & is_there;
    }
    if (call->args->dref)
        p->dref = dref_of(u, s);
}

/* The footprint along x and y of the screen. */
struct footprint {
    vf length[2];  /* in texels of level 0 */
    vf step[2][3]; /* normalized coordinates */
};

static void
footprint_of(const struct unit *u, const struct point *p, uint32_t s, struct footprint *f)
{
    const struct rp_texel_place *level = &u->places.level[0];
    const struct rp_image_args *args = u->call->args;
    for (uint32_t axis = 0; axis < 2; axis++) {
        const uint32_t *const *grad = axis ? args->grad_y : args->grad_x;
        vf *step = f->step[axis], sum = {0};
        for (uint32_t i = 0; i < u->call->coord_count; i++)
            step[i] = VF(words_of(grad[i], s));
        if (u->is_cube)
            cube_derivative(&p->cube, step);
        for (uint32_t i = 0; i < u->axis_count; i++) {
            const float size = (float)level->size_px[i];
            sum += step[i] * size * step[i] * size;
        }
        f->length[axis] = vf_sqrt(sum);
    }
}

/* The level of detail, clamped by the sampler. */
static vf
clamp_lod(const struct unit *u, vf lod, uint32_t s)
{
    const struct rp_sampler_state *sampler = u->sampler;
    const struct rp_image_args *args = u->call->args;
    if (sampler->is_unnormalized)
        return (vf){0};
    const vf bias = sampler->mip_lod_bias + VF(words_of(args->bias, s));
    const vf low = lod_most(vf_splat(sampler->min_lod), VF(words_of(args->min_lod, s)));
    lod += lod_least(lod_most(bias, vf_splat(-RP_MAX_SAMPLER_LOD_BIAS)),
                     vf_splat(RP_MAX_SAMPLER_LOD_BIAS));
    return lod_least(lod_most(lod, low), lod_most(vf_splat(sampler->max_lod), low));
}

/* How many probes along the longer axis make the footprint as sharp as the shorter one allows. */
static vf
probes_of(const struct unit *u, const struct footprint *f)
{
    const vf longest = lod_most(f->length[0], f->length[1]);
    const vf shortest = lod_least(f->length[0], f->length[1]);
    const vf limit = vf_splat(RP_MIN(u->sampler->max_anisotropy, 16.0f));
    const vf ratio = vf_select(shortest > 0.0f, lod_least(longest / shortest, limit), limit);
    const vf count = lod_most(-axis_floor(-ratio), vf_splat(1.0f));
    return vf_select(longest > 0.0f, count, vf_splat(1.0f));
}

/* Probes along the longer axis of the footprint. */
static vi
sample_anisotropic(const struct unit *u, const struct point *p, const struct footprint *f,
                   uint32_t s, vi out[4])
{
    const vf count = probes_of(u, f);
    const vi major = VI(f->length[1] > f->length[0]);
    const vf lod = clamp_lod(u, lod_log2(lod_most(f->length[0], f->length[1]) / count), s);
    vf sum[4];
    sum[0] = sum[1] = sum[2] = sum[3] = (vf){0};
    vi astray = {0};
    for (float i = 0.0f;; i += 1.0f) {
        const vi is_there = VI(vf_splat(i) < count);
        struct point probe = *p;
        if (vi_bits(is_there) == 0)
            break;
        const vf at = (i + 0.5f) / count - 0.5f;
        for (uint32_t c = 0; c < u->axis_count; c++)
            probe.coord[c] += at * vf_select(major, f->step[1][c], f->step[0][c]);
        astray |= filter_at_lod(u, &probe, lod, out) & is_there;
        for (uint32_t c = 0; c < 4; c++)
            sum[c] = vf_select(is_there, sum[c] + VF(out[c]), sum[c]);
    }
    for (uint32_t c = 0; c < 4; c++)
        if (u->mixed >> c & 1)
            out[c] = VI(sum[c] / count);
    return astray;
}

/* The s-th vector of a sample. Returns lanes that see a corner of a cube. */
static vi
sample_lanes(const struct unit *u, uint32_t s, vi out[4])
{
    const struct rp_sampler_state *sampler = u->sampler;
    const struct rp_image_args *args = u->call->args;
    const bool has_grad = args->grad_x[0] != NULL;
    struct footprint f;
    struct point p;
    point_of(u, s, &p);
    if (has_grad && sampler->max_anisotropy > 1.0f && !u->is_int) {
        footprint_of(u, &p, s, &f);
        return sample_anisotropic(u, &p, &f, s, out);
    }
    if (u->choice)
        return filter_levels(u, &p, u->choice, out);
    vf lod = VF(words_of(args->lod, s));
    if (has_grad) {
        footprint_of(u, &p, s, &f);
        lod = lod_log2(lod_most(f.length[0], f.length[1]));
    }
    return filter_at_lod(u, &p, clamp_lod(u, lod, s), out);
}

/* As in image/filter.c: what the format does not have is substituted as in texels. */
static bool
unit_of(const struct rp_texel_call *call, const struct rp_sampler_state *sampler, struct unit *u)
{
    const struct rp_format *fmt = rp_format_get(call->view->format);
    u->call = call;
    u->sampler = sampler;
    u->kind = rp_texel_kind(call->view->format);
    u->texel_B = size_of(&u->kind);
    if (u->kind.count == 0 || !fmt || sampler->ycbcr ||
        !rp_texel_places_of(call->view, u->texel_B, &u->places))
        return false;
    u->span = (struct texel_span){.data = u->places.data, .size_B = u->places.size_B};
    u->picks = picks_of(&call->view->swizzle);
    u->has_picks = !rp_swizzle_is_identity(&call->view->swizzle);
    u->is_cube = call->shape->dim == RP_DIM_CUBE;
    u->is_seamless = u->is_cube && !sampler->is_non_seamless;
    u->axis_count = u->is_cube ? 2 : call->coord_count;
    u->components = components_of(&u->kind);
    u->mixed = call->args->dref ? 1 : u->components;
    u->mixed_end = u->mixed ? 32 - (uint32_t)__builtin_clz(u->mixed) : 0;
    u->is_average =
        !call->args->dref && sampler->reduction == VK_SAMPLER_REDUCTION_MODE_WEIGHTED_AVERAGE;
    u->is_int = kind_is_int(&u->kind);
    u->clamps_dref = fmt->channels[0].numeric == RP_NUMERIC_UNORM ||
                     fmt->channels[0].numeric == RP_NUMERIC_SNORM;
    memcpy(u->border, &sampler->border_color, sizeof(u->border));
    u->mean = NULL;
    if (sampler->reduction == VK_SAMPLER_REDUCTION_MODE_WEIGHTED_AVERAGE)
        u->mean = RP_FN(mean_of)(&u->kind, call->args->dref != NULL);
    u->has_layer = u->is_cube || call->shape->is_arrayed;
    u->has_offset = call->args->offset[0] || call->args->offsets[0][0];
    u->has_border = false;
    for (uint32_t i = 0; i < u->axis_count && !u->is_seamless; i++)
        u->has_border |= sampler->address_mode[i] == VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER;
    u->choice = NULL;
    return !(u->is_int && call->args->dref);
}

static void
put_sample(const struct unit *u, vi value[4], uint32_t s, uint32_t *const out[4])
{
    const bool is_compared = u->call->args->dref != NULL;
    if (!is_compared && u->has_picks)
        picks_apply(&u->picks, u->is_int, value);
    for (uint32_t c = 0; c < (is_compared ? 1 : 4); c++)
        if (out[c])
            ((vi *)out[c])[s] = value[c];
}

/* Lanes whose filter has a texel in no face of a cube, which the texture unit has to do again. */
struct again {
    uint16_t mask[RP_MAX_BLOCKS];
    bool is_any;
};

static void
again_add(const struct rp_texel_call *call, vi astray, uint32_t s, struct again *again)
{
    uint32_t bits = vi_bits(astray) << s % RP_NS * RP_VW;
    if (s % RP_NS == 0)
        again->mask[s / RP_NS] = 0;
    if (call->mask)
        bits &= call->mask[s / RP_NS];
    again->mask[s / RP_NS] |= (uint16_t)bits;
    again->is_any |= bits != 0;
}

/* Whether all lanes see the same levels; then which. */
static bool
choice_of_all(const struct unit *u, struct lod_choice *choice)
{
    const struct rp_image_args *args = u->call->args;
    const struct rp_sampler_state *sampler = u->sampler;
    if (u->places.level_count == 1 && sampler->mag_filter == sampler->min_filter) {
        *choice = (struct lod_choice){.is_linear = splat_filter(sampler->mag_filter)};
        return sampler->max_anisotropy <= 1.0f || !args->grad_x[0];
    }
    if (args->grad_x[0] || args->bias || args->min_lod || (args->lod && !u->call->is_lod_even))
        return false;
    *choice = choose_levels(u, clamp_lod(u, VF(words_of(args->lod, 0)), 0));
    return true;
}

static inline bool
is_plane(const struct rp_texel_call *call)
{
    return call->shape->dim == RP_DIM_2D && !call->shape->is_arrayed;
}

bool
RP_FN(sample_any)(const struct rp_texel_call *call, const struct rp_sampler_state *sampler,
                  uint32_t *const out[4])
{
    struct level_kept kept[2];
    struct lod_choice choice;
    struct again again;
    struct unit u;
    again.is_any = false;
    if (is_plane(call) && call->offset[0] && !call->args->grad_x[0] &&
        RP_FN(sample)(call, sampler, out)) /* what has no offset does not come here */
        return true;
    if (!unit_of(call, sampler, &u))
        return false;
    kept[0].level = kept[1].level = -1;
    u.kept = kept;
    if (choice_of_all(&u, &choice))
        u.choice = &choice;
    for (uint32_t s = 0; s < call->block_count * RP_NS; s++) {
        vi value[4];
        const vi astray = sample_lanes(&u, s, value);
        put_sample(&u, value, s, out);
        again_add(call, astray, s, &again);
    }
    if (again.is_any)
        rp_image_sample(call->shape, call->view, sampler, call->args, call->block_count * 16,
                        again.mask, call->all);
    return true;
}

/* One component of texels of whole words, without the others; false: they are of another sort. */
static bool
gather_component(const struct unit *u, vi offset, uint32_t c, vi *out)
{
#if RP_VW >= 8
    const enum nature nature = u->kind.nature;
    const bool is_bytes = nature == BYTE_UNORM || nature == BYTE_BGR;
    if (u->texel_B < 4 || c >= u->kind.count ||
        !(is_bytes || nature == HALF || nature == WORD_FLOAT))
        return false;
    const uint32_t bits = is_bytes ? 8 : nature == HALF ? 16 : 32;
    const uint32_t at = (nature == BYTE_BGR && c < 3 ? 2 - c : c) * bits;
    vu word[4];
    if (u->texel_B == 4)
        load_as(4, &u->span, offset, word);
    else
        word[0] = gather_words(u->span.data + at / 32 * 4, offset);
    const vu field = word[0] >> at % 32;
    *out = is_bytes         ? VI(unorm_of(field & 0xff, 8, 0))
           : nature == HALF ? VI(half_to_float(VI(field & 0xffff)))
                            : VI(field);
    return true;
#else
    (void)u, (void)offset, (void)c, (void)out;
    return false;
#endif
}

/* The texel of a gather at the point's own offset. */
static vi
gather_at(const struct unit *u, const struct point *p, const struct taps *taps, uint32_t tap)
{
    const bool is_compared = u->call->args->dref != NULL;
    const uint32_t c = is_compared ? 0 : u->picks.from[u->call->component];
    const vi offset = tap_place(taps, tap);
    vi value[4];
    if (!taps->has_border && gather_component(u, offset, c, &value[0]))
        return is_compared ? compared(u->sampler->compare_op, p->dref, VF(value[0])) : value[0];
    tap_read(u, p, taps, tap, value);
    if (is_compared)
        return value[0];
    return pick(u->picks.from[u->call->component], u->is_int, value);
}

/* Returns lanes that see a corner of a cube. */
static vi
gather_lanes(const struct unit *u, struct point *p, const struct level_lanes *l, uint32_t s,
             uint32_t *const out[4])
{
    static const uint32_t taps_in_order[4] = {2, 3, 1, 0}; /* x is bit 0, y bit 1 */
    const struct rp_image_args *args = u->call->args;
    struct taps taps;
    vi astray = {0};
    for (uint32_t i = 0; i < 4; i++) {
        const bool has_own = args->offsets[0][0] != NULL;
        if (has_own) {
            p->offset[0] = words_of(args->offsets[i][0], s);
            p->offset[1] = words_of(args->offsets[i][1], s);
        }
        if (has_own || i == 0)
            astray |= taps_square(u, p, l, &taps);
        if (out[i])
            ((vi *)out[i])[s] = gather_at(u, p, &taps, has_own ? 0 : taps_in_order[i]);
    }
    return astray;
}

bool
RP_FN(gather_any)(const struct rp_texel_call *call, const struct rp_sampler_state *sampler,
                  uint32_t *const out[4])
{
    struct again again;
    struct unit u;
    again.is_any = false;
    if (is_plane(call) && !call->args->offsets[0][0] && RP_FN(gather)(call, sampler, out))
        return true;
    if (!unit_of(call, sampler, &u) || u.axis_count != 2)
        return false;
    const uint32_t last = u.places.level_count - 1;
    for (uint32_t s = 0; s < call->block_count * RP_NS; s++) {
        const vf lod = VF(words_of(call->args->lod, s));
        struct level_lanes l;
        struct point p;
        point_of(&u, s, &p);
        level_lanes_of(&u.places, nearest_level(lod_within(lod, last), last), &l);
        again_add(call, gather_lanes(&u, &p, &l, s, out), s, &again);
    }
    if (again.is_any)
        rp_image_gather(call->shape, call->view, sampler, call->args, call->component,
                        call->block_count * 16, again.mask, call->all);
    return true;
}
