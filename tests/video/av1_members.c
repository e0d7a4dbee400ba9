/* SPDX-License-Identifier: MIT */
#include "av1_members.h"

#include "test.h"

#define WIDTH_PX 200
#define HEIGHT_PX 136

struct member {
    const char *name;
    void (*set)(struct av1_picture *pic);
    const char *lines; /* what the header then has */
};

#define FLAG(flag) \
    static void flag_##flag(struct av1_picture *pic) \
    { \
        pic->std.flags.flag = 1; \
    }

FLAG(error_resilient_mode)
FLAG(disable_cdf_update)
FLAG(allow_screen_content_tools)
FLAG(frame_size_override_flag)
FLAG(frame_refs_short_signaling)
FLAG(allow_high_precision_mv)
FLAG(is_motion_mode_switchable)
FLAG(use_ref_frame_mvs)
FLAG(disable_frame_end_update_cdf)
FLAG(allow_warped_motion)
FLAG(reduced_tx_set)
FLAG(skip_mode_present)

static void
superres(struct av1_picture *pic)
{
    pic->std.flags.use_superres = 1;
    pic->std.coded_denom = 3;
}

static void
render_size(struct av1_picture *pic)
{
    pic->std.flags.render_and_frame_size_different = 1;
    pic->std.render_width_minus_1 = 318;
    pic->std.render_height_minus_1 = 179;
}

static void
fixed_filter(struct av1_picture *pic)
{
    pic->std.flags.is_filter_switchable = 0;
    pic->std.interpolation_filter = STD_VIDEO_AV1_INTERPOLATION_FILTER_EIGHTTAP_SHARP;
}

static void
integer_mv(struct av1_picture *pic)
{
    pic->std.flags.allow_screen_content_tools = pic->std.flags.force_integer_mv = 1;
}

static void
removal_time(struct av1_picture *pic)
{
    static const uint32_t times[] = {1234};
    pic->std.flags.buffer_removal_time_present_flag = 1;
    pic->std.pBufferRemovalTimes = times;
}

static void
intra_only(struct av1_picture *pic)
{
    pic->std.frame_type = STD_VIDEO_AV1_FRAME_TYPE_INTRA_ONLY;
    pic->info.predictionMode = VK_VIDEO_ENCODE_AV1_PREDICTION_MODE_INTRA_ONLY_KHR;
    pic->std.primary_ref_frame = STD_VIDEO_AV1_PRIMARY_REF_NONE;
    for (uint32_t i = 0; i < 7; i++)
        pic->info.referenceNameSlotIndices[i] = -1;
}

static void
intrabc(struct av1_picture *pic)
{
    intra_only(pic);
    pic->std.flags.allow_screen_content_tools = pic->std.flags.allow_intrabc = 1;
}

static void
switch_frame(struct av1_picture *pic)
{
    pic->std.frame_type = STD_VIDEO_AV1_FRAME_TYPE_SWITCH;
    pic->std.refresh_frame_flags = 0xff;
    pic->std.flags.error_resilient_mode = 1;
    pic->std.primary_ref_frame = STD_VIDEO_AV1_PRIMARY_REF_NONE;
}

static void
hidden(struct av1_picture *pic)
{
    pic->std.flags.show_frame = 0;
    pic->std.flags.showable_frame = 0;
    pic->std.refresh_frame_flags = 0x80; /* the chain goes on without it */
}

static void
delta_q(struct av1_picture *pic)
{
    pic->std.flags.delta_q_present = 1;
    pic->std.delta_q_res = 2;
}

static void
delta_lf(struct av1_picture *pic)
{
    delta_q(pic);
    pic->std.flags.delta_lf_present = pic->std.flags.delta_lf_multi = 1;
    pic->std.delta_lf_res = 1;
}

static void
segmentation(struct av1_picture *pic)
{
    static const StdVideoAV1Segmentation segments = {.FeatureEnabled = {1}, .FeatureData = {{9}}};
    pic->std.flags.segmentation_enabled = pic->std.flags.segmentation_update_map = 1;
    pic->std.flags.segmentation_temporal_update = pic->std.flags.segmentation_update_data = 1;
    pic->std.pSegmentation = &segments;
}

static void
restoration(struct av1_picture *pic)
{
    static const StdVideoAV1LoopRestoration wiener = {
        .FrameRestorationType = {STD_VIDEO_AV1_FRAME_RESTORATION_TYPE_WIENER,
                                 STD_VIDEO_AV1_FRAME_RESTORATION_TYPE_WIENER,
                                 STD_VIDEO_AV1_FRAME_RESTORATION_TYPE_WIENER},
        .LoopRestorationSize = {1, 1, 1},
    };
    pic->std.flags.UsesLr = pic->std.flags.usesChromaLr = 1;
    pic->std.pLoopRestoration = &wiener;
}

