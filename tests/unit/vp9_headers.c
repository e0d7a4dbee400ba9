/* SPDX-License-Identifier: MIT */
/* VP9 headers that are written of Vulkan's structures say what these say: an application's reader
 * of its own finds the same in them. What no header can say is not written.
 */
#include "test.h"

#include "tests/codec_vp9/headers.h"
#include "video/vp9/header.h"

#include <string.h>

#define FRAMES 20000

static uint64_t seed = 1;

static uint32_t
below(uint32_t n)
{
    return test_random(&seed) % n;
}

struct frame {
    struct rp_vp9_frame frame;
    StdVideoDecodeVP9PictureInfo std;
    StdVideoVP9ColorConfig color;
    StdVideoVP9LoopFilter loop_filter;
    StdVideoVP9Segmentation segmentation;
};

static void
loop_filter_make(StdVideoVP9LoopFilter *filter)
{
    *filter = (StdVideoVP9LoopFilter){
        .flags = {.loop_filter_delta_enabled = below(2)},
        .loop_filter_level = (uint8_t)below(64),
        .loop_filter_sharpness = (uint8_t)below(8),
    };
    filter->flags.loop_filter_delta_update = filter->flags.loop_filter_delta_enabled ? below(2) : 0;
    for (uint32_t i = 0; i < STD_VIDEO_VP9_MAX_REF_FRAMES; i++)
        filter->loop_filter_ref_deltas[i] = (int8_t)((int32_t)below(127) - 63);
    for (uint32_t i = 0; i < STD_VIDEO_VP9_LOOP_FILTER_ADJUSTMENTS; i++)
        filter->loop_filter_mode_deltas[i] = (int8_t)((int32_t)below(127) - 63);
}

static void
segmentation_make(StdVideoVP9Segmentation *seg)
{
    *seg = (StdVideoVP9Segmentation){
        .flags = {.segmentation_update_map = below(2), .segmentation_update_data = below(2)},
    };
    seg->flags.segmentation_temporal_update = seg->flags.segmentation_update_map ? below(2) : 0;
    seg->flags.segmentation_abs_or_delta_update =
        seg->flags.segmentation_update_data ? below(2) : 0;
    for (uint32_t i = 0; i < STD_VIDEO_VP9_MAX_SEGMENTATION_TREE_PROBS; i++)
        seg->segmentation_tree_probs[i] = (uint8_t)(below(3) ? below(256) : 255);
    for (uint32_t i = 0; i < STD_VIDEO_VP9_MAX_SEGMENTATION_PRED_PROB; i++)
        seg->segmentation_pred_prob[i] =
            (uint8_t)(seg->flags.segmentation_temporal_update ? below(256) : 255);
    for (uint32_t i = 0; i < STD_VIDEO_VP9_MAX_SEGMENTS; i++) {
        seg->FeatureEnabled[i] = (uint8_t)below(16);
        const int16_t values[] = {(int16_t)((int32_t)below(511) - 255),
                                  (int16_t)((int32_t)below(127) - 63), (int16_t)below(4), 0};
        for (uint32_t j = 0; j < STD_VIDEO_VP9_SEG_LVL_MAX; j++)
            seg->FeatureData[i][j] = seg->FeatureEnabled[i] >> j & 1 ? values[j] : 0;
    }
}

static uint32_t
tile_cols_log2(uint32_t width_px)
{
    const uint32_t width_b64 = (width_px + 63) / 64;
    uint32_t least = 0;
    uint32_t most = 0;
    while (64u << least < width_b64)
        least++;
    while (width_b64 >> (most + 1) >= 4)
        most++;
    return most > least ? least + below(most - least + 1) : least;
}

