/* SPDX-License-Identifier: MIT */
/* Finding the layer's own commands; the table is generated from commands.txt.
 */
#ifndef RP_ICD_LAYER_COMMANDS_H
#define RP_ICD_LAYER_COMMANDS_H

#include <vulkan/vulkan_core.h>

#include <stdbool.h>

struct rp_layer_command {
    const char *name;
    PFN_vkVoidFunction function;
    bool is_device; /* a command of devices */
    bool
        is_instance; /* which an instance is asked for, too: of an instance's extension, or no device's */
    bool is_lent; /* which the lower device need not have */
};

/* NULL: the layer has no command of that name. */
const struct rp_layer_command *rp_layer_command_find(const char *name);

/* Likewise of those that ask a window system whether a family presents to it. */
PFN_vkVoidFunction rp_layer_presentation_support_find(const char *name);

#endif
