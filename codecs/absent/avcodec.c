/* SPDX-License-Identifier: MIT */
/* For a tree without codecs/avcodec: no H.264 decoder.
 */
#include "reelpipe/decode_h264.h"

#include <stddef.h>

const struct rp_decode_codec *
rp_codec_h264_decode(void)
{
    return NULL;
}
