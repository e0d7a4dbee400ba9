/* SPDX-License-Identifier: MIT */
/* The loader passes calls of physical-device commands on to every driver, of extensions that the
 * driver does not list too, and aborts where there is no function: there is one for each of the
 * registry's, and it answers that there is nothing.
 */
#include "fixture.h"
#include "platform/module.h"

#include "vk_physical_device_calls.h"

struct driver {
    PFN_vkGetInstanceProcAddr loader_get; /* vk_icdGetInstanceProcAddr */
    PFN_vkGetInstanceProcAddr loader_get_physical_device;
    PFN_vkGetInstanceProcAddr get; /* vkGetInstanceProcAddr, which keeps to the specification */
    VkInstance instance;
    VkPhysicalDevice pdev;
};

static PFN_vkGetInstanceProcAddr
driver_symbol(void *library, const char *name)
{
    void *symbol = rp_module_symbol(library, name);
    REQUIRE(symbol);
    PFN_vkGetInstanceProcAddr function;
    memcpy(&function, &symbol, sizeof(function));
    return function;
}

/* The driver without a loader in between. */
static void
driver_open(struct driver *d, const char *path)
{
    void *library = rp_module_open(path);
    REQUIRE(library);
    d->loader_get = driver_symbol(library, "vk_icdGetInstanceProcAddr");
    d->loader_get_physical_device = driver_symbol(library, "vk_icdGetPhysicalDeviceProcAddr");
    d->get = (PFN_vkGetInstanceProcAddr)d->loader_get(NULL, "vkGetInstanceProcAddr");

    const VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO};
    uint32_t count = 1;
    const PFN_vkCreateInstance create = (PFN_vkCreateInstance)d->get(NULL, "vkCreateInstance");
    REQUIRE_EQ(create(&info, NULL, &d->instance), VK_SUCCESS);
    const PFN_vkEnumeratePhysicalDevices enumerate =
        (PFN_vkEnumeratePhysicalDevices)d->get(d->instance, "vkEnumeratePhysicalDevices");
    REQUIRE_EQ(enumerate(d->instance, &count, &d->pdev), VK_SUCCESS);
    REQUIRE_EQ(count, 1);
}

static void
driver_close(const struct driver *d)
{
    ((PFN_vkDestroyInstance)d->get(d->instance, "vkDestroyInstance"))(d->instance, NULL);
}

static void
every_command_that_is_not_implemented_answers_nothing(const struct driver *d)
{
    const size_t count = sizeof(physical_device_calls) / sizeof(physical_device_calls[0]);
    for (size_t i = 0; i < count; i++) {
        const struct physical_device_call *c = &physical_device_calls[i];
        (void)fprintf(stderr, "  %s\n", c->name);
        const PFN_vkVoidFunction function = d->loader_get(d->instance, c->name);
        REQUIRE(function);
        REQUIRE(d->loader_get_physical_device(d->instance, c->name) == function);
        if (c->call)
            c->call(function, d->pdev);
    }
}

static void
no_name_is_no_command(const struct driver *d)
{
    REQUIRE(!d->loader_get(d->instance, NULL));
    REQUIRE(!d->loader_get(NULL, NULL));
    REQUIRE(!d->loader_get_physical_device(d->instance, NULL));
    REQUIRE(!d->get(d->instance, NULL));
}

/* Where the machine's loader knows the command. */
static void
the_loader_survives_a_call(void)
{
    struct fixture f = {0};
    fixture_init(&f);
    const PFN_vkGetPhysicalDeviceFragmentShadingRatesKHR rates =
        (PFN_vkGetPhysicalDeviceFragmentShadingRatesKHR)vkGetInstanceProcAddr(
            f.instance, "vkGetPhysicalDeviceFragmentShadingRatesKHR");
    uint32_t count = 1;
    VkPhysicalDeviceFragmentShadingRateKHR rate;
    if (rates)
        REQUIRE_EQ(rates(f.pdev, &count, &rate), VK_SUCCESS);
    REQUIRE(!rates || count == 0);
    fixture_finish(&f);
}

int
main(void)
{
    struct driver d;
    driver_open(&d, RP_TEST_DRIVER);
    RUN(every_command_that_is_not_implemented_answers_nothing, &d);
    RUN(no_name_is_no_command, &d);
    driver_close(&d);
    RUN(the_loader_survives_a_call);
    return 0;
}
