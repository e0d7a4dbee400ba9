/* SPDX-License-Identifier: MIT */
/* What every codec behind the video engine has in common, and the list of them.
 *
 * A codec sees planes, the standard's parameters and byte spans: no Vulkan handle, no global, no
 * signal. The engine in src/video/ owns everything that is Vulkan's or the standard's syntax; the
 * codec owns pixels and macroblocks. The contracts are in encode_h264.h and
 * decode_h264.h; a build without a codec gets NULL from its getter.
 */
#ifndef REELPIPE_CODEC_H
#define REELPIPE_CODEC_H

enum rp_codec_status {
    RP_CODEC_OK = 0,
    RP_CODEC_NO_SPACE,    /* encode: the coded picture is larger than the range; nothing is
                             written past it, the reconstruction is complete */
    RP_CODEC_NO_MEMORY,   /* an allocation failed; the session lives on */
    RP_CODEC_UNSUPPORTED, /* legal Vulkan, but outside the capabilities this codec reported */
    RP_CODEC_DAMAGED,     /* decode: errors in the stream were concealed */
    RP_CODEC_FAILED,      /* nothing was coded */
    RP_CODEC_BUSY,        /* not yet: pictures under way have to end first */
};

struct rp_h264_encode_codec;
struct rp_h264_decode_codec;

/* NULL when the build or the machine does not have it. Any thread; cheap enough for device
 * enumeration (no library is loaded). */
const struct rp_h264_encode_codec *rp_codec_h264_encode(void);
const struct rp_h264_decode_codec *rp_codec_h264_decode(void);

#endif
