/* SPDX-License-Identifier: MIT */
/* For a tree without codecs/dav1d: no AV1 decoder.
 */
#include "reelpipe/decode_av1.h"

#include <stddef.h>

const struct rp_decode_codec *
rp_codec_av1_decode(void)
{
    return NULL;
}
