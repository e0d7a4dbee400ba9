/* SPDX-License-Identifier: MIT */
/* The instance, and a device with what the captured one had; refused with the name of what is not
 * there.
 */
#include "replay.h"

#include "platform/module.h"
#include "vk_query_structs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STRUCT_COUNT (sizeof(vk_query_structs) / sizeof(vk_query_structs[0]))
#define ADDRESS_FEATURE "bufferDeviceAddress"
#define CAPTURE_FEATURE "bufferDeviceAddressCaptureReplay"
#define HEAP_FEATURE "descriptorHeap"
#define HEAP_CAPTURE_FEATURE "descriptorHeapCaptureReplay"

bool
replay_call(struct replay *replay, VkResult result, const char *call)
{
    return result == VK_SUCCESS || replay_fail(&replay->reader, "%s fails with %d", call, result);
}

static bool
instance_create(struct replay *replay)
{
    void *library = rp_module_open("libvulkan.so.1");
    if (!library)
        return replay_fail(&replay->reader, "there is no Vulkan loader (libvulkan.so.1)");
    vk_functions_load_global(
        (PFN_vkGetInstanceProcAddr)rp_module_symbol(library, "vkGetInstanceProcAddr"));
    const VkApplicationInfo application = {
        .sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
        .pApplicationName = "reelpipe-replay",
        .apiVersion = VK_API_VERSION_1_4,
    };
    const VkInstanceCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
        .pApplicationInfo = &application,
    };
    if (!replay_call(replay, vkCreateInstance(&info, NULL, &replay->instance), "vkCreateInstance"))
        return false;
    vk_functions_load_instance(replay->instance);
    return true;
}

static bool
device_is_wanted(const struct replay *replay, const char *name, const char *captured)
{
    return strstr(name, replay->options->device ? replay->options->device : captured) != NULL;
}

static bool
physical_device_choose(struct replay *replay)
{
    const char *captured = cJSON_GetStringValue(replay_get(replay->header, "device"));
    VkPhysicalDevice devices[16];
    uint32_t count = 16;
    const VkResult result = vkEnumeratePhysicalDevices(replay->instance, &count, devices);
    if (result < 0 || count == 0)
        return replay_fail(&replay->reader, "the loader knows no device");
    VkPhysicalDeviceProperties properties;
    bool is_found = false;
    for (uint32_t i = 0; i < count && !is_found; i++) {
        vkGetPhysicalDeviceProperties(devices[i], &properties);
        is_found = device_is_wanted(replay, properties.deviceName, captured ? captured : "");
        replay->physical_device = devices[i];
    }
    if (!is_found && replay->options->device)
        return replay_fail(&replay->reader, "no device is called \"%s\"", replay->options->device);
    if (!is_found) {
        replay->physical_device = devices[0];
        vkGetPhysicalDeviceProperties(devices[0], &properties);
    }
    replay->is_same_driver = captured && strncmp(captured, "Reelpipe", 8) == 0 &&
                             strncmp(properties.deviceName, "Reelpipe", 8) == 0;
    vkGetPhysicalDeviceMemoryProperties(replay->physical_device, &replay->memory_properties);
    fprintf(stderr, "%s on %s\n", replay->options->folder, properties.deviceName);
    return true;
}

static bool
is_feature_struct(const struct vk_query_struct *s)
{
    return strcmp(s->base, "VkPhysicalDeviceFeatures2") == 0;
}

static bool
is_core_struct(const struct vk_query_struct *s)
{
    return strcmp(s->name, s->base) == 0 || strncmp(s->name, "VkPhysicalDeviceVulkan1", 23) == 0;
}

struct features {
    uint8_t *memory; /* owned: a structure each, of STRUCT_COUNT */
    VkBaseOutStructure *structs[STRUCT_COUNT];
    VkBaseOutStructure *chain;
    VkBaseOutStructure *last;
};

static void
features_link(struct features *features, size_t i)
{
    VkBaseOutStructure *s = features->structs[i];
    if (s == features->last || s->pNext)
        return;
    if (features->last)
        features->last->pNext = s;
    else
        features->chain = s;
    features->last = s;
}

static bool
features_init(struct features *features)
{
    size_t size_B = 0;
    *features = (struct features){0};
    for (size_t i = 0; i < STRUCT_COUNT; i++)
        size_B += (vk_query_structs[i].size_B + 15) / 16 * 16;
    features->memory = calloc(1, size_B);
    uint8_t *next = features->memory;
    for (size_t i = 0; next && i < STRUCT_COUNT; i++) {
        features->structs[i] = (VkBaseOutStructure *)next;
        features->structs[i]->sType = vk_query_structs[i].type;
        next += (vk_query_structs[i].size_B + 15) / 16 * 16;
        if (is_feature_struct(&vk_query_structs[i]))
            features_link(features, i);
    }
    return features->memory != NULL;
}

static VkBool32 *
feature_value(const struct features *features, size_t i, uint32_t member)
{
    return (VkBool32 *)((uint8_t *)features->structs[i] + vk_query_members[member].offset_B);
}