static void
frame_make(struct frame *f)
{
    const bool is_key = below(3) == 0;
    *f = (struct frame){.frame = {.width_px = 1 + below(below(4) ? 600 : 8192),
                                  .height_px = 1 + below(4352),
                                  .compressed_header_B = 1 + below(65535)}};
    StdVideoDecodeVP9PictureInfo *std = &f->std;
    std->profile = below(2) ? STD_VIDEO_VP9_PROFILE_0 : STD_VIDEO_VP9_PROFILE_2;
    f->frame.bit_depth = std->profile == STD_VIDEO_VP9_PROFILE_0 ? 8 : 10;
    std->frame_type = is_key ? STD_VIDEO_VP9_FRAME_TYPE_KEY : STD_VIDEO_VP9_FRAME_TYPE_NON_KEY;
    std->flags.show_frame = below(2);
    std->flags.error_resilient_mode = below(2);
    std->flags.intra_only = is_key || std->flags.show_frame ? 0 : below(2);
    const bool is_inter = !is_key && !std->flags.intra_only;
    std->reset_frame_context = is_key || std->flags.error_resilient_mode ? 0 : (uint8_t)below(4);
    std->refresh_frame_flags = (uint8_t)(is_key ? 0xff : below(256));
    std->flags.frame_parallel_decoding_mode = std->flags.error_resilient_mode ? 1 : below(2);
    std->flags.refresh_frame_context = std->flags.error_resilient_mode ? 0 : below(2);
    std->frame_context_idx = (uint8_t)below(4);
    if (is_inter) {
        std->flags.allow_high_precision_mv = below(2);
        std->interpolation_filter = (StdVideoVP9InterpolationFilter)below(5);
        std->ref_frame_sign_bias_mask = (uint8_t)(below(8) << 1);
        for (uint32_t i = 0; i < RP_VP9_REFS_PER_FRAME; i++)
            f->frame.ref_frame_idx[i] = (uint8_t)below(8);
    }
    std->base_q_idx = (uint8_t)below(256);
    std->delta_q_y_dc = (int8_t)((int32_t)below(31) - 15);
    std->delta_q_uv_dc = (int8_t)((int32_t)below(31) - 15);
    std->delta_q_uv_ac = (int8_t)((int32_t)below(31) - 15);
    std->flags.segmentation_enabled = below(2);
    std->tile_cols_log2 = (uint8_t)tile_cols_log2(f->frame.width_px);
    std->tile_rows_log2 = (uint8_t)below(3);
    f->color.flags.color_range = below(2);
    loop_filter_make(&f->loop_filter);
    segmentation_make(&f->segmentation);
    std->pColorConfig = &f->color;
    std->pLoopFilter = &f->loop_filter;
    std->pSegmentation = &f->segmentation;
    f->frame.std = std;
}

static void
require_same_filter(const StdVideoVP9LoopFilter *a, const StdVideoVP9LoopFilter *b)
{
    REQUIRE_EQ(a->loop_filter_level, b->loop_filter_level);
    REQUIRE_EQ(a->loop_filter_sharpness, b->loop_filter_sharpness);
    REQUIRE_EQ(a->flags.loop_filter_delta_enabled, b->flags.loop_filter_delta_enabled);
    REQUIRE_EQ(a->flags.loop_filter_delta_update, b->flags.loop_filter_delta_update);
    if (!a->flags.loop_filter_delta_update)
        return;
    REQUIRE(memcmp(a->loop_filter_ref_deltas, b->loop_filter_ref_deltas,
                   sizeof(a->loop_filter_ref_deltas)) == 0);
    REQUIRE(memcmp(a->loop_filter_mode_deltas, b->loop_filter_mode_deltas,
                   sizeof(a->loop_filter_mode_deltas)) == 0);
}

