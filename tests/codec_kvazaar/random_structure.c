/* SPDX-License-Identifier: MIT */
/* Sizes, tools, slices, picture types, reference picture sets and lists as they come.
 */
#include "random_structure.h"

#include "app.h"
#include "judge.h"

#include "tests/test.h"

#define MAX_GROUP 6u
#define MAX_SPS_SETS 8u
#define NAL_RADL_N 6u /* Table 7-1; those that are referred to have one more */
#define NAL_RASL_N 8u

/* What stays the same through the stream. */
struct traits {
    uint32_t group;      /* pictures that are coded out of order */
    uint32_t kept_count; /* of references */
    uint32_t quality_level;
    uint32_t slice_count;
    bool has_long_term;
    bool has_maps;
    bool has_sps_sets; /* pictures in their order refer by reference picture sets of the SPS */
    int32_t qp;
};

/* Set i has the i + 1 pictures before; some are predicted from the one before them (7.4.8). */
static void
choose_sps_sets(struct app *app)
{
    StdVideoH265ShortTermRefPicSet *sets = app->sps.short_term_ref_pic_sets;
    const uint32_t count = 1 + app_random(app, MAX_SPS_SETS);
    app->sps.std.num_short_term_ref_pic_sets = (uint8_t)count;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t all = (2u << i) - 1;
        const uint32_t used = app_random(app, all + 1);
        app->sps_used[i] = (uint16_t)used;
        sets[i] = (StdVideoH265ShortTermRefPicSet){
            .used_by_curr_pic_s0_flag = (uint16_t)used,
            .num_negative_pics = (uint8_t)(i + 1),
        };
        if (i == 0 || app_chance(app, 50))
            continue;
        /* The same, one further back, and the newest one behind them. */
        sets[i] = (StdVideoH265ShortTermRefPicSet){
            .flags = {.inter_ref_pic_set_prediction_flag = 1, .delta_rps_sign = 1},
            .use_delta_flag = (uint16_t)all,
            .used_by_curr_pic_flag = (uint16_t)(used >> 1 | (used & 1) << i),
        };
    }
}

static void
choose_sets(struct app *app)
{
    StdVideoH265SequenceParameterSet *sps = &app->sps.std;
    StdVideoH265PpsFlags *pps = &app->pps.std.flags;
    sps->flags.sample_adaptive_offset_enabled_flag = app_chance(app, 75);
    sps->flags.sps_temporal_mvp_enabled_flag = app_chance(app, 80);
    sps->flags.amp_enabled_flag = app_chance(app, 30);
    sps->log2_max_pic_order_cnt_lsb_minus4 = (uint8_t)(1 + app_random(app, 12));
    if (app_chance(app, 30)) {
        sps->max_transform_hierarchy_depth_inter = (uint8_t)app_random(app, 5);
        sps->max_transform_hierarchy_depth_intra = (uint8_t)app_random(app, 5);
    }
    pps->sign_data_hiding_enabled_flag = app_chance(app, 40);
    pps->transform_skip_enabled_flag = app_chance(app, 40);
    pps->cu_qp_delta_enabled_flag = app_chance(app, 40);
    pps->entropy_coding_sync_enabled_flag = app_chance(app, 30);
    app->pps.std.init_qp_minus26 = (int8_t)((int32_t)app_random(app, 40) - 20);
    if (app_chance(app, 30))
        choose_sps_sets(app);
    app_write_sets(app);
}

static struct traits
choose_traits(struct app *app)
{
    const bool has_sps_sets = app->sps.std.num_short_term_ref_pic_sets > 0;
    return (struct traits){
        .group = has_sps_sets || app_chance(app, 30) ? 1 : 1 + app_random(app, MAX_GROUP),
        .kept_count = 1 + app_random(app, APP_SLOTS - 3),
        .quality_level = app_random(app, app_chance(app, 70) ? 2 : 5),
        .slice_count = app_chance(app, 60) ? 1 : 1 + app_random(app, 6),
        .has_long_term = !has_sps_sets && app_chance(app, 50),
        .has_sps_sets = has_sps_sets,
        .has_maps = app->pps.std.flags.cu_qp_delta_enabled_flag && app_chance(app, 60),
        .qp = (int32_t)(app_chance(app, 15) ? app_random(app, 52) : 22 + app_random(app, 16)),
    };
}