static void
presentation_time(struct av1_picture *pic)
{
    pic->std.frame_presentation_time = 77777;
}

static void
order_hint(struct av1_picture *pic)
{
    pic->std.order_hint = 200;
}

static void
no_primary(struct av1_picture *pic)
{
    pic->std.primary_ref_frame = STD_VIDEO_AV1_PRIMARY_REF_NONE;
}

static void
refresh(struct av1_picture *pic)
{
    pic->std.refresh_frame_flags = 0x55;
}

static void
largest_transforms(struct av1_picture *pic)
{
    pic->std.TxMode = STD_VIDEO_AV1_TX_MODE_LARGEST;
}

static void
even_tiles(struct av1_picture *pic)
{
    static const StdVideoAV1TileInfo tiles = {
        .flags.uniform_tile_spacing_flag = 1, .TileCols = 4, .TileRows = 2};
    pic->std.pTileInfo = &tiles;
}

static void
uneven_tiles(struct av1_picture *pic)
{
    static const uint16_t widths[] = {0, 2}, heights[] = {1, 0};
    static const StdVideoAV1TileInfo tiles = {
        .TileCols = 2, .TileRows = 2, .pWidthInSbsMinus1 = widths, .pHeightInSbsMinus1 = heights};
    pic->std.pTileInfo = &tiles;
}

static void
tile_choices(struct av1_picture *pic)
{
    static StdVideoAV1TileInfo tiles;
    even_tiles(pic);
    tiles = *pic->std.pTileInfo;
    tiles.context_update_tile_id = 3;
    tiles.tile_size_bytes_minus_1 = 3;
    pic->std.pTileInfo = &tiles;
}

static void
quantization(struct av1_picture *pic)
{
    static const StdVideoAV1Quantization deltas = {
        .base_q_idx = 90, .DeltaQYDc = -3, .DeltaQUDc = 4, .DeltaQUAc = -5};
    pic->std.pQuantization = &deltas;
    pic->info.constantQIndex = 90;
}

static void
separate_chroma(struct av1_picture *pic)
{
    static const StdVideoAV1Quantization deltas = {
        .flags.diff_uv_delta = 1, .DeltaQUDc = 4, .DeltaQUAc = -5, .DeltaQVDc = 6, .DeltaQVAc = 7};
    pic->std.pQuantization = &deltas;
}

static void
matrices(struct av1_picture *pic)
{
    static const StdVideoAV1Quantization q = {
        .flags.using_qmatrix = 1, .qm_y = 3, .qm_u = 4, .qm_v = 5};
    pic->std.pQuantization = &q;
}

static void
loop_filter(struct av1_picture *pic)
{
    static const StdVideoAV1LoopFilter filter = {
        .flags = {.loop_filter_delta_enabled = 1, .loop_filter_delta_update = 1},
        .loop_filter_level = {10, 20, 30, 40},
        .loop_filter_sharpness = 5,
        .update_ref_delta = 0x41,
        .loop_filter_ref_deltas = {-7, 0, 0, 0, 0, 0, 11, 0},
        .update_mode_delta = 2,
        .loop_filter_mode_deltas = {0, -13},
    };
    pic->std.pLoopFilter = &filter;
}

static void
cdef(struct av1_picture *pic)
{
    static const StdVideoAV1CDEF pairs = {
        .cdef_damping_minus_3 = 2,
        .cdef_bits = 1,
        .cdef_y_pri_strength = {9, 15},
        .cdef_y_sec_strength = {3, 1},
        .cdef_uv_pri_strength = {7, 0},
        .cdef_uv_sec_strength = {2, 3},
    };
    pic->std.pCDEF = &pairs;
}

static void
global_motion(struct av1_picture *pic)
{
    static StdVideoAV1GlobalMotion motion;
    motion.GmType[1] = 1; /* a translation of LAST_FRAME */
    motion.gm_params[1][0] = 1 << 14;
    pic->std.pGlobalMotion = &motion;
}

static void
nothing(struct av1_picture *pic)
{
    (void)pic;
}

#define ASKED_FLAG(flag) \
    { \
#flag, flag_##flag, "asked " #flag " 1\n" \
    }

