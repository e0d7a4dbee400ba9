/* SPDX-License-Identifier: MIT */
/* libavcodec, strict and with one thread: it decodes the stream of an application.
 */
#ifndef RP_TESTS_CODEC_KVAZAAR_JUDGE_H
#define RP_TESTS_CODEC_KVAZAAR_JUDGE_H

#include "app.h"

#include <stddef.h>

/* Every picture that the application has a reconstruction of is what comes out, in its place of the
 * output order, and nobody complains. */
void judge_stream(const struct app *app);

/* I420. */
struct judge_frame {
    const uint8_t *plane[3];
    ptrdiff_t stride_B[3];
};
typedef void judge_take_fn(void *ctx, uint32_t number, const struct judge_frame *frame);

/* The stream with another picture in the place of its first one; nobody complains. take gets what
 * comes out, in output order. */
void judge_late(const struct app *app, const struct app_record *first, judge_take_fn *take,
                void *ctx);

#endif
