/* SPDX-License-Identifier: MIT */
/* Writers of H.264 parameter sets (7.3.2.1, 7.3.2.2): syntax as the Std structures say, no policy.
 */
#ifndef RP_VIDEO_H264_WRITER_H
#define RP_VIDEO_H264_WRITER_H

#include <vk_video/vulkan_video_codec_h264std.h>

#include <stddef.h>
#include <stdint.h>

/* Write a whole NAL unit with its start code to dst, nothing past capacity_B. Return its size. */
size_t rp_h264_write_sps(const StdVideoH264SequenceParameterSet *sps, uint8_t *dst,
                         size_t capacity_B);
size_t rp_h264_write_pps(const StdVideoH264SequenceParameterSet *sps,
                         const StdVideoH264PictureParameterSet *pps, uint8_t *dst,
                         size_t capacity_B);

#endif
