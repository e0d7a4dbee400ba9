/* SPDX-License-Identifier: MIT */
/* A small table, searched linearly: a session has at most some twenty pictures.
 */
#include "video/encode/slots.h"

#include "util/alloc.h"

#include "reelpipe/encode.h"

bool
rp_encode_slots_init(struct rp_encode_slots *slots, const struct rp_encode_codec *codec,
                     struct rp_encoder *enc, uint32_t limit)
{
    *slots = (struct rp_encode_slots){.codec = codec, .enc = enc};
    slots->entries =
        rp_zalloc_array(NULL, limit, sizeof(*slots->entries), VK_SYSTEM_ALLOCATION_SCOPE_OBJECT);
    if (!slots->entries)
        return false;
    slots->capacity = limit;
    return true;
}

void
rp_encode_slots_finish(struct rp_encode_slots *slots)
{
    for (uint32_t i = 0; i < slots->count; i++)
        slots->codec->slot_destroy(slots->enc, slots->entries[i].codec_slot);
    rp_free(NULL, slots->entries);
}

static struct rp_encode_slot *
slots_find(struct rp_encode_slots *slots, const struct rp_picture_key *key)
{
    for (uint32_t i = 0; i < slots->count; i++) {
        if (rp_picture_key_is_equal(&slots->entries[i].key, key))
            return &slots->entries[i];
    }
    return NULL;
}

/* An entry that is free or was not used for longest, but not by picture number now. The codec
 * waits itself for pictures in flight that use it. */
static struct rp_encode_slot *
slots_take(struct rp_encode_slots *slots, uint64_t now)
{
    struct rp_encode_slot *oldest = NULL;
    for (uint32_t i = 0; i < slots->count; i++) {
        struct rp_encode_slot *entry = &slots->entries[i];
        if (entry->last_use != now && (!oldest || entry->last_use < oldest->last_use))
            oldest = entry;
    }
    if (slots->count == slots->capacity)
        return oldest;

    struct rp_encoder_slot *codec_slot = slots->codec->slot_create(slots->enc);
    if (!codec_slot)
        return oldest;
    struct rp_encode_slot *entry = &slots->entries[slots->count++];
    entry->codec_slot = codec_slot;
    return entry;
}

struct rp_encode_slot *
rp_encode_slots_use(struct rp_encode_slots *slots, const struct rp_picture_key *key, uint64_t now)
{
    struct rp_encode_slot *entry = slots_find(slots, key);
    if (!entry) {
        entry = slots_take(slots, now);
        if (!entry)
            return NULL;
        *entry = (struct rp_encode_slot){.key = *key, .codec_slot = entry->codec_slot};
    }
    entry->last_use = now;
    return entry;
}
