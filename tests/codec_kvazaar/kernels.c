/* SPDX-License-Identifier: MIT */
/* Our kernels give what kvazaar's C gives, over random and extreme blocks. Compiled for each bit
 * depth.
 *
 * usage: codec_kvazaar_kernels [SEED [ROUNDS]]
 */
#include "codecs/kvazaar/kernels.h"
#include "codecs/kvazaar/core.h"
#include "codecs/kvazaar/heap.h"
#include "codecs/kvazaar/sig_coeff.h"

#include "context.h"
#include "strategyselector.h"

#include "reelpipe/cpu.h"

#include "tests/test.h"

#define MAX_SIZE 32
#define MAX_PIXEL ((1 << KVZ_BIT_DEPTH) - 1)
#define MAX_BLOCK (64 * 64)
#define GUARD 64 /* elements behind a block, which nobody may write */

static uint64_t random_state = 1;
static uint32_t rounds = 2000;

/* What kvazaar's pointers lead to. */
struct kernels {
    dct_func *dct_16x16, *dct_32x32, *idct_16x16, *idct_32x32;
    quant_func *quant;
    calc_sao_edge_dir_func *sao_edge_dir;
    sao_edge_ddistortion_func *sao_edge_ddistortion;
};

static struct kernels c, ours;

static int32_t
random_below(int32_t count)
{
    return (int32_t)(test_random(&random_state) % (uint32_t)count);
}

static void
choose_c(void *ctx)
{
    *(int *)ctx = kvz_strategyselector_init(0, KVZ_BIT_DEPTH, 0);
}

static struct kernels
kernels_chosen(void)
{
    return (struct kernels){
        .dct_16x16 = kvz_dct_16x16,
        .dct_32x32 = kvz_dct_32x32,
        .idct_16x16 = kvz_idct_16x16,
        .idct_32x32 = kvz_idct_32x32,
        .quant = kvz_quant,
        .sao_edge_dir = kvz_calc_sao_edge_dir,
        .sao_edge_ddistortion = kvz_sao_edge_ddistortion,
    };
}

static void
kernels_find(void)
{
    struct rp_kvazaar_heap heap = {0};
    int is_ok = 0;
    REQUIRE(rp_kvazaar_heap_run(&heap, choose_c, &is_ok) && is_ok);
    rp_kvazaar_heap_finish(&heap);
    c = kernels_chosen();
    rp_kvazaar_kernels_init(rp_cpu_flags());
    ours = kernels_chosen();
    if (rp_cpu_flags() & RP_CPU_X86_64_V3)
        REQUIRE(memcmp(&c, &ours, sizeof(c)) != 0);
    else
        (void)fprintf(stderr, "this CPU has C alone\n");
}

static int16_t
random_value(int32_t amplitude, bool is_extreme)
{
    if (is_extreme)
        return (int16_t)(random_below(2) ? amplitude : -amplitude);
    return (int16_t)(random_below(2 * amplitude + 1) - amplitude);
}

/* Values up to most, of which all that lie outside of the first rows and columns are zeros. */
static void
block_fill(int16_t *block, int32_t size, int32_t rows, int32_t columns, int32_t most)
{
    const int32_t amplitude = 1 + random_below(random_below(2) ? most : 1 + most / 64);
    const bool is_extreme = random_below(2), is_constant = random_below(4) == 0;
    memset(block, 0, (size_t)(size * size) * sizeof(block[0]));
    for (int32_t y = 0; y < rows; y++)
        for (int32_t x = 0; x < columns; x++)
            block[y * size + x] = is_constant && x + y > 0 ? block[0]
                                  : random_below(8) == 0   ? 0
                                                           : random_value(amplitude, is_extreme);
}

