/* SPDX-License-Identifier: MIT */
/* What extensions add to memory, images, queues and command buffers.
 */
#include "fixture.h"

#include <unistd.h>

#define MEMORY_B 65536u

struct memory_events {
    uint32_t count;
    VkDeviceMemoryReportCallbackDataEXT event[8];
};

static VKAPI_ATTR void VKAPI_CALL
keep_event(const VkDeviceMemoryReportCallbackDataEXT *data, void *user)
{
    struct memory_events *events = user;
    REQUIRE(events->count < 8);
    events->event[events->count++] = *data;
}

static VkDevice
device_with_reports(struct fixture *f, struct memory_events *events)
{
    static const float priority = 1.0f;
    static const char *const names[] = {VK_EXT_DEVICE_MEMORY_REPORT_EXTENSION_NAME,
                                        VK_KHR_EXTERNAL_MEMORY_FD_EXTENSION_NAME};
    const VkDeviceDeviceMemoryReportCreateInfoEXT report = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_DEVICE_MEMORY_REPORT_CREATE_INFO_EXT,
        .pfnUserCallback = keep_event,
        .pUserData = events,
    };
    const VkPhysicalDeviceDeviceMemoryReportFeaturesEXT feature = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEVICE_MEMORY_REPORT_FEATURES_EXT,
        .pNext = (void *)&report,
        .deviceMemoryReport = VK_TRUE,
    };
    const VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                           .queueCount = 1,
                                           .pQueuePriorities = &priority};
    const VkDeviceCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
        .pNext = &feature,
        .queueCreateInfoCount = 1,
        .pQueueCreateInfos = &queue,
        .enabledExtensionCount = 2,
        .ppEnabledExtensionNames = names,
    };
    VkDevice dev;
    REQUIRE_EQ(vkCreateDevice(f->pdev, &info, NULL, &dev), VK_SUCCESS);
    return dev;
}

static void
memory_reports_name_what_is_shared(struct fixture *f)
{
    if (!fixture_has_extension(f, VK_KHR_EXTERNAL_MEMORY_FD_EXTENSION_NAME))
        return;
    struct memory_events events = {0};
    VkDevice dev = device_with_reports(f, &events);
    const VkExportMemoryAllocateInfo export = {
        .sType = VK_STRUCTURE_TYPE_EXPORT_MEMORY_ALLOCATE_INFO,
        .handleTypes = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT,
    };
    VkMemoryAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                 .pNext = &export,
                                 .allocationSize = MEMORY_B};
    VkDeviceMemory first, second;
    REQUIRE_EQ(vkAllocateMemory(dev, &info, NULL, &first), VK_SUCCESS);
    VkImportMemoryFdInfoKHR import = {
        .sType = VK_STRUCTURE_TYPE_IMPORT_MEMORY_FD_INFO_KHR,
        .handleType = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT,
    };
    const VkMemoryGetFdInfoKHR get = {.sType = VK_STRUCTURE_TYPE_MEMORY_GET_FD_INFO_KHR,
                                      .memory = first,
                                      .handleType = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT};
    REQUIRE_EQ(vkGetMemoryFdKHR(dev, &get, &import.fd), VK_SUCCESS);
    info.pNext = &import;
    REQUIRE_EQ(vkAllocateMemory(dev, &info, NULL, &second), VK_SUCCESS);
    info.pNext = NULL;
    info.allocationSize = UINT64_C(1) << 60;
    VkDeviceMemory none;
    REQUIRE_EQ(vkAllocateMemory(dev, &info, NULL, &none), VK_ERROR_OUT_OF_DEVICE_MEMORY);
    vkFreeMemory(dev, second, NULL);
    vkFreeMemory(dev, first, NULL);

    const struct {
        VkDeviceMemoryReportEventTypeEXT type;
        uint64_t handle;
        uint64_t size_B;
    } expected[5] = {
        {VK_DEVICE_MEMORY_REPORT_EVENT_TYPE_ALLOCATE_EXT, (uint64_t)first, MEMORY_B},
        {VK_DEVICE_MEMORY_REPORT_EVENT_TYPE_IMPORT_EXT, (uint64_t)second, MEMORY_B},
        {VK_DEVICE_MEMORY_REPORT_EVENT_TYPE_ALLOCATION_FAILED_EXT, 0, UINT64_C(1) << 60},
        {VK_DEVICE_MEMORY_REPORT_EVENT_TYPE_UNIMPORT_EXT, (uint64_t)second, MEMORY_B},
        {VK_DEVICE_MEMORY_REPORT_EVENT_TYPE_FREE_EXT, (uint64_t)first, MEMORY_B},
    };
    REQUIRE_EQ(events.count, 5);
    REQUIRE(events.event[0].memoryObjectId != 0);
    for (uint32_t i = 0; i < 5; i++) {
        REQUIRE_EQ(events.event[i].type, expected[i].type);
        REQUIRE_EQ(events.event[i].objectHandle, expected[i].handle);
        REQUIRE_EQ(events.event[i].size, expected[i].size_B);
        REQUIRE_EQ(events.event[i].objectType, VK_OBJECT_TYPE_DEVICE_MEMORY);
        REQUIRE_EQ(events.event[i].memoryObjectId,
                   expected[i].handle ? events.event[0].memoryObjectId : 0);
    }
    vkDestroyDevice(dev, NULL);
}

