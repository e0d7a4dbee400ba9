/* SPDX-License-Identifier: MIT */
/* kvazaar's search_inter.c, unchanged but for its check that a vector stays inside a tile, which it
 * makes before it looks at any samples of references, and for every vector that it may choose:
 * there the samples are waited for (awaited.c), and intra refresh is kept (refresh.c).
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
    const struct rp_kvazaar_motion *motion = rp_kvazaar_motion_of(info->state);
    const vector2d_t size = {info->width, info->height}, mv = {x, y};
    if (motion->awaited_count > 0)
        rp_kvazaar_await_samples(info->state, &info->origin, &size, &mv);
    return !motion->refresh.clean ||
           rp_kvazaar_refresh_allows(info->state, &info->origin, &size, &mv);
}
