/* SPDX-License-Identifier: MIT */
/* Dispatches that are too small for all threads run side by side, unless something orders them.
 *
 * The kernel's steps do not commute with anything: a dispatch that began too early, or a part of it
 * that was left out, would leave other words.
 */
#include "compute.h"

#include "api_shaders.h"

#define STEPS 5000u /* worth a thread */
#define ROUNDS 40u
#define GROUP_COUNT (COMPUTE_WORDS / 16)

struct chain {
    struct fixture *f;
    struct compute compute;
    struct compute other; /* another buffer and set */
    VkPipeline pipeline;
    VkEvent event;
};

static uint32_t
steps(uint32_t x, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        x = x * 1664525u + 1013904223u;
    return x;
}

static struct chain
chain_create(struct fixture *f)
{
    const VkEventCreateInfo event = {.sType = VK_STRUCTURE_TYPE_EVENT_CREATE_INFO};
    struct chain c = {.f = f};
    compute_init(f, &c.compute);
    compute_init(f, &c.other);
    c.pipeline = compute_pipeline(f, &c.compute, spirv_steps, sizeof(spirv_steps));
    REQUIRE_EQ(vkCreateEvent(f->dev, &event, f->alloc, &c.event), VK_SUCCESS);
    for (uint32_t i = 0; i < COMPUTE_WORDS; i++) {
        c.compute.buf.words[i] = i;
        c.other.buf.words[i] = ~i;
    }
    return c;
}

static void
chain_destroy(struct chain *c)
{
    vkDestroyEvent(c->f->dev, c->event, c->f->alloc);
    vkDestroyPipeline(c->f->dev, c->pipeline, c->f->alloc);
    compute_finish(c->f, &c->compute);
    compute_finish(c->f, &c->other);
}

static void
dispatch(const struct chain *c, const struct compute *on, uint32_t step_count, uint32_t group_count)
{
    VkCommandBuffer cb = c->f->cb;
    vkCmdBindDescriptorSets(cb, VK_PIPELINE_BIND_POINT_COMPUTE, on->layout, 0, 1, &on->set, 0,
                            NULL);
    vkCmdPushConstants(cb, on->layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, 4, &step_count);
    vkCmdDispatch(cb, group_count, 1, 1);
}

static void
new_barrier(const struct chain *c)
{
    const VkMemoryBarrier2 all = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2,
        .srcStageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
        .srcAccessMask = VK_ACCESS_2_MEMORY_WRITE_BIT,
        .dstStageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
        .dstAccessMask = VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT,
    };
    vkCmdPipelineBarrier2(c->f->cb, &(VkDependencyInfo){.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
                                                        .memoryBarrierCount = 1,
                                                        .pMemoryBarriers = &all});
}

static void
old_barrier(const struct chain *c)
{
    const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT;
    const VkMemoryBarrier all = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
        .srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT,
        .dstAccessMask = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT,
    };
    vkCmdPipelineBarrier(c->f->cb, stage, stage, 0, 1, &all, 0, NULL, 0, NULL);
}

static void
event(const struct chain *c)
{
    const VkDependencyInfo none = {.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO};
    vkCmdSetEvent2(c->f->cb, c->event, &none);
    vkCmdWaitEvents2(c->f->cb, 1, &c->event, &none);
    vkCmdResetEvent2(c->f->cb, c->event, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT);
}

static void
submission(const struct chain *c)
{
    test_submit_and_wait(c->f);
    compute_begin(c->f, &c->compute, c->pipeline, STEPS);
}

/* Dispatches on the same words with such an order between them; those of the other buffer are
 * beside them. */
static void
run_ordered(struct fixture *f, void (*order)(const struct chain *c))
{
    struct chain c = chain_create(f);

    compute_begin(f, &c.compute, c.pipeline, STEPS);
    for (uint32_t i = 0; i < ROUNDS; i++) {
        dispatch(&c, &c.compute, STEPS + i, 1 + i % GROUP_COUNT);
        dispatch(&c, &c.other, STEPS, GROUP_COUNT);
        order(&c);
    }
    test_submit_and_wait(f);
    for (uint32_t k = 0; k < COMPUTE_WORDS; k++) {
        uint32_t word = k;
        for (uint32_t i = 0; i < ROUNDS; i++)
            word = k / 16 <= i % GROUP_COUNT ? steps(word, STEPS + i) : word;
        REQUIRE_EQ(c.compute.buf.words[k], word);
        REQUIRE_EQ(c.other.buf.words[k], steps(~k, STEPS * ROUNDS));
    }
    chain_destroy(&c);
}