struct binding_events {
    uint32_t count;
    uint64_t object[8];
    VkDeviceAddressBindingCallbackDataEXT data[8];
};

static VKAPI_ATTR VkBool32 VKAPI_CALL
keep_binding(VkDebugUtilsMessageSeverityFlagBitsEXT severity, VkDebugUtilsMessageTypeFlagsEXT type,
             const VkDebugUtilsMessengerCallbackDataEXT *message, void *user)
{
    struct binding_events *events = user;
    REQUIRE_EQ(severity, VK_DEBUG_UTILS_MESSAGE_SEVERITY_INFO_BIT_EXT);
    REQUIRE_EQ(type, VK_DEBUG_UTILS_MESSAGE_TYPE_DEVICE_ADDRESS_BINDING_BIT_EXT);
    const VkDeviceAddressBindingCallbackDataEXT *data = message->pNext;
    REQUIRE_EQ(data->sType, VK_STRUCTURE_TYPE_DEVICE_ADDRESS_BINDING_CALLBACK_DATA_EXT);
    REQUIRE(events->count < 8);
    events->object[events->count] = message->pObjects[0].objectHandle;
    events->data[events->count++] = *data;
    return VK_FALSE;
}

static void
bindings_are_told_and_taken_back(struct fixture *f)
{
    struct binding_events events = {0};
    const VkDebugUtilsMessengerCreateInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
        .messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_INFO_BIT_EXT,
        .messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_DEVICE_ADDRESS_BINDING_BIT_EXT,
        .pfnUserCallback = keep_binding,
        .pUserData = &events,
    };
    VkDebugUtilsMessengerEXT messenger;
    REQUIRE_EQ(vkCreateDebugUtilsMessengerEXT(f->instance, &info, NULL, &messenger), VK_SUCCESS);
    struct test_buffer buf = test_buffer_create(f, 4096, 0);
    const struct test_buffer kept = buf;
    test_buffer_destroy(f, &buf);
    vkDestroyDebugUtilsMessengerEXT(f->instance, messenger, NULL);

    REQUIRE_EQ(events.count, 4); /* memory and buffer come, and go in whatever order */
    uint32_t balance = 0;
    for (uint32_t i = 0; i < 4; i++) {
        const bool is_bind = i < 2;
        REQUIRE_EQ(events.data[i].bindingType, is_bind ? VK_DEVICE_ADDRESS_BINDING_TYPE_BIND_EXT
                                                       : VK_DEVICE_ADDRESS_BINDING_TYPE_UNBIND_EXT);
        REQUIRE_EQ(events.data[i].baseAddress, (uintptr_t)kept.bytes);
        REQUIRE_EQ(events.data[i].size, 4096);
        balance += events.object[i] == (uint64_t)kept.handle ? 1 : 0;
        balance += events.object[i] == (uint64_t)kept.memory ? 16 : 0;
    }
    REQUIRE_EQ(balance, 2 + 32);
}

