/* SPDX-License-Identifier: MIT */
#include "app.h"

#include "tests/test.h"

uint32_t
app_random(struct app *app, uint32_t below)
{
    app->random = app->random * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(app->random >> 33) % below;
}

bool
app_chance(struct app *app, uint32_t percent)
{
    return app_random(app, 100) < percent;
}

size_t
app_sample_B(const struct app *app)
{
    return app->bit_depth > 8 ? 2 : 1;
}

static size_t
image_B(const struct app *app)
{
    return (size_t)app->width_px * app->height_px * 3 / 2 * app_sample_B(app);
}

struct rp_picture
app_image(const struct app *app, uint8_t *planes)
{
    const size_t stride_B = app->width_px * app_sample_B(app);
    return (struct rp_picture){
        .layout = RP_PICTURE_NV12,
        .chroma = RP_CHROMA_420,
        .bit_depth = app->bit_depth,
        .width_px = app->width_px,
        .height_px = app->height_px,
        .plane = {{planes, stride_B}, {planes + stride_B * app->height_px, stride_B}},
    };
}

static void
sps_init(struct app *app, uint32_t align_px)
{
    StdVideoH265SequenceParameterSet *std = &app->sps.std;
    const uint32_t width_px = (app->width_px + align_px - 1) / align_px * align_px;
    const uint32_t height_px = (app->height_px + align_px - 1) / align_px * align_px;
    *std = (StdVideoH265SequenceParameterSet){
        .chroma_format_idc = STD_VIDEO_H265_CHROMA_FORMAT_IDC_420,
        .pic_width_in_luma_samples = width_px,
        .pic_height_in_luma_samples = height_px,
        .bit_depth_luma_minus8 = (uint8_t)(app->bit_depth - 8),
        .bit_depth_chroma_minus8 = (uint8_t)(app->bit_depth - 8),
        .log2_max_pic_order_cnt_lsb_minus4 = 4,
        .log2_diff_max_min_luma_coding_block_size = 3,
        .log2_diff_max_min_luma_transform_block_size = 3,
        .conf_win_right_offset = (width_px - app->width_px) / 2,
        .conf_win_bottom_offset = (height_px - app->height_px) / 2,
    };
    std->flags.conformance_window_flag = width_px != app->width_px || height_px != app->height_px;
    std->flags.sps_temporal_id_nesting_flag = 1;
    std->flags.sps_sub_layer_ordering_info_present_flag = 1;
    std->flags.long_term_ref_pics_present_flag = 1;
    app->sps.profile_tier_level.general_profile_idc =
        app->bit_depth > 8 ? STD_VIDEO_H265_PROFILE_IDC_MAIN_10 : STD_VIDEO_H265_PROFILE_IDC_MAIN;
    app->sps.profile_tier_level.general_level_idc = STD_VIDEO_H265_LEVEL_IDC_6_2;
    app->sps.dec_pic_buf_mgr.max_dec_pic_buffering_minus1[0] = APP_SLOTS - 1;
    app->sps.dec_pic_buf_mgr.max_num_reorder_pics[0] = 8;
    std->pProfileTierLevel = &app->sps.profile_tier_level;
    std->pDecPicBufMgr = &app->sps.dec_pic_buf_mgr;
    std->pShortTermRefPicSet = app->sps.short_term_ref_pic_sets;
    std->pLongTermRefPicsSps = &app->sps.long_term_ref_pics;
}

void
app_init(struct app *app, uint32_t width_px, uint32_t height_px, uint32_t sps_align_px)
{
    if (app->bit_depth == 0)
        app->bit_depth = 8;
    app->codec = rp_codec_h265_encode();
    if (app->bit_depth == 10)
        app->codec = app->codec->of_10_bits;
    app->width_px = width_px;
    app->height_px = height_px;
    app->enc = app->codec->create(app->workers);
    app->source = malloc(image_B(app));
    REQUIRE(app->enc && app->source);
    for (uint32_t i = 0; i < APP_SLOTS; i++) {
        app->slots[i].codec_slot = app->codec->slot_create(app->enc);
        app->slots[i].planes = calloc(1, image_B(app));
        REQUIRE(app->slots[i].codec_slot && app->slots[i].planes);
    }
    sps_init(app, sps_align_px);
    app->pps.std.flags.lists_modification_present_flag = 1;
    app->pps.std.flags.deblocking_filter_control_present_flag = 1;
    app->pps.std.flags.deblocking_filter_override_enabled_flag = 1;
    app->pps.std.flags.pps_loop_filter_across_slices_enabled_flag = 1;
}

