/* SPDX-License-Identifier: MIT */
/* Assertions of tests: the first that fails says where, and ends the program.
 */
#ifndef RP_TESTS_TEST_H
#define RP_TESTS_TEST_H

#include <inttypes.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REQUIRE(condition) \
    do { \
        if (!(condition)) { \
            (void)fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition); \
            exit(1); \
        } \
    } while (0)

/* Of integers. */
#define REQUIRE_EQ(actual, expected) \
    do { \
        const long long actual_ = (long long)(actual); \
        const long long expected_ = (long long)(expected); \
        if (actual_ != expected_) { \
            (void)fprintf(stderr, "%s:%d: %s is %lld, not %s (%lld)\n", __FILE__, __LINE__, \
                          #actual, actual_, #expected, expected_); \
            exit(1); \
        } \
    } while (0)

/* Of bytes; tells the first place where they differ. */
#define REQUIRE_BYTES(actual, expected, size_B) \
    test_require_bytes(actual, expected, size_B, __FILE__, __LINE__)

static inline void
test_require_bytes(const void *actual, const void *expected, size_t size_B, const char *file,
                   int line)
{
    const uint8_t *a = actual, *e = expected;
    for (size_t i = 0; i < size_B; i++) {
        if (a[i] == e[i])
            continue;
        (void)fprintf(stderr, "%s:%d: byte %zu of %zu is %#x, not %#x\n", file, line, i, size_B,
                      a[i], e[i]);
        exit(1);
    }
}

/* A fixed stream of numbers; the state is the caller's. */
static inline uint32_t
test_random(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*state >> 33);
}

/* Runs a test and says so: its name is the claim. */
#define RUN(test, ...) \
    do { \
        (void)fprintf(stderr, "%s\n", #test); \
        test(__VA_ARGS__); \
    } while (0)

/* ctest's SKIP_RETURN_CODE. */
#define TEST_SKIPPED 77

#endif
