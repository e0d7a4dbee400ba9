/* SPDX-License-Identifier: MIT */
/* Contents for the tests of deep copies: structures that hold random bytes until the test sets
 * their flags, counts and pointers.
 */
#ifndef RP_TESTS_UNIT_STRUCT_COPY_FILL_H
#define RP_TESTS_UNIT_STRUCT_COPY_FILL_H

#include "util/struct_copy.h"

#include "test.h"

static inline void
fill_bytes(void *out, size_t size_B)
{
    static uint64_t state = 1;
    for (size_t i = 0; i < size_B; i++)
        ((uint8_t *)out)[i] = (uint8_t)test_random(&state);
}

/* The copy of a structure whose type is known. The arena is the caller's to finish. */
static inline void *
copy_of(struct rp_arena *arena, const void *from)
{
    void *copy;
    rp_arena_init(arena, NULL);
    REQUIRE(rp_struct_copy(arena, from, &copy));
    REQUIRE(copy);
    return copy;
}

/* A pointer that must not be followed: what an application leaves where no flag counts it. */
#define WILD ((const void *)1)

/* The copy has the bytes of expected; its pointers, which were set in expected to the copy's, are
 * looked at by whoever follows them. The original was overwritten: a copy that is none differs. */
#define REQUIRE_COPY(copy, expected) \
    do { \
        REQUIRE((copy) != NULL); \
        REQUIRE_BYTES(copy, &(expected), sizeof(expected)); \
    } while (0)

#endif
