/* SPDX-License-Identifier: MIT */
/* How the decoders that are libraries of the system begin.
 */
#ifndef RP_CODECS_LIBRARY_DECODER_ALLOC_H
#define RP_CODECS_LIBRARY_DECODER_ALLOC_H

#include "reelpipe/codec.h"
#include "util/compiler.h"

#include <stddef.h>

/* A decoder's struct, all zeros. lib: the library, NULL where it cannot be opened. Returns NULL,
 * with the reason in *status_out, without it or without memory; the caller frees with rp_free(). */
void *rp_library_decoder_zalloc(const void *lib, size_t size_B,
                                enum rp_codec_status *status_out) RP_MUST_CHECK;

#endif
