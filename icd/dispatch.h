/* SPDX-License-Identifier: MIT */
/* From a command's name to its function. The table is generated: every command of
 * icd/entrypoints.txt with its aliases, forwarders of old forms, and stubs for the rest of the
 * core and for every command of a physical device.
 *
 * A command is there when its core version is not above the one that the application asked for,
 * or when an extension that brings it is enabled.
 */
#ifndef RP_ICD_DISPATCH_H
#define RP_ICD_DISPATCH_H

#include <vulkan/vulkan_core.h>

struct rp_device;
struct rp_instance;

/* vkGetInstanceProcAddr without an instance. */
PFN_vkVoidFunction rp_lookup_global(const char *name);

/* vkGetInstanceProcAddr: of all levels; device extensions need not be enabled, but supported. */
PFN_vkVoidFunction rp_lookup_instance(const struct rp_instance *instance, const char *name);

/* Every command of a physical device that the registry has, whatever is enabled: for the loader,
 * whose own functions pass calls on to all drivers, and which aborts where a driver has none. What
 * belongs to an extension that is not listed answers 0, or an empty list. */
PFN_vkVoidFunction rp_lookup_physical_device(const char *name);

/* vkGetDeviceProcAddr: device commands alone. */
PFN_vkVoidFunction rp_lookup_device(const struct rp_device *dev, const char *name);

#endif
