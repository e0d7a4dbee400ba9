/* SPDX-License-Identifier: MIT */
/* Time domains: the device's time is the monotonic clock, in nanoseconds.
 */
#include "util/compiler.h"

#include "rp_entrypoints.h"

#include <stddef.h>
#include <time.h>

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

static uint64_t
clock_ns(clockid_t clock)
{
    struct timespec now;
    (void)clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_GetCalibratedTimestampsKHR(VkDevice device, uint32_t count,
                              const VkCalibratedTimestampInfoKHR *infos, uint64_t *out,
                              uint64_t *max_deviation)
{
    const uint64_t begin_ns = clock_ns(CLOCK_MONOTONIC);
    for (uint32_t i = 0; i < count; i++)
        out[i] = clock_ns(infos[i].timeDomain == VK_TIME_DOMAIN_CLOCK_MONOTONIC_RAW_KHR
                              ? CLOCK_MONOTONIC_RAW
                              : CLOCK_MONOTONIC);
    *max_deviation = clock_ns(CLOCK_MONOTONIC) - begin_ns + 1;
    return VK_SUCCESS;
}
