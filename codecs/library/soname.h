/* SPDX-License-Identifier: MIT */
/* Whether a shared library could be opened, without opening it.
 */
#ifndef RP_CODECS_LIBRARY_SONAME_H
#define RP_CODECS_LIBRARY_SONAME_H

#include <stdbool.h>

/* Looks where dlopen(soname) called from this object would: the run paths, LD_LIBRARY_PATH and the
 * system's directories (as the dynamic linker itself lists them: dlinfo RTLD_DI_SERINFO), then
 * ld.so.cache. A file counts when it is an ELF file of this machine. Some 0.1 ms; what the library
 * needs in turn is not looked at, so opening it may still fail. Any thread. */
bool rp_soname_resolves(const char *soname);

#endif
