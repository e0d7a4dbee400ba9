/* SPDX-License-Identifier: MIT */
/* Random images, views and samplers: what each instruction set samples, gathers, fetches, loads and
 * stores a vector of lanes at a time is, bit for bit, what the texture unit gives for one lane
 * after the other.
 *
 * usage: image_samples [ROUNDS [SEED]]
 *   ROUNDS   images that are tried with each operation, instruction set and workgroup (default 12)
 */
#include "compute/image/image.h"
#include "format/format.h"
#include "harness.h"
#include "util/compiler.h"

#include <math.h>
#include <stdbool.h>

#define GRID_WIDTH 16
#define LANES 256u
#define LEVELS 4u

/* As the kernel numbers them. */
enum operation {
    SAMPLE_LINE,
    SAMPLE_LINES,
    SAMPLE_PLANE,
    SAMPLE_PLANES,
    SAMPLE_VOLUME,
    SAMPLE_CUBE,
    SAMPLE_CUBES,
    OFFSET_PLANE,
    OFFSET_VOLUME,
    GRAD_PLANE,
    GRAD_CUBE,
    GRAD_VOLUME,
    SHADE_PLANE,
    SHADE_PLANES,
    GATHER_PLANE,
    GATHER_OFFSET,
    GATHER_OFFSETS,
    GATHER_CUBE,
    GATHER_SHADE,
    FETCH_LINE,
    FETCH_PLANE,
    FETCH_PLANES,
    FETCH_VOLUME,
    FETCH_OFFSET,
    LOAD_LINE,
    LOAD_LINES,
    LOAD_PLANES,
    LOAD_VOLUME,
    LOAD_CUBE,
    GATHER_CUBE_SHADE,
    SAMPLE_PLAIN,
    STORE_LINE,
    STORE_LINES,
    STORE_PLANE,
    STORE_PLANES,
    STORE_VOLUME,
    STORE_CUBE,
    SHADE_LAYERS,
    OPERATION_COUNT,
};

/* What the texture unit is asked for. */
static const struct way {
    enum rp_image_dim dim;
    bool is_arrayed;
    bool has_lod, has_grad, has_dref;
    int32_t offset[3];
    uint32_t component; /* of gathers */
} ways[OPERATION_COUNT] = {
    [SAMPLE_LINE] = {.dim = RP_DIM_1D, .has_lod = true},
    [SAMPLE_LINES] = {.dim = RP_DIM_1D, .is_arrayed = true, .has_lod = true},
    [SAMPLE_PLANE] = {.dim = RP_DIM_2D, .has_lod = true},
    [SAMPLE_PLANES] = {.dim = RP_DIM_2D, .is_arrayed = true, .has_lod = true},
    [SAMPLE_VOLUME] = {.dim = RP_DIM_3D, .has_lod = true},
    [SAMPLE_CUBE] = {.dim = RP_DIM_CUBE, .has_lod = true},
    [SAMPLE_CUBES] = {.dim = RP_DIM_CUBE, .is_arrayed = true, .has_lod = true},
    [OFFSET_PLANE] = {.dim = RP_DIM_2D, .has_lod = true, .offset = {2, -3}},
    [OFFSET_VOLUME] = {.dim = RP_DIM_3D, .has_lod = true, .offset = {-2, 1, 3}},
    [GRAD_PLANE] = {.dim = RP_DIM_2D, .has_grad = true},
    [GRAD_CUBE] = {.dim = RP_DIM_CUBE, .has_grad = true},
    [GRAD_VOLUME] = {.dim = RP_DIM_3D, .has_grad = true},
    [SHADE_PLANE] = {.dim = RP_DIM_2D, .has_lod = true, .has_dref = true},
    [SHADE_PLANES] = {.dim = RP_DIM_2D, .is_arrayed = true, .has_grad = true, .has_dref = true},
    [GATHER_PLANE] = {.dim = RP_DIM_2D, .component = 1},
    [GATHER_OFFSET] = {.dim = RP_DIM_2D, .is_arrayed = true, .offset = {-4, 2}, .component = 2},
    [GATHER_OFFSETS] = {.dim = RP_DIM_2D},
    [GATHER_CUBE] = {.dim = RP_DIM_CUBE, .component = 3},
    [GATHER_SHADE] = {.dim = RP_DIM_2D, .has_dref = true},
    [FETCH_LINE] = {.dim = RP_DIM_1D, .has_lod = true},
    [FETCH_PLANE] = {.dim = RP_DIM_2D, .has_lod = true},
    [FETCH_PLANES] = {.dim = RP_DIM_2D, .is_arrayed = true, .has_lod = true},
    [FETCH_VOLUME] = {.dim = RP_DIM_3D, .has_lod = true},
    [FETCH_OFFSET] = {.dim = RP_DIM_2D, .has_lod = true, .offset = {1, -2}},
    [LOAD_LINE] = {.dim = RP_DIM_1D},
    [LOAD_LINES] = {.dim = RP_DIM_1D, .is_arrayed = true},
    [LOAD_PLANES] = {.dim = RP_DIM_2D, .is_arrayed = true},
    [LOAD_VOLUME] = {.dim = RP_DIM_3D},
    [LOAD_CUBE] = {.dim = RP_DIM_CUBE},
    [GATHER_CUBE_SHADE] = {.dim = RP_DIM_CUBE, .has_dref = true},
    [SAMPLE_PLAIN] = {.dim = RP_DIM_2D},
    [STORE_LINE] = {.dim = RP_DIM_1D},
    [STORE_LINES] = {.dim = RP_DIM_1D, .is_arrayed = true},
    [STORE_PLANE] = {.dim = RP_DIM_2D},
    [STORE_PLANES] = {.dim = RP_DIM_2D, .is_arrayed = true},
    [STORE_VOLUME] = {.dim = RP_DIM_3D},
    [STORE_CUBE] = {.dim = RP_DIM_CUBE},
    [SHADE_LAYERS] = {.dim = RP_DIM_2D, .is_arrayed = true, .has_dref = true},
};