static uint32_t
reference_count(const struct app *app)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < APP_SLOTS; i++)
        count += app->slots[i].is_reference;
    return count;
}

/* Drops some and makes others long-term ones. */
static void
change_references(struct app *app, const struct traits *traits)
{
    while (reference_count(app) > traits->kept_count)
        app->slots[app_random(app, APP_SLOTS)].is_reference = false;
    for (uint32_t i = 0; i < APP_SLOTS; i++) {
        struct app_slot *slot = &app->slots[i];
        slot->is_long_term &= slot->is_reference;
        /* POCs of long-term pictures are behind those of all pictures to come (7.4.7.1). */
        if (traits->has_long_term && slot->is_reference &&
            slot->poc < app->job.poc - (int32_t)traits->group && app_chance(app, 10))
            slot->is_long_term = true;
    }
}

/* The pictures of list 0 the other way round: predictions from both lists then cross each other. */
static void
reverse_list(struct app *app, const uint32_t initial[APP_SLOTS])
{
    const uint32_t count = app->job.ref_count[0];
    app->header.ref_pic_list_modification_flag[1] = app->num_pic_total_curr > 1;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t slot = app->ref_slots[0][count - 1 - i];
        uint32_t entry = 0;
        while (initial[entry] != slot)
            entry++;
        app_refer(app, 1, i, entry, slot);
    }
}

static void
choose_lists(struct app *app, const uint32_t initial[2][APP_SLOTS])
{
    const uint32_t total = app->num_pic_total_curr;
    const bool is_b = app->job.slice_type == STD_VIDEO_H265_SLICE_TYPE_B;
    for (uint32_t list = 0; list < (is_b ? 2u : 1u); list++) {
        if (list == 1 && total > 1 && app_chance(app, 30)) {
            reverse_list(app, initial[1]);
            continue;
        }
        const uint32_t count = 1 + app_random(app, app_chance(app, 10) ? 15 : 4);
        const bool is_modified = total > 1 && app_chance(app, 60);
        app->header.ref_pic_list_modification_flag[list] = is_modified;
        for (uint32_t i = 0; i < count; i++) {
            const uint32_t entry = is_modified ? app_random(app, total) : i % total;
            app_refer(app, list, i, entry, initial[list][entry]);
        }
    }
    app->job.temporal_mvp = app->sps.std.flags.sps_temporal_mvp_enabled_flag && app_chance(app, 75);
    app->job.collocated_from_l0 = !is_b || app_chance(app, 50);
    app->job.collocated_ref_idx = app_random(app, app->job.ref_count[!app->job.collocated_from_l0]);
}

static uint32_t
slot_of(const struct app *app, int32_t poc)
{
    uint32_t i = 0;
    while (i < APP_SLOTS && (!app->slots[i].is_reference || app->slots[i].poc != poc))
        i++;
    return i;
}

/* One of the SPS's sets, as far as their pictures are there; others are dropped. Returns which of
 * them are used, by slot. */
static uint32_t
choose_sps_set(struct app *app)
{
    uint32_t slots[MAX_SPS_SETS];
    uint32_t there = 0;
    uint32_t used = 0;
    const uint32_t count = app->sps.std.num_short_term_ref_pic_sets;
    while (there < count && slot_of(app, app->job.poc - 1 - (int32_t)there) < APP_SLOTS) {
        slots[there] = slot_of(app, app->job.poc - 1 - (int32_t)there);
        there++;
    }
    REQUIRE(there > 0);
    const uint32_t set = app_random(app, there);
    for (uint32_t i = 0; i < APP_SLOTS; i++)
        app->slots[i].is_reference = false;
    for (uint32_t i = 0; i <= set; i++) {
        app->slots[slots[i]].is_reference = true;
        used |= (uint32_t)(app->sps_used[set] >> i & 1) << slots[i];
    }
    app->header.short_term_ref_pic_set_sps_flag = true;
    app->header.short_term_ref_pic_set_idx = set;
    return used;
}

