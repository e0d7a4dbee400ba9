/* SPDX-License-Identifier: MIT */
/* AV1's headers from structures: what is written is read as it was, what is illegal is refused in
 * both directions.
 */
#include "video/av1/obu.h"
#include "video/av1/state.h"

#include "test.h"

#define MAX_HEADER_B 2048

/* 4:2:0, 8 bit, 640x368, every tool, ids and times. */
static struct rp_av1_sequence
good_sequence(void)
{
    return (struct rp_av1_sequence){
        .timing_info_present_flag = true,
        .timing = {.num_units_in_display_tick = 1,
                   .time_scale = 50,
                   .decoder_model_info_present_flag = true,
                   .buffer_delay_length_minus_1 = 9,
                   .num_units_in_decoding_tick = 1,
                   .buffer_removal_time_length_minus_1 = 9,
                   .frame_presentation_time_length_minus_1 = 9},
        .operating_points_cnt_minus_1 = 1,
        .operating_points = {{.operating_point_idc = 0x103, .seq_level_idx = 8},
                             {.operating_point_idc = 0x101, .seq_level_idx = 8}},
        .frame_width_bits_minus_1 = 9,
        .frame_height_bits_minus_1 = 9,
        .max_frame_width_minus_1 = 639,
        .max_frame_height_minus_1 = 367,
        .frame_id_numbers_present_flag = true,
        .delta_frame_id_length_minus_2 = 12,
        .additional_frame_id_length_minus_1 = 0,
        .enable_warped_motion = true,
        .enable_order_hint = true,
        .enable_ref_frame_mvs = true,
        .seq_force_screen_content_tools = RP_AV1_SELECT_SCREEN_CONTENT_TOOLS,
        .seq_force_integer_mv = RP_AV1_SELECT_INTEGER_MV,
        .order_hint_bits = 7,
        .enable_superres = true,
        .enable_cdef = true,
        .enable_restoration = true,
        .color = {.bit_depth = 8,
                  .color_description_present_flag = true,
                  .color_primaries = 1,
                  .transfer_characteristics = 1,
                  .matrix_coefficients = 1},
        .film_grain_params_present = true,
    };
}

static struct rp_av1_frame
good_key_frame(void)
{
    return (struct rp_av1_frame){
        .frame_type = RP_AV1_KEY_FRAME,
        .show_frame = true,
        .current_frame_id = 100,
        .tiles = {.uniform_tile_spacing_flag = true},
        .quantization = {.base_q_idx = 90},
    };
}

/* Everything refers to the key frame; with grain, and motion of LAST_FRAME. */
static struct rp_av1_frame
good_inter_frame(void)
{
    struct rp_av1_frame frame = {
        .frame_type = RP_AV1_INTER_FRAME,
        .show_frame = true,
        .current_frame_id = 101,
        .order_hint = 1,
        .primary_ref_frame = 0,
        .refresh_frame_flags = 1,
        .frame_size_override_flag = true,
        .size = {.upscaled_width = 600, .frame_height = 300},
        .tiles = {.uniform_tile_spacing_flag = true, .tile_cols_log2 = 1},
        .quantization = {.base_q_idx = 90, .u_dc = {.value = -3}},
        .film_grain = {.apply_grain = true,
                       .update_grain = true,
                       .model = {.num_y_points = 2,
                                 .point_y = {{10, 20}, {30, 40}},
                                 .num_cb_points = 1,
                                 .num_cr_points = 1}},
    };
    frame.global_motion.type[1] = RP_AV1_ROTZOOM;
    rp_av1_motion_params_init(&frame.global_motion.params);
    frame.global_motion.params.gm_params[1][2] += 32 << 1;
    frame.global_motion.params.gm_params[1][0] = 5 << 10;
    return frame;
}

