/* SPDX-License-Identifier: MIT */
/* Each picture that the second decoder gives is the reconstruction, too.
 */
#include "openh264.h"
#include "stream_state.h"

#include "util/compiler.h"

#include <string.h>

static struct stream_opinions totals;

struct stream_opinions
stream_second_opinions(void)
{
    return totals;
}

static void
compare_plane(uint32_t number, const uint8_t *expected, const uint8_t *pixels, uint32_t stride_B,
              uint32_t width_px, uint32_t height_px)
{
    for (uint32_t y = 0; y < height_px; y++) {
        if (memcmp(expected + (size_t)y * width_px, pixels + (size_t)y * stride_B, width_px) != 0) {
            (void)fprintf(stderr, "OpenH264: row %u of picture %u differs\n", y, number);
            exit(1);
        }
    }
}

static void
compare_frame(void *ctx, uint32_t number, uint32_t width_px, uint32_t height_px,
              const uint8_t *const planes[3], const uint32_t strides_B[2])
{
    const struct stream *s = ctx;
    REQUIRE(number < s->kept_capacity && s->kept[number].is_sent);
    REQUIRE_EQ(width_px, s->options.width_px);
    REQUIRE_EQ(height_px, s->options.height_px);
    const uint8_t *recon = s->kept[number].recon;
    if (!recon)
        return;
    const size_t luma_B = (size_t)width_px * height_px;
    const uint32_t width2 = width_px / 2;
    const uint32_t height2 = height_px / 2;
    compare_plane(number, recon, planes[0], strides_B[0], width_px, height_px);
    compare_plane(number, recon + luma_B, planes[1], strides_B[1], width2, height2);
    compare_plane(number, recon + luma_B * 5 / 4, planes[2], strides_B[1], width2, height2);
}

/* The functions below know what OpenH264 (2.3.1, where no version is named) reads wrongly, though
 * the standard allows it and libavcodec reads it. */

/* Implicit weights are those of the initial lists: InitRefPicList() has CreateImplicitWeightTable()
 * before the modification of the lists, after which refIdxL0 and refIdxL1 count (8.4.2.3.1). Up to
 * 2.6 at least. */
static bool
has_right_weights(const struct stream *s, const struct shot *shot)
{
    return s->options.weighted_bipred_idc != STD_VIDEO_H264_WEIGHTED_BIPRED_IDC_IMPLICIT ||
           (shot->lists.refList0ModOpCount == 0 && shot->lists.refList1ModOpCount == 0);
}

/* In B pictures: parts of macroblocks (GetInterBPred() moves on to the second part once for each
 * list; quality level 0 has none) and temporal direct prediction, in the x264 command line's
 * streams just as well; initial lists that are equal (8.2.4.2.3 swaps two entries) or have
 * long-term pictures (WelsInitBSliceRefList() orders them by POC). */
static bool
can_read_b(const struct stream *s, const struct shot *shot)
{
    uint32_t past_count = 0;
    for (uint32_t i = 0; i < shot->ref_count; i++) {
        if (shot->refs[i].is_long_term)
            return false;
        past_count += shot->refs[i].poc < shot->numbers.poc;
    }
    return shot->quality_level == 0 && !shot->pic.is_temporal_direct && past_count > 0 &&
           past_count < shot->ref_count && has_right_weights(s, shot);
}

/* Operation 3 looks for its picture in the lists of the slice (MarkAsLongTerm()), operation 4 is
 * held against log2_max_frame_num (ParseDecRefPicMarking()). */
static bool
can_read_marks(const struct shot *shot)
{
    for (uint32_t i = 0; i < shot->lists.refPicMarkingOpCount; i++) {
        const StdVideoH264MemMgmtControlOp op = shot->marks[i].memory_management_control_operation;
        if (op == STD_VIDEO_H264_MEM_MGMT_CONTROL_OP_MARK_LONG_TERM ||
            op == STD_VIDEO_H264_MEM_MGMT_CONTROL_OP_SET_MAX_LONG_TERM_INDEX)
            return false;
    }
    return true;
}

static bool
has_repeated(const uint8_t *list, uint32_t count, uint32_t *seen)
{
    bool found = false;
    for (uint32_t i = 0; i < count; i++) {
        found |= *seen >> list[i] & 1;
        *seen |= 1u << list[i];
    }
    return found;
}

/* Repeats push what is behind them out of the array before it is asked for (WelsReorderRefList()).
 */
static bool
has_more_after_repeats(const uint8_t *list, uint32_t count)
{
    uint32_t seen = 0;
    bool found = false;
    for (uint32_t i = 0; i < count; i++) {
        const bool is_new = !(seen >> list[i] & 1);
        if (found && is_new)
            return true;
        found |= !is_new;
        seen |= 1u << list[i];
    }
    return false;
}

/* A picture again in a list: codes of 33 bits, when frame_num has 16; in B pictures, also in the
 * other list: motion vectors of what is not predicted are compared in the loop filter. */