static VkCommandBuffer
secondary_begin(struct fixture *f)
{
    const VkCommandBufferInheritanceInfo inheritance = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
    const VkCommandBufferBeginInfo begin = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
        .flags = VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT,
        .pInheritanceInfo = &inheritance,
    };
    VkCommandBuffer cb = test_cb_create(f, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    REQUIRE_EQ(vkBeginCommandBuffer(cb, &begin), VK_SUCCESS);
    return cb;
}

static void
secondary_command_buffers_nest(struct fixture *f)
{
    enum { DEPTH = 64 };
    struct test_buffer buf = test_buffer_create(f, 4 * DEPTH, 0);
    VkCommandBuffer cb[DEPTH];

    for (uint32_t i = 0; i < DEPTH; i++) {
        cb[i] = secondary_begin(f);
        vkCmdFillBuffer(cb[i], buf.handle, 4 * i, 4, i + 1);
        if (i)
            vkCmdExecuteCommands(cb[i], 1, &cb[i - 1]);
        REQUIRE_EQ(vkEndCommandBuffer(cb[i]), VK_SUCCESS);
    }
    test_begin(f);
    vkCmdExecuteCommands(f->cb, 1, &cb[DEPTH - 1]);
    test_submit_and_wait(f);
    for (uint32_t i = 0; i < DEPTH; i++)
        REQUIRE_EQ(buf.words[i], i + 1);

    vkFreeCommandBuffers(f->dev, f->pool, DEPTH, cb);
    test_buffer_destroy(f, &buf);
}

static VkDeviceAddress
address_of(struct fixture *f, const struct test_buffer *buf)
{
    const VkBufferDeviceAddressInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
                                            .buffer = buf->handle};
    return vkGetBufferDeviceAddress(f->dev, &info);
}

static void
copies_by_address_read_their_parameters_late(struct fixture *f)
{
    struct test_buffer params = test_buffer_create(f, 256, 0);
    struct test_buffer data = test_buffer_create(f, 64, 0);
    const VkDeviceAddress base = address_of(f, &data);
    const VkCopyMemoryIndirectInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_COPY_MEMORY_INDIRECT_INFO_KHR,
        .copyCount = 3, /* but the range ends after the second */
        .copyAddressRange = {address_of(f, &params), 40 + sizeof(VkCopyMemoryIndirectCommandKHR),
                             40},
    };
    test_begin(f);
    vkCmdCopyMemoryIndirectKHR(f->cb, &info);
    for (uint32_t i = 0; i < 3; i++)
        memcpy(params.bytes + (size_t)40 * i,
               &(VkCopyMemoryIndirectCommandKHR){base, base + 16 + 16 * i, 8 + 4 * i},
               sizeof(VkCopyMemoryIndirectCommandKHR));
    for (uint32_t i = 0; i < 4; i++)
        data.words[i] = 10 + i;
    test_submit_and_wait(f);

    const uint32_t expected[16] = {10, 11, 12, 13, 10, 11, 0, 0, 10, 11, 12};
    REQUIRE_BYTES(data.words, expected, sizeof(expected));
    test_buffer_destroy(f, &params);
    test_buffer_destroy(f, &data);
}

/* The capture of a submission that may reach any buffer does not look for what is gone. */
static void
memory_goes_before_what_is_bound_to_it(struct fixture *f)
{
    struct test_buffer params = test_buffer_create(f, 64, 0);
    struct test_buffer gone = test_buffer_create(f, MEMORY_B, 1);
    struct test_image img = test_image_create(f, VK_FORMAT_R32_UINT, 4, 4);
    const VkCopyMemoryIndirectInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_COPY_MEMORY_INDIRECT_INFO_KHR,
        .copyCount = 1,
        .copyAddressRange = {address_of(f, &params), 24, 24},
    };
    const VkDeviceAddress from = address_of(f, &params) + 32;
    memcpy(params.bytes, &(VkCopyMemoryIndirectCommandKHR){from, from + 4, 4}, 24);
    params.words[8] = 7;
    vkFreeMemory(f->dev, gone.memory, f->alloc);
    vkFreeMemory(f->dev, img.memory, f->alloc);
    test_begin(f);
    vkCmdCopyMemoryIndirectKHR(f->cb, &info);
    test_submit_and_wait(f);
    REQUIRE_EQ(params.words[9], 7);
    gone.memory = img.memory = VK_NULL_HANDLE;
    test_buffer_destroy(f, &gone);
    test_image_destroy(f, &img);
    test_buffer_destroy(f, &params);
}

