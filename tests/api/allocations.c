/* SPDX-License-Identifier: MIT */
/* Many allocations, and large ones.
 */
#include "fixture.h"

#define MANY 10000u
#define PAGE_B 4096u
#define HUGE_B (2u << 20)

static VkResult
allocate(struct fixture *f, VkDeviceSize size_B, VkDeviceMemory *out)
{
    const VkMemoryAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                       .allocationSize = size_B};
    return vkAllocateMemory(f->dev, &info, f->alloc, out);
}

static uint8_t *
map(struct fixture *f, VkDeviceMemory memory)
{
    void *bytes;
    REQUIRE_EQ(vkMapMemory(f->dev, memory, 0, VK_WHOLE_SIZE, 0, &bytes), VK_SUCCESS);
    return bytes;
}

static uint64_t
usage_B(struct fixture *f)
{
    VkPhysicalDeviceMemoryBudgetPropertiesEXT budget = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_BUDGET_PROPERTIES_EXT};
    VkPhysicalDeviceMemoryProperties2 memory = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_PROPERTIES_2, .pNext = &budget};
    vkGetPhysicalDeviceMemoryProperties2(f->pdev, &memory);
    return budget.heapUsage[0];
}

static void
ten_thousand_allocations_keep_apart(struct fixture *f)
{
    static VkDeviceMemory memory[MANY];
    const uint64_t before_B = usage_B(f);

    for (uint32_t i = 0; i < MANY; i++) {
        REQUIRE_EQ(allocate(f, PAGE_B, &memory[i]), VK_SUCCESS);
        memcpy(map(f, memory[i]), &i, sizeof(i));
    }
    REQUIRE_EQ(usage_B(f), before_B + (uint64_t)MANY * PAGE_B);
    /* Every third goes, and comes again as zeros; the others stay what they are. */
    for (uint32_t i = 0; i < MANY; i += 3) {
        uint32_t word = 1;
        vkFreeMemory(f->dev, memory[i], f->alloc);
        REQUIRE_EQ(allocate(f, PAGE_B, &memory[i]), VK_SUCCESS);
        memcpy(&word, map(f, memory[i]), sizeof(word));
        REQUIRE_EQ(word, 0);
    }
    for (uint32_t i = 0; i < MANY; i++) {
        uint32_t word;
        memcpy(&word, map(f, memory[i]), sizeof(word));
        REQUIRE_EQ(word, i % 3 ? i : 0);
        vkFreeMemory(f->dev, memory[i], f->alloc);
    }
    REQUIRE_EQ(usage_B(f), before_B);
}

/* maxMemoryAllocationCount, of which the device says in time that it is reached. */
static void
one_allocation_more_than_the_limit_is_refused(struct fixture *f)
{
    VkPhysicalDeviceProperties properties;
    vkGetPhysicalDeviceProperties(f->pdev, &properties);
    const uint32_t limit = properties.limits.maxMemoryAllocationCount;
    VkDeviceMemory *memory = calloc(limit, sizeof(*memory));
    VkDeviceMemory none;
    REQUIRE(memory);

    for (uint32_t i = 0; i < limit; i++)
        REQUIRE_EQ(allocate(f, 1, &memory[i]), VK_SUCCESS);
    REQUIRE_EQ(allocate(f, 1, &none), VK_ERROR_OUT_OF_DEVICE_MEMORY);
    vkFreeMemory(f->dev, memory[limit / 2], f->alloc);
    REQUIRE_EQ(allocate(f, 1, &memory[limit / 2]), VK_SUCCESS);
    for (uint32_t i = 0; i < limit; i++)
        vkFreeMemory(f->dev, memory[i], f->alloc);
    free(memory);
}

/* Huge pages need it. */
static void
large_allocations_start_at_huge_pages(struct fixture *f)
{
    static const VkDeviceSize sizes_B[] = {HUGE_B, HUGE_B + 1, 3110400, 8u * HUGE_B - PAGE_B};
    for (uint32_t i = 0; i < sizeof(sizes_B) / sizeof(sizes_B[0]); i++) {
        VkDeviceMemory memory;
        REQUIRE_EQ(allocate(f, sizes_B[i], &memory), VK_SUCCESS);
        uint8_t *bytes = map(f, memory);
        REQUIRE_EQ((uintptr_t)bytes % HUGE_B, 0);
        REQUIRE_EQ(bytes[0], 0);
        REQUIRE_EQ(bytes[sizes_B[i] - 1], 0);
        bytes[sizes_B[i] - 1] = 1;
        vkFreeMemory(f->dev, memory, f->alloc);
    }
}

static const struct test_case cases[] = {
    TEST_CASE(ten_thousand_allocations_keep_apart),
    TEST_CASE(one_allocation_more_than_the_limit_is_refused),
    TEST_CASE(large_allocations_start_at_huge_pages),
};
TEST_MAIN(cases)
