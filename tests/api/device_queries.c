/* SPDX-License-Identifier: MIT */
/* What the device says of itself: complete, the same each time, and deaf to what it does not know.
 */
#include "fixture.h"

#include "vk_query_structs.h"

#include <string.h>

#define MAX_STRUCT_B 16384
#define QUERY_STRUCT_COUNT (sizeof(vk_query_structs) / sizeof(vk_query_structs[0]))

/* A structure of any type with room for all of its members. */
union any_struct {
    VkBaseOutStructure base;
    uint8_t bytes[MAX_STRUCT_B];
    VkPhysicalDeviceFeatures2 features;
    VkPhysicalDeviceProperties2 properties;
    VkPhysicalDeviceMemoryProperties2 memory;
    VkQueueFamilyProperties2 family;
    VkFormatProperties2 format;
    VkImageFormatProperties2 image;
};

static void
any_struct_init(union any_struct *s, VkStructureType type, uint8_t fill, void *next)
{
    memset(s, fill, sizeof(*s));
    s->base.sType = type;
    s->base.pNext = next;
}

/* Asks the query that answers in first's type. */
static void
ask(struct fixture *f, const char *base, union any_struct *first)
{
    if (strcmp(base, "VkPhysicalDeviceFeatures2") == 0) {
        vkGetPhysicalDeviceFeatures2(f->pdev, &first->features);
    } else if (strcmp(base, "VkPhysicalDeviceProperties2") == 0) {
        vkGetPhysicalDeviceProperties2(f->pdev, &first->properties);
    } else if (strcmp(base, "VkPhysicalDeviceMemoryProperties2") == 0) {
        vkGetPhysicalDeviceMemoryProperties2(f->pdev, &first->memory);
    } else if (strcmp(base, "VkQueueFamilyProperties2") == 0) {
        uint32_t count = 1;
        vkGetPhysicalDeviceQueueFamilyProperties2(f->pdev, &count, &first->family);
        REQUIRE_EQ(count, 1);
    } else if (strcmp(base, "VkFormatProperties2") == 0) {
        vkGetPhysicalDeviceFormatProperties2(f->pdev, VK_FORMAT_R8G8B8A8_UNORM, &first->format);
    } else if (strcmp(base, "VkImageFormatProperties2") == 0) {
        const VkPhysicalDeviceImageFormatInfo2 info = {
            .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_FORMAT_INFO_2,
            .format = VK_FORMAT_R8G8B8A8_UNORM,
            .type = VK_IMAGE_TYPE_2D,
            .usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT,
        };
        REQUIRE_EQ(vkGetPhysicalDeviceImageFormatProperties2(f->pdev, &info, &first->image),
                   VK_SUCCESS);
    }
}

/* The members agree though the memory before differed: each was written. Free memory may differ. */
static void
require_same(const struct vk_query_struct *s, const union any_struct *a, const union any_struct *b)
{
    for (uint32_t i = s->first; i < s->first + s->count; i++) {
        const struct vk_query_member *m = &vk_query_members[i];
        if (memcmp(a->bytes + m->offset_B, b->bytes + m->offset_B, m->size_B) == 0)
            continue;
        if (s->type == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_BUDGET_PROPERTIES_EXT)
            continue;
        fprintf(stderr, "%s: a member at %u is not written\n", s->name, m->offset_B);
        exit(1);
    }
}

static void
every_member_of_every_structure_is_written(struct fixture *f)
{
    static union any_struct first[2];
    static union any_struct chained[2];

    const struct vk_query_struct *base = NULL;
    for (uint32_t i = 0; i < QUERY_STRUCT_COUNT; i++) {
        const struct vk_query_struct *s = &vk_query_structs[i];
        if (strcmp(s->name, s->base) == 0)
            base = s;
        REQUIRE(s->size_B <= MAX_STRUCT_B);
        if (strncmp(s->base, "VkVideo", 7) == 0)
            continue; /* the video tests ask with a profile */
        for (int pass = 0; pass < 2; pass++) {
            any_struct_init(&chained[pass], s->type, pass ? 0xff : 0, NULL);
            any_struct_init(&first[pass], base->type, pass ? 0xff : 0,
                            s == base ? NULL : &chained[pass]);
            ask(f, s->base, &first[pass]);
        }
        require_same(base, &first[0], &first[1]);
        if (s != base)
            require_same(s, &chained[0], &chained[1]);
    }
}

static void
unknown_structures_are_left_alone(struct fixture *f)
{
    static union any_struct unknown;
    static union any_struct known;
    static union any_struct first;

    any_struct_init(&known, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES, 0xab, NULL);
    any_struct_init(&unknown, (VkStructureType)0x7ffffff0, 0xab, &known);
    any_struct_init(&first, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, 0xab, &unknown);
    vkGetPhysicalDeviceProperties2(f->pdev, &first.properties);

    for (size_t i = sizeof(VkBaseOutStructure); i < MAX_STRUCT_B; i++)
        REQUIRE_EQ(unknown.bytes[i], 0xab);
    REQUIRE(strcmp(((VkPhysicalDeviceDriverProperties *)&known)->driverName, "Reelpipe") == 0);
    REQUIRE_EQ(known.bytes[sizeof(VkPhysicalDeviceDriverProperties)], 0xab);
}

