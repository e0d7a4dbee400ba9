/* SPDX-License-Identifier: MIT */
/* References that are coded by other threads while a picture refers to them.
 */
#include "codecs/kvazaar/core.h"

#include "search_inter.h"

#include "util/compiler.h"

#include <assert.h>

#define CTB_PX LCU_WIDTH

/* How far in-loop filters of a block reach back into those before it and above; SAO reaches
 * farthest. */
#define FILTERED_PX SAO_DELAY_PX

/* How far kvazaar reads around where a vector leads, what kernels load and do not look at included.
 * Above: search_frac() begins a sample before the block, its filter KVZ_LUMA_FILTER_OFFSET before
 * that. Below: search_frac() goes through heights in multiples of 8, which is 4 more than those of
 * some blocks, and its filter through KVZ_EXT_PADDING_LUMA - KVZ_LUMA_FILTER_OFFSET rows. Farther
 * reach the chroma blocks of inter.c, each of whose rows is two of luma: by their pad_b and
 * pad_b_simd. On the right: a load of AVX2, the widest of its kernels, begins at a sample that is
 * needed; whatever else it has loaded changes no byte. */
#define READ_ABOVE_PX (1 + KVZ_LUMA_FILTER_OFFSET)
#define READ_BELOW_PX (2 * (KVZ_EXT_PADDING_CHROMA - KVZ_CHROMA_FILTER_OFFSET + 3))
#define READ_RIGHT_PX 32

static_assert(READ_BELOW_PX >= 4 + KVZ_EXT_PADDING_LUMA - KVZ_LUMA_FILTER_OFFSET, "search_frac()");

/* The first column_count blocks of rows. */
static void
await(const struct rp_kvazaar_motion *motion, int column_count, int first_row, int last_row)
{
    for (uint32_t i = 0; i < motion->awaited_count; i++) {
        struct rp_kvazaar_coded_rows *coded = motion->awaited[i];
        if (rp_kvazaar_coded_rows_are_ended(coded))
            continue;
        rp_kvazaar_coded_rows_wait(
            coded, RP_MIN((uint32_t)column_count, coded->column_count), (uint32_t)first_row,
            RP_MIN((uint32_t)last_row, coded->row_count - 1), motion->workers);
    }
}

/* Waits for the rows of references at the same place, and the block on its right, where temporal
 * candidates are read. */
void
rp_kvazaar_await_motion(const encoder_state_t *state, int x_px, int y_px)
{
    const int row = (y_px + state->tile->offset_y) / CTB_PX;
    await(rp_kvazaar_motion_of(state), (x_px + state->tile->offset_x) / CTB_PX + 2, row, row);
}

void
rp_kvazaar_await_samples(const encoder_state_t *state, const vector2d_t *at, const vector2d_t *size,
                         const vector2d_t *mv)
{
    const int last_x = state->encoder_control->in.width - 1;
    const int last_y = state->encoder_control->in.height - 1;
    const int x = at->x + state->tile->offset_x + (mv->x >> 2);
    const int y = at->y + state->tile->offset_y + (mv->y >> 2);
    const int right = CLIP(0, last_x, x + size->x + READ_RIGHT_PX) + FILTERED_PX;
    const int bottom = CLIP(0, last_y, y + size->y + READ_BELOW_PX) + FILTERED_PX;
    const int top = CLIP(0, last_y, y - READ_ABOVE_PX);

    await(rp_kvazaar_motion_of(state), right / CTB_PX + 1, top / CTB_PX, bottom / CTB_PX);
}
