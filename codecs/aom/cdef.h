/* SPDX-License-Identifier: MIT */
/* CDEF with the strengths that the application gives.
 */
#ifndef RP_CODECS_AOM_CDEF_H
#define RP_CODECS_AOM_CDEF_H

struct AV1_COMP;

/* Of several pairs of strengths (cdef_info), each block of 64x64 gets the one with which it is
 * nearest to the source, in the sum of squares over luma and chroma. The frame is deblocked. */
void rp_aom_cdef_choose_pairs(struct AV1_COMP *cpi);

#endif
