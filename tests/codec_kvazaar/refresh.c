/* SPDX-License-Identifier: MIT */
/* Intra refresh: a decoder that began with another picture has, from the picture on in which a
 * region is refreshed, all of its samples, but for those beside the rest that filters have mixed.
 */
#include "app.h"
#include "judge.h"

#include "tests/test.h"
#include "video/encode/intra_refresh.h"

#define WIDTH_PX 424
#define HEIGHT_PX 272
#define COLS ((WIDTH_PX + 63) / 64)
#define ROWS ((HEIGHT_PX + 63) / 64)
#define FILTERED_X_PX 5 /* by deblocking and SAO, on each side of a border */
#define FILTERED_Y_PX 4
#define MOST_PICTURES 16

struct run {
    VkVideoEncodeIntraRefreshModeFlagBitsKHR mode;
    uint32_t cycle;
    uint32_t quality_level;
    uint32_t slice_count;
    bool has_older_reference;
    bool is_b;
    bool has_strong_filters;
};

/* The maps of each picture behind the first one. */
struct maps {
    uint8_t force_intra[COLS * ROWS];
    uint8_t intra_clean[COLS * ROWS];
};

struct session {
    struct run run;
    struct app app;
    struct maps maps[MOST_PICTURES];
    uint32_t frame_count; /* that the late decoder has shown */
    uint32_t different;   /* samples of the last one */
};

static struct session *
open_session(const struct run *run)
{
    struct session *s = calloc(1, sizeof(*s));
    REQUIRE(s);
    s->run = *run;
    s->app.pan_px = 3;
    s->app.has_noise = true;
    app_init(&s->app, WIDTH_PX, HEIGHT_PX, 8);
    s->app.sps.std.flags.sample_adaptive_offset_enabled_flag = 1;
    app_write_sets(&s->app);
    return s;
}

static void
close_session(struct session *s)
{
    app_finish(&s->app);
    free(s);
}

static void
set_tools(struct session *s)
{
    struct rp_h265_encode_job *job = &s->app.job;
    job->common.quality_level = s->run.quality_level;
    job->sao = true;
    app_spread_slices(&s->app, s->run.slice_count);
    if (s->run.has_strong_filters) {
        job->qp = 44;
        job->beta_offset_div2 = job->tc_offset_div2 = 6;
    }
}

static void
encode_key(struct session *s, uint32_t time)
{
    app_draw(&s->app, time);
    app_picture_init(&s->app, true, 0);
    set_tools(s);
    REQUIRE(app_encode(&s->app, 0) == RP_CODEC_OK);
    s->app.slots[0].is_reference = true;
}

static void
set_refresh(struct session *s, uint32_t index, uint32_t clean_count)
{
    struct app *app = &s->app;
    uint32_t first_blocks[RP_H265_ENCODE_MAX_SLICES];
    for (uint32_t i = 0; i < app->job.slice_count; i++)
        first_blocks[i] = app->first_rows[i] * COLS;
    const struct rp_intra_refresh refresh = {s->run.mode, s->run.cycle, index};
    const struct rp_intra_refresh_blocks blocks = {COLS, ROWS, first_blocks, app->job.slice_count,
                                                   NULL};
    struct maps *maps = &s->maps[index];
    REQUIRE(rp_intra_refresh_fill(&refresh, &blocks, clean_count, maps->force_intra,
                                  maps->intra_clean));
    app->job.common.force_intra = maps->force_intra;
    app->job.common.intra_clean = maps->intra_clean;
}

/* The picture of the cycle, or with index cycle the one behind it. */
static void
encode_next(struct session *s, uint32_t index)
{
    struct app *app = &s->app;
    const uint32_t slot = (index + 1) % 3, last = index % 3, older = (index + 2) % 3;
    const bool has_older = s->run.has_older_reference && index > 1 && index < s->run.cycle;
    uint32_t initial[2][APP_SLOTS];
    app_draw(app, index + 1);
    app_picture_init(app, false, (int32_t)index + 1);
    app->header.nal_unit_type = RP_H265_NAL_TRAIL_R;
    app->slots[slot].is_reference = false;
    app_set_references(app, 1u << last | (has_older ? 1u << older : 0), initial);
    app->job.slice_type = s->run.is_b ? STD_VIDEO_H265_SLICE_TYPE_B : STD_VIDEO_H265_SLICE_TYPE_P;
    for (uint32_t list = 0; list < (s->run.is_b ? 2u : 1u); list++) {
        for (uint32_t i = 0; i < (has_older ? 2u : 1u); i++)
            app_refer(app, list, i, i, initial[list][i]);
    }
    set_tools(s);
    if (index < s->run.cycle)
        set_refresh(s, index, has_older ? index - 1 : index);
    else
        memset(s->maps[index].intra_clean, 1, sizeof(s->maps[index].intra_clean));
    REQUIRE(app_encode(app, (int32_t)slot) == RP_CODEC_OK);
    app->slots[slot].poc = app->job.poc;
    app->slots[slot].is_reference = true;
}

