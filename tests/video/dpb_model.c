/* SPDX-License-Identifier: MIT */
/* Frames only; gaps in frame_num do not occur.
 */
#include "dpb_model.h"

#include "test.h"

#include <string.h>

const struct dpb_frame *
dpb_model_find(const struct dpb_model *model, int32_t slot)
{
    for (uint32_t i = 0; i < model->frame_count; i++) {
        if (model->frames[i].slot == slot)
            return &model->frames[i];
    }
    return NULL;
}

uint32_t
dpb_model_next_frame_num(const struct dpb_model *model, bool is_idr)
{
    return is_idr ? 0 : (model->previous_ref_frame_num + 1) % model->max_frame_num;
}

/* PicNum (8-28), FrameNumWrap (8-27). */
static int32_t
pic_num(const struct dpb_model *model, const struct dpb_frame *frame, uint32_t current)
{
    return frame->frame_num > current ? (int32_t)frame->frame_num - (int32_t)model->max_frame_num
                                      : (int32_t)frame->frame_num;
}

/* Smaller keys come first: the groups of 8.2.4.2.1 and 8.2.4.2.3, then the order in them. */
static int64_t
list_key(const struct dpb_model *model, const struct dpb_frame *frame,
         const struct dpb_picture *pic, uint32_t x)
{
    const int64_t group = INT64_C(1) << 40;
    if (frame->is_long_term)
        return 2 * group + frame->long_term_frame_idx;
    if (pic->slice_type == 0)
        return -(int64_t)pic_num(model, frame, pic->frame_num);
    const bool is_before = frame->poc < pic->poc;
    const int64_t distance = is_before ? (int64_t)pic->poc - frame->poc : frame->poc - pic->poc;
    return (is_before == (x == 0) ? 0 : group) + distance;
}

static uint32_t
initial_list(const struct dpb_model *model, const struct dpb_picture *pic, uint32_t x, uint8_t *out)
{
    const struct dpb_frame *sorted[DPB_MODEL_MAX];
    for (uint32_t i = 0; i < model->frame_count; i++) {
        uint32_t j = i;
        const struct dpb_frame *frame = &model->frames[i];
        for (; j > 0 && list_key(model, sorted[j - 1], pic, x) > list_key(model, frame, pic, x);
             j--)
            sorted[j] = sorted[j - 1];
        sorted[j] = frame;
    }
    for (uint32_t i = 0; i < model->frame_count; i++)
        out[i] = (uint8_t)sorted[i]->slot;
    return model->frame_count;
}

uint32_t
dpb_model_modify(const struct dpb_model *model, const struct dpb_picture *pic, uint32_t x,
                 const uint8_t *wanted, uint32_t count, StdVideoEncodeH264RefListModEntry *ops)
{
    uint8_t list[DPB_MODEL_MAX];
    const uint32_t initial_count = initial_list(model, pic, x, list);
    if (x == 1 && initial_count > 1) {
        uint8_t list0[DPB_MODEL_MAX];
        (void)initial_list(model, pic, 0, list0);
        if (memcmp(list, list0, initial_count) == 0) {
            list[0] = list0[1];
            list[1] = list0[0];
        }
    }
    if (count <= initial_count && memcmp(list, wanted, count) == 0)
        return 0;

    int32_t predicted = (int32_t)pic->frame_num;
    for (uint32_t i = 0; i < count; i++) {
        const struct dpb_frame *frame = dpb_model_find(model, wanted[i]);
        REQUIRE(frame);
        ops[i] = (StdVideoEncodeH264RefListModEntry){0};
        if (frame->is_long_term) {
            ops[i].modification_of_pic_nums_idc =
                STD_VIDEO_H264_MODIFICATION_OF_PIC_NUMS_IDC_LONG_TERM;
            ops[i].long_term_pic_num = (uint16_t)frame->long_term_frame_idx;
            continue;
        }
        int32_t difference = pic_num(model, frame, pic->frame_num) - predicted;
        if (difference == 0)
            difference = -(int32_t)model->max_frame_num; /* the same again: once around */
        ops[i].modification_of_pic_nums_idc = difference > 0;
        ops[i].abs_diff_pic_num_minus1 =
            (uint16_t)((difference > 0 ? difference : -difference) - 1);
        predicted = pic_num(model, frame, pic->frame_num);
    }
    ops[count] = (StdVideoEncodeH264RefListModEntry){
        .modification_of_pic_nums_idc = STD_VIDEO_H264_MODIFICATION_OF_PIC_NUMS_IDC_END};
    return count + 1;
}

