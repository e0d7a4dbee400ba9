/* SPDX-License-Identifier: MIT */
/* Time domains: the device's time is rp_clock_now_ns().
 */
#include "platform/clock.h"
#include "util/compiler.h"

#include "rp_entrypoints.h"

#include <stddef.h>

struct domain {
    VkTimeDomainKHR name;
    enum rp_clock clock;
};

/* Besides that of the device; those whose clock the system has. */
static const struct domain domains[] = {
    {VK_TIME_DOMAIN_CLOCK_MONOTONIC_KHR, RP_CLOCK_MONOTONIC},
    {VK_TIME_DOMAIN_CLOCK_MONOTONIC_RAW_KHR, RP_CLOCK_MONOTONIC_RAW},
    {VK_TIME_DOMAIN_QUERY_PERFORMANCE_COUNTER_KHR, RP_CLOCK_PERFORMANCE_COUNTER},
};

static uint64_t
domain_read(VkTimeDomainKHR name)
{
    uint64_t now;
    for (size_t i = 0; i < RP_ARRAY_SIZE(domains); i++) {
        if (domains[i].name == name && rp_clock_read(domains[i].clock, &now))
            return now;
    }
    return rp_clock_now_ns();
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_GetPhysicalDeviceCalibrateableTimeDomainsKHR(VkPhysicalDevice physicalDevice, uint32_t *count,
                                                VkTimeDomainKHR *out)
{
    VkTimeDomainKHR names[1 + RP_ARRAY_SIZE(domains)] = {VK_TIME_DOMAIN_DEVICE_KHR};
    uint32_t total = 1;
    for (size_t i = 0; i < RP_ARRAY_SIZE(domains); i++) {
        uint64_t now;
        if (rp_clock_read(domains[i].clock, &now))
            names[total++] = domains[i].name;
    }
    if (!out) {
        *count = total;
        return VK_SUCCESS;
    }
    *count = RP_MIN(*count, total);
    for (uint32_t i = 0; i < *count; i++)
        out[i] = names[i];
    return *count < total ? VK_INCOMPLETE : VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_GetCalibratedTimestampsKHR(VkDevice device, uint32_t count,
                              const VkCalibratedTimestampInfoKHR *infos, uint64_t *out,
                              uint64_t *max_deviation)
{
    const uint64_t begin_ns = rp_clock_now_ns();
    for (uint32_t i = 0; i < count; i++)
        out[i] = domain_read(infos[i].timeDomain);
    *max_deviation = rp_clock_now_ns() - begin_ns + 1;
    return VK_SUCCESS;
}
