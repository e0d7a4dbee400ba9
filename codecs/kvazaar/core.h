/* SPDX-License-Identifier: MIT */
/* kvazaar's private structures, and what passes between its own files (which core_*.c include) and
 * ours: a picture is coded by its coding tree layer alone, with motion vector prediction and
 * deblocking of our own.
 */
#ifndef RP_CODECS_KVAZAAR_CORE_H
#define RP_CODECS_KVAZAAR_CORE_H

#ifndef NDEBUG
#error "kvazaar is built with NDEBUG"
#endif

#include "codecs/kvazaar/coded_rows.h"

#include "encoderstate.h"

#include <stdbool.h>
#include <stdint.h>

#define RP_KVAZAAR_MAX_PICTURES 16 /* of image_list_t */

/* Intra refresh: for each coding tree block of the map whether it is intra coded, and whether it is
 * refreshed in the references. Borrowed for the picture; NULL: there is none. */
struct rp_kvazaar_refresh {
    const uint8_t *forced;
    const uint8_t *clean;
    uint32_t columns;
    uint32_t rows;
};

/* What motion vector prediction must know of the picture that is coded, beyond kvazaar's own state.
 * A picture is named by its index in frame->ref, a reference of it by list and index there. Hangs
 * at frame->new_ratecontrol, which nobody else uses without kvazaar's rate control. */
struct rp_kvazaar_motion {
    bool is_long_term[RP_KVAZAAR_MAX_PICTURES];
    bool ref_is_long_term[RP_KVAZAAR_MAX_PICTURES][2][16]; /* when the picture was coded */
    bool has_temporal;
    bool collocated_from_l0;
    bool has_no_backward; /* NoBackwardPredFlag (8.5.3.2.9) */
    uint8_t collocated;
    struct rp_kvazaar_refresh refresh;
    struct rp_kvazaar_coded_rows *awaited[RP_KVAZAAR_MAX_PICTURES]; /* of references that were under
                                                                      way when this one began */
    uint32_t awaited_count;
    struct rp_workers *workers;                /* borrowed: those who code; or NULL */
    encoder_state_config_frame_t *intra_frame; /* the frame as it is to blocks that are refreshed */
};

static inline const struct rp_kvazaar_motion *
rp_kvazaar_motion_of(const encoder_state_t *state)
{
    return (const struct rp_kvazaar_motion *)state->frame->new_ratecontrol;
}

/* refresh.c: in the place of kvazaar's search of a block's intra mode, and of that of its
 * chroma. */
void rp_kvazaar_search_cu_intra(encoder_state_t *state, int x_px, int y_px, int depth, lcu_t *lcu,
                                int8_t *mode_out, double *cost_out);
int8_t rp_kvazaar_search_cu_intra_chroma(encoder_state_t *state, int x_px, int y_px, int depth,
                                         lcu_t *lcu);

/* awaited.c: waits until all references that are awaited, whichever of them is read, have what the
 * search of the coding tree block at x_px, y_px of the tile reads of their motion; the samples that
 * a block of the tile reads around where the vector, in quarter samples, leads. */
void rp_kvazaar_await_motion(const encoder_state_t *state, int x_px, int y_px);
void rp_kvazaar_await_samples(const encoder_state_t *state, const vector2d_t *at,
                              const vector2d_t *size, const vector2d_t *mv);

/* core_state.c: the slices of the picture that state is set up for begin, and block i of a leaf of
 * theirs is coded, to the leaf's stream. */
void rp_kvazaar_state_begin(encoder_state_t *state);
void rp_kvazaar_leaf_code(encoder_state_t *leaf, int i);

/* Spatial neighbours (6.4.2): A0, A1 and B0, B1, B2, NULL where they are not available. */
struct rp_kvazaar_neighbours {
    const cu_info_t *a[2];
    const cu_info_t *b[3];
};

/* core_inter.c: of a block of the CTB that is searched; of one that is written. */
void rp_kvazaar_neighbours_get(const encoder_state_t *state, const vector2d_t *at,
                               const vector2d_t *size, lcu_t *lcu,
                               struct rp_kvazaar_neighbours *out);
void rp_kvazaar_neighbours_get_written(const encoder_state_t *state, const vector2d_t *at,
                                       const vector2d_t *size, struct rp_kvazaar_neighbours *out);

/* refresh.c: the coding tree block at x_px, y_px of the tile is intra coded; of a picture that
 * knows what is clean, the block of the tile may have the vector, in quarter samples, into any of
 * the references. */
bool rp_kvazaar_refresh_forces(const encoder_state_t *state, int x_px, int y_px);
bool rp_kvazaar_refresh_allows(const encoder_state_t *state, const vector2d_t *at,
                               const vector2d_t *size, const vector2d_t *mv);

/* kvazaar's filter.c, which no header of it declares: Table 8-12. */
extern const uint8_t kvz_g_beta_table_8x8[52];
extern const uint8_t kvz_g_tc_table_8x8[54];

/* deblock.c: one luma edge of length samples (8.7.2.5), at its first sample. */
void rp_kvazaar_deblock_luma(encoder_state_t *state, int32_t x, int32_t y, int32_t length,
                             bool is_vertical, bool is_transform_edge);

/* sao_bands.c: adds the sum of original - decoded, and the number of samples, of each band of count
 * decoded samples, a multiple of 4 and 4096 at most. */
void rp_kvazaar_sao_bands_add(const kvz_pixel *original, const kvz_pixel *decoded, int32_t count,
                              int32_t bands[2][32]);

#endif
