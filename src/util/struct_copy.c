/* SPDX-License-Identifier: MIT */
/* Copying chains, structure by structure, and what needs to know more than the structure says.
 */
#include "util/struct_copy.h"

bool
rp_chain_copy(struct rp_arena *arena, const void *chain, void **out)
{
    /* Each known structure copies the chain behind it: here only unknown ones are skipped. */
    for (const VkBaseInStructure *s = chain; s; s = s->pNext) {
        if (!rp_struct_copy(arena, s, out))
            return false;
        if (*out)
            return true;
    }
    *out = NULL;
    return true;
}

bool
rp_av1_removal_times_copy(struct rp_arena *arena, const StdVideoEncodeAV1PictureInfo *from,
                          uint32_t operating_point_count, StdVideoEncodeAV1PictureInfo *copy)
{
    copy->pBufferRemovalTimes = NULL;
    if (!from->flags.buffer_removal_time_present_flag || operating_point_count == 0)
        return true;
    copy->pBufferRemovalTimes =
        rp_arena_copy(arena, from->pBufferRemovalTimes, operating_point_count * sizeof(uint32_t));
    return copy->pBufferRemovalTimes != NULL;
}
