/* SPDX-License-Identifier: MIT */
/* One submission after the other: memory, commands, results.
 */
#include "replay.h"

#include "platform/clock.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WAIT_NS UINT64_C(600000000000)

static double
now_ms(void)
{
    return (double)rp_clock_now_ns() * 1e-6;
}

/* Submits replay->cb and waits. */
static bool
run_recorded(struct replay *replay, const struct replay_queue *queue, double *time_out)
{
    const VkFenceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    const VkSubmitInfo submit = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
        .commandBufferCount = 1,
        .pCommandBuffers = &replay->cb,
    };
    VkFence fence;
    if (!replay_call(replay, vkCreateFence(replay->device, &info, NULL, &fence), "vkCreateFence"))
        return false;
    const double began_ms = now_ms();
    VkResult result = vkQueueSubmit(queue->queue, 1, &submit, fence);
    if (result == VK_SUCCESS)
        result = vkWaitForFences(replay->device, 1, &fence, VK_TRUE, WAIT_NS);
    if (time_out)
        *time_out = now_ms() - began_ms;
    if (result == VK_SUCCESS)
        vkDestroyFence(replay->device, fence, NULL);
    return replay_call(replay, result, result == VK_TIMEOUT ? "waiting" : "vkQueueSubmit");
}

static bool
cb_begin(struct replay *replay, const struct replay_queue *queue)
{
    const VkCommandBufferAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
        .commandPool = queue->pool,
        .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
        .commandBufferCount = 1,
    };
    const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    return replay_call(replay, vkAllocateCommandBuffers(replay->device, &info, &replay->cb),
                       "vkAllocateCommandBuffers") &&
           replay_call(replay, vkBeginCommandBuffer(replay->cb, &begin), "vkBeginCommandBuffer");
}

static void
cb_free(struct replay *replay, const struct replay_queue *queue)
{
    vkFreeCommandBuffers(replay->device, queue->pool, 1, &replay->cb);
    replay->cb = VK_NULL_HANDLE;
}

bool
replay_submit_now(struct replay *replay, struct replay_queue *queue,
                  bool (*fn)(struct replay *replay, void *ctx), void *ctx, double *time_out)
{
    const bool is_good =
        cb_begin(replay, queue) && fn(replay, ctx) &&
        replay_call(replay, vkEndCommandBuffer(replay->cb), "vkEndCommandBuffer") &&
        run_recorded(replay, queue, time_out);
    cb_free(replay, queue);
    return is_good;
}

static struct replay_queue *
line_queue(struct replay *replay, const cJSON *line)
{
    uint32_t family, index;
    if (!replay_read_number(&replay->reader, replay_get(line, "family"), &family, 4) ||
        !replay_read_number(&replay->reader, replay_get(line, "queue"), &index, 4))
        return NULL;
    for (uint32_t i = 0; i < replay->queue_count; i++) {
        struct replay_queue *queue = &replay->queues[i];
        if (queue->family != family || queue->index != index)
            continue;
        if (!queue->is_missing)
            return queue;
        (void)replay_fail(&replay->reader, "the device has no queue with the flags 0x%x",
                          queue->flags);
        return NULL;
    }
    (void)replay_fail(&replay->reader, "there is no queue %u of family %u", index, family);
    return NULL;
}

/* Each captured command buffer is recorded and submitted by itself: nothing that is bound in one
 * reaches the next. */
static bool
run_list(struct replay *replay, struct replay_queue *queue, const cJSON *list, uint32_t round_count,
         double *total)
{
    struct replay_bound *bound = replay_read_alloc(&replay->reader, 1, sizeof(*bound));
    bool is_good = bound && cb_begin(replay, queue);
    replay->is_in_scope = false;
    replay->has_dispatch = false;
    is_good = is_good && replay_commands(replay, bound, list) &&
              replay_call(replay, vkEndCommandBuffer(replay->cb), "vkEndCommandBuffer");
    for (uint32_t i = 0; is_good && i < round_count; i++) {
        double time_ms;
        is_good = run_recorded(replay, queue, &time_ms);
        total[i] += time_ms;
    }
    cb_free(replay, queue);
    replay_bindings_reset(replay);
    return is_good;
}

