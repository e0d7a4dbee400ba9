/* SPDX-License-Identifier: MIT */
/* Answering properties: the constant ones of limits_tables.c and what the machine adds.
 */
#include "icd/properties.h"

#include "object/instance.h"
#include "reelpipe/cpu.h"
#include "util/compiler.h"

#include "rp_entrypoints.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define RP_PROPERTY_ZERO UINT16_MAX

struct rp_property_member {
    uint16_t offset_B; /* in the structure */
    uint16_t source_B; /* in struct rp_properties, or RP_PROPERTY_ZERO */
    uint16_t size_B;
};

struct rp_property_struct {
    VkStructureType type;
    uint16_t first; /* into property_members */
    uint16_t count;
};

#include "rp_property_table.h"

/* FNV-1a, twice: the names are short and no secret. */
static void
make_uuid(const char *text, uint8_t out[VK_UUID_SIZE])
{
    for (uint64_t half = 0; half < 2; half++) {
        uint64_t hash = UINT64_C(0xcbf29ce484222325) ^ half;
        for (const char *c = text; *c; c++)
            hash = (hash ^ (uint8_t)*c) * UINT64_C(0x100000001b3);
        memcpy(out + 8 * half, &hash, sizeof(hash));
    }
}

static uint32_t
driver_version(void)
{
    unsigned major = 0;
    unsigned minor = 0;
    unsigned patch = 0;
    (void)sscanf(REELPIPE_VERSION, "%u.%u.%u", &major, &minor, &patch);
    return VK_MAKE_API_VERSION(0, major, minor, patch);
}

static void
fill_identity(const struct rp_physical_device *pdev, struct rp_properties *out)
{
    char cpu[128];
    char text[512];

    rp_cpu_describe(pdev->cpu_flags, cpu, sizeof(cpu));
    (void)snprintf(out->deviceName, sizeof(out->deviceName), cpu[0] ? "Reelpipe (%s)" : "Reelpipe",
                   cpu);
    (void)snprintf(out->driverName, sizeof(out->driverName), "Reelpipe");
    (void)snprintf(out->driverInfo, sizeof(out->driverInfo), "Reelpipe %s", REELPIPE_VERSION);
    out->driverVersion = driver_version();

    make_uuid("Reelpipe " REELPIPE_VERSION " driver", out->driverUUID);
    (void)snprintf(text, sizeof(text), "%s %s device", out->deviceName, REELPIPE_VERSION);
    make_uuid(text, out->deviceUUID);
    (void)snprintf(text, sizeof(text), "%s %s pipelines", out->deviceName, REELPIPE_VERSION);
    make_uuid(text, out->pipelineCacheUUID);
}

void
rp_device_properties(const struct rp_physical_device *pdev, struct rp_properties *out)
{
    *out = rp_constant_properties;
    fill_identity(pdev, out);
    out->maxMemoryAllocationSize = pdev->heap_size_B;
    out->maxBufferSize = pdev->heap_size_B;
}

static void
fill_struct(const struct rp_properties *properties, VkBaseOutStructure *s)
{
    for (size_t i = 0; i < RP_ARRAY_SIZE(property_structs); i++) {
        const struct rp_property_struct *row = &property_structs[i];
        if (row->type != s->sType)
            continue;
        for (uint32_t m = row->first; m < (uint32_t)row->first + row->count; m++) {
            const struct rp_property_member *member = &property_members[m];
            uint8_t *to = (uint8_t *)s + member->offset_B;
            if (member->source_B == RP_PROPERTY_ZERO)
                memset(to, 0, member->size_B);
            else
                memcpy(to, (const uint8_t *)properties + member->source_B, member->size_B);
        }
        return;
    }
}

VKAPI_ATTR void VKAPI_CALL
rp_GetPhysicalDeviceProperties2(VkPhysicalDevice physicalDevice,
                                VkPhysicalDeviceProperties2 *properties)
{
    const struct rp_physical_device *pdev = rp_physical_device_from_handle(physicalDevice);

    for (VkBaseOutStructure *s = (VkBaseOutStructure *)properties; s; s = s->pNext)
        fill_struct(&pdev->properties, s);
}
