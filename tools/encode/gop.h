/* SPDX-License-Identifier: MIT */
/* Which pictures are coded how: one that refers to nothing every period, the others each referring
 * to the newest ones before it.
 */
#ifndef RP_TOOLS_ENCODE_GOP_H
#define RP_TOOLS_ENCODE_GOP_H

#include <stdbool.h>
#include <stdint.h>

#define GOP_MAX_REFS 16

/* A picture, and the DPB slot that holds its reconstruction. */
struct gop_picture {
    bool is_key;       /* the first of a group: an IDR picture, or a key frame */
    uint32_t position; /* in its group */
    uint32_t group;    /* number of the group */
    uint32_t slot;
};

struct gop {
    uint32_t period;                       /* pictures of a group; 0: there is only one group */
    uint32_t max_refs;                     /* 1..GOP_MAX_REFS; there are max_refs + 1 slots */
    uint32_t position;                     /* of the next picture */
    uint32_t group_count;                  /* so far */
    struct gop_picture refs[GOP_MAX_REFS]; /* newest first */
    uint32_t ref_count;
};

void gop_init(struct gop *gop, uint32_t period, uint32_t max_refs);

/* The next picture; gop->refs are what it may refer to, none for the first of a group. */
struct gop_picture gop_next(struct gop *gop);

/* picture has been coded: later ones may refer to it. */
void gop_add(struct gop *gop, const struct gop_picture *picture);

#endif
