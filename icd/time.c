/* SPDX-License-Identifier: MIT */
/* Time domains: the device's time is the monotonic clock, in nanoseconds.
 */
#include "platform/clock.h"
#include "util/compiler.h"

#include "rp_entrypoints.h"

#include <stddef.h>

static const VkTimeDomainKHR domains[] = {
    VK_TIME_DOMAIN_DEVICE_KHR,
    VK_TIME_DOMAIN_CLOCK_MONOTONIC_KHR,
    VK_TIME_DOMAIN_CLOCK_MONOTONIC_RAW_KHR,
};

VKAPI_ATTR VkResult VKAPI_CALL
rp_GetPhysicalDeviceCalibrateableTimeDomainsKHR(VkPhysicalDevice physicalDevice, uint32_t *count,
                                                VkTimeDomainKHR *out)
{
    const uint32_t total = RP_ARRAY_SIZE(domains);
    if (!out) {
        *count = total;
        return VK_SUCCESS;
    }
    *count = RP_MIN(*count, total);
    for (uint32_t i = 0; i < *count; i++)
        out[i] = domains[i];
    return *count < total ? VK_INCOMPLETE : VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_GetCalibratedTimestampsKHR(VkDevice device, uint32_t count,
                              const VkCalibratedTimestampInfoKHR *infos, uint64_t *out,
                              uint64_t *max_deviation)
{
    const uint64_t begin_ns = rp_clock_now_ns();
    for (uint32_t i = 0; i < count; i++)
        out[i] = infos[i].timeDomain == VK_TIME_DOMAIN_CLOCK_MONOTONIC_RAW_KHR
                     ? rp_clock_raw_now_ns()
                     : rp_clock_now_ns();
    *max_deviation = rp_clock_now_ns() - begin_ns + 1;
    return VK_SUCCESS;
}
