/* SPDX-License-Identifier: MIT */
#include "queue/capture.h"

#include "capture/submissions.h"
#include "cmd/cmd_buffer.h"
#include "cmd/describe.h"
#include "object/device.h"
#include "queue/jobs.h"
#include "queue/queue.h"
#include "queue/submission.h"

struct captured {
    struct rp_device *dev;
    const struct rp_submission *merged;
    const struct rp_submission *sub;
};

static void
describe_submissions(struct rp_describe *d, const struct rp_submission *sub, bool is_list)
{
    for (; sub; sub = is_list ? sub->next : NULL)
        for (uint32_t i = 0; i < sub->cb_count; i++)
            rp_describe_cmd_buffer(d, sub->cbs[i], sub->sequence);
}

static void
captured_describe(void *ctx, struct rp_capture *capture, struct rp_json *json)
{
    const struct captured *captured = ctx;
    struct rp_describe d;

    rp_describe_init(&d, captured->dev, capture, json);
    describe_submissions(&d, captured->merged, true);
    describe_submissions(&d, captured->sub, false);
    rp_describe_finish(&d);
}

/* What it is, by its command buffers; false when it has none. */
static bool
survey(const struct rp_submission *sub, bool is_list, struct rp_capture_submission *out)
{
    bool has_any = false;
    for (; sub; sub = is_list ? sub->next : NULL) {
        has_any |= sub->cb_count != 0;
        for (uint32_t i = 0; i < sub->cb_count; i++) {
            out->runs_beside_others |= sub->cbs[i]->waits_for_others;
            out->has_session |= sub->cbs[i]->has_session;
        }
    }
    return has_any;
}

bool
rp_queue_capture_begin(struct rp_queue *queue, const struct rp_submission *merged,
                       const struct rp_submission *sub)
{
    struct rp_device *dev = queue->base.dev;
    struct captured captured = {.dev = dev, .merged = merged, .sub = sub};
    struct rp_capture_submission submission = {
        .family_index = queue->family_index,
        .queue_index = queue->index_in_family,
        .describe = captured_describe,
        .ctx = &captured,
    };
    const bool has_merged = survey(merged, true, &submission);
    const bool has_any = survey(sub, false, &submission);

    if (!has_merged && !has_any)
        return false;
    rp_queue_wait_jobs(queue);
    return rp_capture_submission_begin(dev->capture, &submission);
}

void
rp_queue_capture_end(struct rp_queue *queue, bool has_run)
{
    rp_queue_wait_jobs(queue);
    rp_capture_submission_end(queue->base.dev->capture, has_run);
}
