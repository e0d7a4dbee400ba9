/* SPDX-License-Identifier: MIT */
/* The host writes to a part of a buffer while commands read another part of the same pages, which
 * nothing has to order. Captures of this program hold each page as it was at one moment
 * (tests/capture).
 */
#include "fixture.h"

#include <pthread.h>
#include <stdatomic.h>

#define PAGES 256
#define PAGE_B 4096
#define HALF_B (PAGE_B / 2)
#define ROUNDS 40

struct writer {
    volatile uint8_t *bytes;
    atomic_bool is_over;
};

/* The second half of each page, over and over. */
static void *
write_second_halves(void *ctx)
{
    struct writer *writer = ctx;
    for (uint8_t value = 0; !atomic_load(&writer->is_over); value++)
        for (uint32_t page = 0; page < PAGES; page++)
            for (uint32_t i = HALF_B; i < PAGE_B; i += 64)
                writer->bytes[page * PAGE_B + i] = value;
    return NULL;
}

static void
first_halves_are_copied_while_the_others_change(struct fixture *f)
{
    struct test_buffer src = test_buffer_create(f, PAGES * PAGE_B, 0);
    struct test_buffer dst = test_buffer_create(f, PAGES * HALF_B, 0);
    VkBufferCopy regions[PAGES];
    for (uint32_t i = 0; i < PAGES; i++)
        regions[i] = (VkBufferCopy){i * PAGE_B, i * HALF_B, HALF_B};
    struct writer writer = {.bytes = src.bytes};
    pthread_t thread;
    REQUIRE(pthread_create(&thread, NULL, write_second_halves, &writer) == 0);
    for (uint32_t round = 1; round <= ROUNDS; round++) {
        for (uint32_t i = 0; i < PAGES; i++)
            memset(src.bytes + (size_t)i * PAGE_B, (int)(round + i), HALF_B);
        test_begin(f);
        vkCmdCopyBuffer(f->cb, src.handle, dst.handle, PAGES, regions);
        test_submit_and_wait(f);
        for (uint32_t i = 0; i < PAGES; i++)
            for (uint32_t k = 0; k < HALF_B; k++)
                REQUIRE_EQ(dst.bytes[i * HALF_B + k], (uint8_t)(round + i));
    }
    atomic_store(&writer.is_over, true);
    REQUIRE(pthread_join(thread, NULL) == 0);
    test_buffer_destroy(f, &src);
    test_buffer_destroy(f, &dst);
}

static const struct test_case cases[] = {
    TEST_CASE(first_halves_are_copied_while_the_others_change),
};
TEST_MAIN(cases)
