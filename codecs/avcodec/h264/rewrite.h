/* SPDX-License-Identifier: MIT */
/* Slices of the application, renumbered into the private stream.
 */
#ifndef RP_CODECS_AVCODEC_H264_REWRITE_H
#define RP_CODECS_AVCODEC_H264_REWRITE_H

#include "codecs/avcodec/h264/held.h"
#include "codecs/avcodec/h264/slice_header.h"
#include "codecs/avcodec/library/nal.h"
#include "reelpipe/bits.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A picture of the private stream. */
struct rp_h264dec_private {
    uint32_t fields; /* the field, or RP_H264DEC_FRAME */
    bool frame_mbs_only;
    bool is_reference;
    uint32_t frame_num;
    int32_t poc[2]; /* that of the other field of a field picture is not looked at */
    const struct rp_h264dec_marking *marking; /* looked at when is_reference */
};

/* Reference lists whose every entry is a held frame or field. */
struct rp_h264dec_lists {
    struct rp_h264dec_entry at[2][RP_H264DEC_MAX_REFS];
};

/* Appends one slice to packet. nal is what header was parsed from. False when memory is short. */
bool rp_h264dec_slice_rewrite(struct rp_avcodec_buffer *packet,
                              const struct rp_h264dec_private *pic,
                              const struct rp_h264dec_dpb *dpb,
                              const struct rp_h264dec_slice_header *header,
                              const struct rp_h264dec_lists *lists, const uint8_t *nal,
                              size_t nal_B) RP_MUST_CHECK;

/* dec_ref_pic_marking() of a picture that is not IDR. */
void rp_h264dec_marking_write(struct rp_bits *bits, const struct rp_h264dec_marking *marking);

#endif
