/* SPDX-License-Identifier: MIT */
/* Blocks as libaom has chosen them for a superblock, in front of their coding.
 */
#ifndef RP_CODECS_AOM_PARTITION_H
#define RP_CODECS_AOM_PARTITION_H

struct AV1_COMP;

#define RP_AOM_INTRA_BLOCK_PX 16 /* of superblocks that are to be intra coded in inter frames */

/* Splits what has parts of several segments: a block has one. */
void rp_aom_partition_split_segments(struct AV1_COMP *cpi, int mi_row, int mi_col);

/* Splits what is larger than RP_AOM_INTRA_BLOCK_PX: how well references predict is no measure. */
void rp_aom_partition_split_all(struct AV1_COMP *cpi, int mi_row, int mi_col);

#endif
