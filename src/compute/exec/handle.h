/* SPDX-License-Identifier: MIT */
/* How operations name memory: by handles, and by static indices where the kernel knows which.
 */
#ifndef RP_COMPUTE_EXEC_HANDLE_H
#define RP_COMPUTE_EXEC_HANDLE_H

#include <stdint.h>

/* A handle is the number of a descriptor. Each binding of a kernel has whole pages of numbers, for
 * its array and one more: an index that is too large finds nothing, not the next binding's. Where
 * bindings share descriptors, several pages may say the same. The last pages are the kernel's own
 * memory: RP_PAGE_OWN and the index in rp_exec.memory[]. */
#define RP_PAGE_SHIFT 12u
#define RP_PAGE_INDEX 0xfffu
#define RP_PAGE_OWN 0xfff00u

struct rp_page {
    uint32_t binding;
    uint32_t first; /* index in the binding's array of the page's first number */
};

/* Bindings whose first descriptor operations name by an index in rp_exec.memory[]. */
#define RP_STATIC_BINDINGS 253u

#define RP_MAX_APART 8u

/* Two of them, whose memory a program takes for apart. */
struct rp_apart {
    uint8_t a;
    uint8_t b;
};

/* Static memory index of operations that look their memory up at run time. */
#define RP_MEMORY_DYNAMIC (-1)   /* handle in a scalar */
#define RP_MEMORY_ADDRESS (-2)   /* 64-bit base address in a scalar; offsets are signed */
#define RP_MEMORY_VARYING (-3)   /* handle in a vector */
#define RP_MEMORY_ADDRESSES (-4) /* 64-bit addresses in a vector */

#endif