/* After the key frame. */
static struct rp_av1_state
state_after_key_frame(void)
{
    const struct rp_av1_sequence seq = good_sequence();
    struct rp_av1_state state = {0};
    const struct rp_av1_frame key = good_key_frame();
    uint8_t data[MAX_HEADER_B];
    size_t size_B;
    size_t size_bits;
    struct rp_av1_frame read;
    REQUIRE_EQ(rp_av1_sequence_write(&seq, data, sizeof(data), &size_B), RP_AV1_OK);
    REQUIRE_EQ(rp_av1_sequence_read(data, size_B, &state.sequence), RP_AV1_OK);
    REQUIRE_EQ(rp_av1_frame_write(&key, &state, data, sizeof(data), &size_bits), RP_AV1_OK);
    REQUIRE_EQ(rp_av1_frame_read(data, sizeof(data), &state, &read, &size_bits), RP_AV1_OK);
    REQUIRE_EQ(read.size.upscaled_width, 640);
    REQUIRE_EQ(read.refresh_frame_flags, 0xff);
    rp_av1_state_update(&state, &read);
    return state;
}

static void
headers_of_structures_are_read_as_they_were(void)
{
    const struct rp_av1_sequence seq = good_sequence();
    struct rp_av1_sequence seq_read;
    uint8_t data[MAX_HEADER_B];
    size_t size_B;
    REQUIRE_EQ(rp_av1_sequence_write(&seq, data, sizeof(data), &size_B), RP_AV1_OK);
    REQUIRE_EQ(rp_av1_sequence_read(data, size_B, &seq_read), RP_AV1_OK);
    REQUIRE_EQ(seq_read.timing.time_scale, 50);
    REQUIRE_EQ(seq_read.operating_points[1].operating_point_idc, 0x101);
    REQUIRE_EQ(seq_read.order_hint_bits, 7);
    REQUIRE(seq_read.color.subsampling_y);

    const struct rp_av1_state state = state_after_key_frame();
    const struct rp_av1_frame frame = good_inter_frame();
    struct rp_av1_frame read;
    size_t size_bits;
    REQUIRE_EQ(rp_av1_frame_write(&frame, &state, data, sizeof(data), &size_bits), RP_AV1_OK);
    REQUIRE_EQ(rp_av1_frame_read(data, sizeof(data), &state, &read, &size_bits), RP_AV1_OK);
    REQUIRE_EQ(read.size.upscaled_width, 600);
    REQUIRE_EQ(read.quantization.v_dc.value, -3);
    REQUIRE_EQ(read.tiles.tile_cols, 2);
    REQUIRE_EQ(read.global_motion.type[1], RP_AV1_ROTZOOM);
    REQUIRE_EQ(read.global_motion.params.gm_params[1][5], RP_AV1_WARPED_MODEL_ONE + 64);
    REQUIRE_EQ(read.global_motion.params.gm_params[1][0], 5 << 10);
    REQUIRE_EQ(read.film_grain.model.point_y[1].scaling, 40);
    REQUIRE_EQ(read.loop_filter.deltas.ref[0], 1);
}

/* Three tiles of a frame of 10 times 5 superblocks. */
static void
cut_three_tiles(struct rp_av1_tile_info *tiles)
{
    *tiles =
        (struct rp_av1_tile_info){.width_in_sbs_minus_1 = {3, 3, 1}, .height_in_sbs_minus_1 = {4}};
}

/* One thing that is wrong with a good sequence header. */
#define SEQUENCE_FAULTS(X) \
    X(seq->seq_profile = 3) \
    X(seq->reduced_still_picture_header = true) \
    X(seq->timing.time_scale = 0) \
    X(seq->timing.num_units_in_display_tick = 0) \
    X(seq->timing.num_units_in_decoding_tick = 0) \
    X(seq->operating_points[1] = seq->operating_points[0]) \
    X(seq->additional_frame_id_length_minus_1 = 2) \
    X(seq->color.matrix_coefficients = 0) \
    X(seq->color.chroma_sample_position = 3)

/* ... that has no code. */
#define SEQUENCE_MISFITS(X) \
    X(seq->operating_points_cnt_minus_1 = 32) \
    X(seq->max_frame_width_minus_1 = 1024) \
    X(seq->order_hint_bits = 9) \
    X(seq->color.bit_depth = 12) \
    X(seq->color.bit_depth = 9) \
    X(seq->seq_force_integer_mv = 3)

