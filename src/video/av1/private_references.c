/* SPDX-License-Identifier: MIT */
/* A model of the application's own references (7.20, 7.21).
 */
#include "video/av1/private_references.h"

#define ALL_REFERENCES 0xffu

void
rp_av1_private_references_init(struct rp_av1_private_references *refs)
{
    for (uint32_t i = 0; i < RP_AV1_REFERENCES; i++) {
        refs->at[i] = (struct rp_av1_private_reference){.slot = RP_AV1_PRIVATE_NONE};
        refs->streams_own[i] = RP_AV1_PRIVATE_NONE;
    }
}

int32_t
rp_av1_private_references_find(const struct rp_av1_private_references *refs, int32_t slot)
{
    for (int32_t i = 0; i < RP_AV1_REFERENCES && slot >= 0; i++) {
        if (refs->at[i].slot == slot)
            return i;
    }
    return RP_AV1_PRIVATE_NONE;
}

static bool
is_alive(const struct rp_av1_private_references *refs, int32_t index)
{
    for (uint32_t i = 0; i < RP_AV1_REFERENCES; i++) {
        if (refs->streams_own[i] == index)
            return true;
    }
    return refs->at[index].is_hidden_key && refs->at[index].refreshed != ALL_REFERENCES;
}

/* The one that was not used for the longest time. */
static int32_t
find_oldest(const struct rp_av1_private_references *refs, bool may_be_alive)
{
    int32_t oldest = RP_AV1_PRIVATE_NONE;
    for (int32_t i = 0; i < RP_AV1_REFERENCES; i++) {
        if (!may_be_alive && is_alive(refs, i))
            continue;
        if (oldest < 0 || refs->at[i].last_use < refs->at[oldest].last_use)
            oldest = i;
    }
    return oldest;
}

/* Where a picture goes: to the one before it in its slot; else where nothing is, where a dead one
 * is, or to the oldest. */
static int32_t
choose(const struct rp_av1_private_references *refs, int32_t setup_slot)
{
    int32_t chosen = rp_av1_private_references_find(refs, setup_slot);
    for (int32_t i = 0; i < RP_AV1_REFERENCES && chosen < 0; i++) {
        if (refs->at[i].slot < 0)
            chosen = i;
    }
    if (chosen < 0)
        chosen = find_oldest(refs, false);
    return chosen >= 0 ? chosen : find_oldest(refs, true);
}

/* Marks those that the picture refers to. A hidden key frame that lies in front of it and is all
 * that it refers to was shown by now: it is all of the application's references. */
static void
use_names(struct rp_av1_private_references *refs, const struct rp_av1_state *state,
          const struct rp_av1_private_use *use)
{
    const int32_t first = rp_av1_private_references_find(refs, use->name_slots[0]);
    bool is_only_one = first >= 0;
    for (uint32_t i = 0; i < RP_AV1_REFS_PER_FRAME; i++) {
        const int32_t index = rp_av1_private_references_find(refs, use->name_slots[i]);
        if (index >= 0)
            refs->at[index].last_use = use->now;
        is_only_one &= index == first;
    }
    if (!is_only_one || !refs->at[first].is_hidden_key ||
        rp_av1_relative_distance(&state->sequence, use->order_hint,
                                 state->references[first].order_hint) <= 0)
        return;
    for (uint32_t i = 0; i < RP_AV1_REFERENCES; i++)
        refs->streams_own[i] = first;
    refs->at[first].is_hidden_key = false;
}

int32_t
rp_av1_private_references_begin(struct rp_av1_private_references *refs,
                                const struct rp_av1_state *state,
                                const struct rp_av1_private_use *use)
{
    if (use->name_slots)
        use_names(refs, state, use);
    if (use->setup_slot < 0)
        return RP_AV1_PRIVATE_NONE;
    for (uint32_t i = 0; i < RP_AV1_REFERENCES; i++) {
        if (use->refresh_frame_flags >> i & 1)
            refs->streams_own[i] = RP_AV1_PRIVATE_NONE;
    }
    return choose(refs, use->setup_slot);
}

void
rp_av1_private_references_end(struct rp_av1_private_references *refs, int32_t index,
                              const struct rp_av1_private_use *use)
{
    for (uint32_t i = 0; i < RP_AV1_REFERENCES; i++) {
        refs->at[i].refreshed |= use->refresh_frame_flags;
        if (refs->streams_own[i] == index)
            refs->streams_own[i] = RP_AV1_PRIVATE_NONE;
    }
    for (uint32_t i = 0; i < RP_AV1_REFERENCES; i++) {
        if (use->refresh_frame_flags >> i & 1)
            refs->streams_own[i] = index;
    }
    refs->at[index] = (struct rp_av1_private_reference){
        .slot = use->setup_slot,
        .last_use = use->now,
        .is_hidden_key = use->is_hidden_key,
    };
}

void
rp_av1_private_references_drop(struct rp_av1_private_references *refs, int32_t slot)
{
    const int32_t index = rp_av1_private_references_find(refs, slot);
    if (index >= 0)
        refs->at[index].slot = RP_AV1_PRIVATE_NONE;
}
