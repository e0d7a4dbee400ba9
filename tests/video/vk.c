/* SPDX-License-Identifier: MIT */
/* Vulkan objects for the video tests.
 */
#include "vk.h"

#include "test.h"
#include "vk/loader.h"

#include <string.h>

#define CHECK(call) REQUIRE_EQ((call), VK_SUCCESS)

static void
skip(void)
{
    (void)fprintf(stderr, "no device codes what the test needs\n");
    exit(TEST_SKIPPED);
}

static void
create_instance(struct vk *vk, const VkApplicationInfo *names)
{
    vk_functions_load_global(loader_open());
    VkApplicationInfo app = *names;
    app.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO;
    app.apiVersion = VK_API_VERSION_1_3;
    CHECK(vkCreateInstance(&(VkInstanceCreateInfo){.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                                   .pApplicationInfo = &app},
                           NULL, &vk->instance));
    /* Without a driver that has them the loader does not know the commands of video. */
    vk_functions_load_instance(vk->instance);
    if (!vkGetPhysicalDeviceVideoCapabilitiesKHR ||
        !vkGetPhysicalDeviceVideoEncodeQualityLevelPropertiesKHR)
        skip();
}

/* The index of the device's first family that can do this, and codec operation; false when it has
 * none. */
static bool
find_family(VkPhysicalDevice pdev, VkQueueFlagBits flag, VkVideoCodecOperationFlagsKHR operation,
            uint32_t *out)
{
    VkQueueFamilyVideoPropertiesKHR video[8] = {0};
    VkQueueFamilyProperties2 families[8] = {0};
    uint32_t count = 8;
    for (uint32_t i = 0; i < 8; i++) {
        video[i].sType = VK_STRUCTURE_TYPE_QUEUE_FAMILY_VIDEO_PROPERTIES_KHR;
        families[i].sType = VK_STRUCTURE_TYPE_QUEUE_FAMILY_PROPERTIES_2;
        families[i].pNext = &video[i];
    }
    vkGetPhysicalDeviceQueueFamilyProperties2(pdev, &count, families);
    for (uint32_t i = 0; i < count; i++) {
        if (families[i].queueFamilyProperties.queueFlags & flag &&
            (video[i].videoCodecOperations & operation) == operation) {
            *out = i;
            return true;
        }
    }
    return false;
}

/* encode or decode may be 0. */
static void
choose_device(struct vk *vk, VkVideoCodecOperationFlagsKHR encode,
              VkVideoCodecOperationFlagsKHR decode)
{
    VkPhysicalDevice pdevs[8];
    uint32_t count = 8;
    REQUIRE(vkEnumeratePhysicalDevices(vk->instance, &count, pdevs) >= 0);
    for (uint32_t i = 0; i < count; i++) {
        VkPhysicalDeviceProperties properties;
        vkGetPhysicalDeviceProperties(pdevs[i], &properties);
        if (strncmp(properties.deviceName, "Reelpipe", 8) == 0 &&
            find_family(pdevs[i], VK_QUEUE_VIDEO_ENCODE_BIT_KHR, encode, &vk->encode_family)) {
            vk->pdev = pdevs[i];
            REQUIRE(find_family(vk->pdev, VK_QUEUE_COMPUTE_BIT, 0, &vk->compute_family));
            if (!find_family(vk->pdev, VK_QUEUE_VIDEO_DECODE_BIT_KHR, decode, &vk->decode_family))
                vk->decode_family = UINT32_MAX;
            return;
        }
    }
    skip();
}

/* The wanted extensions that the device has. */
static uint32_t
choose_extensions(struct vk *vk, const char **out)
{
    static const char *const wanted[] = {
        "VK_KHR_video_queue",
        "VK_KHR_video_encode_queue",
        "VK_KHR_video_encode_h264",
        "VK_KHR_video_encode_av1",
        "VK_KHR_video_decode_queue",
        "VK_KHR_video_decode_h264",
        "VK_KHR_video_decode_h265",
        "VK_KHR_video_decode_av1",
        "VK_KHR_video_maintenance1",
        "VK_KHR_synchronization2",
        "VK_KHR_video_encode_quantization_map",
        "VK_KHR_video_maintenance2",
        "VK_KHR_video_encode_intra_refresh",
        "VK_KHR_video_encode_feedback2",
        "VK_VALVE_video_encode_rgb_conversion",
        "VK_KHR_external_memory_fd",
        "VK_EXT_external_memory_host",
    };
    static VkExtensionProperties found[512];
    uint32_t found_count = 512;
    uint32_t count = 0;
    CHECK(vkEnumerateDeviceExtensionProperties(vk->pdev, NULL, &found_count, found));
    for (uint32_t i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++) {
        for (uint32_t j = 0; j < found_count; j++) {
            if (strcmp(found[j].extensionName, wanted[i]) == 0)
                out[count++] = wanted[i];
        }
    }
    return count;
}