/* A feature of this name that is true in there: those of the core versions first, so that none is
 * asked for twice. Moves it to wanted. */
static bool
feature_want(const struct features *there, const char *name, struct features *wanted)
{
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < STRUCT_COUNT; i++) {
            const struct vk_query_struct *s = &vk_query_structs[i];
            if (!is_feature_struct(s) || is_core_struct(s) != (pass == 0))
                continue;
            for (uint32_t m = s->first; m < s->first + s->count; m++) {
                if (strcmp(vk_query_members[m].name, name) != 0 || !*feature_value(there, i, m))
                    continue;
                *feature_value(wanted, i, m) = VK_TRUE;
                return true;
            }
        }
    return false;
}

/* Only what holds something stays in the chain. */
static void
features_link_wanted(struct features *features)
{
    for (size_t i = 0; i < STRUCT_COUNT; i++)
        features->structs[i]->pNext = NULL;
    features->chain = features->last = NULL;
    for (size_t i = 0; i < STRUCT_COUNT; i++) {
        const struct vk_query_struct *s = &vk_query_structs[i];
        bool is_wanted = false;
        for (uint32_t m = s->first; is_feature_struct(s) && m < s->first + s->count; m++)
            is_wanted |= *feature_value(features, i, m) == VK_TRUE;
        if (is_wanted)
            features_link(features, i);
    }
}

/* The features that the capture names; refused with the first one that the device has not. */
static bool
features_choose(struct replay *replay, struct features *wanted)
{
    struct features there;
    const cJSON *item;
    bool is_good = features_init(&there) || replay_fail(&replay->reader, "no memory");

    if (is_good)
        vkGetPhysicalDeviceFeatures2(replay->physical_device,
                                     (VkPhysicalDeviceFeatures2 *)there.chain);
    cJSON_ArrayForEach(item, replay_get(replay->header, "features"))
    {
        const char *name = cJSON_GetStringValue(item);
        if (name && strncmp(name, "descriptorBuffer", strlen("descriptorBuffer")) == 0)
            continue; /* what lay in memory is replayed as sets */
        if (name && strcmp(name, "shaderObject") == 0)
            continue; /* they are replayed as pipelines */
        if (is_good && (!name || !feature_want(&there, name, wanted)))
            is_good = replay_fail(&replay->reader, "the device has not the feature %.60s",
                                  name ? name : "?");
        replay->wants_addresses |= name && strcmp(name, ADDRESS_FEATURE) == 0;
        if (is_good && name && strcmp(name, HEAP_FEATURE) == 0 &&
            !feature_want(&there, HEAP_CAPTURE_FEATURE, wanted))
            is_good = replay_fail(&replay->reader, "the device has not the feature %s",
                                  HEAP_CAPTURE_FEATURE);
    }
    replay->has_capture_replay =
        is_good && replay->wants_addresses && feature_want(&there, CAPTURE_FEATURE, wanted);
    features_link_wanted(wanted);
    free(there.memory);
    return is_good;
}

/* A family that can do that: the same index as captured, or else the first. */
static bool
family_find(struct replay_queue *queue, VkQueueFlags wanted,
            const VkQueueFamilyProperties *families, uint32_t count)
{
    for (uint32_t i = 0; i <= count; i++) {
        const uint32_t family = i == 0 ? queue->family : i - 1;
        if (family < count && (families[family].queueFlags & wanted) == wanted &&
            (wanted || families[family].queueFlags & (VK_QUEUE_TRANSFER_BIT | VK_QUEUE_COMPUTE_BIT |
                                                      VK_QUEUE_GRAPHICS_BIT))) {
            queue->own_family = family;
            return true;
        }
    }
    return false;
}

/* A family of this device for one of the captured queues. An application makes queues that it does
 * not use: one that the device lacks is missing when something is submitted to it. */
static bool
queue_place(struct replay *replay, struct replay_queue *queue,
            const VkQueueFamilyProperties *families, uint32_t count)
{
    /* Compute and graphics queues copy, too, whether they say it or not. */
    const VkQueueFlags wanted = queue->flags & ~(VkQueueFlags)VK_QUEUE_TRANSFER_BIT;
    queue->is_missing = !family_find(queue, wanted, families, count);
    return !queue->is_missing || family_find(queue, 0, families, count) ||
           replay_fail(&replay->reader, "the device has no queue that copies");
}

static bool
queues_read(struct replay *replay)
{
    VkQueueFamilyProperties families[32];
    uint32_t count = 32;
    vkGetPhysicalDeviceQueueFamilyProperties(replay->physical_device, &count, families);
    const cJSON *item;
    cJSON_ArrayForEach(item, replay_get(replay->header, "queues"))
    {
        struct replay_queue *queue = &replay->queues[replay->queue_count];
        if (replay->queue_count == REPLAY_MAX_QUEUES)
            return replay_fail(&replay->reader, "too many queues");
        if (!replay_read_number(&replay->reader, replay_get(item, "family"), &queue->family, 4) ||
            !replay_read_number(&replay->reader, replay_get(item, "index"), &queue->index, 4) ||
            !replay_read_number(&replay->reader, replay_get(item, "flags"), &queue->flags, 4) ||
            !queue_place(replay, queue, families, count))
            return false;
        replay->queue_count++;
    }
    return true; /* VK_KHR_maintenance9: there may be none, and then no submissions */
}

