/* SPDX-License-Identifier: MIT */
/* In place of the decoders in a build without libavcodec.
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