static void
whatever_orders_dispatches_does(struct fixture *f)
{
    run_ordered(f, new_barrier);
    run_ordered(f, old_barrier);
    run_ordered(f, event);
    run_ordered(f, submission);
}

/* More of them than are begun at a time, each with words and a count of steps of its own. */
static void
independent_dispatches_are_all_run(struct fixture *f)
{
    struct chain more[40];
    const uint32_t count = sizeof(more) / sizeof(more[0]);

    for (uint32_t i = 0; i < count; i++)
        more[i] = chain_create(f);
    compute_begin(f, &more[0].compute, more[0].pipeline, STEPS);
    for (uint32_t round = 0; round < 5; round++) {
        for (uint32_t i = 0; i < 2 * count; i++) {
            const struct chain *c = &more[i / 2];
            dispatch(&more[0], i % 2 ? &c->other : &c->compute, STEPS + i, GROUP_COUNT);
        }
        new_barrier(&more[0]);
    }
    test_submit_and_wait(f);
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t k = 0; k < COMPUTE_WORDS; k++) {
            REQUIRE_EQ(more[i].compute.buf.words[k], steps(k, 5 * (STEPS + 2 * i)));
            REQUIRE_EQ(more[i].other.buf.words[k], steps(~k, 5 * (STEPS + 2 * i + 1)));
        }
        chain_destroy(&more[i]);
    }
}

static void
copies_come_after(struct fixture *f)
{
    struct chain c = chain_create(f);
    const VkBufferCopy all = {.size = COMPUTE_WORDS * 4};

    for (uint32_t round = 1; round <= 20; round++) {
        compute_begin(f, &c.compute, c.pipeline, STEPS);
        vkCmdDispatch(f->cb, GROUP_COUNT, 1, 1);
        new_barrier(&c);
        vkCmdCopyBuffer(f->cb, c.compute.buf.handle, c.other.buf.handle, 1, &all);
        test_submit_and_wait(f);
        for (uint32_t k = 0; k < COMPUTE_WORDS; k++)
            REQUIRE_EQ(c.other.buf.words[k], steps(k, round * STEPS));
    }
    chain_destroy(&c);
}

static void
secondary_command_buffers_keep_their_order(struct fixture *f)
{
    const VkCommandBufferInheritanceInfo inheritance = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
    const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                            .flags = VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT,
                                            .pInheritanceInfo = &inheritance};
    struct chain c = chain_create(f);
    VkCommandBuffer secondary = test_cb_create(f, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    VkCommandBuffer primary = f->cb;

    f->cb = secondary;
    REQUIRE_EQ(vkBeginCommandBuffer(f->cb, &begin), VK_SUCCESS);
    vkCmdBindPipeline(f->cb, VK_PIPELINE_BIND_POINT_COMPUTE, c.pipeline);
    dispatch(&c, &c.compute, STEPS, GROUP_COUNT);
    REQUIRE_EQ(vkEndCommandBuffer(f->cb), VK_SUCCESS);
    f->cb = primary;
    test_begin(f);
    for (uint32_t i = 0; i < ROUNDS; i++) {
        vkCmdExecuteCommands(f->cb, 1, &secondary);
        new_barrier(&c);
    }
    test_submit_and_wait(f);
    for (uint32_t k = 0; k < COMPUTE_WORDS; k++)
        REQUIRE_EQ(c.compute.buf.words[k], steps(k, STEPS * ROUNDS));
    vkFreeCommandBuffers(f->dev, f->pool, 1, &secondary);
    chain_destroy(&c);
}

static const struct test_case cases[] = {
    TEST_CASE(whatever_orders_dispatches_does),
    TEST_CASE(independent_dispatches_are_all_run),
    TEST_CASE(copies_come_after),
    TEST_CASE(secondary_command_buffers_keep_their_order),
};
TEST_MAIN(cases)
