/* SPDX-License-Identifier: MIT */
/* Codecs that are libraries of the system, opened at run time.
 *
 * One build of the driver works with every version whose structs it knows, so that it runs on a
 * newer system, or inside an application that brings another version, than it was built on; none of
 * the library's headers is needed. It is opened locally, so that it never serves or shadows the
 * application's own copy, and stays open until the process ends.
 */
#ifndef RP_CODECS_LIBRARY_LOAD_H
#define RP_CODECS_LIBRARY_LOAD_H

#include "util/compiler.h"

#include <stdbool.h>
#include <stddef.h>

/* A function of the library, and where its pointer goes in a struct of the caller. */
struct rp_library_symbol {
    const char *name;
    size_t offset_B;
};

#define RP_LIBRARY_SYMBOL(type, name) \
    { \
#name, offsetof(type, name) \
    }

/* Opens the library and sets the pointers in functions. False, with the reason in the log, when it,
 * anything that it needs or a symbol (also one of the libraries that it needs) cannot be had. */
bool rp_library_load(const char *soname, const struct rp_library_symbol *symbols, size_t count,
                     void *functions) RP_MUST_CHECK;

#endif
