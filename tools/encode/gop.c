/* SPDX-License-Identifier: MIT */
/* A sliding window of references, kept in as many slots as there are pictures plus one. */
#include "tools/encode/gop.h"

#include <string.h>

void
gop_init(struct gop *gop, uint32_t period, uint32_t max_refs)
{
    *gop = (struct gop){.period = period, .max_refs = max_refs};
}

static uint32_t
free_slot(const struct gop *gop)
{
    uint32_t used = 0;
    uint32_t slot = 0;

    for (uint32_t i = 0; i < gop->ref_count; i++)
        used |= 1u << gop->refs[i].slot;
    while (used & 1u << slot)
        slot++;
    return slot;
}

struct gop_picture
gop_next(struct gop *gop)
{
    const bool is_key = gop->position == 0 || (gop->period != 0 && gop->position == gop->period);
    struct gop_picture picture;

    if (is_key) {
        gop->position = 0;
        gop->ref_count = 0;
        gop->group_count++;
    }
    picture = (struct gop_picture){
        .is_key = is_key,
        .position = gop->position,
        .group = gop->group_count,
        .slot = free_slot(gop),
    };
    gop->position++;
    return picture;
}

void
gop_add(struct gop *gop, const struct gop_picture *picture)
{
    const uint32_t kept = gop->ref_count < gop->max_refs ? gop->ref_count : gop->max_refs - 1;

    memmove(&gop->refs[1], &gop->refs[0], kept * sizeof(gop->refs[0]));
    gop->refs[0] = *picture;
    gop->ref_count = kept + 1;
}
