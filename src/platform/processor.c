/* SPDX-License-Identifier: MIT */
/* The auxiliary vector of Linux.
 */
#include "platform/processor.h"

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
