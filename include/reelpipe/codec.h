/* SPDX-License-Identifier: MIT */
/* What every codec behind the video engine has in common: how it answers.
 *
 * A codec sees planes, the standard's parameters and byte spans: no Vulkan handle, no global, no
 * signal. The engine in src/video/ owns everything that is Vulkan's or the standard's syntax; the
 * codec owns pixels and coding blocks.
 *
 *   encode.h, decode.h            the contracts of all encoders and decoders
 *   encode_h264.h, decode_h264.h  what they leave to H.264: its jobs, and the getters of its codecs
 *   encode_av1.h, decode_av1.h    and to AV1
 *   rate.h                        what is asked of rate control
 *   picture.h                     pixels
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

#endif
