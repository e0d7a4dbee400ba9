/* SPDX-License-Identifier: MIT */
/* The commands that the layer calls, of the lower device and of our driver; from commands.txt.
 */
#ifndef RP_ICD_LAYER_CALLS_H
#define RP_ICD_LAYER_CALLS_H

#include "rp_layer_calls.h"

#include <vulkan/vulkan_core.h>

/* Each is asked for by all its names; NULL stays what is not there. */
void rp_layer_instance_calls_load(struct rp_layer_instance_calls *out, VkInstance instance,
                                  PFN_vkGetInstanceProcAddr get);
void rp_layer_device_calls_load(struct rp_layer_device_calls *out, VkDevice dev,
                                PFN_vkGetDeviceProcAddr get);

#endif