void
app_finish(struct app *app)
{
    if (app->route)
        app->route->close(app);
    for (uint32_t i = 0; i < APP_SLOTS; i++) {
        app->codec->slot_destroy(app->enc, app->slots[i].codec_slot);
        free(app->slots[i].planes);
    }
    app->codec->destroy(app->enc);
    for (uint32_t i = 0; i < app->record_count; i++) {
        free(app->records[i].unit);
        free(app->records[i].i420);
    }
    free(app->records);
    free(app->source);
}

static void
append_set(struct app *app, uint32_t nal_unit_type, const struct rp_h265_syntax *syntax)
{
    const uint8_t header[2] = {(uint8_t)(nal_unit_type << 1), 1};
    REQUIRE(rp_h265_syntax_is_ok(syntax));
    app->sets_B += rp_nal_write(app->sets + app->sets_B, sizeof(app->sets) - app->sets_B, header, 2,
                                syntax->writer.data, syntax->writer.size_bits / 8);
    REQUIRE(app->sets_B <= sizeof(app->sets));
}

void
app_write_sets(struct app *app)
{
    uint8_t rbsp[256];
    struct rp_h265_syntax syntax;
    app->sets_B = 0;
    if (app->route) {
        app->route->open(app);
        return;
    }
    rp_h265_syntax_init_write(&syntax, rbsp, sizeof(rbsp));
    rp_h265_write_vps(&syntax, &app->sps);
    append_set(app, RP_H265_NAL_VPS, &syntax);
    rp_h265_syntax_init_write(&syntax, rbsp, sizeof(rbsp));
    rp_h265_code_sps(&syntax, &app->sps);
    append_set(app, RP_H265_NAL_SPS, &syntax);
    rp_h265_syntax_init_write(&syntax, rbsp, sizeof(rbsp));
    rp_h265_code_pps(&syntax, &app->pps);
    append_set(app, RP_H265_NAL_PPS, &syntax);
}

/* One sample of 8 bits, or of 10 with noise in the last two of them and below. */
static uint8_t *
put_sample(const struct app *app, uint32_t value, uint8_t *out)
{
    if (app->bit_depth == 8) {
        *out = (uint8_t)value;
        return out + 1;
    }
    const uint16_t word = (uint16_t)(value << 8 | (value * 2654435761u >> 24));
    memcpy(out, &word, sizeof(word));
    return out + sizeof(word);
}

void
app_draw(struct app *app, uint32_t time)
{
    uint8_t *out = app->source;
    uint32_t noise = time * 2654435761u + 1;
    for (uint32_t y = 0; y < app->height_px; y++) {
        for (uint32_t x = 0; x < app->width_px; x++) {
            const uint32_t u = x + app->pan_px * time, v = y + app->pan_px * time / 3;
            const uint32_t left = (7 * time) % app->width_px, top = (3 * time) % app->height_px;
            noise = noise * 1664525u + 1013904223u;
            uint32_t value = 64 + (u * u / 64 + v * 3) % 128;
            if (x - left < 40 && y - top < 24)
                value = 200 - ((x - left) ^ (y - top)) % 64;
            if (app->has_flicker)
                value += 16 * (time % 3);
            if (app->has_noise)
                value += noise >> 30;
            out = put_sample(app, value, out);
        }
    }
    for (uint32_t y = 0; y < app->height_px / 2; y++) {
        for (uint32_t x = 0; x < app->width_px / 2; x++) {
            out = put_sample(app, 100 + (x + app->pan_px * time / 2) % 50, out);
            out = put_sample(app, 160 - (y + app->pan_px * time / 6) % 60, out);
        }
    }
}

