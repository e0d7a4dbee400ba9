/* SPDX-License-Identifier: MIT */
#include "capture/submissions.h"

#include "capture/memory.h"
#include "capture/touches.h"

static void
line_write(struct rp_capture_device *c, struct rp_json *json)
{
    rp_json_close(json, '}');
    rp_json_line_end(json);
    if (c->has_ended)
        return;
    if (json->is_out_of_memory ||
        !rp_writer_add_line(&c->writer, RP_WRITER_SUBMITS, json->text, json->size_B))
        rp_capture_end(c, "ends: no room for its submissions");
}

static void
line_describe(struct rp_capture_device *c, const struct rp_capture_submission *sub, uint64_t number)
{
    struct rp_json *json = &c->submit_json;

    rp_json_reset(json);
    rp_json_open(json, '{');
    rp_json_key_u64(json, "submit", number);
    rp_json_key_u64(json, "family", sub->family_index);
    rp_json_key_u64(json, "queue", sub->queue_index);
    rp_json_key_u64(json, "objects", c->object_lines);
    if (number < c->first_submission)
        rp_json_key_u64(json, "prelude", 1);
    rp_json_key(json, "commands");
    rp_json_open(json, '[');
    rp_capture_touches_reset(c);
    c->descriptors_count = 0;
    sub->describe(sub->ctx, &c->base, json);
    rp_json_close(json, ']');
    rp_capture_write_memory(c);
    line_write(c, json);

    rp_json_reset(&c->result_json);
    rp_json_open(&c->result_json, '{');
    rp_json_key_u64(&c->result_json, "done", number);
}

bool
rp_capture_submission_begin(struct rp_capture *capture, const struct rp_capture_submission *sub)
{
    struct rp_capture_device *c = rp_capture_device_of(capture);

    pthread_mutex_lock(&c->run_mutex);
    pthread_mutex_lock(&c->mutex);
    const uint64_t number = c->submission_count++;
    const bool is_wanted = !c->has_ended && number <= c->last_submission &&
                           (number >= c->first_submission || sub->has_session);
    if (is_wanted)
        line_describe(c, sub, number);
    if (is_wanted && c->flushes && !rp_writer_flush(&c->writer))
        rp_capture_end(c, "ends: no room for its submissions");
    if (is_wanted && sub->runs_beside_others)
        rp_capture_forget_results(c);
    if (sub->runs_beside_others)
        rp_capture_touches_reset(c);
    pthread_mutex_unlock(&c->mutex);
    if (!is_wanted || sub->runs_beside_others)
        pthread_mutex_unlock(&c->run_mutex);
    return is_wanted && !sub->runs_beside_others;
}

void
rp_capture_submission_end(struct rp_capture *capture, bool has_run)
{
    struct rp_capture_device *c = rp_capture_device_of(capture);

    pthread_mutex_lock(&c->mutex);
    if (!c->has_ended) {
        if (has_run) {
            rp_capture_write_results(c);
        } else {
            rp_capture_forget_results(c);
            rp_json_key_u64(&c->result_json, "lost", 1);
        }
        line_write(c, &c->result_json);
    }
    rp_capture_touches_reset(c);
    pthread_mutex_unlock(&c->mutex);
    pthread_mutex_unlock(&c->run_mutex);
}