static bool
can_copy(const struct vk *vk, uint32_t family)
{
    VkQueueFamilyProperties families[8];
    uint32_t count = 8;
    vkGetPhysicalDeviceQueueFamilyProperties(vk->pdev, &count, families);
    return families[family].queueFlags & VK_QUEUE_TRANSFER_BIT;
}

static void
create_device(struct vk *vk)
{
    const char *extensions[32];
    const float priorities[4] = {1, 1, 1, 1};
    const uint32_t counts[] = {VK_ENCODE_QUEUES, 1, VK_DECODE_QUEUES};
    const bool has_decode = vk->decode_family != UINT32_MAX;
    const uint32_t families[] = {vk->encode_family, vk->compute_family, vk->decode_family};
    VkDeviceQueueCreateInfo queues[3];
    for (uint32_t i = 0; i < 3; i++)
        queues[i] = (VkDeviceQueueCreateInfo){
            .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
            .queueFamilyIndex = families[i],
            .queueCount = counts[i],
            .pQueuePriorities = priorities,
        };
    VkPhysicalDeviceTimelineSemaphoreFeatures timeline = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_FEATURES,
        .timelineSemaphore = VK_TRUE,
    };
    VkPhysicalDeviceVideoMaintenance1FeaturesKHR maintenance1 = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VIDEO_MAINTENANCE_1_FEATURES_KHR,
        .pNext = &timeline,
        .videoMaintenance1 = VK_TRUE,
    };
    VkPhysicalDeviceVideoEncodeFeedback2FeaturesKHR feedback2 = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VIDEO_ENCODE_FEEDBACK_2_FEATURES_KHR,
        .pNext = &maintenance1,
        .videoEncodeFeedback2 = VK_TRUE,
    };
    VkPhysicalDeviceVideoEncodeAV1FeaturesKHR av1 = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VIDEO_ENCODE_AV1_FEATURES_KHR,
        .pNext = &feedback2,
    };
    vkGetPhysicalDeviceFeatures2(
        vk->pdev, &(VkPhysicalDeviceFeatures2){
                      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .pNext = &av1});
    CHECK(vkCreateDevice(
        vk->pdev,
        &(VkDeviceCreateInfo){.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                              .pNext = av1.videoEncodeAV1 ? (void *)&av1 : &feedback2,
                              .queueCreateInfoCount = has_decode ? 3 : 2,
                              .pQueueCreateInfos = queues,
                              .enabledExtensionCount = choose_extensions(vk, extensions),
                              .ppEnabledExtensionNames = extensions},
        NULL, &vk->dev));
    vk_functions_load_device(vk->dev);
    vk->video = video_device_load(vk->dev, vkGetDeviceProcAddr);
    for (uint32_t i = 0; i < VK_ENCODE_QUEUES; i++)
        vkGetDeviceQueue(vk->dev, vk->encode_family, i, &vk->encode_queues[i]);
    vkGetDeviceQueue(vk->dev, vk->compute_family, 0, &vk->compute_queue);
    vk->queue = can_copy(vk, vk->encode_family) ? vk->encode_queues[0] : vk->compute_queue;
    for (uint32_t i = 0; has_decode && i < VK_DECODE_QUEUES; i++)
        vkGetDeviceQueue(vk->dev, vk->decode_family, i, &vk->decode_queues[i]);
    vk->decode_queue = vk->decode_queues[0];
}

static VkCommandPool
create_pool(struct vk *vk, uint32_t family)
{
    VkCommandPool pool;
    CHECK(vkCreateCommandPool(
        vk->dev,
        &(VkCommandPoolCreateInfo){.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                   .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT,
                                   .queueFamilyIndex = family},
        NULL, &pool));
    return pool;
}

static VkCommandBuffer
allocate_cb(struct vk *vk, VkCommandPool pool)
{
    VkCommandBuffer cb;
    CHECK(vkAllocateCommandBuffers(
        vk->dev,
        &(VkCommandBufferAllocateInfo){.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                       .commandPool = pool,
                                       .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                       .commandBufferCount = 1},
        &cb));
    return cb;
}

