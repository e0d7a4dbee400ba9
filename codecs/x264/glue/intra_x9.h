/* SPDX-License-Identifier: GPL-2.0-or-later */
/* x264's assembly compares all nine modes of an intra block in one go. Its C has no such function
 * and takes shortcuts, which end with other modes: then ours makes the same choice as assembly, so
 * that bytes do not depend on the CPU.
 */
#ifndef RP_CODECS_X264_GLUE_INTRA_X9_H
#define RP_CODECS_X264_GLUE_INTRA_X9_H

#include "context.h"

/* Puts ours where x264 has none. */
void rp_x264_intra_x9_init(struct rp_x264_context *ctx);

/* The macroblock that this thread is about to analyse is h's. */
void rp_x264_intra_x9_enter(const x264_t *h);

#endif
