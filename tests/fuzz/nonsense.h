/* SPDX-License-Identifier: MIT */
/* The input of a target that spoils structures: where it comes from, and what it makes of it. For
 * one file of each program.
 */
#ifndef RP_TESTS_FUZZ_NONSENSE_H
#define RP_TESTS_FUZZ_NONSENSE_H

#include "target.h"

static struct input in;

static inline uint32_t
below(uint32_t count)
{
    return input_below(&in, count);
}

static inline bool
one_in(uint32_t count)
{
    return below(count) == count - 1;
}

/* Small numbers, powers of two and their neighbours, anything. */
static inline uint64_t
strange(void)
{
    switch (below(4)) {
    case 0:
        return below(20);
    case 1:
        return (UINT64_C(1) << below(64)) - 1 + below(3);
    case 2:
        return (uint64_t)0 - below(20);
    default:
        return (uint64_t)input_u32(&in) << 32 | input_u32(&in);
    }
}

static inline void
fill_bytes(void *data, size_t size_B)
{
    for (size_t i = 0; i < size_B; i++)
        ((uint8_t *)data)[i] = (uint8_t)(one_in(3) ? strange() : below(4));
}

#define MAYBE(lvalue, value) \
    if (one_in(6)) \
    (lvalue) = (value)

#endif
