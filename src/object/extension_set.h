/* SPDX-License-Identifier: MIT */
/* A set of extensions: what a device supports, what an application enabled.
 */
#ifndef RP_OBJECT_EXTENSION_SET_H
#define RP_OBJECT_EXTENSION_SET_H

#include "rp_extensions.h"

#include <stdbool.h>
#include <stdint.h>

struct rp_extension_set {
    uint64_t words[(RP_EXTENSION_COUNT + 63) / 64];
};

static inline bool
rp_extension_set_has(const struct rp_extension_set *set, enum rp_extension extension)
{
    return set->words[extension / 64] >> (extension % 64) & 1;
}

static inline void
rp_extension_set_add(struct rp_extension_set *set, enum rp_extension extension)
{
    set->words[extension / 64] |= UINT64_C(1) << (extension % 64);
}

#endif
