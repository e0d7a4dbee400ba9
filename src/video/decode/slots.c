/* SPDX-License-Identifier: MIT */
/* Slots by image, least recently used first.
 */
#include "video/decode/slots.h"

void
rp_decode_slots_init(struct rp_decode_slots *slots, uint32_t count)
{
    slots->count = (int32_t)count;
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

static int32_t
oldest(const struct rp_decode_slots *slots)
{
    int32_t index = 0;
    for (int32_t i = 1; i < easy_count(slots); i++) {
        if (slots->at[i].last_use < slots->at[index].last_use)
            index = i;
    }
    return slots->at[index].last_use == slots->picture_number ? easy_count(slots) : index;
}

int32_t
rp_decode_slots_take(struct rp_decode_slots *slots, const struct rp_picture_key *key,
                     uint64_t sequence)
{
    int32_t index = find(slots, key);
    if (index < 0)
        index = oldest(slots);
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