static void
old_queries_say_the_same(struct fixture *f)
{
    static VkPhysicalDeviceProperties2 properties2 = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2};
    VkPhysicalDeviceFeatures2 features2 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2};
    VkPhysicalDeviceProperties properties;
    VkPhysicalDeviceFeatures features;
    memset(&properties, 0xee, sizeof(properties));

    vkGetPhysicalDeviceProperties(f->pdev, &properties);
    vkGetPhysicalDeviceProperties2(f->pdev, &properties2);
    vkGetPhysicalDeviceFeatures(f->pdev, &features);
    vkGetPhysicalDeviceFeatures2(f->pdev, &features2);

    REQUIRE(memcmp(&properties.limits.maxImageDimension1D,
                   &properties2.properties.limits.maxImageDimension1D, sizeof(uint32_t)) == 0);
    REQUIRE(strcmp(properties.deviceName, properties2.properties.deviceName) == 0);
    REQUIRE_EQ(properties.deviceType, VK_PHYSICAL_DEVICE_TYPE_CPU);
    REQUIRE(memcmp(&features, &features2.features, sizeof(features)) == 0);
}

static void
queue_families_are_as_promised(struct fixture *f)
{
    VkQueueFamilyProperties families[8];
    uint32_t count = 0;
    vkGetPhysicalDeviceQueueFamilyProperties(f->pdev, &count, NULL);
    REQUIRE(count >= 2 && count <= 8);
    count = 1;
    vkGetPhysicalDeviceQueueFamilyProperties(f->pdev, &count, families);
    REQUIRE_EQ(count, 1);
    count = 8;
    vkGetPhysicalDeviceQueueFamilyProperties(f->pdev, &count, families);

    REQUIRE_EQ(families[0].queueFlags, VK_QUEUE_COMPUTE_BIT | VK_QUEUE_TRANSFER_BIT);
    REQUIRE_EQ(families[1].queueFlags, VK_QUEUE_TRANSFER_BIT);
    for (uint32_t i = 0; i < count; i++) {
        REQUIRE(families[i].queueCount >= 2 ||
                families[i].queueFlags & VK_QUEUE_VIDEO_DECODE_BIT_KHR);
        REQUIRE(families[i].queueFlags & VK_QUEUE_TRANSFER_BIT);
        REQUIRE(i < 2 || families[i].timestampValidBits <= 63);
        REQUIRE_EQ(families[i].minImageTransferGranularity.depth, 1);
    }
}

static void
memory_is_one_type_that_can_do_all(struct fixture *f)
{
    VkPhysicalDeviceMemoryBudgetPropertiesEXT budget = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_BUDGET_PROPERTIES_EXT};
    VkPhysicalDeviceMemoryProperties2 memory = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_PROPERTIES_2, .pNext = &budget};
    vkGetPhysicalDeviceMemoryProperties2(f->pdev, &memory);

    REQUIRE_EQ(memory.memoryProperties.memoryTypeCount, 1);
    REQUIRE_EQ(memory.memoryProperties.memoryTypes[0].propertyFlags,
               VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT | VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT |
                   VK_MEMORY_PROPERTY_HOST_COHERENT_BIT | VK_MEMORY_PROPERTY_HOST_CACHED_BIT);
    REQUIRE(budget.heapBudget[0] > 0);
    REQUIRE(budget.heapBudget[0] <= memory.memoryProperties.memoryHeaps[0].size);
    REQUIRE_EQ(budget.heapBudget[1], 0);

    const uint64_t used_B = budget.heapUsage[0];
    struct test_buffer buf = test_buffer_create(f, 1 << 20, 0);
    vkGetPhysicalDeviceMemoryProperties2(f->pdev, &memory);
    REQUIRE(budget.heapUsage[0] >= used_B + (1 << 20));
    test_buffer_destroy(f, &buf);
    vkGetPhysicalDeviceMemoryProperties2(f->pdev, &memory);
    REQUIRE_EQ(budget.heapUsage[0], used_B);
}

static void
extension_lists_count_and_cut(struct fixture *f)
{
    VkExtensionProperties list[4];
    uint32_t count = 0;
    REQUIRE_EQ(vkEnumerateDeviceExtensionProperties(f->pdev, NULL, &count, NULL), VK_SUCCESS);
    REQUIRE(count > 4);
    count = 4;
    REQUIRE_EQ(vkEnumerateDeviceExtensionProperties(f->pdev, NULL, &count, list), VK_INCOMPLETE);
    REQUIRE_EQ(count, 4);
    REQUIRE(strncmp(list[3].extensionName, "VK_", 3) == 0);

    uint32_t devices = 0;
    VkPhysicalDevice none;
    REQUIRE_EQ(vkEnumeratePhysicalDevices(f->instance, &devices, &none), VK_INCOMPLETE);
    REQUIRE_EQ(devices, 0);
}

