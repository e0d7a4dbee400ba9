/* SPDX-License-Identifier: MIT */
/* What an H.264 decoder keeps of frames: marking (8.2.5) and initial reference lists (8.2.4).
 */
#ifndef RP_TESTS_VIDEO_DPB_MODEL_H
#define RP_TESTS_VIDEO_DPB_MODEL_H

#include <vk_video/vulkan_video_codec_h264std.h>
#include <vk_video/vulkan_video_codec_h264std_encode.h>

#include <stdbool.h>
#include <stdint.h>

#define DPB_MODEL_MAX 17

struct dpb_frame {
    int32_t slot; /* of the application */
    uint32_t frame_num;
    int32_t poc;
    bool is_long_term;
    uint32_t long_term_frame_idx;
};

struct dpb_model {
    uint32_t max_frame_num;
    uint32_t max_refs; /* max_num_ref_frames of the SPS */
    uint32_t previous_ref_frame_num;
    struct dpb_frame frames[DPB_MODEL_MAX]; /* marked as used for reference */
    uint32_t frame_count;
};

/* One marking operation; slots say which picture is meant. */
struct dpb_mark {
    StdVideoH264MemMgmtControlOp op;
    int32_t slot;   /* operations 1, 2, 3 */
    uint32_t index; /* long_term_frame_idx of 3 and 6, max_long_term_frame_idx_plus1 of 4 */
};

struct dpb_picture {
    bool is_idr;
    bool is_reference;
    bool is_long_term;   /* IDR: long_term_reference_flag */
    uint32_t slice_type; /* 0 P, 1 B, 2 I */
    uint32_t frame_num;
    int32_t poc;
    int32_t slot;
    const struct dpb_mark *marks;
    uint32_t mark_count; /* 0: sliding window */
};

const struct dpb_frame *dpb_model_find(const struct dpb_model *model, int32_t slot);

/* frame_num that the next picture has. */
uint32_t dpb_model_next_frame_num(const struct dpb_model *model, bool is_idr);

/* The operations that make list x be the count slots of wanted: none when it is that already. */
uint32_t dpb_model_modify(const struct dpb_model *model, const struct dpb_picture *pic, uint32_t x,
                          const uint8_t *wanted, uint32_t count,
                          StdVideoEncodeH264RefListModEntry *ops);

/* pic->marks as the stream says them, with the end. */
uint32_t dpb_model_marking(const struct dpb_model *model, const struct dpb_picture *pic,
                           StdVideoEncodeH264RefPicMarkingEntry *ops);

/* After the picture. A picture with operation 5 has frame_num 0 and its POC counts from 0 then:
 * pic->poc is changed to it. */
void dpb_model_mark(struct dpb_model *model, struct dpb_picture *pic);

#endif
