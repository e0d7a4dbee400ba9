/* SPDX-License-Identifier: MIT */
/* Vulkan structures as JSON: their members by name, and their pNext chains. Generated from the
 * registry (tools/gen/describe.py); reelpipe-replay reads them back.
 *
 * Pointers that do not count are left out, as in deep copies (util/struct_copy.h), and so is what
 * only the application understands: callbacks, its own pointers.
 */
#ifndef RP_UTIL_STRUCT_JSON_H
#define RP_UTIL_STRUCT_JSON_H

#include "util/json.h"

#include <vulkan/vulkan_core.h>

#include <stdbool.h>

/* One structure (it starts with sType) as an object. */
void rp_struct_json(struct rp_json *json, const void *structure);

/* The key "type" and the members, without chain and brackets; nothing when it is not known. */
void rp_struct_json_members(struct rp_json *json, const void *structure);

bool rp_struct_json_knows(VkStructureType type);

#endif
