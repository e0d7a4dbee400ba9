/* SPDX-License-Identifier: MIT */
/* An application with a DPB of its own: it encodes pictures into slots, writes parameter sets and
 * slice headers, and has libavcodec decode what came out.
 */
#ifndef RP_TESTS_CODEC_KVAZAAR_APP_H
#define RP_TESTS_CODEC_KVAZAAR_APP_H

#include "video/h265/parameter_sets.h"
#include "video/h265/slice_header.h"

#include "reelpipe/encode_h265.h"

#define APP_SLOTS 16
#define APP_PICTURE_B (4u << 20) /* of a coded picture */

struct app_slot {
    struct rp_encoder_slot *codec_slot;
    uint8_t *planes; /* the application's image: NV12 of the coded extent */
    int32_t poc;
    bool is_reference;
    bool is_long_term;
};

/* A picture of the stream, in coded order. */
struct app_record {
    uint32_t epoch; /* counts IDR pictures */
    int32_t poc;
    uint8_t *unit; /* owned: its access unit */
    size_t unit_B;
    uint8_t *i420; /* owned: the reconstruction, of 10 bits in words; NULL: none was kept */
    struct rp_encode_result result;
};

struct app;

/* Where an application's sets and pictures go: without it, to the codec itself. */
struct app_route {
    void (*open)(struct app *app); /* the sets are known: writes app->sets */
    void (*close)(struct app *app);
    /* Encodes to app->job's dst, from slots of the application's. The result is the job's. */
    void (*encode)(struct app *app, int32_t slot);
};

struct app {
    const struct app_route *route; /* NULL: the codec; set before app_write_sets() */
    void *route_state;
    struct rp_workers *workers; /* of the codec: borrowed; or NULL */
    const struct rp_encode_codec *codec;
    struct rp_encoder *enc;
    uint64_t random;
    uint32_t bit_depth; /* 10, or 0 for 8: set before app_init() */
    uint32_t width_px;  /* coded extent */
    uint32_t height_px;
    uint32_t pan_px; /* of the background, for each picture */
    bool has_noise;
    bool has_flicker; /* a picture is brighter than others, but not than the third before */
    uint32_t epoch;
    struct rp_h265_sps sps; /* app_init() gives them what kvazaar can do; change them before
                               app_write_sets() */
    struct rp_h265_pps pps;
    uint16_t sps_used[RP_H265_MAX_SHORT_TERM_SETS]; /* pictures that sets of the SPS use, by bits */
    int32_t irap_poc;                               /* of the last IRAP picture */
    uint8_t *source;                                /* NV12 or P010 */
    struct app_slot slots[APP_SLOTS];
    uint8_t sets[512];
    size_t sets_B;
    struct app_record *records; /* owned */
    uint32_t record_count;

    /* The picture that is next; app_picture_init() clears it. */
    struct rp_h265_encode_job job;
    struct rp_h265_slice_header header;
    uint32_t num_pic_total_curr;
    uint8_t ref_slots[2][16]; /* of the lists */
    uint32_t first_rows[RP_H265_ENCODE_MAX_SLICES];
    uint32_t slice_sizes_B[RP_H265_ENCODE_MAX_SLICES];
    int16_t map[64 * 64];
};

uint32_t app_random(struct app *app, uint32_t below);
bool app_chance(struct app *app, uint32_t percent);

/* sps_align_px: what the size of the SPS's picture is a multiple of, 8 or 64. */
void app_init(struct app *app, uint32_t width_px, uint32_t height_px, uint32_t sps_align_px);
void app_finish(struct app *app);
void app_write_sets(struct app *app);

/* An I picture of one slice that is no reference, until more is said. IDR: the references are
 * forgotten. */
void app_picture_init(struct app *app, bool is_idr, int32_t poc);

/* The reference picture set: all references stay, and those whose bit is set in used (by slot) are
 * for this picture. initial_out[x]: slots in the order of the initial list x. */
void app_set_references(struct app *app, uint32_t used, uint32_t initial_out[2][APP_SLOTS]);

/* RefPicListX[i] is entry of the initial list. */
void app_refer(struct app *app, uint32_t list, uint32_t i, uint32_t entry, uint32_t slot);

/* Slices of CTB rows, as even as they come. */
void app_spread_slices(struct app *app, uint32_t count);

/* Content of shapes at this time, in front of a background that moves when pan_px is not 0; with
 * noise and flicker when the application has them. */
void app_draw(struct app *app, uint32_t time);

/* The application's image of a slot. */
struct rp_picture app_image(const struct app *app, uint8_t *planes);

size_t app_sample_B(const struct app *app);

/* Encodes into the slot (-1: none). The picture becomes part of the stream when the status is
 * OK. */
enum rp_codec_status app_encode(struct app *app, int32_t slot);

/* app_encode(), but what comes of it is no part of the stream. */
enum rp_codec_status app_try(struct app *app, int32_t slot);

/* The hash of the stream so far. */
uint64_t app_hash(const struct app *app);

#endif
