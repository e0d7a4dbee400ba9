/* SPDX-License-Identifier: MIT */
/* The process that the driver is loaded into.
 */
#ifndef RP_PLATFORM_PROCESS_H
#define RP_PLATFORM_PROCESS_H

/* The name of its program, without folders. */
const char *rp_process_name(void);

#endif