static const VkFormat formats[] = {
    VK_FORMAT_R8_UNORM,
    VK_FORMAT_R8G8_UNORM,
    VK_FORMAT_R8G8B8A8_UNORM,
    VK_FORMAT_B8G8R8A8_UNORM,
    VK_FORMAT_R8G8B8A8_SRGB,
    VK_FORMAT_R8G8_SNORM,
    VK_FORMAT_R8G8B8A8_SNORM,
    VK_FORMAT_R8G8B8A8_SINT,
    VK_FORMAT_R8_UINT,
    VK_FORMAT_R16_SNORM,
    VK_FORMAT_R16G16B16A16_SNORM,
    VK_FORMAT_R16G16B16A16_UNORM,
    VK_FORMAT_R16_SFLOAT,
    VK_FORMAT_R16G16_SFLOAT,
    VK_FORMAT_R16G16B16A16_SFLOAT,
    VK_FORMAT_R16G16_SINT,
    VK_FORMAT_R32_SFLOAT,
    VK_FORMAT_R32G32_SFLOAT,
    VK_FORMAT_R32G32_UINT,
    VK_FORMAT_R32G32B32A32_SFLOAT,
    VK_FORMAT_B10G11R11_UFLOAT_PACK32,
    VK_FORMAT_E5B9G9R9_UFLOAT_PACK32,
    VK_FORMAT_A2B10G10R10_UNORM_PACK32,
    VK_FORMAT_A2R10G10B10_UINT_PACK32,
    VK_FORMAT_R5G6B5_UNORM_PACK16,
    VK_FORMAT_B4G4R4A4_UNORM_PACK16,
    VK_FORMAT_A1R5G5B5_UNORM_PACK16,
    VK_FORMAT_D16_UNORM,
    VK_FORMAT_D32_SFLOAT,
    VK_FORMAT_X8_D24_UNORM_PACK32,
};
#define FORMAT_COUNT (sizeof(formats) / sizeof(formats[0]))

