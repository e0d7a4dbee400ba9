/* SPDX-License-Identifier: MIT */
/* What libavcodec, called directly, makes of an H.265 byte stream.
 */
#ifndef RP_TESTS_CODEC_H265_JUDGE_H
#define RP_TESTS_CODEC_H265_JUDGE_H

#include "app.h"

/* Adds the hash of each picture that is output, of its coded size; samples of 10 bits as images
 * have them. */
void judge_decode(const uint8_t *data, size_t data_B, struct hashes *out);

/* Prints how what the application has output differs from that. False when it does. */
bool judge_compare(struct stream *stream);

#endif
