/* SPDX-License-Identifier: MIT */
/* Copies of chains that the layer changes before it passes them on: the application's structures
 * are never written to.
 */
#ifndef RP_ICD_LAYER_CHAIN_H
#define RP_ICD_LAYER_CHAIN_H

#include "util/arena.h"
#include "util/compiler.h"

#include <vulkan/vulkan_core.h>

#include <stdbool.h>
#include <stddef.h>

/* Each structure of the chain, but not what it points to. From the first that is not known on, the
 * copy goes on with the original. False when memory is short. */
bool rp_layer_chain_copy(struct rp_arena *arena, const void *chain, void **out) RP_MUST_CHECK;

/* The structure of this type in a copied chain, to be written to; NULL also where it stands behind
 * one that is not known: that part is the application's. */
void *rp_layer_chain_find(void *chain, VkStructureType type);

/* Takes the structures of this type out of a copied chain. */
void rp_layer_chain_remove(void **chain, VkStructureType type);

#endif
