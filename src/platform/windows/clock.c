/* SPDX-License-Identifier: MIT */
/* QueryPerformanceCounter(), which every processor of the machine reads alike.
 */
#include "platform/clock.h"

#include <windows.h>

#define NS_PER_S UINT64_C(1000000000)
#define NS_PER_MS UINT64_C(1000000)
#define NS_PER_FILETIME UINT64_C(100)

static uint64_t
counter_read(void)
{
    LARGE_INTEGER now;
    (void)QueryPerformanceCounter(&now);
    return (uint64_t)now.QuadPart;
}

uint64_t
rp_clock_now_ns(void)
{
    LARGE_INTEGER frequency;
    (void)QueryPerformanceFrequency(&frequency);
    const uint64_t per_s = (uint64_t)frequency.QuadPart;
    const uint64_t now = counter_read();
    return now / per_s * NS_PER_S + now % per_s * NS_PER_S / per_s;
}

bool
rp_clock_read(enum rp_clock clock, uint64_t *out)
{
    if (clock != RP_CLOCK_PERFORMANCE_COUNTER)
        return false;
    *out = counter_read();
    return true;
}

uint64_t
rp_clock_thread_cpu_ns(void)
{
    FILETIME unused, kernel, user;
    if (!GetThreadTimes(GetCurrentThread(), &unused, &unused, &kernel, &user))
        return 0;
    const ULARGE_INTEGER times[2] = {
        {.LowPart = kernel.dwLowDateTime, .HighPart = kernel.dwHighDateTime},
        {.LowPart = user.dwLowDateTime, .HighPart = user.dwHighDateTime},
    };
    return (times[0].QuadPart + times[1].QuadPart) * NS_PER_FILETIME;
}

void
rp_clock_sleep(uint64_t duration_ns)
{
    const uint64_t duration_ms = (duration_ns + NS_PER_MS - 1) / NS_PER_MS;
    Sleep(duration_ms < INFINITE ? (DWORD)duration_ms : INFINITE - 1);
}
