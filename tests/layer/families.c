/* SPDX-License-Identifier: MIT */
/* Families that the lower device does not know: where it has a single one, that one is shown again
 * for computing and for copying, as queues of their own. Over a lower device with several families
 * there are lent ones alone.
 */
#include "gate.h"
#include "point.h"

#include <string.h>

#define CHECK(call) REQUIRE_EQ((call), VK_SUCCESS)
#define IGNORED VK_QUEUE_FAMILY_IGNORED
#define ALL VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT
#define SIZE_PX 64u
#define PICTURE_B (SIZE_PX * SIZE_PX * 3 / 2) /* NV12 */

static const struct point none;

static bool
has_aliases(const struct fixture *f)
{
    return !(f->family[2].queueFlags & VK_QUEUE_VIDEO_ENCODE_BIT_KHR);
}

static void
a_single_family_is_shown_again(struct fixture *f)
{
    VkQueueFamilyVideoPropertiesKHR video[FIXTURE_MAX_FAMILIES];
    VkQueueFamilyProperties2 families[FIXTURE_MAX_FAMILIES];
    uint32_t count = FIXTURE_MAX_FAMILIES;

    if (!needs_own_lower())
        return;
    for (uint32_t i = 0; i < count; i++) {
        video[i] = (VkQueueFamilyVideoPropertiesKHR){
            .sType = VK_STRUCTURE_TYPE_QUEUE_FAMILY_VIDEO_PROPERTIES_KHR,
            .videoCodecOperations = 99,
        };
        families[i] = (VkQueueFamilyProperties2){
            .sType = VK_STRUCTURE_TYPE_QUEUE_FAMILY_PROPERTIES_2,
            .pNext = &video[i],
        };
    }
    vkGetPhysicalDeviceQueueFamilyProperties2(f->pdev, &count, families);
    REQUIRE_EQ(count, f->family_count);
    for (uint32_t i = 0; i < count; i++)
        REQUIRE(memcmp(&families[i].queueFamilyProperties, &f->family[i], sizeof(f->family[i])) ==
                0);
    if (!has_aliases(f)) {
        REQUIRE(f->family[2].queueFlags & VK_QUEUE_VIDEO_ENCODE_BIT_KHR);
        return;
    }
    REQUIRE_EQ(count, 5);
    REQUIRE_EQ(f->family[1].queueFlags, VK_QUEUE_COMPUTE_BIT | VK_QUEUE_TRANSFER_BIT);
    REQUIRE_EQ(f->family[2].queueFlags, VK_QUEUE_TRANSFER_BIT);
    for (uint32_t i = 1; i < 3; i++) {
        REQUIRE_EQ(f->family[i].queueCount, 1);
        REQUIRE_EQ(video[i].videoCodecOperations, 0);
    }
    count = 2;
    vkGetPhysicalDeviceQueueFamilyProperties2(f->pdev, &count, families);
    REQUIRE_EQ(count, 2);
}

/* Each waits for the one that is submitted next: as one queue they would stand before each other
 * for ever. */
static void
queues_of_all_families_wait_for_each_other(struct fixture *f)
{
    const VkSemaphore order = test_timeline_create(f);
    const uint32_t count = f->family_count;
    uint64_t value;

    for (uint32_t round = 0; round < 4; round++) {
        const uint64_t base = (uint64_t)round * count;
        for (uint32_t i = 0; i < count; i++)
            point_submit(f->queues[i], VK_NULL_HANDLE, (struct point){order, base + count - 1 - i},
                         (struct point){order, base + count - i},
                         i == 0 ? f->fence : VK_NULL_HANDLE);
        fence_wait_and_reset(f);
    }
    CHECK(vkGetSemaphoreCounterValue(f->dev, order, &value));
    REQUIRE_EQ(value, 4 * (uint64_t)count);
    for (uint32_t i = 0; i < count; i++) {
        CHECK(vkQueueWaitIdle(f->queues[i]));
        for (uint32_t k = 0; k < i; k++)
            REQUIRE(f->queues[i] != f->queues[k]);
    }
    vkDestroySemaphore(f->dev, order, NULL);
}

static void
record_barrier(VkCommandBuffer cb, VkImage image, VkImageLayout from, VkImageLayout to,
               uint32_t from_family, uint32_t to_family)
{
    const VkImageMemoryBarrier2 info = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2,
        .srcStageMask = ALL,
        .srcAccessMask = VK_ACCESS_2_MEMORY_WRITE_BIT,
        .dstStageMask = ALL,
        .dstAccessMask = VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT,
        .oldLayout = from,
        .newLayout = to,
        .srcQueueFamilyIndex = from_family,
        .dstQueueFamilyIndex = to_family,
        .image = image,
        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1},
    };
    const VkDependencyInfo dependency = {
        .sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
        .imageMemoryBarrierCount = 1,
        .pImageMemoryBarriers = &info,
    };
    vkCmdPipelineBarrier2(cb, &dependency);
}

