/* SPDX-License-Identifier: MIT */
#include "profile/shadow.h"

#include "compute/compute.h"
#include "util/alloc.h"
#include "util/compiler.h"

#define SCOPE VK_SYSTEM_ALLOCATION_SCOPE_DEVICE
#define PAGE_LOG2 12u
#define MAX_PAGES (1u << 15)
#define BLOCK_WORDS 16u

/* other: somebody who read it before the last one did. */
struct word {
    struct rp_shadow_mark writer;
    struct rp_shadow_mark reader;
    struct rp_shadow_mark other;
};

/* What is known of words side by side. */
struct block {
    uint32_t latest; /* when one of them was touched last */
    /* Since then each has been read by two lanes, not of one subgroup, not atomically, and what was
     * written before is behind a barrier: who else reads them adds nothing. 0: not so. */
    uint32_t read_since;
};

/* The marks of a page, for words of four bytes, or of one where smaller ones were touched. */
struct rp_shadow_page {
    uintptr_t number;
    uint32_t word_log2;
    struct word *words;   /* owned */
    struct block *blocks; /* owned */
};

static void
page_destroy(struct rp_shadow_page *page)
{
    if (page)
        rp_free(NULL, page->words);
    if (page)
        rp_free(NULL, page->blocks);
    rp_free(NULL, page);
}

void
rp_shadow_finish(struct rp_shadow *shadow)
{
    for (uint32_t i = 0; i < shadow->slot_count; i++)
        page_destroy(shadow->slots[i]);
    rp_free(NULL, shadow->slots);
    *shadow = (struct rp_shadow){0};
}

static struct rp_shadow_page **
slot_of(struct rp_shadow_page **slots, uint32_t slot_count, uintptr_t number)
{
    uint32_t i = (uint32_t)((uint64_t)number * UINT64_C(0x9e3779b97f4a7c15) >> 32);
    while (slots[i & (slot_count - 1)] && slots[i & (slot_count - 1)]->number != number)
        i++;
    return &slots[i & (slot_count - 1)];
}

static bool
slots_reserve(struct rp_shadow *shadow)
{
    if (shadow->page_count < shadow->slot_count / 2)
        return true;
    const uint32_t slot_count = shadow->slot_count ? 2 * shadow->slot_count : 256;
    struct rp_shadow_page **slots = rp_zalloc_array(NULL, slot_count, sizeof(slots[0]), SCOPE);
    if (!slots)
        return false;
    for (uint32_t i = 0; i < shadow->slot_count; i++)
        if (shadow->slots[i])
            *slot_of(slots, slot_count, shadow->slots[i]->number) = shadow->slots[i];
    rp_free(NULL, shadow->slots);
    shadow->slots = slots;
    shadow->slot_count = slot_count;
    return true;
}

static struct rp_shadow_page *
page_create(uintptr_t number)
{
    struct rp_shadow_page *page =
        rp_zalloc(NULL, sizeof(*page), _Alignof(struct rp_shadow_page), SCOPE);
    if (!page)
        return NULL;
    page->number = number;
    page->word_log2 = 2;
    const uint32_t count = 1u << (PAGE_LOG2 - 2);
    page->words = rp_zalloc_array(NULL, count, sizeof(page->words[0]), SCOPE);
    page->blocks = rp_zalloc_array(NULL, count / BLOCK_WORDS, sizeof(page->blocks[0]), SCOPE);
    if (page->words && page->blocks)
        return page;
    page_destroy(page);
    return NULL;
}

/* Each byte becomes a word of its own. */
static bool
page_split(struct rp_shadow_page *page)
{
    const uint32_t count = 1u << PAGE_LOG2;
    struct word *words = rp_zalloc_array(NULL, count, sizeof(words[0]), SCOPE);
    struct block *blocks = rp_zalloc_array(NULL, count / BLOCK_WORDS, sizeof(blocks[0]), SCOPE);
    if (!words || !blocks) {
        rp_free(NULL, words);
        rp_free(NULL, blocks);
        return false;
    }
    for (uint32_t i = 0; i < count; i++)
        words[i] = page->words[i >> page->word_log2];
    for (uint32_t i = 0; i < count / BLOCK_WORDS; i++)
        blocks[i] = page->blocks[i >> page->word_log2];
    rp_free(NULL, page->words);
    rp_free(NULL, page->blocks);
    page->words = words;
    page->blocks = blocks;
    page->word_log2 = 0;
    return true;
}

