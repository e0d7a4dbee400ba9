/* SPDX-License-Identifier: MIT */
/* slice_header() (7.3.3) as far as rewriting it needs, checked against hostile data.
 */
#ifndef RP_CODECS_AVCODEC_H264_SLICE_HEADER_H
#define RP_CODECS_AVCODEC_H264_SLICE_HEADER_H

#include "reelpipe/decode_h264.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RP_H264DEC_MAX_REFS 32     /* entries of a reference list */
#define RP_H264DEC_MAX_MARKINGS 66 /* memory_management_control_operations of a slice */

enum rp_h264dec_slice_type { RP_H264DEC_P, RP_H264DEC_B, RP_H264DEC_I };

/* modification_of_pic_nums_idc 0 to 2 and its operand. */
struct rp_h264dec_modification {
    uint32_t idc;
    uint32_t value;
};

/* memory_management_control_operation 1 to 6; operands in the order of the syntax. */
struct rp_h264dec_mmco {
    uint32_t op;
    uint32_t value[2];
};

struct rp_h264dec_slice_header {
    bool is_idr_nal;
    uint32_t nal_ref_idc;
    const StdVideoH264PictureParameterSet *pps; /* the job's; borrowed */

    uint32_t first_mb;
    enum rp_h264dec_slice_type type;
    bool is_field;
    bool is_bottom_field;
    uint32_t redundant_pic_cnt;
    bool direct_spatial;
    uint32_t ref_count[2]; /* num_ref_idx_active */
    struct rp_h264dec_modification modifications[2][RP_H264DEC_MAX_REFS];
    uint32_t modification_count[2];
    size_t weights_begin_bits; /* pred_weight_table(), of the RBSP; empty when there is none */
    size_t weights_end_bits;
    bool is_long_term_idr;
    bool has_adaptive_marking;
    struct rp_h264dec_mmco mmcos[RP_H264DEC_MAX_MARKINGS];
    uint32_t mmco_count;
    uint32_t cabac_init_idc;
    int32_t slice_qp_delta;
    uint32_t disable_deblocking_filter_idc;
    int32_t alpha_c0_offset_div2;
    int32_t beta_offset_div2;
    size_t data_begin_bits; /* first bit of slice_data() */
};

/* nal: RBSP with its header byte, nal unit type 1 or 5; bit positions count from its start. The
 * parameter sets of job are supported ones. False when the header is not one that can be decoded:
 * cut off, out of range, or of a type that Baseline, Main and High do not have; *out is then
 * undefined. */
bool rp_h264dec_slice_header_parse(struct rp_h264dec_slice_header *out,
                                   const struct rp_h264_decode_job *job, const uint8_t *nal,
                                   size_t nal_B);

#endif
