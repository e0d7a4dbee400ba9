/* SPDX-License-Identifier: MIT */
/* The pictures begun last, in the order of their submissions.
 */
#include "video/h264/idr_ids.h"

#include <string.h>

/* How many entries come before a picture that begins now; those of one submission begin in
 * order. */
static uint32_t
count_before(const struct rp_idr_ids *ids, uint64_t sequence)
{
    uint32_t at = ids->count;
    while (at > 0 && ids->recent[at - 1].sequence > sequence)
        at--;
    return at;
}

static bool
has_id(const struct rp_idr_entry *entry, uint32_t id)
{
    return entry->is_idr && entry->id == id;
}

uint32_t
rp_idr_ids_choose(const struct rp_idr_ids *ids, uint64_t sequence, uint32_t wanted)
{
    static const struct rp_idr_entry none;
    const uint32_t at = count_before(ids, sequence);
    const struct rp_idr_entry *before = at > 0 ? &ids->recent[at - 1] : &none;
    const struct rp_idr_entry *after = at < ids->count ? &ids->recent[at] : &none;

    /* What began last comes before it too when semaphores say so. */
    uint32_t id = wanted;
    while (has_id(before, id) || has_id(after, id) || has_id(&ids->last, id))
        id = (id + 1) & 0xffff;
    return id;
}

void
rp_idr_ids_add(struct rp_idr_ids *ids, const struct rp_idr_entry *entry)
{
    uint32_t at = count_before(ids, entry->sequence);

    ids->last = *entry;
    if (ids->count == RP_IDR_IDS_RECENT) {
        if (at == 0)
            return; /* older than all that are kept */
        at--;
        memmove(&ids->recent[0], &ids->recent[1], at * sizeof(ids->recent[0]));
    } else {
        memmove(&ids->recent[at + 1], &ids->recent[at], (ids->count - at) * sizeof(ids->recent[0]));
        ids->count++;
    }
    ids->recent[at] = *entry;
}
