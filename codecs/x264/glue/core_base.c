/* SPDX-License-Identifier: GPL-2.0-or-later */
/* x264's base.c with memory from rp_alloc() and without messages on the application's stderr.
 */
#define x264_malloc rp_x264_unused_malloc
#define x264_free rp_x264_unused_free
#define x264_log_internal rp_x264_unused_log
#include "common/base.c"
#undef x264_malloc
#undef x264_free
#undef x264_log_internal

#include "glue/core.h"
#include "platform/pages.h"
#include "util/alloc.h"

#define HUGE_PAGE_B ((size_t)2 << 20)

void *x264_malloc(int64_t size_B);
void x264_free(void *memory);
void x264_log_internal(int level, const char *format, ...);

static _Thread_local struct rp_x264_noted *noted_now;

void
rp_x264_noted_begin(struct rp_x264_noted *noted)
{
    noted->count = 0;
    noted_now = noted;
}

void
rp_x264_noted_end(void)
{
    noted_now = NULL;
}

void
rp_x264_noted_free(struct rp_x264_noted *noted)
{
    while (noted->count > 0)
        rp_free(NULL, noted->memory[--noted->count]);
}

static bool
noted_add(struct rp_x264_noted *noted, void *memory)
{
    if (noted->count == RP_X264_NOTED_MAX)
        return false;
    noted->memory[noted->count++] = memory;
    return true;
}

static void
noted_remove(struct rp_x264_noted *noted, const void *memory)
{
    for (int i = 0; i < noted->count; i++) {
        if (noted->memory[i] == memory) {
            noted->memory[i] = noted->memory[--noted->count];
            return;
        }
    }
}

void *
x264_malloc(int64_t size_B)
{
    if (size_B <= 0 || (uint64_t)size_B > SIZE_MAX / 2)
        return NULL;

    /* What nearly fills a huge page gets one, as x264's own allocator does it. */
    const bool is_huge = (size_t)size_B >= HUGE_PAGE_B / 8 * 7;
    void *memory = rp_alloc(NULL, (size_t)size_B, is_huge ? HUGE_PAGE_B : NATIVE_ALIGN,
                            VK_SYSTEM_ALLOCATION_SCOPE_OBJECT);
    if (!memory)
        return NULL;
    if (is_huge) {
        const size_t advised_B = ((size_t)size_B + HUGE_PAGE_B / 8) & ~(HUGE_PAGE_B - 1);
        rp_pages_expect_dense(memory, advised_B);
    }
    if (noted_now && !noted_add(noted_now, memory)) {
        rp_free(NULL, memory);
        return NULL;
    }
    return memory;
}

void
x264_free(void *memory)
{
    if (memory && noted_now)
        noted_remove(noted_now, memory);
    rp_free(NULL, memory);
}

void
x264_log_internal(int level, const char *format, ...)
{
    (void)level;
    (void)format;
}
