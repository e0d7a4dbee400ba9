/* SPDX-License-Identifier: MIT */
#include "util/struct_json.h"

/* The key "pNext" and a list of what is known of a chain; nothing for an empty one. */
static void
write_chain(struct rp_json *json, const void *chain)
{
    if (!chain)
        return;
    rp_json_key(json, "pNext");
    rp_json_open(json, '[');
    for (const VkBaseInStructure *link = chain; link; link = link->pNext) {
        if (!rp_struct_json_knows(link->sType))
            continue;
        rp_json_open(json, '{');
        rp_struct_json_members(json, link);
        rp_json_close(json, '}');
    }
    rp_json_close(json, ']');
}

void
rp_struct_json(struct rp_json *json, const void *structure)
{
    rp_json_open(json, '{');
    rp_struct_json_members(json, structure);
    write_chain(json, ((const VkBaseInStructure *)structure)->pNext);
    rp_json_close(json, '}');
}
