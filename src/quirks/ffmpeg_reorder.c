/* SPDX-License-Identifier: MIT */
/* Lists of what deferred submissions miss, and of what sessions have submitted.
 */
#include "quirks/ffmpeg_reorder.h"

#include "quirks/submitted_pictures.h"
#include "util/alloc.h"

#define MAX_IN_VAIN 3

struct rp_reorder_session {
    struct rp_reorder_session *next;
    uint64_t id;
    struct rp_submitted_pictures submitted;
};

/* A submission that is deferred, or that is merged into one that is. */
struct rp_reorder_entry {
    struct rp_reorder_entry *next;
    struct rp_reorder_entry *merged; /* owned list, in the order of their replay, before this one */
    uint64_t id;
    uint32_t missing_count;
    struct rp_quirk_missing missing[RP_QUIRK_MAX_REFERENCES];
};

static void
entry_destroy(struct rp_reorder_entry *entry)
{
    while (entry->merged) {
        struct rp_reorder_entry *other = entry->merged;
        entry->merged = other->next;
        rp_free(NULL, other);
    }
    rp_free(NULL, entry);
}

void
rp_reorder_finish(struct rp_reorder *reorder)
{
    while (reorder->sessions) {
        struct rp_reorder_session *session = reorder->sessions;
        reorder->sessions = session->next;
        rp_free(NULL, session);
    }
    while (reorder->deferred) {
        struct rp_reorder_entry *entry = reorder->deferred;
        reorder->deferred = entry->next;
        entry_destroy(entry);
    }
}

static struct rp_reorder_session *
session_find(const struct rp_reorder *reorder, uint64_t id)
{
    struct rp_reorder_session *session = reorder->sessions;
    while (session && session->id != id)
        session = session->next;
    return session;
}

/* Made when there is none; NULL when memory is short: then the session's pictures go unordered. */
static struct rp_reorder_session *
session_get(struct rp_reorder *reorder, uint64_t id)
{
    struct rp_reorder_session *session = session_find(reorder, id);
    if (session)
        return session;
    session = rp_zalloc(NULL, sizeof(*session), _Alignof(struct rp_reorder_session),
                        VK_SYSTEM_ALLOCATION_SCOPE_OBJECT);
    if (!session)
        return NULL;
    session->id = id;
    session->next = reorder->sessions;
    reorder->sessions = session;
    return session;
}

void
rp_reorder_forget_session(struct rp_reorder *reorder, uint64_t session_id)
{
    struct rp_reorder_session **link = &reorder->sessions;
    while (*link && (*link)->id != session_id)
        link = &(*link)->next;
    struct rp_reorder_session *session = *link;
    if (!session)
        return;
    *link = session->next;
    rp_free(NULL, session);
}

static bool
entry_take(struct rp_reorder_entry *entry, const struct rp_quirk_decode *decode)
{
    bool is_any = false;
    for (uint32_t i = 0; i < entry->missing_count; i++) {
        struct rp_quirk_missing *missing = &entry->missing[i];
        if (missing->session_id != decode->session_id ||
            !rp_decode_identity_take(&missing->identity, &decode->picture))
            continue;
        is_any = true;
        if (missing->identity.fields == 0)
            entry->missing[i--] = entry->missing[--entry->missing_count];
    }
    return is_any;
}

/* Tells a deferred submission, and those merged into it, of a picture. True when one of them misses
 * it. before_id: the first merged one that does; 0: it is the deferred one itself. */
static bool
deferred_take(struct rp_reorder_entry *deferred, const struct rp_quirk_decode *decode,
              uint64_t *before_id)
{
    bool is_missed = false;
    *before_id = 0;
    for (struct rp_reorder_entry *other = deferred->merged; other; other = other->next) {
        if (entry_take(other, decode) && !is_missed) {
            is_missed = true;
            *before_id = other->id;
        }
    }
    return entry_take(deferred, decode) || is_missed;
}

static void
find_missing(struct rp_reorder_session *session, const struct rp_quirk_decode *decode,
             struct rp_quirk_submission *sub)
{
    struct rp_submitted_pictures *submitted = &session->submitted;
    for (uint32_t i = 0; i < decode->ref_count && submitted->in_vain_count < MAX_IN_VAIN; i++) {
        const struct rp_decode_identity *ref = &decode->refs[i];
        if (ref->key.image_id && !rp_submitted_pictures_have(submitted, ref) &&
            sub->missing_count < RP_QUIRK_MAX_REFERENCES)
            sub->missing[sub->missing_count++] = (struct rp_quirk_missing){session->id, *ref};
    }
}

