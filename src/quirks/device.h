/* SPDX-License-Identifier: MIT */
/* The workarounds of one device.
 */
#ifndef RP_QUIRKS_DEVICE_H
#define RP_QUIRKS_DEVICE_H

#include "util/compiler.h"

#include <stdbool.h>
#include <stdint.h>

struct rp_quirks;

/* For flags of quirks/table.h. *out is NULL when there are none; false when memory is short. */
bool rp_quirks_create(uint32_t flags, struct rp_quirks **out) RP_MUST_CHECK;

#endif
