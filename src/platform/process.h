/* SPDX-License-Identifier: MIT */
/* The process that the driver is loaded into.
 */
#ifndef RP_PLATFORM_PROCESS_H
#define RP_PLATFORM_PROCESS_H

#include <stdbool.h>

#define RP_PROCESS_NAME_B 256 /* with the end */

/* The name of its program, without folders, or the beginning of that. */
void rp_process_name(char out[static RP_PROCESS_NAME_B]);

/* Calls fn when the process ends by exit(), or this library is closed, while the other threads
 * still run; never in a process that fork() made of this one. False where the system cannot say
 * that in time: Windows ends the other threads first. For one function. */
bool rp_process_at_exit(void (*fn)(void));

#endif
