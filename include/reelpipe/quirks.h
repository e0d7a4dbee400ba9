/* SPDX-License-Identifier: MIT */
/* The contract between the driver and its workarounds for applications' faults (src/quirks/).
 *
 * A device whose application needs none has no struct rp_quirks: whoever would call one of these
 * functions tests one pointer, finds NULL and goes on. Everything is said with ids and values; an
 * id is any number that tells one object from others that live at the same time, and never 0.
 *
 * Any thread may call any of these functions.
 */
#ifndef REELPIPE_QUIRKS_H
#define REELPIPE_QUIRKS_H

#include "reelpipe/decode_identity.h"

#include <stdbool.h>
#include <stdint.h>

#define RP_QUIRK_MAX_REFERENCES 32

/* One vkCmdDecodeVideoKHR. */
struct rp_quirk_decode {
    uint64_t session_id;
    struct rp_decode_identity picture;
    struct rp_decode_identity refs[RP_QUIRK_MAX_REFERENCES];
    uint32_t ref_count;
};

struct rp_quirk_missing {
    uint64_t session_id;
    struct rp_decode_identity identity;
};

/* A submission while it is looked through; zeroed but for id and is_decode. */
struct rp_quirk_submission {
    uint64_t id;
    bool is_decode;

    /* Filled in by submit_picture(): the deferred submission that waits for a picture of this one
     * (0: none), and the one of those merged into it before which this one goes (0: after all). */
    uint64_t merge_into_id;
    uint64_t merge_before_id;

    /* References that were not submitted: without merge_into_id, the submission is to be
     * deferred. */
    uint32_t missing_count;
    struct rp_quirk_missing missing[RP_QUIRK_MAX_REFERENCES];
};

struct rp_quirks;

struct rp_quirks_ops {
    void (*destroy)(struct rp_quirks *quirks);

    /* object: the calling thread has made a view of a picture that may be decoded (0, 0: session
     * parameters, before such a view). May block until other threads have submitted theirs. */
    void (*begin_picture)(struct rp_quirks *quirks, uint64_t view_id, uint64_t image_id);
    void (*forget_view)(struct rp_quirks *quirks, uint64_t view_id);
    void (*forget_session)(struct rp_quirks *quirks, uint64_t session_id);

    /* cmd: a picture of submit_picture() was decoded, or will not be. */
    void (*picture_decoded)(struct rp_quirks *quirks);

    /* queue, for each submission of vkQueueSubmit, in this order; the calls for one submission are
     * not mixed with those for another one.
     * submit_picture: for each vkCmdDecodeVideoKHR. submit_end: all of them were told. */
    void (*submit_picture)(struct rp_quirks *quirks, struct rp_quirk_submission *sub,
                           const struct rp_quirk_decode *decode);
    void (*submit_end)(struct rp_quirks *quirks, struct rp_quirk_submission *sub);
    /* The caller follows the verdict of submit_end. False when memory is short: nothing is kept of
     * the submission, and it goes on like any other. */
    bool (*note_deferred)(struct rp_quirks *quirks, const struct rp_quirk_submission *sub);
    bool (*note_merged)(struct rp_quirks *quirks, const struct rp_quirk_submission *sub);

    /* queue: the id of a deferred submission that misses nothing any more, which is not deferred
     * from now on; 0: there is none. */
    uint64_t (*take_complete)(struct rp_quirks *quirks);
    /* queue: a submission is not deferred any more. is_late: deferral_ns have passed, and what it
     * misses is taken for submitted from now on. */
    void (*forget_deferred)(struct rp_quirks *quirks, uint64_t id, bool is_late);
};

struct rp_quirks {
    const struct rp_quirks_ops *ops;
    uint64_t deferral_ns; /* how long a submission is deferred at most; constant */
};

#endif