static void
images_are_written_by_address(struct fixture *f)
{
    struct test_buffer params = test_buffer_create(f, 256, 0);
    struct test_buffer data = test_buffer_create(f, 64, 0);
    struct test_image img = test_image_create(f, VK_FORMAT_R32_UINT, 4, 4);
    const VkImageSubresourceLayers layers = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
    const VkCopyMemoryToImageIndirectCommandKHR command = {
        .srcAddress = address_of(f, &data),
        .bufferRowLength = 3,
        .imageSubresource = layers,
        .imageOffset = {1, 2, 0},
        .imageExtent = {2, 2, 1},
    };
    memcpy(params.bytes, &command, sizeof(command));
    for (uint32_t i = 0; i < 16; i++)
        data.words[i] = 100 + i;
    const VkCopyMemoryToImageIndirectInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_COPY_MEMORY_TO_IMAGE_INDIRECT_INFO_KHR,
        .copyCount = 1,
        .copyAddressRange = {address_of(f, &params), sizeof(command), sizeof(command)},
        .dstImage = img.handle,
        .dstImageLayout = VK_IMAGE_LAYOUT_GENERAL,
        .pImageSubresources = &layers,
    };
    const VkClearColorValue zero = {{0}};
    const VkImageSubresourceRange range = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
    const VkBufferImageCopy back = {.imageSubresource = layers, .imageExtent = {4, 4, 1}};
    struct test_buffer out = test_buffer_create(f, 64, 0xee);
    test_begin(f);
    vkCmdClearColorImage(f->cb, img.handle, VK_IMAGE_LAYOUT_GENERAL, &zero, 1, &range);
    vkCmdCopyMemoryToImageIndirectKHR(f->cb, &info);
    vkCmdCopyImageToBuffer(f->cb, img.handle, VK_IMAGE_LAYOUT_GENERAL, out.handle, 1, &back);
    test_submit_and_wait(f);

    const uint32_t expected[16] = {[9] = 100, [10] = 101, [13] = 103, [14] = 104};
    REQUIRE_BYTES(out.words, expected, sizeof(expected));
    test_buffer_destroy(f, &out);
    test_image_destroy(f, &img);
    test_buffer_destroy(f, &data);
    test_buffer_destroy(f, &params);
}

static VkResult
query_usage(struct fixture *f, VkImageUsageFlags usage, VkImageUsageFlags2KHR usage2,
            VkImageCreateFlags2KHR flags2)
{
    VkImageCreateFlags2CreateInfoKHR flags_info = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_FLAGS_2_CREATE_INFO_KHR, .flags = flags2};
    VkImageUsageFlags2CreateInfoKHR usage_info = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_USAGE_FLAGS_2_CREATE_INFO_KHR,
        .pNext = &flags_info,
        .usage = usage2,
    };
    const VkPhysicalDeviceImageFormatInfo2 info = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_FORMAT_INFO_2,
        .pNext = &usage_info,
        .format = VK_FORMAT_R8_UNORM,
        .type = VK_IMAGE_TYPE_2D,
        .usage = usage,
    };
    VkImageFormatProperties2 out = {.sType = VK_STRUCTURE_TYPE_IMAGE_FORMAT_PROPERTIES_2};
    return vkGetPhysicalDeviceImageFormatProperties2(f->pdev, &info, &out);
}

static void
extended_flags_replace_the_plain_ones(struct fixture *f)
{
    const VkImageUsageFlags good = VK_IMAGE_USAGE_TRANSFER_SRC_BIT;
    const VkImageUsageFlags bad = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT;

    REQUIRE_EQ(query_usage(f, good, good, 0), VK_SUCCESS);
    REQUIRE_EQ(query_usage(f, bad, good, 0), VK_SUCCESS);
    REQUIRE_EQ(query_usage(f, good, bad, 0), VK_ERROR_FORMAT_NOT_SUPPORTED);
    REQUIRE_EQ(query_usage(f, good, good | UINT64_C(1) << 40, 0), VK_ERROR_FORMAT_NOT_SUPPORTED);
    REQUIRE_EQ(query_usage(f, good, good, VK_IMAGE_CREATE_2_CUBE_COMPATIBLE_BIT_KHR), VK_SUCCESS);
    REQUIRE_EQ(query_usage(f, good, good, VK_IMAGE_CREATE_2_SPARSE_BINDING_BIT_KHR),
               VK_ERROR_FORMAT_NOT_SUPPORTED);
    REQUIRE_EQ(query_usage(f, good, good, UINT64_C(1) << 40), VK_ERROR_FORMAT_NOT_SUPPORTED);
}