static bool
list_has_video(const cJSON *list)
{
    const cJSON *command;
    cJSON_ArrayForEach(command, list)
    {
        const char *name = cJSON_GetStringValue(replay_get(command, "cmd"));
        if (name && strcmp(name, "BeginVideoCoding") == 0)
            return true;
    }
    return false;
}

static int
time_compare(const void *a, const void *b)
{
    const double left = *(const double *)a, right = *(const double *)b;
    return left < right ? -1 : left > right;
}

static bool
run_line(struct replay *replay, const cJSON *line, uint64_t number, bool is_told)
{
    struct replay_queue *queue = line_queue(replay, line);
    const cJSON *lists = replay_get(line, "commands"), *list;
    uint32_t rounds = is_told && replay->options->loop_count ? replay->options->loop_count : 1;
    cJSON_ArrayForEach(list, lists)
    {
        if (list_has_video(list))
            rounds = 1; /* sessions remember */
    }
    double *times = replay_read_alloc(&replay->reader, rounds, sizeof(*times));
    if (!queue || !times)
        return false;
    cJSON_ArrayForEach(list, lists)
    {
        if (!run_list(replay, queue, list, rounds, times))
            return false;
    }
    if (is_told && replay->options->loop_count) {
        qsort(times, rounds, sizeof(*times), time_compare);
        printf("%8" PRIu64 " %12.4f %12.4f\n", number, times[rounds / 2], times[0]);
    }
    return true;
}

static bool
is_told(const struct replay *replay, uint64_t number)
{
    return number >= replay->options->first && number <= replay->options->last;
}

/* What lost the device then would lose this one: a kernel without an end, say. */
static bool
is_lost(const struct replay *replay, uint64_t number)
{
    const cJSON *line;
    cJSON_ArrayForEach(line, replay->lost)
    {
        if (cJSON_GetNumberValue(replay_get(line, "done")) == (double)number)
            return true;
    }
    return false;
}

static bool
line_submit(struct replay *replay, const cJSON *line)
{
    struct replay_reader *r = &replay->reader;
    const struct replay_lines *file = &replay->submits_file;
    uint64_t number, objects;
    if (!replay->queue_count)
        return replay_fail(r, "there are no queues");
    if (!replay_read_u64(r, replay_get(line, "submit"), &number) ||
        !replay_read_u64(r, replay_get(line, "objects"), &objects) ||
        !replay_objects_until(replay, objects))
        return false;
    r->file = file->name;
    r->line = file->number;
    if (!replay_memory_write(replay, replay_get(line, "memory")))
        return false;
    if (!is_lost(replay, number))
        return run_line(replay, line, number, is_told(replay, number));
    fprintf(stderr, "submission %" PRIu64 " lost the device: it is left out\n", number);
    return true;
}

static bool
line_done(struct replay *replay, const cJSON *line)
{
    uint64_t number;
    if (!replay_read_u64(&replay->reader, replay_get(line, "done"), &number))
        return false;
    if (!replay->options->checks || !is_told(replay, number) || replay->options->loop_count > 1)
        return true;
    return replay_memory_check(replay, number, replay_get(line, "after"));
}

bool
replay_run(struct replay *replay)
{
    if (replay->options->loop_count)
        printf("  submit    median/ms       min/ms\n");
    for (;;) {
        cJSON *line;
        uint64_t number = 0;
        if (!replay_lines_next(&replay->reader, &replay->submits_file, &line))
            return false;
        if (!line)
            return true;
        const bool is_submit = replay_get(line, "submit") != NULL;
        bool is_good = replay_read_u64(&replay->reader,
                                       replay_get(line, is_submit ? "submit" : "done"), &number);
        const bool is_past = is_submit && number > replay->options->last;
        if (is_good && !is_past)
            is_good = is_submit ? line_submit(replay, line) : line_done(replay, line);
        cJSON_Delete(line);
        replay_read_reset(&replay->reader);
        if (!is_good || is_past)
            return is_good;
    }
}
