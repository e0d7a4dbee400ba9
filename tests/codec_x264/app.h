/* SPDX-License-Identifier: MIT */
/* A small application: it owns the DPB, numbers pictures, writes headers, has the codec code them
 * and keeps stream and reconstructions for the decoder to check.
 */
#ifndef RP_TESTS_CODEC_X264_APP_H
#define RP_TESTS_CODEC_X264_APP_H

#include "writer.h"

#define APP_MAX_SLICES 130

/* REFRESH_SLICES: an I slice in each picture; as many slices as refresh_cycle. */
enum app_refresh {
    REFRESH_NONE,
    REFRESH_COLUMNS,
    REFRESH_ROWS,
    REFRESH_RASTER,
    REFRESH_SCATTER,
    REFRESH_SLICES,
};

/* From this picture on. rate NULL: constant QP. */
struct app_rate_step {
    uint32_t picture;
    const struct rp_rate_settings *rate;
};

/* What a test varies. Zero values are sensible but for the first four. */
struct app_options {
    uint32_t width;
    uint32_t height;
    uint32_t picture_count;
    uint32_t max_refs;
    uint32_t seed;
    uint32_t quality;
    StdVideoH264ProfileIdc profile; /* 0: Main */
    StdVideoH264LevelIdc level;
    bool is_cavlc;
    bool has_transform_8x8;
    bool has_constrained_intra;
    bool has_weighted_pred;
    bool has_weights; /* of P pictures: random ones */
    uint32_t weighted_bipred_idc;
    int32_t chroma_qp_offset;
    uint32_t log2_max_frame_num; /* 0: 8 */
    uint32_t poc_type;           /* 0 or 2 */
    int32_t poc_step;            /* 0: 2 */
    uint32_t default_refs[2];    /* num_ref_idx_active of the PPS; 0: 1 */
    int32_t qp;                  /* of P pictures; 0: 28; -1: really 0 */
    bool has_slice_qp;           /* slices differ in QP */
    uint32_t slice_count;        /* 0: 1 */
    bool is_unaligned;           /* slices end inside rows */
    bool has_short_slices;       /* every other one has a few macroblocks */
    bool has_slice_types;        /* slices differ in type */
    bool has_slice_filters;      /* slices differ in what the loop filter does */
    uint32_t deblocking_idc;
    int32_t alpha_div2;
    int32_t beta_div2;
    uint32_t cabac_init_idc;
    bool is_temporal_direct;
    bool has_plain_images;   /* DPB images that the codec cannot use in place */
    uint32_t foreign_period; /* every n pictures all slots are said to be foreign */
    bool is_i420;
    bool has_aud;
    bool has_no_recon;                       /* pictures that nobody refers to get no slot */
    bool has_map;                            /* QP deltas */
    int32_t map_qp;                          /* all of them; 0: they are random */
    uint32_t fine_period;                    /* the last row is far finer every n pictures */
    uint32_t quality_period;                 /* the quality level changes every n pictures */
    uint32_t threads;                        /* 0: each picture is coded before the next begins */
    uint32_t in_flight;                      /* with threads: most pictures begun; 0: many */
    uint32_t slice_threads;                  /* with threads 0: for the slices of one; 0: 1 */
    const struct rp_rate_settings *rate;     /* NULL: constant QP */
    const struct app_rate_step *later_rates; /* in the order of their pictures */
    uint32_t later_rate_count;
    uint32_t preceding_B;     /* said to have been written of each access unit */
    bool has_temporal_layers; /* layer 1: what nobody refers to; else as pictures say */
    bool has_emphasis;
    enum app_refresh refresh;   /* intra refresh of all pictures but the first */
    uint32_t refresh_cycle;     /* pictures that it takes */
    uint32_t first_display;     /* added to display indices: other content */
    uint32_t cut_period;        /* other content every n pictures */
    bool is_text;               /* luma */
    bool is_noisy;              /* luma: some macroblocks are noise between black and white */
    bool is_still;              /* all but one macroblock of a picture */
    uint32_t stripes_period;    /* luma: stripes with noise; each nth has none, and an I slice */
    uint32_t lines_per_picture; /* that all luma goes up by; 0: as content is */
    bool has_explicit_lists;    /* list modification even where the initial list would do */
};

/* What a reference structure decides for one picture. */
struct app_picture {
    uint32_t display;
    uint32_t slice_type;
    uint32_t nal_ref_idc;
    int32_t poc;
    uint32_t ref_count[2];
    uint32_t refs[2][RP_H264_MAX_REFS]; /* DPB entries */
    struct marking marking;             /* frame_num is the app's */
    uint32_t idr_pic_id;
    uint32_t temporal_layer;
};

struct app_record {
    uint32_t epoch; /* POCs compare within one */
    int32_t poc;
    uint8_t *i420; /* the reconstruction; NULL: none was kept */
    uint8_t *data; /* the coded picture */
    size_t size_B;
    uint32_t layer;
    uint32_t slice_type; /* as rate control counts it */
    struct rp_encode_result result;
    double encode_ms;
};

struct app;

struct app *app_create(const struct app_options *options, const struct rp_encode_codec *codec);
void app_destroy(struct app *app);

const struct app_options *app_options(const struct app *app);
struct dpb *app_dpb(struct app *app);
uint32_t app_random(struct app *app);

/* frame_num of the next picture that is not IDR. */
uint32_t app_next_frame_num(const struct app *app);

/* POC of a picture, counted from the last IDR picture or MMCO 5. */
int32_t app_poc(const struct app *app, uint32_t display);

/* Has the picture coded. Returns the DPB entry that holds it, used or not. */
uint32_t app_code(struct app *app, const struct app_picture *pic);

/* Waits for pictures under way. */
void app_finish(struct app *app);

/* SPS and PPS. */
size_t app_headers(const struct app *app, uint8_t *dst);

/* What was coded, in coding order; after app_finish(). */
const struct app_record *app_records(const struct app *app, uint32_t *count);

/* The worst status of a picture so far, and a sum over the results. */
enum rp_codec_status app_status(const struct app *app);

/* Both coded all pictures, and to the same bytes. */
bool app_is_same(const struct app *a, const struct app *b);

#endif
