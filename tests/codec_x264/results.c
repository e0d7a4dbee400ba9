/* SPDX-License-Identifier: MIT */
/* What a job's result says is true, ranges are respected, and what cannot be coded is refused.
 */
#include "content.h"
#include "writer.h"

#include "reelpipe/codec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WIDTH 64
#define HEIGHT 48
#define MB_COUNT 12
#define GUARD_B 64

/* macroblock_layer() of 3200 bits (Annex A), and what goes with each: slice header and NAL unit. */
#define MOST_MB_B (400 + 32)

static uint32_t failed_count;

static void
require(bool holds, const char *claim)
{
    if (holds)
        return;
    fprintf(stderr, "FAILED: %s\n", claim);
    failed_count++;
}

/* Two slots, an I picture in the first and a P picture of it into the second. */
struct fixture {
    const struct rp_encode_codec *codec;
    struct rp_workers *workers;
    struct rp_encoder *encoder;
    StdVideoH264SequenceParameterSet sps;
    StdVideoH264PictureParameterSet pps;
    struct rp_dpb_picture dpb[2];
    uint8_t dpb_memory[2][WIDTH * HEIGHT * 3 / 2];
    uint8_t src[WIDTH * HEIGHT * 3 / 2];
    uint8_t dst[WIDTH * HEIGHT * 4 + GUARD_B];
    struct rp_h264_slice slices[MB_COUNT];
    uint32_t slice_size_B[MB_COUNT];
    uint32_t header_bits[MB_COUNT]; /* of slices of write_noted_header() */
    struct header header;
    struct rp_h264_encode_job job;
};

static void
fixture_init(struct fixture *f)
{
    *f = (struct fixture){.codec = rp_codec_h264_encode()};
    f->workers = rp_workers_create(1);
    f->encoder = f->codec->create(f->workers);
    f->sps.profile_idc = STD_VIDEO_H264_PROFILE_IDC_MAIN;
    f->sps.level_idc = STD_VIDEO_H264_LEVEL_IDC_4_0;
    f->sps.chroma_format_idc = STD_VIDEO_H264_CHROMA_FORMAT_IDC_420;
    f->sps.flags.frame_mbs_only_flag = 1;
    f->sps.flags.direct_8x8_inference_flag = 1;
    f->pps.flags.entropy_coding_mode_flag = 1;
    for (int i = 0; i < 2; i++) {
        f->dpb[i].slot = f->codec->slot_create(f->encoder);
        f->dpb[i].pixels = (struct rp_picture){
            .layout = RP_PICTURE_NV12,
            .bit_depth = 8,
            .width_px = WIDTH,
            .height_px = HEIGHT,
            .plane = {{f->dpb_memory[i], WIDTH}, {f->dpb_memory[i] + WIDTH * HEIGHT, WIDTH}},
        };
    }
}

static void
fixture_finish(struct fixture *f)
{
    for (int i = 0; i < 2; i++)
        f->codec->slot_destroy(f->encoder, f->dpb[i].slot);
    f->codec->destroy(f->encoder);
    rp_workers_destroy(f->workers);
}

static void
fixture_set_job(struct fixture *f, uint32_t index, int32_t qp)
{
    const uint32_t type = index ? STD_VIDEO_H264_SLICE_TYPE_P : STD_VIDEO_H264_SLICE_TYPE_I;
    uint8_t *uv = f->src + WIDTH * HEIGHT;

    content_fill(f->src, uv, uv + 1, WIDTH, WIDTH, 2, WIDTH, HEIGHT, index);
    f->header = (struct header){
        .sps = &f->sps,
        .pps = &f->pps,
        .slices = f->slices,
        .nal_ref_idc = 1,
        .poc = 2 * (int32_t)index,
        .ref_count = {index ? 1 : 0},
        .marking = {.frame_num = index, .is_idr = index == 0},
    };
    for (uint32_t i = 0; i < 3; i++)
        f->slices[i] = (struct rp_h264_slice){i * 4, 4, qp, .type = type};
    f->job = (struct rp_h264_encode_job){
        .sps = &f->sps,
        .pps = &f->pps,
        .common.width_px = WIDTH,
        .common.height_px = HEIGHT,
        .common.quality_level = 2,
        .common.src = {.layout = RP_PICTURE_NV12,
                       .bit_depth = 8,
                       .width_px = WIDTH,
                       .height_px = HEIGHT,
                       .plane = {{f->src, WIDTH}, {uv, WIDTH}}},
        .slice_type = type,
        .is_idr = index == 0,
        .nal_ref_idc = 1,
        .poc = 2 * (int32_t)index,
        .ref_count = {index ? 1 : 0},
        .slices = f->slices,
        .slice_count = 3,
        .slice_size_B = f->slice_size_B,
        .common.recon = f->dpb[index],
        .write_slice_header = write_slice_header,
        .slice_header_ctx = &f->header,
        .common.dst = f->dst,
        .common.dst_capacity_B = sizeof(f->dst) - GUARD_B,
    };
    f->job.refs[0][0].picture = f->dpb[0];
}

