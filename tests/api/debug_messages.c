/* SPDX-License-Identifier: MIT */
/* What the driver refuses, it explains to the application's messenger.
 */
#include "fixture.h"

#include <string.h>

struct heard {
    int count;
    int32_t result;
    char text[256];
    char object_name[64];
    VkObjectType type;
};

static VKAPI_ATTR VkBool32 VKAPI_CALL
hear(VkDebugUtilsMessageSeverityFlagBitsEXT severity, VkDebugUtilsMessageTypeFlagsEXT types,
     const VkDebugUtilsMessengerCallbackDataEXT *data, void *user)
{
    struct heard *heard = user;
    if (!data->pMessageIdName || strcmp(data->pMessageIdName, "reelpipe") != 0)
        return VK_FALSE; /* the loader's */
    heard->count++;
    heard->result = data->messageIdNumber;
    (void)snprintf(heard->text, sizeof(heard->text), "%s", data->pMessage);
    heard->type = data->pObjects[0].objectType;
    if (data->pObjects[0].pObjectName)
        (void)snprintf(heard->object_name, sizeof(heard->object_name), "%s",
                       data->pObjects[0].pObjectName);
    return VK_FALSE;
}

static VkDebugUtilsMessengerEXT
messenger_create(struct fixture *f, VkDebugUtilsMessageSeverityFlagsEXT severities,
                 struct heard *heard)
{
    const VkDebugUtilsMessengerCreateInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
        .messageSeverity = severities,
        .messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_GENERAL_BIT_EXT,
        .pfnUserCallback = hear,
        .pUserData = heard,
    };
    VkDebugUtilsMessengerEXT messenger;
    REQUIRE_EQ(vkCreateDebugUtilsMessengerEXT(f->instance, &info, NULL, &messenger), VK_SUCCESS);
    return messenger;
}

static void
allocate_too_much(struct fixture *f)
{
    const VkMemoryAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                       .allocationSize = UINT64_C(1) << 50};
    VkDeviceMemory memory;
    REQUIRE_EQ(vkAllocateMemory(f->dev, &info, NULL, &memory), VK_ERROR_OUT_OF_DEVICE_MEMORY);
}

static void
errors_reach_the_messenger_with_their_object(struct fixture *f)
{
    struct heard heard = {0};
    const VkDebugUtilsMessengerEXT messenger =
        messenger_create(f, VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT, &heard);
    const VkDebugUtilsObjectNameInfoEXT name = {
        .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT,
        .objectType = VK_OBJECT_TYPE_DEVICE,
        .objectHandle = (uint64_t)(uintptr_t)f->dev,
        .pObjectName = "the device",
    };
    REQUIRE_EQ(vkSetDebugUtilsObjectNameEXT(f->dev, &name), VK_SUCCESS);

    allocate_too_much(f);
    REQUIRE(heard.count >= 1);
    REQUIRE_EQ(heard.result, VK_ERROR_OUT_OF_DEVICE_MEMORY);
    REQUIRE(strstr(heard.text, "memory") != NULL);
    REQUIRE_EQ(heard.type, VK_OBJECT_TYPE_DEVICE);
    REQUIRE(strcmp(heard.object_name, "the device") == 0);

    vkDestroyDebugUtilsMessengerEXT(f->instance, messenger, NULL);
    const int count = heard.count;
    allocate_too_much(f);
    REQUIRE_EQ(heard.count, count);
}

static void
other_severities_hear_nothing(struct fixture *f)
{
    struct heard heard = {0};
    const VkDebugUtilsMessengerEXT messenger =
        messenger_create(f, VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT, &heard);
    allocate_too_much(f);
    REQUIRE_EQ(heard.count, 0);
    vkDestroyDebugUtilsMessengerEXT(f->instance, messenger, NULL);
}

static void
give_names(struct fixture *f, VkObjectType type, uint64_t handle)
{
    static const char *const names[] = {"a name that is long enough", "another", NULL};
    for (uint32_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        const VkDebugUtilsObjectNameInfoEXT info = {
            .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT,
            .objectType = type,
            .objectHandle = handle,
            .pObjectName = names[i],
        };
        REQUIRE_EQ(vkSetDebugUtilsObjectNameEXT(f->dev, &info), VK_SUCCESS);
    }
}

/* The handle of a messenger is the loader's own, and that of the instance with some loaders. */
static void
objects_of_the_instance_have_names(struct fixture *f)
{
    struct heard heard = {0};
    const VkDebugUtilsMessengerEXT messenger =
        messenger_create(f, VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT, &heard);
    for (uint32_t i = 0; i < 8; i++)
        give_names(f, VK_OBJECT_TYPE_DEBUG_UTILS_MESSENGER_EXT, (uint64_t)messenger);
    give_names(f, VK_OBJECT_TYPE_INSTANCE, (uintptr_t)f->instance);
    give_names(f, VK_OBJECT_TYPE_PHYSICAL_DEVICE, (uintptr_t)f->pdev);
    allocate_too_much(f);
    REQUIRE(heard.count >= 1);
    vkDestroyDebugUtilsMessengerEXT(f->instance, messenger, NULL);
}

static const struct test_case cases[] = {
    TEST_CASE(errors_reach_the_messenger_with_their_object),
    TEST_CASE(other_severities_hear_nothing),
    TEST_CASE(objects_of_the_instance_have_names),
};
TEST_MAIN(cases)