static const struct member members[] = {
    {"none", nothing,
     "exact error_resilient_mode 0\nexact disable_cdf_update 0\nexact use_superres 0\n"
     "exact frame_size_override_flag 0\nexact is_filter_switchable 1\n"},
    ASKED_FLAG(error_resilient_mode),
    ASKED_FLAG(disable_cdf_update),
    ASKED_FLAG(allow_screen_content_tools),
    ASKED_FLAG(frame_size_override_flag),
    ASKED_FLAG(frame_refs_short_signaling),
    ASKED_FLAG(allow_high_precision_mv),
    ASKED_FLAG(is_motion_mode_switchable),
    ASKED_FLAG(use_ref_frame_mvs),
    ASKED_FLAG(disable_frame_end_update_cdf),
    ASKED_FLAG(allow_warped_motion),
    ASKED_FLAG(reduced_tx_set),
    ASKED_FLAG(skip_mode_present),
    {"use_superres", superres, "asked use_superres 1\nasked coded_denom 3\n"},
    {"render_and_frame_size_different", render_size,
     "exact render_and_frame_size_different 1\nexact render_width_minus_1 318\n"
     "exact render_height_minus_1 179\n"},
    {"interpolation_filter", fixed_filter,
     "asked is_filter_switchable 0\nasked interpolation_filter 2\n"},
    {"force_integer_mv", integer_mv, "asked force_integer_mv 1\n"},
    {"pBufferRemovalTimes", removal_time,
     "asked buffer_removal_time_present_flag 1\nasked buffer_removal_time[0] 1234\n"},
    {"allow_intrabc", intrabc, "asked allow_intrabc 1\n"},
    {"delta_q_present", delta_q, "asked delta_q_present 1\nasked delta_q_res 2\n"},
    {"delta_lf_present", delta_lf,
     "asked delta_lf_present 1\nasked delta_lf_multi 1\nasked delta_lf_res 1\n"},
    {"pSegmentation", segmentation,
     "asked segmentation_enabled 1\nasked segmentation_update_map 1\n"
     "asked segmentation_temporal_update 1\nasked segmentation_update_data 1\n"
     "asked feature_value[0][0] 9\n"},
    {"pLoopRestoration", restoration, "asked lr_type[0] 2\nasked lr_type[1] 2\n"},
    {"frame_presentation_time", presentation_time, "exact frame_presentation_time 77777\n"},
    {"order_hint", order_hint, "exact order_hint 200\n"},
    {"primary_ref_frame", no_primary, "exact primary_ref_frame 7\n"},
    {"refresh_frame_flags", refresh, "exact refresh_frame_flags 85\n"},
    {"TxMode", largest_transforms, "asked tx_mode 1\n"},
    {"pTileInfo, uniform", even_tiles, "asked uniform_tile_spacing_flag 1\n"},
    {"pTileInfo", uneven_tiles,
     "asked uniform_tile_spacing_flag 0\nasked width_in_sbs_minus_1[0] 0\n"
     "asked width_in_sbs_minus_1[1] 2\nasked height_in_sbs_minus_1[0] 1\n"
     "asked height_in_sbs_minus_1[1] 0\n"},
    {"context_update_tile_id", tile_choices,
     "asked context_update_tile_id 3\nasked tile_size_bytes_minus1 3\n"},
    {"pQuantization", quantization,
     "exact base_q_idx 90\nasked delta_q_y_dc.delta_q -3\nasked delta_q_u_dc.delta_q 4\n"
     "asked delta_q_u_ac.delta_q -5\n"},
    {"diff_uv_delta", separate_chroma,
     "asked diff_uv_delta 1\nasked delta_q_v_dc.delta_q 6\nasked delta_q_v_ac.delta_q 7\n"},
    {"using_qmatrix", matrices, "asked using_qmatrix 1\nasked qm_y 3\nasked qm_u 4\n"},
    {"pLoopFilter", loop_filter,
     "asked loop_filter_level[0] 10\nasked loop_filter_level[1] 20\nasked loop_filter_level[2] 30\n"
     "asked loop_filter_level[3] 40\nasked loop_filter_sharpness 5\n"
     "asked loop_filter_delta_enabled 1\nasked loop_filter_delta_update 1\n"
     "asked update_ref_delta[0] 1\nasked loop_filter_ref_deltas[0] -7\nasked update_ref_delta[1] "
     "0\n"
     "asked loop_filter_ref_deltas[6] 11\nasked update_mode_delta[1] 1\n"
     "asked loop_filter_mode_deltas[1] -13\n"},
    {"pCDEF", cdef,
     "asked cdef_damping_minus_3 2\nasked cdef_bits 1\nasked cdef_y_pri_strength[0] 9\n"
     "asked cdef_y_pri_strength[1] 15\nasked cdef_y_sec_strength[0] 3\n"
     "asked cdef_y_sec_strength[1] 1\nasked cdef_uv_pri_strength[0] 7\n"
     "asked cdef_uv_pri_strength[1] 0\nasked cdef_uv_sec_strength[0] 2\n"
     "asked cdef_uv_sec_strength[1] 3\n"},
    {"pGlobalMotion", global_motion, "asked is_global[1] 1\nasked is_translation[1] 1\n"},
    {"show_frame", hidden, "exact show_frame 0\nexact showable_frame 0\n"},
    {"frame_type, INTRA_ONLY", intra_only, "exact frame_type 2\nexact refresh_frame_flags 1\n"},
    {"frame_type, SWITCH", switch_frame, "exact frame_type 3\nexact ref_order_hint[1] 0\n"},
};