static void
open_device(struct vk *vk, VkVideoCodecOperationFlagsKHR encode,
            VkVideoCodecOperationFlagsKHR decode)
{
    choose_device(vk, encode, decode);
    create_device(vk);
    const bool is_one = vk->queue == vk->encode_queues[0];
    vk->pool = create_pool(vk, is_one ? vk->encode_family : vk->compute_family);
    vk->cb = allocate_cb(vk, vk->pool);
    vk->encode_pool = is_one ? VK_NULL_HANDLE : create_pool(vk, vk->encode_family);
    vk->encode_cb = is_one ? vk->cb : allocate_cb(vk, vk->encode_pool);
}

void
vk_open(struct vk *vk)
{
    vk_open_for(vk, VK_VIDEO_CODEC_OPERATION_ENCODE_H264_BIT_KHR,
                VK_VIDEO_CODEC_OPERATION_DECODE_H264_BIT_KHR);
}

void
vk_open_as(struct vk *vk, const char *engine, uint32_t engine_version)
{
    *vk = (struct vk){0};
    create_instance(vk,
                    &(VkApplicationInfo){.pEngineName = engine, .engineVersion = engine_version});
    open_device(vk, VK_VIDEO_CODEC_OPERATION_ENCODE_H264_BIT_KHR,
                VK_VIDEO_CODEC_OPERATION_DECODE_H264_BIT_KHR);
}

void
vk_open_as_program(struct vk *vk, const char *program, VkVideoCodecOperationFlagsKHR encode,
                   VkVideoCodecOperationFlagsKHR decode)
{
    *vk = (struct vk){0};
    create_instance(vk, &(VkApplicationInfo){.pApplicationName = program});
    open_device(vk, encode, decode);
}

void
vk_open_for(struct vk *vk, VkVideoCodecOperationFlagsKHR encode,
            VkVideoCodecOperationFlagsKHR decode)
{
    vk_open_as_program(vk, NULL, encode, decode);
}

void
vk_close(struct vk *vk)
{
    CHECK(vkDeviceWaitIdle(vk->dev));
    vkDestroyCommandPool(vk->dev, vk->pool, NULL);
    vkDestroyCommandPool(vk->dev, vk->encode_pool, NULL);
    vkDestroyDevice(vk->dev, NULL);
    vkDestroyInstance(vk->instance, NULL);
}

VkCommandBuffer
vk_command_buffer(struct vk *vk)
{
    return allocate_cb(vk, vk->pool);
}

static void
begin(VkCommandBuffer cb)
{
    CHECK(vkBeginCommandBuffer(
        cb, &(VkCommandBufferBeginInfo){.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO}));
}

void
vk_begin(struct vk *vk)
{
    begin(vk->cb);
}

void
vk_begin_encode(struct vk *vk)
{
    begin(vk->encode_cb);
}

static void
submit(VkQueue queue, VkCommandBuffer cb)
{
    const VkSubmitInfo info = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
        .commandBufferCount = 1,
        .pCommandBuffers = &cb,
    };
    CHECK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
}

void
vk_submit(struct vk *vk, VkCommandBuffer cb)
{
    submit(vk->queue, cb);
}

void
vk_decode_commands_create(struct vk *vk, const VkVideoProfileInfoKHR *profile, uint32_t count,
                          VkQueryPool *status_out, VkCommandPool *pool_out,
                          VkCommandBuffer *cbs_out)
{
    const VkQueryPoolCreateInfo query_info = {
        .sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
        .pNext = profile,
        .queryType = VK_QUERY_TYPE_RESULT_STATUS_ONLY_KHR,
        .queryCount = count,
    };
    const VkCommandPoolCreateInfo pool_info = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
        .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT,
        .queueFamilyIndex = vk->decode_family,
    };
    CHECK(vkCreateQueryPool(vk->dev, &query_info, NULL, status_out));
    CHECK(vkCreateCommandPool(vk->dev, &pool_info, NULL, pool_out));
    const VkCommandBufferAllocateInfo cb_info = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
        .commandPool = *pool_out,
        .commandBufferCount = count,
    };
    CHECK(vkAllocateCommandBuffers(vk->dev, &cb_info, cbs_out));
}

VkPipeline
vk_compute_pipeline(struct vk *vk, VkPipelineLayout layout, const uint32_t *words, size_t words_B)
{
    VkShaderModule module;
    CHECK(vkCreateShaderModule(
        vk->dev,
        &(VkShaderModuleCreateInfo){.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                    .codeSize = words_B,
                                    .pCode = words},
        NULL, &module));
    const VkComputePipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .module = module,
                  .pName = "main"},
        .layout = layout,
    };
    VkPipeline pipeline;
    CHECK(vkCreateComputePipelines(vk->dev, VK_NULL_HANDLE, 1, &info, NULL, &pipeline));
    vkDestroyShaderModule(vk->dev, module, NULL);
    return pipeline;
}

