/* SPDX-License-Identifier: MIT */
/* The writer of H.264 slice headers (7.3.3), and what a picture says for all of them.
 */
#ifndef RP_VIDEO_H264_SLICE_HEADER_H
#define RP_VIDEO_H264_SLICE_HEADER_H

#include "reelpipe/bits.h"
#include "reelpipe/encode_h264.h"

#include <vk_video/vulkan_video_codec_h264std.h>
#include <vk_video/vulkan_video_codec_h264std_encode.h>

#include <stdbool.h>
#include <stdint.h>

/* How a reference is called in a list modification. */
struct rp_h264_ref_name {
    bool is_long_term;
    uint32_t frame_num;
    uint32_t long_term_frame_idx;
};

/* Values that are not those of the Std structures have been decided by the engine. Pointers are
 * borrowed. */
struct rp_h264_slice_header {
    const StdVideoH264SequenceParameterSet *sps;
    const StdVideoH264PictureParameterSet *pps;
    const StdVideoEncodeH264PictureInfo *picture;
    const StdVideoEncodeH264ReferenceListsInfo *lists; /* NULL: no modification, no marking */
    const StdVideoEncodeH264SliceHeader *slices;       /* by index of the slice */
    const struct rp_h264_weights *weights;             /* of P pictures; NULL: default ones */
    enum rp_h264_slice_type slice_type;                /* what the picture's lists are for */
    bool is_idr;
    uint32_t nal_ref_idc;
    uint32_t ref_count[2];
    struct rp_h264_ref_name ref[2][RP_H264_MAX_REFS]; /* the entries of the final lists */
    uint32_t idr_pic_id;
    int32_t delta_pic_order_cnt[2]; /* of POC type 1 */
};

/* ctx: struct rp_h264_slice_header. The signature of rp_h264_encode_job::write_slice_header. */
void rp_h264_write_slice_header(const void *ctx, const struct rp_h264_slice_state *slice,
                                struct rp_bits *bits);

#endif
