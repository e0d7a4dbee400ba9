/* SPDX-License-Identifier: MIT */
/* Stands in for the whole folder in a build without libaom.
 */
#include "reelpipe/encode_av1.h"

#include <stddef.h>

const struct rp_encode_codec *
rp_codec_av1_encode(void)
{
    return NULL;
}
