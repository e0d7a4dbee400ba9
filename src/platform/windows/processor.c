/* SPDX-License-Identifier: MIT */
/* The limits of job objects, which containers of Windows are.
 */
#include "platform/processor.h"

#include "platform/thread.h"
#include "util/compiler.h"

#include <windows.h>

#define RATE_OF_ALL UINT64_C(10000) /* CpuRate of a machine's whole time */

bool
rp_processor_has_dotprod(void)
{
    return false;
}

uint32_t
rp_processor_count(void)
{
    const uint32_t count = rp_thread_cpu_count();
    JOBOBJECT_CPU_RATE_CONTROL_INFORMATION rate = {0};
    const DWORD hard = JOB_OBJECT_CPU_RATE_CONTROL_ENABLE | JOB_OBJECT_CPU_RATE_CONTROL_HARD_CAP;
    if (!QueryInformationJobObject(NULL, JobObjectCpuRateControlInformation, &rate, sizeof(rate),
                                   NULL) ||
        (rate.ControlFlags & hard) != hard)
        return count;
    const uint64_t all = GetActiveProcessorCount(ALL_PROCESSOR_GROUPS);
    const uint32_t quota = (uint32_t)((all * rate.CpuRate + RATE_OF_ALL - 1) / RATE_OF_ALL);
    return RP_MAX(1u, RP_MIN(count, quota));
}
