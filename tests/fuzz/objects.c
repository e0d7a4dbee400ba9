/* SPDX-License-Identifier: MIT */
/* Fuzz target: calls over a small world of objects: any order, any size (absurd ones too), ranges
 * that end outside, empty descriptors. Nothing crashes, every result is one that the call may
 * return, and nothing is left behind.
 */
#include "objects.h"

static void
world_init(struct world *w)
{
    const VkSemaphoreTypeCreateInfo type = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
                                            .semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE};
    const VkSemaphoreCreateInfo timeline = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO,
                                            .pNext = &type};
    layouts_init(w);
    REQUIRE_EQ(vkCreateSemaphore(w->f->dev, &timeline, NULL, &w->timeline), VK_SUCCESS);
    w->secondary = test_cb_create(w->f, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
}

static void
world_finish(struct world *w)
{
    layouts_finish(w);
    memset(w->sets, 0, sizeof(w->sets));
    for (uint32_t i = 0; i < SLOTS; i++) {
        buffer_drop(w, &w->buffers[i]);
        image_drop(w, &w->images[i]);
        vkDestroySampler(w->f->dev, w->samplers[i], NULL);
        vkDestroyEvent(w->f->dev, w->events[i], NULL);
        vkDestroyQueryPool(w->f->dev, w->queries[i], NULL);
    }
    vkFreeCommandBuffers(w->f->dev, w->f->pool, 1, &w->secondary);
    vkDestroySemaphore(w->f->dev, w->timeline, NULL);
}

static uint64_t
heap_usage_B(struct fixture *f)
{
    VkPhysicalDeviceMemoryBudgetPropertiesEXT budget = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_BUDGET_PROPERTIES_EXT};
    VkPhysicalDeviceMemoryProperties2 memory = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_PROPERTIES_2, .pNext = &budget};
    vkGetPhysicalDeviceMemoryProperties2(f->pdev, &memory);
    REQUIRE(budget.heapUsage[0] <= memory.memoryProperties.memoryHeaps[0].size);
    return budget.heapUsage[0];
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_B)
{
    static void (*const steps[])(struct world *) = {
        step_memory, step_buffer,  step_buffer, step_image,    step_image,    step_image,
        step_map,    step_sampler, step_event,  step_queries,  step_set,      step_set,
        step_write,  step_write,   step_write,  step_pipeline, step_timeline, step_name,
        step_submit, step_submit,  step_submit,
    };
    static struct fixture f;
    struct input in = {data, size_B};
    struct world w = {.f = &f, .in = &in};
    if (!f.dev)
        fixture_init(&f);
    const uint64_t before_B = heap_usage_B(&f);
    world_init(&w);
    while (in.size_B)
        steps[pick(&w, sizeof(steps) / sizeof(steps[0]))](&w);
    world_finish(&w);
    REQUIRE_EQ(heap_usage_B(&f), before_B);
    return 0;
}
