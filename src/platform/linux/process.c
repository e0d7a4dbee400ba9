/* SPDX-License-Identifier: MIT */
/* glibc and musl remember what execve() was told.
 */
#include "platform/process.h"

#include <errno.h>

const char *
rp_process_name(void)
{
    return program_invocation_short_name;
}
