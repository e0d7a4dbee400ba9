/* SPDX-License-Identifier: MIT */
/* An application that ends with work for its capture still queued: it leaves by exit() without
 * destroying its device ("exit"), or is killed ("kill").
 */
#include "fixture.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#define SIZE_B ((VkDeviceSize)8 << 20)
#define SUBMISSIONS 3u

/* What takes some time to compress: in its first half like pictures, where neighbours are alike,
 * then bytes of 6 bits. */
static void
fill(struct test_buffer *buf, uint32_t seed)
{
    uint64_t state = seed;
    uint32_t level = 0;
    for (VkDeviceSize i = 0; i < SIZE_B; i++) {
        state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        const uint32_t noise = (uint32_t)(state >> 58);
        level += noise & 3;
        buf->bytes[i] = (uint8_t)(i < SIZE_B / 2 ? level : noise);
    }
}

static void
copy(struct fixture *f, const struct test_buffer *from, const struct test_buffer *to)
{
    const VkBufferCopy region = {.size = SIZE_B};
    test_begin(f);
    vkCmdCopyBuffer(f->cb, from->handle, to->handle, 1, &region);
    test_submit_and_wait(f);
}

int
main(int argc, char **argv)
{
    struct fixture f = {0};
    fixture_init(&f);
    struct test_buffer from = test_buffer_create(&f, SIZE_B, 0);
    const struct test_buffer to = test_buffer_create(&f, SIZE_B, 0);
    for (uint32_t i = 0; i < SUBMISSIONS; i++) {
        fill(&from, i);
        copy(&f, &from, &to);
    }
    if (argc > 1 && strcmp(argv[1], "kill") == 0)
        raise(SIGKILL);
    exit(0);
}
