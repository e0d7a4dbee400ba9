/* SPDX-License-Identifier: MIT */
/* glibc and musl remember what execve() was told.
 */
#include "platform/process.h"

#include <errno.h>
#include <stdio.h>

void
rp_process_name(char out[static RP_PROCESS_NAME_B])
{
    (void)snprintf(out, RP_PROCESS_NAME_B, "%s", program_invocation_short_name);
}
