/* SPDX-License-Identifier: MIT */
/* From identifiers to sets.
 */
#include "video/h264/sets.h"

#include "reelpipe/bit_reader.h"
#include "video/h264/parameters.h"

#include <vk_video/vulkan_video_codec_h264std_decode.h>

/* The first bytes of a slice header, up to pic_parameter_set_id: three codes. */
#define HEAD_B 16u

static const VkVideoDecodeH264PictureInfoKHR *
picture_of(const struct rp_decode_request *request)
{
    return request->picture;
}

static const struct rp_h264_parameters *
parameters_of(const struct rp_decode_request *request)
{
    return rp_h264_parameters_of(request->parameters);
}

/* The first bytes of the NAL unit at src, behind its header, without emulation prevention. Returns
 * how many. */
static size_t
head_read(const uint8_t *src, size_t size_B, uint8_t head[HEAD_B])
{
    size_t count = 0;
    uint32_t zero_count = 0;
    for (size_t i = 0; i < size_B && count < HEAD_B; i++) {
        if (zero_count >= 2 && src[i] == 3) {
            zero_count = 0;
            continue;
        }
        zero_count = src[i] ? 0 : zero_count + 1;
        head[count++] = src[i];
    }
    return count;
}

/* Where the header byte of the picture's first NAL unit is; src_B when nowhere. */
static size_t
first_nal(const struct rp_decode_request *request)
{
    if (picture_of(request)->sliceCount == 0 || !picture_of(request)->pSliceOffsets)
        return request->src_B;
    size_t i = picture_of(request)->pSliceOffsets[0];
    const size_t begin = i;
    while (i < request->src_B && request->src[i] == 0)
        i++;
    return i < request->src_B && i >= begin + 2 && request->src[i] == 1 ? i + 1 : request->src_B;
}

/* False when the picture does not begin with a slice. */
static bool
slice_pps_id(const struct rp_decode_request *request, uint32_t *out)
{
    const size_t at = first_nal(request);
    const uint32_t type = at < request->src_B ? request->src[at] & 31 : 0;
    if (type != 1 && type != 5)
        return false;

    uint8_t head[HEAD_B];
    const size_t head_B = head_read(request->src + at + 1, request->src_B - at - 1, head);
    struct rp_bit_reader reader = {.data = head, .size_bits = head_B * 8};
    rp_bit_reader_ue(&reader); /* first_mb_in_slice */
    rp_bit_reader_ue(&reader); /* slice_type */
    *out = rp_bit_reader_ue(&reader);
    return !reader.has_overrun;
}

static const StdVideoH264PictureParameterSet *
stored_pps(const struct rp_decode_request *request)
{
    const StdVideoDecodeH264PictureInfo *std = picture_of(request)->pStdPictureInfo;
    const StdVideoH264PictureParameterSet *pps = NULL;
    uint32_t pps_id;

    if (std->flags.field_pic_flag && slice_pps_id(request, &pps_id))
        pps =
            rp_h264_parameters_find_pps(parameters_of(request), std->seq_parameter_set_id, pps_id);
    return pps ? pps
               : rp_h264_parameters_find_pps(parameters_of(request), std->seq_parameter_set_id,
                                             std->pic_parameter_set_id);
}

bool
rp_h264_sets_find(const struct rp_decode_request *request, struct rp_h264_sets *out)
{
    const StdVideoDecodeH264PictureInfo *std = picture_of(request)->pStdPictureInfo;
    bool has_overrides; /* decode sessions have none */

    *out = (struct rp_h264_sets){0};
    const VkVideoDecodeH264InlineSessionParametersInfoKHR *inlined = request->inlined;
    if (inlined)
        *out = (struct rp_h264_sets){inlined->pStdSPS, inlined->pStdPPS};
    if (!out->sps && request->parameters)
        out->sps = rp_h264_parameters_find_sps(parameters_of(request), std->seq_parameter_set_id,
                                               &has_overrides);
    if (!out->pps && request->parameters)
        out->pps = stored_pps(request);
    return out->sps && out->pps;
}
