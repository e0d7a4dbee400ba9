/* SPDX-License-Identifier: MIT */
/* set_frame_refs() (7.8) and skip_mode_params() (5.9.22): what follows from order hints.
 */
#include "video/av1/references.h"

#define NONE UINT32_MAX

/* Names less LAST_FRAME. */
enum { LAST, LAST2, LAST3, GOLDEN, BWDREF, ALTREF2, ALTREF };

struct search {
    int32_t distance[RP_AV1_REFERENCES]; /* in time from the current frame, by reference */
    bool is_used[RP_AV1_REFERENCES];
    bool is_named[RP_AV1_REFS_PER_FRAME];
};

/* The reference that is earliest or latest among those that are not used yet and lie behind the
 * frame, or else in front of it. Of equals, latest means the last one and earliest the first. */
static uint32_t
find(const struct search *s, bool is_latest, bool is_backward)
{
    uint32_t best = NONE;
    for (uint32_t i = 0; i < RP_AV1_REFERENCES; i++) {
        if (s->is_used[i] || (s->distance[i] >= 0) != is_backward)
            continue;
        if (best == NONE ||
            (is_latest ? s->distance[i] >= s->distance[best] : s->distance[i] < s->distance[best]))
            best = i;
    }
    return best;
}

static void
name(struct search *s, struct rp_av1_frame *frame, uint32_t which, uint32_t reference)
{
    if (reference == NONE)
        return;
    frame->ref_frame_idx[which] = reference;
    s->is_named[which] = true;
    s->is_used[reference] = true;
}

static uint32_t
find_earliest_of_all(const struct search *s)
{
    uint32_t best = 0;
    for (uint32_t i = 1; i < RP_AV1_REFERENCES; i++) {
        if (s->distance[i] < s->distance[best])
            best = i;
    }
    return best;
}

void
rp_av1_set_frame_refs(struct rp_av1_syntax *syntax, const struct rp_av1_state *state,
                      struct rp_av1_frame *frame)
{
    static const uint8_t forward_names[] = {LAST2, LAST3, BWDREF, ALTREF2, ALTREF};
    struct search s = {0};
    for (uint32_t i = 0; i < RP_AV1_REFERENCES; i++)
        s.distance[i] = rp_av1_relative_distance(
            &state->sequence, rp_av1_reference_order_hint(state, frame, i), frame->order_hint);
    name(&s, frame, LAST, frame->ref_frame_idx[LAST] & 7);
    name(&s, frame, GOLDEN, frame->ref_frame_idx[GOLDEN] & 7);
    rp_av1_require(syntax, s.distance[frame->ref_frame_idx[LAST]] < 0 &&
                               s.distance[frame->ref_frame_idx[GOLDEN]] < 0);

    name(&s, frame, ALTREF, find(&s, true, true));
    name(&s, frame, BWDREF, find(&s, false, true));
    name(&s, frame, ALTREF2, find(&s, false, true));
    for (uint32_t k = 0; k < sizeof(forward_names); k++) {
        if (!s.is_named[forward_names[k]])
            name(&s, frame, forward_names[k], find(&s, true, false));
    }
    const uint32_t earliest = find_earliest_of_all(&s);
    for (uint32_t i = 0; i < RP_AV1_REFS_PER_FRAME; i++) {
        if (!s.is_named[i])
            frame->ref_frame_idx[i] = earliest;
    }
}

/* The name whose frame is nearest in front of the hint (or behind it); NONE when there is none. A
 * frame that is half of the range of order hints away is in front: its distance, unlike that from
 * it, is negative. */
static uint32_t
find_nearest(const struct rp_av1_sequence *seq, const struct rp_av1_frame *frame, uint32_t hint,
             bool is_backward)
{
    uint32_t best = NONE;
    int32_t best_distance = 0;
    for (uint32_t i = 1; i <= RP_AV1_REFS_PER_FRAME; i++) {
        const int32_t behind = rp_av1_relative_distance(seq, frame->order_hints[i], hint);
        const int32_t distance = is_backward ? behind : -behind;
        if (distance > 0 && (best == NONE || distance < best_distance)) {
            best = i;
            best_distance = distance;
        }
    }
    return best;
}

static void
allow_skip_mode(const struct rp_av1_sequence *seq, struct rp_av1_frame *frame)
{
    frame->skip_mode_allowed = false;
    frame->skip_mode_frame[0] = frame->skip_mode_frame[1] = 0;
    if (!frame->reference_select || !seq->enable_order_hint)
        return;
    const uint32_t forward = find_nearest(seq, frame, frame->order_hint, false);
    if (forward == NONE)
        return;
    uint32_t second = find_nearest(seq, frame, frame->order_hint, true);
    if (second == NONE)
        second = find_nearest(seq, frame, frame->order_hints[forward], false);
    if (second == NONE)
        return;
    frame->skip_mode_allowed = true;
    frame->skip_mode_frame[0] = forward < second ? forward : second;
    frame->skip_mode_frame[1] = forward < second ? second : forward;
}

void
rp_av1_code_skip_mode(struct rp_av1_syntax *syntax, const struct rp_av1_state *state,
                      struct rp_av1_frame *frame)
{
    allow_skip_mode(&state->sequence, frame);
    if (frame->skip_mode_allowed)
        rp_av1_code_flag(syntax, &frame->skip_mode_present);
    else
        frame->skip_mode_present = false;
}