struct place {
    float at[4];
    int32_t texel[4];
    float lod;
    float dref;
    int32_t level;
    int32_t pad;
    float dx[4];
    float dy[4];
};

struct test {
    enum operation operation;
    VkFormat format;
    uint32_t texel_B;
    bool skips;
    struct rp_texture view;
    struct rp_texture_level levels[LEVELS];
    size_t size_B;
    struct rp_sampler_state sampler;
};

static struct place places[LANES];
static uint32_t values[LANES][4], before[LANES][4];
static uint32_t columns[4][LANES];
static uint64_t random_state = 5;

static uint32_t
below(uint32_t limit)
{
    return (test_random(&random_state) >> 1) % limit;
}

static float
between(float low, float high)
{
    return low + (high - low) * (float)below(1u << 20) / (float)(1u << 20);
}

static bool
is_gather(enum operation o)
{
    return (o >= GATHER_PLANE && o <= GATHER_SHADE) || o == GATHER_CUBE_SHADE;
}

static bool
is_sample(enum operation o)
{
    return o < FETCH_LINE || o == GATHER_CUBE_SHADE || o == SAMPLE_PLAIN || o == SHADE_LAYERS;
}

static bool
is_store(enum operation o)
{
    return o >= STORE_LINE && o <= STORE_CUBE;
}

static bool
is_fetch(enum operation o)
{
    return o >= FETCH_LINE && o <= FETCH_OFFSET;
}

/* Levels one behind the other, each with its layers. */
static void
choose_image(struct test *t)
{
    const struct way *way = &ways[t->operation];
    const bool is_cube = way->dim == RP_DIM_CUBE, is_volume = way->dim == RP_DIM_3D;
    const uint32_t width = 1 + below(24);
    const uint32_t height = is_cube ? width : way->dim == RP_DIM_1D ? 1 : 1 + below(18);
    const uint32_t depth = is_volume ? 1 + below(7) : 1;
    const uint32_t layers = is_cube ? (way->is_arrayed ? 18 : 6) : way->is_arrayed ? 5 : 1;
    t->view = (struct rp_texture){
        .type = VK_IMAGE_VIEW_TYPE_2D,
        .format = t->format,
        .plane_count = 1,
        .level_count =
            is_store(t->operation) || t->operation == SAMPLE_PLAIN ? 1 : 1 + below(LEVELS),
        .layer_count = layers,
        .sample_count = 1,
        .min_lod = below(8) ? 0.0f : between(0.0f, 1.2f),
        .levels = t->levels,
    };
    for (uint32_t i = 0; below(2) && i < 4; i++)
        (&t->view.swizzle.r)[i] = (VkComponentSwizzle)below(7);
    t->size_B = 0;
    for (uint32_t i = 0; i < t->view.level_count; i++) {
        struct rp_texture_level *l = &t->levels[i];
        l->width_px = RP_MAX(width >> i, 1u);
        l->height_px = RP_MAX(height >> i, 1u);
        l->depth_px = RP_MAX(depth >> i, 1u);
        l->row_B = (size_t)(l->width_px + below(3)) * t->texel_B;
        l->slice_B = l->row_B * l->height_px;
        l->layer_B = l->slice_B * l->depth_px;
        l->data = (uint8_t *)t->size_B; /* an offset until there is memory */
        t->size_B += l->layer_B * layers;
    }
}

static void
choose_sampler(struct test *t)
{
    static const VkSamplerReductionMode reductions[] = {VK_SAMPLER_REDUCTION_MODE_MIN,
                                                        VK_SAMPLER_REDUCTION_MODE_MAX};
    struct rp_sampler_state *s = &t->sampler;
    *s = (struct rp_sampler_state){
        .mag_filter = (VkFilter)below(2),
        .min_filter = (VkFilter)below(2),
        .mipmap_mode = (VkSamplerMipmapMode)below(2),
        .mip_lod_bias = below(2) ? between(-1.0f, 1.0f) : 0.0f,
        .min_lod = below(2) ? 0.0f : between(0.0f, 1.5f),
        .max_lod = below(2) ? 16.0f : between(1.0f, 3.0f),
        .compare_op = (VkCompareOp)below(8),
        .is_non_seamless = below(4) == 0,
        .border_color.float32 = {0.1f, 0.7f, 0.3f, 0.4f},
    };
    if (below(2))
        s->min_filter = s->mag_filter;
    if (ways[t->operation].has_grad && below(2))
        s->max_anisotropy = between(0.5f, 6.0f);
    if (below(6) == 0)
        s->reduction = reductions[below(2)];
    for (uint32_t i = 0; i < 3; i++)
        s->address_mode[i] = (VkSamplerAddressMode)below(5);
    s->is_unnormalized = t->operation == SAMPLE_PLAIN && below(2);
}

