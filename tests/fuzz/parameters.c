/* SPDX-License-Identifier: MIT */
/* Fuzz target: parameter sets of an encode session are refused, or written within their buffer.
 */
#include "target.h"

#include "tests/test.h"
#include "video/h264/parameters.h"
#include "video/h264/writer.h"

#include <stdlib.h>

/* All that the structs point to. */
struct sets {
    StdVideoH264SequenceParameterSet sps;
    StdVideoH264PictureParameterSet pps;
    StdVideoH264SequenceParameterSetVui vui;
    StdVideoH264HrdParameters hrd;
    StdVideoH264ScalingLists lists[2];
    int32_t offsets[256];
};

static void
sets_read(struct input *in, struct sets *out)
{
    const uint8_t has = input_u8(in);

    input_read(in, &out->sps, sizeof(out->sps));
    input_read(in, &out->pps, sizeof(out->pps));
    input_read(in, &out->vui, sizeof(out->vui));
    input_read(in, &out->hrd, sizeof(out->hrd));
    input_read(in, out->lists, sizeof(out->lists));
    input_read(in, out->offsets, sizeof(out->offsets));
    out->vui.pHrdParameters = has & 1 ? &out->hrd : NULL;
    out->sps.pSequenceParameterSetVui = has & 2 ? &out->vui : NULL;
    out->sps.pScalingLists = has & 4 ? &out->lists[0] : NULL;
    out->pps.pScalingLists = has & 8 ? &out->lists[1] : NULL;
    out->sps.pOffsetForRefFrame = has & 16 ? out->offsets : NULL;
}

static void
sets_write(struct rp_h264_parameters *params, const struct sets *sets, size_t capacity_B)
{
    struct rp_h264_active active;
    if (!rp_h264_parameters_find(params, sets->sps.seq_parameter_set_id,
                                 sets->pps.pic_parameter_set_id, &active))
        return;
    uint8_t *dst = malloc(capacity_B ? capacity_B : 1);
    REQUIRE(dst);
    (void)rp_h264_write_sps(active.sps, dst, capacity_B);
    (void)rp_h264_write_pps(active.sps, &active.pps, dst, capacity_B);
    free(dst);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_B)
{
    struct input in = {data, size_B};
    const bool is_encode = input_u8(&in) % 2;
    const size_t capacity_B = input_u16(&in) % 4096;
    struct rp_h264_parameters *params = NULL;
    struct sets first, second;

    sets_read(&in, &first);
    sets_read(&in, &second);
    const struct rp_h264_parameters_info info = {
        .max_sps_count = 2,
        .max_pps_count = 2,
        .sets = {.sps = &first.sps, .sps_count = 1, .pps = &first.pps, .pps_count = 1},
        .is_encode = is_encode,
        .profile_idc = STD_VIDEO_H264_PROFILE_IDC_HIGH,
        .max_level_idc = STD_VIDEO_H264_LEVEL_IDC_6_2,
    };
    if (rp_h264_parameters_create(NULL, &info, &params) != VK_SUCCESS)
        return 0;
    sets_write(params, &first, capacity_B);
    const struct rp_h264_parameter_sets more = {
        .sps = &second.sps, .sps_count = 1, .pps = &second.pps, .pps_count = 1};
    if (rp_h264_parameters_update(params, &more) == VK_SUCCESS)
        sets_write(params, &second, capacity_B);
    rp_video_parameters_unref(rp_h264_parameters_common(params));
    return 0;
}
