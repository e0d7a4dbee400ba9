/* SPDX-License-Identifier: MIT */
/* Sizes, tools, slices, picture types, reference picture sets and lists as they come.
 */
#include "random_structure.h"

#include "app.h"
#include "judge.h"

#include "tests/test.h"

#define MAX_GROUP 6u

/* What stays the same through the stream. */
struct traits {
    uint32_t group;      /* pictures that are coded out of order */
    uint32_t kept_count; /* of references */
    uint32_t quality_level;
    uint32_t slice_count;
    bool has_long_term;
    bool has_maps;
    int32_t qp;
};

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
    app_write_sets(app);
}

static struct traits
choose_traits(struct app *app)
{
    return (struct traits){
        .group = app_chance(app, 30) ? 1 : 1 + app_random(app, MAX_GROUP),
        .kept_count = 1 + app_random(app, APP_SLOTS - 3),
        .quality_level = app_random(app, app_chance(app, 70) ? 2 : 5),
        .slice_count = app_chance(app, 60) ? 1 : 1 + app_random(app, 6),
        .has_long_term = app_chance(app, 50),
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
        if (traits->has_long_term && slot->is_reference && app_chance(app, 10))
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

static void
choose_references(struct app *app)
{
    uint32_t used = 0;
    uint32_t initial[2][APP_SLOTS];
    const bool is_inter = reference_count(app) > 0 && app_chance(app, 90);
    while (is_inter && used == 0) {
        for (uint32_t i = 0; i < APP_SLOTS; i++)
            used |= (uint32_t)(app->slots[i].is_reference && app_chance(app, 65)) << i;
    }
    app_set_references(app, used, initial);
    if (!is_inter)
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

static void
encode_picture(struct app *app, const struct traits *traits, bool is_idr, int32_t poc)
{
    app_draw(app, (uint32_t)poc + 100 * app->epoch);
    app_picture_init(app, is_idr, poc);
    const bool is_reference = is_idr || app_chance(app, 75);
    if (!is_idr) {
        change_references(app, traits);
        app->header.nal_unit_type = is_reference ? RP_H265_NAL_TRAIL_R : 0;
        choose_references(app);
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

uint64_t
random_structure_run(uint64_t seed, uint32_t picture_count, const struct app_route *route)
{
    struct app *app = calloc(1, sizeof(*app));
    REQUIRE(app);
    app->random = seed;
    app->route = route;
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

    int32_t poc = 0;
    for (uint32_t i = 0; i < picture_count;) {
        if (i == 0 || app_chance(app, 4)) {
            encode_picture(app, &traits, true, 0);
            poc = 1;
            i++;
            continue;
        }
        int32_t order[MAX_GROUP];
        shuffle(app, poc, traits.group, order);
        for (uint32_t k = 0; k < traits.group; k++)
            encode_picture(app, &traits, false, order[k]);
        poc += (int32_t)traits.group;
        i += traits.group;
    }
    judge_stream(app);
    uint64_t hash = 14695981039346656037u;
    for (uint32_t i = 0; i < app->record_count; i++) {
        for (size_t k = 0; k < app->records[i].unit_B; k++)
            hash = (hash ^ app->records[i].unit[k]) * 1099511628211u;
    }
    app_finish(app);
    free(app);
    return hash;
}
