/* SPDX-License-Identifier: MIT */
/* Intra refresh: whoever starts to decode inside a cycle has the right pixels in all that was
 * refreshed, but for those that filters across the border to the rest have mixed.
 *
 * Regions are refreshed in raster order, or column by column from the left, so that what is left of
 * such a block or above it is refreshed, too. Intra prediction looks there, and to the right in the
 * row above: beside a column that is not refreshed, its modes that do so are not used. Motion of
 * neighbours is what it is whatever their samples are; temporal candidates are not used.
 */
#include "codecs/kvazaar/core.h"

#include "search_intra.h"

#include "util/compiler.h"

#define CTB_PX LCU_WIDTH

/* How far from a border filters change what is refreshed by what is not: deblocking changes three
 * samples, and SAO looks at one beside each. Horizontal edges are deblocked behind vertical ones,
 * four columns at a time, of which the last decides (8.7.2.5.3). */
#define FILTERED_X_PX 5
#define FILTERED_Y_PX 4

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

static bool
is_refreshed(const struct rp_kvazaar_refresh *refresh, size_t block)
{
    return refresh->forced[block] || refresh->clean[block];
}

/* Blocks that begin there are at the right end of a coding tree block's top, or are the first of a
 * larger one that is: that may take over their mode (combine_intra_cus). Chroma of 8x8 is that of
 * their first 4x4. */
static bool
is_at_top_right(int x_px, int y_px)
{
    const int x = x_px % CTB_PX & ~7;
    return y_px % CTB_PX == 0 && (x == 0 || x == 32 || x == 48 || x == 56);
}

/* What is above to the right of the block is there, and is not refreshed, while the block is. */
static bool
has_limited_modes(const encoder_state_t *state, int x_px, int y_px)
{
    const struct rp_kvazaar_refresh *refresh = &rp_kvazaar_motion_of(state)->refresh;
    const int x = x_px + state->tile->offset_x, y = y_px + state->tile->offset_y;

    return refresh->forced && refresh->clean && y_px >= CTB_PX && is_at_top_right(x_px, y_px) &&
           is_refreshed(refresh, block_at(refresh, x, y)) &&
           !is_refreshed(refresh, block_at(refresh, x + CTB_PX, y - CTB_PX));
}

/* The mode, or one like it that looks to the left and straight up alone, at filtered samples, too
 * (8.4.4.2.3); strong filters are never on. */
static int8_t
limited_mode(int8_t mode)
{
    enum { PLANAR = 0, DC = 1, HORIZONTAL = 10, LAST_OF_LEFT = 17, VERTICAL = 26 };

    if (mode == PLANAR)
        return DC;
    if (mode <= HORIZONTAL)
        return mode;
    return mode <= LAST_OF_LEFT ? HORIZONTAL : VERTICAL;
}

/* The cost is that of the mode before: it only chooses between intra and inter, and what the block
 * costs is reckoned anew. */
void
rp_kvazaar_search_cu_intra(encoder_state_t *state, const int x_px, const int y_px, const int depth,
                           lcu_t *lcu, int8_t *mode_out, double *cost_out)
{
    kvz_search_cu_intra(state, x_px, y_px, depth, lcu, mode_out, cost_out);
    if (has_limited_modes(state, x_px, y_px))
        *mode_out = limited_mode(*mode_out);
}

int8_t
rp_kvazaar_search_cu_intra_chroma(encoder_state_t *state, const int x_px, const int y_px,
                                  const int depth, lcu_t *lcu)
{
    const int8_t mode = kvz_search_cu_intra_chroma(state, x_px, y_px, depth, lcu);

    if (!has_limited_modes(state, x_px, y_px) || mode == limited_mode(mode))
        return mode;
    return LCU_GET_CU_AT_PX(lcu, SUB_SCU(x_px), SUB_SCU(y_px))->intra.mode;
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
    return area_is_clean(state, from_x - FILTERED_X_PX - (is_between_x ? READ_BEFORE_PX : 0),
                         from_y - FILTERED_Y_PX - (is_between_y ? READ_BEFORE_PX : 0),
                         from_x + size->x - 1 + FILTERED_X_PX + (is_between_x ? READ_BEHIND_PX : 0),
                         from_y + size->y - 1 + FILTERED_Y_PX +
                             (is_between_y ? READ_BEHIND_PX : 0));
}
