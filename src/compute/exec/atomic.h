/* SPDX-License-Identifier: MIT */
/* One atomic operation, for memory and for texels.
 */
#ifndef RP_COMPUTE_EXEC_ATOMIC_H
#define RP_COMPUTE_EXEC_ATOMIC_H

#include <stdbool.h>
#include <stdint.h>

/* op: enum ir_atomic. Returns the old value. is_shared: no other thread sees the memory. */
uint32_t rp_atomic32(void *at, uint32_t op, uint32_t value, uint32_t compare, bool is_shared);
uint64_t rp_atomic64(void *at, uint32_t op, uint64_t value, uint64_t compare, bool is_shared);

#endif
