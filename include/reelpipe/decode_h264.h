/* SPDX-License-Identifier: MIT */
/* The contract between the video engine and an H.264 picture decoder: what decode.h leaves to the
 * standard.
 */
#ifndef REELPIPE_DECODE_H264_H
#define REELPIPE_DECODE_H264_H

#include "reelpipe/decode.h"

#include <vk_video/vulkan_video_codec_h264std.h>

#include <stdbool.h>
#include <stdint.h>

#define RP_H264_DECODE_SLOTS 17

/* Pictures that may be kept: those of an application, and those after its next IDR picture that
 * frame threads decode before the last ones in front of it are done. */
#define RP_H264_DECODE_KEPT 31

#define RP_H264_DECODE_MAX_WIDTH_PX 8192
#define RP_H264_DECODE_MAX_HEIGHT_PX 4352

/* StdVideoDecodeH264ReferenceInfo and the slot it stands for. */
struct rp_h264_decode_reference {
    int32_t slot;       /* 0 .. RP_H264_DECODE_KEPT - 1; -1: it is not known */
    uint32_t frame_num; /* FrameNum, or LongTermFrameIdx when is_long_term */
    int32_t poc[2];     /* top, bottom; that of a field that is not there may be anything */
    bool has_top;       /* the fields marked as used for reference: both, or neither (as */
    bool has_bottom;    /* applications say it of a coded frame), for a whole frame */
    bool is_long_term;
    bool is_non_existing;
};

/* UNSUPPORTED: parameters outside of 4:2:0 (or 4:0:0), 8 bits, Baseline to High. */
struct rp_h264_decode_job {
    struct rp_decode_job common; /* first */

    const StdVideoH264SequenceParameterSet *sps;
    const StdVideoH264PictureParameterSet *pps; /* of all slices (7.4.1.2.4) */

    /* StdVideoDecodeH264PictureInfo. The second field of a frame is known by its opposite parity,
     * the same frame_num, setup_slot and dst, right after the first one on this decoder:
     * complementary_field_pair is not asked, applications set it on either field. */
    bool is_field;
    bool is_bottom_field;
    bool is_idr;
    bool is_reference;
    uint32_t frame_num;
    int32_t poc[2];

    /* A slice starts (with or without a start code) at each of these offsets into the source range
     * and ends before the next one, before a start code or with the range. */
    const uint32_t *slice_offsets_B;
    uint32_t slice_count;

    const struct rp_h264_decode_reference *refs; /* all that the application lists */
    uint32_t ref_count;
};

static inline const struct rp_h264_decode_job *
rp_h264_decode_job_of(const struct rp_decode_job *job)
{
    return (const struct rp_h264_decode_job *)job;
}

/* NULL when the build or the machine does not have it. Any thread; cheap enough for device
 * enumeration (no library is loaded). */
const struct rp_decode_codec *rp_codec_h264_decode(void);

#endif