static enum rp_codec_status
fixture_encode(struct fixture *f)
{
    const enum rp_codec_status status = f->codec->begin(f->encoder, &f->job.common, true);
    if (status != RP_CODEC_OK)
        return status;
    f->codec->encode(f->encoder, &f->job.common);
    return f->job.common.result.status;
}

static void
constant_qp_is_constant(struct fixture *f)
{
    for (int32_t qp = 0; qp <= 51; qp += 17) {
        for (uint32_t index = 0; index < 2; index++) {
            fixture_set_job(f, index, qp);
            require(fixture_encode(f) == RP_CODEC_OK, "a picture is coded");
            const struct rp_encode_result *r = &f->job.common.result;
            require(r->average_qp == (uint32_t)qp && r->min_qp == (uint32_t)qp &&
                        r->max_qp == (uint32_t)qp,
                    "each macroblock has the slice's QP");
            require(r->intra_px + r->inter_px == 256 * MB_COUNT && r->skipped_px <= r->inter_px,
                    "macroblocks are counted");
            require(f->slice_size_B[0] + f->slice_size_B[1] + f->slice_size_B[2] == r->size_B,
                    "the slices are the picture");
        }
    }
}

static void
maps_are_obeyed_exactly(struct fixture *f)
{
    int16_t map[MB_COUNT];
    for (int i = 0; i < MB_COUNT; i++)
        map[i] = (int16_t)(i % 3 - 1);

    fixture_set_job(f, 0, 20);
    f->job.common.qp_delta = map;
    require(fixture_encode(f) == RP_CODEC_OK, "a picture with a map is coded");
    require(f->job.common.result.min_qp == 19 && f->job.common.result.max_qp == 21 &&
                f->job.common.result.average_qp == 20,
            "deltas of one are not smoothed away");

    memset(map, 127, sizeof(map));
    fixture_set_job(f, 0, 20);
    f->job.common.qp_delta = map;
    require(fixture_encode(f) == RP_CODEC_OK, "a picture with large deltas is coded");
    require(f->job.common.result.min_qp == 51 && f->job.common.result.max_qp == 51,
            "QPs end at 51");
}

static void
small_ranges_are_respected(struct fixture *f)
{
    uint8_t expected[sizeof(f->dst)];
    fixture_set_job(f, 0, 26);
    require(fixture_encode(f) == RP_CODEC_OK, "the first picture is coded");
    fixture_set_job(f, 1, 26);
    require(fixture_encode(f) == RP_CODEC_OK, "the second picture is coded");
    const size_t size_B = f->job.common.result.size_B;
    memcpy(expected, f->dst, size_B);
    uint8_t recon[sizeof(f->dpb_memory[1])];
    memcpy(recon, f->dpb_memory[1], sizeof(recon));

    for (size_t capacity_B = 0; capacity_B <= size_B; capacity_B++) {
        memset(f->dst, 0xcc, sizeof(f->dst));
        memset(f->dpb_memory[1], 0, sizeof(f->dpb_memory[1]));
        fixture_set_job(f, 1, 26);
        f->job.common.dst_capacity_B = capacity_B;
        const enum rp_codec_status status = fixture_encode(f);
        require(status == (capacity_B < size_B ? RP_CODEC_NO_SPACE : RP_CODEC_OK),
                "a range that is too small is told");
        require(f->job.common.result.size_B == size_B, "the size that it takes is told");
        for (size_t i = capacity_B; i < capacity_B + GUARD_B; i++)
            require(f->dst[i] == 0xcc, "nothing is written past the range");
        require(memcmp(f->dpb_memory[1], recon, sizeof(recon)) == 0,
                "the reconstruction is complete all the same");
    }
    require(memcmp(f->dst, expected, size_B) == 0, "the range that just suffices gets the picture");
}