static void
transforms_are_equal(dct_func *of_c, dct_func *of_ours, int32_t size, bool is_inverse)
{
    _Alignas(64) int16_t in[MAX_SIZE * MAX_SIZE], out_c[MAX_SIZE * MAX_SIZE + GUARD];
    _Alignas(64) int16_t out_ours[MAX_SIZE * MAX_SIZE + GUARD];
    for (uint32_t i = 0; i < rounds; i++) {
        if (is_inverse)
            block_fill(in, size, random_below(size + 1), random_below(size + 1), INT16_MAX);
        else
            block_fill(in, size, size, size, MAX_PIXEL);
        if (is_inverse && random_below(4) == 0)
            in[random_below(size * size)] = INT16_MIN;
        memset(out_c, 0xee, sizeof(out_c));
        memset(out_ours, 0xee, sizeof(out_ours));
        of_c(KVZ_BIT_DEPTH, in, out_c);
        of_ours(KVZ_BIT_DEPTH, in, out_ours);
        REQUIRE_BYTES(out_ours, out_c, sizeof(out_c));
    }
}

static void
transforms_are_those_of_c(void)
{
    transforms_are_equal(c.dct_16x16, ours.dct_16x16, 16, false);
    transforms_are_equal(c.dct_32x32, ours.dct_32x32, 32, false);
}

static void
inverse_transforms_are_those_of_c(void)
{
    transforms_are_equal(c.idct_16x16, ours.idct_16x16, 16, true);
    transforms_are_equal(c.idct_32x32, ours.idct_32x32, 32, true);
}

/* A state that quantizes with the factors of a flat scaling list. */
static void
quantizer_fill(encoder_state_t *state, encoder_control_t *control)
{
    static const int16_t scales[] = {26214, 23302, 20560,
                                     18396, 16384, 14564}; /* 8.6.4.2's m = 16 */
    static int16_t factors[6][MAX_SIZE * MAX_SIZE];
    for (int32_t i = 0; i < 6; i++)
        for (int32_t k = 0; k < MAX_SIZE * MAX_SIZE; k++)
            factors[i][k] = scales[i];
    for (int32_t size = 0; size < 4; size++)
        for (int32_t list = 0; list < 6; list++)
            for (int32_t i = 0; i < 6; i++)
                control->scaling_list.quant_coeff[size][list][i] = factors[i];
    control->bitdepth = KVZ_BIT_DEPTH;
    control->cfg.signhide_enable = random_below(4) > 0;
    control->scaling_list.enable = random_below(16) == 0;
    state->qp = (int8_t)random_below(52);
    state->frame->slicetype = random_below(2) ? KVZ_SLICE_I : KVZ_SLICE_P;
}

static void
quantization_is_that_of_c(void)
{
    static encoder_control_t control;
    static encoder_state_config_frame_t frame;
    static encoder_state_t state = {.encoder_control = &control, .frame = &frame};
    _Alignas(64) int16_t in[MAX_SIZE * MAX_SIZE], out_c[MAX_SIZE * MAX_SIZE + GUARD];
    _Alignas(64) int16_t out_ours[MAX_SIZE * MAX_SIZE + GUARD];
    for (uint32_t i = 0; i < 4 * rounds; i++) {
        const int32_t size = 4 << random_below(4);
        const int8_t type = (int8_t)(random_below(2) ? 0 : 2), scan = (int8_t)random_below(3);
        const int8_t block_type = (int8_t)(random_below(2) ? CU_INTRA : CU_INTER);
        quantizer_fill(&state, &control);
        block_fill(in, size, random_below(size + 1), random_below(size + 1),
                   (16 << random_below(12)) - 1);
        if (random_below(8) == 0)
            in[random_below(size * size)] = INT16_MIN;
        memset(out_c, 0xee, sizeof(out_c));
        memset(out_ours, 0xee, sizeof(out_ours));
        c.quant(&state, in, out_c, size, size, type, scan, block_type);
        ours.quant(&state, in, out_ours, size, size, type, scan, block_type);
        REQUIRE_BYTES(out_ours, out_c, sizeof(out_c));
    }
}

/* Samples around one value, or as far from each other as they can be. */
static void
pixels_fill(kvz_pixel *pixels, int32_t count)
{
    const int32_t spread = random_below(2) ? MAX_PIXEL : 1 + random_below(8);
    const int32_t least = random_below(MAX_PIXEL - spread + 1);
    const bool is_extreme = random_below(4) == 0;
    for (int32_t i = 0; i < count; i++)
        pixels[i] = (kvz_pixel)(is_extreme ? least + (random_below(2) ? spread : 0)
                                           : least + random_below(spread + 1));
}

