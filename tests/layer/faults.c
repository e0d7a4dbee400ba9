/* SPDX-License-Identifier: MIT */
/* Fails the n-th allocation, or the n-th thread or memory map, or the n-th submission to the lower
 * device, for every n: each call ends in the right error, nothing is leaked, nobody waits for ever,
 * and afterwards everything works again.
 *
 * usage: layer_faults oom|system; with the library of tests/oom or tests/faults preloaded
 *        layer_faults lost|memory: what a submission to the lower device fails with
 */
#include "scenario.h"

#include "test.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void (*fail_at)(long n);
static long (*total_count)(void);
static long (*live_count)(void); /* NULL: it does not count them */

static void
find_shim(const char *kind)
{
    char names[3][64];
    void *found[3];

    (void)snprintf(names[0], sizeof(names[0]), "%s_shim_fail_at", kind);
    (void)snprintf(names[1], sizeof(names[1]), "%s_shim_total_count", kind);
    (void)snprintf(names[2], sizeof(names[2]), "%s_shim_live_count", kind);
    for (uint32_t i = 0; i < 3; i++)
        found[i] = dlsym(RTLD_DEFAULT, names[i]);
    REQUIRE(found[0] && found[1]);
    memcpy(&fail_at, &found[0], sizeof(found[0]));
    memcpy(&total_count, &found[1], sizeof(found[1]));
    memcpy(&live_count, &found[2], sizeof(found[2]));
}

/* Returns whether the n-th request was reached. */
static bool
run_once(VkPhysicalDevice pdev, uint32_t family, long n)
{
    struct scenario s = {.pdev = pdev, .family = family};
    const long live_before = live_count ? live_count() : 0;
    const long total_before = total_count();

    fail_at(n);
    const VkResult result = scenario_run(&s);
    fail_at(0);
    const bool is_reached = total_count() - total_before >= n;
    const bool is_right =
        result == VK_SUCCESS ||
        (is_reached &&
         (result == VK_ERROR_OUT_OF_HOST_MEMORY || result == VK_ERROR_OUT_OF_DEVICE_MEMORY ||
          result == VK_ERROR_TOO_MANY_OBJECTS || result == VK_ERROR_DEVICE_LOST));
    scenario_destroy(&s);
    const long leaked = live_count ? live_count() - live_before : 0;
    if (!is_right || leaked) {
        (void)fprintf(stderr, "request %ld: result %d, %ld leaked\n", n, result, leaked);
        exit(1);
    }
    return is_reached;
}

static void
requests_fail(VkPhysicalDevice pdev, uint32_t family, const char *kind)
{
    long n = 1;

    find_shim(kind);
    /* What is made once is there. */
    for (uint32_t i = 0; i < 2; i++)
        REQUIRE(!run_once(pdev, family, 1000000));
    while (run_once(pdev, family, n))
        n++;
    REQUIRE(n > 5);
    (void)printf("%ld requests\n", n - 1);
}

/* Whatever the lower device's error is: what was submitted before cannot be taken back. */
static void
submissions_fail(VkPhysicalDevice pdev, uint32_t family, const char *kind)
{
    uint32_t lost = 0;

    for (long n = 1; n <= 8;
         n++) { /* a submission of each queue, and copies, which may be repeated */
        struct scenario s = {.pdev = pdev, .family = family};
        char setting[32];
        (void)snprintf(setting, sizeof(setting), "%s %ld", kind, n);
        (void)setenv("REELPIPE_TEST_LOWER_FAILS", setting, 1);
        const VkResult result = scenario_run(&s);
        REQUIRE(result == VK_ERROR_DEVICE_LOST || (result == VK_SUCCESS && n > 1));
        lost += result == VK_ERROR_DEVICE_LOST;
        scenario_destroy(&s);
    }
    REQUIRE(lost >= 2 && lost < 8);
}

int
main(int argc, char **argv)
{
    VkPhysicalDevice pdev;
    uint32_t family;

    REQUIRE_EQ(argc, 2);
    const VkInstance instance = scenario_instance(&pdev, &family);
    if (strcmp(argv[1], "lost") == 0 || strcmp(argv[1], "memory") == 0)
        submissions_fail(pdev, family, argv[1]);
    else
        requests_fail(pdev, family, argv[1]);
    vkDestroyInstance(instance, NULL);
    return 0;
}