/* How many barriers have changed a layout. */
static uint32_t
layout_changes(void)
{
    return lower_count("lower_layout_changes");
}

static void
fill_copies(VkBufferImageCopy copies[2])
{
    for (uint32_t i = 0; i < 2; i++)
        copies[i] = (VkBufferImageCopy){
            .bufferOffset = i * SIZE_PX * SIZE_PX,
            .imageSubresource = {VK_IMAGE_ASPECT_PLANE_0_BIT << i, 0, 0, 1},
            .imageExtent = {SIZE_PX >> i, SIZE_PX >> i, 1},
        };
}

/* From a buffer through an image that goes from family 0 to another one into a second buffer; who
 * acquires it is submitted first. Returns how often the layout changes on the way. */
static uint32_t
pass_on(struct fixture *f, const VkImageCreateInfo *info, uint32_t family)
{
    const VkCommandPoolCreateInfo pool_info = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
        .queueFamilyIndex = family,
    };
    struct test_buffer from = test_buffer_create(f, PICTURE_B, 0);
    struct test_buffer to = test_buffer_create(f, PICTURE_B, 0);
    struct test_image img = test_image_create_with(f, info);
    const VkSemaphore order = test_timeline_create(f);
    VkBufferImageCopy copies[2];
    VkCommandPool pool;
    VkCommandBuffer cb;

    for (uint32_t i = 0; i < PICTURE_B; i++)
        from.bytes[i] = (uint8_t)(i * 7 + i / 61);
    fill_copies(copies);
    CHECK(vkCreateCommandPool(f->dev, &pool_info, NULL, &pool));
    const VkCommandBufferAllocateInfo cb_info = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
        .commandPool = pool,
        .commandBufferCount = 1,
    };
    const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    CHECK(vkAllocateCommandBuffers(f->dev, &cb_info, &cb));
    test_begin(f);
    record_barrier(f->cb, img.handle, VK_IMAGE_LAYOUT_UNDEFINED,
                   VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, IGNORED, IGNORED);
    vkCmdCopyBufferToImage(f->cb, from.handle, img.handle, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 2,
                           copies);
    const uint32_t before = layout_changes();
    record_barrier(f->cb, img.handle, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                   VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, 0, family);
    CHECK(vkEndCommandBuffer(f->cb));
    CHECK(vkBeginCommandBuffer(cb, &begin));
    record_barrier(cb, img.handle, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                   VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, 0, family);
    const uint32_t changes = layout_changes() - before;
    vkCmdCopyImageToBuffer(cb, img.handle, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, to.handle, 2,
                           copies);
    CHECK(vkEndCommandBuffer(cb));
    point_submit(f->queues[family], cb, (struct point){order, 1}, none, f->fence);
    point_submit(f->queue, f->cb, none, (struct point){order, 1}, VK_NULL_HANDLE);
    fence_wait_and_reset(f);
    REQUIRE(memcmp(from.bytes, to.bytes, PICTURE_B) == 0);

    vkDestroySemaphore(f->dev, order, NULL);
    vkDestroyCommandPool(f->dev, pool, NULL);
    test_image_destroy(f, &img);
    test_buffer_destroy(f, &to);
    test_buffer_destroy(f, &from);
    return changes;
}

/* Between families that are one below a transfer is none; nor is it one of a picture, which is
 * shared below. */
static void
ownership_changes_layouts_once(struct fixture *f)
{
    VkImageCreateInfo info = test_image_info(VK_FORMAT_G8_B8R8_2PLANE_420_UNORM, SIZE_PX, SIZE_PX);

    if (!needs_own_lower())
        return;
    info.flags = VK_IMAGE_CREATE_VIDEO_PROFILE_INDEPENDENT_BIT_KHR;
    info.usage |= VK_IMAGE_USAGE_VIDEO_ENCODE_SRC_BIT_KHR;
    for (uint32_t family = 1; family < (has_aliases(f) ? 3 : 2); family++)
        REQUIRE_EQ(pass_on(f, &info, family), 1);

    /* No picture: three planes are nothing that applications encode from by mistake. */
    info = test_image_info(VK_FORMAT_G8_B8_R8_3PLANE_420_UNORM, SIZE_PX, SIZE_PX);
    info.format = VK_FORMAT_G8_B8R8_2PLANE_420_UNORM;
    info.flags = 0;
    info.tiling = VK_IMAGE_TILING_LINEAR;
    REQUIRE_EQ(pass_on(f, &info, 1), has_aliases(f) ? 1 : 2);
}

