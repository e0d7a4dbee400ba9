/* SPDX-License-Identifier: MIT */
/* Finding the layer's own commands; the table is generated from commands.txt.
 */
#ifndef RP_ICD_LAYER_COMMANDS_H
#define RP_ICD_LAYER_COMMANDS_H

#include <vulkan/vulkan_core.h>

#include <stdbool.h>

/* The layer's command of that name, NULL when it has none. is_device: a command of devices; is_lent:
 * one that the lower device need not have. */
PFN_vkVoidFunction rp_layer_command_find(const char *name, bool *is_device, bool *is_lent);

/* Likewise of those that ask a window system whether a family presents to it. */
PFN_vkVoidFunction rp_layer_presentation_support_find(const char *name);

#endif
