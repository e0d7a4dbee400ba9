/* SPDX-License-Identifier: MIT */
/* vkCmdCopyBuffer.
 */
#include "fixture.h"

static void
fill_random(struct test_buffer *buf, uint64_t seed)
{
    for (VkDeviceSize i = 0; i < buf->size_B; i++)
        buf->bytes[i] = (uint8_t)test_random(&seed);
}

static void
regions_are_copied_and_nothing_else(struct fixture *f)
{
    struct test_buffer src = test_buffer_create(f, 4096, 0);
    struct test_buffer dst = test_buffer_create(f, 4096, 0xcc);
    const VkBufferCopy regions[] = {{1, 100, 7}, {64, 128, 64}, {1000, 3000, 1}};
    uint8_t expected[4096];
    fill_random(&src, 1);
    memset(expected, 0xcc, sizeof(expected));
    for (int i = 0; i < 3; i++)
        memcpy(expected + regions[i].dstOffset, src.bytes + regions[i].srcOffset, regions[i].size);

    test_begin(f);
    vkCmdCopyBuffer(f->cb, src.handle, dst.handle, 3, regions);
    test_submit_and_wait(f);

    REQUIRE_BYTES(dst.bytes, expected, sizeof(expected));
    test_buffer_destroy(f, &src);
    test_buffer_destroy(f, &dst);
}

static void
the_new_form_copies_too(struct fixture *f)
{
    struct test_buffer src = test_buffer_create(f, 256, 0x5a);
    struct test_buffer dst = test_buffer_create(f, 256, 0);
    const VkBufferCopy2 region = {.sType = VK_STRUCTURE_TYPE_BUFFER_COPY_2, .size = 128};
    const VkCopyBufferInfo2 info = {
        .sType = VK_STRUCTURE_TYPE_COPY_BUFFER_INFO_2,
        .srcBuffer = src.handle,
        .dstBuffer = dst.handle,
        .regionCount = 1,
        .pRegions = &region,
    };
    test_begin(f);
    vkCmdCopyBuffer2(f->cb, &info);
    test_submit_and_wait(f);

    REQUIRE_BYTES(dst.bytes, src.bytes, 128);
    REQUIRE_EQ(dst.bytes[128], 0);
    test_buffer_destroy(f, &src);
    test_buffer_destroy(f, &dst);
}

static void
a_large_copy_is_exact(struct fixture *f)
{
    const VkDeviceSize size_B = (9 << 20) + 13;
    struct test_buffer src = test_buffer_create(f, size_B, 0);
    struct test_buffer dst = test_buffer_create(f, size_B, 0);
    const VkBufferCopy region = {3, 5, size_B - 9};
    fill_random(&src, 2);

    test_begin(f);
    vkCmdCopyBuffer(f->cb, src.handle, dst.handle, 1, &region);
    test_submit_and_wait(f);

    REQUIRE_BYTES(dst.bytes + 5, src.bytes + 3, region.size);
    REQUIRE_EQ(dst.bytes[4], 0);
    REQUIRE_EQ(dst.bytes[5 + region.size], 0);
    test_buffer_destroy(f, &src);
    test_buffer_destroy(f, &dst);
}

static void
ten_thousand_small_copies(struct fixture *f)
{
    struct test_buffer src = test_buffer_create(f, 640000, 0);
    struct test_buffer dst = test_buffer_create(f, 640000, 0);
    fill_random(&src, 3);

    test_begin(f);
    for (uint32_t i = 0; i < 10000; i++) {
        const VkBufferCopy region = {i * 64, (9999 - i) * 64, 64};
        vkCmdCopyBuffer(f->cb, src.handle, dst.handle, 1, &region);
    }
    test_submit_and_wait(f);

    for (uint32_t i = 0; i < 10000; i++)
        REQUIRE_BYTES(dst.bytes + (9999 - i) * 64, src.bytes + i * 64, 64);
    test_buffer_destroy(f, &src);
    test_buffer_destroy(f, &dst);
}

static const struct test_case cases[] = {
    TEST_CASE(regions_are_copied_and_nothing_else),
    TEST_CASE(the_new_form_copies_too),
    TEST_CASE(a_large_copy_is_exact),
    TEST_CASE(ten_thousand_small_copies),
};
TEST_MAIN(cases)
