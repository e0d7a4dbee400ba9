/* SPDX-License-Identifier: MIT */
/* The contract between the video engine and an H.264 picture decoder.
 *
 * One call decodes one frame or one field and is complete when it returns. The decoder keeps the
 * pixels and motion of every DPB slot itself; slots are addressed by the application's indices.
 * Where it may, it leaves the luma of a frame in the application's image.
 */
#ifndef REELPIPE_DECODE_H264_H
#define REELPIPE_DECODE_H264_H

#include "reelpipe/codec.h"
#include "reelpipe/picture.h"

#include <vk_video/vulkan_video_codec_h264std.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RP_H264_DECODE_SLOTS 17
#define RP_H264_DECODE_MAX_WIDTH_PX 8192
#define RP_H264_DECODE_MAX_HEIGHT_PX 4352

struct rp_h264_decoder; /* one per video session */

/* StdVideoDecodeH264ReferenceInfo and the slot it stands for. */
struct rp_h264_decode_reference {
    int32_t slot;       /* 0 .. RP_H264_DECODE_SLOTS - 1; not looked at when is_non_existing */
    uint32_t frame_num; /* FrameNum, or LongTermFrameIdx when is_long_term */
    int32_t poc[2];     /* top, bottom; that of a field that is not there may be anything */
    bool has_top;       /* the fields marked as used for reference: both, or neither (as */
    bool has_bottom;    /* applications say it of a coded frame), for a whole frame */
    bool is_long_term;
    bool is_non_existing;
};

/* How the luma of an NV12 image must look to be decoded into. */
struct rp_h264_decode_layout {
    size_t stride_B;
    uint32_t rows; /* of memory: whole macroblock pairs, and some that are only read */
};

/* An image that a frame may stay in, luma in place, for as long as the decoder refers to it.
 *
 * The decoder writes it only during the job. Later it may be read at any time until the decoder
 * has called release(), even when the application has given the image and its memory back: memory
 * must stay readable; what it then holds does not matter, as no legal stream refers to it. */
struct rp_h264_decode_home {
    void *memory;                 /* NULL: the image is an output only */
    void (*retain)(void *memory); /* may be called often; each is released once, by any thread */
    void (*release)(void *memory);
    uint32_t rows; /* of plane[0] that may be written and read; as many as layout() says */
};

struct rp_h264_decode_job {
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

    /* The source range; a slice starts (with or without a start code) at each of these offsets and
     * ends before the next one, before a start code or with the range. Nothing outside is read,
     * and every byte once: the memory may change meanwhile. Offsets are checked. */
    const uint8_t *data;
    size_t data_B;
    const uint32_t *slice_offsets_B;
    uint32_t slice_count;

    const struct rp_h264_decode_reference *refs; /* all that the application lists */
    uint32_t ref_count;
    int32_t setup_slot; /* -1: the picture is not kept */

    /* Where the pixels go, each of NV12 or I420, of the coded extent or less (the right and bottom
     * are cut off); plane[0].data NULL: nowhere. A field is written to its lines (interleaved).
     * When the status is neither OK nor DAMAGED they may hold what was begun. */
    struct rp_picture dst; /* the output picture */
    struct rp_picture
        dst_setup; /* the setup slot's image when it is another one that can be read */
    struct rp_h264_decode_home home; /* of dst, when dst has the layout and is the setup picture */
};

struct rp_h264_decode_codec {
    const char *name; /* "libavcodec" */

    /* Of images of this extent. */
    void (*layout)(uint32_t width_px, uint32_t height_px, struct rp_h264_decode_layout *out);

    /* Cheap but for the library, which is loaded with the first one. thread_count: for slices.
     * On failure NULL, and the reason (NO_MEMORY, or FAILED when the library cannot be had). */
    struct rp_h264_decoder *(*create)(uint32_t thread_count, enum rp_codec_status *status_out);
    void (*destroy)(struct rp_h264_decoder *dec); /* accepts NULL */

    /* vkCmdControlVideoCodingKHR with RESET: all slots become empty. */
    void (*reset)(struct rp_h264_decoder *dec);

    /* One thread at a time per decoder. Slots are named by the application and hold what was
     * decoded into them on this decoder, pixels and motion; the images are outputs only, unless
     * they are homes. A reference that has no picture is replaced by another one, or by grey:
     * DAMAGED.
     *
     *   OK           exact
     *   DAMAGED      something was wrong or missing and is concealed; dst and slot are written
     *   FAILED       nothing was decoded; slots are as before, or empty after an internal error
     *   NO_MEMORY    as FAILED
     *   UNSUPPORTED  parameters outside 4:2:0 (or 4:0:0), 8 bits, Baseline to High; as FAILED */
    enum rp_codec_status (*decode)(struct rp_h264_decoder *dec,
                                   const struct rp_h264_decode_job *job);
};

#endif
