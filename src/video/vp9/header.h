/* SPDX-License-Identifier: MIT */
/* VP9's uncompressed header (6.2), written of Vulkan's structures. Clauses are those of the VP9
 * Bitstream & Decoding Process Specification, version 0.6.
 */
#ifndef RP_VIDEO_VP9_HEADER_H
#define RP_VIDEO_VP9_HEADER_H

#include <vk_video/vulkan_video_codec_vp9std_decode.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RP_VP9_REFERENCES STD_VIDEO_VP9_NUM_REF_FRAMES
#define RP_VP9_REFS_PER_FRAME STD_VIDEO_VP9_REFS_PER_FRAME
#define RP_VP9_MAX_HEADER_B 256u

/* What is not in StdVideoDecodeVP9PictureInfo. */
struct rp_vp9_frame {
    const StdVideoDecodeVP9PictureInfo *std;
    uint32_t width_px;
    uint32_t height_px;
    uint32_t bit_depth;
    uint8_t ref_frame_idx[RP_VP9_REFS_PER_FRAME]; /* of inter frames */
    uint32_t compressed_header_B;
};

static inline bool
rp_vp9_is_key(const StdVideoDecodeVP9PictureInfo *std)
{
    return std->frame_type == STD_VIDEO_VP9_FRAME_TYPE_KEY;
}

/* Frames that are shown have no intra_only. */
static inline bool
rp_vp9_is_intra(const StdVideoDecodeVP9PictureInfo *std)
{
    return rp_vp9_is_key(std) || (std->flags.intra_only && !std->flags.show_frame);
}

/* Which of the references the frame takes the place of: a key frame, of all. */
static inline uint32_t
rp_vp9_refresh_mask(const StdVideoDecodeVP9PictureInfo *std)
{
    return rp_vp9_is_key(std) ? 0xff : std->refresh_frame_flags;
}

/* Writes the header with trailing bits, all sizes explicit; returns its size, or 0 when a value is
 * none that a header can say, or pointers that it needs are missing.
 *
 * Not looked at: UsePrevFrameMvs, which follows from the pictures before; update_ref_delta and
 * update_mode_delta, as applications say all deltas as they are after this header. */
size_t rp_vp9_header_write(const struct rp_vp9_frame *frame, uint8_t out[RP_VP9_MAX_HEADER_B]);

#endif
