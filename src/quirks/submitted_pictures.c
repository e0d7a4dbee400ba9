/* SPDX-License-Identifier: MIT */
/* A ring of identities.
 */
#include "quirks/submitted_pictures.h"

/* More than threads overtake each other by, less than it takes an image to come back. */
#define MAX_AGE_PICTURES 4

bool
rp_decode_identity_take(struct rp_decode_identity *wanted, const struct rp_decode_identity *made)
{
    if (!rp_picture_key_is_equal(&wanted->key, &made->key) ||
        (!wanted->is_long_term && wanted->frame_num != made->frame_num))
        return false;

    uint32_t taken = 0;
    for (uint32_t i = 0; i < 2; i++) {
        const uint32_t field = RP_DECODE_TOP << i;
        if (wanted->fields & made->fields & field && wanted->poc[i] == made->poc[i])
            taken |= field;
    }
    wanted->fields &= ~taken;
    return taken != 0;
}

/* The index of what is in the place of id, or that of the next free one. */
static uint32_t
find(const struct rp_submitted_pictures *pictures, const struct rp_decode_identity *id)
{
    for (uint32_t i = 0; i < RP_SUBMITTED_PICTURES; i++) {
        if (pictures->at[i].fields && rp_picture_key_is_equal(&pictures->at[i].key, &id->key))
            return i;
    }
    return pictures->next;
}

bool
rp_submitted_pictures_have(struct rp_submitted_pictures *pictures,
                           const struct rp_decode_identity *wanted)
{
    const uint32_t i = find(pictures, wanted);
    struct rp_decode_identity rest = *wanted;
    rp_decode_identity_take(&rest, &pictures->at[i]);
    if (rest.fields || (pictures->is_disorderly &&
                        pictures->picture_count - pictures->last_use[i] > MAX_AGE_PICTURES))
        return false;
    pictures->last_use[i] = pictures->picture_count;
    return true;
}

void
rp_submitted_pictures_add(struct rp_submitted_pictures *pictures,
                          const struct rp_decode_identity *made)
{
    const uint32_t i = find(pictures, made);
    struct rp_decode_identity *at = &pictures->at[i];

    pictures->last_use[i] = ++pictures->picture_count;
    if (i == pictures->next)
        pictures->next = (pictures->next + 1) % RP_SUBMITTED_PICTURES;
    if (!rp_picture_key_is_equal(&at->key, &made->key) || at->fields & made->fields ||
        at->frame_num != made->frame_num) {
        *at = *made; /* another picture than was there */
        return;
    }
    at->poc[made->fields == RP_DECODE_BOTTOM] = made->poc[made->fields == RP_DECODE_BOTTOM];
    at->fields |= made->fields;
}
