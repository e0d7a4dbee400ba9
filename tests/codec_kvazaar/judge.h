/* SPDX-License-Identifier: MIT */
/* libavcodec, strict and with one thread: it decodes the stream of an application.
 */
#ifndef RP_TESTS_CODEC_KVAZAAR_JUDGE_H
#define RP_TESTS_CODEC_KVAZAAR_JUDGE_H

#include "app.h"

/* Every picture that the application has a reconstruction of is what comes out, in its place of the
 * output order, and nobody complains. */
void judge_stream(const struct app *app);

#endif