/* VK_KHR_maintenance8. */
static void
depth_is_copied_to_colour_and_back(struct fixture *f)
{
    struct test_buffer in = test_buffer_create(f, 64, 0xff);
    struct test_buffer out = test_buffer_create(f, 64, 0);
    struct test_image colour = test_image_create(f, VK_FORMAT_R32_UINT, 4, 4);
    struct test_image depth = test_image_create(f, VK_FORMAT_X8_D24_UNORM_PACK32, 4, 4);
    const VkImageSubresourceLayers c = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
    const VkImageSubresourceLayers d = {VK_IMAGE_ASPECT_DEPTH_BIT, 0, 0, 1};
    const VkBufferImageCopy whole = {.imageSubresource = c, .imageExtent = {4, 4, 1}};
    const VkImageCopy to_depth = {.srcSubresource = c, .dstSubresource = d, .extent = {4, 4, 1}};
    const VkImageCopy to_colour = {.srcSubresource = d, .dstSubresource = c, .extent = {4, 4, 1}};
    const VkImageLayout general = VK_IMAGE_LAYOUT_GENERAL;

    test_begin(f);
    vkCmdCopyBufferToImage(f->cb, in.handle, colour.handle, general, 1, &whole);
    vkCmdCopyImage(f->cb, colour.handle, general, depth.handle, general, 1, &to_depth);
    vkCmdCopyImage(f->cb, depth.handle, general, colour.handle, general, 1, &to_colour);
    vkCmdCopyImageToBuffer(f->cb, colour.handle, general, out.handle, 1, &whole);
    test_submit_and_wait(f);

    for (uint32_t i = 0; i < 16; i++)
        REQUIRE_EQ(out.words[i], 0x00ffffffu); /* what is no depth is dropped */
    test_image_destroy(f, &depth);
    test_image_destroy(f, &colour);
    test_buffer_destroy(f, &out);
    test_buffer_destroy(f, &in);
}

/* VK_KHR_maintenance9. */
static void
queries_are_made_reset(struct fixture *f)
{
    const VkQueryPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
                                        .flags = VK_QUERY_POOL_CREATE_RESET_BIT_KHR,
                                        .queryType = VK_QUERY_TYPE_TIMESTAMP,
                                        .queryCount = 2};
    VkQueryPool pool;
    uint64_t out[4] = {7, 7, 7, 7};
    REQUIRE_EQ(vkCreateQueryPool(f->dev, &info, NULL, &pool), VK_SUCCESS);
    test_begin(f);
    vkCmdWriteTimestamp2(f->cb, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, pool, 1);
    test_submit_and_wait(f);
    REQUIRE_EQ(
        vkGetQueryPoolResults(f->dev, pool, 0, 2, sizeof(out), out, 16,
                              VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WITH_AVAILABILITY_BIT),
        VK_NOT_READY);
    REQUIRE_EQ(out[1], 0);
    REQUIRE_EQ(out[3], 1);
    vkDestroyQueryPool(f->dev, pool, NULL);
}

static void
a_device_needs_no_queues(struct fixture *f)
{
    static const char *const name = VK_KHR_MAINTENANCE_9_EXTENSION_NAME;
    const VkPhysicalDeviceMaintenance9FeaturesKHR feature = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_9_FEATURES_KHR,
        .maintenance9 = VK_TRUE};
    const VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                     .pNext = &feature,
                                     .enabledExtensionCount = 1,
                                     .ppEnabledExtensionNames = &name};
    struct fixture own = {.instance = f->instance, .pdev = f->pdev};
    REQUIRE_EQ(vkCreateDevice(f->pdev, &info, NULL, &own.dev), VK_SUCCESS);
    REQUIRE_EQ(vkDeviceWaitIdle(own.dev), VK_SUCCESS);
    struct test_buffer buf = test_buffer_create(&own, 16, 0xee);
    test_buffer_destroy(&own, &buf);
    vkDestroyDevice(own.dev, NULL);
}