/* From a buffer that a family which the lower device does not know has written. The lower device
 * ends the program at its index, and at stages of video. */
static void
barriers_of_memory_ranges_name_any_family(struct fixture *f)
{
    if (!needs_own_lower())
        return;
    const uint32_t last = f->family_count - 1;
    struct test_buffer buf = test_buffer_create(f, 64, 0);
    const VkBufferDeviceAddressInfo address = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
        .buffer = buf.handle,
    };
    const VkMemoryRangeBarrierKHR barrier = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_RANGE_BARRIER_KHR,
        .srcStageMask = VK_PIPELINE_STAGE_2_VIDEO_ENCODE_BIT_KHR | ALL,
        .srcAccessMask = VK_ACCESS_2_VIDEO_ENCODE_WRITE_BIT_KHR,
        .dstStageMask = VK_PIPELINE_STAGE_2_COPY_BIT,
        .dstAccessMask = VK_ACCESS_2_TRANSFER_READ_BIT,
        .srcQueueFamilyIndex = last,
        .dstQueueFamilyIndex = 0,
        .addressRange = {vkGetBufferDeviceAddress(f->dev, &address), 64},
    };
    const VkMemoryRangeBarriersInfoKHR ranges = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_RANGE_BARRIERS_INFO_KHR,
        .memoryRangeBarrierCount = 1,
        .pMemoryRangeBarriers = &barrier,
    };
    const VkDependencyInfo dependency = {
        .sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
        .pNext = &ranges,
    };
    const VkEventCreateInfo event_info = {.sType = VK_STRUCTURE_TYPE_EVENT_CREATE_INFO};
    const uint32_t before = lower_count("lower_range_barriers");
    VkEvent event;

    CHECK(vkCreateEvent(f->dev, &event_info, NULL, &event));
    test_begin(f);
    vkCmdPipelineBarrier2(f->cb, &dependency);
    vkCmdSetEvent2(f->cb, event, &dependency);
    vkCmdWaitEvents2(f->cb, 1, &event, &dependency);
    test_submit_and_wait(f);
    REQUIRE_EQ(lower_count("lower_range_barriers") - before, 3);
    REQUIRE_EQ(barrier.srcQueueFamilyIndex, last);
    vkDestroyEvent(f->dev, event, NULL);
    test_buffer_destroy(f, &buf);
}

/* Each barrier of a tensor in the chain of a dependency, one in it and two that it points to. */
static void
barriers_of_tensors_come_from_any_family(struct fixture *f)
{
    if (!needs_own_lower())
        return;
    const uint32_t last = f->family_count - 1;
    const VkTensorMemoryBarrierARM barrier = {
        .sType = VK_STRUCTURE_TYPE_TENSOR_MEMORY_BARRIER_ARM,
        .srcStageMask = VK_PIPELINE_STAGE_2_VIDEO_ENCODE_BIT_KHR | VK_PIPELINE_STAGE_2_COPY_BIT,
        .srcAccessMask = VK_ACCESS_2_VIDEO_ENCODE_WRITE_BIT_KHR | VK_ACCESS_2_TRANSFER_WRITE_BIT,
        .dstStageMask = VK_PIPELINE_STAGE_2_COPY_BIT,
        .dstAccessMask = VK_ACCESS_2_TRANSFER_READ_BIT,
        .srcQueueFamilyIndex = last,
        .dstQueueFamilyIndex = 0,
    };
    const VkTensorMemoryBarrierARM barriers[2] = {barrier, barrier};
    const VkTensorDependencyInfoARM tensors = {
        .sType = VK_STRUCTURE_TYPE_TENSOR_DEPENDENCY_INFO_ARM,
        .tensorMemoryBarrierCount = 2,
        .pTensorMemoryBarriers = barriers,
    };
    VkTensorMemoryBarrierARM first = barrier;
    first.pNext = &tensors;
    const VkDependencyInfo dependencies[3] = {
        {.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO, .pNext = &first},
        {.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO, .pNext = &tensors},
        {.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO, .pNext = &barrier},
    };
    const uint32_t before = lower_count("lower_tensor_barriers");

    test_begin(f);
    for (uint32_t i = 0; i < 3; i++)
        vkCmdPipelineBarrier2(f->cb, &dependencies[i]);
    test_submit_and_wait(f);
    REQUIRE_EQ(lower_count("lower_tensor_barriers") - before, 6);
    REQUIRE_EQ(first.srcQueueFamilyIndex, last);
    REQUIRE_EQ(barriers[1].srcQueueFamilyIndex, last);
}

