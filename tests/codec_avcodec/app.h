/* SPDX-License-Identifier: MIT */
/* An application that decodes a byte stream with a DPB of its own, as a Vulkan client does.
 */
#ifndef RP_TESTS_CODEC_AVCODEC_APP_H
#define RP_TESTS_CODEC_AVCODEC_APP_H

#include "dpb.h"
#include "guarded.h"
#include "reelpipe/decode_h264.h"
#include "syntax.h"
#include "target.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define APP_MAX_SLOTS RP_H264_DECODE_KEPT

/* Hashes of pictures in any order. */
struct hashes {
    uint64_t *at;
    size_t count;
    size_t capacity;
};

void hashes_add(struct hashes *hashes, uint64_t hash);
void hashes_finish(struct hashes *hashes);

/* How many of a are not in b, both sorted by this call. */
size_t hashes_missing(struct hashes *a, struct hashes *b);

/* Goes on with the bytes of one row. */
uint64_t hash_row(uint64_t hash, const uint8_t *row, size_t size_B);

struct app_options {
    bool is_i420; /* else NV12 */
    bool skips_non_reference;
    bool resets_at_idr;
    bool keeps_non_reference;         /* gives them a setup slot too */
    bool has_targets;                 /* NV12 images are targets */
    bool moves_targets;               /* to other memory with every frame */
    bool has_second_output;           /* DPB image and output image are different ones */
    bool lists_frames_without_fields; /* both field flags unset for frames */
    bool lists_gaps_with_images;      /* of the pictures before them, as FFmpeg does */
    bool says_non_existing;           /* of these */
    uint32_t lost_period;             /* every so many reference pictures one is; 0: none */
    uint32_t crop_px;                 /* cut off the right and the bottom */
    uint32_t cut_rows;                /* cut off the bottom, but not of targets */
    uint32_t damage_percent;          /* of the slices are mutated or cut off */
    uint32_t seed;
};

/* Of a slot, or of pictures without one. */
struct image {
    struct guarded memory[3];
    struct target *target; /* of the luma, or NULL */
    struct rp_picture picture;
};

struct app {
    const struct rp_decode_codec *codec;
    struct rp_decoder *dec;
    struct app_options options;
    uint32_t random;
    uint8_t *data;
    size_t data_B;
    size_t position_B;

    struct sps sps[32];
    struct pps pps[256];
    struct dpb dpb;
    uint32_t first_slot;
    uint32_t slot_count;
    struct image images[APP_MAX_SLOTS + 1]; /* the last one for pictures without slot */
    struct image second_image;              /* no target */
    uint32_t image_width_px;
    uint32_t image_height_px;

    struct frame cur;
    bool has_cur;
    uint32_t reference_count; /* frames since the beginning */
    struct slice_start last;
    uint8_t *rbsp; /* scratch */

    /* Slices of the current picture, one after the other. */
    struct slice_start start;
    uint8_t *slices;
    size_t slices_B;
    uint32_t *offsets_B;
    uint32_t slice_count;
    uint32_t slice_capacity;
    struct guarded bitstream;

    uint32_t targets_alive;
    uint32_t targets_retained; /* how often pictures stayed in one */

    struct hashes hashes;
    size_t picture_count;
    size_t damaged_count; /* pictures that were not RP_CODEC_OK */
};

/* Takes over data. Slots first_slot .. first_slot + slot_count - 1 are this stream's. */
void app_init(struct app *app, const struct rp_decode_codec *codec, struct rp_decoder *dec,
              uint8_t *data, size_t data_B, uint32_t first_slot, uint32_t slot_count,
              const struct app_options *options);
void app_finish(struct app *app);

/* Decodes the next frame or field. False at the end of the stream. */
bool app_step(struct app *app);

/* A field of the current frame may still come: others must not use the decoder now. */
bool app_is_between_fields(const struct app *app);

uint8_t *file_read(const char *path, size_t *size_B_out);

#endif
