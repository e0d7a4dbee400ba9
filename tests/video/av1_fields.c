/* SPDX-License-Identifier: MIT */
/* Writes a random AV1 stream, and a line for each element of its frame headers that the application
 * has asked for: av1_fields.sh holds another parser against it.
 *
 * usage: av1_fields SEED OUT.obu OUT.txt
 *
 * Lines: "picture HAS_OVERRIDES", then "exact NAME VALUE" for what no driver may override, and
 * "asked NAME VALUE" for what it may, and has to report.
 */
#include "av1_members.h"
#include "av1_random.h"

#include "test.h"

#include <stdlib.h>
#include <string.h>

static void
say(FILE *out, const char *kind, const char *name, int32_t index, int32_t value)
{
    if (index < 0)
        (void)fprintf(out, "%s %s %d\n", kind, name, value);
    else
        (void)fprintf(out, "%s %s[%d] %d\n", kind, name, index, value);
}

static void
exact(FILE *out, const char *name, int32_t value)
{
    say(out, "exact", name, -1, value);
}

static void
asked(FILE *out, const char *name, int32_t value)
{
    say(out, "asked", name, -1, value);
}

static void
say_kind(FILE *out, const StdVideoEncodeAV1PictureInfo *std, bool is_whole)
{
    exact(out, "show_existing_frame", 0);
    exact(out, "frame_type", std->frame_type);
    exact(out, "show_frame", std->flags.show_frame);
    if (!std->flags.show_frame)
        exact(out, "showable_frame", std->flags.showable_frame);
    if (!is_whole)
        asked(out, "error_resilient_mode", std->flags.error_resilient_mode);
    asked(out, "disable_cdf_update", std->flags.disable_cdf_update);
    asked(out, "allow_screen_content_tools", std->flags.allow_screen_content_tools);
    exact(out, "order_hint", std->order_hint);
    if (!is_whole)
        exact(out, "refresh_frame_flags", std->refresh_frame_flags);
    exact(out, "render_and_frame_size_different", std->flags.render_and_frame_size_different);
    if (std->flags.render_and_frame_size_different) {
        exact(out, "render_width_minus_1", std->render_width_minus_1);
        exact(out, "render_height_minus_1", std->render_height_minus_1);
    }
    if (!std->flags.disable_cdf_update)
        asked(out, "disable_frame_end_update_cdf", std->flags.disable_frame_end_update_cdf);
}

static void
say_inter(FILE *out, const StdVideoEncodeAV1PictureInfo *std)
{
    if (!std->flags.error_resilient_mode)
        exact(out, "primary_ref_frame", std->primary_ref_frame);
    for (int32_t i = 0; i < 7; i++)
        say(out, "exact", "ref_frame_idx", i, std->ref_frame_idx[i]);
    asked(out, "allow_high_precision_mv", std->flags.allow_high_precision_mv);
    asked(out, "is_filter_switchable", std->flags.is_filter_switchable);
    if (!std->flags.is_filter_switchable)
        asked(out, "interpolation_filter", std->interpolation_filter);
    asked(out, "is_motion_mode_switchable", std->flags.is_motion_mode_switchable);
}

static void
say_quantizers(FILE *out, const struct av1_picture *pic)
{
    const StdVideoAV1Quantization *q = pic->std.pQuantization;
    exact(out, "base_q_idx", (int32_t)pic->info.constantQIndex);
    if (q && q->DeltaQYDc)
        asked(out, "delta_q_y_dc.delta_q", q->DeltaQYDc);
    if (q && q->DeltaQUDc)
        asked(out, "delta_q_u_dc.delta_q", q->DeltaQUDc);
    if (q && q->DeltaQUAc)
        asked(out, "delta_q_u_ac.delta_q", q->DeltaQUAc);
    asked(out, "segmentation_enabled", pic->std.flags.segmentation_enabled);
}

static void
say_filters(FILE *out, const StdVideoEncodeAV1PictureInfo *std, bool has_cdef)
{
    const StdVideoAV1LoopFilter *filter = std->pLoopFilter;
    for (int32_t i = 0; i < 2 && filter; i++)
        say(out, "asked", "loop_filter_level", i, filter->loop_filter_level[i]);
    if (filter) {
        asked(out, "loop_filter_sharpness", filter->loop_filter_sharpness);
        asked(out, "loop_filter_delta_enabled", filter->flags.loop_filter_delta_enabled);
    }
    if (filter && filter->flags.loop_filter_delta_enabled) {
        asked(out, "loop_filter_delta_update", filter->flags.loop_filter_delta_update);
        for (int32_t i = 0; i < 8 && filter->flags.loop_filter_delta_update; i++) {
            say(out, "asked", "update_ref_delta", i, filter->update_ref_delta >> i & 1);
            if (filter->update_ref_delta >> i & 1)
                say(out, "asked", "loop_filter_ref_deltas", i, filter->loop_filter_ref_deltas[i]);
        }
    }
    const StdVideoAV1CDEF *cdef = std->pCDEF;
    if (!cdef || !has_cdef)
        return;
    asked(out, "cdef_damping_minus_3", cdef->cdef_damping_minus_3);
    asked(out, "cdef_bits", cdef->cdef_bits);
    for (int32_t i = 0; i < 1 << cdef->cdef_bits; i++) {
        say(out, "asked", "cdef_y_pri_strength", i, cdef->cdef_y_pri_strength[i]);
        say(out, "asked", "cdef_uv_sec_strength", i, cdef->cdef_uv_sec_strength[i]);
    }
}

static void
note(void *ctx, const struct av1_picture *pic, const struct av1_result *result)
{
    FILE *out = ctx;
    const StdVideoEncodeAV1PictureInfo *std = &pic->std;
    const bool is_intra = std->frame_type == STD_VIDEO_AV1_FRAME_TYPE_KEY ||
                          std->frame_type == STD_VIDEO_AV1_FRAME_TYPE_INTRA_ONLY;
    const bool is_whole =
        std->frame_type == STD_VIDEO_AV1_FRAME_TYPE_SWITCH ||
        (std->frame_type == STD_VIDEO_AV1_FRAME_TYPE_KEY && std->flags.show_frame);
    (void)fprintf(out, "picture %d\n", result->has_overrides);
    say_kind(out, std, is_whole);
    if (!is_intra)
        say_inter(out, std);
    say_quantizers(out, pic);
    say_filters(out, std, pic->has_cdef);
    asked(out, "tx_mode", std->TxMode);
    asked(out, "reduced_tx_set", std->flags.reduced_tx_set);
}

int
main(int argc, char **argv)
{
    struct vk vk;
    REQUIRE(argc == 4);
    FILE *stream = fopen(argv[2], "wb");
    FILE *lines = fopen(argv[3], "w");
    REQUIRE(stream && lines);
    vk_open(&vk);
    const bool is_there =
        strcmp(argv[1], "members") == 0
            ? av1_members_run(&vk, stream, lines)
            : av1_random_run(&vk, &(struct av1_random_options){.seed = strtoull(argv[1], NULL, 10),
                                                               .note = note,
                                                               .ctx = lines,
                                                               .out = stream});
    vk_close(&vk);
    REQUIRE(fclose(stream) == 0 && fclose(lines) == 0);
    return is_there ? 0 : 77;
}
