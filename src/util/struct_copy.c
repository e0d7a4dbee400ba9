/* SPDX-License-Identifier: MIT */
/* Copying chains, structure by structure.
 */
#include "util/struct_copy.h"

bool
rp_chain_copy(struct rp_arena *arena, const void *chain, void **out)
{
    /* Each known structure copies the chain behind it: here only unknown ones are skipped. */
    for (const VkBaseInStructure *s = chain; s; s = s->pNext) {
        if (!rp_struct_copy(arena, s, out))
            return false;
        if (*out)
            return true;
    }
    *out = NULL;
    return true;
}
