/* SPDX-License-Identifier: MIT */
/* For a tree without codecs/x264: no H.264 encoder.
 */
#include "reelpipe/encode_h264.h"

#include <stddef.h>

const struct rp_encode_codec *
rp_codec_h264_encode(void)
{
    return NULL;
}
