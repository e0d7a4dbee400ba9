/* SPDX-License-Identifier: MIT */
/* Handles of Vulkan.
 */
#ifndef RP_UTIL_HANDLE_H
#define RP_UTIL_HANDLE_H

#include <stdint.h>

/* A handle as a number: handles are pointers, of 32 or 64 bits, or numbers of 64 bits. */
#define RP_HANDLE_U64(handle) \
    ((uint64_t) _Generic((handle), uint64_t : (handle), default : (uintptr_t)(handle)))

#endif
