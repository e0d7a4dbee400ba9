/* SPDX-License-Identifier: MIT */
/* Slots by image, least recently used first.
 */
#include "video/decode/slots.h"

/* Pictures: frame threads of applications are no more, and each has one. */
#define RECENT 16u

void
rp_decode_slots_init(struct rp_decode_slots *slots, uint32_t count, uint32_t usual_count)
{
    slots->count = (int32_t)count;
    slots->usual_count = (int32_t)usual_count;
}

/* With that many others the decoder would have to drop one with the new picture; so the last slot
 * is for pictures that list as many references as there may be. */
static int32_t
easy_count(const struct rp_decode_slots *slots)
{
    return slots->count - 1;
}

static int32_t
find(const struct rp_decode_slots *slots, const struct rp_picture_key *key)
{
    for (int32_t i = 0; i < slots->count && key->image_id; i++) {
        if (rp_picture_key_is_equal(&slots->at[i].key, key))
            return i;
    }
    return -1;
}

void
rp_decode_slots_begin(struct rp_decode_slots *slots)
{
    slots->picture_number++;
}

int32_t
rp_decode_slots_use(struct rp_decode_slots *slots, const struct rp_picture_key *key)
{
    const int32_t index = find(slots, key);
    if (index >= 0)
        slots->at[index].last_use = slots->picture_number;
    return index;
}

/* A free one, or the oldest. An application that decodes in order drops pictures without a word: so
 * no more than usual are kept, unless they may be references of a picture that has been overtaken,
 * as by the next IDR picture. */
static int32_t
choose(const struct rp_decode_slots *slots)
{
    int32_t unused = -1;
    int32_t oldest = -1;
    int32_t used_count = 0;
    for (int32_t i = easy_count(slots) - 1; i >= 0; i--) {
        if (!slots->at[i].key.image_id) {
            unused = i;
            continue;
        }
        used_count++;
        if (oldest < 0 || slots->at[i].last_use <= slots->at[oldest].last_use)
            oldest = i;
    }
    if (unused >= 0 && (used_count < slots->usual_count ||
                        slots->at[oldest].last_use + RECENT >= slots->picture_number))
        return unused;
    return slots->at[oldest].last_use == slots->picture_number ? easy_count(slots) : oldest;
}

int32_t
rp_decode_slots_take(struct rp_decode_slots *slots, const struct rp_picture_key *key,
                     uint64_t sequence)
{
    int32_t index = find(slots, key);
    if (index < 0)
        index = choose(slots);
    slots->at[index] = (struct rp_decode_slot){*key, slots->picture_number, sequence};
    return index;
}

bool
rp_decode_slots_forget_before(struct rp_decode_slots *slots, uint64_t sequence)
{
    bool is_empty = true;
    for (int32_t i = 0; i < slots->count; i++) {
        struct rp_decode_slot *slot = &slots->at[i];
        if (slot->key.image_id && slot->sequence < sequence)
            *slot = (struct rp_decode_slot){.last_use = 0};
        is_empty &= slot->key.image_id == 0;
    }
    return is_empty;
}

bool
rp_decode_slots_have_after(const struct rp_decode_slots *slots, uint64_t sequence)
{
    bool has_one = false;
    for (int32_t i = 0; i < slots->count; i++)
        has_one |= slots->at[i].key.image_id && slots->at[i].sequence > sequence;
    return has_one;
}

void
rp_decode_slots_forget(struct rp_decode_slots *slots, const struct rp_picture_key *key)
{
    const int32_t index = find(slots, key);
    if (index >= 0)
        slots->at[index] = (struct rp_decode_slot){.last_use = 0};
}