/* Lanes in rows, as those of a picture: where steps are whole at centres of texels, or not. */
static void
choose_rows(const struct test *t)
{
    const struct rp_texture_level *l = &t->levels[0];
    const float size[2] = {(float)l->width_px, (float)l->height_px};
    for (uint32_t i = 0; i < 2; i++) {
        const float step = (float[]){1.0f, 1.0f, 0.5f, 2.0f, 0.7f}[below(5)];
        const float from =
            floorf(between(-6.0f, size[i])) + (below(3) ? 0.5f : between(0.0f, 1.0f));
        for (uint32_t k = 0; k < LANES; k++) {
            const uint32_t at = i ? k / GRID_WIDTH : k % GRID_WIDTH;
            places[k].at[i] =
                (from + step * (float)at) / (t->sampler.is_unnormalized ? 1.0f : size[i]);
        }
    }
}

/* Where nearly all lanes are near each other, or anywhere; each stores into a texel of its own. */
static void
choose_places(const struct test *t)
{
    const struct rp_texture_level *l = &t->levels[0];
    const float scale = t->sampler.is_unnormalized ? (float)l->width_px : 1.0f;
    const bool is_inside = below(3) == 0, is_level_same = below(2);
    const bool has_rows = t->operation == SHADE_LAYERS && below(4); /* of one layer each */
    const float lod = between(-1.0f, 4.0f), spread = exp2f(between(-6.0f, 1.0f));
    for (uint32_t k = 0; k < LANES; k++) {
        struct place *p = &places[k];
        for (uint32_t i = 0; i < 4; i++) {
            p->at[i] = is_inside ? between(0.1f, 0.9f) : between(-1.3f, 2.4f) * scale;
            p->dx[i] = between(-0.1f, 0.1f) * spread;
            p->dy[i] = between(-0.1f, 0.1f) * spread;
        }
        if (ways[t->operation].dim == RP_DIM_CUBE)
            for (uint32_t i = 0; i < 3; i++)
                p->at[i] = between(-1.0f, 1.0f);
        if (below(64) == 0)
            p->at[below(3)] = (float[]){NAN, 1e20f, -INFINITY, 0.0f}[below(4)];
        p->at[3] = has_rows ? (float)(k / (2 * GRID_WIDTH)) : between(-1.0f, 6.0f);
        p->texel[0] = (int32_t)below(l->width_px + 4) - 2;
        p->texel[1] = (int32_t)below(l->height_px + 4) - 2;
        p->texel[2] = (int32_t)below(l->depth_px + 2) - 1;
        p->texel[3] = (int32_t)below(t->view.layer_count + 2) - 1;
        p->lod = is_level_same ? lod : between(-1.0f, 4.0f);
        p->level = is_level_same ? (int32_t)fmaxf(lod, 0.0f) : (int32_t)below(6) - 1;
        p->dref = between(-0.2f, 1.2f);
    }
    if (ways[t->operation].dim == RP_DIM_2D && below(2))
        choose_rows(t);
    if (!is_store(t->operation))
        return;
    const uint32_t texels = l->width_px * l->height_px * l->depth_px * t->view.layer_count;
    for (uint32_t k = 0; k < LANES; k++) {
        const uint32_t at = k < texels ? k : 0;
        struct place *p = &places[k];
        p->texel[0] = k < texels ? (int32_t)(at % l->width_px) : -1 - (int32_t)below(9);
        p->texel[1] = (int32_t)(at / l->width_px % l->height_px);
        p->texel[2] = (int32_t)(at / l->width_px / l->height_px % l->depth_px);
        p->texel[3] = (int32_t)(at / l->width_px / l->height_px / l->depth_px);
        if (l->depth_px > 1)
            p->texel[3] = 0;
    }
}

