/* SPDX-License-Identifier: GPL-2.0-or-later */
/* x264's rate control of one temporal layer, kept apart from any context.
 *
 * x264 keeps the state in x264_t: ours is attached to the context that codes a picture, and what
 * changed is taken back. plan.c chooses QPs with it, by way of glue/core_rate.h; layer.c is what
 * needs none of x264's private state.
 */
#ifndef RP_CODECS_X264_RATE_LAYER_H
#define RP_CODECS_X264_RATE_LAYER_H

#include "codecs/rate/law.h"
#include "codecs/rate/target.h"
#include "codecs/rate/virtual_buffer.h"
#include "context.h"

/* What the law is to know of x264's quantisers. */
extern const struct rp_rate_scale rp_x264_rate_scale;

#define RP_X264_MAX_ROWS 512 /* of macroblocks: pictures are up to 8192 high */

/* How a picture is coded: as planned, or once more because it came out wrong. */
struct rp_x264_rate_recoding {
    int number;       /* 0: the first one */
    int qp;           /* that it is to have; -1: what is planned */
    double most_bits; /* that rows see to; 0: as planned */
};

/* How the rows of a P picture came out. */
struct rp_x264_rate_rows {
    int count;                    /* 0: not known */
    float cost[RP_X264_MAX_ROWS]; /* bits at qscale 1 */
    int satd[RP_X264_MAX_ROWS];
};

struct rp_x264_rate_layer {
    x264_ratecontrol_t *rc;                /* owned; NULL until first used */
    struct rp_rate_target target;          /* steps of quantisers are x264's qscales, indices QPs */
    struct rp_rate_virtual_buffer *shared; /* borrowed: of all layers; NULL when there is one */
    int64_t size_B[3];                     /* of all pictures, by slice type */
    struct rp_rate_law law;
    struct rp_x264_rate_rows rows;  /* of the last picture */
    struct rp_rate_picture picture; /* the one under way, as the law sees it */
    double step_factor;             /* its qscale over that of P pictures */
    double overhead_bits;           /* of headers, and what others write */
    double shown_bits;              /* of its first rows, when they are coded */
    double aim_bits;                /* of an I picture, until it was coded again; 0: none */
    x264_ratecontrol_t *context_rc; /* the context's own, while attached */
};

/* A view of a reference has that frame's account of how the picture was coded. */
void rp_x264_rate_view_refer(x264_frame_t *view, const x264_frame_t *frame);

/* Which part of the picture's bits its first rows, row_count of height, should take. */
double rp_x264_rate_rows_share(const struct rp_x264_rate_rows *rows, int row_count, int height);

/* Takes those of h's picture, which has ended: x264 compares each row with that of the P picture
 * before. */
void rp_x264_rate_layer_note_rows(struct rp_x264_rate_layer *layer, const x264_t *h, int type);

/* h is as contexts are without rate control, with the state that it came with. */
void rp_x264_rate_release(x264_t *h, x264_ratecontrol_t *own_rc);

/* Units of a second that durations are in: half frames, as x264 counts them. */
int64_t rp_x264_rate_layer_time_scale(const struct rp_x264_rate_layer *layer);

/* Size of the target's buffer, or what one picture's time brings if that is more. */
double rp_x264_rate_layer_buffer_bits(const struct rp_x264_rate_layer *layer);

/* Seconds from one picture to the next. */
double rp_x264_rate_layer_picture_s(const struct rp_x264_rate_layer *layer);

/* How much coarser than P pictures those of the type are. */
double rp_x264_rate_layer_factor(const x264_t *h, int type);

/* One quantiser for all at a constant rate, within what windows leave. */
bool rp_x264_rate_layer_is_held(const struct rp_x264_rate_layer *layer);

/* What a picture is to be planned with that may take that many bits at most. */
double rp_x264_rate_layer_meant(const struct rp_x264_rate_layer *layer, double most);

/* Notes what an I picture of a path should take, or the first one of a variable rate. P pictures at
 * a constant rate should not take more than windows leave. */
void rp_x264_rate_layer_aim(struct rp_x264_rate_layer *layer, int type, double most);

/* Takes x264's state with h's tables; nothing when it is there. False when memory is short. */
bool rp_x264_rate_layer_open(struct rp_x264_rate_layer *layer, x264_t *h);
void rp_x264_rate_layer_finish(struct rp_x264_rate_layer *layer);

/* Copies everything but what to owns. Both are open. */
void rp_x264_rate_layer_copy(struct rp_x264_rate_layer *to, const struct rp_x264_rate_layer *from);

/* What pictures leave when they end is made the base's; what the layer's own picture has done so
 * far stays. */
void rp_x264_rate_layer_rebase(struct rp_x264_rate_layer *layer,
                               const struct rp_x264_rate_layer *base);

/* New settings; keeps what was learned of the content and the buffer's fullness: its own, or the
 * shared buffer's, when there were other layers since the last ones; else NULL. */
void rp_x264_rate_layer_set(struct rp_x264_rate_layer *layer, const struct rp_rate_target *target,
                            const struct rp_rate_virtual_buffer *buffer);

/* h works with the layer's state until it is detached. */
void rp_x264_rate_layer_attach(struct rp_x264_rate_layer *layer, x264_t *h);
void rp_x264_rate_layer_detach(struct rp_x264_rate_layer *layer, x264_t *h);

/* Whether the picture's rows keep its quantiser while the buffer stands it. */
bool rp_x264_rate_layer_keeps_qp(const struct rp_x264_rate_layer *layer, int type);

/* Chooses the picture's QP and plans its rows. type: the slice type that it counts as.
 * preceding_B: of the access unit, written by others. */
void rp_x264_rate_layer_start(struct rp_x264_rate_layer *layer, x264_t *h, int type,
                              const struct rp_x264_rate_recoding *recoding, size_t preceding_B);

/* Mean of what the rows of the picture that h has coded were given: adaptive quantisation and maps
 * make other QPs of it. */
double rp_x264_rate_rows_qp(const x264_t *h);

/* QP to code a picture with once more whose size nobody could foresee; -1: let it be. qp: it was
 * begun with; coarse_qp: what its rows have made of that, if it is more. */
int rp_x264_rate_layer_aim_again(struct rp_x264_rate_layer *layer, int type, double bits, int qp,
                                 int coarse_qp);

/* Whether a picture that breaks a window of a constant rate is to be coded again, and how.
 * layer: as it was before the picture; h: that coded it; recoding: how it was coded, then how it
 * is to be. */
bool rp_x264_rate_layer_hold_again(const struct rp_x264_rate_layer *layer, const x264_t *h,
                                   int type, double bits, struct rp_x264_rate_recoding *recoding);

/* The picture is going to be coded again, with a QP that is known. */
void rp_x264_rate_layer_rewind(struct rp_x264_rate_layer *layer,
                               const struct rp_x264_rate_layer *base);

/* Whether another picture may be planned before this one, which has begun, has ended. */
bool rp_x264_rate_layer_can_be_followed(const struct rp_x264_rate_layer *layer, int type);

/* Counts the picture as if it had ended: it is expected to take what its first row_count rows let
 * expect. */
void rp_x264_rate_layer_expect(struct rp_x264_rate_layer *layer, const x264_t *h, int row_count);

/* The most bits the picture may have; 0: any number. */
double rp_x264_rate_layer_limit(const struct rp_x264_rate_layer *layer, int type);

/* The access unit has so many bytes. The layer has been rebased. Returns the filler bytes that are
 * due. */
size_t rp_x264_rate_layer_end(struct rp_x264_rate_layer *layer, x264_t *h, int type, size_t size_B);

#endif