static bool
is_refreshed(const struct maps *maps, int32_t x, int32_t y)
{
    x = x < 0 ? 0 : x >= WIDTH_PX ? WIDTH_PX - 1 : x;
    y = y < 0 ? 0 : y >= HEIGHT_PX ? HEIGHT_PX - 1 : y;
    const int32_t block = y / 64 * COLS + x / 64;
    return maps->force_intra[block] || maps->intra_clean[block];
}

static bool
is_right(const struct maps *maps, int32_t x, int32_t y)
{
    bool is_right = true;
    for (int32_t i = 0; i < 9; i++)
        is_right &=
            is_refreshed(maps, x + (i % 3 - 1) * FILTERED_X_PX, y + (i / 3 - 1) * FILTERED_Y_PX);
    return is_right;
}

/* What the late decoder shows, beside the reconstruction. */
static void
compare_refreshed(void *ctx, uint32_t number, const struct judge_frame *frame)
{
    struct session *s = ctx;
    const uint8_t *expected = s->app.records[number].i420;
    s->frame_count++;
    s->different = 0;
    for (uint32_t plane = 0; plane < 3; plane++) {
        const int32_t shift = plane > 0;
        for (int32_t y = 0; y < HEIGHT_PX >> shift; y++) {
            for (int32_t x = 0; x < WIDTH_PX >> shift; x++) {
                const uint8_t found = frame->plane[plane][y * frame->stride_B[plane] + x];
                const bool is_equal = found == *expected++;
                s->different += !is_equal;
                if (is_equal || number == 0 ||
                    !is_right(&s->maps[number - 1], x << shift, y << shift))
                    continue;
                (void)fprintf(stderr, "picture %u differs at %d, %d of plane %u\n", number, x, y,
                              plane);
                test_fail();
            }
        }
    }
    /* There is something to do. */
    REQUIRE(number != 1 || s->run.cycle == 1 || s->different > WIDTH_PX);
}

static void
run_cycle(const struct run *run)
{
    struct session *foreign = open_session(run);
    struct session *s = open_session(run);
    encode_key(foreign, 70);
    encode_key(s, 0);
    for (uint32_t i = 0; i <= run->cycle; i++)
        encode_next(s, i);
    judge_stream(&s->app);
    judge_late(&s->app, &foreign->app.records[0], compare_refreshed, s);
    REQUIRE_EQ(s->frame_count, run->cycle + 2);
    REQUIRE_EQ(s->different, 0u);
    close_session(foreign);
    close_session(s);
}

static const VkVideoEncodeIntraRefreshModeFlagBitsKHR modes[] = {
    VK_VIDEO_ENCODE_INTRA_REFRESH_MODE_BLOCK_ROW_BASED_BIT_KHR,
    VK_VIDEO_ENCODE_INTRA_REFRESH_MODE_BLOCK_BASED_BIT_KHR,
    VK_VIDEO_ENCODE_INTRA_REFRESH_MODE_BLOCK_COLUMN_BASED_BIT_KHR,
    VK_VIDEO_ENCODE_INTRA_REFRESH_MODE_PER_PICTURE_PARTITION_BIT_KHR,
};
#define MODES 4u

static uint32_t
slices_of(uint32_t mode, uint32_t cycle)
{
    return mode < MODES - 1 ? 1 : cycle < ROWS ? cycle : ROWS;
}

static void
a_cycle_brings_a_late_decoder_back(void)
{
    static const uint32_t cycles[] = {3, 6};
    for (uint32_t i = 0; i < 2 * MODES; i++)
        run_cycle(&(struct run){.mode = modes[i % MODES],
                                .cycle = cycles[i / MODES],
                                .quality_level = i % 5,
                                .slice_count = slices_of(i % MODES, cycles[i / MODES])});
}

static void
the_shortest_and_long_cycles_work(void)
{
    static const uint32_t cycles[] = {1, 11};
    for (uint32_t i = 0; i < 2 * MODES; i++)
        run_cycle(&(struct run){.mode = modes[i % MODES],
                                .cycle = cycles[i / MODES],
                                .quality_level = i % 2,
                                .slice_count = 2 + i % 2});
}

static void
filters_reach_no_further(void)
{
    for (uint32_t i = 0; i < MODES; i++)
        run_cycle(&(struct run){.mode = modes[i],
                                .cycle = 5,
                                .quality_level = MODES - 1 - i,
                                .slice_count = slices_of(i, 5),
                                .has_strong_filters = true});
}

static void
older_references_and_b_pictures_keep_what_is_refreshed(void)
{
    for (uint32_t i = 0; i < 2 * MODES; i++)
        run_cycle(&(struct run){.mode = modes[i % MODES],
                                .cycle = 6,
                                .quality_level = i % 2,
                                .slice_count = slices_of(i % MODES, 6),
                                .has_older_reference = true,
                                .is_b = i >= MODES});
}

int
main(void)
{
    RUN(a_cycle_brings_a_late_decoder_back);
    RUN(the_shortest_and_long_cycles_work);
    RUN(filters_reach_no_further);
    RUN(older_references_and_b_pictures_keep_what_is_refreshed);
    return 0;
}