/* Refers to the picture that reference 0 of the decoder holds. */
static struct av1_picture
chained(const struct av1_application *app, uint32_t number, uint32_t last_shown)
{
    struct av1_picture pic;
    av1_picture_init(&pic, STD_VIDEO_AV1_FRAME_TYPE_INTER, number, true);
    av1_picture_name(app, &pic, 0, 0);
    pic.std.primary_ref_frame = 0;
    pic.std.refresh_frame_flags = 1;
    pic.std.current_frame_id = number;
    for (uint32_t i = 0; i < 7; i++)
        pic.std.delta_frame_id_minus_1[i] = number - last_shown - 1;
    return pic;
}

/* One picture asks for it; then a key frame, so that none depends on another. */
static void
try_member(struct av1_application *app, const struct member *member, uint32_t number, FILE *lines)
{
    struct av1_picture pic;
    av1_picture_init(&pic, STD_VIDEO_AV1_FRAME_TYPE_KEY, 0, true);
    pic.std.current_frame_id = 2 * number;
    struct av1_result result = av1_encode_picture(app, &pic, av1_free_slot(app, 0xff), number);
    REQUIRE_EQ(result.status, VK_QUERY_RESULT_STATUS_COMPLETE_KHR);
    REQUIRE(!result.has_overrides);
    (void)fprintf(lines, "picture 0\nexact frame_type 0\nexact current_frame_id %u\n", 2 * number);

    pic = chained(app, 1, 0);
    pic.std.current_frame_id = 2 * number + 1;
    for (uint32_t i = 0; i < 7; i++)
        pic.std.delta_frame_id_minus_1[i] = 0;
    member->set(&pic);
    result = av1_encode_picture(app, &pic, av1_free_slot(app, 0), number);
    if (result.status != VK_QUERY_RESULT_STATUS_COMPLETE_KHR)
        (void)fprintf(stderr, "%s\n", member->name);
    REQUIRE_EQ(result.status, VK_QUERY_RESULT_STATUS_COMPLETE_KHR);
    (void)fprintf(lines, "picture %d %s\nexact current_frame_id %u\n%s", result.has_overrides,
                  member->name, 2 * number + 1, member->lines);
    if (pic.std.frame_type == STD_VIDEO_AV1_FRAME_TYPE_INTER)
        for (uint32_t i = 0; i < 7; i++)
            (void)fprintf(lines, "exact ref_frame_idx[%u] 0\nexact delta_frame_id_minus1[%u] 0\n",
                          i, i);
}

bool
av1_members_run(struct vk *vk, FILE *stream, FILE *lines)
{
    struct av1_application *app = av1_open(vk, &(struct av1_application_options){
                                                   .width_px = WIDTH_PX,
                                                   .height_px = HEIGHT_PX,
                                                   .bit_depth = 8,
                                                   .tools = {.enable_order_hint = 1,
                                                             .enable_ref_frame_mvs = 1,
                                                             .enable_warped_motion = 1,
                                                             .enable_superres = 1,
                                                             .enable_cdef = 1,
                                                             .enable_restoration = 1,
                                                             .frame_id_numbers_present_flag = 1,
                                                             .timing_info_present_flag = 1},
                                                   .has_separate_uv_deltas = true,
                                               });
    if (!app)
        return false;
    const uint32_t count = sizeof(members) / sizeof(members[0]);
    for (uint32_t i = 0; i < count; i++)
        try_member(app, &members[i], i, lines);
    size_t size_B;
    const uint8_t *data = av1_stream(app, &size_B);
    REQUIRE_EQ(fwrite(data, 1, size_B, stream), size_B);
    av1_close(app);
    return true;
}
