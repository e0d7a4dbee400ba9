/* SPDX-License-Identifier: MIT */
/* Intra refresh: whoever starts to decode inside a cycle has the right pixels in all that was
 * refreshed, but for those that filters across the border to the rest have mixed.
 *
 * Regions are refreshed in raster order, so that what is left of such a block or above it is
 * refreshed, too: that is all that intra prediction looks at, and motion of neighbours. Temporal
 * candidates are not used.
 */
#include "codecs/kvazaar/core.h"

#include "search.h"

#include "util/compiler.h"

#define CTB_PX LCU_WIDTH

/* How far from a border filters change what is refreshed by what is not: deblocking changes three
 * samples, and SAO looks at one beside each. */
#define FILTERED_PX 4

/* What interpolation reads around a block, of luma, or of chroma in luma samples. */
#define READ_BEFORE_PX 3
#define READ_BEHIND_PX 4

/* Samples beyond the map have what its last blocks have. */
static size_t
block_at(const struct rp_kvazaar_refresh *refresh, int x_px, int y_px)
{
    const uint32_t column = RP_MIN((uint32_t)x_px / CTB_PX, refresh->columns - 1);
    const uint32_t row = RP_MIN((uint32_t)y_px / CTB_PX, refresh->rows - 1);
    return (size_t)row * refresh->columns + column;
}

/* All samples of the references from x0, y0 to x1, y1, inclusive, are refreshed. */
static bool
area_is_clean(const encoder_state_t *state, int x0, int y0, int x1, int y1)
{
    const struct rp_kvazaar_refresh *refresh = &rp_kvazaar_motion_of(state)->refresh;
    const int last_x = state->encoder_control->in.width - 1;
    const int last_y = state->encoder_control->in.height - 1;
    const int left = CLIP(0, last_x, x0) / CTB_PX * CTB_PX;
    const int top = CLIP(0, last_y, y0) / CTB_PX * CTB_PX;

    for (int y = top; y <= CLIP(0, last_y, y1); y += CTB_PX) {
        for (int x = left; x <= CLIP(0, last_x, x1); x += CTB_PX) {
            if (!refresh->clean[block_at(refresh, x, y)])
                return false;
        }
    }
    return true;
}

bool
rp_kvazaar_refresh_forces(const encoder_state_t *state, int x_px, int y_px)
{
    const struct rp_kvazaar_refresh *refresh = &rp_kvazaar_motion_of(state)->refresh;
    const encoder_state_config_tile_t *tile = state->tile;
    return refresh->forced &&
           refresh->forced[block_at(refresh, x_px + tile->offset_x, y_px + tile->offset_y)];
}

/* A block that is refreshed is searched as those of I slices are. The frame is that of all threads
 * that code the picture, the pointer to it the leaf's. */
void
rp_kvazaar_search_lcu(encoder_state_t *state, int x, int y, const yuv_t *hor_buf,
                      const yuv_t *ver_buf)
{
    encoder_state_config_frame_t *frame = state->frame;
    if (rp_kvazaar_refresh_forces(state, x, y))
        state->frame = rp_kvazaar_motion_of(state)->intra_frame;
    kvz_search_lcu(state, x, y, hor_buf, ver_buf);
    state->frame = frame;
}

bool
rp_kvazaar_refresh_allows(const encoder_state_t *state, const vector2d_t *at,
                          const vector2d_t *size, const vector2d_t *mv)
{
    const struct rp_kvazaar_refresh *refresh = &rp_kvazaar_motion_of(state)->refresh;
    const int x = at->x + state->tile->offset_x, y = at->y + state->tile->offset_y;
    if (!refresh->clean[block_at(refresh, x, y)])
        return true;
    const int from_x = x + (mv->x >> 2), from_y = y + (mv->y >> 2);
    const bool is_between_x = mv->x & 7, is_between_y = mv->y & 7; /* eighths of chroma samples */
    return area_is_clean(state, from_x - FILTERED_PX - (is_between_x ? READ_BEFORE_PX : 0),
                         from_y - FILTERED_PX - (is_between_y ? READ_BEFORE_PX : 0),
                         from_x + size->x - 1 + FILTERED_PX + (is_between_x ? READ_BEHIND_PX : 0),
                         from_y + size->y - 1 + FILTERED_PX + (is_between_y ? READ_BEHIND_PX : 0));
}
