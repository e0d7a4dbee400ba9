/* SPDX-License-Identifier: MIT */
/* Which pictures are coded how: an IDR picture every period, P pictures between, each referring to
 * the newest ones before it.
 */
#ifndef RP_TOOLS_ENCODE_GOP_H
#define RP_TOOLS_ENCODE_GOP_H

#include <stdbool.h>
#include <stdint.h>

#define GOP_MAX_REFS 16

/* A picture as it is named in the stream, and the DPB slot that holds its reconstruction. */
struct gop_picture {
    bool is_idr;
    uint32_t frame_num;
    int32_t poc;
    uint32_t idr_pic_id;
    uint32_t slot;
};

struct gop {
    uint32_t period;                       /* pictures from IDR to IDR; 0: only the first is one */
    uint32_t max_refs;                     /* 1..GOP_MAX_REFS; there are max_refs + 1 slots */
    uint32_t position;                     /* pictures since the IDR */
    uint32_t idr_count;                    /* so far */
    struct gop_picture refs[GOP_MAX_REFS]; /* newest first: the order of RefPicList0 (8.2.4.2.1) */
    uint32_t ref_count;
};

void gop_init(struct gop *gop, uint32_t period, uint32_t max_refs);

/* The next picture; gop->refs are what it may refer to, none for an IDR picture. */
struct gop_picture gop_next(struct gop *gop);

/* picture has been coded: later ones may refer to it. */
void gop_add(struct gop *gop, const struct gop_picture *picture);

#endif
