/* SPDX-License-Identifier: MIT */
/* Which pictures are coded how, and in which order: one that refers to nothing every period, then
 * anchors, each of which refers to the newest ones before it. Between two anchors there may be B
 * pictures, coded after both in a binary tree: each refers to the nearest coded picture on either
 * side, and is a reference itself if pictures remain between it and one of those.
 */
#ifndef RP_TOOLS_ENCODE_GOP_H
#define RP_TOOLS_ENCODE_GOP_H

#include <stdbool.h>
#include <stdint.h>

#define GOP_MAX_REFS 16
#define GOP_MAX_B 15 /* between two anchors */
#define GOP_MAX_SLOTS (GOP_MAX_REFS + 1)

/* A picture, and the DPB slot that holds its reconstruction. */
struct gop_picture {
    bool is_key; /* the first of a group: an IDR picture, or a key frame */
    bool is_b;
    bool is_reference;    /* of later ones */
    bool is_early;        /* coded in front of one that is displayed before it */
    uint64_t display;     /* number in the order of display, from the first group on */
    uint32_t position;    /* in its group, in the order of display */
    uint32_t refs_before; /* references of its group that were coded before it */
    uint32_t group;       /* number of the group */
    uint32_t slot;
    int32_t next_slot; /* of an early picture that is displayed next after it; -1: there is none */
};

struct gop {
    uint32_t period;   /* pictures of a group; 0: there is only one group */
    uint32_t max_refs; /* of an anchor, 1..GOP_MAX_REFS */
    uint32_t max_b;    /* 0..GOP_MAX_B, less than a period that is not 0 */
    uint32_t slot_count;

    uint64_t display;     /* of the first picture of the group */
    uint32_t group_count; /* so far */
    uint32_t position;    /* of the next picture that is to be planned */
    uint32_t waiting;     /* pictures that have come and are not planned yet */
    uint32_t shown;       /* pictures of the group that are displayed when all so far are decoded */
    uint32_t coded_refs;  /* of the group */
    struct gop_picture plan[GOP_MAX_B + 1]; /* pictures to be coded next; slots are not known yet */
    uint32_t plan_count;
    uint32_t plan_at;

    struct gop_picture live[GOP_MAX_SLOTS]; /* the references there are, the last coded first */
    uint32_t live_count;
    struct gop_picture refs[GOP_MAX_REFS]; /* of the picture from gop_next(): of an anchor newest
                                              first; of a B picture the one before, the one after */
    uint32_t ref_count;
    struct gop_picture ended[GOP_MAX_SLOTS]; /* no references any more, once it is coded */
    uint32_t ended_count;
};

/* DPB slots for pictures in groups of this kind, the one that is being coded included. */
uint32_t gop_slots(uint32_t max_refs, uint32_t max_b);

/* How many pictures at most are coded in front of one that is displayed before them. */
uint32_t gop_reordered(uint32_t max_b);

/* gop_slots() are at most GOP_MAX_SLOTS. */
void gop_init(struct gop *gop, uint32_t period, uint32_t max_refs, uint32_t max_b);

/* One picture more has come, in the order of display. */
void gop_come(struct gop *gop);

/* The next picture to code, and what it may refer to; false: none until more have come. is_end: no
 * more come for now. */
bool gop_next(struct gop *gop, bool is_end, struct gop_picture *out);

/* picture, which gop_next() gave, has been coded. */
void gop_coded(struct gop *gop, const struct gop_picture *picture);

#endif
