/* SPDX-License-Identifier: MIT */
/* Numbers for pictures, and names for their references.
 */
#include "video/h265/private_order.h"

#include "util/compiler.h"

#include <assert.h>
#include <stdlib.h>

#define POC_MASK ((1u << RP_H265_PRIVATE_POC_BITS) - 1)
#define POC_LIMIT (1 << 30) /* far from overflows */
#define CONTROL_LIMIT 64    /* pictures; those of a million pictures ago are out of reach */

/* Steps that are tried for a new beginning; two are farther apart than pictures must be. */
#define STEP 1024
#define STEP_COUNT 15
static_assert(STEP * STEP_COUNT < RP_H265_PRIVATE_MAX_STEP, "the next picture is in reach");

/* Counts are positive: what libavcodec takes for the low bits of a negative one is negative
 * (ff_hevc_compute_poc()), and it errs where the next picture is beyond a multiple of their range.
 * Sequences begin from here on, and have room in front of them. */
#define LEAST_BEGINNING (8 * STEP)

/* Beginnings go up while pictures of several are kept, and from here back to the least. */
#define MOST_BEGINNING (CONTROL_LIMIT / 2 * RP_H265_PRIVATE_MAX_STEP)

static uint32_t
low_bits(int32_t poc)
{
    return (uint32_t)poc & POC_MASK;
}

/* A picture in this slot stays in the decoder with the picture. */
static bool
is_held(const struct rp_h265_private_streams *streams,
        const struct rp_h265_private_picture *picture, int32_t slot)
{
    return slot >= 0 && slot < RP_H265_PRIVATE_SLOTS && slot != picture->setup_slot &&
           streams->slots[slot].stream == (int32_t)picture->stream;
}

/* How far a count is from those of all pictures, by their low bits. */
static uint32_t
distance_of(const struct rp_h265_private_stream *stream, int32_t poc)
{
    uint32_t distance = POC_MASK;
    for (uint32_t i = 0; i < stream->poc_count; i++) {
        const uint32_t difference = low_bits(poc - stream->pocs[i]);
        distance = RP_MIN(distance, RP_MIN(difference, POC_MASK + 1 - difference));
    }
    return distance;
}

/* A count for a picture that begins anew: in reach of the last one, away from all others, and as
 * low as may be. */
static int32_t
new_beginning(const struct rp_h265_private_stream *stream)
{
    static const uint32_t wishes[] = {8 * STEP, STEP / 2, 1};
    const bool is_far = stream->last_poc > MOST_BEGINNING;
    const int32_t middle = is_far ? LEAST_BEGINNING : stream->last_poc;
    for (uint32_t i = 0; i < RP_ARRAY_SIZE(wishes); i++) {
        int32_t best = INT32_MAX;
        for (int32_t k = -STEP_COUNT; k <= STEP_COUNT; k++) {
            const int32_t poc = middle + k * STEP + (int32_t)i;
            if (poc >= LEAST_BEGINNING && poc < best && distance_of(stream, poc) >= wishes[i])
                best = poc;
        }
        if (best != INT32_MAX)
            return best;
    }
    return stream->last_poc; /* the control picture tells them apart */
}

/* The slot has the picture that is meant: FFmpeg lists pictures that it misses (after an end of
 * sequence, say) with images that had others. */
static bool
is_there(const struct rp_h265_private_streams *streams,
         const struct rp_h265_private_picture *picture, const struct rp_h265_private_reference *ref)
{
    if (!is_held(streams, picture, ref->slot))
        return false;
    const struct rp_h265_private_slot *slot = &streams->slots[ref->slot];
    return !ref->has_poc || slot->poc - slot->bias == ref->poc;
}

/* Our counts minus the application's, of the first reference that is there. */
static bool
find_bias(const struct rp_h265_private_streams *streams,
          const struct rp_h265_private_picture *picture,
          const struct rp_h265_private_reference *refs, uint32_t count, int64_t *out)
{
    for (uint32_t i = 0; i < count; i++) {
        if (is_there(streams, picture, &refs[i]) && refs[i].has_poc) {
            *out = streams->slots[refs[i].slot].bias;
            return true;
        }
    }
    return false;
}

static bool
request_bias(const struct rp_h265_private_streams *streams,
             const struct rp_h265_private_request *request,
             const struct rp_h265_private_picture *picture, int64_t *out)
{
    const struct rp_h265_private_set *sets[] = {&request->before, &request->after,
                                                &request->long_term};
    for (uint32_t i = 0; i < RP_ARRAY_SIZE(sets); i++) {
        if (find_bias(streams, picture, sets[i]->at, sets[i]->count, out))
            return true;
    }
    return find_bias(streams, picture, request->listed, request->listed_count, out);
}

