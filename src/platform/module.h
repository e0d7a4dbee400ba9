/* SPDX-License-Identifier: MIT */
/* Shared libraries: those that are opened at run time, and the one that the driver is.
 */
#ifndef RP_PLATFORM_MODULE_H
#define RP_PLATFORM_MODULE_H

#include "util/compiler.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A library has one name here, the soname of Linux: "libavcodec.so.61". Windows looks for
 * avcodec-61.dll and libavcodec-61.dll then. A path is a name, too. */

/* Opens a library with all that it needs. Its symbols serve nobody else. NULL when it cannot be
 * had. */
void *rp_module_open(const char *soname) RP_MUST_CHECK;

/* Why the rp_module_open() that the calling thread has called last has failed: at most size_B bytes
 * with the end. */
void rp_module_error(char *out, size_t size_B);

/* A symbol of the library or of what it needs; NULL when neither has it. */
void *rp_module_symbol(void *module, const char *name);

void rp_module_close(void *module);

/* Whether a library could be opened, without opening it. Looks where rp_module_open() called from
 * this library would. A file counts when it is a library for this machine. Some 0.1 ms; what the
 * library needs in turn is not looked at, so that opening it may still fail. Any thread. */
bool rp_module_is_present(const char *soname);

/* The number that the linker gave to the build of the library that calls: at most size_B bytes of
 * it. Returns how many; 0 when there is none. */
size_t rp_module_build_id(uint8_t *out, size_t size_B);

#endif
