/* SPDX-License-Identifier: MIT */
/* For a tree without codecs/aom: no AV1 encoder.
 */
#include "reelpipe/encode_av1.h"

#include <stddef.h>

const struct rp_encode_codec *
rp_codec_av1_encode(void)
{
    return NULL;
}
