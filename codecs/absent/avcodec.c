/* SPDX-License-Identifier: MIT */
/* For a tree without codecs/avcodec: no decoders of H.264, H.265 and VP9.
 */
#include "reelpipe/decode_h264.h"
#include "reelpipe/decode_h265.h"
#include "reelpipe/decode_vp9.h"

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

const struct rp_decode_codec *
rp_codec_vp9_decode(void)
{
    return NULL;
}
