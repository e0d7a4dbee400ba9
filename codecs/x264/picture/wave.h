/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rows of a slice side by side: each row of macroblocks follows the one above by two.
 *
 * Threads take rows from the top. A row leaves what it is in the stream (glue/row_syntax.h). Three
 * stages follow, each with one row at a time, in order, done by whoever finds it idle: rows are
 * joined to the slice, filtered, and extended for those who refer to them.
 *
 * With rate control, a row's QP is known when some row above it has been joined (rate/rows.h).
 *
 * What x264 takes from the macroblocks before in raster order is taken from those that are known in
 * any order of rows, by one thread too: bytes do not depend on their number.
 */
#ifndef RP_CODECS_X264_PICTURE_WAVE_H
#define RP_CODECS_X264_PICTURE_WAVE_H

#include "glue/row_syntax.h"
#include "picture/wave_states.h"

#include "platform/progress.h"

#include <pthread.h>
#include <stdalign.h>

struct rp_encoder;
struct rp_x264_slices;
struct rp_x264_rate_planned_rows;

/* What is done with rows that are coded. FILTER waits for JOIN when QPs vary: those of macroblocks
 * without coefficients are known then. EXTEND waits for FILTER. */
enum rp_x264_stage_kind {
    RP_X264_STAGE_JOIN,
    RP_X264_STAGE_FILTER,
    RP_X264_STAGE_EXTEND,
    RP_X264_STAGE_COUNT,
};

/* Twice the row that is next, and one more while a thread is at it. */
struct rp_x264_stage {
    alignas(128) struct rp_progress state;
};

/* Macroblocks of the row above up to the next one, of the row above that, and so on, and those of
 * the row itself: all that is known whatever the order of rows. */
struct rp_x264_known {
    int mb_count;
    int intra_count;
};

/* What a row leaves for the next one and for the stages; it serves another row once those are done
 * with it. */
struct rp_x264_wave_row {
    struct rp_x264_row_syntax syntax;
    pixel *border[2];              /* its last line before it is filtered: luma, chroma */
    struct rp_x264_known *known;   /* by macroblock */
    uint8_t (*strengths)[2][8][4]; /* of the loop filter, by macroblock */
    void *memory;                  /* all of the above; owned */
};

struct rp_x264_wave_done {
    alignas(128) struct rp_progress mbs;
};

struct rp_x264_wave {
    struct rp_encoder *enc;
    x264_t *h; /* the owner's: while rows are coded who joins them changes h->out and h->cabac */
    int width; /* in macroblocks */
    int row_count;
    int thread_count;                      /* at most, that code a picture */
    int slot_count;                        /* row y is in slot[y % slot_count] */
    struct rp_x264_wave_row *slots;        /* owned, as all below */
    struct rp_x264_wave_done *done;        /* by row */
    struct rp_x264_row_coder **coders;     /* thread_count */
    pthread_mutex_t mutex;                 /* guards the two below */
    struct rp_x264_row_coder *free_coders; /* that nobody codes with */
    int used_coder_count;                  /* of the picture */
    struct rp_x264_wave_states states;
    struct rp_x264_stage stages[RP_X264_STAGE_COUNT];
    alignas(128) atomic_int next_row; /* that nobody codes yet */
    atomic_bool has_failed;           /* memory was short */

    /* The slice; as it is from its start to its end. */
    int first_mb;
    int end_mb;
    int first_row; /* of those that it has macroblocks of */
    int end_row;
    int useful_threads;            /* at most */
    struct rp_x264_slices *slices; /* of the picture; NULL: it is the only one */
    bool is_filtered;
    bool is_extended;
    bool has_varying_qp;
    bool has_refresh;
    struct rp_x264_rate_planned_rows *planned_rows; /* NULL: without rate control */
    x264_frame_t frame_at_start;                    /* with refresh: what coders begin with */
    x264_cabac_t cabac_at_start;

    /* For the thread that joins rows: how the last row left the slice. */
    int skips;
    int last_qp;
    int last_delta;
};

/* The macroblocks of row y that are the slice's: all, but at its start and its end. */
static inline int
rp_x264_wave_first_x(const struct rp_x264_wave *wave, int y)
{
    return X264_MAX(wave->first_mb - y * wave->width, 0);
}

static inline int
rp_x264_wave_end_x(const struct rp_x264_wave *wave, int y)
{
    return X264_MIN(wave->end_mb - y * wave->width, wave->width);
}

/* Whether slice index of ctx->job is coded so: the only one, and without rate control those that
 * are not low. */
bool rp_x264_wave_is_for(const struct rp_x264_context *ctx, uint32_t index);

/* Makes ctx->wave for pictures of the context. False when memory is short. */
bool rp_x264_wave_reserve(struct rp_encoder *enc, struct rp_x264_context *ctx);
void rp_x264_wave_destroy(struct rp_x264_wave *wave); /* accepts NULL */

/* Codes the slice that ctx->h->sh says, for which ctx is ready. False when memory ran short. */
bool rp_x264_wave_code(struct rp_encoder *enc, struct rp_x264_context *ctx);

/* Calls fn for each row once: they are begun in order, and done side by side by the threads that
 * code pictures, each with an x264 of its own that is as ctx->h. Without ctx->wave it is ctx->h. */
void rp_x264_wave_for_rows(struct rp_encoder *enc, struct rp_x264_context *ctx,
                           void (*fn)(void *arg, x264_t *h, int y), void *arg);

/* wave_stages.c: the row that the stage does next; does rows of all stages that are ready,
 * most_rows of each at a time, true when there was any; and returns when the stage has done row
 * y. */
int rp_x264_wave_stage_next(const struct rp_x264_wave *wave, enum rp_x264_stage_kind kind);
bool rp_x264_wave_work_on_stages(struct rp_x264_wave *wave, x264_t *h, int most_rows);
void rp_x264_wave_wait_for_stage(struct rp_x264_wave *wave, enum rp_x264_stage_kind kind,
                                 struct rp_x264_row_coder *coder, int y);

/* wave_row.c: codes row y, which is nobody else's. The second returns how many macroblocks of row y
 * are known, once these are count, for the coder of another row. */
void rp_x264_wave_code_row(struct rp_x264_wave *wave, struct rp_x264_row_coder *coder, int y);
int rp_x264_wave_wait_for_mbs(struct rp_x264_wave *wave, const struct rp_x264_row_coder *coder,
                              int y, int count);

/* wave_join.c: the slice up to its first row, row y of it, and its end. False: memory is short.
 * h: of who joins it. */
void rp_x264_wave_join_begin(struct rp_x264_wave *wave);
bool rp_x264_wave_join_row(struct rp_x264_wave *wave, x264_t *h, int y);
bool rp_x264_wave_join_end(struct rp_x264_wave *wave);

#endif
