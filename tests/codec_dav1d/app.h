/* SPDX-License-Identifier: MIT */
/* An application with slots of its own decodes AV1 streams, picture by picture, on a decoder that
 * is given to it: what it shows is what libdav1d shows when it decodes each stream alone, with film
 * grain and without.
 */
#ifndef RP_TESTS_CODEC_DAV1D_APP_H
#define RP_TESTS_CODEC_DAV1D_APP_H

#include "reelpipe/codec.h"
#include "reelpipe/picture.h"
#include "video/av1/frame.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define APP_MAX_STREAMS 3
#define APP_SLOTS_PER_STREAM 9
#define APP_MAX_SLOTS (APP_MAX_STREAMS * APP_SLOTS_PER_STREAM)

struct std_structures;

/* One picture. All that it points to is of the call only, but for what is retained. */
struct app_job {
    const struct std_structures *std;
    const struct rp_av1_frame *frame;
    int32_t name_slots[RP_AV1_REFS_PER_FRAME]; /* -1: none */
    int32_t setup_slot;
    uint32_t width_px; /* after super-resolution */
    uint32_t height_px;
    const uint8_t *data;
    size_t data_B;
    const uint32_t *tile_offsets_B;
    const uint32_t *tile_sizes_B;
    uint32_t tile_count;
    struct rp_picture dst;       /* of two planes, aligned and padded as the codec wants it */
    struct rp_picture dst_setup; /* without film grain; no data: the picture has none */
};

struct app_decoder {
    void *ctx;
    enum rp_codec_status (*decode)(void *ctx, const struct app_job *job);
    void (*begin_sequence)(void *ctx); /* before a key frame that is shown; may be NULL */
};

struct app_options {
    const char *names[APP_MAX_STREAMS]; /* IVF files, decoded in turns */
    uint32_t stream_count;
    uint64_t seed;    /* of slots */
    bool is_damaging; /* bits of tiles and slots of references are wrong now and then; nothing is
                         compared */
    bool is_quiet;    /* prints nothing */
};

/* False when libdav1d is not there. */
bool app_run(const struct app_options *options, const struct app_decoder *decoder);

/* The bit depth of a file's first sequence header. */
uint32_t app_bit_depth(const char *name);

/* The memory of a job's dst, which the decoder may keep in use, until the last release. */
void *app_memory_of(const struct app_job *job);
void app_memory_retain(void *memory);
void app_memory_release(void *memory);

#endif
