/* SPDX-License-Identifier: MIT */
/* An application that flushes denormal numbers to zero and rounds towards zero gets the results
 * that everybody gets, from our threads and from its own, and keeps its state.
 */
#include "compute.h"

#include "api_shaders.h"

#define DENORMAL 0x00000100u
#if defined(__SSE__)
#define STATE 0xffc0u /* MXCSR: flush, round towards zero, no traps, denormal operands are zero */
#define STICKY 0x3fu
#elif defined(__aarch64__)
#define STATE 0x1c00000u /* FPCR: flush, round towards zero; what happened is in FPSR */
#define STICKY 0u
#else /* the default one, which says less */
#define STATE 0u
#define STICKY 0u
#endif

static uint32_t
state_swap(uint32_t state)
{
#if defined(__SSE__)
    uint32_t before;
    __asm__ volatile("stmxcsr %0" : "=m"(before));
    __asm__ volatile("ldmxcsr %0" : : "m"(state));
    return before;
#elif defined(__aarch64__)
    uint64_t before;
    __asm__ volatile("mrs %0, fpcr" : "=r"(before));
    __asm__ volatile("msr fpcr, %0" : : "r"((uint64_t)state));
    return (uint32_t)before;
#else
    return state;
#endif
}

/* What the shader writes: a denormal number times four; the float after 1, and the half it came
 * from. */
static uint32_t
expected(uint32_t i)
{
    return i & 1 ? 0x3f800001u + i : (DENORMAL + i) * 4;
}

static void
check(struct compute *c)
{
    for (uint32_t i = 0; i < COMPUTE_WORDS; i++)
        REQUIRE_EQ(c->buf.words[i], expected(i));
    memset(c->buf.bytes, 0, COMPUTE_WORDS * 4);
}

/* Submitted before it can run, so that the queue's thread runs it. */
static void
submit_and_release(struct fixture *f)
{
    const VkSemaphore sem = test_timeline_create(f);
    const VkSemaphoreSubmitInfo wait = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO,
                                        .semaphore = sem,
                                        .value = 1,
                                        .stageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT};
    const VkCommandBufferSubmitInfo cb = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO,
                                          .commandBuffer = f->cb};
    const VkSubmitInfo2 submit = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2,
                                  .waitSemaphoreInfoCount = 1,
                                  .pWaitSemaphoreInfos = &wait,
                                  .commandBufferInfoCount = 1,
                                  .pCommandBufferInfos = &cb};
    REQUIRE_EQ(vkEndCommandBuffer(f->cb), VK_SUCCESS);
    REQUIRE_EQ(vkQueueSubmit2(f->queue, 1, &submit, VK_NULL_HANDLE), VK_SUCCESS);
    const VkSemaphoreSignalInfo signal = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO, .semaphore = sem, .value = 1};
    REQUIRE_EQ(vkSignalSemaphore(f->dev, &signal), VK_SUCCESS);
    REQUIRE_EQ(vkQueueWaitIdle(f->queue), VK_SUCCESS);
    vkDestroySemaphore(f->dev, sem, f->alloc);
}

int
main(void)
{
    struct fixture f = {0};
    struct compute c;
    const uint32_t before = state_swap(STATE);

    fixture_init(&f);
    compute_init(&f, &c);
    VkPipeline pipeline = compute_pipeline(&f, &c, spirv_denormals, sizeof(spirv_denormals));
    compute_begin(&f, &c, pipeline, DENORMAL);
    vkCmdDispatch(f.cb, COMPUTE_WORDS / 16, 1, 1);
    test_submit_and_wait(&f);
    check(&c);
    compute_begin(&f, &c, pipeline, DENORMAL);
    vkCmdDispatch(f.cb, COMPUTE_WORDS / 16, 1, 1);
    submit_and_release(&f);
    check(&c);
    vkDestroyPipeline(f.dev, pipeline, f.alloc);
    compute_finish(&f, &c);
    fixture_finish(&f);

    const uint32_t after = state_swap(before);
    REQUIRE_EQ(after & ~STICKY, STATE);
    return 0;
}
