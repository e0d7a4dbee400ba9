/* SPDX-License-Identifier: MIT */
/* All standards that can be encoded. */
#include "tools/encode/codec.h"

const struct encode_codec *const encode_codecs[ENCODE_CODECS] = {
    &encode_h264,
    &encode_h265,
    &encode_av1,
};
