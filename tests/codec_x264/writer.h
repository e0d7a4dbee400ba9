/* SPDX-License-Identifier: MIT */
/* Just enough H.264 syntax for the tests: SPS, PPS and slice headers, independent of the driver's.
 */
#ifndef RP_TESTS_CODEC_X264_WRITER_H
#define RP_TESTS_CODEC_X264_WRITER_H

#include "dpb.h"

struct modification {
    uint32_t idc;
    uint32_t value;
};

/* The headers of the slices of a picture. */
struct header {
    const StdVideoH264SequenceParameterSet *sps;
    const StdVideoH264PictureParameterSet *pps;
    const struct rp_h264_slice *slices;
    uint32_t nal_ref_idc;
    uint32_t idr_pic_id;
    int32_t poc;
    uint32_t ref_count[2];
    struct modification mod[2][RP_H264_MAX_REFS];
    uint32_t mod_count[2];
    const struct rp_h264_weights *weights; /* NULL: a table of default weights */
    struct marking marking;
};

/* Both write a NAL unit to dst (of at least 256 bytes) and return its size. */
size_t write_sps(const StdVideoH264SequenceParameterSet *sps, uint32_t reorder_count, uint8_t *dst);
size_t write_pps(const StdVideoH264PictureParameterSet *pps, uint8_t *dst);

/* rp_h264_encode_job::write_slice_header; ctx: struct header. */
void write_slice_header(const void *ctx, const struct rp_h264_slice_state *slice,
                        struct rp_bits *bits);

#endif
