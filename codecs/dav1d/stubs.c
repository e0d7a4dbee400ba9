/* SPDX-License-Identifier: MIT */
/* In place of the decoder in a build without libdav1d.
 */
#include "reelpipe/decode_av1.h"

#include <stddef.h>

const struct rp_decode_codec *
rp_codec_av1_decode(void)
{
    return NULL;
}