/* One thing that is wrong with a good inter frame behind a key frame. */
#define FRAME_FAULTS(X) \
    X(frame->show_existing_frame = true) /* key frames cannot be shown again */ \
    X(frame->current_frame_id = 100) \
    X(frame->current_frame_id = 40000) \
    X(state->references[0].is_valid = false) \
    X(state->references[0].frame_id = 99) \
    X(frame->size.upscaled_width = 641) \
    X(frame->size.frame_height = 369) \
    X(frame->size.upscaled_width = 319) \
    X(state->references[0].size.frame_height = 18) \
    X(state->references[0].color.bit_depth = 10) \
    X(cut_three_tiles(&frame->tiles); frame->tiles.context_update_tile_id = 3) \
    X(state->sequence.still_picture = true) \
    X(frame->frame_type = RP_AV1_INTRA_ONLY_FRAME; frame->refresh_frame_flags = 0xff) \
    X(frame->frame_refs_short_signaling = true; frame->order_hint = 0) \
    X(frame->film_grain.model.num_y_points = 15) \
    X(frame->film_grain.model.num_cb_points = 11) \
    X(frame->film_grain.model.point_y[1].value = 10) \
    X(frame->film_grain.model.num_cr_points = 0) \
    X(frame->film_grain.update_grain = false; frame->film_grain.film_grain_params_ref_idx = 5)

#define FRAME_MISFITS(X) \
    X(frame->frame_type = 4) \
    X(frame->order_hint = 128) \
    X(frame->primary_ref_frame = 8) \
    X(frame->ref_frame_idx[6] = 8) \
    X(frame->size.upscaled_width = 0) \
    X(frame->interpolation_filter = 5) \
    X(frame->tiles.tile_cols_log2 = 5) \
    X(frame->tiles.context_update_tile_id = 2) \
    X(cut_three_tiles(&frame->tiles); frame->tiles.width_in_sbs_minus_1[2] = 2) \
    X(frame->quantization.base_q_idx = 256) \
    X(frame->quantization.u_dc.value = 64) \
    X(frame->loop_filter.level[0] = 64) \
    X(frame->cdef.bits = 4) \
    X(frame->loop_restoration.type[0] = 4) \
    X(frame->loop_restoration.type[0] = 1; frame->loop_restoration.unit_shift = 3) \
    X(frame->global_motion.params.gm_params[1][2] += 1) \
    X(frame->global_motion.params.gm_params[1][2] = 1 << 18) \
    X(frame->film_grain.grain_seed = 1 << 16)

static bool
spoil_sequence(struct rp_av1_sequence *seq, uint32_t which, bool *has_code)
{
    uint32_t i = 0;
#define SPOIL(...) \
    if (which == i++) { \
        __VA_ARGS__; \
        return true; \
    }
    *has_code = true;
    SEQUENCE_FAULTS(SPOIL)
    *has_code = false;
    SEQUENCE_MISFITS(SPOIL)
    return false;
}

static bool
spoil_frame(struct rp_av1_state *state, struct rp_av1_frame *frame, uint32_t which, bool *has_code)
{
    uint32_t i = 0;
    *has_code = true;
    FRAME_FAULTS(SPOIL)
    *has_code = false;
    FRAME_MISFITS(SPOIL)
#undef SPOIL
    return false;
}

static void
illegal_sequence_headers_are_refused(void)
{
    bool has_code;
    struct rp_av1_sequence seq = good_sequence();
    uint32_t count = 0;
    for (; spoil_sequence(&seq, count, &has_code); count++) {
        uint8_t data[MAX_HEADER_B] = {0};
        size_t size_B;
        (void)fprintf(stderr, "  fault %u\n", count);
        REQUIRE_EQ(rp_av1_sequence_write(&seq, data, sizeof(data), &size_B), RP_AV1_ILLEGAL);
        /* What was written has the fault in it. */
        if (has_code)
            REQUIRE(rp_av1_sequence_read(data, sizeof(data), &seq) != RP_AV1_OK);
        seq = good_sequence();
    }
    REQUIRE(count == 15);
}

