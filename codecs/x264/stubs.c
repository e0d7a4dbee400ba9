/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Stands in for the whole folder in a build without x264.
 */
#include "reelpipe/encode_h264.h"

#include <stddef.h>

const struct rp_encode_codec *
rp_codec_h264_encode(void)
{
    return NULL;
}
