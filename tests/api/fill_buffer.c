/* SPDX-License-Identifier: MIT */
/* vkCmdFillBuffer and vkCmdUpdateBuffer.
 */
#include "fixture.h"

static void
whole_size_rounds_down_to_words(struct fixture *f)
{
    struct test_buffer buf = test_buffer_create(f, 18, 0xee); /* 18 bytes, all 0xee */

    test_begin(f);
    vkCmdFillBuffer(f->cb, buf.handle, 4, VK_WHOLE_SIZE, 0x01020304);
    test_submit_and_wait(f);

    REQUIRE_EQ(buf.words[0], 0xeeeeeeeeu); /* before the offset: untouched */
    REQUIRE_EQ(buf.words[1], 0x01020304u);
    REQUIRE_EQ(buf.words[3], 0x01020304u);
    REQUIRE_EQ(buf.words[4] & 0xffffu, 0xeeeeu); /* the two odd bytes: untouched */

    test_buffer_destroy(f, &buf);
}

static void
fill_range(struct fixture *f, VkDeviceSize size_B, VkDeviceSize offset_B, VkDeviceSize range_B,
           uint32_t word)
{
    struct test_buffer buf = test_buffer_create(f, size_B, 0x55);

    test_begin(f);
    vkCmdFillBuffer(f->cb, buf.handle, offset_B, range_B, word);
    test_submit_and_wait(f);

    for (VkDeviceSize i = 0; i < size_B / 4; i++) {
        const bool is_inside = i * 4 >= offset_B && i * 4 < offset_B + range_B;
        REQUIRE_EQ(buf.words[i], is_inside ? word : 0x55555555u);
    }
    test_buffer_destroy(f, &buf);
}

static void
every_size_is_filled_exactly(struct fixture *f)
{
    for (VkDeviceSize range_B = 4; range_B <= 512; range_B += 4)
        fill_range(f, 640, 64, range_B, 0xa1b2c3d4);
    fill_range(f, 5 << 20, 4, (5 << 20) - 8, 0x11223344);
    fill_range(f, 5 << 20, 8, (5 << 20) - 12, 0x77777777);
}

static void
an_update_is_copied_while_recording(struct fixture *f)
{
    struct test_buffer buf = test_buffer_create(f, 65536 + 8, 0);
    static uint32_t data[65536 / 4];
    for (uint32_t i = 0; i < 65536 / 4; i++)
        data[i] = i * 7;

    test_begin(f);
    vkCmdUpdateBuffer(f->cb, buf.handle, 4, sizeof(data), data);
    memset(data, 0, sizeof(data));
    test_submit_and_wait(f);

    REQUIRE_EQ(buf.words[0], 0);
    for (uint32_t i = 0; i < 65536 / 4; i++)
        REQUIRE_EQ(buf.words[1 + i], i * 7);
    REQUIRE_EQ(buf.words[1 + 65536 / 4], 0);
    test_buffer_destroy(f, &buf);
}

static const struct test_case cases[] = {
    TEST_CASE(whole_size_rounds_down_to_words),
    TEST_CASE(every_size_is_filled_exactly),
    TEST_CASE(an_update_is_copied_while_recording),
};
TEST_MAIN(cases)
