/* SPDX-License-Identifier: MIT */
/* The one implementation of struct rp_quirks_ops: FFmpeg's frame threads.
 */
#include "quirks/device.h"

#include "quirks/ffmpeg_frame_threads.h"
#include "quirks/ffmpeg_reorder.h"
#include "quirks/table.h"
#include "util/alloc.h"

struct ffmpeg_quirks {
    struct rp_quirks base;
    struct rp_frame_threads threads;
    pthread_mutex_t mutex; /* guards reorder; may be held when that of threads is taken */
    struct rp_reorder reorder;
};

static struct ffmpeg_quirks *
ffmpeg_quirks_of(struct rp_quirks *quirks)
{
    return rp_container_of(quirks, struct ffmpeg_quirks, base);
}

static void
quirks_destroy(struct rp_quirks *quirks)
{
    struct ffmpeg_quirks *ffmpeg = ffmpeg_quirks_of(quirks);

    rp_frame_threads_finish(&ffmpeg->threads);
    rp_reorder_finish(&ffmpeg->reorder);
    pthread_mutex_destroy(&ffmpeg->mutex);
    rp_free(NULL, ffmpeg);
}

static void
quirks_begin_picture(struct rp_quirks *quirks, uint64_t view_id, uint64_t image_id)
{
    rp_frame_threads_begin_picture(&ffmpeg_quirks_of(quirks)->threads, view_id, image_id);
}

static void
quirks_forget_view(struct rp_quirks *quirks, uint64_t view_id)
{
    rp_frame_threads_forget_view(&ffmpeg_quirks_of(quirks)->threads, view_id);
}

static void
quirks_forget_session(struct rp_quirks *quirks, uint64_t session_id)
{
    struct ffmpeg_quirks *ffmpeg = ffmpeg_quirks_of(quirks);

    pthread_mutex_lock(&ffmpeg->mutex);
    rp_reorder_forget_session(&ffmpeg->reorder, session_id);
    pthread_mutex_unlock(&ffmpeg->mutex);
}

static void
quirks_picture_decoded(struct rp_quirks *quirks)
{
    rp_frame_threads_note_decoded(&ffmpeg_quirks_of(quirks)->threads);
}

static void
quirks_submit_picture(struct rp_quirks *quirks, struct rp_quirk_submission *sub,
                      const struct rp_quirk_decode *decode)
{
    struct ffmpeg_quirks *ffmpeg = ffmpeg_quirks_of(quirks);

    rp_frame_threads_note_submitted(&ffmpeg->threads);
    pthread_mutex_lock(&ffmpeg->mutex);
    rp_reorder_submit(&ffmpeg->reorder, sub, decode);
    pthread_mutex_unlock(&ffmpeg->mutex);
    if (decode->picture.key.image_id)
        rp_frame_threads_submit(&ffmpeg->threads, decode->picture.key.image_id,
                                decode->picture.fields);
}

static void
quirks_submit_end(struct rp_quirks *quirks, struct rp_quirk_submission *sub)
{
    struct ffmpeg_quirks *ffmpeg = ffmpeg_quirks_of(quirks);

    uint64_t missing_ids[RP_QUIRK_MAX_REFERENCES];
    for (uint32_t i = 0; i < sub->missing_count; i++)
        missing_ids[i] = sub->missing[i].identity.key.image_id;
    rp_frame_threads_close_others(&ffmpeg->threads, sub->is_decode ? missing_ids : NULL,
                                  sub->missing_count);
}

static bool
quirks_note_deferred(struct rp_quirks *quirks, const struct rp_quirk_submission *sub)
{
    struct ffmpeg_quirks *ffmpeg = ffmpeg_quirks_of(quirks);

    pthread_mutex_lock(&ffmpeg->mutex);
    const bool is_noted = rp_reorder_note_deferred(&ffmpeg->reorder, sub);
    pthread_mutex_unlock(&ffmpeg->mutex);
    return is_noted;
}

static bool
quirks_note_merged(struct rp_quirks *quirks, const struct rp_quirk_submission *sub)
{
    struct ffmpeg_quirks *ffmpeg = ffmpeg_quirks_of(quirks);

    pthread_mutex_lock(&ffmpeg->mutex);
    const bool is_noted = rp_reorder_note_merged(&ffmpeg->reorder, sub);
    pthread_mutex_unlock(&ffmpeg->mutex);
    return is_noted;
}

static uint64_t
quirks_take_complete(struct rp_quirks *quirks)
{
    struct ffmpeg_quirks *ffmpeg = ffmpeg_quirks_of(quirks);

    pthread_mutex_lock(&ffmpeg->mutex);
    const uint64_t id = rp_reorder_take_complete(&ffmpeg->reorder);
    pthread_mutex_unlock(&ffmpeg->mutex);
    return id;
}

static void
quirks_forget_deferred(struct rp_quirks *quirks, uint64_t id, bool is_late)
{
    struct ffmpeg_quirks *ffmpeg = ffmpeg_quirks_of(quirks);

    pthread_mutex_lock(&ffmpeg->mutex);
    rp_reorder_forget(&ffmpeg->reorder, id, is_late);
    pthread_mutex_unlock(&ffmpeg->mutex);
}

static const struct rp_quirks_ops ffmpeg_ops = {
    .destroy = quirks_destroy,
    .begin_picture = quirks_begin_picture,
    .forget_view = quirks_forget_view,
    .forget_session = quirks_forget_session,
    .picture_decoded = quirks_picture_decoded,
    .submit_picture = quirks_submit_picture,
    .submit_end = quirks_submit_end,
    .note_deferred = quirks_note_deferred,
    .note_merged = quirks_note_merged,
    .take_complete = quirks_take_complete,
    .forget_deferred = quirks_forget_deferred,
};

bool
rp_quirks_create(uint32_t flags, struct rp_quirks **out)
{
    *out = NULL;
    if (!(flags & RP_QUIRK_UNORDERED_DECODE_THREADS))
        return true;
    struct ffmpeg_quirks *ffmpeg = rp_zalloc(NULL, sizeof(*ffmpeg), _Alignof(struct ffmpeg_quirks),
                                             VK_SYSTEM_ALLOCATION_SCOPE_DEVICE);
    if (!ffmpeg)
        return false;
    ffmpeg->base.ops = &ffmpeg_ops;
    ffmpeg->base.deferral_ns = RP_REORDER_PATIENCE_NS;
    rp_frame_threads_init(&ffmpeg->threads);
    pthread_mutex_init(&ffmpeg->mutex, NULL);
    *out = &ffmpeg->base;
    return true;
}
