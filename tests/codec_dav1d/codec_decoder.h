/* SPDX-License-Identifier: MIT */
/* The codec behind its contract as a decoder of the application (app.h): between them the private
 * streams, as in the engine.
 */
#ifndef RP_TESTS_CODEC_DAV1D_CODEC_DECODER_H
#define RP_TESTS_CODEC_DAV1D_CODEC_DECODER_H

#include "app.h"
#include "reelpipe/decode_av1.h"
#include "video/av1/private_stream.h"

struct codec_decoder {
    const struct rp_decode_codec *codec;
    struct rp_decoder *dec;
    struct rp_av1_private_streams streams;
    struct rp_av1_private_picture picture; /* that is decoded now */
    bool is_in_place;                      /* luma, of pictures that can be */
    uint32_t target_count;
};

/* dec is zeroed. False when libdav1d is not there. */
bool codec_decoder_open(struct codec_decoder *dec, uint32_t thread_count, bool is_in_place);
void codec_decoder_close(struct codec_decoder *dec);

/* For struct app_decoder: ctx is the decoder. */
enum rp_codec_status codec_decoder_decode(void *ctx, const struct app_job *job);

#endif
