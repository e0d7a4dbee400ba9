/* SPDX-License-Identifier: MIT */
/* What every encoder behind the video engine has in common: its session, its slots, rate control,
 * the picture that a job encodes, and its result.
 *
 * A contract of one codec (encode_h264.h) adds what its standard says of a picture: its job begins
 * with struct rp_encode_job. The encoder is stateless between pictures but for what its slots and
 * its rate state hold: every job says all that the picture is made of, the decoded picture buffer
 * is the application's.
 *
 * Pictures go through two calls: begin() on the queue's thread in submission order, then encode()
 * on any thread. Jobs begun earlier may still be encoding: encode() waits, row by row, for the
 * references it reads, so pictures overlap. Bytes never depend on how they overlapped.
 */
#ifndef REELPIPE_ENCODE_H
#define REELPIPE_ENCODE_H

#include "reelpipe/codec.h"
#include "reelpipe/picture.h"
#include "reelpipe/rate.h"
#include "reelpipe/workers.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Each codec defines these for itself; nobody else looks inside. */
struct rp_encoder;      /* one per video session: contexts are made when a picture wants them */
struct rp_encoder_slot; /* the codec's private half of one DPB picture: half-pel planes, motion */
struct rp_encoder_rate; /* rate control of one session */

/* How the memory of one layer of a semi-planar DPB image must look for the codec to work in place.
 * Luma and chroma share the stride; the padding around the planes is the codec's. */
struct rp_dpb_layout {
    size_t size_B;
    size_t align_B;
    size_t stride_B;
    size_t offset_B[2]; /* first sample of Y and of UV */
};

/* pixels: the picture in the application's image, readable and writable in whole coding blocks when
 * is_padded (memory as dpb_layout() of the image's extent says), else exactly its extent: then
 * the codec keeps a copy of its own and copies the reconstruction out. */
struct rp_dpb_picture {
    struct rp_encoder_slot *slot;
    struct rp_picture pixels;
    bool is_padded;
};

struct rp_encode_result {
    enum rp_codec_status status;
    size_t size_B;       /* of the coded picture, as it stands in dst */
    uint32_t average_qp; /* quantisers of its blocks, in the standard's numbers; rounded */
    uint32_t min_qp;     /* blocks that are not quantised are left out */
    uint32_t max_qp;
    uint64_t intra_px; /* luma samples of blocks that are intra, inter (with the skipped ones) */
    uint64_t inter_px; /* or skipped */
    uint64_t skipped_px;
    uint32_t filler_B;  /* filler data that CBR asks for, already inside size_B */
    bool has_overrides; /* the codec coded something else than the job wished, and the stream says
                           so */
};

/* What every codec's job begins with. The job and all it points to belong to the caller and stay as
 * they are from begin() until encode() has returned. */
struct rp_encode_job {
    uint32_t width_px; /* coded extent, even */
    uint32_t height_px;
    uint32_t quality_level; /* 0 (fastest) .. quality_level_count - 1 */

    struct rp_picture src; /* width and height are at least the coded extent's */

    /* The setup slot; slot NULL: no reconstruction is kept. */
    struct rp_dpb_picture recon;

    /* One value for each block of the standard's map and refresh size, in raster order; or NULL. */
    const int16_t *qp_delta;    /* added to the quantiser */
    const float *emphasis;      /* 0..1, more is better */
    const uint8_t *force_intra; /* non-zero: intra coded (intra refresh) */
    const uint8_t *intra_clean; /* non-zero: may not be predicted from blocks that are not yet
                                   refreshed (intra refresh) */

    struct rp_encoder_rate *rate; /* NULL: the quantiser is constant */
    uint32_t temporal_layer;
    uint32_t preceding_B; /* what others wrote of the access unit: rate control counts it too */

    uint8_t *dst;
    size_t dst_capacity_B;

    struct rp_encode_result result; /* valid when encode() has returned */

    /* The codec's, from begin() to the end of encode(). */
    void *codec_private;
};

struct rp_encode_codec {
    const char *name; /* "x264 0.164.3095" */
    uint32_t quality_level_count;

    /* What codes pictures of 10 bits in the place of this one, with its own encoders and slots;
     * NULL: this one does, if the standard has them. */
    const struct rp_encode_codec *of_10_bits;

    /* Memory of one semi-planar picture of this extent. Pure; any thread. NULL: the codec never
     * works in place. */
    void (*dpb_layout)(uint32_t width_px, uint32_t height_px, struct rp_dpb_layout *out);

    /* Cheap: nothing that depends on the picture size is taken. workers is borrowed and may be
     * used for parts of one picture. NULL when memory is short. */
    struct rp_encoder *(*create)(struct rp_workers *workers);
    void (*destroy)(struct rp_encoder *enc); /* accepts NULL; no job may be under way */

    struct rp_encoder_slot *(*slot_create)(struct rp_encoder *enc);
    /* Accepts NULL. No job that uses the slot may be under way. */
    void (*slot_destroy)(struct rp_encoder *enc, struct rp_encoder_slot *slot);

    /* Rate control; NULL, all three, when there is none. set() takes effect with the next job that
     * is begun and keeps what it can of the state (no IDR is needed); set() of equal settings
     * changes nothing. */
    struct rp_encoder_rate *(*rate_create)(struct rp_encoder *enc);
    void (*rate_destroy)(struct rp_encoder *enc, struct rp_encoder_rate *rate);
    void (*rate_set)(struct rp_encoder_rate *rate, const struct rp_rate_settings *settings);

    /* job: the job of this codec's contract. In submission order, on one thread at a time. May wait
     * for pictures that the job replaces or adopts, or that rate control goes on from; or, unless
     * may_wait, returns RP_CODEC_BUSY: to be tried again when an earlier one has ended. After
     * RP_CODEC_OK encode() must follow; else the job is over and its result is set. */
    enum rp_codec_status (*begin)(struct rp_encoder *enc, struct rp_encode_job *job, bool may_wait);

    /* Encodes; on any thread. Started in the order of begin(), since it waits for what began
     * earlier: rp_workers_queue() in that order is enough. Sets job->result. */
    void (*encode)(struct rp_encoder *enc, struct rp_encode_job *job);
};

#endif
