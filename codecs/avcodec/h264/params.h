/* SPDX-License-Identifier: MIT */
/* Parameter sets of the private stream that libavcodec is fed with.
 *
 * Every picture of a context belongs to one endless stream of our own numbering: frame_num counts
 * all pictures, picture order counts are written literally (type 1 without a cycle), 16 reference
 * frames, no reordering. What the pixels depend on is as the application gave it.
 */
#ifndef RP_CODECS_AVCODEC_H264_PARAMS_H
#define RP_CODECS_AVCODEC_H264_PARAMS_H

#include <vk_video/vulkan_video_codec_h264std.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RP_H264DEC_CLONE_COUNT 8
#define RP_H264DEC_CONTROL_PPS 30    /* pic_parameter_set_id of control pictures: CAVLC, QP 26 */
#define RP_H264DEC_PARAMS_NAL_B 2048 /* no parameter set NAL unit is larger */

/* I_PCM samples in CAVLC are byte-aligned within the slice (7.3.5), so a rewritten slice header
 * must be as long as the original one modulo 8. Exp-Golomb codes have odd lengths: the PPS exists
 * in clones whose ids and redundant_pic_cnt add 0 to 7 bits, modulo 8, to a slice header. */
struct rp_h264dec_clone {
    uint8_t pps_id;
    bool has_redundant_pic_cnt;
};

extern const struct rp_h264dec_clone rp_h264dec_clones[RP_H264DEC_CLONE_COUNT];

/* What sizes libavcodec's tables and our planes. */
struct rp_h264dec_format {
    uint32_t width_mb;
    uint32_t height_mb; /* of a frame */
    uint32_t chroma_format_idc;
};

/* 4:2:0 or monochrome, 8 bits, sizes within the contract's, every element in its range. */
bool rp_h264dec_sps_is_supported(const StdVideoH264SequenceParameterSet *sps);
bool rp_h264dec_pps_is_supported(const StdVideoH264PictureParameterSet *pps);

void rp_h264dec_format_init(struct rp_h264dec_format *format,
                            const StdVideoH264SequenceParameterSet *sps);

/* Write NAL units with start codes into RP_H264DEC_PARAMS_NAL_B bytes and return their size. */
size_t rp_h264dec_sps_write(const StdVideoH264SequenceParameterSet *sps, uint32_t frame_num_bits,
                            uint8_t *dst);
size_t rp_h264dec_pps_write(const StdVideoH264SequenceParameterSet *sps,
                            const StdVideoH264PictureParameterSet *pps,
                            const struct rp_h264dec_clone *clone, uint8_t *dst);
size_t rp_h264dec_control_pps_write(uint8_t *dst);

#endif
