/* SPDX-License-Identifier: MIT */
/* The contract between the video engine and an H.264 picture decoder.
 *
 * One call decodes one frame or one field and is complete when it returns. The decoder keeps the
 * pixels and motion of every DPB slot itself; slots are addressed by the application's indices.
 */
#ifndef REELPIPE_CODEC_H264_DECODE_H
#define REELPIPE_CODEC_H264_DECODE_H

#include "reelpipe/codec.h"
#include "reelpipe/picture.h"

#include <vk_video/vulkan_video_codec_h264std.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RP_H264_DECODE_SLOTS 17

struct rp_h264_decoder; /* one per video session */

/* StdVideoDecodeH264ReferenceInfo and the slot it stands for. */
struct rp_h264_decode_reference {
    int32_t slot;      /* 0 .. RP_H264_DECODE_SLOTS - 1 */
    uint32_t frame_num; /* FrameNum, or LongTermFrameIdx when is_long_term */
    int32_t poc[2];     /* top, bottom */
    bool has_top;       /* both true for a frame */
    bool has_bottom;
    bool is_long_term;
    bool is_non_existing;
};

struct rp_h264_decode_job {
    const StdVideoH264SequenceParameterSet *sps;
    const StdVideoH264PictureParameterSet *pps;

    /* StdVideoDecodeH264PictureInfo */
    bool is_field;
    bool is_bottom_field;
    bool is_second_field; /* complementary to the field decoded just before */
    bool is_idr;
    bool is_reference;
    uint32_t frame_num;
    uint32_t idr_pic_id;
    int32_t poc[2];

    /* The source range; slices start (with or without a start code) at these offsets and end where
     * the next begins. Offsets are checked against data_B. */
    const uint8_t *data;
    size_t data_B;
    const uint32_t *slice_offsets_B;
    uint32_t slice_count;

    const struct rp_h264_decode_reference *refs; /* all that the application lists */
    uint32_t ref_count;
    int32_t setup_slot; /* -1: the picture is not kept */

    /* Where the pixels go, each of NV12 or I420 and of the coded extent; data NULL: nowhere. A
     * field is written to its lines (interleaved). */
    struct rp_picture dst;       /* the output picture */
    struct rp_picture dst_setup; /* the setup slot's image when it is another one that can be read */
};

struct rp_h264_decode_codec {
    const char *name;

    /* Cheap but for the library, which is loaded with the first one. thread_count: for slices.
     * Sets *status_out on failure (NO_MEMORY, or FAILED when the library cannot be had). */
    struct rp_h264_decoder *(*create)(uint32_t thread_count, enum rp_codec_status *status_out);
    void (*destroy)(struct rp_h264_decoder *dec); /* accepts NULL */

    /* vkCmdControlVideoCodingKHR with RESET: all slots become empty. */
    void (*reset)(struct rp_h264_decoder *dec);

    /* One thread at a time per decoder. OK, DAMAGED (concealed, slot usable), FAILED (nothing
     * decoded), NO_MEMORY, UNSUPPORTED. */
    enum rp_codec_status (*decode)(struct rp_h264_decoder *dec,
                                   const struct rp_h264_decode_job *job);
};

#endif
