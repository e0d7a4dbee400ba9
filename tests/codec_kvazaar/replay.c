/* SPDX-License-Identifier: MIT */
#include "replay.h"

#include "tests/test.h"

#include <pthread.h>

#define MOST_ITEMS 64u

/* A picture as it was coded, and on its way again. */
struct item {
    struct rp_task task;
    struct app app; /* a copy: of the picture that is next there */
    int32_t slot;
    uint8_t *source;   /* owned, as those below */
    uint8_t *expected; /* bytes */
    size_t expected_B;
    uint8_t *coded;
    uint8_t *force_intra;
    uint8_t *intra_clean;
    struct round *round;
};

/* Allocated for each application. */
struct state {
    struct item *items[MOST_ITEMS];
    uint32_t count;
};

struct round {
    pthread_mutex_t mutex; /* of way_count */
    pthread_cond_t item_ended;
    uint32_t way_count;
    struct item *waiting[MOST_ITEMS]; /* without workers: those on their way, the first one first */
    struct rp_workers *workers;       /* or NULL */
    const struct rp_encode_codec *codec;
    struct rp_encoder *enc;
    struct app_slot slots[APP_SLOTS];
};

static const struct replay_round *rounds;
static uint32_t round_count;

void
replay_set_rounds(const struct replay_round *all, uint32_t count)
{
    rounds = all;
    round_count = count;
}

static size_t
image_B(const struct app *app)
{
    return (size_t)app->width_px * app->height_px * 3 / 2 * app_sample_B(app);
}

static void *
copy_of(const void *bytes, size_t size_B)
{
    void *copy = malloc(size_B);
    REQUIRE(copy);
    return memcpy(copy, bytes, size_B);
}

static void
replay_open(struct app *app)
{
    const struct app_route *route = app->route;
    app->route = NULL;
    app_write_sets(app);
    app->route = route;
    app->route_state = calloc(1, sizeof(struct state));
    REQUIRE(app->route_state);
}

static void
replay_encode(struct app *app, int32_t slot)
{
    struct state *state = app->route_state;
    struct rp_encode_job *common = &app->job.common;
    REQUIRE(app->codec->begin(app->enc, common, true) == RP_CODEC_OK);
    app->codec->encode(app->enc, common);
    REQUIRE(common->result.status == RP_CODEC_OK && state->count < MOST_ITEMS);

    struct item *item = calloc(1, sizeof(*item));
    REQUIRE(item);
    item->app = *app;
    item->slot = slot;
    item->source = copy_of(app->source, image_B(app));
    item->expected_B = common->result.size_B;
    item->expected = copy_of(common->dst, item->expected_B);
    const size_t block_count = (size_t)((app->width_px + 63) / 64) * ((app->height_px + 63) / 64);
    if (common->force_intra)
        item->force_intra = copy_of(common->force_intra, block_count);
    if (common->intra_clean)
        item->intra_clean = copy_of(common->intra_clean, block_count);
    state->items[state->count++] = item;
}

/* Points the copy of the job to itself and to what the round has. */
static void
item_prepare(struct item *item, struct round *round, bool is_short)
{
    struct app *app = &item->app;
    struct rp_encode_job *common = &app->job.common;
    item->round = round;
    item->coded = malloc(APP_PICTURE_B);
    REQUIRE(item->coded);
    common->src = app_image(app, item->source);
    common->dst = item->coded;
    common->dst_capacity_B = is_short ? item->expected_B - 1 : APP_PICTURE_B;
    common->qp_delta = common->qp_delta ? app->map : NULL;
    common->force_intra = item->force_intra;
    common->intra_clean = item->intra_clean;
    app->job.slice_first_rows = app->first_rows;
    app->job.slice_size_B = app->slice_sizes_B;
    app->job.slice_header_ctx = app;
    app->job.sps = &app->sps.std;
    app->job.pps = &app->pps.std;
    for (uint32_t list = 0; list < 2; list++) {
        for (uint32_t i = 0; i < app->job.ref_count[list]; i++) {
            const struct app_slot *slot = &round->slots[app->ref_slots[list][i]];
            app->job.refs[list][i].picture =
                (struct rp_dpb_picture){slot->codec_slot, app_image(app, slot->planes), false};
        }
    }
    if (item->slot >= 0) {
        const struct app_slot *slot = &round->slots[item->slot];
        common->recon =
            (struct rp_dpb_picture){slot->codec_slot, app_image(app, slot->planes), false};
    }
}

static void
item_run(struct rp_task *task)
{
    struct item *item = (struct item *)task;
    struct round *round = item->round;
    round->codec->encode(round->enc, &item->app.job.common);
    pthread_mutex_lock(&round->mutex);
    round->way_count--;
    pthread_cond_broadcast(&round->item_ended);
    pthread_mutex_unlock(&round->mutex);
}

static void
run_first(struct round *round)
{
    struct item *item = round->waiting[0];
    memmove(round->waiting, round->waiting + 1, (round->way_count - 1) * sizeof(*round->waiting));
    item_run(&item->task);
}

/* Until no more than so many are on their way. */
static void
wait_for_items(struct round *round, uint32_t way_count)
{
    while (!round->workers && round->way_count > way_count)
        run_first(round);
    pthread_mutex_lock(&round->mutex);
    while (round->way_count > way_count)
        pthread_cond_wait(&round->item_ended, &round->mutex);
    pthread_mutex_unlock(&round->mutex);
}

