/* SPDX-License-Identifier: MIT */
/* The auxiliary vector of Linux, and the quotas of its control groups.
 */
#include "platform/processor.h"

#include "platform/cgroup.h"
#include "platform/thread.h"
#include "util/compiler.h"

#if defined(__aarch64__)
#include <asm/hwcap.h>
#include <sys/auxv.h>

bool
rp_processor_has_dotprod(void)
{
    return getauxval(AT_HWCAP) & HWCAP_ASIMDDP;
}
#else
bool
rp_processor_has_dotprod(void)
{
    return false;
}
#endif

/* A quota of microseconds in each period. */
static void
apply_quota(uint64_t quota, uint64_t period, uint32_t *count)
{
    if (period > 0 && quota / period < *count)
        *count = RP_MAX(1u, (uint32_t)(quota / period + (quota % period != 0)));
}

/* "max 100000" or "150000 100000". */
static void
apply_cpu_max(const char *folder, void *count)
{
    uint64_t numbers[2];
    if (rp_cgroup_read(folder, "cpu.max", 2, numbers))
        apply_quota(numbers[0], numbers[1], count);
}

/* The first generation's way to say it; no quota is -1. */
static void
apply_cfs_quota(const char *folder, void *count)
{
    uint64_t quota, period;
    if (rp_cgroup_read(folder, "cpu.cfs_quota_us", 1, &quota) &&
        rp_cgroup_read(folder, "cpu.cfs_period_us", 1, &period))
        apply_quota(quota, period, count);
}

uint32_t
rp_processor_count(void)
{
    uint32_t count = rp_thread_cpu_count();
    rp_cgroup_visit("/sys/fs/cgroup", "", apply_cpu_max, &count);
    rp_cgroup_visit("/sys/fs/cgroup/cpu", "cpu", apply_cfs_quota, &count);
    return count;
}
