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

/* decoder_check() for a decoder that got another picture in place of the first one: frames from
 * number first_exact on have to be right. */
uint32_t decoder_check_recovery(const struct app *app, const struct app_record *other_first,
                                uint32_t first_exact);

#endif
