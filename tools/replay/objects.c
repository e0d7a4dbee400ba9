/* SPDX-License-Identifier: MIT */
/* The lines of objects.jsonl, done again.
 *
 * What is small stays until the end, because submissions may name it after the application has
 * destroyed it; memory goes, with all that is bound to it, and images that descriptors in heaps
 * name.
 */
#include "replay.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_OBJECTS (UINT64_C(1) << 26)

struct replay_object *
replay_object_get(struct replay *replay, uint64_t id, const char *type)
{
    if (id == 0 || id >= replay->object_limit || !replay->objects[id].type)
        return NULL;
    struct replay_object *object = &replay->objects[id];
    return strcmp(object->type, type) == 0 ? object : NULL;
}

static struct replay_object *
object_add(struct replay *replay, uint64_t id)
{
    if (id == 0 || id >= MAX_OBJECTS) {
        (void)replay_fail(&replay->reader, "no object can have this id");
        return NULL;
    }
    if (id >= replay->object_limit) {
        const uint64_t limit = 2 * id + 64;
        struct replay_object *objects = realloc(replay->objects, limit * sizeof(*objects));
        if (!objects) {
            (void)replay_fail(&replay->reader, "no memory");
            return NULL;
        }
        memset(objects + replay->object_limit, 0,
               (limit - replay->object_limit) * sizeof(*objects));
        replay->objects = objects;
        replay->object_limit = limit;
    }
    if (replay->objects[id].type) {
        (void)replay_fail(&replay->reader, "object %llu is there already", (unsigned long long)id);
        return NULL;
    }
    return &replay->objects[id];
}

uint32_t
replay_memory_type(const struct replay *replay, uint32_t bits, VkMemoryPropertyFlags wanted)
{
    const VkPhysicalDeviceMemoryProperties *p = &replay->memory_properties;
    for (uint32_t i = 0; i < p->memoryTypeCount; i++)
        if (bits >> i & 1 && (p->memoryTypes[i].propertyFlags & wanted) == wanted)
            return i;
    return 0;
}

#define HOST_MEMORY (VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT)

/* Allocations are as the application's where the driver is the same; elsewhere each resource has
 * its own. */
static bool
create_memory(struct replay *replay, struct replay_object *object, void *structure)
{
    VkMemoryAllocateInfo *info = structure;
    VkMemoryOpaqueCaptureAddressAllocateInfo at = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_OPAQUE_CAPTURE_ADDRESS_ALLOCATE_INFO,
        .opaqueCaptureAddress = object->address,
    };
    object->size_B = info->allocationSize;
    if (!replay->is_same_driver) {
        object->handle = 1; /* only its being there is looked at */
        return true;
    }
    for (VkBaseOutStructure *s = (void *)info; s; s = s->pNext) {
        VkMemoryAllocateFlagsInfo *flags = (void *)s;
        if (s->sType != VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO ||
            !(flags->flags & VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT) || !replay->has_capture_replay)
            continue;
        flags->flags |= VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_CAPTURE_REPLAY_BIT;
        at.pNext = info->pNext;
        info->pNext = &at;
        break;
    }
    VkDeviceMemory memory;
    const VkResult result = vkAllocateMemory(replay->device, info, NULL, &memory);
    if (result == VK_ERROR_INVALID_OPAQUE_CAPTURE_ADDRESS)
        return replay_fail(&replay->reader,
                           "the address 0x%llx is taken in this process: try again",
                           (unsigned long long)object->address);
    if (!replay_call(replay, result, "vkAllocateMemory"))
        return false;
    object->handle = (uint64_t)(uintptr_t)memory;
    void *mapped;
    if (!replay_call(replay, vkMapMemory(replay->device, memory, 0, VK_WHOLE_SIZE, 0, &mapped),
                     "vkMapMemory"))
        return false;
    object->mapped = mapped;
    return true;
}

/* Descriptors that lay in memory are replayed as sets, on devices without VK_EXT_descriptor_buffer,
 * too: nothing is made for them. */
#define DESCRIPTOR_USAGES \
    (VK_BUFFER_USAGE_SAMPLER_DESCRIPTOR_BUFFER_BIT_EXT | \
     VK_BUFFER_USAGE_RESOURCE_DESCRIPTOR_BUFFER_BIT_EXT | \
     VK_BUFFER_USAGE_PUSH_DESCRIPTORS_DESCRIPTOR_BUFFER_BIT_EXT)