/* Jobs that a driver's engine does not make; each is refused and leaves the session as it was. */
static void
nonsense_is_refused(struct fixture *f)
{
    fixture_set_job(f, 0, 26);
    require(fixture_encode(f) == RP_CODEC_OK, "a picture to refer to is coded");
#define REFUSED(index, change) \
    fixture_set_job(f, index, 26); \
    change; \
    require(fixture_encode(f) == RP_CODEC_UNSUPPORTED, #change)
    REFUSED(1, f->job.ref_count[0] = 0);
    REFUSED(1, f->job.ref_count[0] = 17);
    REFUSED(1, f->job.ref_count[1] = 1);
    REFUSED(1, f->job.slice_type = RP_H264_SLICE_B);
    REFUSED(1, f->job.slice_type = 3);
    REFUSED(1, f->job.is_idr = true);
    REFUSED(1, f->job.common.recon = f->dpb[0]);
    REFUSED(1, f->job.refs[0][0].picture.slot = NULL);
    REFUSED(0, f->job.ref_count[0] = 1);
    REFUSED(0, f->job.slice_count = 0);
    REFUSED(0, f->job.slice_count = 2);
    REFUSED(0, f->slices[1].first_mb = 5);
    REFUSED(0, f->slices[2].mb_count = 5);
    REFUSED(0, f->slices[2].mb_count = UINT32_MAX);
    REFUSED(0, f->slices[1].mb_count = 0);
    REFUSED(0, f->slices[1].qp = -1);
    REFUSED(0, f->slices[1].qp = 52);
    REFUSED(0, f->job.common.src.bit_depth = 10);
    REFUSED(0, f->job.common.src.chroma = RP_CHROMA_444);
    REFUSED(0, f->job.common.width_px = WIDTH + 2);
    REFUSED(0, f->job.common.width_px = WIDTH - 1);
    REFUSED(0, f->job.common.height_px = 0);
    REFUSED(0, f->job.common.src.width_px = WIDTH - 2);
    REFUSED(0, f->job.common.src.height_px = HEIGHT - 2);
    REFUSED(0, f->slices[2].type = RP_H264_SLICE_P);
    REFUSED(1, f->slices[2].type = RP_H264_SLICE_B);
    REFUSED(1, f->slices[1].type = 3);
    REFUSED(0, f->slices[1].cabac_init_idc = 3);
    REFUSED(0, f->slices[2].disable_deblocking_filter_idc = 3);
    REFUSED(0, f->slices[0].alpha_c0_offset_div2 = 7);
    REFUSED(0, f->slices[1].beta_offset_div2 = -7);
    REFUSED(0, f->job.nal_ref_idc = 4);
    REFUSED(0, f->job.common.dst = NULL);
#undef REFUSED
    fixture_set_job(f, 1, 26);
    require(fixture_encode(f) == RP_CODEC_OK, "the session goes on");
}

/* The last column and row of an odd picture stand for those that an even one has more. */
static void
an_odd_source_goes_on(struct fixture *f)
{
    uint8_t expected[sizeof(f->dst)];

    fixture_set_job(f, 0, 20);
    for (int y = 0; y < HEIGHT; y++)
        f->src[y * WIDTH + WIDTH - 1] = f->src[y * WIDTH + WIDTH - 2];
    memcpy(f->src + (HEIGHT - 1) * WIDTH, f->src + (HEIGHT - 2) * WIDTH, WIDTH);
    require(fixture_encode(f) == RP_CODEC_OK, "an even picture is coded");
    const size_t size_B = f->job.common.result.size_B;
    memcpy(expected, f->dst, size_B);

    f->job.common.src.width_px = WIDTH - 1;
    f->job.common.src.height_px = HEIGHT - 1;
    for (int y = 0; y < HEIGHT; y++)
        f->src[y * WIDTH + WIDTH - 1] ^= 0x55;
    memset(f->src + (HEIGHT - 1) * WIDTH, 7, WIDTH);
    require(fixture_encode(f) == RP_CODEC_OK, "an odd picture is coded");
    require(f->job.common.result.size_B == size_B && memcmp(f->dst, expected, size_B) == 0,
            "as the even one that repeats its last column and row");
}

/* POCs at the ends of their range, equal ones included. */
static void
any_poc_is_survived(struct fixture *f)
{
    static const int32_t pocs[] = {0, 1, INT32_MAX, INT32_MIN, -1};

    for (size_t i = 0; i < 5; i++) {
        for (size_t j = 0; j < 5; j++) {
            fixture_set_job(f, 0, 26);
            f->job.poc = pocs[i];
            require(fixture_encode(f) == RP_CODEC_OK, "a picture with an odd POC is coded");
            fixture_set_job(f, 1, 26);
            f->job.poc = pocs[j];
            f->job.refs[0][0].poc = pocs[i];
            require(fixture_encode(f) == RP_CODEC_OK, "a reference with an odd POC serves");
            f->job.slice_type = RP_H264_SLICE_B;
            for (int k = 0; k < 3; k++)
                f->slices[k].type = RP_H264_SLICE_B;
            f->job.ref_count[1] = f->header.ref_count[1] = 1;
            f->job.refs[1][0] = f->job.refs[0][0];
            require(fixture_encode(f) == RP_CODEC_OK, "so in a B picture");
        }
    }
}

static void
write_endless_header(const void *ctx, const struct rp_h264_slice_state *slice, struct rp_bits *bits)
{
    write_slice_header(ctx, slice, bits);
    for (int i = 0; i < 1 << 16; i++)
        rp_bits_ue(bits, 0);
}

/* The image is what the reference is, as if somebody else had written it. */
static void
a_slot_of_a_failed_picture_is_its_image(struct fixture *f)
{
    uint8_t expected[sizeof(f->dst)];
    size_t size_B[2];

    for (int is_foreign = 1; is_foreign >= 0; is_foreign--) {
        fixture_set_job(f, 0, 20);
        f->job.write_slice_header = write_endless_header;
        require(fixture_encode(f) == RP_CODEC_FAILED, "a header without end is refused");
        content_fill(f->dpb_memory[0], f->dpb_memory[0] + WIDTH * HEIGHT,
                     f->dpb_memory[0] + WIDTH * HEIGHT + 1, WIDTH, WIDTH, 2, WIDTH, HEIGHT, 9);
        fixture_set_job(f, 1, 20);
        f->job.refs[0][0].is_foreign = is_foreign;
        require(fixture_encode(f) == RP_CODEC_OK, "a picture that refers to it is coded");
        size_B[is_foreign] = f->job.common.result.size_B;
        if (is_foreign)
            memcpy(expected, f->dst, size_B[1]);
    }
    require(size_B[0] == size_B[1] && memcmp(f->dst, expected, size_B[0]) == 0,
            "the slot of a failed picture is adopted");
}

/* The sample of a plane whose rows and columns go on as the last ones. */
static uint8_t
extended_sample(const struct rp_plane *plane, uint32_t x, uint32_t y, uint32_t step, uint32_t width,
                uint32_t height)
{
    const uint32_t last_x = x < width ? x : width - 1;
    const uint32_t last_y = y < height ? y : height - 1;
    return plane->data[last_y * plane->stride_B + last_x * step];
}

static int
largest_difference(const struct fixture *f)
{
    const struct rp_picture *src = &f->job.common.src;
    const bool is_i420 = src->layout == RP_PICTURE_I420;
    const uint32_t w = f->job.common.width_px, h = f->job.common.height_px;
    int largest = 0;

    for (uint32_t i = 0; i < WIDTH * HEIGHT * 3 / 2; i++) {
        const uint32_t x = i % WIDTH, y = i / WIDTH;
        const uint32_t p = x & 1 && is_i420 ? 2 : 1;
        struct rp_plane uv = src->plane[p];
        if (!is_i420)
            uv.data += x & 1;
        const int expected =
            y < HEIGHT ? extended_sample(&src->plane[0], x, y, 1, w, h)
                       : extended_sample(&uv, x / 2, y - HEIGHT, is_i420 ? 1 : 2, w / 2, h / 2);
        const int difference = abs(expected - f->dpb_memory[0][i]);
        if (difference > largest)
            largest = difference;
    }
    return largest;
}

/* Slices side by side copy their own parts of a source that cannot be used in place. */
static void
slices_have_all_of_the_source(struct fixture *f)
{
    for (uint32_t slice_count = 1; slice_count <= 3; slice_count += 2) {
        for (uint32_t is_i420 = 0; is_i420 < 2; is_i420++) {
            fixture_set_job(f, 0, 0);
            f->job.common.width_px = WIDTH - 6;
            f->job.common.height_px = HEIGHT - 10;
            f->job.slice_count = slice_count;
            if (slice_count == 1)
                f->slices[0].mb_count = MB_COUNT;
            if (is_i420) {
                uint8_t *u = f->src + WIDTH * HEIGHT, *v = u + WIDTH * HEIGHT / 4;
                content_fill(f->src, u, v, WIDTH, WIDTH / 2, 1, WIDTH, HEIGHT, 3);
                f->job.common.src.layout = RP_PICTURE_I420;
                f->job.common.src.plane[1] = (struct rp_plane){u, WIDTH / 2};
                f->job.common.src.plane[2] = (struct rp_plane){v, WIDTH / 2};
            }
            require(fixture_encode(f) == RP_CODEC_OK, "a picture of some size is coded");
            require(largest_difference(f) <= 6, "the reconstruction is the whole source");
        }
    }
}

static void
write_noted_header(const void *ctx, const struct rp_h264_slice_state *slice, struct rp_bits *bits)
{
    struct fixture *f = (struct fixture *)ctx;
    const size_t before = bits->size_bits;

    write_slice_header(&f->header, slice, bits);
    f->header_bits[slice->index] = (uint32_t)(bits->size_bits - before);
}

/* A slice for each macroblock, whose syntax is then easily found. */
static void
fixture_set_mb_slices(struct fixture *f)
{
    f->job.slice_count = MB_COUNT;
    for (uint32_t i = 0; i < MB_COUNT; i++) {
        f->slices[i] = f->slices[0];
        f->slices[i].first_mb = i;
        f->slices[i].mb_count = 1;
    }
    f->job.write_slice_header = write_noted_header;
    f->job.slice_header_ctx = f;
}

/* Noise between black and white. */
static void
no_macroblock_is_too_long(struct fixture *f)
{
    uint32_t state = 5;

    for (uint32_t i = 0; i < 32; i++) {
        f->pps.flags.entropy_coding_mode_flag = i & 1;
        fixture_set_job(f, i >> 1 & 1, i & 16 ? 8 : 0);
        f->job.common.quality_level = i % 16 / 2;
        for (size_t k = 0; k < sizeof(f->src); k++)
            f->src[k] = content_random(&state) & 64 ? 255 : 1; /* no 0 to escape */
        fixture_set_mb_slices(f);
        require(fixture_encode(f) == RP_CODEC_OK, "noise is coded");
        for (uint32_t mb = 0; mb < MB_COUNT; mb++)
            require(f->slice_size_B[mb] <= MOST_MB_B, "no macroblock has more than 3200 bits");
    }
    f->pps.flags.entropy_coding_mode_flag = 1;
}

static uint32_t
read_ue(const uint8_t *data, uint32_t *at)
{
    uint32_t zeros = 0, value = 1;

    for (; !(data[*at / 8] >> (7 - *at % 8) & 1); (*at)++)
        zeros++;
    for ((*at)++; zeros > 0; zeros--, (*at)++)
        value = 2 * value + (data[*at / 8] >> (7 - *at % 8) & 1);
    return value - 1;
}

/* Vectors of the one macroblock of a P slice in CAVLC, without those of other types than P_8x8. */
static uint32_t
vectors_of_slice(const struct fixture *f, uint32_t index, const uint8_t *nal)
{
    static const uint32_t parts[] = {1, 2, 2, 4}; /* by sub_mb_type */
    uint8_t data[32];
    size_t size = 0;
    uint32_t at = f->header_bits[index], count = 0;

    /* Start code and header byte, then without emulation prevention. */
    for (const uint8_t *p = nal + (nal[2] ? 4 : 5); size < sizeof(data); p++) {
        if (size < 2 || p[0] != 3 || p[-1] || p[-2])
            data[size++] = *p;
    }
    if (read_ue(data, &at) > 0) /* mb_skip_run */
        return 0;
    const uint32_t mb_type = read_ue(data, &at);
    for (int i = 0; i < 4 && (mb_type == 3 || mb_type == 4); i++)
        count += parts[read_ue(data, &at) & 3];
    return count;
}

struct vectors {
    uint32_t most; /* of a macroblock */
    uint32_t all;
};

/* The vectors of a picture where each 4x4 has gone elsewhere. */
static struct vectors
vectors_of_scattered_blocks(struct fixture *f, StdVideoH264ProfileIdc profile,
                            StdVideoH264LevelIdc level)
{
    struct vectors vectors = {0};
    uint32_t state = 7;
    const uint8_t *nal = f->dst;

    f->sps.profile_idc = profile;
    f->sps.level_idc = level;
    fixture_set_job(f, 0, 14);
    require(fixture_encode(f) == RP_CODEC_OK, "the reference is coded");
    fixture_set_job(f, 1, 14);
    f->job.common.quality_level = 7;
    for (uint32_t y = 0; y < HEIGHT; y += 4) {
        for (uint32_t x = 0; x < WIDTH; x += 4) {
            const uint32_t from_x = (x + content_random(&state) % 17 + WIDTH - 8) % (WIDTH - 4);
            const uint32_t from_y = (y + content_random(&state) % 17 + HEIGHT - 8) % (HEIGHT - 4);
            for (uint32_t row = 0; row < 4; row++)
                memcpy(f->src + (y + row) * WIDTH + x,
                       f->dpb_memory[0] + (from_y + row) * WIDTH + from_x, 4);
        }
    }
    fixture_set_mb_slices(f);
    require(fixture_encode(f) == RP_CODEC_OK, "a picture of scattered blocks is coded");
    for (uint32_t i = 0; i < MB_COUNT; nal += f->slice_size_B[i++]) {
        const uint32_t count = vectors_of_slice(f, i, nal);
        vectors.most = count > vectors.most ? count : vectors.most;
        vectors.all += count;
    }
    return vectors;
}

/* A.3.1: 16 of two macroblocks from level 3.1 on. A.3.3: in Baseline those of an 8x8 are near each
 * other up to level 3. */
static void
levels_bound_vectors(struct fixture *f)
{
    f->pps.flags.entropy_coding_mode_flag = 0;
    const struct vectors wanted = vectors_of_scattered_blocks(f, STD_VIDEO_H264_PROFILE_IDC_MAIN,
                                                              STD_VIDEO_H264_LEVEL_IDC_3_0);
    const struct vectors bounded = vectors_of_scattered_blocks(f, STD_VIDEO_H264_PROFILE_IDC_MAIN,
                                                               STD_VIDEO_H264_LEVEL_IDC_3_1);
    const struct vectors near = vectors_of_scattered_blocks(f, STD_VIDEO_H264_PROFILE_IDC_BASELINE,
                                                            STD_VIDEO_H264_LEVEL_IDC_3_0);
    require(wanted.most > 8, "there are many vectors where they are allowed");
    require(bounded.most <= 8, "macroblocks of level 3.1 have eight vectors at most");
    require(near.all < wanted.all, "Baseline has no small partitions that are far apart");
    f->sps.profile_idc = STD_VIDEO_H264_PROFILE_IDC_MAIN;
    f->sps.level_idc = STD_VIDEO_H264_LEVEL_IDC_4_0;
    f->pps.flags.entropy_coding_mode_flag = 1;
}

int
main(void)
{
    static struct fixture f;

    fixture_init(&f);
    constant_qp_is_constant(&f);
    maps_are_obeyed_exactly(&f);
    small_ranges_are_respected(&f);
    nonsense_is_refused(&f);
    an_odd_source_goes_on(&f);
    any_poc_is_survived(&f);
    a_slot_of_a_failed_picture_is_its_image(&f);
    slices_have_all_of_the_source(&f);
    no_macroblock_is_too_long(&f);
    levels_bound_vectors(&f);
    fixture_finish(&f);
    return failed_count > 0;
}
