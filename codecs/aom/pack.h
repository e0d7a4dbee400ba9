/* SPDX-License-Identifier: MIT */
/* What an arithmetic coder writes of a picture. One thread does it, which takes about an eighth of
 * a picture's work; it looks at blocks and at CDEF's strengths, and not at samples. Where the
 * picture has one tile it goes on beside others, with a copy of what libaom keeps of the picture,
 * as far as the coder changes it. With many threads it follows the rows of superblocks that are
 * coded, if all that it writes of blocks is known then; else it goes on while CDEF is applied.
 * Bytes do not depend on it.
 */
#ifndef RP_CODECS_AOM_PACK_H
#define RP_CODECS_AOM_PACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct AV1_COMP;
struct rp_aom_pack_copy;
struct rp_aom_picture;

enum rp_aom_pack_stage {
    RP_AOM_PACK_NOT_BEGUN,
    RP_AOM_PACK_READY, /* it joins those who work together next */
    RP_AOM_PACK_BEGUN, /* with the copy */
};

/* Of a picture; zeroed but for dst before it is coded. */
struct rp_aom_pack {
    uint8_t *dst; /* libaom's, for the coded picture */
    size_t dst_B;
    enum rp_aom_pack_stage stage;
    bool follows_rows; /* of those that have been coded */
    int status;        /* from here on: what av1_pack_bitstream() says */
    size_t size_B;
    int largest_tile;
};

/* For pictures of that width. NULL when memory is short. */
struct rp_aom_pack_copy *rp_aom_pack_copy_create(uint32_t width_px);
void rp_aom_pack_copy_destroy(struct rp_aom_pack_copy *copy); /* accepts NULL */

/* Several threads are about to code rows. */
void rp_aom_pack_see_rows(struct rp_aom_picture *picture);

/* CDEF's strengths are chosen, and about to be applied. */
void rp_aom_pack_see_strengths(struct rp_aom_picture *picture);

/* Those that work together begin now. True: rp_aom_pack_run() is to be called beside them, on any
 * thread, before libaom goes on. */
bool rp_aom_pack_begin(struct rp_aom_picture *picture);
void rp_aom_pack_run(struct rp_aom_picture *picture);

/* Does cpi want to write what rp_aom_pack_run() has written? Then take() stands in for that. */
bool rp_aom_pack_is_done(const struct rp_aom_picture *picture, const struct AV1_COMP *cpi);
int rp_aom_pack_take(const struct rp_aom_picture *picture, struct AV1_COMP *cpi, size_t *size_B,
                     int *largest_tile);

#endif
