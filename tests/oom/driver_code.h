/* SPDX-License-Identifier: MIT */
/* Which calls of the C library come from the driver: the shims let only those fail.
 */
#ifndef RP_TESTS_OOM_DRIVER_CODE_H
#define RP_TESTS_OOM_DRIVER_CODE_H

#include <stdbool.h>

/* Looks for the driver in the process; before it is loaded no address belongs to it. */
void driver_code_find(void);

bool driver_code_has(const void *address);

#endif