static uint32_t
choose_used(struct app *app)
{
    uint32_t used = 0;
    const bool is_inter = reference_count(app) > 0 && app_chance(app, 90);
    while (is_inter && used == 0) {
        for (uint32_t i = 0; i < APP_SLOTS; i++)
            used |= (uint32_t)(app->slots[i].is_reference && app_chance(app, 65)) << i;
    }
    return used;
}

static void
choose_references(struct app *app, const struct traits *traits)
{
    uint32_t initial[2][APP_SLOTS];
    const bool is_of_sps = traits->has_sps_sets && app_chance(app, 80);
    const uint32_t used = is_of_sps ? choose_sps_set(app) : choose_used(app);
    app_set_references(app, used, initial);
    if (used == 0)
        return;
    app->job.slice_type =
        app_chance(app, 50) ? STD_VIDEO_H265_SLICE_TYPE_B : STD_VIDEO_H265_SLICE_TYPE_P;
    choose_lists(app, (const uint32_t(*)[APP_SLOTS])initial);
}

static void
choose_tools(struct app *app, const struct traits *traits)
{
    struct rp_h265_encode_job *job = &app->job;
    job->common.quality_level = traits->quality_level;
    job->qp = traits->qp + (int32_t)app_random(app, 3);
    job->qp = job->qp > RP_H265_MAX_QP ? RP_H265_MAX_QP : job->qp;
    job->max_merge_cand = 1 + app_random(app, 5);
    job->sao = app->sps.std.flags.sample_adaptive_offset_enabled_flag && app_chance(app, 80);
    job->deblocking = app_chance(app, 80);
    if (app_chance(app, 30)) {
        job->beta_offset_div2 = (int32_t)app_random(app, 13) - 6;
        job->tc_offset_div2 = (int32_t)app_random(app, 13) - 6;
    }
    app_spread_slices(app, traits->slice_count);
    if (!traits->has_maps || app_chance(app, 30))
        return;
    const uint32_t range = app_chance(app, 50) ? 6 : 60; /* more than there is */
    for (uint32_t i = 0; i < sizeof(app->map) / sizeof(app->map[0]); i++)
        app->map[i] = (int16_t)((int32_t)app_random(app, 2 * range + 1) - (int32_t)range);
    job->common.qp_delta = app->map;
}

static int32_t
free_slot(const struct app *app)
{
    for (int32_t i = 0; i < APP_SLOTS; i++) {
        if (!app->slots[i].is_reference)
            return i;
    }
    return -1;
}

/* Behind an IRAP picture in output order: what is in front of it is forgotten (8.3.2). */
static void
drop_before(struct app *app, int32_t poc)
{
    for (uint32_t i = 0; i < APP_SLOTS; i++)
        app->slots[i].is_reference &= app->slots[i].poc >= poc;
}

/* nal_unit_type: of an IRAP picture, or of others that are not referred to. */
static void
encode_picture(struct app *app, const struct traits *traits, uint32_t nal_unit_type, int32_t poc)
{
    const bool is_idr = nal_unit_type == RP_H265_NAL_IDR_W_RADL;
    const bool is_irap = is_idr || nal_unit_type == RP_H265_NAL_CRA;
    app_draw(app, (uint32_t)poc + 100 * app->epoch);
    app_picture_init(app, is_idr, poc);
    const bool is_reference = is_irap || traits->has_sps_sets || app_chance(app, 75);
    app->header.nal_unit_type = nal_unit_type + (is_reference && !is_irap);
    if (nal_unit_type == 0)
        drop_before(app, app->irap_poc);
    if (!is_idr && !traits->has_sps_sets)
        change_references(app, traits);
    if (is_irap)
        app->irap_poc = poc;
    if (nal_unit_type == RP_H265_NAL_CRA) {
        uint32_t initial[2][APP_SLOTS];
        app_set_references(app, 0, initial); /* for those that lead it */
    } else if (!is_irap) {
        choose_references(app, traits);
    }
    choose_tools(app, traits);
    const int32_t slot = free_slot(app);
    REQUIRE(slot >= 0);
    REQUIRE(app_encode(app, slot) == RP_CODEC_OK);
    app->slots[slot].poc = poc;
    app->slots[slot].is_reference = is_reference;
}