static bool
create_set_layout(struct replay *replay, struct replay_object *object, void *structure)
{
    VkDescriptorSetLayoutCreateInfo *info = structure;
    VkDescriptorSetLayout layout;
    info->flags &= ~(
        VkDescriptorSetLayoutCreateFlags)(VK_DESCRIPTOR_SET_LAYOUT_CREATE_DESCRIPTOR_BUFFER_BIT_EXT |
                                          VK_DESCRIPTOR_SET_LAYOUT_CREATE_EMBEDDED_IMMUTABLE_SAMPLERS_BIT_EXT);
    if (!replay_call(replay, vkCreateDescriptorSetLayout(replay->device, info, NULL, &layout),
                     "vkCreateDescriptorSetLayout"))
        return false;
    object->handle = (uint64_t)(uintptr_t)layout;
    return true;
}

static bool
create_buffer(struct replay *replay, struct replay_object *object, void *structure)
{
    VkBufferCreateInfo *info = structure;
    VkBuffer buffer;
    object->size_B = info->size;
    info->usage &= ~(VkBufferUsageFlags)DESCRIPTOR_USAGES;
    for (VkBaseOutStructure *s = (void *)info; s; s = s->pNext)
        if (s->sType == VK_STRUCTURE_TYPE_BUFFER_USAGE_FLAGS_2_CREATE_INFO)
            ((VkBufferUsageFlags2CreateInfo *)s)->usage &= ~(VkBufferUsageFlags2)DESCRIPTOR_USAGES;
    if (!replay->is_same_driver)
        info->sharingMode = VK_SHARING_MODE_EXCLUSIVE;
    if (!replay_call(replay, vkCreateBuffer(replay->device, info, NULL, &buffer), "vkCreateBuffer"))
        return false;
    object->handle = (uint64_t)(uintptr_t)buffer;
    return true;
}

static bool
create_image(struct replay *replay, struct replay_object *object, void *structure)
{
    VkImageCreateInfo *info = structure;
    VkImage image;
    /* Its texels are copied to and from buffers. */
    info->usage |= VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT;
    info->initialLayout = VK_IMAGE_LAYOUT_UNDEFINED;
    if (!replay->is_same_driver)
        info->sharingMode = VK_SHARING_MODE_EXCLUSIVE;
    if (!replay_call(replay, vkCreateImage(replay->device, info, NULL, &image), "vkCreateImage"))
        return false;
    object->handle = (uint64_t)(uintptr_t)image;
    return true;
}

static bool
create_pipeline(struct replay *replay, struct replay_object *object, void *structure)
{
    VkComputePipelineCreateInfo *info = structure;
    VkPipeline pipeline;
    info->flags &=
        ~(VkPipelineCreateFlags)(VK_PIPELINE_CREATE_DERIVATIVE_BIT |
                                 VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT);
    info->basePipelineHandle = VK_NULL_HANDLE;
    info->flags &= ~(VkPipelineCreateFlags)VK_PIPELINE_CREATE_DESCRIPTOR_BUFFER_BIT_EXT;
    for (VkBaseOutStructure *s = (void *)info; s; s = s->pNext)
        if (s->sType == VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO)
            ((VkPipelineCreateFlags2CreateInfo *)s)->flags &=
                ~VK_PIPELINE_CREATE_2_DESCRIPTOR_BUFFER_BIT_EXT;
    if (!replay_read_u64(&replay->reader, replay_get(object->create, "layout"), &object->layout) ||
        !replay_call(
            replay,
            vkCreateComputePipelines(replay->device, VK_NULL_HANDLE, 1, info, NULL, &pipeline),
            "vkCreateComputePipelines"))
        return false;
    object->handle = (uint64_t)(uintptr_t)pipeline;
    return true;
}

static bool
reset_queries(struct replay *replay, void *ctx)
{
    const struct replay_object *object = ctx;
    uint32_t count;
    if (!replay_read_number(&replay->reader, replay_get(object->create, "queryCount"), &count, 4))
        return false;
    vkCmdResetQueryPool(replay->cb, (VkQueryPool)(uintptr_t)object->handle, 0, count);
    return true;
}

static bool
create_query_pool(struct replay *replay, struct replay_object *object, void *structure)
{
    VkQueryPool pool;
    if (!replay_call(replay, vkCreateQueryPool(replay->device, structure, NULL, &pool),
                     "vkCreateQueryPool"))
        return false;
    object->handle = (uint64_t)(uintptr_t)pool;
    return replay_submit_now(replay, &replay->queues[0], reset_queries, object, NULL);
}

