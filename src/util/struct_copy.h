/* SPDX-License-Identifier: MIT */
/* Deep copies of what recorded commands and video session parameters are given: structures, the
 * arrays and structures they point to, and their pNext chains. Generated from the registry
 * (tools/gen/pnext.py), the Std structures of all codecs included.
 *
 * Optional pointers of Std structures count only when the flag that the standard names says so;
 * others become NULL. AV1's pMiColStarts and pMiRowStarts are always NULL: they repeat the tiles'
 * sizes, and applications fill them wrongly. The application's opaque pointers stay as they are.
 */
#ifndef RP_UTIL_STRUCT_COPY_H
#define RP_UTIL_STRUCT_COPY_H

#include "util/arena.h"
#include "util/compiler.h"

#include <vk_video/vulkan_video_codec_av1std_encode.h>
#include <vulkan/vulkan_core.h>

#include <stdbool.h>

/* One structure (it starts with sType) with all that hangs from it. False when memory is short.
 * *out is NULL when its type is not known. */
bool rp_struct_copy(struct rp_arena *arena, const void *from, void **out) RP_MUST_CHECK;

/* A pNext chain, which may be NULL, in its order; unknown structures are left out. */
bool rp_chain_copy(struct rp_arena *arena, const void *chain, void **out) RP_MUST_CHECK;

/* Gives the copy of an AV1 picture its pBufferRemovalTimes, which rp_struct_copy() leaves NULL:
 * they are as many as the bound session parameters have operating points. NULL when the picture
 * says that it has none. False when memory is short. */
bool rp_av1_removal_times_copy(struct rp_arena *arena, const StdVideoEncodeAV1PictureInfo *from,
                               uint32_t operating_point_count,
                               StdVideoEncodeAV1PictureInfo *copy) RP_MUST_CHECK;

#endif
