/* SPDX-License-Identifier: MIT */
/* kvazaar's filter.c, unchanged but for its filter of luma edges, which deblock.c has instead: it
 * takes indices of lists for pictures, while a picture may stand in them at several places.
 *
 * The function is static. Its definition begins with another token than its calls, and so gets
 * another name.
 */
#define filter_deblock_edge_luma(first, ...) EDGE_LUMA_##first, __VA_ARGS__)
#define EDGE_LUMA_encoder_state_t unused_edge_luma(encoder_state_t
#define EDGE_LUMA_state edge_luma(state

#include "codecs/kvazaar/core.h"

#include "filter.h"

static void edge_luma(encoder_state_t *state, int32_t x, int32_t y, int32_t length, int dir,
                      bool is_transform_edge);

#include "filter.c"

static void
edge_luma(encoder_state_t *state, int32_t x, int32_t y, int32_t length, int dir,
          bool is_transform_edge)
{
    rp_kvazaar_deblock_luma(state, x, y, length, dir == EDGE_VER, is_transform_edge);
}
