/* SPDX-License-Identifier: MIT */
/* VP9: its row in the table of video/standard.h.
 *
 * standard.c   the row, profiles and limits
 * decode.c     VP9 in the decode engine: a picture becomes a job of the decoder
 * header       the uncompressed header, written of Vulkan's structures
 * references   the eight references of the stream
 * order        pictures in the order in which they were submitted
 *
 * The contract is reelpipe/decode_vp9.h.
 */
#ifndef RP_VIDEO_VP9_STANDARD_H
#define RP_VIDEO_VP9_STANDARD_H

struct rp_decode_standard;
struct rp_video_standard;

extern const struct rp_video_standard rp_vp9_decode_operation;

/* Its half in the engine: decode.c. */
extern const struct rp_decode_standard rp_vp9_decode;

/* Pictures may touch as much more than their extent. */
#define RP_VP9_GRANULARITY_PX 8

#endif
