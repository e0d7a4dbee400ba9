/* SPDX-License-Identifier: MIT */
/* GlobalMemoryStatusEx(), and the limits of job objects.
 */
#include "platform/system_memory.h"

#include "util/compiler.h"

#include <windows.h>

#define FALLBACK_B (UINT64_C(1) << 30)

struct rp_system_memory
rp_system_memory_read(void)
{
    MEMORYSTATUSEX status = {.dwLength = sizeof(status)};
    if (!GlobalMemoryStatusEx(&status))
        return (struct rp_system_memory){FALLBACK_B, FALLBACK_B};
    /* What is committed counts, written or not. */
    struct rp_system_memory info = {
        .total_B = status.ullTotalPhys,
        .available_B = RP_MIN(status.ullAvailPhys, status.ullAvailPageFile),
    };
    JOBOBJECT_EXTENDED_LIMIT_INFORMATION job = {0};
    if (QueryInformationJobObject(NULL, JobObjectExtendedLimitInformation, &job, sizeof(job),
                                  NULL) &&
        (job.BasicLimitInformation.LimitFlags & JOB_OBJECT_LIMIT_JOB_MEMORY)) {
        info.total_B = RP_MIN(info.total_B, job.JobMemoryLimit);
        info.available_B = RP_MIN(info.available_B, job.JobMemoryLimit);
    }
    return info;
}
