/* SPDX-License-Identifier: MIT */
/* What the operating system says of the processors: how many we may use, and which instructions
 * they have (x86-64 says that itself).
 */
#ifndef RP_PLATFORM_PROCESSOR_H
#define RP_PLATFORM_PROCESSOR_H

#include <stdbool.h>
#include <stdint.h>

/* aarch64: SDOT and UDOT (FEAT_DotProd); elsewhere false. */
bool rp_processor_has_dotprod(void);

/* How many the process may keep busy: those that the calling thread may run on, or fewer by a quota
 * of its control groups. At least 1. */
uint32_t rp_processor_count(void);

#endif
