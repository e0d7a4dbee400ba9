/* SPDX-License-Identifier: MIT */
/* Listing and enabling extensions.
 */
#include "icd/extensions.h"

#include "icd/conditions.h"

#include <stdio.h>
#include <string.h>

struct rp_extension_row {
    const char *name;
    uint32_t spec_version;
    bool is_instance;
    enum rp_condition condition;
};

#include "rp_extension_table.h"

void
rp_instance_extensions(struct rp_extension_set *out)
{
    *out = (struct rp_extension_set){0};
    for (uint32_t i = 0; i < RP_EXTENSION_COUNT; i++) {
        if (extension_table[i].is_instance)
            rp_extension_set_add(out, (enum rp_extension)i);
    }
}

void
rp_device_extensions(const struct rp_physical_device *pdev, struct rp_extension_set *out)
{
    *out = (struct rp_extension_set){0};
    for (uint32_t i = 0; i < RP_EXTENSION_COUNT; i++) {
        const struct rp_extension_row *row = &extension_table[i];
        if (!row->is_instance && rp_condition_holds(pdev, row->condition))
            rp_extension_set_add(out, (enum rp_extension)i);
    }
}

static bool
find_extension(const char *name, enum rp_extension *out)
{
    for (uint32_t i = 0; i < RP_EXTENSION_COUNT; i++) {
        if (strcmp(extension_table[i].name, name) == 0) {
            *out = (enum rp_extension)i;
            return true;
        }
    }
    return false;
}

VkResult
rp_extensions_enable(const struct rp_extension_set *supported, uint32_t count,
                     const char *const *names, struct rp_extension_set *out)
{
    for (uint32_t i = 0; i < count; i++) {
        enum rp_extension extension;
        if (!find_extension(names[i], &extension) || !rp_extension_set_has(supported, extension))
            return VK_ERROR_EXTENSION_NOT_PRESENT;
        rp_extension_set_add(out, extension);
    }
    return VK_SUCCESS;
}

VkResult
rp_extensions_enumerate(const struct rp_extension_set *set, uint32_t *count,
                        VkExtensionProperties *out)
{
    uint32_t written = 0;
    uint32_t total = 0;
    for (uint32_t i = 0; i < RP_EXTENSION_COUNT; i++) {
        if (!rp_extension_set_has(set, (enum rp_extension)i))
            continue;
        total++;
        if (!out || written == *count)
            continue;
        out[written] = (VkExtensionProperties){.specVersion = extension_table[i].spec_version};
        (void)snprintf(out[written].extensionName, sizeof(out[written].extensionName), "%s",
                       extension_table[i].name);
        written++;
    }
    *count = out ? written : total;
    return out && written < total ? VK_INCOMPLETE : VK_SUCCESS;
}

const char *
rp_extension_name(enum rp_extension extension)
{
    return extension_table[extension].name;
}
