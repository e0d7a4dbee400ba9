/* SPDX-License-Identifier: MIT */
/* Answering properties: the constant ones of limits_tables.c and what the machine adds.
 */
#include "icd/properties.h"

#include "object/instance.h"
#include "platform/module.h"
#include "platform/pages.h"
#include "quirks/table.h"
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

/* FNV-1a, twice: what is hashed is short and no secret. */
static void
make_uuid(const void *data, size_t size_B, uint8_t out[VK_UUID_SIZE])
{
    const uint8_t *bytes = data;
    for (uint64_t half = 0; half < 2; half++) {
        uint64_t hash = UINT64_C(0xcbf29ce484222325) ^ half;
        for (size_t i = 0; i < size_B; i++)
            hash = (hash ^ bytes[i]) * UINT64_C(0x100000001b3);
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

/* The version of the driver, and its codecs. */
static void
fill_driver_info(const struct rp_physical_device *pdev, struct rp_properties *out)
{
    int length =
        snprintf(out->driverInfo, sizeof(out->driverInfo), "Reelpipe %s", REELPIPE_VERSION);
    for (uint32_t i = 0; i < RP_VIDEO_STANDARD_LIMIT; i++) {
        const char *name = rp_video_codecs_name(&pdev->video, i);
        if (name && length >= 0 && (size_t)length < sizeof(out->driverInfo))
            length += snprintf(out->driverInfo + length, sizeof(out->driverInfo) - (size_t)length,
                               ", %s", name);
    }
}

static void
fill_identity(const struct rp_physical_device *pdev, struct rp_properties *out)
{
    char cpu[128];
    char text[VK_MAX_PHYSICAL_DEVICE_NAME_SIZE + 64];

    rp_cpu_describe(pdev->cpu_flags, cpu, sizeof(cpu));
    (void)snprintf(out->deviceName, sizeof(out->deviceName), cpu[0] ? "Reelpipe (%s)" : "Reelpipe",
                   cpu);
    (void)snprintf(out->driverName, sizeof(out->driverName), "Reelpipe");
    fill_driver_info(pdev, out);
    out->driverVersion = driver_version();

    /* Memory and semaphores are shared between processes that run the same build, pipelines between
     * those that also compile them alike. */
    size_t id_B = rp_module_build_id(out->driverUUID, VK_UUID_SIZE);
    if (id_B == 0)
        make_uuid(REELPIPE_VERSION, strlen(REELPIPE_VERSION), out->driverUUID);
    int length = snprintf(text, sizeof(text), "%s %s", out->deviceName, REELPIPE_VERSION);
    make_uuid(text, (size_t)length, out->deviceUUID);
    memcpy(out->optimalTilingLayoutUUID, out->driverUUID, VK_UUID_SIZE);
    memcpy(text + length, out->driverUUID, VK_UUID_SIZE);
    make_uuid(text, (size_t)length + VK_UUID_SIZE, out->pipelineCacheUUID);
}

void
rp_device_properties(const struct rp_physical_device *pdev, struct rp_properties *out)
{
    *out = rp_constant_properties;
    fill_identity(pdev, out);
    out->maxMemoryAllocationSize = pdev->heap_size_B;
    out->minMemoryMapAlignment = rp_page_B();
    out->minPlacedMemoryMapAlignment = rp_page_B();
    out->minImportedHostPointerAlignment = rp_page_B();
    if (pdev->instance->quirks & RP_QUIRK_ASSUMES_LARGEST_SUBGROUP)
        out->maxSubgroupSize = out->subgroupSize;
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

/* count: in, the room for layouts in out, if there is a place for them; out, how many there are, or
 * were written. */
static void
fill_layouts(uint32_t *count, VkImageLayout *out)
{
    if (!out) {
        *count = RP_HOST_COPY_LAYOUTS;
        return;
    }
    *count = RP_MIN(*count, RP_HOST_COPY_LAYOUTS);
    memcpy(out, rp_host_copy_layouts, *count * sizeof(*out));
}

/* Two structures hold arrays of the application. */
static void
fill_host_copy(const struct rp_properties *properties, VkBaseOutStructure *s)
{
    if (s->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_HOST_IMAGE_COPY_PROPERTIES) {
        VkPhysicalDeviceHostImageCopyProperties *p = (VkPhysicalDeviceHostImageCopyProperties *)s;
        const uint32_t room[2] = {p->copySrcLayoutCount, p->copyDstLayoutCount};
        fill_struct(properties, s);
        p->copySrcLayoutCount = room[0];
        p->copyDstLayoutCount = room[1];
        fill_layouts(&p->copySrcLayoutCount, p->pCopySrcLayouts);
        fill_layouts(&p->copyDstLayoutCount, p->pCopyDstLayouts);
    } else {
        VkPhysicalDeviceVulkan14Properties *p = (VkPhysicalDeviceVulkan14Properties *)s;
        const uint32_t room[2] = {p->copySrcLayoutCount, p->copyDstLayoutCount};
        fill_struct(properties, s);
        p->copySrcLayoutCount = room[0];
        p->copyDstLayoutCount = room[1];
        fill_layouts(&p->copySrcLayoutCount, p->pCopySrcLayouts);
        fill_layouts(&p->copyDstLayoutCount, p->pCopyDstLayouts);
    }
}

VKAPI_ATTR void VKAPI_CALL
rp_GetPhysicalDeviceProperties2(VkPhysicalDevice physicalDevice,
                                VkPhysicalDeviceProperties2 *properties)
{
    const struct rp_physical_device *pdev = rp_physical_device_from_handle(physicalDevice);

    for (VkBaseOutStructure *s = (VkBaseOutStructure *)properties; s; s = s->pNext) {
        if (s->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_HOST_IMAGE_COPY_PROPERTIES ||
            s->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_4_PROPERTIES)
            fill_host_copy(&pdev->properties, s);
        else
            fill_struct(&pdev->properties, s);
    }
}