static void
illegal_frame_headers_are_refused(void)
{
    bool has_code;
    struct rp_av1_state state = state_after_key_frame();
    struct rp_av1_frame frame = good_inter_frame();
    uint32_t count = 0;
    for (; spoil_frame(&state, &frame, count, &has_code); count++) {
        uint8_t data[MAX_HEADER_B] = {0};
        size_t size_bits;
        (void)fprintf(stderr, "  fault %u\n", count);
        REQUIRE_EQ(rp_av1_frame_write(&frame, &state, data, sizeof(data), &size_bits),
                   RP_AV1_ILLEGAL);
        if (has_code)
            REQUIRE(rp_av1_frame_read(data, sizeof(data), &state, &frame, &size_bits) != RP_AV1_OK);
        state = state_after_key_frame();
        frame = good_inter_frame();
    }
    REQUIRE(count == 37);
}

/* Numbers of a frame that nothing in front of the writer checks. */
/* clang-format off */
#define FRAME_NUMBERS(X) \
    X(frame_to_show_map_idx) X(frame_presentation_time) X(current_frame_id) X(frame_type) \
    X(order_hint) X(primary_ref_frame) X(buffer_removal_time[0]) X(refresh_frame_flags) \
    X(ref_order_hint[7]) X(ref_frame_idx[0]) X(ref_frame_idx[3]) X(delta_frame_id_minus_1[2]) \
    X(size.upscaled_width) X(size.frame_height) X(size.render_width) X(size.coded_denom) \
    X(interpolation_filter) X(tiles.tile_cols_log2) X(tiles.tile_rows_log2) \
    X(tiles.width_in_sbs_minus_1[0]) X(tiles.height_in_sbs_minus_1[1]) \
    X(tiles.context_update_tile_id) X(tiles.tile_size_bytes_minus_1) X(quantization.base_q_idx) \
    X(quantization.y_dc.value) X(quantization.qm_v) X(segmentation.data.feature_value[1][0]) \
    X(segmentation.data.feature_value[2][5]) X(block_deltas.delta_q_res) \
    X(loop_filter.level[0]) X(loop_filter.deltas.ref[2]) X(cdef.damping_minus_3) X(cdef.bits) \
    X(cdef.uv_sec_strength[0]) X(loop_restoration.type[2]) X(loop_restoration.unit_shift) \
    X(loop_restoration.uv_shift) X(global_motion.params.gm_params[1][0]) \
    X(global_motion.params.gm_params[1][3]) X(film_grain.grain_seed) \
    X(film_grain.film_grain_params_ref_idx) X(film_grain.model.num_y_points) \
    X(film_grain.model.point_y[0].value) X(film_grain.model.num_cb_points) \
    X(film_grain.model.ar_coeff_lag) X(film_grain.model.cb_offset)

/* Flags that open other ways through the syntax. */
#define FRAME_FLAGS(X) \
    X(show_existing_frame) X(error_resilient_mode) X(frame_refs_short_signaling) \
    X(frame_size_override_flag) X(found_ref[4]) X(allow_screen_content_tools) \
    X(size.render_and_frame_size_different) X(size.use_superres) \
    X(buffer_removal_time_present_flag) X(tiles.uniform_tile_spacing_flag) \
    X(quantization.using_qmatrix) X(segmentation.segmentation_enabled) \
    X(segmentation.segmentation_update_data) X(segmentation.data.feature_enabled[1][0]) \
    X(segmentation.data.feature_enabled[2][5]) X(block_deltas.delta_q_present) \
    X(block_deltas.delta_lf_present) X(loop_filter.delta_enabled) X(loop_filter.delta_update) \
    X(loop_filter.update_ref_delta[2]) X(film_grain.update_grain) \
    X(film_grain.model.chroma_scaling_from_luma)
/* clang-format on */

