/* SPDX-License-Identifier: MIT */
/* The lines of submits.jsonl. src/queue/capture.c calls these around the replay of a submission.
 */
#ifndef RP_CAPTURE_SUBMISSIONS_H
#define RP_CAPTURE_SUBMISSIONS_H

#include "capture/capture.h"

struct rp_capture_submission {
    uint32_t family_index;
    uint32_t queue_index;
    bool runs_beside_others; /* it may wait for them: there is nothing to check */
    bool has_session;        /* video: what comes later depends on it */
    /* Writes the list of its command buffers to the line, and touches what they reach. */
    void (*describe)(void *ctx, struct rp_capture *capture, struct rp_json *json);
    void *ctx;
};

/* Its waits are met. True: it is being captured, and rp_capture_submission_end() is to be called
 * when it has run and all its jobs have; has_run: to its end, without losing the device. */
bool rp_capture_submission_begin(struct rp_capture *capture,
                                 const struct rp_capture_submission *sub);
void rp_capture_submission_end(struct rp_capture *capture, bool has_run);

#endif
