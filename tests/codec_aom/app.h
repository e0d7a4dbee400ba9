/* SPDX-License-Identifier: MIT */
/* An application with a DPB of its own: it encodes pictures into slots, keeps account of a
 * decoder's eight references, and has libdav1d decode what it wrote.
 */
#ifndef RP_TESTS_CODEC_AOM_APP_H
#define RP_TESTS_CODEC_AOM_APP_H

#include "judge.h"
#include "writer.h"

#include "reelpipe/encode_av1.h"

#define APP_SLOTS 10 /* one more than references and a picture: for what moves */
#define APP_UNIT_B (4u << 20)

struct app_slot {
    struct rp_encoder_slot *codec_slot;
    uint8_t *planes; /* the application's image: NV12 or P010 */
};

/* One of a decoder's references. */
struct app_reference {
    int32_t slot;   /* -1: none */
    uint8_t *shown; /* I420, low bits */
    StdVideoAV1FrameType type;
    bool is_showable;
    bool is_moved;       /* since it was coded: foreign */
    bool is_shown_again; /* a key frame that the codec does not know here: not foreign when named */
    uint8_t order_hint;
};

/* A temporal unit. */
typedef void app_take_fn(void *ctx, const uint8_t *unit, size_t unit_B);

struct app {
    const struct rp_encode_codec *codec; /* NULL in front of app_init(): libaom's */
    struct rp_workers *workers;          /* as codec; or NULL */
    struct rp_encoder *enc;
    StdVideoAV1SequenceHeader seq;
    StdVideoAV1ColorConfig color;
    uint32_t width_px;
    uint32_t height_px;
    uint32_t sample_B;
    uint64_t random;
    struct writer writer;
    struct judge *judge;
    struct app_slot slots[APP_SLOTS];
    struct app_reference references[STD_VIDEO_AV1_NUM_REF_FRAMES];
    uint8_t *source;  /* NV12 or P010 */
    uint8_t *picture; /* I420 of the last picture */
    uint8_t *unit;    /* of APP_UNIT_B: what was written since a picture was shown */
    size_t unit_B;
    size_t shown_B; /* of the last unit that was shown, which is in unit until the next begins */
    uint64_t stream_hash; /* of all that was written */
    app_take_fn *take;    /* gets each unit that was judged; may be NULL */
    void *take_ctx;
    bool has_sequence;

    /* The picture that is next; app_picture_init() clears it. */
    struct rp_av1_encode_job job;
    StdVideoEncodeAV1PictureInfo std;
    StdVideoAV1TileInfo tiles;
    uint16_t tile_widths[64];
    uint16_t tile_heights[64];
    StdVideoAV1Quantization quantization;
    StdVideoAV1LoopFilter loop_filter;
    StdVideoAV1CDEF cdef;
    int16_t map[64 * 64];
    uint32_t tile_sizes_B[4096];
};

uint32_t app_random(struct app *app, uint32_t below);

/* With the sequence that is there, seq.pColorConfig apart. */
void app_init(struct app *app, uint32_t width_px, uint32_t height_px, uint64_t seed);
void app_finish(struct app *app);

/* A picture of this type in front of order hint `order`, shown or hidden, with filters as the codec
 * chooses them. Intra, and of no reference, until more is said. */
void app_picture_init(struct app *app, StdVideoAV1FrameType type, uint32_t order, bool is_shown);

/* The name is the decoder's reference index, and predicts from its slot. */
void app_name(struct app *app, uint32_t name, uint32_t index);

/* The samples of the picture of reference index go to another image, and leave the old one to
 * others. Not after a key frame has been shown again. */
void app_move(struct app *app, uint32_t index);

/* A slot that none of the references that stay has; -1: none. */
int32_t app_free_slot(const struct app *app, uint32_t refresh_frame_flags);

/* Content of moving shapes at this time. */
void app_draw(struct app *app, uint32_t time);

/* Encodes the picture into the slot (-1: none), and judges what is shown. The status is OK. */
void app_encode(struct app *app, int32_t slot);

/* As above but for the status, which is returned. The stream goes on only when it is OK. */
enum rp_codec_status app_try_encode(struct app *app, int32_t slot);

/* Shows the picture of reference index. */
void app_show_existing(struct app *app, uint32_t index);

/* Bytes of an I420 picture. */
size_t app_picture_B(const struct app *app);

#endif