static bool
can_read_lists(const struct stream *s, const struct stream_picture *pic)
{
    uint32_t seen = 0;
    if (has_more_after_repeats(pic->list[0], pic->list_count[0]))
        return false;
    const bool has_repeats = has_repeated(pic->list[0], pic->list_count[0], &seen) ||
                             has_repeated(pic->list[1], pic->list_count[1], &seen);
    return !has_repeats || (pic->slice_type != 1 && s->options.log2_max_frame_num_minus4 < 12);
}

static bool
is_long_term(const struct shot *shot, uint8_t slot)
{
    for (uint32_t i = 0; i < shot->ref_count; i++) {
        if (shot->refs[i].slot == slot)
            return shot->refs[i].is_long_term;
    }
    return false;
}

/* From 2.5 on, with CABAC and outside of Baseline, a short-term picture after a long-term one in a
 * list: WelsReorderRefList2() counts the difference of picture numbers from the LongTermPicNum
 * before it. It belongs to the last short-term picture (8.2.4.3.1, picNumLXPred). */
static bool
can_read_order_of_list(const struct stream *s, const struct shot *shot, uint32_t x)
{
    bool has_long_term = false;
    if (openh264_version() < 205 || s->options.is_cavlc)
        return true;
    for (uint32_t i = 0; i < shot->pic.list_count[x]; i++) {
        if (is_long_term(shot, shot->pic.list[x][i]))
            has_long_term = true;
        else if (has_long_term)
            return false;
    }
    return true;
}

static int32_t
lowest_qp(const struct stream *s, const struct shot *shot)
{
    int32_t qp = s->options.average_bps || shot->pic.map ? 0 : 51;
    for (uint32_t i = 0; i < shot->pic.slice_count; i++)
        qp = RP_MIN(qp, shot->slices[i].constantQp);
    return qp;
}

/* Levels with a prefix beyond 15, which High alone has (9.2.2.1), of fine quantizers again. With
 * rate control there are none. */
static bool
can_read_levels(const struct stream *s, const struct shot *shot)
{
    const bool is_high =
        !s->options.profile_idc || s->options.profile_idc == STD_VIDEO_H264_PROFILE_IDC_HIGH;
    return !s->options.is_cavlc || !is_high || s->options.average_bps || lowest_qp(s, shot) >= 12;
}

/* Samples of I_PCM macroblocks are those of the source, in whole bytes: the first rows are looked
 * for. */
static bool
may_have_pcm(const struct stream *s, const struct shot *shot, const uint8_t *unit, size_t size_B)
{
    const uint32_t width_px = s->options.width_px;
    for (uint32_t y = 0; y < s->options.height_px; y += 16) {
        for (uint32_t x = 0; x < width_px; x += 16) {
            const uint8_t *row = shot->source + (size_t)y * width_px + x;
            const size_t row_B = RP_MIN(16, width_px - x);
            for (size_t i = 0; i + row_B <= size_B; i++) {
                if (unit[i] == row[0] && memcmp(unit + i, row, row_B) == 0)
                    return true;
            }
        }
    }
    return false;
}

/* Chroma beside I_PCM macroblocks in the loop filter: for those pChromaQp is 0, without the offset
 * of 8.7.2.2 (ParseIPCMInfoCabac() and the CAVLC parsers, up to 2.6 at least). They come with any
 * quantizer (seen at 35). */
static bool
can_read_pcm(const struct stream *s, const struct shot *shot, const uint8_t *unit, size_t size_B)
{
    return s->options.chroma_qp_offset <= 0 || !shot->has_filter ||
           !may_have_pcm(s, shot, unit, size_B);
}

/* Pictures that wait to come out stand in max_num_ref_frames + 2 buffers, with the references. */
static bool
can_read_order(struct stream *s, const struct shot *shot)
{
    const bool is_late = !shot->pic.is_idr && shot->numbers.poc < s->second_poc;
    s->second_poc = shot->numbers.poc;
    return !is_late || s->options.max_refs > 2;
}

static bool
is_readable(struct stream *s, const struct shot *shot, const uint8_t *unit, size_t size_B)
{
    return can_read_order(s, shot) && can_read_pcm(s, shot, unit, size_B) &&
           can_read_levels(s, shot) && can_read_marks(shot) && can_read_lists(s, &shot->pic) &&
           can_read_order_of_list(s, shot, 0) && can_read_order_of_list(s, shot, 1) &&
           (shot->pic.slice_type != 1 || can_read_b(s, shot));
}

void
stream_second_send(struct stream *s, const struct shot *shot, const uint8_t *unit, size_t size_B)
{
    totals.coded++;
    if (!s->second && shot->pic.is_idr && !stream_is_large(&s->options) &&
        !s->options.is_judged_once)
        s->second = openh264_open(compare_frame, s);
    if (s->second && !is_readable(s, shot, unit, size_B))
        stream_second_finish(s);
    if (!s->second)
        return;
    openh264_send(s->second, unit, size_B, shot->number);
    s->second_count++;
}

void
stream_second_finish(struct stream *s)
{
    if (!s->second)
        return;
    REQUIRE_EQ(openh264_finish(s->second), s->second_count);
    totals.judged += s->second_count;
    s->second_count = 0;
    s->second = NULL;
}
