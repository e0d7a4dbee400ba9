/* SPDX-License-Identifier: MIT */
/* Assertions of tests, and the runner of the tests of one program.
 *
 * A REQUIRE that fails says where. Inside RUN it ends that test and the program goes on with the
 * next one; elsewhere (main, another thread, a child process) it ends the program. Either way the
 * program exits with 1.
 *
 * The environment variable REELPIPE_TEST runs the tests alone whose names contain its value.
 */
#ifndef RP_TESTS_TEST_H
#define RP_TESTS_TEST_H

#include <inttypes.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

/* ctest's SKIP_RETURN_CODE. */
#define TEST_SKIPPED 77

/* A test that RUN has begun. */
struct test_frame {
    const char *name;
    pid_t process;
    struct test_frame *outer; /* NULL, or that which runs this one */
    jmp_buf end;
};

/* Fills frame and says so on the standard error; false where REELPIPE_TEST names other tests. */
bool test_run_begin(struct test_frame *frame, const char *name);

/* The end of what test_run_begin() began, however it went. */
void test_run_end(struct test_frame *frame);

/* What a failed REQUIRE does when it has said why. */
_Noreturn void test_fail(void);

/* Runs a test: its name is the claim. */
#define RUN(test, ...) \
    do { \
        struct test_frame frame_; \
        if (test_run_begin(&frame_, #test)) { \
            if (setjmp(frame_.end) == 0) \
                test(__VA_ARGS__); \
            test_run_end(&frame_); \
        } \
    } while (0)

#define REQUIRE(condition) \
    do { \
        if (!(condition)) { \
            (void)fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition); \
            test_fail(); \
        } \
    } while (0)

/* Two integers are equal. */
#define REQUIRE_EQ(actual, expected) \
    do { \
        const long long actual_ = (long long)(actual); \
        const long long expected_ = (long long)(expected); \
        if (actual_ != expected_) { \
            (void)fprintf(stderr, "%s:%d: %s is %lld, not %s (%lld)\n", __FILE__, __LINE__, \
                          #actual, actual_, #expected, expected_); \
            test_fail(); \
        } \
    } while (0)

/* Bytes are equal; tells the first place where they differ. */
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
        test_fail();
    }
}

/* A fixed stream of numbers; the state is the caller's. */
static inline uint32_t
test_random(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*state >> 33);
}

#endif
