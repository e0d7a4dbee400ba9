/* SPDX-License-Identifier: MIT */
/* Describing what is bound: descriptors are pointers by then, and become objects again.
 *
 * An item of a set is {"i": index} with "buffer", "offset" and "range", or "texels" (a buffer view;
 * of descriptors in memory "format" beside the buffer), or "view" and/or "sampler", or "bytes" (an
 * inline uniform block). Indices count descriptors in the order of binding numbers, one for an
 * inline uniform block. Empty items are left out.
 */
#ifndef RP_CMD_DESCRIBE_BINDINGS_H
#define RP_CMD_DESCRIBE_BINDINGS_H

#include "cmd/bind.h"
#include "cmd/describe.h"

/* Has d->bind see a command that binds. */
void rp_describe_bind(const struct rp_cmd *cmd, struct rp_describe *d);

/* A value: {"layout", "dynamic", "items"} of a bound set, or null. */
void rp_describe_bound_set(struct rp_describe *d, const struct rp_bound_set *set);

/* The key "items". layout: NULL when it is not known (pushed descriptors). */
void rp_describe_items(struct rp_describe *d, const struct rp_set_layout *layout,
                       const struct rp_descriptor *items, uint32_t count);

/* The key "sets" of a dispatch that reads descriptors in memory: a list of {"set", "items"}, as
 * they are now; the layout is the pipeline's. Embedded samplers are in its layout. The binding
 * table is made. */
void rp_describe_memory_sets(struct rp_describe *d, const struct rp_bind_state *state);

/* Touches what the bound pipeline's kernel can reach; the binding table is made. */
void rp_describe_touch_bindings(struct rp_describe *d, const struct rp_bind_state *state);

#endif