static bool
is_named(const struct rp_h265_private_request *request, int32_t slot)
{
    const struct rp_h265_private_set *sets[] = {&request->before, &request->after,
                                                &request->long_term};
    for (uint32_t i = 0; i < RP_ARRAY_SIZE(sets); i++) {
        for (uint32_t k = 0; k < sets[i]->count; k++) {
            if (sets[i]->at[k].slot == slot)
                return true;
        }
    }
    return false;
}

/* The application lists pictures that it only keeps, too. */
static bool
lists_what_it_keeps(const struct rp_h265_private_request *request)
{
    for (uint32_t i = 0; i < request->listed_count; i++) {
        if (!is_named(request, request->listed[i].slot))
            return true;
    }
    return false;
}

static bool
picture_refers(const struct rp_h265_private_request *request)
{
    return request->before.count + request->after.count + request->long_term.count > 0;
}

/* Of a picture none of whose references is there. Leading pictures of a CRA picture refer to it and
 * to what comes before it, which is in pReferenceSlots with the CRA picture already, unless the
 * application lists there what a picture uses alone. So one with nothing there begins anew (it
 * follows an end of sequence, or nobody looks back), and frame threads may still have pictures of
 * the sequence before. As long as the application may be one of the others, a picture goes on with
 * the sequence of the last one, unless that has a count like its own or above. */
static bool
begins_anew(const struct rp_h265_private_streams *streams,
            const struct rp_h265_private_request *request,
            const struct rp_h265_private_picture *picture, int64_t poc)
{
    if (request->is_idr || picture->starts_stream)
        return true;
    if (picture_refers(request))
        return false; /* to what is lost */
    if (streams->are_kept_listed)
        return true;
    for (int32_t i = 0; i < RP_H265_PRIVATE_SLOTS; i++) {
        const struct rp_h265_private_slot *slot = &streams->slots[i];
        if (is_held(streams, picture, i) && slot->poc >= poc &&
            slot->bias == streams->at[picture->stream].bias)
            return true;
    }
    return false;
}

static bool
has_poc(const struct rp_h265_private_stream *stream, int32_t poc)
{
    for (uint32_t i = 0; i < stream->poc_count; i++) {
        if (stream->pocs[i] == poc)
            return true;
    }
    return false;
}

void
rp_h265_private_choose_poc(struct rp_h265_private_streams *streams,
                           const struct rp_h265_private_request *request,
                           struct rp_h265_private_picture *picture)
{
    const struct rp_h265_private_stream *stream = &streams->at[picture->stream];
    int64_t bias = stream->bias;
    const bool has_references = request_bias(streams, request, picture, &bias);
    const int64_t poc = request->poc + bias;
    const int64_t reach = (int64_t)CONTROL_LIMIT * RP_H265_PRIVATE_MAX_STEP;
    const bool is_in_reach = poc > -POC_LIMIT && poc < POC_LIMIT &&
                             poc - stream->last_poc < reach && stream->last_poc - poc < reach;
    streams->are_kept_listed |= lists_what_it_keeps(request);
    const bool goes_on =
        has_references ? !picture->starts_stream : !begins_anew(streams, request, picture, poc);
    if (goes_on && is_in_reach) {
        picture->poc = (int32_t)poc;
    } else {
        picture->is_damaged |= has_references;
        picture->poc = new_beginning(stream);
    }
    picture->bias = (int64_t)picture->poc - request->poc;

    for (int32_t i = 0; i < RP_H265_PRIVATE_SLOTS; i++) {
        if (is_held(streams, picture, i) &&
            low_bits(streams->slots[i].poc) == low_bits(picture->poc))
            streams->slots[i].stream = -1;
    }
    const uint32_t distance = (uint32_t)abs(picture->poc - stream->last_poc);
    picture->control_count = distance / RP_H265_PRIVATE_MAX_STEP;
    if (picture->control_count == 0 && has_poc(stream, picture->poc))
        picture->control_count = 1;
}

