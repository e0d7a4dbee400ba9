/* SPDX-License-Identifier: MIT */
/* A hold on the addresses of device memory: they stay mapped although the application frees it.
 *
 * The pages go back with vkFreeMemory all the same; zeros are read from then on. It is for engines
 * that keep pointers to what they will not need any more, but cannot forget at once.
 */
#ifndef RP_OBJECT_MEMORY_HOLD_H
#define RP_OBJECT_MEMORY_HOLD_H

#include <stdint.h>

struct rp_memory;
struct rp_memory_hold;

/* That of mem, made by the first who asks. Borrowed: valid while mem is. NULL when there is none
 * to be had: memory of the application or of others, or no room for one. Any thread. */
struct rp_memory_hold *rp_memory_hold_get(struct rp_memory *mem);

/* Of struct rp_memory_hold; any thread. Retaining needs the memory or another hold to live. */
void rp_memory_hold_retain(void *hold);
void rp_memory_hold_release(void *hold);

/* The memory goes: takes its mapping over. */
void rp_memory_hold_leave(struct rp_memory_hold *hold);

#endif
