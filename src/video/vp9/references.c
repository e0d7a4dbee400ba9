/* SPDX-License-Identifier: MIT */
/* The reference frame update process (8.10), with slots in place of pictures.
 */
#include "video/vp9/references.h"

void
rp_vp9_references_init(struct rp_vp9_references *refs)
{
    for (uint32_t i = 0; i < RP_VP9_REFERENCES; i++)
        refs->slots[i] = -1;
    refs->present = 0;
}

bool
rp_vp9_references_have(const struct rp_vp9_references *refs, int32_t slot, uint32_t mask)
{
    for (uint32_t i = 0; i < RP_VP9_REFERENCES; i++) {
        if (refs->slots[i] == slot && !(mask >> i & 1))
            return true;
    }
    return false;
}

/* -1: it is nowhere. */
static int32_t
find(const struct rp_vp9_references *refs, int32_t slot)
{
    for (int32_t i = 0; i < (int32_t)RP_VP9_REFERENCES && slot >= 0; i++) {
        if (refs->slots[i] == slot && refs->present >> i & 1)
            return i;
    }
    return -1;
}

bool
rp_vp9_references_find(const struct rp_vp9_references *refs,
                       const int32_t name_slots[RP_VP9_REFS_PER_FRAME],
                       const bool is_named[RP_VP9_REFS_PER_FRAME],
                       uint8_t ref_frame_idx[RP_VP9_REFS_PER_FRAME], bool *is_damaged_out)
{
    int32_t any = -1;
    for (uint32_t i = 0; i < RP_VP9_REFS_PER_FRAME; i++) {
        const int32_t found = find(refs, name_slots[i]);
        any = found >= 0 ? found : any;
    }
    *is_damaged_out = false;
    for (int32_t i = 0; i < (int32_t)RP_VP9_REFERENCES && any < 0; i++) {
        *is_damaged_out = true; /* nothing that the picture refers to is there */
        if (refs->present >> i & 1)
            any = i;
    }
    for (uint32_t i = 0; i < RP_VP9_REFS_PER_FRAME; i++) {
        const int32_t found = find(refs, name_slots[i]);
        *is_damaged_out |= found < 0 && is_named[i];
        ref_frame_idx[i] = (uint8_t)(found >= 0 ? found : any);
    }
    return any >= 0;
}

void
rp_vp9_references_update(struct rp_vp9_references *refs, int32_t slot, uint32_t mask,
                         bool is_decoded)
{
    for (uint32_t i = 0; i < RP_VP9_REFERENCES; i++) {
        const bool is_taken = mask >> i & 1;
        if (is_taken || refs->slots[i] == slot)
            refs->slots[i] = is_taken && is_decoded ? slot : -1;
    }
    if (is_decoded)
        refs->present |= mask;
}
