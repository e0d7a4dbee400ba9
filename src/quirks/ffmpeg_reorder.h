/* SPDX-License-Identifier: MIT */
/* Decides which decode submissions are deferred because a reference was not submitted, and into
 * which of them a submission is merged that decodes such a reference (queue/merge.h does so).
 *
 * This is what remains when rp_frame_threads was not patient enough. It knows ids and picture
 * identities alone; calls are serialised by the caller.
 */
#ifndef RP_QUIRKS_FFMPEG_REORDER_H
#define RP_QUIRKS_FFMPEG_REORDER_H

#include "reelpipe/quirks.h"
#include "util/compiler.h"

#include <stdbool.h>
#include <stdint.h>

/* How long a submission is deferred at most: longer than a thread that is about to submit is kept
 * from it. A reference that was lost costs this time once; a session in which it was in vain too
 * often is left alone. */
#define RP_REORDER_PATIENCE_NS UINT64_C(100000000)

struct rp_reorder_entry;
struct rp_reorder_session;

/* Zeroed: nothing was submitted. */
struct rp_reorder {
    struct rp_reorder_session *sessions; /* owned list */
    struct rp_reorder_entry *deferred;   /* owned list, oldest first */
};

void rp_reorder_finish(struct rp_reorder *reorder);
void rp_reorder_forget_session(struct rp_reorder *reorder, uint64_t session_id);

/* Adds a picture to those submitted, and what it misses and who misses it to sub. */
void rp_reorder_submit(struct rp_reorder *reorder, struct rp_quirk_submission *sub,
                       const struct rp_quirk_decode *decode);

/* The functions of the same names in struct rp_quirks_ops. */
bool rp_reorder_note_deferred(struct rp_reorder *reorder,
                              const struct rp_quirk_submission *sub) RP_MUST_CHECK;
bool rp_reorder_note_merged(struct rp_reorder *reorder,
                            const struct rp_quirk_submission *sub) RP_MUST_CHECK;
uint64_t rp_reorder_take_complete(struct rp_reorder *reorder);
void rp_reorder_forget(struct rp_reorder *reorder, uint64_t id, bool is_late);

#endif
