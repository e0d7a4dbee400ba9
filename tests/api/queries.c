/* SPDX-License-Identifier: MIT */
/* Query pools: timestamps, availability, results in both widths.
 */
#include "fixture.h"

#include <time.h>

#define UNTOUCHED 0xaaaaaaaaaaaaaaaaull

static VkQueryPool
timestamps_create(struct fixture *f, uint32_t count)
{
    const VkQueryPoolCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
        .queryType = VK_QUERY_TYPE_TIMESTAMP,
        .queryCount = count,
    };
    VkQueryPool pool;
    REQUIRE_EQ(vkCreateQueryPool(f->dev, &info, f->alloc, &pool), VK_SUCCESS);
    return pool;
}

static uint64_t
now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static void
timestamps_are_the_monotonic_clock(struct fixture *f)
{
    VkQueryPool pool = timestamps_create(f, 2);
    uint64_t results[2];

    const uint64_t before_ns = now_ns();
    test_begin(f);
    vkCmdResetQueryPool(f->cb, pool, 0, 2);
    vkCmdWriteTimestamp(f->cb, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, pool, 0);
    vkCmdWriteTimestamp2(f->cb, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, pool, 1);
    test_submit_and_wait(f);
    const uint64_t after_ns = now_ns();

    REQUIRE_EQ(vkGetQueryPoolResults(f->dev, pool, 0, 2, sizeof(results), results, 8,
                                     VK_QUERY_RESULT_64_BIT),
               VK_SUCCESS);
    REQUIRE(before_ns <= results[0] && results[0] <= results[1] && results[1] <= after_ns);
    vkDestroyQueryPool(f->dev, pool, f->alloc);
}

static void
what_is_not_available_is_not_written(struct fixture *f)
{
    VkQueryPool pool = timestamps_create(f, 3);
    uint64_t results[6] = {UNTOUCHED, UNTOUCHED, UNTOUCHED, UNTOUCHED, UNTOUCHED, UNTOUCHED};
    vkResetQueryPool(f->dev, pool, 0, 3);

    test_begin(f);
    vkCmdWriteTimestamp2(f->cb, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, pool, 1);
    test_submit_and_wait(f);

    REQUIRE_EQ(
        vkGetQueryPoolResults(f->dev, pool, 0, 3, sizeof(results), results, 16,
                              VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WITH_AVAILABILITY_BIT),
        VK_NOT_READY);
    REQUIRE_EQ(results[0], UNTOUCHED);
    REQUIRE_EQ(results[1], 0);
    REQUIRE(results[2] != UNTOUCHED);
    REQUIRE_EQ(results[3], 1);
    REQUIRE_EQ(results[5], 0);
    vkDestroyQueryPool(f->dev, pool, f->alloc);
}

static void
results_have_32_bits_unless_asked(struct fixture *f)
{
    VkQueryPool pool = timestamps_create(f, 1);
    uint32_t narrow[3] = {1, 1, 0xbbbbbbbb};
    uint64_t wide;

    test_begin(f);
    vkCmdResetQueryPool(f->cb, pool, 0, 1);
    vkCmdWriteTimestamp2(f->cb, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, pool, 0);
    test_submit_and_wait(f);

    REQUIRE_EQ(
        vkGetQueryPoolResults(f->dev, pool, 0, 1, 8, narrow, 8,
                              VK_QUERY_RESULT_WITH_AVAILABILITY_BIT | VK_QUERY_RESULT_WAIT_BIT),
        VK_SUCCESS);
    REQUIRE_EQ(vkGetQueryPoolResults(f->dev, pool, 0, 1, 8, &wide, 8, VK_QUERY_RESULT_64_BIT),
               VK_SUCCESS);
    REQUIRE_EQ(narrow[0], (uint32_t)wide);
    REQUIRE_EQ(narrow[1], 1);
    REQUIRE_EQ(narrow[2], 0xbbbbbbbb);
    vkDestroyQueryPool(f->dev, pool, f->alloc);
}

static void
results_are_copied_into_buffers(struct fixture *f)
{
    VkQueryPool pool = timestamps_create(f, 4);
    struct test_buffer buf = test_buffer_create(f, 4 * 24 + 8, 0xaa);
    uint64_t results[4];

    test_begin(f);
    vkCmdResetQueryPool(f->cb, pool, 0, 4);
    for (uint32_t i = 0; i < 4; i++)
        vkCmdWriteTimestamp2(f->cb, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, pool, i);
    vkCmdCopyQueryPoolResults(f->cb, pool, 1, 3, buf.handle, 8, 24,
                              VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT |
                                  VK_QUERY_RESULT_WITH_AVAILABILITY_BIT);
    test_submit_and_wait(f);

    REQUIRE_EQ(vkGetQueryPoolResults(f->dev, pool, 0, 4, sizeof(results), results, 8,
                                     VK_QUERY_RESULT_64_BIT),
               VK_SUCCESS);
    REQUIRE_EQ(buf.longs[0], UNTOUCHED);
    for (uint32_t i = 0; i < 3; i++) {
        REQUIRE_EQ(buf.longs[1 + i * 3], results[1 + i]);
        REQUIRE_EQ(buf.longs[2 + i * 3], 1);
        REQUIRE_EQ(buf.longs[3 + i * 3], UNTOUCHED);
    }
    test_buffer_destroy(f, &buf);
    vkDestroyQueryPool(f->dev, pool, f->alloc);
}

static void
a_reset_makes_queries_unavailable(struct fixture *f)
{
    VkQueryPool pool = timestamps_create(f, 2);
    uint64_t results[2];

    test_begin(f);
    vkCmdResetQueryPool(f->cb, pool, 0, 2);
    vkCmdWriteTimestamp2(f->cb, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, pool, 0);
    vkCmdWriteTimestamp2(f->cb, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, pool, 1);
    vkCmdResetQueryPool(f->cb, pool, 1, 1);
    test_submit_and_wait(f);
    REQUIRE_EQ(vkGetQueryPoolResults(f->dev, pool, 0, 1, 8, results, 8, 0), VK_SUCCESS);
    REQUIRE_EQ(vkGetQueryPoolResults(f->dev, pool, 1, 1, 8, results, 8, 0), VK_NOT_READY);

    vkResetQueryPool(f->dev, pool, 0, 1);
    REQUIRE_EQ(vkGetQueryPoolResults(f->dev, pool, 0, 1, 8, results, 8, 0), VK_NOT_READY);
    vkDestroyQueryPool(f->dev, pool, f->alloc);
}

static const struct test_case cases[] = {
    TEST_CASE(timestamps_are_the_monotonic_clock), TEST_CASE(what_is_not_available_is_not_written),
    TEST_CASE(results_have_32_bits_unless_asked),  TEST_CASE(results_are_copied_into_buffers),
    TEST_CASE(a_reset_makes_queries_unavailable),
};
TEST_MAIN(cases)
