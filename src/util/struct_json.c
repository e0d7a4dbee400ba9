/* SPDX-License-Identifier: MIT */
#include "util/struct_json.h"

void
rp_struct_json_chain(struct rp_json *json, const void *chain)
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
    rp_struct_json_chain(json, ((const VkBaseInStructure *)structure)->pNext);
    rp_json_close(json, '}');
}
