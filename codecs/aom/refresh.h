/* SPDX-License-Identifier: MIT */
/* Intra refresh: whoever starts to decode inside a cycle has the right pixels in all that was
 * refreshed, but for those that filters across the border to the rest have mixed.
 */
#ifndef RP_CODECS_AOM_REFRESH_H
#define RP_CODECS_AOM_REFRESH_H

#include <stdbool.h>

struct macroblock;
struct AV1_COMP;
struct rp_encode_job;

/* The superblock is intra coded. Regions are refreshed in raster order, or tile after tile: what is
 * left of such a superblock or above it is refreshed, and is all that libaom's intra modes of inter
 * frames look at. */
bool rp_aom_refresh_forces(const struct rp_encode_job *job, const struct AV1_COMP *cpi, int mi_row,
                           int mi_col);

/* The block at hand may not be predicted by the references and vectors that libaom has chosen for
 * it: it is in a superblock to refresh, or in a refreshed one while they lead elsewhere. */
bool rp_aom_refresh_forbids(const struct rp_encode_job *job, const struct AV1_COMP *cpi,
                            const struct macroblock *x);

#endif