static void
finish(VkQueue queue, VkCommandBuffer cb)
{
    CHECK(vkEndCommandBuffer(cb));
    submit(queue, cb);
    CHECK(vkQueueWaitIdle(queue));
}

void
vk_finish(struct vk *vk)
{
    finish(vk->queue, vk->cb);
}

void
vk_finish_encode(struct vk *vk)
{
    finish(vk->encode_queues[0], vk->encode_cb);
}

static VkDeviceMemory
allocate(struct vk *vk, const VkMemoryRequirements *requirements, const void *next)
{
    VkDeviceMemory memory;
    REQUIRE(requirements->memoryTypeBits & 1);
    CHECK(vkAllocateMemory(vk->dev,
                           &(VkMemoryAllocateInfo){.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                                   .pNext = next,
                                                   .allocationSize = requirements->size},
                           NULL, &memory));
    return memory;
}

struct vk_buffer
vk_buffer_create(struct vk *vk, VkDeviceSize size_B, VkBufferUsageFlags usage, const void *next)
{
    struct vk_buffer buf = {.size_B = size_B};
    CHECK(vkCreateBuffer(vk->dev,
                         &(VkBufferCreateInfo){.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                               .pNext = next,
                                               .size = size_B,
                                               .usage = usage},
                         NULL, &buf.handle));
    VkMemoryRequirements requirements;
    vkGetBufferMemoryRequirements(vk->dev, buf.handle, &requirements);
    buf.memory = allocate(vk, &requirements, NULL);
    CHECK(vkBindBufferMemory(vk->dev, buf.handle, buf.memory, 0));
    CHECK(vkMapMemory(vk->dev, buf.memory, 0, VK_WHOLE_SIZE, 0, (void **)&buf.data));
    return buf;
}

void
vk_buffer_destroy(struct vk *vk, struct vk_buffer *buf)
{
    vkDestroyBuffer(vk->dev, buf->handle, NULL);
    vkFreeMemory(vk->dev, buf->memory, NULL);
}

struct vk_image
vk_image_create_unbound(struct vk *vk, const struct vk_image_info *info,
                        VkMemoryRequirements *requirements_out)
{
    struct vk_image img = {
        .format = info->format,
        .width_px = info->width_px,
        .height_px = info->height_px,
        .layer_count = info->layer_count,
    };
    CHECK(vkCreateImage(vk->dev,
                        &(VkImageCreateInfo){.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                                             .pNext = info->next,
                                             .flags = info->flags,
                                             .imageType = VK_IMAGE_TYPE_2D,
                                             .format = info->format,
                                             .extent = {info->width_px, info->height_px, 1},
                                             .mipLevels = 1,
                                             .arrayLayers = info->layer_count,
                                             .samples = VK_SAMPLE_COUNT_1_BIT,
                                             .tiling = info->tiling,
                                             .usage = info->usage},
                        NULL, &img.handle));
    vkGetImageMemoryRequirements(vk->dev, img.handle, requirements_out);
    return img;
}

void
vk_image_view_create(struct vk *vk, struct vk_image *img, const VkAllocationCallbacks *alloc)
{
    CHECK(vkCreateImageView(
        vk->dev,
        &(VkImageViewCreateInfo){
            .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
            .image = img->handle,
            .viewType = img->layer_count > 1 ? VK_IMAGE_VIEW_TYPE_2D_ARRAY : VK_IMAGE_VIEW_TYPE_2D,
            .format = img->format,
            .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, img->layer_count}},
        alloc, &img->view));
}

void
vk_image_bind(struct vk *vk, struct vk_image *img, VkDeviceMemory memory, VkDeviceSize offset_B)
{
    CHECK(vkBindImageMemory(vk->dev, img->handle, memory, offset_B));
    vk_image_view_create(vk, img, NULL);
}

struct vk_image
vk_image_create(struct vk *vk, const struct vk_image_info *info)
{
    VkMemoryRequirements requirements;
    struct vk_image img = vk_image_create_unbound(vk, info, &requirements);
    const VkExportMemoryAllocateInfo exported = {VK_STRUCTURE_TYPE_EXPORT_MEMORY_ALLOCATE_INFO,
                                                 NULL,
                                                 VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT};
    img.memory = allocate(vk, &requirements, info->is_exported ? &exported : NULL);
    vk_image_bind(vk, &img, img.memory, 0);
    return img;
}

