/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a macroblock may take of any decoder (Annex A) and x264 does not see to: vectors and bits.
 */
#ifndef RP_CODECS_X264_GLUE_MB_LIMITS_H
#define RP_CODECS_X264_GLUE_MB_LIMITS_H

#include "context.h"

#include "encoder/macroblock.h"

/* Decides on the macroblock at hand with x264's analyse(), without partitions below 8x8 where they
 * ask for more than the level allows. */
void rp_x264_analyse_within_level(x264_t *h, void (*analyse)(x264_t *h));

/* Write the macroblock that has been encoded: as I_PCM when it is too long. */
void rp_x264_write_cabac(x264_t *h, x264_cabac_t *cb);
void rp_x264_write_cavlc(x264_t *h);

/* Write it into the row at hand. start: the slice's states at its start; a macroblock's length with
 * CABAC is estimated by them. */
void rp_x264_row_write_cavlc_within_level(x264_t *h);
void rp_x264_row_write_cabac_within_level(x264_t *h, const x264_cabac_t *start);

#endif