static void
require_same_segments(const StdVideoVP9Segmentation *a, const StdVideoVP9Segmentation *b)
{
    REQUIRE(memcmp(&a->flags, &b->flags, sizeof(a->flags)) == 0);
    if (a->flags.segmentation_update_map) {
        REQUIRE(memcmp(a->segmentation_tree_probs, b->segmentation_tree_probs,
                       sizeof(a->segmentation_tree_probs)) == 0);
        REQUIRE(memcmp(a->segmentation_pred_prob, b->segmentation_pred_prob,
                       sizeof(a->segmentation_pred_prob)) == 0);
    }
    if (a->flags.segmentation_update_data) {
        REQUIRE(memcmp(a->FeatureEnabled, b->FeatureEnabled, sizeof(a->FeatureEnabled)) == 0);
        REQUIRE(memcmp(a->FeatureData, b->FeatureData, sizeof(a->FeatureData)) == 0);
    }
}

static void
require_same(const struct frame *f, const struct vp9_header *read)
{
    StdVideoDecodeVP9PictureInfo a = f->std;
    StdVideoDecodeVP9PictureInfo b = read->std;
    b.flags.UsePrevFrameMvs = 0; /* what the reader makes of several headers */
    a.pColorConfig = b.pColorConfig = NULL;
    a.pLoopFilter = b.pLoopFilter = NULL;
    a.pSegmentation = b.pSegmentation = NULL;
    REQUIRE(memcmp(&a, &b, sizeof(a)) == 0);
    REQUIRE_EQ(f->frame.width_px, read->width_px);
    REQUIRE_EQ(f->frame.height_px, read->height_px);
    REQUIRE_EQ(f->frame.compressed_header_B, read->compressed_B);
    REQUIRE(memcmp(f->frame.ref_frame_idx, read->ref_frame_idx, sizeof(read->ref_frame_idx)) == 0);
    require_same_filter(&f->loop_filter, &read->loop_filter);
    if (f->std.flags.segmentation_enabled)
        require_same_segments(&f->segmentation, &read->segmentation);
}

static void
headers_say_what_the_structures_say(void)
{
    for (uint32_t i = 0; i < FRAMES; i++) {
        static struct frame f;
        struct vp9_state state = {.last_width_px = 0};
        struct vp9_header read;
        uint8_t header[RP_VP9_MAX_HEADER_B];
        frame_make(&f);
        const size_t size_B = rp_vp9_header_write(&f.frame, header);
        REQUIRE(size_B > 0);
        REQUIRE(vp9_header_read(&state, header, size_B, &read));
        REQUIRE_EQ(read.uncompressed_B, size_B);
        require_same(&f, &read);
    }
}

#define VALUES(X) \
    X(f.std.pLoopFilter = NULL) \
    X((f.std.flags.segmentation_enabled = 1, f.std.pSegmentation = NULL)) \
    X(f.std.profile = STD_VIDEO_VP9_PROFILE_1) \
    X(f.std.profile = STD_VIDEO_VP9_PROFILE_3) \
    X(f.std.profile = STD_VIDEO_VP9_PROFILE_INVALID) \
    X(f.std.frame_context_idx = 4) \
    X(f.std.delta_q_y_dc = 16) \
    X(f.std.delta_q_uv_dc = -128) \
    X(f.std.tile_cols_log2 = 7) \
    X(f.std.tile_rows_log2 = 3) \
    X(f.loop_filter.loop_filter_level = 64) \
    X(f.loop_filter.loop_filter_sharpness = 8) \
    X(f.frame.width_px = 65537) \
    X(f.frame.height_px = 0) \
    X(f.frame.compressed_header_B = 65536)

static void
values_that_no_header_can_say(void)
{
    uint8_t header[RP_VP9_MAX_HEADER_B];
#define TRY(change) \
    { \
        static struct frame f; \
        frame_make(&f); \
        REQUIRE(rp_vp9_header_write(&f.frame, header) > 0); \
        change; \
        REQUIRE_EQ(rp_vp9_header_write(&f.frame, header), 0); \
    }
    VALUES(TRY)
#undef TRY
}

int
main(void)
{
    headers_say_what_the_structures_say();
    values_that_no_header_can_say();
    return 0;
}
