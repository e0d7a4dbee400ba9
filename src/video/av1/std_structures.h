/* SPDX-License-Identifier: MIT */
/* Parts of AV1 headers that Vulkan's encode and decode describe with the same structures, as those
 * of this folder.
 */
#ifndef RP_VIDEO_AV1_STD_STRUCTURES_H
#define RP_VIDEO_AV1_STD_STRUCTURES_H

#include "util/compiler.h"
#include "video/av1/frame.h"

#include <vk_video/vulkan_video_codec_av1std.h>

#include <stdbool.h>

/* With a description of the colours, which may be "unspecified". */
struct rp_av1_color rp_av1_color_from_std(const StdVideoAV1ColorConfig *std);

/* Tile sizes have four bytes. Uniform spacing that does not lead to the counts of std becomes what
 * no header can say. False when std (or NULL) does not describe tiles. */
bool rp_av1_tiles_from_std(const StdVideoAV1TileInfo *std, const struct rp_av1_sequence *seq,
                           const struct rp_av1_frame_size *size,
                           struct rp_av1_tile_info *tiles) RP_MUST_CHECK;

struct rp_av1_quantization rp_av1_quantization_from_std(const StdVideoAV1Quantization *std);

void rp_av1_segments_from_std(const StdVideoAV1Segmentation *std,
                              struct rp_av1_segmentation_data *data);

/* Some applications say the secondary strength 4 that the code 3 stands for: both will do. */
void rp_av1_cdef_from_std(const StdVideoAV1CDEF *std, struct rp_av1_cdef *cdef);

#endif
