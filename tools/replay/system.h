/* SPDX-License-Identifier: MIT */
/* What reelpipe-replay wants of the operating system beyond src/platform/: linux/ and windows/, of
 * which the build takes one.
 */
#ifndef RP_TOOLS_REPLAY_SYSTEM_H
#define RP_TOOLS_REPLAY_SYSTEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define REPLAY_REASON_CHARS 128

/* The bytes of a plain file, for reading; of an empty one NULL. Otherwise says why not in
 * reason. */
bool replay_file_map(const char *path, uint8_t **out, size_t *size_out,
                     char reason[static REPLAY_REASON_CHARS]);
void replay_file_unmap(uint8_t *bytes, size_t size_B); /* accepts NULL */

/* One processor: a driver in software then does everything in one order. */
void replay_become_serial(void);

/* The variable is no more in the environment of this process. */
void replay_forget_variable(const char *name);

/* What is written to the standard output arrives as it is. */
void replay_write_bytes(void);

#endif