/* Infinities, NaNs of both kinds, denormal numbers, and zero with a sign. */
static void
fill_odd(uint8_t *image, size_t size_B, bool is_word)
{
    static const uint16_t halves[] = {0x7c00, 0xfc00, 0x7c01, 0x7e00, 0x8001, 0x8000};
    static const uint32_t words[] = {0x7f800000, 0xff800000, 0x7f800001,
                                     0x7fc00000, 0x80000001, 0x80000000};
    const size_t texel_B = is_word ? 4 : 2, count = size_B / texel_B;
    for (size_t i = below(16); i < count; i += 1 + below(16)) {
        const uint32_t k = below(6);
        memcpy(image + i * texel_B, is_word ? (const void *)&words[k] : &halves[k], texel_B);
    }
}

/* Numbers that are finite in every format, now and then others. */
static void
fill(uint8_t *image, size_t size_B, VkFormat format)
{
    const struct rp_format_channel *c = &rp_format_get(format)->channels[0];
    const bool is_word = c->numeric == RP_NUMERIC_SFLOAT && c->bits == 32;
    for (size_t i = 0; i < size_B; i++)
        image[i] = (uint8_t)below(256);
    for (size_t i = 0; c->numeric == RP_NUMERIC_SFLOAT && i + 4 <= size_B; i += 4) {
        const uint32_t word =
            is_word ? bits_of(between(-2.0f, 2.0f)) : below(1u << 31) & 0xbfffbfff;
        memcpy(image + i, &word, 4);
    }
    if (c->numeric == RP_NUMERIC_SFLOAT && below(2))
        fill_odd(image, size_B, is_word);
}

struct columns {
    uint32_t at[4][LANES], lod[LANES], dref[LANES], grad[2][3][LANES], offset[8][LANES];
};

/* The operands lane by lane. */
static void
args_of(const struct test *t, struct columns *c, struct rp_image_args *args)
{
    static const int32_t corners[8] = {-1, 0, 2, 1, 0, -2, 3, 3};
    const struct way *way = &ways[t->operation];
    const uint32_t count =
        way->dim == RP_DIM_CUBE && !is_sample(t->operation) ? 2 : rp_image_dim_count(way->dim);
    const bool has_layer = way->is_arrayed || (way->dim == RP_DIM_CUBE && !is_sample(t->operation));
    *args = (struct rp_image_args){
        .lod = way->has_lod ? c->lod : NULL,
        .dref = way->has_dref ? c->dref : NULL,
    };
    for (uint32_t k = 0; k < LANES; k++) {
        const struct place *p = &places[k];
        for (uint32_t i = 0; i < count + has_layer; i++) {
            const uint32_t from = i < count ? i : 3;
            c->at[i][k] = is_sample(t->operation) ? bits_of(p->at[from]) : (uint32_t)p->texel[from];
        }
        c->lod[k] = is_sample(t->operation) ? bits_of(p->lod) : (uint32_t)p->level;
        c->dref[k] = bits_of(p->dref);
        for (uint32_t i = 0; i < 3; i++) {
            c->grad[0][i][k] = bits_of(p->dx[i]);
            c->grad[1][i][k] = bits_of(p->dy[i]);
        }
        for (uint32_t i = 0; i < 8; i++)
            c->offset[i][k] = (uint32_t)(t->operation == GATHER_OFFSETS ? corners[i]
                                         : i < 3                        ? way->offset[i]
                                                                        : 0);
    }
    for (uint32_t i = 0; i < count + has_layer; i++)
        args->coord[i] = c->at[i];
    for (uint32_t i = 0; i < count && way->has_grad; i++) {
        args->grad_x[i] = c->grad[0][i];
        args->grad_y[i] = c->grad[1][i];
    }
    for (uint32_t i = 0; i < count && way->offset[0]; i++)
        args->offset[i] = c->offset[i];
    for (uint32_t i = 0; t->operation == GATHER_OFFSETS && i < 8; i++)
        args->offsets[i / 2][i % 2] = c->offset[i];
}