/* What is a callback of the job. */
static void
write_slice_header(const void *ctx, const struct rp_h265_slice_state *slice, struct rp_bits *bits)
{
    const struct app *app = ctx;
    const struct rp_h265_slice_context context = {
        .sps = &app->sps.std,
        .pps = &app->pps.std,
        .num_pic_total_curr = app->num_pic_total_curr,
    };
    struct rp_h265_slice_header header = app->header;
    uint32_t longest = 0;
    header.first_slice_segment_in_pic_flag = slice->first_ctb == 0;
    header.slice_segment_address = slice->first_ctb;
    header.slice_qp_delta = slice->slice_qp - 26 - app->pps.std.init_qp_minus26;
    header.num_entry_point_offsets = slice->entry_count;
    header.entry_point_offset_minus1 = slice->entry_offset_minus1;
    for (uint32_t i = 0; i < slice->entry_count; i++)
        longest |= slice->entry_offset_minus1[i];
    while (header.offset_len_minus1 < 31 && longest >> (header.offset_len_minus1 + 1))
        header.offset_len_minus1++;

    struct rp_h265_syntax syntax = {.is_writing = true, .writer = *bits};
    rp_h265_code_slice_first_part(&syntax, &context, &header);
    rp_h265_code_slice_second_part(&syntax, &context, &header);
    REQUIRE(rp_h265_syntax_is_ok(&syntax));
    *bits = syntax.writer;
}

void
app_picture_init(struct app *app, bool is_idr, int32_t poc)
{
    const uint32_t lsb_bits = app->sps.std.log2_max_pic_order_cnt_lsb_minus4 + 4u;
    for (uint32_t i = 0; is_idr && i < APP_SLOTS; i++)
        app->slots[i].is_reference = app->slots[i].is_long_term = false;
    app->epoch += is_idr;
    app->num_pic_total_curr = 0;
    app->header = (struct rp_h265_slice_header){
        .nal_unit_type = is_idr ? RP_H265_NAL_IDR_W_RADL : 0,
        .slice_type = STD_VIDEO_H265_SLICE_TYPE_I,
        .slice_pic_order_cnt_lsb = (uint32_t)poc & ((1u << lsb_bits) - 1),
    };
    app->first_rows[0] = 0;
    app->job = (struct rp_h265_encode_job){
        .common =
            {
                .width_px = app->width_px,
                .height_px = app->height_px,
                .src = app_image(app, app->source),
                .dst_capacity_B = APP_PICTURE_B,
            },
        .sps = &app->sps.std,
        .pps = &app->pps.std,
        .slice_type = STD_VIDEO_H265_SLICE_TYPE_I,
        .poc = poc,
        .qp = 30,
        .collocated_from_l0 = true,
        .max_merge_cand = 5,
        .deblocking = true,
        .slice_first_rows = app->first_rows,
        .slice_count = 1,
        .slice_size_B = app->slice_sizes_B,
        .write_slice_header = write_slice_header,
        .slice_header_ctx = app,
    };
}

void
app_spread_slices(struct app *app, uint32_t count)
{
    const uint32_t rows = (app->sps.std.pic_height_in_luma_samples + 63) / 64;
    app->job.slice_count = count < rows ? count : rows;
    for (uint32_t i = 0; i < app->job.slice_count; i++)
        app->first_rows[i] = i * rows / app->job.slice_count;
}

/* Slots of references, nearest first: earlier ones (sign -1), later ones (1), long-term ones
 * (0). */
static uint32_t
sort_references(const struct app *app, int32_t sign, uint32_t out[APP_SLOTS])
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < APP_SLOTS; i++) {
        const struct app_slot *slot = &app->slots[i];
        if (!slot->is_reference || slot->is_long_term != (sign == 0) ||
            (sign != 0 && (slot->poc - app->job.poc) * sign < 0))
            continue;
        uint32_t k = count++;
        const int32_t order = sign == 0 ? -1 : sign;
        for (; k > 0 && (app->slots[out[k - 1]].poc - slot->poc) * order > 0; k--)
            out[k] = out[k - 1];
        out[k] = i;
    }
    return count;
}

