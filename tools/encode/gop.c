/* SPDX-License-Identifier: MIT */
/* The references live in as few slots as do for all that will refer to them. */
#include "tools/encode/gop.h"

#include <string.h>

/* Levels of the tree of max_b pictures. */
uint32_t
gop_reordered(uint32_t max_b)
{
    uint32_t levels = 0;

    while (max_b >> levels)
        levels++;
    return levels;
}

/* B pictures refer to the last two anchors. */
static uint32_t
kept_anchors(uint32_t max_refs, uint32_t max_b)
{
    return max_b > 0 && max_refs < 2 ? 2 : max_refs;
}

uint32_t
gop_slots(uint32_t max_refs, uint32_t max_b)
{
    /* Beside the anchors and the picture that is being coded: B pictures of each level but the
     * lowest, of which one is alive at a time. */
    const uint32_t b_levels = max_b > 0 ? gop_reordered(max_b) - 1 : 0;

    return kept_anchors(max_refs, max_b) + b_levels + 1;
}

void
gop_init(struct gop *gop, uint32_t period, uint32_t max_refs, uint32_t max_b)
{
    *gop = (struct gop){
        .period = period,
        .max_refs = max_refs,
        .max_b = max_b,
        .slot_count = gop_slots(max_refs, max_b),
    };
}

void
gop_come(struct gop *gop)
{
    gop->waiting++;
}

static struct gop_picture *
plan_add(struct gop *gop, uint32_t position)
{
    struct gop_picture *picture = &gop->plan[gop->plan_count++];

    *picture = (struct gop_picture){
        .is_reference = true,
        .display = gop->display + position,
        .position = position,
        .group = gop->group_count,
    };
    return picture;
}

/* Plans the pictures between two that are planned, first and last of them not included. */
static void
plan_between(struct gop *gop, uint32_t first, uint32_t last)
{
    const uint32_t middle = (first + last) / 2;
    struct gop_picture *picture;

    if (last - first < 2)
        return;
    picture = plan_add(gop, middle);
    picture->is_b = true;
    picture->is_reference = last - first > 2;
    plan_between(gop, first, middle);
    plan_between(gop, middle, last);
}

static void
plan_key(struct gop *gop)
{
    gop->display += gop->position;
    gop->group_count++;
    gop->position = 1;
    gop->waiting--;
    gop->shown = gop->coded_refs = gop->live_count = 0;
    plan_add(gop, 0)->is_key = true;
}

/* An anchor and the pictures in front of it, if all have come. */
static void
plan_anchor(struct gop *gop, bool is_end)
{
    uint32_t count = gop->max_b + 1;

    if (gop->period > 0 && gop->period - gop->position < count)
        count = gop->period - gop->position;
    if (gop->waiting < count) {
        if (!is_end)
            return;
        count = gop->waiting;
    }
    plan_add(gop, gop->position + count - 1);
    plan_between(gop, gop->position - 1, gop->position + count - 1);
    gop->position += count;
    gop->waiting -= count;
}

static void
plan_make(struct gop *gop, bool is_end)
{
    gop->plan_at = gop->plan_count = 0;
    if (gop->waiting == 0)
        return;
    if (gop->position == 0 || (gop->period > 0 && gop->position == gop->period))
        plan_key(gop);
    else
        plan_anchor(gop, is_end);
}

static const struct gop_picture *
live_at(const struct gop *gop, uint32_t position)
{
    for (uint32_t i = 0; i < gop->live_count; i++) {
        if (gop->live[i].position == position)
            return &gop->live[i];
    }
    return NULL;
}

static uint32_t
free_slot(const struct gop *gop)
{
    uint32_t used = 0;
    uint32_t slot = 0;

    for (uint32_t i = 0; i < gop->live_count; i++)
        used |= 1u << gop->live[i].slot;
    while (used & 1u << slot)
        slot++;
    return slot;
}

/* The nearest references on both sides. */
static void
refs_of_b(struct gop *gop, const struct gop_picture *picture)
{
    const struct gop_picture *before = NULL;
    const struct gop_picture *after = NULL;

    for (uint32_t i = 0; i < gop->live_count; i++) {
        const struct gop_picture *live = &gop->live[i];

        if (live->position < picture->position && (!before || live->position > before->position))
            before = live;
        if (live->position > picture->position && (!after || live->position < after->position))
            after = live;
    }
    gop->refs[0] = *before;
    gop->refs[1] = *after;
    gop->ref_count = 2;
}

static void
refs_of_anchor(struct gop *gop)
{
    gop->ref_count = 0;
    for (uint32_t i = 0; i < gop->live_count && gop->ref_count < gop->max_refs; i++) {
        if (!gop->live[i].is_b)
            gop->refs[gop->ref_count++] = gop->live[i];
    }
}

/* A picture that comes after this reference refers neither to B pictures of an earlier branch of
 * the tree nor to anchors but the last ones, of which picture may be one itself. */
static void
ended_find(struct gop *gop, const struct gop_picture *picture)
{
    const uint32_t first = gop->refs[0].position;
    uint32_t anchors = !picture->is_b;

    gop->ended_count = 0;
    for (uint32_t i = 0; i < gop->live_count && picture->is_reference; i++) {
        const struct gop_picture *live = &gop->live[i];
        const bool is_needed = live->is_b ? picture->is_b && live->position >= first
                                          : anchors++ < kept_anchors(gop->max_refs, gop->max_b);

        if (!is_needed)
            gop->ended[gop->ended_count++] = *live;
    }
}

bool
gop_next(struct gop *gop, bool is_end, struct gop_picture *out)
{
    const struct gop_picture *next;

    if (gop->plan_at == gop->plan_count)
        plan_make(gop, is_end);
    if (gop->plan_at == gop->plan_count)
        return false;
    *out = gop->plan[gop->plan_at];
    out->slot = free_slot(gop);
    out->refs_before = gop->coded_refs;
    out->is_early = out->position > gop->shown;
    next = out->is_early ? NULL : live_at(gop, out->position + 1);
    out->next_slot = next ? (int32_t)next->slot : -1;
    if (out->is_b)
        refs_of_b(gop, out);
    else
        refs_of_anchor(gop);
    ended_find(gop, out);
    return true;
}

static bool
is_ended(const struct gop *gop, uint32_t slot)
{
    for (uint32_t i = 0; i < gop->ended_count; i++) {
        if (gop->ended[i].slot == slot)
            return true;
    }
    return false;
}

static void
live_add(struct gop *gop, const struct gop_picture *picture)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < gop->live_count; i++) {
        if (!is_ended(gop, gop->live[i].slot))
            gop->live[count++] = gop->live[i];
    }
    memmove(&gop->live[1], &gop->live[0], count * sizeof(gop->live[0]));
    gop->live[0] = *picture;
    gop->live_count = count + 1;
}

void
gop_coded(struct gop *gop, const struct gop_picture *picture)
{
    gop->plan_at++;
    if (!picture->is_early)
        gop->shown = picture->position + (picture->next_slot >= 0 ? 2 : 1);
    if (!picture->is_reference)
        return;
    gop->coded_refs++;
    live_add(gop, picture);
}
