/* SPDX-License-Identifier: MIT */
/* For a tree without codecs/avcodec: no H.264 and H.265 decoders.
 */
#include "reelpipe/decode_h264.h"
#include "reelpipe/decode_h265.h"

#include <stddef.h>

const struct rp_decode_codec *
rp_codec_h264_decode(void)
{
    return NULL;
}

const struct rp_decode_codec *
rp_codec_h265_decode(void)
{
    return NULL;
}
