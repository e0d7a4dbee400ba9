/* SPDX-License-Identifier: MIT */
/* What the folder is to the rest: of 8 bits, and with it of 10.
 */
#include "codecs/kvazaar/encoder.h"

const struct rp_encode_codec *
rp_codec_h265_encode(void)
{
    return &rp_kvazaar_codec;
}