static struct rp_shadow_page *
page_of(struct rp_shadow *shadow, uintptr_t number)
{
    if (shadow->last && shadow->last->number == number)
        return shadow->last;
    if (!slots_reserve(shadow))
        return NULL;
    struct rp_shadow_page **slot = slot_of(shadow->slots, shadow->slot_count, number);
    if (!*slot && shadow->page_count < MAX_PAGES) {
        *slot = page_create(number);
        shadow->page_count += *slot != NULL;
    }
    shadow->last = *slot;
    return *slot;
}

static inline bool
is_ordered(const struct rp_shadow_touch *t, const struct rp_shadow_mark *mark)
{
    const struct rp_shadow_times *times = &t->times;
    if (mark->time < times->begin)
        return true;
    if (mark->time < times->group)
        return t->is_released && t->is_released(t->ctx, mark->time);
    return mark->lane == t->mark.lane || mark->time < times->barrier ||
           mark->time < times->synced ||
           (mark->time < times->subgroup &&
            mark->lane / t->subgroup_size == t->mark.lane / t->subgroup_size);
}

static bool
is_race(const struct rp_shadow_touch *t, const struct rp_shadow_mark *mark)
{
    return !is_ordered(t, mark) && !(t->is_atomic && mark->site & RP_SHADOW_ATOMIC);
}

static void
note_race(struct rp_shadow_verdict *out, const struct rp_shadow_mark *mark)
{
    if (!out->is_race)
        out->other = *mark;
    out->is_race = true;
}

static inline bool
is_same_invocation(const struct rp_shadow_touch *t, const struct rp_shadow_mark *mark)
{
    return mark->lane == t->mark.lane && mark->time >= t->times.group;
}

/* A barrier of a subgroup may order both before somebody else. */
static inline bool
are_of_one_subgroup(const struct rp_shadow_touch *t, const struct rp_shadow_mark *a,
                    const struct rp_shadow_mark *b)
{
    return a->time >= t->times.group && b->time >= t->times.group &&
           a->lane / t->subgroup_size == b->lane / t->subgroup_size;
}

static inline void
word_note_reader(struct word *w, const struct rp_shadow_touch *t, struct rp_shadow_mark mark)
{
    if (w->reader.time >= t->times.begin && !is_same_invocation(t, &w->reader)) {
        /* The earlier reader of two that counts: the one that a barrier does not separate from us,
         * or the one of another subgroup. */
        const bool is_before = w->other.time >= t->times.begin && w->other.time < t->times.group &&
                               w->reader.time >= t->times.group && is_ordered(t, &w->reader);
        const bool is_apart = are_of_one_subgroup(t, &w->reader, &mark) &&
                              !are_of_one_subgroup(t, &w->other, &mark) &&
                              !((w->other.site | mark.site) & RP_SHADOW_ATOMIC) &&
                              !is_ordered(t, &w->other);
        if (!is_before && !is_apart)
            w->other = w->reader;
    }
    w->reader = mark;
}

static void
word_read(struct word *w, const struct rp_shadow_touch *t, struct rp_shadow_mark mark,
          struct rp_shadow_verdict *out)
{
    if (is_race(t, &w->writer) && !(w->writer.site & RP_SHADOW_SILENT))
        note_race(out, &w->writer);
    if (w->writer.time < t->times.group)
        out->is_unwritten = true;
    word_note_reader(w, t, mark);
}

static void
word_write(struct word *w, const struct rp_shadow_touch *t, struct rp_shadow_mark mark,
           struct rp_shadow_verdict *out)
{
    const bool is_own_time = w->writer.time == t->mark.time && w->writer.lane != t->mark.lane;
    if (is_own_time && t->is_same && t->is_same(t->ctx, t->mark.lane, w->writer.lane))
        return;
    const bool is_first = w->writer.time < t->times.begin;
    if (!is_own_time && t->is_silent && !(is_first && t->is_undefined)) {
        if (!is_first)
            return;
        mark.site |= RP_SHADOW_SILENT;
        w->writer = mark;
        return;
    }
    if (is_race(t, &w->writer))
        note_race(out, &w->writer);
    if (is_race(t, &w->reader))
        note_race(out, &w->reader);
    if (is_race(t, &w->other))
        note_race(out, &w->other);
    w->writer = mark;
}