/* One queue of each family that is needed: submissions are replayed one after the other. */
static uint32_t
queue_infos(const struct replay *replay, VkDeviceQueueCreateInfo *out)
{
    static const float priority = 1.0f;
    uint32_t count = 0;
    for (uint32_t i = 0; i < replay->queue_count; i++) {
        uint32_t k = 0;
        while (k < count && out[k].queueFamilyIndex != replay->queues[i].own_family)
            k++;
        if (k < count)
            continue;
        out[count++] = (VkDeviceQueueCreateInfo){
            .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
            .queueFamilyIndex = replay->queues[i].own_family,
            .queueCount = 1,
            .pQueuePriorities = &priority,
        };
    }
    return count;
}

static bool
extension_is_there(const VkExtensionProperties *there, uint32_t count, const char *name)
{
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(there[i].extensionName, name) == 0)
            return true;
    return false;
}

static bool
extensions_read(struct replay *replay, const char **names, uint32_t limit, uint32_t *count_out)
{
    uint32_t count = 0;
    bool is_good = true;
    vkEnumerateDeviceExtensionProperties(replay->physical_device, NULL, &count, NULL);
    VkExtensionProperties *there = calloc(count + 1, sizeof(*there));
    if (!there)
        return replay_fail(&replay->reader, "no memory");
    vkEnumerateDeviceExtensionProperties(replay->physical_device, NULL, &count, there);
    const cJSON *item;
    *count_out = 0;
    cJSON_ArrayForEach(item, replay_get(replay->header, "extensions"))
    {
        const char *name = cJSON_GetStringValue(item);
        if (name && (strcmp(name, VK_EXT_DESCRIPTOR_BUFFER_EXTENSION_NAME) == 0 ||
                     strcmp(name, VK_EXT_SHADER_OBJECT_EXTENSION_NAME) == 0))
            continue; /* replayed without them */
        if (!name || *count_out == limit)
            is_good = replay_fail(&replay->reader, "the extensions are no list of names");
        else if (!extension_is_there(there, count, name))
            is_good = replay_fail(&replay->reader, "the device has not the extension %s", name);
        else
            names[(*count_out)++] = name;
        if (!is_good)
            break;
    }
    free(there);
    return is_good;
}

static bool
pools_create(struct replay *replay)
{
    vk_functions_load_device(replay->device);
    for (uint32_t i = 0; i < replay->queue_count; i++) {
        struct replay_queue *queue = &replay->queues[i];
        const VkCommandPoolCreateInfo info = {
            .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
            .queueFamilyIndex = queue->own_family,
        };
        vkGetDeviceQueue(replay->device, queue->own_family, 0, &queue->queue);
        if (!replay_call(replay, vkCreateCommandPool(replay->device, &info, NULL, &queue->pool),
                         "vkCreateCommandPool"))
            return false;
    }
    return true;
}

bool
replay_device_create(struct replay *replay)
{
    const char *extensions[256];
    VkDeviceQueueCreateInfo queues[REPLAY_MAX_QUEUES];
    struct features features;
    uint32_t extension_count = 0;

    replay->reader.file = "capture.json";
    if (!instance_create(replay) || !physical_device_choose(replay) || !queues_read(replay) ||
        !extensions_read(replay, extensions, 256, &extension_count))
        return false;
    if (!features_init(&features))
        return replay_fail(&replay->reader, "no memory");
    bool is_good = features_choose(replay, &features);
    const VkDeviceCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
        .pNext = features.chain,
        .queueCreateInfoCount = queue_infos(replay, queues),
        .pQueueCreateInfos = queues,
        .enabledExtensionCount = extension_count,
        .ppEnabledExtensionNames = extensions,
    };
    is_good =
        is_good &&
        replay_call(replay, vkCreateDevice(replay->physical_device, &info, NULL, &replay->device),
                    "vkCreateDevice");
    free(features.memory);
    return is_good && pools_create(replay);
}

void
replay_device_destroy(struct replay *replay)
{
    if (replay->device) {
        vkDeviceWaitIdle(replay->device);
        for (uint32_t i = 0; i < replay->queue_count; i++)
            vkDestroyCommandPool(replay->device, replay->queues[i].pool, NULL);
        vkDestroyBuffer(replay->device, replay->staging, NULL);
        vkFreeMemory(replay->device, replay->staging_memory, NULL);
        vkDestroyDevice(replay->device, NULL);
    }
    if (replay->instance)
        vkDestroyInstance(replay->instance, NULL);
}