void
rp_reorder_submit(struct rp_reorder *reorder, struct rp_quirk_submission *sub,
                  const struct rp_quirk_decode *decode)
{
    struct rp_reorder_session *session = session_get(reorder, decode->session_id);
    if (!session)
        return;
    find_missing(session, decode, sub);
    if (!decode->picture.key.image_id)
        return;
    rp_submitted_pictures_add(&session->submitted, &decode->picture);
    for (struct rp_reorder_entry *entry = reorder->deferred; entry; entry = entry->next) {
        uint64_t before_id;
        if (!deferred_take(entry, decode, &before_id))
            continue;
        session->submitted.in_vain_count = 0;
        session->submitted.is_disorderly = true;
        if (!sub->merge_into_id) {
            sub->merge_into_id = entry->id;
            sub->merge_before_id = before_id;
        }
    }
}

static struct rp_reorder_entry *
entry_create(const struct rp_quirk_submission *sub)
{
    struct rp_reorder_entry *entry = rp_alloc(
        NULL, sizeof(*entry), _Alignof(struct rp_reorder_entry), VK_SYSTEM_ALLOCATION_SCOPE_OBJECT);
    if (!entry)
        return NULL;
    *entry = (struct rp_reorder_entry){.id = sub->id, .missing_count = sub->missing_count};
    for (uint32_t i = 0; i < sub->missing_count; i++)
        entry->missing[i] = sub->missing[i];
    return entry;
}

bool
rp_reorder_note_deferred(struct rp_reorder *reorder, const struct rp_quirk_submission *sub)
{
    struct rp_reorder_entry *entry = entry_create(sub);
    if (!entry)
        return false;
    struct rp_reorder_entry **link = &reorder->deferred;
    while (*link)
        link = &(*link)->next;
    *link = entry;
    return true;
}

static struct rp_reorder_entry **
deferred_link(struct rp_reorder *reorder, uint64_t id)
{
    struct rp_reorder_entry **link = &reorder->deferred;
    while (*link && (*link)->id != id)
        link = &(*link)->next;
    return link;
}

bool
rp_reorder_note_merged(struct rp_reorder *reorder, const struct rp_quirk_submission *sub)
{
    struct rp_reorder_entry *host = *deferred_link(reorder, sub->merge_into_id);
    struct rp_reorder_entry *entry = host ? entry_create(sub) : NULL;
    if (!entry)
        return false;
    struct rp_reorder_entry **link = &host->merged;
    while (*link && (*link)->id != sub->merge_before_id)
        link = &(*link)->next;
    entry->next = *link;
    *link = entry;
    return true;
}

static bool
is_complete(const struct rp_reorder_entry *deferred)
{
    uint32_t missing_count = deferred->missing_count;
    for (const struct rp_reorder_entry *other = deferred->merged; other; other = other->next)
        missing_count += other->missing_count;
    return missing_count == 0;
}

uint64_t
rp_reorder_take_complete(struct rp_reorder *reorder)
{
    struct rp_reorder_entry **link = &reorder->deferred;
    while (*link && !is_complete(*link))
        link = &(*link)->next;
    struct rp_reorder_entry *entry = *link;
    if (!entry)
        return 0;
    const uint64_t id = entry->id;
    *link = entry->next;
    entry_destroy(entry);
    return id;
}

/* From now on the reference is what the image has. */
static void
entry_give_up(struct rp_reorder *reorder, const struct rp_reorder_entry *entry)
{
    for (uint32_t i = 0; i < entry->missing_count; i++) {
        struct rp_reorder_session *session = session_find(reorder, entry->missing[i].session_id);
        if (!session)
            continue;
        rp_submitted_pictures_add(&session->submitted, &entry->missing[i].identity);
        session->submitted.in_vain_count += i == 0;
    }
}

void
rp_reorder_forget(struct rp_reorder *reorder, uint64_t id, bool is_late)
{
    struct rp_reorder_entry **link = deferred_link(reorder, id);
    struct rp_reorder_entry *entry = *link;
    if (!entry)
        return;
    *link = entry->next;
    if (is_late) {
        entry_give_up(reorder, entry);
        for (const struct rp_reorder_entry *other = entry->merged; other; other = other->next)
            entry_give_up(reorder, other);
    }
    entry_destroy(entry);
}