/* The lower device of these tests, which has no tensors, checks their families and counts them. */
static void
tensors_are_shared_between_all_families(struct fixture *f)
{
    const PFN_vkCreateTensorARM create =
        (PFN_vkCreateTensorARM)vkGetDeviceProcAddr(f->dev, "vkCreateTensorARM");
    const PFN_vkGetDeviceTensorMemoryRequirementsARM get_requirements =
        (PFN_vkGetDeviceTensorMemoryRequirementsARM)vkGetDeviceProcAddr(
            f->dev, "vkGetDeviceTensorMemoryRequirementsARM");
    const uint32_t families[5] = {0, 1, 2, 3, 4};
    const VkTensorCreateInfoARM info = {
        .sType = VK_STRUCTURE_TYPE_TENSOR_CREATE_INFO_ARM,
        .sharingMode = VK_SHARING_MODE_CONCURRENT,
        .queueFamilyIndexCount = f->family_count < 5 ? f->family_count : 5,
        .pQueueFamilyIndices = families,
    };
    const VkDeviceTensorMemoryRequirementsARM device_info = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_TENSOR_MEMORY_REQUIREMENTS_ARM,
        .pCreateInfo = &info,
    };
    VkMemoryRequirements2 requirements = {.sType = VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2};
    VkTensorARM tensor;

    if (!needs_own_lower())
        return;
    REQUIRE(create && get_requirements);
    CHECK(create(f->dev, &info, NULL, &tensor));
    get_requirements(f->dev, &device_info, &requirements);
    REQUIRE_EQ((uintptr_t)tensor, requirements.memoryRequirements.size);
    REQUIRE_EQ((uintptr_t)tensor, has_aliases(f) ? 16 : 18);
}

static void
all_families_share_objects(struct fixture *f)
{
    const uint32_t families[5] = {0, 1, 2, 3, 4};
    const VkBufferCreateInfo buffer_info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
        .size = 64,
        .usage = VK_BUFFER_USAGE_TRANSFER_DST_BIT,
        .sharingMode = VK_SHARING_MODE_CONCURRENT,
        .queueFamilyIndexCount = f->family_count < 5 ? f->family_count : 5,
        .pQueueFamilyIndices = families,
    };
    VkImageCreateInfo image_info =
        test_image_info(VK_FORMAT_G8_B8R8_2PLANE_420_UNORM, SIZE_PX, SIZE_PX);
    VkBuffer buffer;

    /* The lower device ends the program at a family that it does not know. */
    CHECK(vkCreateBuffer(f->dev, &buffer_info, NULL, &buffer));
    vkDestroyBuffer(f->dev, buffer, NULL);
    image_info.sharingMode = VK_SHARING_MODE_CONCURRENT;
    image_info.queueFamilyIndexCount = buffer_info.queueFamilyIndexCount;
    image_info.pQueueFamilyIndices = families;
    struct test_image img = test_image_create_with(f, &image_info);
    test_image_destroy(f, &img);
}

static VkDevice
device_of(struct fixture *f, const uint32_t *families, uint32_t count)
{
    static const float one = 1.0f;
    VkDeviceQueueCreateInfo queues[2];
    VkDevice dev;

    for (uint32_t i = 0; i < count; i++)
        queues[i] = (VkDeviceQueueCreateInfo){
            .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
            .queueFamilyIndex = families[i],
            .queueCount = 1,
            .pQueuePriorities = &one,
        };
    const VkDeviceCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
        .queueCreateInfoCount = count,
        .pQueueCreateInfos = queues,
    };
    CHECK(vkCreateDevice(f->pdev, &info, NULL, &dev));
    return dev;
}

