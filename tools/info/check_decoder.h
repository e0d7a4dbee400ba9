/* SPDX-License-Identifier: MIT */
/* A decoder made of Vulkan Video calls, for the streams that the encoder of tools/encode makes with
 * one reference: pictures that refer to nothing, and others that refer to the picture before them.
 */
#ifndef RP_TOOLS_INFO_CHECK_DECODER_H
#define RP_TOOLS_INFO_CHECK_DECODER_H

#include "tools/encode/encoder_state.h"

#define CHECK_SLOTS 2u
#define CHECK_MAX_SLICES 16u

/* One picture; its structures point into it. The picture is in slot position % CHECK_SLOTS, the one
 * before it in the other slot. */
struct check_picture {
    uint32_t position; /* behind the last picture that refers to nothing */
    uint32_t slice_count;
    uint32_t slice_offsets_B[CHECK_MAX_SLICES];
    const void *chain; /* the codec's, of VkVideoDecodeInfoKHR */
    const void *slots[CHECK_SLOTS];
    union {
        struct {
            StdVideoDecodeH264PictureInfo std;
            VkVideoDecodeH264PictureInfoKHR info;
            StdVideoDecodeH264ReferenceInfo references[CHECK_SLOTS];
            VkVideoDecodeH264DpbSlotInfoKHR slots[CHECK_SLOTS];
        } h264;
        struct {
            StdVideoDecodeH265PictureInfo std;
            VkVideoDecodeH265PictureInfoKHR info;
            StdVideoDecodeH265ReferenceInfo references[CHECK_SLOTS];
            VkVideoDecodeH265DpbSlotInfoKHR slots[CHECK_SLOTS];
        } h265;
    } codec;
};

/* The position of the picture in a slot. Before the first reference: of none, 0 will do. */
static inline uint32_t
check_slot_position(const struct check_picture *picture, uint32_t slot)
{
    return picture->position == 0 || slot == picture->position % CHECK_SLOTS
               ? picture->position
               : picture->position - 1;
}

/* What a decoder knows of one standard alone. */
struct check_codec {
    struct gpu_work work;
    const struct encode_codec *encode; /* makes the streams */
    const void *profile;               /* VkVideoDecode*ProfileInfoKHR */

    /* first_byte: of a NAL unit. */
    bool (*is_slice)(uint8_t first_byte);

    /* With the encoder's parameter sets. */
    VkResult (*parameters_create)(const struct video_device *device, VkVideoSessionKHR session,
                                  const struct encoder *enc, VkVideoSessionParametersKHR *out);

    /* Sets chain and slots of a picture whose position and slices are set. */
    void (*picture_init)(struct check_picture *picture);
};

extern const struct check_codec check_codec_h264;
extern const struct check_codec check_codec_h265;

/* A decoder of the encoder's size, and of its codec. */
struct check_decoder;
struct check_decoder *check_decoder_create(struct gpu *gpu, const struct check_codec *codec,
                                           const struct encoder *enc);
void check_decoder_destroy(struct check_decoder *decoder);

/* Decodes one access unit with start codes, picture number position after one that refers to
 * nothing, and reads the result back as NV12: width * height bytes of luma, then the chroma rows.
 * The planes are the decoder's and valid until the next call. */
const uint8_t *check_decoder_decode(struct check_decoder *decoder, const uint8_t *unit,
                                    size_t unit_B, uint32_t position);

#endif
