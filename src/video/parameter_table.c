/* SPDX-License-Identifier: MIT */
/* Storage of parameter sets.
 */
#include "video/parameter_table.h"

#include "util/alloc.h"
#include "util/log.h"

VkResult
rp_parameter_table_init(struct rp_parameter_table *table, const VkAllocationCallbacks *callbacks,
                        uint32_t capacity)
{
    atomic_init(&table->count, 0);
    if (capacity == 0)
        return VK_SUCCESS;
    table->entries = rp_zalloc_array(callbacks, capacity, sizeof(*table->entries),
                                     VK_SYSTEM_ALLOCATION_SCOPE_OBJECT);
    if (!table->entries)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    table->capacity = capacity;
    return VK_SUCCESS;
}

void
rp_parameter_table_finish(struct rp_parameter_table *table, const VkAllocationCallbacks *callbacks)
{
    for (uint32_t i = 0; i < rp_parameter_table_count(table); i++)
        rp_free(callbacks, table->entries[i]);
    rp_free(callbacks, table->entries);
}

uint32_t
rp_parameter_table_count(const struct rp_parameter_table *table)
{
    return atomic_load_explicit(&table->count, memory_order_acquire);
}

void *
rp_parameter_table_grow(struct rp_parameter_table *table, const VkAllocationCallbacks *callbacks,
                        uint32_t *count, size_t size_B, VkResult *result_out)
{
    if (*count == table->capacity) {
        rp_log(RP_LOG_ERROR, "more parameter sets than the object was created for");
        *result_out = VK_ERROR_INVALID_VIDEO_STD_PARAMETERS_KHR;
        return NULL;
    }
    void *entry = rp_zalloc(callbacks, size_B, 8, VK_SYSTEM_ALLOCATION_SCOPE_OBJECT);
    if (!entry) {
        *result_out = VK_ERROR_OUT_OF_HOST_MEMORY;
        return NULL;
    }
    table->entries[(*count)++] = entry;
    return entry;
}

void
rp_parameter_table_publish(struct rp_parameter_table *table, const VkAllocationCallbacks *callbacks,
                           uint32_t count, bool is_good)
{
    const uint32_t old_count = rp_parameter_table_count(table);
    if (is_good)
        atomic_store_explicit(&table->count, count, memory_order_release);
    for (uint32_t i = old_count; i < count && !is_good; i++)
        rp_free(callbacks, table->entries[i]);
}