/* Memory of the object's own: a session's, or that of a resource on a device that lays memory out
 * by itself. It goes with the object. */
static bool
own_memory(struct replay *replay, struct replay_object *object, const VkMemoryRequirements *needs,
           VkMemoryPropertyFlags wanted, VkDeviceMemory *out)
{
    const VkMemoryAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
        .allocationSize = needs->size,
        .memoryTypeIndex = replay_memory_type(replay, needs->memoryTypeBits, wanted),
    };
    VkDeviceMemory *memories =
        realloc(object->own_memories, (object->own_memory_count + 1) * sizeof(*memories));
    if (!memories)
        return replay_fail(&replay->reader, "no memory");
    object->own_memories = memories;
    if (!replay_call(replay, vkAllocateMemory(replay->device, &info, NULL, out),
                     "vkAllocateMemory"))
        return false;
    object->own_memories[object->own_memory_count++] = *out;
    return true;
}

static bool
session_bind(struct replay *replay, struct replay_object *object)
{
    VkVideoSessionMemoryRequirementsKHR needs[16];
    VkBindVideoSessionMemoryInfoKHR binds[16];
    const VkVideoSessionKHR session = (VkVideoSessionKHR)(uintptr_t)object->handle;
    uint32_t count = 16;

    for (uint32_t i = 0; i < count; i++)
        needs[i] = (VkVideoSessionMemoryRequirementsKHR){
            .sType = VK_STRUCTURE_TYPE_VIDEO_SESSION_MEMORY_REQUIREMENTS_KHR};
    if (!replay_call(replay,
                     vkGetVideoSessionMemoryRequirementsKHR(replay->device, session, &count, needs),
                     "vkGetVideoSessionMemoryRequirementsKHR"))
        return false;
    for (uint32_t i = 0; i < count; i++) {
        const VkMemoryRequirements *r = &needs[i].memoryRequirements;
        VkDeviceMemory memory;
        if (!own_memory(replay, object, r, 0, &memory))
            return false;
        binds[i] = (VkBindVideoSessionMemoryInfoKHR){
            .sType = VK_STRUCTURE_TYPE_BIND_VIDEO_SESSION_MEMORY_INFO_KHR,
            .memoryBindIndex = needs[i].memoryBindIndex,
            .memory = memory,
            .memorySize = r->size,
        };
    }
    return replay_call(replay, vkBindVideoSessionMemoryKHR(replay->device, session, count, binds),
                       "vkBindVideoSessionMemoryKHR");
}

static bool
create_session(struct replay *replay, struct replay_object *object, void *structure)
{
    VkVideoSessionCreateInfoKHR *info = structure;
    VkVideoSessionKHR session;
    for (uint32_t i = 0; i < replay->queue_count; i++)
        if (replay->queues[i].family == info->queueFamilyIndex) {
            info->queueFamilyIndex = replay->queues[i].own_family;
            break;
        }
    if (!vkCreateVideoSessionKHR)
        return replay_fail(&replay->reader, "the device has no video");
    if (!replay_call(replay, vkCreateVideoSessionKHR(replay->device, info, NULL, &session),
                     "vkCreateVideoSessionKHR"))
        return false;
    object->handle = (uint64_t)(uintptr_t)session;
    return session_bind(replay, object);
}