static void
set_long_term(struct app *app, uint32_t used, const uint32_t *slots, uint32_t count)
{
    const uint32_t lsb_bits = app->sps.std.log2_max_pic_order_cnt_lsb_minus4 + 4u;
    uint32_t last_cycle = 0;
    app->header.num_long_term_pics = count;
    for (uint32_t i = 0; i < count; i++) {
        const int32_t poc = app->slots[slots[i]].poc;
        const uint32_t cycle = (uint32_t)((app->job.poc >> lsb_bits) - (poc >> lsb_bits));
        app->header.long_term[i] = (struct rp_h265_long_term_entry){
            .poc_lsb_lt = (uint32_t)poc & ((1u << lsb_bits) - 1),
            .used_by_curr_pic_lt_flag = used >> slots[i] & 1,
            .delta_poc_msb_present_flag = true,
            .delta_poc_msb_cycle_lt = cycle - last_cycle,
        };
        last_cycle = cycle;
    }
}

void
app_set_references(struct app *app, uint32_t used, uint32_t initial_out[2][APP_SLOTS])
{
    uint32_t sets[3][APP_SLOTS];
    uint32_t counts[3];
    StdVideoH265ShortTermRefPicSet *rps = &app->header.short_term_ref_pic_set;
    for (uint32_t set = 0; set < 3; set++)
        counts[set] = sort_references(app, set == 2 ? 0 : set ? 1 : -1, sets[set]);
    rps->num_negative_pics = (uint8_t)counts[0];
    rps->num_positive_pics = (uint8_t)counts[1];
    for (uint32_t set = 0; set < 2; set++) {
        int32_t last = app->job.poc;
        for (uint32_t i = 0; i < counts[set]; i++) {
            const int32_t poc = app->slots[sets[set][i]].poc;
            const uint32_t is_used = used >> sets[set][i] & 1;
            (set ? rps->delta_poc_s1_minus1 : rps->delta_poc_s0_minus1)[i] =
                (uint16_t)((set ? poc - last : last - poc) - 1);
            if (set)
                rps->used_by_curr_pic_s1_flag |= (uint16_t)(is_used << i);
            else
                rps->used_by_curr_pic_s0_flag |= (uint16_t)(is_used << i);
            last = poc;
        }
    }
    set_long_term(app, used, sets[2], counts[2]);
    for (uint32_t list = 0; list < 2; list++) {
        const uint32_t order[3] = {list, !list, 2};
        app->num_pic_total_curr = 0;
        for (uint32_t k = 0; k < 3; k++) {
            for (uint32_t i = 0; i < counts[order[k]]; i++) {
                if (used >> sets[order[k]][i] & 1)
                    initial_out[list][app->num_pic_total_curr++] = sets[order[k]][i];
            }
        }
    }
}

void
app_refer(struct app *app, uint32_t list, uint32_t i, uint32_t entry, uint32_t slot)
{
    const struct app_slot *from = &app->slots[slot];
    app->header.list_entry[list][i] = entry;
    app->ref_slots[list][i] = (uint8_t)slot;
    app->job.refs[list][i] = (struct rp_h265_encode_reference){
        .picture = {.slot = from->codec_slot, .pixels = app_image(app, from->planes)},
        .poc = from->poc,
        .is_long_term = from->is_long_term,
    };
    if (app->job.ref_count[list] < i + 1)
        app->job.ref_count[list] = i + 1;
}

/* The header says what the job does. */
static void
header_complete(struct app *app)
{
    struct rp_h265_slice_header *header = &app->header;
    const struct rp_h265_encode_job *job = &app->job;
    header->slice_type = (uint32_t)job->slice_type;
    header->slice_temporal_mvp_enabled_flag = job->temporal_mvp;
    header->slice_sao_luma_flag = header->slice_sao_chroma_flag = job->sao;
    header->num_ref_idx_active[0] = job->ref_count[0];
    header->num_ref_idx_active[1] = job->ref_count[1];
    header->collocated_from_l0_flag = job->collocated_from_l0;
    header->collocated_ref_idx = job->collocated_ref_idx;
    header->five_minus_max_num_merge_cand = 5 - job->max_merge_cand;
    header->deblocking_filter_override_flag = true;
    header->slice_deblocking_filter_disabled_flag = !job->deblocking;
    header->slice_beta_offset_div2 = job->beta_offset_div2;
    header->slice_tc_offset_div2 = job->tc_offset_div2;
}