static void
host_copy_layouts_are_counted_and_cut(struct fixture *f)
{
    VkImageLayout layouts[64] = {0};
    VkPhysicalDeviceHostImageCopyProperties host = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_HOST_IMAGE_COPY_PROPERTIES};
    VkPhysicalDeviceProperties2 properties = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &host};
    vkGetPhysicalDeviceProperties2(f->pdev, &properties);
    REQUIRE(host.copySrcLayoutCount > 4 && host.copySrcLayoutCount <= 64);
    REQUIRE_EQ(host.identicalMemoryTypeRequirements, VK_TRUE);

    host.pCopySrcLayouts = layouts;
    host.copySrcLayoutCount = 1;
    host.pCopyDstLayouts = &layouts[1];
    host.copyDstLayoutCount = 63;
    vkGetPhysicalDeviceProperties2(f->pdev, &properties);
    REQUIRE_EQ(host.copySrcLayoutCount, 1);
    REQUIRE_EQ(layouts[0], VK_IMAGE_LAYOUT_GENERAL);
    REQUIRE(host.copyDstLayoutCount > 4 && host.copyDstLayoutCount < 63);
    REQUIRE(layouts[host.copyDstLayoutCount] != VK_IMAGE_LAYOUT_UNDEFINED);
    REQUIRE_EQ(layouts[host.copyDstLayoutCount + 1], VK_IMAGE_LAYOUT_UNDEFINED);
}

static void
timestamps_agree_with_the_clock(struct fixture *f)
{
    const VkCalibratedTimestampInfoKHR infos[2] = {
        {.sType = VK_STRUCTURE_TYPE_CALIBRATED_TIMESTAMP_INFO_KHR,
         .timeDomain = VK_TIME_DOMAIN_DEVICE_KHR},
        {.sType = VK_STRUCTURE_TYPE_CALIBRATED_TIMESTAMP_INFO_KHR,
         .timeDomain = VK_TIME_DOMAIN_CLOCK_MONOTONIC_KHR},
    };
    uint64_t now[2];
    uint64_t deviation_ns;
    REQUIRE_EQ(vkGetCalibratedTimestampsKHR(f->dev, 2, infos, now, &deviation_ns), VK_SUCCESS);
    REQUIRE(now[1] - now[0] <= deviation_ns);
    REQUIRE(deviation_ns > 0);

    VkTimeDomainKHR domains[8];
    uint32_t count = 8;
    REQUIRE_EQ(vkGetPhysicalDeviceCalibrateableTimeDomainsKHR(f->pdev, &count, domains),
               VK_SUCCESS);
    REQUIRE_EQ(domains[0], VK_TIME_DOMAIN_DEVICE_KHR);
}

/* VK_KHR_shader_bfloat16: all of it, in matrices with either type of sums. */
static void
bfloat16_is_taken_everywhere(struct fixture *f)
{
    VkPhysicalDeviceShaderBfloat16FeaturesKHR own = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_BFLOAT16_FEATURES_KHR};
    VkPhysicalDeviceFeatures2 all = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                     .pNext = &own};
    vkGetPhysicalDeviceFeatures2(f->pdev, &all);
    REQUIRE(own.shaderBFloat16Type && own.shaderBFloat16DotProduct &&
            own.shaderBFloat16CooperativeMatrix);
    REQUIRE(fixture_has_extension(f, VK_KHR_SHADER_BFLOAT16_EXTENSION_NAME));

    VkCooperativeMatrixPropertiesKHR matrices[16];
    uint32_t count = 16, float_sums = 0, own_sums = 0;
    for (uint32_t i = 0; i < count; i++)
        matrices[i] = (VkCooperativeMatrixPropertiesKHR){
            .sType = VK_STRUCTURE_TYPE_COOPERATIVE_MATRIX_PROPERTIES_KHR};
    REQUIRE_EQ(vkGetPhysicalDeviceCooperativeMatrixPropertiesKHR(f->pdev, &count, matrices),
               VK_SUCCESS);
    for (uint32_t i = 0; i < count; i++) {
        if (matrices[i].AType != VK_COMPONENT_TYPE_BFLOAT16_KHR)
            continue;
        REQUIRE_EQ(matrices[i].BType, VK_COMPONENT_TYPE_BFLOAT16_KHR);
        float_sums += matrices[i].ResultType == VK_COMPONENT_TYPE_FLOAT32_KHR;
        own_sums += matrices[i].ResultType == VK_COMPONENT_TYPE_BFLOAT16_KHR;
    }
    REQUIRE(float_sums == 1 && own_sums == 1);
}

static const struct test_case cases[] = {
    TEST_CASE(every_member_of_every_structure_is_written),
    TEST_CASE(unknown_structures_are_left_alone),
    TEST_CASE(old_queries_say_the_same),
    TEST_CASE(queue_families_are_as_promised),
    TEST_CASE(memory_is_one_type_that_can_do_all),
    TEST_CASE(extension_lists_count_and_cut),
    TEST_CASE(host_copy_layouts_are_counted_and_cut),
    TEST_CASE(timestamps_agree_with_the_clock),
    TEST_CASE(bfloat16_is_taken_everywhere),
};
TEST_MAIN(cases)