VkDeviceMemory
vk_image_import_memory(struct vk *vk, const struct vk_image *img)
{
    const VkMemoryGetFdInfoKHR get = {VK_STRUCTURE_TYPE_MEMORY_GET_FD_INFO_KHR, NULL, img->memory,
                                      VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT};
    VkImportMemoryFdInfoKHR import = {VK_STRUCTURE_TYPE_IMPORT_MEMORY_FD_INFO_KHR, NULL,
                                      VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT, -1};
    VkMemoryRequirements requirements;
    CHECK(vkGetMemoryFdKHR(vk->dev, &get, &import.fd));
    vkGetImageMemoryRequirements(vk->dev, img->handle, &requirements);
    return allocate(vk, &requirements, &import);
}

void
vk_image_destroy(struct vk *vk, struct vk_image *img)
{
    vkDestroyImageView(vk->dev, img->view, NULL);
    vkDestroyImage(vk->dev, img->handle, NULL);
    vkFreeMemory(vk->dev, img->memory, NULL);
}

static size_t
luma_size_B(const struct vk_image *img)
{
    const bool has_words = img->format == VK_FORMAT_G10X6_B10X6R10X6_2PLANE_420_UNORM_3PACK16;
    return (size_t)img->width_px * img->height_px * (has_words ? 2 : 1);
}

static uint32_t
plane_regions(const struct vk_image *img, uint32_t layer, VkBufferImageCopy *out)
{
    const uint32_t count = img->format == VK_FORMAT_G8_B8_R8_3PLANE_420_UNORM ? 3 : 2;
    const VkDeviceSize luma_B = luma_size_B(img);
    for (uint32_t i = 0; i < count; i++) {
        out[i] = (VkBufferImageCopy){
            .bufferOffset = i == 0 ? 0 : luma_B + (i - 1) * (luma_B / 4),
            .imageSubresource = {VK_IMAGE_ASPECT_PLANE_0_BIT << i, 0, layer, 1},
            .imageExtent = {i ? img->width_px / 2 : img->width_px,
                            i ? img->height_px / 2 : img->height_px, 1},
        };
    }
    return count;
}

static void
interleave(const uint8_t *u, const uint8_t *v, uint8_t *uv, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uv[2 * i] = u[i];
        uv[2 * i + 1] = v[i];
    }
}

void
vk_image_write_i420(struct vk *vk, const struct vk_image *img, uint32_t layer,
                    const uint8_t *pixels)
{
    const size_t luma_B = (size_t)img->width_px * img->height_px;
    struct vk_buffer buf =
        vk_buffer_create(vk, luma_B * 3 / 2, VK_BUFFER_USAGE_TRANSFER_SRC_BIT, NULL);
    memcpy(buf.data, pixels, luma_B * 3 / 2);
    if (img->format == VK_FORMAT_G8_B8R8_2PLANE_420_UNORM)
        interleave(pixels + luma_B, pixels + luma_B * 5 / 4, buf.data + luma_B, luma_B / 4);

    VkBufferImageCopy regions[3];
    const uint32_t count = plane_regions(img, layer, regions);
    vk_begin(vk);
    vkCmdCopyBufferToImage(vk->cb, buf.handle, img->handle, VK_IMAGE_LAYOUT_GENERAL, count,
                           regions);
    vk_finish(vk);
    vk_buffer_destroy(vk, &buf);
}

void
vk_image_read(struct vk *vk, const struct vk_image *img, uint32_t layer, uint8_t *planes)
{
    const size_t luma_B = luma_size_B(img);
    struct vk_buffer buf =
        vk_buffer_create(vk, luma_B * 3 / 2, VK_BUFFER_USAGE_TRANSFER_DST_BIT, NULL);
    VkBufferImageCopy regions[3];
    const uint32_t count = plane_regions(img, layer, regions);
    vk_begin(vk);
    vkCmdCopyImageToBuffer(vk->cb, img->handle, VK_IMAGE_LAYOUT_GENERAL, buf.handle, count,
                           regions);
    vk_finish(vk);
    memcpy(planes, buf.data, luma_B * 3 / 2);
    vk_buffer_destroy(vk, &buf);
}

void
vk_image_read_i420(struct vk *vk, const struct vk_image *img, uint32_t layer, uint8_t *pixels)
{
    const size_t luma_B = luma_size_B(img);
    vk_image_read(vk, img, layer, pixels);
    if (img->format != VK_FORMAT_G8_B8R8_2PLANE_420_UNORM)
        return;
    uint8_t *uv = malloc(luma_B / 2);
    REQUIRE(uv);
    memcpy(uv, pixels + luma_B, luma_B / 2);
    for (size_t i = 0; i < luma_B / 4; i++) {
        pixels[luma_B + i] = uv[2 * i];
        pixels[luma_B * 5 / 4 + i] = uv[2 * i + 1];
    }
    free(uv);
}