static inline uint32_t
word_number(const struct rp_shadow_page *page, uintptr_t at)
{
    return (uint32_t)(at % (UINT64_C(1) << PAGE_LOG2)) >> page->word_log2;
}

/* Some of its words are touched. */
static inline void
block_note(struct block *b, const struct rp_shadow_touch *t)
{
    b->latest = t->mark.time;
    if (t->is_write)
        b->read_since = 0;
}

void
rp_shadow_touch(struct rp_shadow *shadow, const struct rp_shadow_touch *t,
                struct rp_shadow_verdict *out)
{
    struct rp_shadow_mark mark = t->mark;
    mark.site |= t->is_atomic ? RP_SHADOW_ATOMIC : 0;
    *out = (struct rp_shadow_verdict){0};
    for (uintptr_t at = (uintptr_t)t->at, end = at + t->size_B; at < end;) {
        struct rp_shadow_page *page = page_of(shadow, at >> PAGE_LOG2);
        const bool is_small = (at | (end - at)) & 3;
        if (!page || (is_small && page->word_log2 && !page_split(page))) {
            shadow->is_short = true;
            return;
        }
        const uint32_t number = word_number(page, at);
        block_note(&page->blocks[number / BLOCK_WORDS], t);
        if (t->is_write)
            word_write(&page->words[number], t, mark, out);
        else
            word_read(&page->words[number], t, mark, out);
        at += UINT64_C(1) << page->word_log2;
    }
}

/* Sure to be no race with it; where it is not sure is_race() knows. */
static inline bool
is_clear(const struct rp_shadow_touch *t, const struct rp_shadow_mark *mark)
{
    const struct rp_shadow_times *times = &t->times;
    return mark->time < times->begin || (t->is_atomic && mark->site & RP_SHADOW_ATOMIC) ||
           (mark->time >= times->group &&
            (mark->time < times->barrier || mark->lane == t->mark.lane));
}

/* False: there may be something to say, and nothing that matters has changed. */
static inline bool
word_pass_read(struct word *w, const struct rp_shadow_touch *t)
{
    if (!is_clear(t, &w->writer) || (t->is_undefined && w->writer.time < t->times.group))
        return false;
    word_note_reader(w, t, t->mark);
    return true;
}

static inline bool
word_pass_write(struct word *w, const struct rp_shadow_touch *t, bool is_silent)
{
    const bool is_first = w->writer.time < t->times.begin;
    if (t->is_same && w->writer.time == t->mark.time && w->writer.lane != t->mark.lane)
        return false;
    if (is_silent && !(is_first && t->is_undefined)) {
        if (is_first) {
            w->writer = t->mark;
            w->writer.site |= RP_SHADOW_SILENT;
        }
        return true;
    }
    if (!is_clear(t, &w->writer) || !is_clear(t, &w->reader) || !is_clear(t, &w->other))
        return false;
    w->writer = t->mark;
    return true;
}

/* Whoever reads it, there is nothing to say of what was written. */
static inline bool
is_open_to_all(const struct word *w, const struct rp_shadow_times *times, bool is_undefined)
{
    return (w->writer.time < times->begin && !is_undefined) ||
           (w->writer.time >= times->group && w->writer.time < times->barrier);
}

/* Each of its words has been read: see struct block. */
static void
block_find_readers(struct block *b, const struct word *words, const struct rp_shadow_touch *t)
{
    const uint32_t epoch = t->times.epoch;
    uint32_t since = UINT32_MAX;
    for (uint32_t i = 0; i < BLOCK_WORDS; i++) {
        const struct word *w = &words[i];
        if (w->other.time < epoch || w->reader.time < epoch ||
            are_of_one_subgroup(t, &w->other, &w->reader) || w->other.lane == w->reader.lane ||
            (w->other.site | w->reader.site) & RP_SHADOW_ATOMIC ||
            !is_open_to_all(w, &t->times, t->is_undefined))
            return;
        since = RP_MIN(since, RP_MIN(w->other.time, w->reader.time));
    }
    b->read_since = since;
}

