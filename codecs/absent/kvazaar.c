/* SPDX-License-Identifier: MIT */
/* For a tree without codecs/kvazaar: no H.265 encoder.
 */
#include "reelpipe/encode_h265.h"

#include <stddef.h>

const struct rp_encode_codec *
rp_codec_h265_encode(void)
{
    return NULL;
}
