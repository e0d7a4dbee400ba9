/* SPDX-License-Identifier: MIT */
/* Short dispatches, and one without end: it is cut off after REELPIPE_TIMEOUT, and then every call
 * that can say so says that the device is lost.
 */
#include "fixture.h"

#include "api_shaders.h"

#include <pthread.h>

#define WORDS 256u

struct compute {
    VkDescriptorSetLayout set_layout;
    VkPipelineLayout layout;
    VkDescriptorPool pool;
    VkDescriptorSet set;
    VkPipeline number;
    VkPipeline endless;
    struct test_buffer buf;
};

static VkPipeline
pipeline_create(struct fixture *f, VkPipelineLayout layout, const uint32_t *words, size_t size_B)
{
    const VkShaderModuleCreateInfo module_info = {
        .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .codeSize = size_B, .pCode = words};
    VkShaderModule module;
    REQUIRE_EQ(vkCreateShaderModule(f->dev, &module_info, f->alloc, &module), VK_SUCCESS);
    const VkComputePipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .module = module,
                  .pName = "main"},
        .layout = layout,
    };
    VkPipeline pipeline;
    REQUIRE_EQ(vkCreateComputePipelines(f->dev, VK_NULL_HANDLE, 1, &info, f->alloc, &pipeline),
               VK_SUCCESS);
    vkDestroyShaderModule(f->dev, module, f->alloc);
    return pipeline;
}

static void
layouts_create(struct fixture *f, struct compute *c)
{
    const VkDescriptorSetLayoutBinding binding = {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1,
                                                  VK_SHADER_STAGE_COMPUTE_BIT, NULL};
    const VkDescriptorSetLayoutCreateInfo set = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = 1,
        .pBindings = &binding,
    };
    REQUIRE_EQ(vkCreateDescriptorSetLayout(f->dev, &set, f->alloc, &c->set_layout), VK_SUCCESS);
    const VkPushConstantRange push = {VK_SHADER_STAGE_COMPUTE_BIT, 0, 4};
    const VkPipelineLayoutCreateInfo layout = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
        .setLayoutCount = 1,
        .pSetLayouts = &c->set_layout,
        .pushConstantRangeCount = 1,
        .pPushConstantRanges = &push,
    };
    REQUIRE_EQ(vkCreatePipelineLayout(f->dev, &layout, f->alloc, &c->layout), VK_SUCCESS);
}

static void
set_create(struct fixture *f, struct compute *c)
{
    const VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1};
    const VkDescriptorPoolCreateInfo pool = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
        .maxSets = 1,
        .poolSizeCount = 1,
        .pPoolSizes = &size,
    };
    REQUIRE_EQ(vkCreateDescriptorPool(f->dev, &pool, f->alloc, &c->pool), VK_SUCCESS);
    const VkDescriptorSetAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
        .descriptorPool = c->pool,
        .descriptorSetCount = 1,
        .pSetLayouts = &c->set_layout,
    };
    REQUIRE_EQ(vkAllocateDescriptorSets(f->dev, &info, &c->set), VK_SUCCESS);
    c->buf = test_buffer_create(f, WORDS * 4, 0);
    const VkDescriptorBufferInfo range = {c->buf.handle, 0, VK_WHOLE_SIZE};
    const VkWriteDescriptorSet write = {
        .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
        .dstSet = c->set,
        .descriptorCount = 1,
        .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
        .pBufferInfo = &range,
    };
    vkUpdateDescriptorSets(f->dev, 1, &write, 0, NULL);
}

static void
compute_init(struct fixture *f, struct compute *c)
{
    layouts_create(f, c);
    set_create(f, c);
    c->number = pipeline_create(f, c->layout, spirv_number, sizeof(spirv_number));
    c->endless = pipeline_create(f, c->layout, spirv_endless, sizeof(spirv_endless));
}

static void
compute_finish(struct fixture *f, struct compute *c)
{
    vkDestroyPipeline(f->dev, c->endless, f->alloc);
    vkDestroyPipeline(f->dev, c->number, f->alloc);
    test_buffer_destroy(f, &c->buf);
    vkDestroyDescriptorPool(f->dev, c->pool, f->alloc);
    vkDestroyPipelineLayout(f->dev, c->layout, f->alloc);
    vkDestroyDescriptorSetLayout(f->dev, c->set_layout, f->alloc);
}

