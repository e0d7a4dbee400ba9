/* SPDX-License-Identifier: MIT */
/* What a physical device below the layer has, and what is lent to it.
 */
#ifndef RP_ICD_LAYER_PHYSICAL_DEVICE_H
#define RP_ICD_LAYER_PHYSICAL_DEVICE_H

#include "icd/layer/video_features.h"

#include <vulkan/vulkan_core.h>

#include <stdbool.h>
#include <stdint.h>

struct rp_layer_instance;

/* The kinds of families that are lent, in the order in which they stand behind the lower ones. */
enum rp_layer_lent_kind {
    RP_LAYER_ENCODE,
    RP_LAYER_DECODE,
};
#define RP_LAYER_LENT_FAMILIES 2
#define RP_LAYER_LENT_QUEUES 4 /* of each family */

/* Families that a device with a single one shows of it once more, between its own and the lent
 * ones: applications ask for a family without GRAPHICS to compute by, and for one to copy by. Each
 * has one queue, an alias of the family's first. */
#define RP_LAYER_ALIAS_FAMILIES 2

struct rp_layer_physical_device {
    struct rp_layer_physical_device *next;
    VkPhysicalDevice handle;
    struct rp_layer_instance *instance;
    uint32_t family_count; /* of the lower device */
    uint32_t alias_count;  /* 0 or RP_LAYER_ALIAS_FAMILIES */
    VkVideoCodecOperationFlagsKHR lower_operations;
    bool lower_features[RP_LAYER_VIDEO_FEATURES];
    /* Lent ones; 0: that family is not there. */
    VkVideoCodecOperationFlagsKHR operations[RP_LAYER_LENT_FAMILIES];
};

/* NULL when the device is not known and memory is short. */
struct rp_layer_physical_device *rp_layer_physical_device_get(VkPhysicalDevice handle);

void rp_layer_physical_devices_free(struct rp_layer_instance *instance);

static inline bool
rp_layer_is_served(const struct rp_layer_physical_device *pdev)
{
    return pdev->operations[RP_LAYER_ENCODE] || pdev->operations[RP_LAYER_DECODE];
}

/* Whether a family is lent, and which one. */
bool rp_layer_family_is_lent(const struct rp_layer_physical_device *pdev, uint32_t family,
                             enum rp_layer_lent_kind *out);

/* Whether a family is an alias of the only lower one. */
static inline bool
rp_layer_family_is_alias(const struct rp_layer_physical_device *pdev, uint32_t family)
{
    return family >= pdev->family_count && family - pdev->family_count < pdev->alias_count;
}

/* The lower device's family behind one that is not lent. */
static inline uint32_t
rp_layer_lower_family(const struct rp_layer_physical_device *pdev, uint32_t family)
{
    return rp_layer_family_is_alias(pdev, family) ? 0 : family;
}

/* Whether the lower device does not know the family: an alias or a lent one. */
static inline bool
rp_layer_family_is_above(const struct rp_layer_physical_device *pdev, uint32_t family)
{
    enum rp_layer_lent_kind kind;
    return rp_layer_family_is_alias(pdev, family) || rp_layer_family_is_lent(pdev, family, &kind);
}

static inline bool
rp_layer_operation_is_lent(const struct rp_layer_physical_device *pdev,
                           VkVideoCodecOperationFlagsKHR operation)
{
    return operation & (pdev->operations[RP_LAYER_ENCODE] | pdev->operations[RP_LAYER_DECODE]);
}

/* The part of operations that encodes, or decodes. */
VkVideoCodecOperationFlagsKHR rp_layer_operations_of_kind(enum rp_layer_lent_kind kind);

/* Whether the lower device has operations of the kind itself. */
static inline bool
rp_layer_kind_is_lower(const struct rp_layer_physical_device *pdev, enum rp_layer_lent_kind kind)
{
    return (pdev->lower_operations & rp_layer_operations_of_kind(kind)) != 0;
}

#endif
