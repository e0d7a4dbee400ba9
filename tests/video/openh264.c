/* SPDX-License-Identifier: MIT */
/* OpenH264 without error concealment: what it cannot decode it says.
 */
#include "openh264.h"

#include "test.h"

#include <wels/codec_api.h>

#include <string.h>

struct openh264 {
    ISVCDecoder *wels;
    openh264_frame frame;
    void *ctx;
    uint32_t frame_count;
};

static void
on_message(void *ctx, int level, const char *message)
{
    (void)ctx;
    (void)fprintf(stderr, "OpenH264 (%d): %s\n", level, message);
    REQUIRE(!"no message of OpenH264");
}

uint32_t
openh264_version(void)
{
    OpenH264Version version;
    WelsGetCodecVersionEx(&version);
    return version.uMajor * 100 + version.uMinor;
}

struct openh264 *
openh264_open(openh264_frame frame, void *ctx)
{
    struct openh264 *dec = calloc(1, sizeof(*dec));
    REQUIRE(dec);
    dec->frame = frame;
    dec->ctx = ctx;
    REQUIRE_EQ(WelsCreateDecoder(&dec->wels), 0);

    WelsTraceCallback callback = on_message;
    int level = WELS_LOG_ERROR; /* it warns of level 6.2 */
    const SDecodingParam param = {
        .uiTargetDqLayer = UINT8_MAX,
        .eEcActiveIdc = ERROR_CON_DISABLE,
        .sVideoProperty = {.size = sizeof(param.sVideoProperty),
                           .eVideoBsType = VIDEO_BITSTREAM_AVC},
    };
    (*dec->wels)->SetOption(dec->wels, DECODER_OPTION_TRACE_LEVEL, &level);
    (*dec->wels)->SetOption(dec->wels, DECODER_OPTION_TRACE_CALLBACK, &callback);
    REQUIRE_EQ((*dec->wels)->Initialize(dec->wels, &param), 0);
    return dec;
}

static void
give_frame(struct openh264 *dec, unsigned char *const planes[3], const SBufferInfo *info)
{
    if (info->iBufferStatus != 1)
        return;
    const SSysMEMBuffer *buffer = &info->UsrData.sSystemBuffer;
    const uint8_t *const pixels[3] = {planes[0], planes[1], planes[2]};
    const uint32_t strides_B[2] = {(uint32_t)buffer->iStride[0], (uint32_t)buffer->iStride[1]};
    REQUIRE_EQ(buffer->iFormat, videoFormatI420);
    dec->frame_count++;
    dec->frame(dec->ctx, (uint32_t)info->uiOutYuvTimeStamp, (uint32_t)buffer->iWidth,
               (uint32_t)buffer->iHeight, pixels, strides_B);
}

void
openh264_send(struct openh264 *dec, const uint8_t *data, size_t size_B, uint32_t number)
{
    unsigned char *planes[3] = {0};
    SBufferInfo info = {.uiInBsTimeStamp = number};
    REQUIRE_EQ((*dec->wels)->DecodeFrameNoDelay(dec->wels, data, (int)size_B, planes, &info),
               dsErrorFree);
    give_frame(dec, planes, &info);
}

uint32_t
openh264_finish(struct openh264 *dec)
{
    if (!dec)
        return 0;
    int is_end = 1;
    int left = 0;
    (*dec->wels)->SetOption(dec->wels, DECODER_OPTION_END_OF_STREAM, &is_end);
    (*dec->wels)->GetOption(dec->wels, DECODER_OPTION_NUM_OF_FRAMES_REMAINING_IN_BUFFER, &left);
    for (int i = 0; i < left; i++) {
        unsigned char *planes[3] = {0};
        SBufferInfo info = {0};
        REQUIRE_EQ((*dec->wels)->FlushFrame(dec->wels, planes, &info), dsErrorFree);
        give_frame(dec, planes, &info);
    }
    const uint32_t count = dec->frame_count;
    (*dec->wels)->Uninitialize(dec->wels);
    WelsDestroyDecoder(dec->wels);
    free(dec);
    return count;
}