/* What the texture unit gives for one lane after the other, into columns. */
static void
expect(const struct test *t)
{
    static struct columns operands;
    const struct way *way = &ways[t->operation];
    const struct rp_image_shape shape = {.dim = way->dim, .is_arrayed = way->is_arrayed};
    const struct rp_descriptor desc = {.view = &t->view, .sampler = &t->sampler};
    uint32_t *const out[4] = {columns[0], columns[1], columns[2], columns[3]};
    const uint32_t *const in[4] = {columns[0], columns[1], columns[2], columns[3]};
    uint16_t mask[LANES / 16] = {0};
    struct rp_image_args args;
    args_of(t, &operands, &args);
    for (uint32_t k = 0; k < LANES; k++) {
        for (uint32_t c = 0; c < 4; c++)
            columns[c][k] = before[k][c];
        if (!t->skips || (k % GRID_WIDTH + k / GRID_WIDTH) % 3 != 1)
            mask[k / 16] |= (uint16_t)(1u << k % 16);
    }
    if (is_store(t->operation))
        rp_image_write(&shape, &desc, &args, LANES, mask, in, NULL);
    else if (is_gather(t->operation))
        rp_image_gather(&shape, &t->view, &t->sampler, &args, way->component, LANES, mask, out);
    else if (is_sample(t->operation))
        rp_image_sample(&shape, &t->view, &t->sampler, &args, LANES, mask, out);
    else
        rp_image_read(&shape, &desc, &args, is_fetch(t->operation), LANES, mask, out);
}

/* Which of several NaNs, or zeros of two signs, a filter keeps is no one's promise. */
static bool
is_alike(const struct test *t, uint32_t is, uint32_t should)
{
    const float a = float_of(is), b = float_of(should);
    if (is == should || !is_sample(t->operation))
        return is == should;
    return (isnan(a) && isnan(b)) || (a == 0.0f && b == 0.0f && t->sampler.reduction);
}

static void
require_alike(const struct test *t)
{
    const struct way *way = &ways[t->operation];
    const bool is_one = way->has_dref && !is_gather(t->operation);
    for (uint32_t i = 0; i < LANES * 4; i++) {
        const uint32_t lane = i / 4, c = i % 4;
        const bool is_skipped = t->skips && (lane % GRID_WIDTH + lane / GRID_WIDTH) % 3 == 1;
        const uint32_t should = is_skipped ? before[lane][c] : columns[is_one ? 0 : c][lane];
        if (is_alike(t, values[lane][c], should))
            continue;
        (void)fprintf(stderr, "format %d, operation %d, %u levels: [%u][%u] is %08x, not %08x\n",
                      t->format, t->operation, t->view.level_count, lane, c, values[lane][c],
                      should);
        exit(1);
    }
}

/* Numbers between two bytes among them, where a product's own rounding decides. */
/* References and many texels of 32 bits become multiples of a quarter: some are equal. Nothing else
 * keeps samples from their short cut. */
static void
meet(struct test *t, uint8_t *image, size_t size_B)
{
    struct rp_sampler_state *s = &t->sampler;
    s->mag_filter = s->min_filter = VK_FILTER_LINEAR;
    s->reduction = VK_SAMPLER_REDUCTION_MODE_WEIGHTED_AVERAGE;
    s->address_mode[0] = s->address_mode[1] = (VkSamplerAddressMode)below(3);
    memset(&t->view.swizzle, 0, sizeof(t->view.swizzle));
    for (uint32_t k = 0; k < LANES; k++)
        places[k].dref = floorf(places[k].dref * 4.0f) / 4.0f;
    for (size_t i = 0; i + 4 <= size_B; i += 4) {
        const uint32_t word = bits_of((float)below(6) / 4.0f - 0.25f);
        if (below(4))
            memcpy(image + i, &word, 4);
    }
}

