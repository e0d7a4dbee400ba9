/* SPDX-License-Identifier: MIT */
/* What libavcodec, called directly, makes of a byte stream.
 */
#ifndef RP_TESTS_CODEC_AVCODEC_JUDGE_H
#define RP_TESTS_CODEC_AVCODEC_JUDGE_H

#include "app.h"

/* Adds the hash of every frame of the stream, cut as the options say, decoded with frame threads
 * when thread_count is not 1. Returns how many frames libavcodec found damaged. */
size_t judge_decode(const uint8_t *data, size_t data_B, const struct app_options *options,
                    uint32_t thread_count, struct hashes *out);

/* Prints how the frames of an application that ran to its end differ from libavcodec's. Returns 0
 * when they are the same and none was damaged. */
int judge_compare(struct app *app, const char *path);

#endif
