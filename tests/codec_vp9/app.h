/* SPDX-License-Identifier: MIT */
/* An application that decodes a VP9 stream with references of its own, as a Vulkan client does: it
 * reads headers, keeps slots for pictures, and shows existing ones itself.
 */
#ifndef RP_TESTS_CODEC_VP9_APP_H
#define RP_TESTS_CODEC_VP9_APP_H

#include "headers.h"

#include "reelpipe/codec.h"
#include "reelpipe/decode.h"
#include "reelpipe/picture.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define APP_SLOTS 9 /* eight references and the picture that is decoded */

/* A picture to be decoded. */
struct app_job {
    const struct vp9_header *header;
    int32_t name_slots[STD_VIDEO_VP9_REFS_PER_FRAME]; /* -1: there is none */
    uint32_t slots_in_use;                            /* a bit for each that has a picture */
    int32_t setup_slot;
    const uint8_t *data; /* of the frame, from its uncompressed header on */
    size_t data_B;
    struct rp_picture dst;
};

/* The decoder: the device, or the engine. */
struct app_decoder {
    void *context;
    enum rp_codec_status (*decode)(void *context, const struct app_job *job);
};

struct app_options {
    uint64_t seed;           /* odd: of the choice of slots, else the oldest one is taken */
    bool is_planar;          /* outputs of 8 bits are I420 */
    uint32_t damage_percent; /* of the frames */
    uint32_t lost_percent;   /* of the frames that are no key frames are not decoded */
    uint32_t repeated_slots; /* a slot is not used again before so many others, when possible */
};

struct app_result {
    uint32_t picture_count; /* decoded */
    uint32_t shown_count;
    uint32_t existing_count; /* of these, by show_existing_frame */
    uint32_t failed_count;   /* status was not OK */
    uint32_t sizes;          /* how many sizes there are */
};

/* Decodes the IVF file and calls show() with each picture that is shown, in order. */
typedef void app_show_fn(void *context, const struct rp_picture *picture);
void app_run(const char *name, const struct app_options *options, const struct app_decoder *decoder,
             app_show_fn *show, void *show_context, struct app_result *out);

/* The bit depth of the first frame of an IVF file. */
uint32_t app_bit_depth(const char *name);

/* The hash of the samples in the visible extent, as images have them. */
uint64_t app_hash(const struct rp_picture *picture);
uint64_t app_hash_row(uint64_t hash, const void *row, size_t size_B);

#endif