static void
images_may_be_used_by_every_family(struct fixture *f)
{
    VkQueueFamilyOwnershipTransferPropertiesKHR transfer[FIXTURE_MAX_FAMILIES];
    VkQueueFamilyProperties2 out[FIXTURE_MAX_FAMILIES];
    uint32_t count = f->family_count;
    for (uint32_t i = 0; i < count; i++) {
        transfer[i] = (VkQueueFamilyOwnershipTransferPropertiesKHR){
            .sType = VK_STRUCTURE_TYPE_QUEUE_FAMILY_OWNERSHIP_TRANSFER_PROPERTIES_KHR};
        out[i] = (VkQueueFamilyProperties2){.sType = VK_STRUCTURE_TYPE_QUEUE_FAMILY_PROPERTIES_2,
                                            .pNext = &transfer[i]};
    }
    vkGetPhysicalDeviceQueueFamilyProperties2(f->pdev, &count, out);
    for (uint32_t i = 0; i < count; i++)
        REQUIRE_EQ(transfer[i].optimalImageTransferToQueueFamilies, (1u << count) - 1);
}

/* They change what a module may hold, and nothing else (tests/compute/kernels/forms.spvasm). */
static void
names_of_hlsl_are_taken(struct fixture *f)
{
    REQUIRE(fixture_has_extension(f, VK_GOOGLE_DECORATE_STRING_EXTENSION_NAME));
    REQUIRE(fixture_has_extension(f, VK_GOOGLE_HLSL_FUNCTIONALITY_1_EXTENSION_NAME));
    REQUIRE(fixture_has_extension(f, VK_GOOGLE_USER_TYPE_EXTENSION_NAME));
}

/* As bits, in the order of the structure. */
static uint32_t
accelerated_dot_products(const VkBool32 *first, const VkBool32 *last)
{
    uint32_t bits = 0;
    REQUIRE_EQ(last - first, 29);
    for (uint32_t i = 0; i < 30; i++)
        bits |= first[i] << i;
    return bits;
}

static void
packed_dot_products_alone_are_accelerated(struct fixture *f)
{
    VkPhysicalDeviceShaderIntegerDotProductProperties own = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_INTEGER_DOT_PRODUCT_PROPERTIES};
    VkPhysicalDeviceVulkan13Properties core = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_PROPERTIES, .pNext = &own};
    VkPhysicalDeviceProperties2 all = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
                                       .pNext = &core};
    vkGetPhysicalDeviceProperties2(f->pdev, &all);
    const uint32_t bits = accelerated_dot_products(
        &own.integerDotProduct8BitUnsignedAccelerated,
        &own.integerDotProductAccumulatingSaturating64BitMixedSignednessAccelerated);
    REQUIRE_EQ(bits, 7u << 3); /* 4x8BitPacked: unsigned, signed, mixed */
    REQUIRE_EQ(bits,
               accelerated_dot_products(
                   &core.integerDotProduct8BitUnsignedAccelerated,
                   &core.integerDotProductAccumulatingSaturating64BitMixedSignednessAccelerated));
}

static const struct test_case cases[] = {
    TEST_CASE(memory_reports_name_what_is_shared),
    TEST_CASE(bindings_are_told_and_taken_back),
    TEST_CASE(secondary_command_buffers_nest),
    TEST_CASE(copies_by_address_read_their_parameters_late),
    TEST_CASE(memory_goes_before_what_is_bound_to_it),
    TEST_CASE(images_are_written_by_address),
    TEST_CASE(extended_flags_replace_the_plain_ones),
    TEST_CASE(depth_is_copied_to_colour_and_back),
    TEST_CASE(queries_are_made_reset),
    TEST_CASE(a_device_needs_no_queues),
    TEST_CASE(images_may_be_used_by_every_family),
    TEST_CASE(names_of_hlsl_are_taken),
    TEST_CASE(packed_dot_products_alone_are_accelerated),
};

TEST_MAIN(cases)