/* Objects that are made by one call and nothing else. */
#define PLAIN(kind, vk_type, call) \
    static bool create_##kind(struct replay *replay, struct replay_object *object, \
                              void *structure) \
    { \
        vk_type made; \
        if (!call) \
            return replay_fail(&replay->reader, "the device has no " #call); \
        if (!replay_call(replay, call(replay->device, structure, NULL, &made), #call)) \
            return false; \
        object->handle = (uint64_t)(uintptr_t)made; \
        return true; \
    }
PLAIN(buffer_view, VkBufferView, vkCreateBufferView)
PLAIN(image_view, VkImageView, vkCreateImageView)
PLAIN(sampler, VkSampler, vkCreateSampler)
PLAIN(conversion, VkSamplerYcbcrConversion, vkCreateSamplerYcbcrConversion)
PLAIN(pipeline_layout, VkPipelineLayout, vkCreatePipelineLayout)
PLAIN(shader_module, VkShaderModule, vkCreateShaderModule)
PLAIN(event, VkEvent, vkCreateEvent)
PLAIN(parameters, VkVideoSessionParametersKHR, vkCreateVideoSessionParametersKHR)

#define DESTROY(kind, vk_type, call) \
    static void destroy_##kind(struct replay *replay, uint64_t handle) \
    { \
        call(replay->device, (vk_type)(uintptr_t)handle, NULL); \
    }
DESTROY(memory, VkDeviceMemory, vkFreeMemory)
DESTROY(buffer, VkBuffer, vkDestroyBuffer)
DESTROY(image, VkImage, vkDestroyImage)
DESTROY(buffer_view, VkBufferView, vkDestroyBufferView)
DESTROY(image_view, VkImageView, vkDestroyImageView)
DESTROY(sampler, VkSampler, vkDestroySampler)
DESTROY(conversion, VkSamplerYcbcrConversion, vkDestroySamplerYcbcrConversion)
DESTROY(set_layout, VkDescriptorSetLayout, vkDestroyDescriptorSetLayout)
DESTROY(pipeline_layout, VkPipelineLayout, vkDestroyPipelineLayout)
DESTROY(shader_module, VkShaderModule, vkDestroyShaderModule)
DESTROY(pipeline, VkPipeline, vkDestroyPipeline)
DESTROY(query_pool, VkQueryPool, vkDestroyQueryPool)
DESTROY(event, VkEvent, vkDestroyEvent)
DESTROY(session, VkVideoSessionKHR, vkDestroyVideoSessionKHR)
DESTROY(parameters, VkVideoSessionParametersKHR, vkDestroyVideoSessionParametersKHR)

struct kind {
    const char *info;
    const char *type;
    bool (*create)(struct replay *replay, struct replay_object *object, void *structure);
    void (*destroy)(struct replay *replay, uint64_t handle);
};

/* Kinds in the order in which they are destroyed at the end. */
static const struct kind kinds[] = {
    {"VkVideoSessionParametersCreateInfoKHR", "VkVideoSessionParametersKHR", create_parameters,
     destroy_parameters},
    {"VkVideoSessionCreateInfoKHR", "VkVideoSessionKHR", create_session, destroy_session},
    {"VkComputePipelineCreateInfo", "VkPipeline", create_pipeline, destroy_pipeline},
    {"VkShaderCreateInfoEXT", "VkShaderEXT", replay_create_shader, destroy_pipeline},
    {"VkShaderModuleCreateInfo", "VkShaderModule", create_shader_module, destroy_shader_module},
    {"VkPipelineLayoutCreateInfo", "VkPipelineLayout", create_pipeline_layout,
     destroy_pipeline_layout},
    {"VkDescriptorSetLayoutCreateInfo", "VkDescriptorSetLayout", create_set_layout,
     destroy_set_layout},
    {"VkSamplerCreateInfo", "VkSampler", create_sampler, destroy_sampler},
    {"VkImageViewCreateInfo", "VkImageView", create_image_view, destroy_image_view},
    {"VkSamplerYcbcrConversionCreateInfo", "VkSamplerYcbcrConversion", create_conversion,
     destroy_conversion},
    {"VkBufferViewCreateInfo", "VkBufferView", create_buffer_view, destroy_buffer_view},
    {"VkQueryPoolCreateInfo", "VkQueryPool", create_query_pool, destroy_query_pool},
    {"VkEventCreateInfo", "VkEvent", create_event, destroy_event},
    {"VkBufferCreateInfo", "VkBuffer", create_buffer, destroy_buffer},
    {"VkImageCreateInfo", "VkImage", create_image, destroy_image},
    {"VkMemoryAllocateInfo", "VkDeviceMemory", create_memory, destroy_memory},
};
#define KIND_COUNT (sizeof(kinds) / sizeof(kinds[0]))

static const struct kind *
kind_of(const char *type)
{
    for (size_t i = 0; i < KIND_COUNT; i++)
        if (strcmp(kinds[i].type, type) == 0)
            return &kinds[i];
    return NULL;
}

static bool
line_create(struct replay *replay, uint64_t id, cJSON *line)
{
    struct replay_reader *r = &replay->reader;
    cJSON *info = cJSON_DetachItemFromObjectCaseSensitive(line, "create");
    const char *name = cJSON_GetStringValue(replay_get(info, "type"));
    const struct kind *kind = NULL;
    for (size_t i = 0; name && i < KIND_COUNT; i++)
        if (strcmp(kinds[i].info, name) == 0)
            kind = &kinds[i];
    struct replay_object *object = kind ? object_add(replay, id) : NULL;
    if (!object) {
        cJSON_Delete(info);
        return replay_fail(r, "%.60s makes no object", name ? name : "nothing");
    }
    object->type = kind->type;
    object->create = info;
    object->is_in_heaps = replay_get(line, "heap_image") != NULL;
    void *structure;
    return replay_read_u64(r, replay_get(line, "address"), &object->address) &&
           replay_read_number(r, replay_get(line, "kernel"), &object->kernel,
                              sizeof(object->kernel)) &&
           replay_read_struct(r, info, name, &structure) &&
           (kind->create != create_image || replay_heap_image(replay, line, structure)) &&
           kind->create(replay, object, structure) &&
           replay_heap_descriptor(replay, line, structure);
}

static bool
bind_buffer(struct replay *replay, struct replay_object *object, VkBindBufferMemoryInfo *info)
{
    void *mapped;
    info->buffer = (VkBuffer)(uintptr_t)object->handle;
    if (replay->is_same_driver) {
        const struct replay_object *memory =
            replay_object_get(replay, object->memory, "VkDeviceMemory");
        if (info->memoryOffset > memory->size_B ||
            object->size_B > memory->size_B - info->memoryOffset)
            return replay_fail(&replay->reader, "the buffer does not fit in its memory");
        object->mapped = memory->mapped + info->memoryOffset;
        return replay_call(replay, vkBindBufferMemory2(replay->device, 1, info),
                           "vkBindBufferMemory2");
    }
    VkMemoryRequirements needs;
    vkGetBufferMemoryRequirements(replay->device, info->buffer, &needs);
    VkDeviceMemory memory;
    if (!own_memory(replay, object, &needs, HOST_MEMORY, &memory) ||
        !replay_call(replay, vkBindBufferMemory(replay->device, info->buffer, memory, 0),
                     "vkBindBufferMemory") ||
        !replay_call(replay, vkMapMemory(replay->device, memory, 0, VK_WHOLE_SIZE, 0, &mapped),
                     "vkMapMemory"))
        return false;
    object->mapped = mapped;
    return true;
}

static bool
bind_image(struct replay *replay, struct replay_object *object, VkBindImageMemoryInfo *info)
{
    void *structure;
    info->image = (VkImage)(uintptr_t)object->handle;
    if (replay->is_same_driver) {
        if (!replay_call(replay, vkBindImageMemory2(replay->device, 1, info), "vkBindImageMemory2"))
            return false;
    } else if (!object->own_memory_count) {
        VkMemoryRequirements needs;
        VkDeviceMemory memory;
        vkGetImageMemoryRequirements(replay->device, info->image, &needs);
        if (!own_memory(replay, object, &needs, 0, &memory) ||
            !replay_call(replay, vkBindImageMemory(replay->device, info->image, memory, 0),
                         "vkBindImageMemory"))
            return false;
    }
    return replay_read_struct(&replay->reader, object->create, "VkImageCreateInfo", &structure) &&
           replay_image_init(replay, info->image, structure);
}

/* The structure of a change; of a bind, the memory's id, too. */
static bool
line_change(struct replay *replay, uint64_t id, cJSON *line)
{
    struct replay_reader *r = &replay->reader;
    cJSON *info = cJSON_GetObjectItemCaseSensitive(line, "change");
    const char *name = cJSON_GetStringValue(replay_get(info, "type"));
    struct replay_object *object =
        id < replay->object_limit && replay->objects[id].handle ? &replay->objects[id] : NULL;
    void *structure;

    if (!object || !name)
        return replay_fail(r, "there is nothing to change");
    const bool is_bind = strncmp(name, "VkBind", 6) == 0;
    if (is_bind) {
        if (!replay_read_u64(r, replay_get(info, "memory"), &object->memory) ||
            !replay_object_get(replay, object->memory, "VkDeviceMemory"))
            return replay_fail(r, "there is no such memory");
    }
    if (!replay_read_struct(r, info, name, &structure))
        return false;
    if (strcmp(name, "VkBindBufferMemoryInfo") == 0 && strcmp(object->type, "VkBuffer") == 0)
        return bind_buffer(replay, object, structure);
    if (strcmp(name, "VkBindImageMemoryInfo") == 0 && strcmp(object->type, "VkImage") == 0)
        return bind_image(replay, object, structure);
    if (strcmp(name, "VkVideoSessionParametersUpdateInfoKHR") == 0 &&
        strcmp(object->type, "VkVideoSessionParametersKHR") == 0)
        return replay_call(
            replay,
            vkUpdateVideoSessionParametersKHR(
                replay->device, (VkVideoSessionParametersKHR)(uintptr_t)object->handle, structure),
            "vkUpdateVideoSessionParametersKHR");
    return replay_fail(r, "%.60s does not change a %s", name, object->type);
}

static void
object_destroy(struct replay *replay, struct replay_object *object)
{
    const struct kind *kind = object->type ? kind_of(object->type) : NULL;
    const bool is_there = strcmp(object->type, "VkDeviceMemory") != 0 || replay->is_same_driver;
    if (kind && object->handle && is_there)
        kind->destroy(replay, object->handle);
    for (uint32_t i = 0; i < object->own_memory_count; i++)
        vkFreeMemory(replay->device, object->own_memories[i], NULL);
    if (object->own_layout)
        vkDestroyPipelineLayout(replay->device, object->own_layout, NULL);
    free(object->own_memories);
    object->own_layout = VK_NULL_HANDLE;
    object->handle = 0;
    object->own_memories = NULL;
    object->own_memory_count = 0;
    object->mapped = NULL;
}

/* Views of an image or buffer. */
static void
views_destroy(struct replay *replay, uint64_t id, const char *type, const char *key)
{
    for (uint64_t i = 1; i < replay->object_limit; i++) {
        struct replay_object *view = replay_object_get(replay, i, type);
        uint64_t of = 0;
        if (view && view->handle &&
            replay_read_u64(&replay->reader, replay_get(view->create, key), &of) && of == id)
            object_destroy(replay, view);
    }
}

static void
memory_destroy(struct replay *replay, uint64_t id)
{
    for (uint64_t i = 1; i < replay->object_limit; i++) {
        struct replay_object *object = &replay->objects[i];
        if (!object->type || object->memory != id || !object->handle)
            continue;
        if (strcmp(object->type, "VkImage") == 0)
            views_destroy(replay, i, "VkImageView", "image");
        else
            views_destroy(replay, i, "VkBufferView", "buffer");
        object_destroy(replay, object);
    }
    object_destroy(replay, &replay->objects[id]);
}

/* Another image may have its name in heaps next. */
static void
line_destroy(struct replay *replay, uint64_t id)
{
    struct replay_object *object = &replay->objects[id];
    if (strcmp(object->type, "VkDeviceMemory") == 0)
        memory_destroy(replay, id);
    if (strcmp(object->type, "VkImage") == 0 && object->is_in_heaps) {
        views_destroy(replay, id, "VkImageView", "image");
        object_destroy(replay, object);
    }
}

static bool
line_do(struct replay *replay, cJSON *line)
{
    struct replay_reader *r = &replay->reader;
    uint64_t id;
    if (!replay_read_u64(r, replay_get(line, "id"), &id))
        return false;
    if (replay_get(line, "create"))
        return line_create(replay, id, line);
    if (replay_get(line, "change"))
        return line_change(replay, id, line);
    if (id == 0 || id >= replay->object_limit || !replay->objects[id].type)
        return replay_fail(r, "there is no object %llu", (unsigned long long)id);
    const char *name = cJSON_GetStringValue(replay_get(line, "name"));
    if (name) {
        free(replay->objects[id].name);
        replay->objects[id].name = strdup(name);
    }
    if (replay_get(line, "destroy"))
        line_destroy(replay, id);
    return true;
}

bool
replay_objects_until(struct replay *replay, uint64_t line_count)
{
    while (replay->object_lines < line_count) {
        cJSON *line;
        if (!replay_lines_next(&replay->reader, &replay->objects_file, &line))
            return false;
        if (!line)
            return replay_fail(&replay->reader, "ends before line %llu, which is needed",
                               (unsigned long long)line_count);
        const bool is_done = line_do(replay, line);
        cJSON_Delete(line);
        replay_read_reset(&replay->reader);
        if (!is_done)
            return false;
        replay->object_lines++;
    }
    return true;
}

void
replay_objects_destroy(struct replay *replay)
{
    for (size_t k = 0; k < KIND_COUNT; k++)
        for (uint64_t i = 1; replay->device && i < replay->object_limit; i++)
            if (replay->objects[i].type == kinds[k].type)
                object_destroy(replay, &replay->objects[i]);
    for (uint64_t i = 1; i < replay->object_limit; i++) {
        cJSON_Delete(replay->objects[i].create);
        free(replay->objects[i].name);
    }
    free(replay->objects);
    replay->objects = NULL;
    replay->object_limit = 0;
}
