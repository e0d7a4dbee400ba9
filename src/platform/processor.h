/* SPDX-License-Identifier: MIT */
/* What the operating system says of the processor's instructions; x86-64 says that itself.
 */
#ifndef RP_PLATFORM_PROCESSOR_H
#define RP_PLATFORM_PROCESSOR_H

#include <stdbool.h>

/* aarch64: SDOT and UDOT (FEAT_DotProd); elsewhere false. */
bool rp_processor_has_dotprod(void);

#endif
