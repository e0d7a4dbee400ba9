/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One x264_t and what we keep beside it. A context codes one picture at a time, any picture of
 * its configuration: at constant QP nothing of one picture is left for the next.
 */
#ifndef RP_CODECS_X264_CONTEXT_H
#define RP_CODECS_X264_CONTEXT_H

#include "glue/core.h"

#include "codecs/pool/pool.h"

#include "reelpipe/encode_h264.h"

#define RP_X264_QUALITY_LEVELS 8

/* Distinct references of a picture, and one stand-in for a long-term colocated picture. */
#define RP_X264_VIEW_COUNT (RP_H264_MAX_REFS + RP_H264_MAX_L1_REFS + 1)

/* What x264 bakes into its tables when it is opened. */
struct rp_x264_config {
    uint32_t width_px;
    uint32_t height_px;
    int32_t level_idc; /* as in the stream, 10..62: the range of motion vectors */
    int32_t chroma_qp_offset;
    uint32_t quality_level;
    bool has_cabac;
    bool has_transform_8x8;
    bool has_constrained_intra;
    bool has_implicit_weights;
};

typedef void (*rp_x264_avg_fn)(pixel *, intptr_t, pixel *, intptr_t, pixel *, intptr_t, int);
typedef void (*rp_x264_strength_fn)(uint8_t nnz[X264_SCAN8_SIZE],
                                    int8_t ref[2][X264_SCAN8_LUMA_SIZE],
                                    int16_t mv[2][X264_SCAN8_LUMA_SIZE][2], uint8_t bs[2][8][4],
                                    int mvy_limit, int is_b);

struct rp_x264_context;
struct rp_x264_slices;
struct rp_x264_wave;
struct rp_x264_rate_band;
struct rp_x264_rate_attempt;

/* What contexts that code one picture together share. */
struct rp_x264_arrays {
    int8_t *qp;
    int16_t *cbp;
    int8_t *transform_size;
    int32_t *slice_table;
    uint8_t (*non_zero_count)[16 * 3];
    uint8_t (*strengths[2])[2][8][4];
    x264_frame_t *fenc;
    x264_frame_t *fdec;
};

/* What x264's code asks of those who code the picture: glue/ knows them by this table alone. A
 * context's own is in its h->api. */
struct rp_x264_hooks {
    /* Writes the header of the slice that h->sh says, in place of x264's own writer. */
    void (*write_slice_header)(x264_t *h, bs_t *s);

    /* Pictures with weights: a row of macroblocks is about to be analysed. */
    void (*weigh_row)(x264_t *h);

    /* Pictures with has_refresh: decides on the macroblock at hand with analyse(), as often as it
     * takes. */
    void (*analyse_macroblock)(x264_t *h, void (*analyse)(x264_t *h));

    /* Pictures with shared_slices, in place of x264's filter of a row: mb_y, of h's band, is coded
     * next. */
    void (*filter_coded_rows)(x264_t *h, int mb_y);

    /* Pictures with shared_slices, inside x264's loop filter: the slice that a macroblock is of,
     * asked for in raster order, and the strengths of its edges to other slices, once both sides
     * are known. */
    const struct rp_h264_slice *(*filtered_slice)(x264_t *h, int mb_xy);
    void (*filter_slice_edges)(x264_t *h, int mb_x, int mb_y);

    /* Pictures with rate control: the row's last macroblock is coded, before and after x264 has
     * planned the next row by it. qp: the row's. */
    void (*plan_next_row)(x264_t *h, float qp);
    void (*row_is_planned)(x264_t *h);

    /* The context goes: frees what has been made for its pictures. */
    void (*release)(struct rp_x264_context *ctx);
};

struct rp_x264_context {
    struct rp_pooled base; /* first */
    struct rp_x264_config config;
    const struct rp_x264_hooks *hooks;
    x264_t *h; /* its api points back here */

    x264_frame_t *source;        /* of pictures at constant QP; made when first needed */
    x264_frame_t *lowres_source; /* of pictures with rate control; likewise */
    int aq_mode;                 /* of the preset, with rate control */
    int ip_offset;               /* QP of intra refresh below the picture's, with rate control */
    bool is_flat;                /* the picture has its limit of QP throughout, but for maps */
    x264_frame_t *unkept; /* reconstruction of pictures without a slot; made when first needed */
    x264_frame_t *views;  /* RP_X264_VIEW_COUNT references as x264 is to see them, and a helper's
                             reconstruction */
    int16_t *more_l1_mvr; /* motion caches of list 1 beyond x264's own two */
    pixel *weighted[RP_H264_MAX_REFS]; /* references with their weights; made when first needed */
    int8_t *absent_refs;               /* 4 * mb_count of -1; made when first needed */

    /* Which picture a reference index means, [list][2 + index], for the loop filter. */
    int8_t picture_id[2][RP_H264_MAX_REFS + 2];
    rp_x264_strength_fn x264_strength;
    rp_x264_avg_fn x264_avg[12];

    /* The picture under way. */
    const struct rp_h264_encode_job *job;
    const float *qp_offsets; /* per macroblock, in h->fenc; or NULL */
    const float *row_qps;    /* of rows side by side, with rate control; NULL: h->rc has it */
    uint32_t slice_index;
    bool is_header_too_long;
    bool has_refresh;
    bool has_weights;
    bool has_source_by_bands;             /* who codes a band copies its pixels first */
    struct rp_x264_rate_attempt *attempt; /* made for the first picture with rate control */
    struct rp_x264_rate_band *band;       /* under way, of such a picture; NULL: it has none */
    struct rp_x264_slices *slices;        /* made for the first picture of several */
    struct rp_x264_wave *wave;            /* made for the first one that is coded so */
    struct rp_x264_slices
        *shared_slices; /* borrowed, while bands of a picture of several slices are
                                             coded: the owner's; else NULL */

    /* What a context needs that helps another one. */
    struct rp_x264_arrays own;
    x264_ratecontrol_t *own_rc; /* NULL: h has it */
    struct rp_x264_context *next_helper;
    bool is_broken; /* memory was short: not to be used again */
};

/* Bytes between rows of every picture of this width. */
size_t rp_x264_stride_B(uint32_t width_px);

/* NULL when memory is short. */
struct rp_x264_context *rp_x264_context_create(const struct rp_x264_config *config,
                                               const struct rp_x264_hooks *hooks);
void rp_x264_context_destroy(struct rp_x264_context *ctx); /* accepts NULL */

/* A new source frame, the caller's; has_lowres: with half-size planes. NULL when memory is
 * short. */
x264_frame_t *rp_x264_context_make_source(struct rp_x264_context *ctx, bool has_lowres);

/* Makes ctx->unkept. False when memory is short. */
bool rp_x264_context_need_unkept(struct rp_x264_context *ctx);

/* Makes ctx->absent_refs. False when memory is short. */
bool rp_x264_context_need_absent_refs(struct rp_x264_context *ctx);

/* Whether motion is searched between pixels: by all quality levels but the fastest. */
bool rp_x264_config_wants_half_pel(const struct rp_x264_config *config);

bool rp_x264_config_is_equal(const struct rp_x264_config *a, const struct rp_x264_config *b);

#endif
