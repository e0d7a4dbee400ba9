/* SPDX-License-Identifier: MIT */
/* kvazaar's search_inter.c, unchanged but for its check that a vector stays inside a tile, which it
 * makes for every vector that it may choose: refresh.c has that.
 *
 * The function is static. Its definition begins with another token than its calls, and so gets
 * another name.
 */
#define fracmv_within_tile(first, ...) WITHIN_##first, __VA_ARGS__)
#define WITHIN_const unused_within_tile(const
#define WITHIN_info vector_is_allowed(info

#include "codecs/kvazaar/core.h"

static bool vector_is_allowed(const void *info, int x, int y);

#include "search_inter.c"

static bool
vector_is_allowed(const void *opaque, int x, int y)
{
    const inter_search_info_t *info = opaque;
    return !rp_kvazaar_motion_of(info->state)->refresh.clean ||
           rp_kvazaar_refresh_allows(info->state, &info->origin,
                                     &(vector2d_t){info->width, info->height}, &(vector2d_t){x, y});
}
