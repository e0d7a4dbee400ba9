/* SPDX-License-Identifier: MIT */
/* Which bytes of a pipeline's resources its dispatches read and wrote.
 */
#ifndef RP_PROFILE_TOUCHED_H
#define RP_PROFILE_TOUCHED_H

#include "util/json.h"

#include <stdbool.h>
#include <stdint.h>

#define RP_TOUCHED_MAX 64u     /* resources of a pipeline */
#define RP_TOUCHED_CELLS 1024u /* of a map */

struct rp_profile_slot;

/* A resource, as it was bound somewhere: a bit for each byte. */
struct rp_touched {
    uint32_t binding;
    const uint8_t *base; /* to compare: may be gone */
    uint64_t size_B;
    uint64_t *read; /* owned; the other half is written */
    uint64_t *written;
};

struct rp_touched_list {
    struct rp_touched items[RP_TOUCHED_MAX];
    uint32_t count;
    uint32_t last;
    uint64_t memory_B;
    bool is_short; /* memory is, or there are too many: some are missing */
};

/* NULL: there is no room. */
struct rp_touched *rp_touched_find(struct rp_touched_list *list, uint32_t binding,
                                   const uint8_t *base, uint64_t size_B);
/* Bytes [offset, offset + size) of it, which are inside. */
void rp_touched_add(struct rp_touched *t, uint64_t offset_B, uint64_t size_B, bool is_read,
                    bool is_write);
void rp_touched_finish(struct rp_touched_list *list);

/* The key "resources"; slots: of the pipeline. */
void rp_touched_write(struct rp_json *json, const struct rp_touched_list *list,
                      const struct rp_profile_slot *slots, uint32_t slot_count);

#endif