static void
dispatch(struct fixture *f, struct compute *c, VkPipeline pipeline, uint32_t first)
{
    test_begin(f);
    vkCmdBindPipeline(f->cb, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    vkCmdBindDescriptorSets(f->cb, VK_PIPELINE_BIND_POINT_COMPUTE, c->layout, 0, 1, &c->set, 0,
                            NULL);
    vkCmdPushConstants(f->cb, c->layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, 4, &first);
    vkCmdDispatch(f->cb, WORDS / 16, 1, 1);
}

static void
short_dispatches_are_exact(struct fixture *f, struct compute *c)
{
    for (uint32_t round = 0; round < 100; round++) {
        dispatch(f, c, c->number, round * 1000);
        test_submit_and_wait(f);
        for (uint32_t i = 0; i < WORDS; i++)
            REQUIRE_EQ(c->buf.words[i], round * 1000 + i);
    }
}

struct waiter {
    struct fixture *f;
    VkSemaphore sem;
};

static void *
wait_for_ever(void *arg)
{
    const struct waiter *w = arg;
    const uint64_t value = 1;
    const VkSemaphoreWaitInfo info = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO,
        .semaphoreCount = 1,
        .pSemaphores = &w->sem,
        .pValues = &value,
    };
    REQUIRE_EQ(vkWaitSemaphores(w->f->dev, &info, UINT64_MAX), VK_ERROR_DEVICE_LOST);
    return NULL;
}

static void
every_call_says_that_the_device_is_lost(struct fixture *f, VkSemaphore sem, VkQueryPool queries)
{
    uint64_t value;
    const VkEventCreateInfo event_info = {.sType = VK_STRUCTURE_TYPE_EVENT_CREATE_INFO};
    VkEvent event;
    REQUIRE_EQ(vkCreateEvent(f->dev, &event_info, NULL, &event), VK_SUCCESS);
    REQUIRE_EQ(vkGetEventStatus(f->dev, event), VK_ERROR_DEVICE_LOST);
    vkDestroyEvent(f->dev, event, NULL);
    REQUIRE_EQ(vkGetFenceStatus(f->dev, f->fence), VK_ERROR_DEVICE_LOST);
    REQUIRE_EQ(vkQueueSubmit(f->queue, 0, NULL, VK_NULL_HANDLE), VK_ERROR_DEVICE_LOST);
    REQUIRE_EQ(vkQueueSubmit2(f->second_queue, 0, NULL, VK_NULL_HANDLE), VK_ERROR_DEVICE_LOST);
    REQUIRE_EQ(vkQueueWaitIdle(f->queue), VK_ERROR_DEVICE_LOST);
    REQUIRE_EQ(vkDeviceWaitIdle(f->dev), VK_ERROR_DEVICE_LOST);
    REQUIRE_EQ(vkGetSemaphoreCounterValue(f->dev, sem, &value), VK_ERROR_DEVICE_LOST);
    REQUIRE_EQ(vkGetQueryPoolResults(f->dev, queries, 0, 1, 8, &value, 8,
                                     VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT),
               VK_ERROR_DEVICE_LOST);
}

static void
an_endless_dispatch_loses_the_device(struct fixture *f, struct compute *c)
{
    const VkSemaphoreTypeCreateInfo type = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
        .semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE,
    };
    const VkSemaphoreCreateInfo semaphore = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO,
                                             .pNext = &type};
    const VkQueryPoolCreateInfo query = {
        .sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
        .queryType = VK_QUERY_TYPE_TIMESTAMP,
        .queryCount = 1,
    };
    struct waiter waiter = {.f = f};
    pthread_t thread;
    VkQueryPool queries;
    REQUIRE_EQ(vkCreateSemaphore(f->dev, &semaphore, f->alloc, &waiter.sem), VK_SUCCESS);
    REQUIRE_EQ(vkCreateQueryPool(f->dev, &query, f->alloc, &queries), VK_SUCCESS);
    REQUIRE_EQ(pthread_create(&thread, NULL, wait_for_ever, &waiter), 0);

    memset(c->buf.bytes, 0, WORDS * 4);
    dispatch(f, c, c->endless, 0);
    REQUIRE_EQ(vkEndCommandBuffer(f->cb), VK_SUCCESS);
    const VkSubmitInfo info = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &f->cb};
    REQUIRE_EQ(vkQueueSubmit(f->queue, 1, &info, f->fence), VK_SUCCESS);
    REQUIRE_EQ(vkWaitForFences(f->dev, 1, &f->fence, VK_TRUE, UINT64_MAX), VK_ERROR_DEVICE_LOST);

    pthread_join(thread, NULL);
    every_call_says_that_the_device_is_lost(f, waiter.sem, queries);
    vkDestroyQueryPool(f->dev, queries, f->alloc);
    vkDestroySemaphore(f->dev, waiter.sem, f->alloc);
}

int
main(void)
{
    struct fixture f = {0};
    struct compute c;
    REQUIRE_EQ(setenv("REELPIPE_TIMEOUT", "100", 1), 0);
    fixture_init(&f);
    compute_init(&f, &c);
    short_dispatches_are_exact(&f, &c);
    an_endless_dispatch_loses_the_device(&f, &c);
    compute_finish(&f, &c);
    fixture_finish(&f);
    return 0;
}
