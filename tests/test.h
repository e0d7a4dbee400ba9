/* SPDX-License-Identifier: MIT */
/* Assertions of tests: the first that fails says where, and ends the program.
 */
#ifndef RP_TESTS_TEST_H
#define RP_TESTS_TEST_H

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define REQUIRE(condition)                                                                         \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            (void)fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);                  \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

/* Of integers. */
#define REQUIRE_EQ(actual, expected)                                                               \
    do {                                                                                           \
        const long long actual_ = (long long)(actual);                                             \
        const long long expected_ = (long long)(expected);                                         \
        if (actual_ != expected_) {                                                                \
            (void)fprintf(stderr, "%s:%d: %s is %lld, not %s (%lld)\n", __FILE__, __LINE__,        \
                          #actual, actual_, #expected, expected_);                                 \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

/* Runs a test and says so: its name is the claim. */
#define RUN(test, ...)                                                                             \
    do {                                                                                           \
        (void)fprintf(stderr, "%s\n", #test);                                                      \
        test(__VA_ARGS__);                                                                         \
    } while (0)

/* ctest's SKIP_RETURN_CODE. */
#define TEST_SKIPPED 77

#endif
