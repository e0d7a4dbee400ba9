/* SPDX-License-Identifier: MIT */
/* getenv(), but in elevated processes: anyone who runs as the same user, not elevated, writes the
 * variables that they begin with (in the registry). The Vulkan loader draws the same line.
 */
#include "platform/environment.h"

#include <stdbool.h>
#include <stdlib.h>
#include <windows.h>

static bool
process_is_elevated(void)
{
    HANDLE token;
    if (!OpenProcessToken(GetCurrentProcess(), TOKEN_QUERY, &token))
        return true;
    TOKEN_ELEVATION elevation;
    DWORD size_B;
    const bool is_known =
        GetTokenInformation(token, TokenElevation, &elevation, sizeof(elevation), &size_B);
    (void)CloseHandle(token);
    return !is_known || elevation.TokenIsElevated;
}

const char *
rp_environment_get(const char *name)
{
    const char *value = getenv(name);
    return value && !process_is_elevated() ? value : NULL;
}
