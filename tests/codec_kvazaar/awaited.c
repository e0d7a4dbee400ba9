/* SPDX-License-Identifier: MIT */
/* What a block waits for of a reference that is being coded: wherever its vector leads, the samples
 * that interpolation reads are filtered when the blocks that it waits for are coded.
 *
 * The linker sends what is waited for here (--wrap).
 */
#include "codecs/kvazaar/core.h"

#include "tests/test.h"

#define WIDTH_PX (6 * LCU_WIDTH - 8)
#define HEIGHT_PX (5 * LCU_WIDTH - 16)

/* Filters with eight taps (8.5.3.3.3.1). */
#define TAPS_BEFORE 3
#define TAPS_BEHIND 4

static struct asked {
    uint32_t column_count;
    uint32_t first;
    uint32_t last;
} asked;

void __wrap_rp_kvazaar_coded_rows_wait(struct rp_kvazaar_coded_rows *coded, uint32_t column_count,
                                       uint32_t first, uint32_t last, struct rp_workers *workers);

void
__wrap_rp_kvazaar_coded_rows_wait(struct rp_kvazaar_coded_rows *coded, uint32_t column_count,
                                  uint32_t first, uint32_t last, struct rp_workers *workers)
{
    (void)coded;
    (void)workers;
    asked = (struct asked){column_count, first, last};
}

static int
clip(int sample, int size_px)
{
    return CLIP(0, size_px - 1, sample);
}

/* The block of the last one that changes the sample: the last SAO_DELAY_PX of a block are filtered
 * with the next block, if there is one. */
static uint32_t
final_with(int sample, int size_px)
{
    const int block = (clip(sample, size_px) + SAO_DELAY_PX) / LCU_WIDTH;
    return (uint32_t)MIN(block, (size_px - 1) / LCU_WIDTH);
}

static void
a_block_waits_for_filters(int size_px)
{
    static encoder_control_t control;
    static encoder_state_config_frame_t frame;
    static encoder_state_config_tile_t tile;
    static struct rp_kvazaar_coded_rows coded = {.row_count = 5, .column_count = 6};
    static struct rp_kvazaar_motion motion = {.awaited = {&coded}, .awaited_count = 1};
    static encoder_state_t state;
    control.in.width = WIDTH_PX;
    control.in.height = HEIGHT_PX;
    frame.new_ratecontrol = (struct kvz_rc_data *)&motion;
    state.encoder_control = &control;
    state.frame = &frame;
    state.tile = &tile;

    const vector2d_t at = {128, 128}, size = {size_px, size_px};
    for (int way = -200; way <= 300; way++) {
        const vector2d_t mv = {4 * way + 1, 4 * way + 1};
        const int first = 128 + way - TAPS_BEFORE, last = 128 + way + size_px - 1 + TAPS_BEHIND;
        rp_kvazaar_await_samples(&state, &at, &size, &mv);
        REQUIRE(asked.first <= (uint32_t)(clip(first, HEIGHT_PX) / LCU_WIDTH));
        REQUIRE(asked.last >= final_with(last, HEIGHT_PX) && asked.last < coded.row_count);
        REQUIRE(asked.column_count > final_with(last, WIDTH_PX));
        REQUIRE(asked.column_count <= coded.column_count);
    }
}

int
main(void)
{
    RUN(a_block_waits_for_filters, 8);
    RUN(a_block_waits_for_filters, 16);
    RUN(a_block_waits_for_filters, 32);
    RUN(a_block_waits_for_filters, 64);
    return 0;
}
