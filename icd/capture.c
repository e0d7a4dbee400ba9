/* SPDX-License-Identifier: MIT */
#include "icd/capture.h"

#include "capture/capture.h"
#include "icd/extensions.h"
#include "icd/features.h"
#include "object/device.h"
#include "platform/process.h"
#include "queue/queue.h"

#include "rp_entrypoints.h"

static void
write_features(struct rp_json *json, const struct rp_feature_set *features)
{
    rp_json_key(json, "features");
    rp_json_open(json, '[');
    for (uint32_t i = 1; i < RP_FEATURE_COUNT; i++) {
        if (rp_feature_set_has(features, (enum rp_feature)i))
            rp_json_string(json, rp_feature_name((enum rp_feature)i));
    }
    rp_json_close(json, ']');
}

static void
write_extensions(struct rp_json *json, const struct rp_extension_set *extensions)
{
    rp_json_key(json, "extensions");
    rp_json_open(json, '[');
    for (uint32_t i = 0; i < RP_EXTENSION_COUNT; i++) {
        if (rp_extension_set_has(extensions, (enum rp_extension)i))
            rp_json_string(json, rp_extension_name((enum rp_extension)i));
    }
    rp_json_close(json, ']');
}

/* Writes what each queue family can do, and how many of its queues the application has. */
static void
write_queues(struct rp_json *json, const struct rp_device *dev)
{
    rp_json_key(json, "queues");
    rp_json_open(json, '[');
    for (uint32_t i = 0; i < dev->queue_count; i++) {
        const struct rp_queue *queue = &dev->queues[i];
        VkQueueFamilyProperties2 families[8] = {0};
        uint32_t count = 8;
        for (uint32_t f = 0; f < count; f++)
            families[f].sType = VK_STRUCTURE_TYPE_QUEUE_FAMILY_PROPERTIES_2;
        rp_GetPhysicalDeviceQueueFamilyProperties2(
            rp_physical_device_to_handle(dev->physical_device), &count, families);
        rp_json_open(json, '{');
        rp_json_key_u64(json, "family", queue->family_index);
        rp_json_key_u64(json, "index", queue->index_in_family);
        rp_json_key_u64(json, "flags",
                        families[queue->family_index].queueFamilyProperties.queueFlags);
        rp_json_close(json, '}');
    }
    rp_json_close(json, ']');
}

void
rp_device_capture_begin(struct rp_device *dev)
{
    if (!rp_capture_is_wanted())
        return;
    VkPhysicalDeviceProperties2 properties = {.sType =
                                                  VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2};
    rp_GetPhysicalDeviceProperties2(rp_physical_device_to_handle(dev->physical_device),
                                    &properties);
    char process[RP_PROCESS_NAME_B];
    rp_process_name(process);
    struct rp_json json;
    rp_json_init(&json);
    rp_json_open(&json, '{');
    rp_json_key_string(&json, "format", "reelpipe-capture");
    rp_json_key_u64(&json, "version", 2);
    rp_json_key_string(&json, "device", properties.properties.deviceName);
    rp_json_key_u64(&json, "driver", properties.properties.driverVersion);
    rp_json_key(&json, "build");
    rp_json_bytes(&json, properties.properties.pipelineCacheUUID, VK_UUID_SIZE);
    rp_json_key_u64(&json, "cpu_flags", dev->physical_device->cpu_flags);
    rp_json_key_string(&json, "process", process);
    write_queues(&json, dev);
    write_extensions(&json, &dev->extensions);
    write_features(&json, &dev->features);
    rp_json_close(&json, '}');
    rp_json_line_end(&json);
    rp_capture_create(dev, &json, &dev->capture);
    rp_json_finish(&json);
}
