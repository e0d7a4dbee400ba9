/* SPDX-License-Identifier: MIT */
/* For a tree without codecs/x264: no H.264 encoder.
 */
#include "reelpipe/codec.h"

#include <stddef.h>

const struct rp_h264_encode_codec *
rp_codec_h264_encode(void)
{
    return NULL;
}