int32_t
rp_h265_private_control_poc(const struct rp_h265_private_streams *streams,
                            const struct rp_h265_private_picture *picture, uint32_t i)
{
    const struct rp_h265_private_stream *stream = &streams->at[picture->stream];
    const int64_t way = (int64_t)picture->poc - stream->last_poc;
    int32_t poc =
        (int32_t)(stream->last_poc + way * (i + 1) / ((int64_t)picture->control_count + 1));
    while (distance_of(stream, poc) == 0 || poc == picture->poc)
        poc++;
    return poc;
}

static void
note_poc(struct rp_h265_private_stream *stream, int32_t poc)
{
    if (stream->poc_count < RP_H265_PRIVATE_POCS)
        stream->pocs[stream->poc_count++] = poc;
}

void
rp_h265_private_note_pocs(struct rp_h265_private_streams *streams,
                          const struct rp_h265_private_picture *picture)
{
    struct rp_h265_private_stream *stream = &streams->at[picture->stream];
    stream->poc_count = 0;
    for (int32_t i = 0; i < RP_H265_PRIVATE_SLOTS; i++) {
        if (is_held(streams, picture, i))
            note_poc(stream, streams->slots[i].poc);
    }
    for (uint32_t i = 0; i < picture->missing_count; i++)
        note_poc(stream, picture->missing_pocs[i]);
    note_poc(stream, picture->poc);
    stream->last_poc = picture->poc;
    stream->bias = picture->bias;
}

/* What libavcodec has room for: pictures, and entries of a set that a picture does not use. It
 * drops pictures when it has read the set of the next one, which takes its room before: and so
 * do those that are missing, beside all that were there with the picture before. */
#define DECODER_ROOM 32u
#define DECODER_PICTURES (DECODER_ROOM - 1)
#define DECODER_UNUSED 16u
#define HALF_ENTRIES 15u

/* Long-term references of one picture: where there are more it gives the whole set up. No legal
 * picture has more than 8 references. */
#define DECODER_LONG_TERM 16u
static_assert(DECODER_LONG_TERM + DECODER_UNUSED <= RP_H265_MAX_LONG_TERM, "all have entries");

/* Half of a set: what comes before the picture, or after it; nearest first. */
struct half {
    struct {
        int32_t distance;
        bool is_used;
    } at[HALF_ENTRIES];
    uint32_t count;
};

/* A set while it is made. */
struct making {
    struct rp_h265_private_streams *streams;
    struct rp_h265_private_picture *picture;
    struct rp_h265_private_rps *rps;
    int32_t poc;
    struct half halves[2]; /* before, after */
    bool is_named[RP_H265_PRIVATE_SLOTS];
    uint32_t named_count;
    uint32_t used_long_term_count;
};

static void
half_add(struct half *half, int32_t distance, bool is_used)
{
    uint32_t i = half->count++;
    for (; i > 0 && half->at[i - 1].distance > distance; i--)
        half->at[i] = half->at[i - 1];
    half->at[i].distance = distance;
    half->at[i].is_used = is_used;
}

static void
half_write(const struct half *half, uint16_t minus1[STD_VIDEO_H265_MAX_DPB_SIZE],
           uint16_t *used_flags, uint8_t *count)
{
    int32_t last = 0;
    *used_flags = 0;
    for (uint32_t i = 0; i < half->count; i++) {
        minus1[i] = (uint16_t)(half->at[i].distance - last - 1);
        *used_flags |= (uint16_t)((uint32_t)half->at[i].is_used << i);
        last = half->at[i].distance;
    }
    *count = (uint8_t)half->count;
}

static void
add_long_term(struct making *making, uint32_t poc_lsb, bool is_used)
{
    struct rp_h265_private_rps *rps = making->rps;
    making->used_long_term_count += is_used;
    rps->long_term[rps->long_term_count++] = (struct rp_h265_long_term_entry){
        .poc_lsb_lt = poc_lsb, .used_by_curr_pic_lt_flag = is_used};
}

/* A picture that is not there: libavcodec makes a grey one of it. */
static void
add_missing(struct making *making)
{
    struct rp_h265_private_picture *picture = making->picture;
    const struct rp_h265_private_stream *stream = &making->streams->at[picture->stream];
    picture->is_damaged = true;
    if (picture->missing_count >= RP_ARRAY_SIZE(picture->missing_pocs) ||
        making->used_long_term_count == DECODER_LONG_TERM)
        return;
    int32_t poc = picture->poc;
    do
        poc += STEP / 4 + 1 + (int32_t)picture->missing_count;
    while (distance_of(stream, poc) == 0);
    picture->missing_pocs[picture->missing_count++] = (int32_t)low_bits(poc);
    add_long_term(making, low_bits(poc), true);
}

