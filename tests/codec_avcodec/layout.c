/* SPDX-License-Identifier: MIT */
/* What layout.h says of libavcodec's structs is what the headers of this machine's version say.
 */
#include "codecs/avcodec/library/layout.h"
#include "codecs/avcodec/library/library.h"
#include "test.h"

#include <libavcodec/avcodec.h>

#include <assert.h>

static_assert(AV_NUM_DATA_POINTERS == RP_AV_PLANES, "planes");
static_assert(AV_INPUT_BUFFER_PADDING_SIZE == RP_AV_PADDING_B, "padding");
static_assert(AV_PIX_FMT_YUV420P == RP_AV_PIX_FMT_YUV420P, "format");

#define SAME_PLACE(ours, our_field, theirs, their_field) \
    static_assert(offsetof(ours, our_field) == offsetof(theirs, their_field), #their_field)
SAME_PLACE(struct rp_av_frame, data, AVFrame, data);
SAME_PLACE(struct rp_av_frame, stride_B, AVFrame, linesize);
SAME_PLACE(struct rp_av_frame, extended_data, AVFrame, extended_data);
SAME_PLACE(struct rp_av_frame, width_px, AVFrame, width);
SAME_PLACE(struct rp_av_frame, height_px, AVFrame, height);
SAME_PLACE(struct rp_av_frame, format, AVFrame, format);
SAME_PLACE(struct rp_av_packet, buf, AVPacket, buf);
SAME_PLACE(struct rp_av_packet, data, AVPacket, data);
SAME_PLACE(struct rp_av_packet, size_B, AVPacket, size);

int
main(void)
{
    const struct rp_avcodec_layout *layout = NULL;
    for (size_t i = 0; i < RP_AVCODEC_LAYOUTS; i++) {
        if (rp_avcodec_layouts[i].major == LIBAVCODEC_VERSION_MAJOR)
            layout = &rp_avcodec_layouts[i];
    }
    if (!layout)
        return TEST_SKIPPED; /* a version that the driver does not use */

    REQUIRE_EQ(RP_AV_LOG_LEVEL_OFFSET_B, offsetof(AVCodecContext, log_level_offset));
    REQUIRE_EQ(RP_AV_OPAQUE_OFFSET_B, offsetof(AVCodecContext, opaque));
    REQUIRE_EQ(RP_AV_GET_BUFFER2_OFFSET_B, offsetof(AVCodecContext, get_buffer2));
    REQUIRE_EQ(layout->band_offset_B, offsetof(AVCodecContext, draw_horiz_band));
    REQUIRE_EQ(layout->band_offset_B + sizeof(void *), offsetof(AVCodecContext, get_format));
    REQUIRE_EQ(layout->frame_buf_offset_B, offsetof(AVFrame, buf));
    REQUIRE_EQ(layout->frame_error_flags_offset_B, offsetof(AVFrame, decode_error_flags));
    return 0;
}