uint32_t
dpb_model_marking(const struct dpb_model *model, const struct dpb_picture *pic,
                  StdVideoEncodeH264RefPicMarkingEntry *ops)
{
    for (uint32_t i = 0; i < pic->mark_count; i++) {
        const struct dpb_mark *mark = &pic->marks[i];
        const struct dpb_frame *frame = dpb_model_find(model, mark->slot);
        ops[i] =
            (StdVideoEncodeH264RefPicMarkingEntry){.memory_management_control_operation = mark->op};
        switch ((uint32_t)mark->op) {
        case 1:
        case 3:
            REQUIRE(frame && !frame->is_long_term);
            ops[i].difference_of_pic_nums_minus1 =
                (uint16_t)((int32_t)pic->frame_num - pic_num(model, frame, pic->frame_num) - 1);
            ops[i].long_term_frame_idx = (uint16_t)mark->index;
            break;
        case 2:
            REQUIRE(frame && frame->is_long_term);
            ops[i].long_term_pic_num = (uint16_t)frame->long_term_frame_idx;
            break;
        case 4:
            ops[i].max_long_term_frame_idx_plus1 = (uint16_t)mark->index;
            break;
        case 6:
            ops[i].long_term_frame_idx = (uint16_t)mark->index;
            break;
        default:
            break;
        }
    }
    ops[pic->mark_count] = (StdVideoEncodeH264RefPicMarkingEntry){0};
    return pic->mark_count ? pic->mark_count + 1 : 0;
}

static void
remove_at(struct dpb_model *model, uint32_t i)
{
    model->frames[i] = model->frames[--model->frame_count];
}

static void
remove_slot(struct dpb_model *model, int32_t slot)
{
    for (uint32_t i = 0; i < model->frame_count; i++) {
        if (model->frames[i].slot == slot) {
            remove_at(model, i);
            return;
        }
    }
    REQUIRE(!"a reference picture");
}

static void
remove_long_term(struct dpb_model *model, uint32_t index, int32_t but_slot)
{
    for (uint32_t i = 0; i < model->frame_count; i++) {
        const struct dpb_frame *frame = &model->frames[i];
        if (frame->is_long_term && frame->long_term_frame_idx == index && frame->slot != but_slot) {
            remove_at(model, i);
            return;
        }
    }
}

static void
slide_window(struct dpb_model *model, uint32_t frame_num)
{
    if (model->frame_count < model->max_refs)
        return;
    uint32_t oldest = DPB_MODEL_MAX;
    for (uint32_t i = 0; i < model->frame_count; i++) {
        if (!model->frames[i].is_long_term &&
            (oldest == DPB_MODEL_MAX || pic_num(model, &model->frames[i], frame_num) <
                                            pic_num(model, &model->frames[oldest], frame_num)))
            oldest = i;
    }
    REQUIRE(oldest < DPB_MODEL_MAX);
    remove_at(model, oldest);
}

static void
apply_mark(struct dpb_model *model, const struct dpb_mark *mark, struct dpb_frame *current)
{
    switch ((uint32_t)mark->op) {
    case 1:
    case 2:
        remove_slot(model, mark->slot);
        break;
    case 3:
        remove_long_term(model, mark->index, mark->slot);
        for (uint32_t i = 0; i < model->frame_count; i++) {
            if (model->frames[i].slot == mark->slot) {
                model->frames[i].is_long_term = true;
                model->frames[i].long_term_frame_idx = mark->index;
            }
        }
        break;
    case 4:
        for (uint32_t i = model->frame_count; i-- > 0;) {
            if (model->frames[i].is_long_term &&
                model->frames[i].long_term_frame_idx >= mark->index)
                remove_at(model, i);
        }
        break;
    case 5:
        model->frame_count = 0;
        current->frame_num = 0;
        current->poc = 0;
        break;
    case 6:
        remove_long_term(model, mark->index, current->slot);
        current->is_long_term = true;
        current->long_term_frame_idx = mark->index;
        break;
    default:
        break;
    }
}

void
dpb_model_mark(struct dpb_model *model, struct dpb_picture *pic)
{
    struct dpb_frame current = {
        .slot = pic->slot,
        .frame_num = pic->frame_num,
        .poc = pic->poc,
        .is_long_term = pic->is_idr && pic->is_long_term,
    };
    if (pic->is_idr)
        model->frame_count = 0;
    if (!pic->is_reference)
        return;
    for (uint32_t i = 0; i < pic->mark_count; i++)
        apply_mark(model, &pic->marks[i], &current);
    if (pic->mark_count == 0 && !pic->is_idr)
        slide_window(model, pic->frame_num);

    REQUIRE(model->frame_count < model->max_refs);
    model->frames[model->frame_count++] = current;
    model->previous_ref_frame_num = current.frame_num;
    pic->poc = current.poc;
}