static uint32_t
count_of_way(struct round *round)
{
    pthread_mutex_lock(&round->mutex);
    const uint32_t count = round->way_count;
    pthread_mutex_unlock(&round->mutex);
    return count;
}

/* When it may not wait, it is tried again whenever a picture before has ended. */
static enum rp_codec_status
item_begin(struct round *round, struct item *item, uint32_t *busy_count)
{
    struct rp_encode_job *common = &item->app.job.common;
    uint32_t before = count_of_way(round);
    enum rp_codec_status status = round->codec->begin(round->enc, common, !busy_count);
    while (busy_count && status == RP_CODEC_BUSY) {
        ++*busy_count;
        wait_for_items(round, before > 0 ? before - 1 : 0);
        before = count_of_way(round);
        status = round->codec->begin(round->enc, common, false);
    }
    return status;
}

static void
item_submit(struct round *round, struct item *item, uint32_t in_flight, uint32_t *busy_count)
{
    wait_for_items(round, in_flight - 1);
    if (item_begin(round, item, busy_count) != RP_CODEC_OK)
        return;
    item->task = (struct rp_task){.run = item_run};
    pthread_mutex_lock(&round->mutex);
    if (!round->workers)
        round->waiting[round->way_count] = item;
    round->way_count++;
    pthread_mutex_unlock(&round->mutex);
    if (round->workers)
        rp_workers_submit(round->workers, &item->task);
}

static bool
is_short(const struct replay_round *how, uint32_t i)
{
    return how->short_period > 0 && i % how->short_period == how->short_period - 1;
}

static void
require_as_before(const struct item *item, const struct rp_encode_result *before)
{
    const struct rp_encode_result *result = &item->app.job.common.result;
    const bool has_room = item->app.job.common.dst_capacity_B >= item->expected_B;
    REQUIRE(result->status == (has_room ? RP_CODEC_OK : RP_CODEC_NO_SPACE));
    REQUIRE_EQ(result->size_B, before->size_B);
    REQUIRE(!has_room || memcmp(item->coded, item->expected, result->size_B) == 0);
    REQUIRE(result->average_qp == before->average_qp && result->intra_px == before->intra_px &&
            result->skipped_px == before->skipped_px);
}

/* True: the round is to be made again. */
static bool
run_items(struct round *round, struct state *state, const struct replay_round *how)
{
    struct rp_encode_result before[MOST_ITEMS];
    if (how->begin)
        how->begin();
    for (uint32_t i = 0; i < state->count; i++) {
        before[i] = state->items[i]->app.job.common.result;
        before[i].status = RP_CODEC_OK;
        item_prepare(state->items[i], round, is_short(how, i));
        item_submit(round, state->items[i], how->in_flight, how->busy_count);
    }
    wait_for_items(round, 0);
    const bool is_again = how->end && how->end();
    for (uint32_t i = 0; i < state->count; i++) {
        struct item *item = state->items[i];
        struct rp_encode_result *result = &item->app.job.common.result;
        if (how->may_fail)
            REQUIRE(result->status == RP_CODEC_OK || result->status == RP_CODEC_NO_MEMORY);
        else
            require_as_before(item, &before[i]);
        free(item->coded);
        item->coded = NULL;
        *result = before[i];
    }
    if (how->may_fail) {
        item_prepare(state->items[0], round, false);
        item_submit(round, state->items[0], 1, NULL);
        wait_for_items(round, 0);
        require_as_before(state->items[0], &before[0]);
        free(state->items[0]->coded);
    }
    return is_again;
}

static bool
run_round(struct app *app, const struct replay_round *how)
{
    struct round round = {.codec = app->codec};
    pthread_mutex_init(&round.mutex, NULL);
    pthread_cond_init(&round.item_ended, NULL);
    if (how->thread_count > 0) {
        round.workers = rp_workers_create(how->thread_count);
        REQUIRE(round.workers);
    }
    round.enc = app->codec->create(round.workers);
    REQUIRE(round.enc);
    for (uint32_t i = 0; i < APP_SLOTS; i++) {
        round.slots[i].codec_slot = app->codec->slot_create(round.enc);
        round.slots[i].planes = calloc(1, image_B(app));
        REQUIRE(round.slots[i].codec_slot && round.slots[i].planes);
    }
    const bool is_again = run_items(&round, app->route_state, how);
    for (uint32_t i = 0; i < APP_SLOTS; i++) {
        if (!how->may_fail)
            REQUIRE(memcmp(round.slots[i].planes, app->slots[i].planes, image_B(app)) == 0);
        app->codec->slot_destroy(round.enc, round.slots[i].codec_slot);
        free(round.slots[i].planes);
    }
    app->codec->destroy(round.enc);
    rp_workers_destroy(round.workers);
    pthread_cond_destroy(&round.item_ended);
    pthread_mutex_destroy(&round.mutex);
    return is_again;
}

static void
replay_close(struct app *app)
{
    struct state *state = app->route_state;
    for (uint32_t i = 0; i < round_count; i++) {
        bool is_again = true;
        while (is_again)
            is_again = run_round(app, &rounds[i]);
    }
    for (uint32_t i = 0; i < state->count; i++) {
        free(state->items[i]->source);
        free(state->items[i]->expected);
        free(state->items[i]->force_intra);
        free(state->items[i]->intra_clean);
        free(state->items[i]);
    }
    free(state);
}

const struct app_route replay_route = {replay_open, replay_close, replay_encode};