static uint32_t
stored_value(void)
{
    if (below(4) == 0)
        return below(1u << 31) * 2;
    return bits_of(below(4) ? between(-1.5f, 1.5f) : ((float)below(255) + 0.5f) / 255.0f);
}

static void
check(struct test *t, const struct rp_kernel *kernel, const uint32_t local[2])
{
    uint8_t *image = malloc(t->size_B), *copy = malloc(t->size_B); /* as small as can be */
    REQUIRE(image && copy);
    for (uint32_t i = 0; i < t->view.level_count; i++)
        t->levels[i].data = image + (size_t)t->levels[i].data;
    fill(image, t->size_B, t->format);
    if (ways[t->operation].has_dref && t->format == VK_FORMAT_D32_SFLOAT && below(2))
        meet(t, image, t->size_B);
    memcpy(copy, image, t->size_B);
    for (uint32_t i = 0; i < LANES * 4; i++)
        values[i / 4][i % 4] = stored_value();
    memcpy(before, values, sizeof(values));

    const struct rp_descriptor items[BINDING_COUNT] = {
        {.view = &t->view, .sampler = &t->sampler},
        {.view = &t->view},
        {.ptr = (uint8_t *)values, .size_B = sizeof(values)},
        {.ptr = (uint8_t *)places, .size_B = sizeof(places)},
    };
    const struct grid grid = {
        GRID_WIDTH / local[0], GRID_WIDTH / local[1], 1, {GRID_WIDTH, t->operation, t->skips}};
    kernel_run(kernel, items, &grid);
    for (uint32_t i = 0; i < t->view.level_count; i++)
        t->levels[i].data = copy + (t->levels[i].data - image);
    expect(t);
    require_alike(t);
    REQUIRE_BYTES(image, copy, t->size_B);
    free(image);
    free(copy);
}

/* Formats without integers of their own are compared with references. */
static bool
is_tried(const struct test *t)
{
    const enum rp_numeric numeric = rp_format_get(t->format)->channels[0].numeric;
    const bool is_int = numeric == RP_NUMERIC_UINT || numeric == RP_NUMERIC_SINT;
    const bool is_depth = rp_format_get(t->format)->channels[0].component == 'D';
    return !(is_int && ways[t->operation].has_dref) &&
           !(is_store(t->operation) && (numeric == RP_NUMERIC_SRGB || is_depth));
}

int
main(int argc, char **argv)
{
    const uint32_t rounds = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 12;
    random_state = argc > 2 ? strtoull(argv[2], NULL, 10) : 5;
    static const uint32_t sizes[][2] = {{16, 16}, {8, 4}, {4, 2}};
    static const VkSpecializationMapEntry entries[2] = {{0, 0, 4}, {1, 4, 4}};
    for (uint32_t i = 0; i < ISA_COUNT * (sizeof(sizes) / sizeof(sizes[0])); i++) {
        const uint32_t *size = sizes[i / ISA_COUNT];
        const VkSpecializationInfo constants = {2, entries, sizeof(sizes[0]), size};
        struct rp_kernel *kernel =
            kernel_load_specialized("image_samples", isa_flags[i % ISA_COUNT], &constants);
        for (uint32_t k = 0; k < rounds * OPERATION_COUNT; k++) {
            struct test t = {.operation = (enum operation)(k % OPERATION_COUNT),
                             .format = formats[below(FORMAT_COUNT)],
                             .skips = below(3) == 0};
            if ((t.operation == SHADE_LAYERS || t.operation == SHADE_PLANE) &&
                below(8)) /* planes of it have a short cut */
                t.format = VK_FORMAT_D32_SFLOAT;
            t.texel_B = rp_format_get(t.format)->planes[0].block_B;
            if (!is_tried(&t))
                continue;
            choose_image(&t);
            choose_sampler(&t);
            choose_places(&t);
            check(&t, kernel, size);
        }
        rp_kernel_destroy(kernel);
    }
    return 0;
}
