/* SPDX-License-Identifier: MIT */
/* VkDescriptorPool, VkDescriptorSet and VkDescriptorUpdateTemplate.
 */
#ifndef RP_OBJECT_DESCRIPTOR_SET_H
#define RP_OBJECT_DESCRIPTOR_SET_H

#include "compute/bindings.h"
#include "object/descriptor_layout.h"
#include "object/object.h"
#include "util/compiler.h"

#include <vulkan/vulkan_core.h>

#include <stdbool.h>
#include <stdint.h>

/* Descriptors in the form that the compute engine reads, and the bytes of inline uniform blocks.
 * Sets of a pool and pushed descriptors are both such tables. */
struct rp_descriptor_table {
    const struct rp_set_layout *layout; /* borrowed */
    struct rp_descriptor *items;
    uint32_t item_count; /* of the variable count that was asked for */
    uint8_t *inline_data;
};

struct rp_descriptor_pool;

struct rp_descriptor_set {
    struct rp_object base;
    struct rp_descriptor_pool *pool; /* borrowed */
    struct rp_descriptor_set *next;
    struct rp_descriptor_set *prev;
    struct rp_descriptor_table table; /* layout: a reference */
    uint32_t variable_count;
};

struct rp_descriptor_pool {
    struct rp_object base;
    VkDescriptorPoolCreateFlags flags;
    VkAllocationCallbacks callbacks; /* of vkCreateDescriptorPool, or else the device's */
    bool has_callbacks;
    uint32_t set_limit;
    uint32_t set_count;
    uint64_t item_limit[2]; /* descriptors, and bytes of inline uniform blocks */
    uint64_t item_used[2];
    struct rp_descriptor_set *first;
};

struct rp_update_template {
    struct rp_object base;
    struct rp_set_layout *push_layout; /* a reference; of templates for push descriptors */
    uint32_t push_set;
    uint32_t entry_count;
    VkDescriptorUpdateTemplateEntry entries[];
};

RP_HANDLE_CASTS(rp_descriptor_pool, VkDescriptorPool, VK_OBJECT_TYPE_DESCRIPTOR_POOL)
RP_HANDLE_CASTS(rp_descriptor_set, VkDescriptorSet, VK_OBJECT_TYPE_DESCRIPTOR_SET)
RP_HANDLE_CASTS(rp_update_template, VkDescriptorUpdateTemplate,
                VK_OBJECT_TYPE_DESCRIPTOR_UPDATE_TEMPLATE)

/* Where the items of a set lie: behind it. */
#define RP_DESCRIPTOR_SET_HEAD_B ((sizeof(struct rp_descriptor_set) + 15) & ~(size_t)15)

static inline const struct rp_descriptor_set *
rp_descriptor_set_of_items(const struct rp_descriptor *items)
{
    return (const struct rp_descriptor_set *)((const uint8_t *)items - RP_DESCRIPTOR_SET_HEAD_B);
}

/* Bytes that a table's items and inline data need (items first), and the table on such memory:
 * empty descriptors, immutable samplers in place. */
size_t rp_descriptor_table_size(const struct rp_set_layout *layout, uint32_t variable_count);
void rp_descriptor_table_init(struct rp_descriptor_table *table, const struct rp_set_layout *layout,
                              uint32_t variable_count, void *memory);

/* Writes and copies beyond the table's end are dropped. */
void rp_descriptor_table_write(struct rp_descriptor_table *table,
                               const VkWriteDescriptorSet *write);
void rp_descriptor_table_write_template(struct rp_descriptor_table *table,
                                        const struct rp_update_template *tmpl, const void *data);

#endif