/* The order counts from first to first + count - 1 in any order. */
static void
shuffle(struct app *app, int32_t first, uint32_t count, int32_t *out)
{
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t k = app_random(app, i + 1);
        out[i] = out[k];
        out[k] = first + (int32_t)i;
    }
}

/* Pictures of the order counts from first to first + count - 1. */
static void
encode_group(struct app *app, const struct traits *traits, uint32_t nal_unit_type, int32_t first,
             uint32_t count)
{
    int32_t order[MAX_GROUP];
    shuffle(app, first, count, order);
    for (uint32_t i = 0; i < count; i++)
        encode_picture(app, traits, nal_unit_type, order[i]);
}

/* Those that lead an IDR picture refer to it and to each other alone, those that lead a CRA picture
 * to what is in front of it, too. */
static void
encode_groups(struct app *app, const struct traits *traits, uint32_t picture_count)
{
    const uint32_t leading = traits->group - 1;
    int32_t poc = 0;
    for (uint32_t i = 0; i < picture_count; i += traits->group) {
        if (i == 0 || app_chance(app, 4)) {
            encode_picture(app, traits, RP_H265_NAL_IDR_W_RADL, 0);
            encode_group(app, traits, NAL_RADL_N, -(int32_t)leading, leading);
            poc = 1;
        } else if (app_chance(app, 10)) {
            encode_picture(app, traits, RP_H265_NAL_CRA, poc + (int32_t)leading);
            encode_group(app, traits, NAL_RASL_N, poc, leading);
            poc += (int32_t)traits->group;
        } else {
            encode_group(app, traits, 0, poc, traits->group);
            poc += (int32_t)traits->group;
        }
    }
}

static uint64_t
run(struct app *app, uint64_t seed, uint32_t picture_count)
{
    app->random = seed;
    for (uint32_t i = 0; i < 4; i++)
        (void)app_random(app, 1);
    const uint32_t width_px = 16 + 2 * app_random(app, app_chance(app, 30) ? 200 : 80);
    const uint32_t height_px = 16 + 2 * app_random(app, app_chance(app, 30) ? 180 : 70);
    app->pan_px = app_random(app, 4);
    app->has_noise = app_chance(app, 50);
    app->has_flicker = app_chance(app, 40);
    app_init(app, width_px, height_px, app_chance(app, 70) ? 8 : 64);
    choose_sets(app);
    const struct traits traits = choose_traits(app);

    encode_groups(app, &traits, picture_count);
    judge_stream(app);
    const uint64_t hash = app_hash(app);
    app_finish(app);
    free(app);
    return hash;
}

uint64_t
random_structure_run(uint64_t seed, uint32_t picture_count, uint32_t bit_depth,
                     const struct app_route *route)
{
    struct app *app = calloc(1, sizeof(*app));
    REQUIRE(app);
    app->route = route;
    app->bit_depth = bit_depth;
    return run(app, seed, picture_count);
}

uint64_t
random_structure_run_on(struct rp_workers *workers, uint64_t seed, uint32_t picture_count,
                        uint32_t bit_depth)
{
    struct app *app = calloc(1, sizeof(*app));
    REQUIRE(app);
    app->workers = workers;
    app->bit_depth = bit_depth;
    return run(app, seed, picture_count);
}
