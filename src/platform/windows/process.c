/* SPDX-License-Identifier: MIT */
/* GetModuleFileName().
 */
#include "platform/process.h"

#include <stdio.h>
#include <string.h>
#include <windows.h>

void
rp_process_name(char out[static RP_PROCESS_NAME_B])
{
    char path[32768] = "";
    (void)GetModuleFileNameA(NULL, path, sizeof(path) - 1);
    const char *slash = strrchr(path, '\\');
    (void)snprintf(out, RP_PROCESS_NAME_B, "%s", slash ? slash + 1 : path);
}

bool
rp_process_at_exit(void (*fn)(void))
{
    (void)fn;
    return false;
}