/* Blocks have their size to the byte, so that tools see whoever reads beside them. */
static void
edge_offsets_are_those_of_c(void)
{
    static encoder_control_t control = {.bitdepth = KVZ_BIT_DEPTH};
    for (uint32_t i = 0; i < rounds; i++) {
        const int32_t width = 4 * (1 + random_below(16)), height = 4 * (1 + random_below(16));
        const size_t size_B = (size_t)(width * height) * sizeof(kvz_pixel);
        kvz_pixel *original = malloc(size_B), *decoded = malloc(size_B);
        int stats_c[2][NUM_SAO_EDGE_CATEGORIES] = {{1, 2, 3, 4, 5}, {6, 7, 8, 9, 10}};
        int stats_ours[2][NUM_SAO_EDGE_CATEGORIES] = {{1, 2, 3, 4, 5}, {6, 7, 8, 9, 10}};
        int offsets[NUM_SAO_EDGE_CATEGORIES];
        const int eo_class = random_below(4);
        REQUIRE(original && decoded);
        pixels_fill(original, width * height);
        pixels_fill(decoded, width * height);
        for (int k = 0; k < NUM_SAO_EDGE_CATEGORIES; k++)
            offsets[k] = random_below(15) - 7;
        c.sao_edge_dir(&control, original, decoded, eo_class, width, height, stats_c);
        ours.sao_edge_dir(&control, original, decoded, eo_class, width, height, stats_ours);
        REQUIRE_BYTES(stats_ours, stats_c, sizeof(stats_c));
        REQUIRE_EQ(
            ours.sao_edge_ddistortion(&control, original, decoded, width, height, eo_class,
                                      offsets),
            c.sao_edge_ddistortion(&control, original, decoded, width, height, eo_class, offsets));
        free(original);
        free(decoded);
    }
}

static void
bands_are_counted(void)
{
    for (uint32_t i = 0; i < rounds; i++) {
        const int32_t count = 16 * (1 + random_below(MAX_BLOCK / 16));
        kvz_pixel original[MAX_BLOCK], decoded[MAX_BLOCK];
        int32_t expected[2][32] = {{7}, {9}}, bands[2][32] = {{7}, {9}};
        pixels_fill(original, count);
        pixels_fill(decoded, count);
        for (int32_t k = 0; k < count; k++) {
            expected[0][decoded[k] * 32 / (MAX_PIXEL + 1)] += original[k] - decoded[k];
            expected[1][decoded[k] * 32 / (MAX_PIXEL + 1)]++;
        }
        rp_kvazaar_sao_bands_add(original, decoded, count, bands);
        REQUIRE_BYTES(bands, expected, sizeof(expected));
    }
}

static void
contexts_are_those_of_c(void)
{
    for (int32_t log2_size = 2; log2_size <= 5; log2_size++)
        for (int32_t i = 0; i < 4 * 3 * 2 << 2 * log2_size; i++) {
            const int32_t groups = i & 3, at = i / 24;
            const uint32_t scan = (uint32_t)(i / 4 % 3);
            const int8_t type = i / 12 % 2 ? 2 : 0;
            const int32_t x = at & ((1 << log2_size) - 1), y = at >> log2_size;
            REQUIRE_EQ(rp_kvazaar_sig_coeff_context(groups, scan, x, y, log2_size, type),
                       kvz_context_get_sig_ctx_inc(groups, scan, x, y, log2_size, type));
        }
}

int
main(int argc, char **argv)
{
    if (argc > 1)
        random_state = strtoull(argv[1], NULL, 10);
    if (argc > 2)
        rounds = (uint32_t)strtoul(argv[2], NULL, 10);
    kernels_find();
    RUN(transforms_are_those_of_c);
    RUN(inverse_transforms_are_those_of_c);
    RUN(quantization_is_that_of_c);
    RUN(edge_offsets_are_those_of_c);
    RUN(bands_are_counted);
    RUN(contexts_are_those_of_c);
    return 0;
}
