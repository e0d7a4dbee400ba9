/* SPDX-License-Identifier: MIT */
/* Arithmetic on sizes that come from the application. Each returns false when the result does not
 * fit, and then leaves *out alone.
 */
#ifndef RP_UTIL_CHECKED_H
#define RP_UTIL_CHECKED_H

#include "util/compiler.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static inline bool RP_MUST_CHECK
rp_add_u64(uint64_t a, uint64_t b, uint64_t *out)
{
    uint64_t sum;
    if (__builtin_add_overflow(a, b, &sum))
        return false;
    *out = sum;
    return true;
}

static inline bool RP_MUST_CHECK
rp_mul_u64(uint64_t a, uint64_t b, uint64_t *out)
{
    uint64_t product;
    if (__builtin_mul_overflow(a, b, &product))
        return false;
    *out = product;
    return true;
}

static inline bool RP_MUST_CHECK
rp_add_size(size_t a, size_t b, size_t *out)
{
    size_t sum;
    if (__builtin_add_overflow(a, b, &sum))
        return false;
    *out = sum;
    return true;
}

static inline bool RP_MUST_CHECK
rp_mul_size(size_t a, size_t b, size_t *out)
{
    size_t product;
    if (__builtin_mul_overflow(a, b, &product))
        return false;
    *out = product;
    return true;
}

/* [offset, offset + size) lies inside [0, total). */
static inline bool
rp_range_fits(uint64_t offset, uint64_t size, uint64_t total)
{
    return offset <= total && size <= total - offset;
}

/* align: a power of two. The caller knows that value + align fits. */
static inline uint64_t
rp_align_u64(uint64_t value, uint64_t align)
{
    return (value + align - 1) & ~(align - 1);
}

#endif
