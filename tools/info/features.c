/* SPDX-License-Identifier: MIT */
/* The names of all features that are true, whatever structure they stand in.
 */
#include "info.h"

#include "vk_query_structs.h"

#include <stdlib.h>
#include <string.h>

#define STRUCT_COUNT (sizeof(vk_query_structs) / sizeof(vk_query_structs[0]))

static bool
is_feature_struct(const struct vk_query_struct *s)
{
    return strcmp(s->base, "VkPhysicalDeviceFeatures2") == 0;
}

static int
name_compare(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* One chain of every structure there is; unknown ones are skipped by a driver. */
static VkBaseOutStructure *
chain_create(uint8_t **memory_out)
{
    size_t size_B = 0;
    for (size_t i = 0; i < STRUCT_COUNT; i++)
        if (is_feature_struct(&vk_query_structs[i]))
            size_B += (vk_query_structs[i].size_B + 15) / 16 * 16;
    uint8_t *next = calloc(1, size_B);
    *memory_out = next;

    VkBaseOutStructure *first = NULL, *last = NULL;
    for (size_t i = 0; next && i < STRUCT_COUNT; i++) {
        if (!is_feature_struct(&vk_query_structs[i]))
            continue;
        VkBaseOutStructure *s = (VkBaseOutStructure *)next;
        s->sType = vk_query_structs[i].type;
        if (last)
            last->pNext = s;
        else
            first = s;
        last = s;
        next += (vk_query_structs[i].size_B + 15) / 16 * 16;
    }
    return first;
}

static uint32_t
collect(const VkBaseOutStructure *chain, const char **names, uint32_t limit)
{
    const VkBaseOutStructure *s = chain;
    uint32_t count = 0;

    for (size_t i = 0; s && i < STRUCT_COUNT; i++) {
        const struct vk_query_struct *q = &vk_query_structs[i];
        if (!is_feature_struct(q))
            continue;
        for (uint32_t m = q->first; m < q->first + q->count && count < limit; m++) {
            VkBool32 value;
            memcpy(&value, (const uint8_t *)s + vk_query_members[m].offset_B, sizeof(value));
            if (value)
                names[count++] = vk_query_members[m].name;
        }
        s = s->pNext;
    }
    return count;
}

cJSON *
info_features(const struct info_vulkan *vk)
{
    enum { MAX_NAMES = 4096 };
    cJSON *array = cJSON_CreateArray();
    uint8_t *memory;
    VkBaseOutStructure *chain = chain_create(&memory);
    const char **names = calloc(MAX_NAMES, sizeof(*names));

    if (chain && names) {
        vk->GetPhysicalDeviceFeatures2(vk->device, (VkPhysicalDeviceFeatures2 *)chain);
        const uint32_t count = collect(chain, names, MAX_NAMES);
        qsort(names, count, sizeof(*names), name_compare);
        for (uint32_t i = 0; i < count; i++)
            if (i == 0 || strcmp(names[i], names[i - 1]) != 0)
                cJSON_AddItemToArray(array, cJSON_CreateString(names[i]));
    }
    free(names);
    free(memory);
    return array;
}
