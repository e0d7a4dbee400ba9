/* SPDX-License-Identifier: MIT */
/* From libdav1d's pictures to images.
 */
#ifndef RP_CODECS_DAV1D_COPY_H
#define RP_CODECS_DAV1D_COPY_H

#include "codecs/dav1d/layout.h"
#include "reelpipe/picture.h"

/* Copies as much as both have, of one bit depth; luma that is there already is not copied. dst
 * without a plane 0: nothing. */
void rp_dav1d_copy(const struct rp_dav1d_picture *picture, const struct rp_picture *dst);

#endif
