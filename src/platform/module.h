/* SPDX-License-Identifier: MIT */
/* Shared libraries: those that are opened at run time, and the one that the driver is.
 */
#ifndef RP_PLATFORM_MODULE_H
#define RP_PLATFORM_MODULE_H

#include "util/compiler.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* By the name that the system looks for (a soname), with all that the library needs. Its symbols
 * serve nobody else. NULL when it cannot be had. */
void *rp_module_open(const char *name) RP_MUST_CHECK;

/* Why the last rp_module_open() of the calling thread failed, up to its next call. */
const char *rp_module_error(void);

/* Of the library or of what it needs; NULL when neither has it. */
void *rp_module_symbol(void *module, const char *name);

void rp_module_close(void *module);

/* Whether a library could be opened, without opening it. Looks where rp_module_open() called from
 * this library would: the run paths, LD_LIBRARY_PATH and the system's directories (as the dynamic
 * linker itself lists them: dlinfo RTLD_DI_SERINFO), then ld.so.cache. A file counts when it is an
 * ELF file of this machine. Some 0.1 ms; what the library needs in turn is not looked at, so that
 * opening it may still fail. Any thread. */
bool rp_module_is_present(const char *name);

/* The number that the linker gave to the build of the library that calls: at most size_B bytes of
 * it. Returns how many; 0 when there is none. */
size_t rp_module_build_id(uint8_t *out, size_t size_B);

#endif
