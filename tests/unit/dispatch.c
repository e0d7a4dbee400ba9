/* SPDX-License-Identifier: MIT */
/* Which names resolve for which instance and device, as the specification's tables say.
 */
#include "icd/dispatch.h"

#include "icd/extensions.h"
#include "object/device.h"
#include "test.h"

struct objects {
    struct rp_instance instance;
    struct rp_device dev;
};

static void
objects_init(struct objects *o, uint32_t api_version)
{
    *o = (struct objects){0};
    o->instance.api_version = api_version;
    o->instance.physical_device.instance = &o->instance;
    rp_device_extensions(&o->instance.physical_device, &o->instance.physical_device.extensions);
    o->dev.physical_device = &o->instance.physical_device;
}

static void
global_commands_need_no_instance(void)
{
    REQUIRE(rp_lookup_global("vkCreateInstance"));
    REQUIRE(rp_lookup_global("vkEnumerateInstanceVersion"));
    REQUIRE(rp_lookup_global("vkGetInstanceProcAddr"));
    REQUIRE(!rp_lookup_global("vkDestroyInstance"));
    REQUIRE(!rp_lookup_global("vkCreateBuffer"));
    REQUIRE(!rp_lookup_global("vkNoSuchThing"));
    REQUIRE(!rp_lookup_global(""));
}

static void
levels_are_kept_apart(void)
{
    struct objects o;
    objects_init(&o, VK_API_VERSION_1_4);

    REQUIRE(rp_lookup_instance(&o.instance, "vkDestroyInstance"));
    REQUIRE(rp_lookup_instance(&o.instance, "vkGetPhysicalDeviceFeatures"));
    REQUIRE(rp_lookup_instance(&o.instance, "vkCreateBuffer"));
    REQUIRE(!rp_lookup_physical_device("vkDestroyInstance"));
    REQUIRE(!rp_lookup_physical_device("vkCreateBuffer"));
    REQUIRE(rp_lookup_physical_device("vkGetPhysicalDeviceFeatures"));
    REQUIRE(!rp_lookup_device(&o.dev, "vkDestroyInstance"));
    REQUIRE(!rp_lookup_device(&o.dev, "vkGetPhysicalDeviceFeatures"));
    REQUIRE(rp_lookup_device(&o.dev, "vkGetDeviceProcAddr"));
}

static void
core_commands_end_with_the_version_asked_for(void)
{
    struct objects o;
    objects_init(&o, VK_API_VERSION_1_2);

    REQUIRE(rp_lookup_device(&o.dev, "vkCmdCopyBuffer"));
    REQUIRE(rp_lookup_device(&o.dev, "vkWaitSemaphores"));
    REQUIRE(!rp_lookup_device(&o.dev, "vkCmdCopyBuffer2"));
    REQUIRE(!rp_lookup_instance(&o.instance, "vkCmdPushConstants2"));
}

static void
extension_commands_need_their_extension(void)
{
    struct objects o;
    objects_init(&o, VK_API_VERSION_1_3);

    REQUIRE(rp_lookup_device(&o.dev, "vkQueueSubmit2"));
    REQUIRE(!rp_lookup_device(&o.dev, "vkQueueSubmit2KHR"));
    REQUIRE(rp_lookup_instance(&o.instance, "vkQueueSubmit2KHR")); /* supported is enough */

    rp_extension_set_add(&o.dev.extensions, RP_KHR_SYNCHRONIZATION2);
    REQUIRE(rp_lookup_device(&o.dev, "vkQueueSubmit2KHR") ==
            rp_lookup_device(&o.dev, "vkQueueSubmit2"));

    REQUIRE(!rp_lookup_instance(&o.instance, "vkGetPhysicalDeviceFeatures2KHR"));
    rp_extension_set_add(&o.instance.extensions, RP_KHR_GET_PHYSICAL_DEVICE_PROPERTIES2);
    REQUIRE(rp_lookup_instance(&o.instance, "vkGetPhysicalDeviceFeatures2KHR"));
}

/* vkGetInstanceProcAddr has those of listed extensions alone; the loader gets all. */
static void
the_loader_finds_every_physical_device_command(void)
{
    static const char *const names[] = {
        "vkGetPhysicalDeviceFragmentShadingRatesKHR",
        "vkGetPhysicalDeviceSurfaceSupportKHR",
        "vkGetPhysicalDeviceXcbPresentationSupportKHR",
        "vkGetPhysicalDeviceCooperativeMatrixPropertiesNV",
    };
    struct objects o;
    objects_init(&o, VK_API_VERSION_1_4);
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        REQUIRE(rp_lookup_physical_device(names[i]));
        REQUIRE(!rp_lookup_instance(&o.instance, names[i]));
    }
}

/* A shader object's states are those of graphics, and the extension has the commands
 * nevertheless. */
static void
commands_of_an_extension_exist_whole(void)
{
    static const char *const names[] = {
        "vkCmdSetCullModeEXT",       "vkCmdSetVertexInputEXT", "vkCmdSetRasterizationStreamEXT",
        "vkCmdSetViewportSwizzleNV", "vkCmdBindShadersEXT",
    };
    struct objects o;
    objects_init(&o, VK_API_VERSION_1_4);
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        REQUIRE(!rp_lookup_device(&o.dev, names[i]));
    rp_extension_set_add(&o.dev.extensions, RP_EXT_SHADER_OBJECT);
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        REQUIRE(rp_lookup_device(&o.dev, names[i]));
}

static void
graphics_commands_exist_too(void)
{
    static const char *const names[] = {
        "vkCreateGraphicsPipelines", "vkCreateRenderPass", "vkCreateRenderPass2",
        "vkCreateFramebuffer",       "vkCmdDraw",          "vkCmdBeginRendering",
        "vkCmdSetViewport",          "vkCmdBlitImage2",    "vkGetRenderAreaGranularity",
        "vkCmdBindIndexBuffer2",     "vkQueueBindSparse",  "vkCmdSetLineStipple",
    };
    struct objects o;
    objects_init(&o, VK_API_VERSION_1_4);
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        REQUIRE(rp_lookup_device(&o.dev, names[i]));
}

int
main(void)
{
    RUN(global_commands_need_no_instance);
    RUN(levels_are_kept_apart);
    RUN(core_commands_end_with_the_version_asked_for);
    RUN(extension_commands_need_their_extension);
    RUN(the_loader_finds_every_physical_device_command);
    RUN(commands_of_an_extension_exist_whole);
    RUN(graphics_commands_exist_too);
    return 0;
}
