/* SPDX-License-Identifier: MIT */
/* An independent decoder's opinion of a stream.
 */
#ifndef RP_TESTS_CODEC_X264_DECODER_H
#define RP_TESTS_CODEC_X264_DECODER_H

#include "app.h"

/* Decodes what app coded with every error detected, and compares each frame with the app's
 * reconstruction of it, bit for bit. Returns the number of frames that are wrong, missing or come
 * with a message of the decoder; says on stderr what is. */
uint32_t decoder_check(const struct app *app);

#endif