static void
change_numbers(struct rp_av1_frame *frame, uint64_t *seed)
{
    static const uint32_t values[] = {0, 1, 3, 7, 63, 255, 0x7fffffff, 0x80000000, 0xffffffff};
    const uint32_t count = sizeof(values) / sizeof(values[0]);
#define CHANGE(field) \
    if (test_random(seed) % 64 == 0) \
        *(uint32_t *)&frame->field = values[test_random(seed) % count];
#define FLIP(field) \
    if (test_random(seed) % 8 == 0) \
        frame->field = !frame->field;
    FRAME_NUMBERS(CHANGE)
    FRAME_FLAGS(FLIP)
#undef CHANGE
#undef FLIP
}

static void
any_structure_is_refused_or_read_as_it_was_written(void)
{
    const struct rp_av1_state state = state_after_key_frame();
    uint64_t seed = 1;
    uint32_t legal_count = 0;
    for (uint32_t i = 0; i < 20000; i++) {
        struct rp_av1_frame frame = good_inter_frame();
        uint8_t data[MAX_HEADER_B] = {0};
        uint8_t again[MAX_HEADER_B] = {0};
        size_t size_bits;
        size_t again_bits;
        change_numbers(&frame, &seed);
        if (rp_av1_frame_write(&frame, &state, data, sizeof(data), &size_bits) != RP_AV1_OK)
            continue;
        legal_count++;
        REQUIRE_EQ(rp_av1_frame_read(data, sizeof(data), &state, &frame, &again_bits), RP_AV1_OK);
        REQUIRE_EQ(again_bits, size_bits);
        REQUIRE_EQ(rp_av1_frame_write(&frame, &state, again, sizeof(again), &again_bits),
                   RP_AV1_OK);
        REQUIRE_BYTES(again, data, (size_bits + 7) / 8);
    }
    REQUIRE(legal_count > 2000);
}

static void
headers_that_end_early_are_truncated(void)
{
    const struct rp_av1_state state = state_after_key_frame();
    const struct rp_av1_frame frame = good_inter_frame();
    struct rp_av1_frame read;
    uint8_t data[MAX_HEADER_B];
    size_t size_bits;
    REQUIRE_EQ(rp_av1_frame_write(&frame, &state, data, sizeof(data), &size_bits), RP_AV1_OK);
    const size_t size_B = (size_bits + 7) / 8;
    for (size_t cut_B = 0; cut_B < size_B; cut_B++) {
        REQUIRE_EQ(rp_av1_frame_read(data, cut_B, &state, &read, &size_bits), RP_AV1_TRUNCATED);
        size_t needed_bits;
        REQUIRE_EQ(rp_av1_frame_write(&frame, &state, data, cut_B, &needed_bits), RP_AV1_NO_SPACE);
        REQUIRE_EQ((needed_bits + 7) / 8, size_B);
    }
    REQUIRE_EQ(rp_av1_frame_read(data, size_B, &state, &read, &size_bits), RP_AV1_OK);
}

static void
a_key_frame_that_is_shown_later_replaces_all_references(void)
{
    struct rp_av1_state state = state_after_key_frame();
    struct rp_av1_frame hidden = good_key_frame();
    hidden.show_frame = false;
    hidden.showable_frame = true;
    hidden.current_frame_id = 101;
    hidden.refresh_frame_flags = 4;
    hidden.order_hint = 9;
    uint8_t data[MAX_HEADER_B];
    size_t size_bits;
    struct rp_av1_frame read;
    REQUIRE_EQ(rp_av1_frame_write(&hidden, &state, data, sizeof(data), &size_bits), RP_AV1_OK);
    REQUIRE_EQ(rp_av1_frame_read(data, sizeof(data), &state, &read, &size_bits), RP_AV1_OK);
    rp_av1_state_update(&state, &read);
    REQUIRE_EQ(state.references[1].frame_id, 100);
    REQUIRE_EQ(state.references[2].frame_id, 101);

    const struct rp_av1_frame show = {
        .show_existing_frame = true, .frame_to_show_map_idx = 2, .current_frame_id = 101};
    REQUIRE_EQ(rp_av1_frame_write(&show, &state, data, sizeof(data), &size_bits), RP_AV1_OK);
    REQUIRE_EQ(rp_av1_frame_read(data, sizeof(data), &state, &read, &size_bits), RP_AV1_OK);
    rp_av1_state_update(&state, &read);
    for (uint32_t i = 0; i < RP_AV1_REFERENCES; i++)
        REQUIRE_EQ(state.references[i].order_hint, 9);
    REQUIRE_EQ(rp_av1_frame_write(&show, &state, data, sizeof(data), &size_bits), RP_AV1_ILLEGAL);
}

