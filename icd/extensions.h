/* SPDX-License-Identifier: MIT */
/* The extensions of the driver: icd/extensions.txt, with the registry's versions.
 */
#ifndef RP_ICD_EXTENSIONS_H
#define RP_ICD_EXTENSIONS_H

#include "object/extension_set.h"
#include "util/compiler.h"

#include <vulkan/vulkan_core.h>

#include <stdbool.h>
#include <stdint.h>

struct rp_physical_device;

/* The instance extensions, or those device extensions that the device supports. */
void rp_instance_extensions(struct rp_extension_set *out);
void rp_device_extensions(const struct rp_physical_device *pdev, struct rp_extension_set *out);

/* Adds names to *out. VK_ERROR_EXTENSION_NOT_PRESENT when one is not in supported. */
VkResult rp_extensions_enable(const struct rp_extension_set *supported, uint32_t count,
                              const char *const *names, struct rp_extension_set *out) RP_MUST_CHECK;

/* Answers vkEnumerate*ExtensionProperties: the two calls, and VK_INCOMPLETE. */
VkResult rp_extensions_enumerate(const struct rp_extension_set *set, uint32_t *count,
                                 VkExtensionProperties *out) RP_MUST_CHECK;

const char *rp_extension_name(enum rp_extension extension);

#endif
