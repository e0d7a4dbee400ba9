/* SPDX-License-Identifier: MIT */
/* Fails the n-th allocation, for every n: each call ends in the right error, nothing is leaked,
 * nothing is freed that was not taken.
 *
 * usage: oom callbacks|malloc. callbacks: those that the application gave. malloc: the driver's
 * own, through the library that shim.c makes, preloaded.
 */
#include "scenario.h"

#include "test.h"

#include <dlfcn.h>
#include <stdatomic.h>

/* What fails, and what is still to be given back. */
static atomic_long countdown; /* at 1 the next allocation fails; 0: none does */
static atomic_long live_count;
static atomic_long total_count;

static bool
is_failing(void)
{
    atomic_fetch_add(&total_count, 1);
    return atomic_load(&countdown) > 0 && atomic_fetch_sub(&countdown, 1) == 1;
}

/* The head of each allocation: its size, where it really starts, and a mark. */
struct header {
    void *start;
    size_t size_B;
    uint64_t mark;
};

#define MARK UINT64_C(0x0dd5ca1ab1e0ff5e)

static void *VKAPI_PTR
take(void *user, size_t size_B, size_t align_B, VkSystemAllocationScope scope)
{
    REQUIRE(user == &live_count && size_B > 0 && (align_B & (align_B - 1)) == 0);
    if (is_failing())
        return NULL;
    uint8_t *start = malloc(sizeof(struct header) + align_B + size_B);
    REQUIRE(start);
    uint8_t *memory = start + sizeof(struct header);
    memory += -(uintptr_t)memory & (align_B - 1);
    const struct header header = {start, size_B, MARK};
    memcpy(memory - sizeof(header), &header, sizeof(header));
    memset(memory, 0xa5, size_B);
    atomic_fetch_add(&live_count, 1);
    return memory;
}

static void VKAPI_PTR
give_back(void *user, void *memory)
{
    struct header header;
    if (!memory)
        return;
    memcpy(&header, (uint8_t *)memory - sizeof(header), sizeof(header));
    REQUIRE(header.mark == MARK);
    memset((uint8_t *)memory - sizeof(header), 0x5a, sizeof(header) + header.size_B);
    atomic_fetch_sub(&live_count, 1);
    free(header.start);
}

static void *VKAPI_PTR
take_again(void *user, void *old, size_t size_B, size_t align_B, VkSystemAllocationScope scope)
{
    struct header header;
    void *memory = size_B ? take(user, size_B, align_B, scope) : NULL;
    if (old && memory) {
        memcpy(&header, (uint8_t *)old - sizeof(header), sizeof(header));
        memcpy(memory, old, header.size_B < size_B ? header.size_B : size_B);
    }
    if (memory || !size_B)
        give_back(user, old);
    return memory;
}

static const VkAllocationCallbacks callbacks = {
    .pUserData = &live_count,
    .pfnAllocation = take,
    .pfnReallocation = take_again,
    .pfnFree = give_back,
};

/* The shim's switch; what it counts is the driver's malloc alone. */
static void (*shim_fail_at)(long n);
static long (*shim_live_count)(void);
static long (*shim_total_count)(void);

static void
find_shim(void)
{
    void *found[3] = {dlsym(RTLD_DEFAULT, "oom_shim_fail_at"),
                      dlsym(RTLD_DEFAULT, "oom_shim_live_count"),
                      dlsym(RTLD_DEFAULT, "oom_shim_total_count")};
    REQUIRE(found[0] && found[1] && found[2]);
    memcpy(&shim_fail_at, &found[0], sizeof(found[0]));
    memcpy(&shim_live_count, &found[1], sizeof(found[1]));
    memcpy(&shim_total_count, &found[2], sizeof(found[2]));
}

static void
arm(bool is_malloc, long n)
{
    if (is_malloc)
        shim_fail_at(n);
    else
        atomic_store(&countdown, n);
}

static long
live(bool is_malloc)
{
    return is_malloc ? shim_live_count() : atomic_load(&live_count);
}

static long
total(bool is_malloc)
{
    return is_malloc ? shim_total_count() : atomic_load(&total_count);
}

/* Returns whether the n-th allocation was reached. */
static bool
run_once(VkPhysicalDevice pdev, bool is_malloc, long n)
{
    struct scenario s = {.pdev = pdev, .alloc = is_malloc ? NULL : &callbacks};
    const long live_before = live(is_malloc);
    const long total_before = total(is_malloc);

    arm(is_malloc, n);
    const VkResult result = scenario_run(&s);
    arm(is_malloc, 0);
    const bool is_reached = total(is_malloc) - total_before >= n;
    const bool is_memory =
        result == VK_ERROR_OUT_OF_HOST_MEMORY || result == VK_ERROR_OUT_OF_DEVICE_MEMORY;
    /* Without memory the work itself may still be done, in smaller pieces. On the driver's own
     * threads there is nobody to tell but through the device. */
    if (!(result == VK_SUCCESS || (is_reached && is_memory) ||
          (is_malloc && is_reached && result == VK_ERROR_DEVICE_LOST))) {
        fprintf(stderr, "allocation %ld: result %d\n", n, result);
        exit(1);
    }
    scenario_destroy(&s);
    if (live(is_malloc) != live_before) {
        fprintf(stderr, "allocation %ld: result %d, %ld leaked\n", n, result,
                live(is_malloc) - live_before);
        exit(1);
    }
    return is_reached;
}

int
main(int argc, char **argv)
{
    const bool is_malloc = argc > 1 && strcmp(argv[1], "malloc") == 0;
    VkPhysicalDevice pdev;

    if (is_malloc)
        find_shim();
    vk_open();
    const VkInstance instance = scenario_instance(&pdev);
    REQUIRE(!run_once(pdev, is_malloc, 1000000)); /* nothing fails; and libraries are loaded */

    long n = 1;
    while (run_once(pdev, is_malloc, n))
        n++;
    printf("%ld allocations\n", n - 1);
    REQUIRE(n > 20);
    REQUIRE(!run_once(pdev, is_malloc, 1000000));
    vkDestroyInstance(instance, NULL);
    return 0;
}