/* get_relative_dist(0, 64) and get_relative_dist(64, 0) are both -64, of seven bits (5.9.3). */
static void
a_frame_half_the_range_away_counts_as_earlier(void)
{
    struct rp_av1_state state = state_after_key_frame();
    struct rp_av1_frame frame = good_inter_frame();
    uint8_t data[MAX_HEADER_B];
    size_t size_bits;
    struct rp_av1_frame read;
    state.references[1].order_hint = 127;
    frame.ref_frame_idx[1] = 1;
    frame.order_hint = 64;
    frame.reference_select = true;
    frame.skip_mode_present = true;
    REQUIRE_EQ(rp_av1_frame_write(&frame, &state, data, sizeof(data), &size_bits), RP_AV1_OK);
    REQUIRE_EQ(rp_av1_frame_read(data, sizeof(data), &state, &read, &size_bits), RP_AV1_OK);
    REQUIRE(read.skip_mode_present);
    REQUIRE_EQ(read.skip_mode_frame[0], 1);
    REQUIRE_EQ(read.skip_mode_frame[1], 2);
}

static void
obu_sizes_keep_their_form(void)
{
    const uint8_t padded[] = {0x12, 0x85, 0x80, 0x00, 1, 2, 3, 4, 5};
    struct rp_av1_obu_header header;
    size_t header_B;
    uint8_t written[RP_AV1_MAX_OBU_HEADER_B];
    REQUIRE_EQ(rp_av1_obu_header_read(padded, sizeof(padded), &header, &header_B), RP_AV1_OK);
    REQUIRE_EQ(header.obu_type, RP_AV1_OBU_TEMPORAL_DELIMITER);
    REQUIRE_EQ(header.payload_B, 5);
    REQUIRE_EQ(header_B, 4);
    REQUIRE_EQ(rp_av1_obu_header_write(&header, written, sizeof(written), &header_B), RP_AV1_OK);
    REQUIRE_EQ(header_B, 4);
    REQUIRE_BYTES(written, padded, 4);
    header.size_field_B = 0;
    header.payload_B = 300;
    REQUIRE_EQ(rp_av1_obu_header_write(&header, written, sizeof(written), &header_B), RP_AV1_OK);
    REQUIRE_BYTES(written, ((const uint8_t[]){0x12, 0xac, 0x02}), 3);

    REQUIRE_EQ(rp_av1_obu_header_read(padded, 8, &header, &header_B), RP_AV1_TRUNCATED);
    const uint8_t endless[] = {0x12, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x00};
    REQUIRE_EQ(rp_av1_obu_header_read(endless, sizeof(endless), &header, &header_B),
               RP_AV1_ILLEGAL);
    const uint8_t forbidden[] = {0x92, 0x00};
    REQUIRE_EQ(rp_av1_obu_header_read(forbidden, sizeof(forbidden), &header, &header_B),
               RP_AV1_ILLEGAL);
}

int
main(void)
{
    RUN(headers_of_structures_are_read_as_they_were);
    RUN(illegal_sequence_headers_are_refused);
    RUN(illegal_frame_headers_are_refused);
    RUN(any_structure_is_refused_or_read_as_it_was_written);
    RUN(headers_that_end_early_are_truncated);
    RUN(a_key_frame_that_is_shown_later_replaces_all_references);
    RUN(a_frame_half_the_range_away_counts_as_earlier);
    RUN(obu_sizes_keep_their_form);
    return 0;
}