/* Without the family that they stand for, with and without lent ones. */
static void
aliases_may_be_all_that_is_asked_for(struct fixture *f)
{
    const uint32_t asked[3][2] = {{1, 0}, {1, 2}, {2, 3}};

    if (!needs_own_lower())
        return;
    for (uint32_t i = 0; i < 3 && has_aliases(f); i++) {
        const uint32_t count = i == 0 ? 1 : 2;
        const VkDevice dev = device_of(f, asked[i], count);
        for (uint32_t k = 0; k < count; k++) {
            const PFN_vkQueueSubmit queue_submit =
                (PFN_vkQueueSubmit)vkGetDeviceProcAddr(dev, "vkQueueSubmit");
            const PFN_vkQueueWaitIdle wait_idle =
                (PFN_vkQueueWaitIdle)vkGetDeviceProcAddr(dev, "vkQueueWaitIdle");
            const VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO};
            VkQueue queue;
            vkGetDeviceQueue(dev, asked[i][k], 0, &queue);
            REQUIRE(queue);
            CHECK(queue_submit(queue, 1, &info, VK_NULL_HANDLE));
            CHECK(wait_idle(queue));
        }
        vkDestroyDevice(dev, NULL);
    }
}

/* The lower device of these tests presents by each of its families, and to each window system. */
static void
only_lower_families_present(struct fixture *f)
{
    static const char *const names[] = {
        VK_KHR_SURFACE_EXTENSION_NAME, VK_EXT_HEADLESS_SURFACE_EXTENSION_NAME,
        "VK_KHR_xcb_surface",          "VK_KHR_xlib_surface",
        "VK_KHR_wayland_surface",
    };
    typedef VkBool32(VKAPI_PTR * present)(VkPhysicalDevice, uint32_t, void *, unsigned long);
    static const char *const systems[] = {
        "vkGetPhysicalDeviceXcbPresentationSupportKHR",
        "vkGetPhysicalDeviceXlibPresentationSupportKHR",
        "vkGetPhysicalDeviceWaylandPresentationSupportKHR",
    };
    const VkApplicationInfo application = {
        .sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
        .apiVersion = VK_API_VERSION_1_3,
    };
    const VkInstanceCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
        .pApplicationInfo = &application,
        .enabledExtensionCount = 5,
        .ppEnabledExtensionNames = names,
    };
    const VkHeadlessSurfaceCreateInfoEXT headless = {
        .sType = VK_STRUCTURE_TYPE_HEADLESS_SURFACE_CREATE_INFO_EXT,
    };
    VkSurfaceKHR surface;
    VkInstance instance;
    VkPhysicalDevice pdev;
    uint32_t count = 1;

    if (!needs_own_lower())
        return;
    fixture_finish(f); /* the lower device of these tests is one at a time */
    CHECK(vkCreateInstance(&info, NULL, &instance));
    const PFN_vkCreateHeadlessSurfaceEXT create =
        (PFN_vkCreateHeadlessSurfaceEXT)vkGetInstanceProcAddr(instance,
                                                              "vkCreateHeadlessSurfaceEXT");
    const PFN_vkDestroySurfaceKHR destroy =
        (PFN_vkDestroySurfaceKHR)vkGetInstanceProcAddr(instance, "vkDestroySurfaceKHR");
    const PFN_vkGetPhysicalDeviceSurfaceSupportKHR supports =
        (PFN_vkGetPhysicalDeviceSurfaceSupportKHR)vkGetInstanceProcAddr(
            instance, "vkGetPhysicalDeviceSurfaceSupportKHR");
    REQUIRE(create && destroy && supports);
    CHECK(vkEnumeratePhysicalDevices(instance, &count, &pdev));
    CHECK(create(instance, &headless, NULL, &surface));
    for (uint32_t family = 0; family < f->family_count; family++) {
        const VkBool32 is_lower = family < (has_aliases(f) ? 1u : 2u);
        VkBool32 is_supported = !is_lower;
        CHECK(supports(pdev, family, surface, &is_supported));
        REQUIRE_EQ(is_supported, is_lower);
        for (size_t i = 0; i < sizeof(systems) / sizeof(systems[0]); i++) {
            const present function = (present)vkGetInstanceProcAddr(instance, systems[i]);
            REQUIRE(function);
            REQUIRE_EQ(function(pdev, family, &count, 0), is_lower);
        }
    }
    destroy(instance, surface, NULL);
    vkDestroyInstance(instance, NULL);
    fixture_init(f);
}

static const struct test_case cases[] = {
    TEST_CASE(a_single_family_is_shown_again),
    TEST_CASE(queues_of_all_families_wait_for_each_other),
    TEST_CASE(ownership_changes_layouts_once),
    TEST_CASE(barriers_of_memory_ranges_name_any_family),
    TEST_CASE(barriers_of_tensors_come_from_any_family),
    TEST_CASE(tensors_are_shared_between_all_families),
    TEST_CASE(all_families_share_objects),
    TEST_CASE(aliases_may_be_all_that_is_asked_for),
    TEST_CASE(only_lower_families_present),
};
TEST_MAIN(cases)