/* Lanes that touch words side by side, word_count each, inside of one block. */
struct stretch {
    const uint16_t *lanes;
    const bool *is_silent; /* may be NULL */
    uint32_t count;
    uint32_t word_count;
};

/* Nobody has touched the block in this dispatch. */
static void
stretch_mark(const struct stretch *s, struct word *w, const struct rp_shadow_touch *t)
{
    struct rp_shadow_mark mark = t->mark;
    for (uint32_t i = 0; i < s->count; i++) {
        mark.lane = s->lanes[i];
        mark.site = t->mark.site;
        if (t->is_write && s->is_silent && s->is_silent[i] && !t->is_undefined)
            mark.site |= RP_SHADOW_SILENT;
        for (uint32_t k = 0; k < s->word_count; k++, w++)
            *(t->is_write ? &w->writer : &w->reader) = mark;
    }
}

/* Returns how many of its lanes are done with. */
static uint32_t
stretch_pass(const struct stretch *s, struct block *b, struct word *w, struct rp_shadow_touch *t)
{
    if (b->latest < t->times.begin && (t->is_write || !t->is_undefined)) {
        stretch_mark(s, w, t);
        block_note(b, t);
        return s->count;
    }
    if (!t->is_write && b->read_since >= t->times.epoch)
        return s->count;
    const bool is_whole = s->count * s->word_count == BLOCK_WORDS;
    const struct word *first = w;
    block_note(b, t);
    for (uint32_t i = 0; i < s->count; i++) {
        t->mark.lane = s->lanes[i];
        for (uint32_t k = 0; k < s->word_count; k++, w++) {
            const bool is_done = t->is_write
                                     ? word_pass_write(w, t, s->is_silent && s->is_silent[i])
                                     : word_pass_read(w, t);
            if (!is_done)
                return i;
        }
    }
    if (!t->is_write && is_whole)
        block_find_readers(b, first, t);
    return s->count;
}

/* All at one place. Of many that read one word the first and the last are remembered, whoever the
 * others are. */
static uint32_t
place_pass(const struct stretch *s, struct block *b, struct word *w, struct rp_shadow_touch *t)
{
    bool is_between_passed = false;
    if (!t->is_write && b->read_since >= t->times.epoch)
        return s->count;
    if (s->count > 2 && s->word_count == 1 && !t->is_write &&
        is_open_to_all(w, &t->times, t->is_undefined))
        is_between_passed = true;
    struct stretch one = {s->lanes, s->is_silent, 1, s->word_count};
    for (uint32_t i = 0; i < s->count; i = is_between_passed && i == 0 ? s->count - 1 : i + 1) {
        one.lanes = s->lanes + i;
        one.is_silent = s->is_silent ? s->is_silent + i : NULL;
        if (!stretch_pass(&one, b, w, t))
            return i;
    }
    return s->count;
}

uint32_t
rp_shadow_touch_run(struct rp_shadow *shadow, struct rp_shadow_touch *t, const uint16_t *lanes,
                    const bool *is_silent, uint32_t count, uint32_t step_B)
{
    uintptr_t at = (uintptr_t)t->at;
    const uint16_t site = t->mark.site;
    uint32_t done = 0;
    t->mark.site |= t->is_atomic ? RP_SHADOW_ATOMIC : 0;
    while (done < count) {
        struct rp_shadow_page *page = page_of(shadow, at >> PAGE_LOG2);
        if (!page || (at | t->size_B) % (1u << page->word_log2))
            break;
        const uint32_t number = word_number(page, at);
        const uint32_t left = BLOCK_WORDS - number % BLOCK_WORDS;
        const uint32_t word_count = t->size_B >> page->word_log2;
        struct stretch s = {lanes + done, is_silent ? is_silent + done : NULL, count - done,
                            word_count};
        if (word_count > left)
            break;
        struct block *b = &page->blocks[number / BLOCK_WORDS];
        uint32_t passed;
        if (step_B) {
            s.count = RP_MIN(s.count, left / word_count);
            passed = stretch_pass(&s, b, &page->words[number], t);
        } else {
            passed = place_pass(&s, b, &page->words[number], t);
        }
        done += passed;
        at += (uintptr_t)passed * step_B;
        if (passed < s.count)
            break;
    }
    t->mark.site = site;
    return done;
}
