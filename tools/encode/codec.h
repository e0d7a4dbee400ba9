/* SPDX-License-Identifier: MIT */
/* What an encoder knows of one video standard alone; all else is the same for each.
 */
#ifndef RP_TOOLS_ENCODE_CODEC_H
#define RP_TOOLS_ENCODE_CODEC_H

#include "tools/encode/gpu.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CODEC_SHOW_MAX_B 8

struct capabilities;
struct encoder;
struct picture_info;

struct encode_codec {
    const char *name; /* of --codec */
    struct gpu_work work;
    bool has_10_bits;         /* beside 8, if the device has them */
    int32_t default_q;        /* quantizer */
    const uint8_t *delimiter; /* in front of every picture of a stream; may be NULL */
    size_t delimiter_B;
    const void *parameters_get; /* chain that names all parameter sets; NULL: not needed */
    bool has_b_pictures;
    uint32_t max_slots; /* with B pictures: that references can have */
    int32_t q_b_offset; /* of B pictures' quantizer to P pictures', if none is asked for */
    int32_t max_q;      /* of such a quantizer */

    /* The bytes that display the picture in a slot, which was coded early: it is not displayed by
     * itself then. NULL: decoders reorder pictures. */
    size_t (*show)(uint32_t slot, uint8_t out[CODEC_SHOW_MAX_B]);

    /* enc->profile.codec, chained to enc->profile.usage. */
    void (*profile_init)(struct encoder *enc);

    /* caps->codec, empty. */
    void (*capabilities_init)(struct capabilities *caps);

    /* Ends the program for what cannot be had; lowers refs to what the device can do. */
    void (*settings_check)(struct encoder *enc);

    /* enc->rate.codec, and what enc->rate.layer points to: a rate is controlled. */
    void (*rate_init)(struct encoder *enc);

    /* enc->parameters, for a quality level that chain names. */
    void (*parameters_create)(struct encoder *enc, const void *chain);

    /* The codec's half of a picture, whose other half is made. */
    void (*picture_init)(const struct encoder *enc, struct picture_info *info);
};

extern const struct encode_codec encode_av1;
extern const struct encode_codec encode_h264;
extern const struct encode_codec encode_h265;

#define ENCODE_CODECS 3
extern const struct encode_codec *const encode_codecs[ENCODE_CODECS];

#endif
