/* SPDX-License-Identifier: MIT */
/* Answering and enabling features, from the generated tables.
 */
#include "icd/features.h"

#include "icd/conditions.h"
#include "util/compiler.h"

#include "rp_entrypoints.h"

#include <stddef.h>
#include <stdint.h>

struct rp_feature_struct {
    VkStructureType type;
    uint16_t first_id; /* into feature_ids */
    uint16_t count;
};

#include "rp_feature_table.h"

static const struct rp_feature_struct *
find_struct(VkStructureType type)
{
    for (size_t i = 0; i < RP_ARRAY_SIZE(feature_structs); i++) {
        if (feature_structs[i].type == type)
            return &feature_structs[i];
    }
    return NULL;
}

void
rp_device_features(const struct rp_physical_device *pdev, struct rp_feature_set *out)
{
    *out = (struct rp_feature_set){0};
    for (uint32_t i = 0; i < RP_FEATURE_COUNT; i++) {
        if (rp_condition_holds(pdev, (enum rp_condition)feature_conditions[i]))
            rp_feature_set_add(out, (enum rp_feature)i);
    }
}

VKAPI_ATTR void VKAPI_CALL
rp_GetPhysicalDeviceFeatures2(VkPhysicalDevice physicalDevice, VkPhysicalDeviceFeatures2 *features)
{
    const struct rp_physical_device *pdev = rp_physical_device_from_handle(physicalDevice);

    for (VkBaseOutStructure *s = (VkBaseOutStructure *)features; s; s = s->pNext) {
        const struct rp_feature_struct *row = find_struct(s->sType);
        VkBool32 *values = (VkBool32 *)(s + 1);
        for (uint32_t i = 0; row && i < row->count; i++)
            values[i] = rp_feature_set_has(&pdev->features,
                                           (enum rp_feature)feature_ids[row->first_id + i]);
    }
}

static bool
enable_struct(const struct rp_feature_struct *row, const VkBool32 *values,
              const struct rp_feature_set *supported, struct rp_feature_set *out)
{
    for (uint32_t i = 0; i < row->count; i++) {
        const enum rp_feature feature = (enum rp_feature)feature_ids[row->first_id + i];
        if (!values[i])
            continue;
        if (!rp_feature_set_has(supported, feature))
            return false;
        rp_feature_set_add(out, feature);
    }
    return true;
}

VkResult
rp_features_enable(const struct rp_feature_set *supported, const VkDeviceCreateInfo *info,
                   struct rp_feature_set *out)
{
    *out = (struct rp_feature_set){0};
    for (const VkBaseInStructure *s = info->pNext; s; s = s->pNext) {
        const struct rp_feature_struct *row = find_struct(s->sType);
        if (row && !enable_struct(row, (const VkBool32 *)(s + 1), supported, out))
            return VK_ERROR_FEATURE_NOT_PRESENT;
    }
    const struct rp_feature_struct *core =
        find_struct(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2);
    const VkBool32 *values = (const VkBool32 *)info->pEnabledFeatures;
    if (values && !enable_struct(core, values, supported, out))
        return VK_ERROR_FEATURE_NOT_PRESENT;
    return VK_SUCCESS;
}

const char *
rp_feature_name(enum rp_feature feature)
{
    return feature_names[feature];
}