static void
set_named(struct making *making, int32_t slot)
{
    making->named_count += !making->is_named[slot];
    making->is_named[slot] = true;
}

static void
add_long_term_reference(struct making *making, const struct rp_h265_private_reference *ref)
{
    if (!is_there(making->streams, making->picture, ref)) {
        add_missing(making);
        return;
    }
    if (making->used_long_term_count == DECODER_LONG_TERM) {
        making->picture->is_damaged = true; /* it is kept, as one that is not used */
        return;
    }
    set_named(making, ref->slot);
    add_long_term(making, low_bits(making->streams->slots[ref->slot].poc), true);
}

/* One half of the short-term set, nearest first. What does not follow in this order becomes a
 * long-term reference. */
static void
add_short_term(struct making *making, const struct rp_h265_private_set *set, struct half *half,
               int32_t sign)
{
    int32_t last = 0;
    for (uint32_t i = 0; i < set->count; i++) {
        const int32_t slot = set->at[i].slot;
        if (!is_there(making->streams, making->picture, &set->at[i])) {
            add_missing(making);
            continue;
        }
        const int64_t delta = ((int64_t)making->streams->slots[slot].poc - making->poc) * sign;
        if (delta <= last || delta - last > 0x8000 || making->is_named[slot]) {
            making->picture->is_damaged = true;
            add_long_term_reference(making, &set->at[i]);
            continue;
        }
        set_named(making, slot);
        half_add(half, (int32_t)delta, true);
        last = (int32_t)delta;
    }
}

/* A picture that is not used. False when there is no room for it. */
static bool
add_unused(struct making *making, int32_t slot, uint32_t index)
{
    const int64_t delta = (int64_t)making->streams->slots[slot].poc - making->poc;
    const int64_t distance = delta < 0 ? -delta : delta;
    struct half *half = &making->halves[delta > 0];
    if (index < DECODER_UNUSED) {
        add_long_term(making, low_bits(making->streams->slots[slot].poc), false);
        return true;
    }
    if (index >= 2 * DECODER_UNUSED || half->count == HALF_ENTRIES || distance > 0x8000)
        return false;
    half_add(half, (int32_t)distance, false);
    return true;
}

/* All other pictures in slots stay; where there is no room for them, they are lost. */
static void
finish(struct making *making)
{
    StdVideoH265ShortTermRefPicSet *set = &making->rps->short_term;
    const uint32_t taken = 1 + making->named_count + making->picture->missing_count;
    uint32_t count = 0;
    for (int32_t i = 0; i < RP_H265_PRIVATE_SLOTS; i++) {
        if (!is_held(making->streams, making->picture, i) || making->is_named[i])
            continue;
        if (taken + count < DECODER_PICTURES && add_unused(making, i, count))
            count++;
        else
            making->streams->slots[i].stream = -1;
    }
    half_write(&making->halves[0], set->delta_poc_s0_minus1, &set->used_by_curr_pic_s0_flag,
               &set->num_negative_pics);
    half_write(&making->halves[1], set->delta_poc_s1_minus1, &set->used_by_curr_pic_s1_flag,
               &set->num_positive_pics);
}

void
rp_h265_private_make_rps(struct rp_h265_private_streams *streams,
                         const struct rp_h265_private_request *request,
                         struct rp_h265_private_picture *picture)
{
    struct making making = {
        .streams = streams, .picture = picture, .rps = &picture->rps, .poc = picture->poc};
    picture->rps = (struct rp_h265_private_rps){.long_term_count = 0};
    picture->missing_count = 0;
    add_short_term(&making, &request->before, &making.halves[0], -1);
    add_short_term(&making, &request->after, &making.halves[1], 1);
    for (uint32_t i = 0; i < request->long_term.count; i++)
        add_long_term_reference(&making, &request->long_term.at[i]);
    finish(&making);
    const uint32_t old_count = streams->at[picture->stream].poc_count;
    if (old_count + 1 + picture->missing_count > DECODER_ROOM && picture->control_count == 0)
        picture->control_count = 1; /* it drops what this one does not keep */
}

void
rp_h265_private_make_control_rps(struct rp_h265_private_streams *streams,
                                 struct rp_h265_private_picture *picture, int32_t poc,
                                 struct rp_h265_private_rps *out)
{
    struct making making = {.streams = streams, .picture = picture, .rps = out, .poc = poc};
    *out = (struct rp_h265_private_rps){.long_term_count = 0};
    finish(&making);
}
