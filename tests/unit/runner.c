/* SPDX-License-Identifier: MIT */
/* tests/test.h itself: what becomes of the tests after one that fails, and REELPIPE_TEST.
 */
#include "test.h"

#include <sys/wait.h>
#include <unistd.h>

/* The pipe of the child that runs the tests: a letter for each that ended. */
static int pipe_end;

static void
tell(char letter)
{
    if (write(pipe_end, &letter, 1) != 1)
        abort();
}

static void
first_passes(void)
{
    tell('a');
}

static void
second_fails(int expected)
{
    REQUIRE_EQ(1, expected);
    tell('b');
}

static void
third_passes(void)
{
    tell('c');
}

static void
fork_fails(void)
{
    const pid_t child = fork();
    if (child == 0)
        REQUIRE(!"a child process ends here");
    int status = 0;
    (void)waitpid(child, &status, 0);
    tell(WIFEXITED(status) && WEXITSTATUS(status) == 1 ? 'd' : '?');
}

static _Noreturn void
run_all(const char *filter, int expected)
{
    if (filter)
        (void)setenv("REELPIPE_TEST", filter, 1);
    else
        (void)unsetenv("REELPIPE_TEST");
    RUN(first_passes);
    RUN(second_fails, expected);
    RUN(third_passes);
    RUN(fork_fails);
    exit(0);
}

struct outcome {
    char letters[8]; /* of the tests that ended */
    int exit_code;
};

/* The outcome of a program with the four tests above; the second one passes where expected is 1. */
static struct outcome
outcome_of(const char *filter, int expected)
{
    struct outcome outcome = {0};
    int ends[2], status = 0;

    if (pipe(ends))
        abort();
    const pid_t child = fork();
    if (child == 0) {
        pipe_end = ends[1];
        run_all(filter, expected);
    }
    (void)close(ends[1]);
    for (size_t i = 0; i + 1 < sizeof(outcome.letters); i++)
        if (read(ends[0], &outcome.letters[i], 1) != 1)
            break;
    (void)close(ends[0]);
    (void)waitpid(child, &status, 0);
    outcome.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return outcome;
}

static bool
is(struct outcome outcome, const char *letters, int exit_code)
{
    (void)fprintf(stderr, "ended: \"%s\", exit code %d\n", outcome.letters, outcome.exit_code);
    return strcmp(outcome.letters, letters) == 0 && outcome.exit_code == exit_code;
}

/* Without RUN, whose failures would be those of the runner under test. */
int
main(void)
{
    if (!is(outcome_of(NULL, 1), "abcd", 0))
        return 1;
    if (!is(outcome_of(NULL, 2), "acd", 1)) /* one fails: the others run, the program fails */
        return 2;
    if (!is(outcome_of("third", 2), "c", 0))
        return 3;
    if (!is(outcome_of("no such test", 1), "", 1))
        return 4;
    return 0;
}