/* Samples of P010 to the low bits; those below them are zeros. */
static void
i420_of_words(const uint16_t *planes, size_t luma, uint16_t *out)
{
    for (size_t i = 0; i < luma * 3 / 2; i++) {
        const size_t uv = i - luma;
        const size_t to = i < luma ? i : luma + uv % 2 * (luma / 4) + uv / 2;
        REQUIRE_EQ(planes[i] & 63u, 0u);
        out[to] = planes[i] >> 6;
    }
}

static uint8_t *
i420_of(const struct app *app, const uint8_t *planes)
{
    const size_t luma = (size_t)app->width_px * app->height_px;
    uint8_t *out = malloc(image_B(app));
    REQUIRE(out);
    if (app->bit_depth > 8) {
        i420_of_words((const uint16_t *)planes, luma, (uint16_t *)out);
        return out;
    }
    memcpy(out, planes, luma);
    for (size_t i = 0; i < luma / 4; i++) {
        out[luma + i] = planes[luma + 2 * i];
        out[luma + luma / 4 + i] = planes[luma + 2 * i + 1];
    }
    return out;
}

/* nal_unit_type of the first NAL unit. */
static uint32_t
nal_unit_type_of(const uint8_t *coded)
{
    while (*coded == 0)
        coded++;
    return coded[1] >> 1 & 63u;
}

static void
record_add(struct app *app, const uint8_t *coded, const struct app_slot *slot)
{
    REQUIRE_EQ(nal_unit_type_of(coded), app->header.nal_unit_type);
    const struct rp_encode_job *common = &app->job.common;
    app->records = realloc(app->records, (app->record_count + 1) * sizeof(*app->records));
    REQUIRE(app->records);
    struct app_record *record = &app->records[app->record_count++];
    const size_t sets_B = rp_h265_slice_is_irap(&app->header) ? app->sets_B : 0;
    *record = (struct app_record){
        .epoch = app->epoch,
        .poc = app->job.poc,
        .unit = malloc(sets_B + common->result.size_B),
        .unit_B = sets_B + common->result.size_B,
        .i420 = slot ? i420_of(app, slot->planes) : NULL,
        .result = common->result,
    };
    REQUIRE(record->unit);
    memcpy(record->unit, app->sets, sets_B);
    memcpy(record->unit + sets_B, coded, common->result.size_B);
}

/* Encodes to coded, of APP_PICTURE_B. */
static enum rp_codec_status
encode(struct app *app, int32_t slot_index, uint8_t *coded)
{
    struct app_slot *slot = slot_index >= 0 ? &app->slots[slot_index] : NULL;
    struct rp_encode_job *common = &app->job.common;
    header_complete(app);
    app->job.nal_unit_type = app->header.nal_unit_type;
    common->dst = coded;
    if (slot)
        common->recon = (struct rp_dpb_picture){.slot = slot->codec_slot,
                                                .pixels = app_image(app, slot->planes)};
    if (app->route)
        app->route->encode(app, slot_index);
    else if (app->codec->begin(app->enc, common, true) == RP_CODEC_OK)
        app->codec->encode(app->enc, common);
    return common->result.status;
}

enum rp_codec_status
app_encode(struct app *app, int32_t slot)
{
    uint8_t *coded = malloc(APP_PICTURE_B);
    REQUIRE(coded);
    const enum rp_codec_status status = encode(app, slot, coded);
    if (status == RP_CODEC_OK)
        record_add(app, coded, slot >= 0 ? &app->slots[slot] : NULL);
    free(coded);
    return status;
}

enum rp_codec_status
app_try(struct app *app, int32_t slot)
{
    uint8_t *coded = malloc(APP_PICTURE_B);
    REQUIRE(coded);
    const enum rp_codec_status status = encode(app, slot, coded);
    free(coded);
    return status;
}

uint64_t
app_hash(const struct app *app)
{
    uint64_t hash = 14695981039346656037u;
    for (uint32_t i = 0; i < app->record_count; i++) {
        for (size_t k = 0; k < app->records[i].unit_B; k++)
            hash = (hash ^ app->records[i].unit[k]) * 1099511628211u;
    }
    return hash;
}
