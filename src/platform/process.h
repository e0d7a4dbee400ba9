/* SPDX-License-Identifier: MIT */
/* The process that the driver is loaded into.
 */
#ifndef RP_PLATFORM_PROCESS_H
#define RP_PLATFORM_PROCESS_H

#define RP_PROCESS_NAME_B 256 /* with the end */

/* The name of its program, without folders, or the beginning of that. */
void rp_process_name(char out[static RP_PROCESS_NAME_B]);

#endif
