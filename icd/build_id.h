/* SPDX-License-Identifier: MIT */
/* Which build of the driver this is.
 */
#ifndef RP_ICD_BUILD_ID_H
#define RP_ICD_BUILD_ID_H

#include <stddef.h>
#include <stdint.h>

/* The first bytes of the hash that the linker made of the library. Writes at most size_B; returns
 * how many, 0 when there is none. */
size_t rp_build_id(uint8_t *out, size_t size_B);

#endif
