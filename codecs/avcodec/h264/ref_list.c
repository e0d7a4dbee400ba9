/* SPDX-License-Identifier: MIT */
/* Initialisation (8.2.4.2) and modification (8.2.4.3) of reference picture lists.
 */
#include "codecs/avcodec/h264/ref_list.h"

#include <stdlib.h>

/* Both fields of every candidate may stand in a list. */
#define MAX_ENTRIES (2 * RP_H264DEC_MAX_CANDIDATES)

#define HELD_NONE INT32_MIN

struct candidates {
    struct rp_h264dec_candidate at[RP_H264DEC_MAX_CANDIDATES];
    uint32_t count;
};

struct list {
    struct rp_h264dec_entry at[MAX_ENTRIES + 1];
    uint32_t count;
};

int32_t
rp_h264dec_candidate_find(const struct rp_h264dec_current *cur,
                          const struct rp_h264dec_candidate *candidates, uint32_t candidate_count,
                          bool is_long_term, int32_t pic_num, uint32_t *fields_out)
{
    uint32_t fields = cur->fields;
    int32_t number = pic_num;
    if (fields != RP_H264DEC_FRAME) {
        /* Odd numbers are of the current parity. */
        fields = pic_num & 1 ? fields : fields ^ RP_H264DEC_FRAME;
        number = pic_num >> 1;
    }
    *fields_out = fields;
    for (uint32_t i = 0; i < candidate_count; i++) {
        if (candidates[i].is_long_term == is_long_term && candidates[i].number == number &&
            (candidates[i].fields & fields) == fields)
            return (int32_t)i;
    }
    return -1;
}

static int
by_number(const void *a, const void *b)
{
    const struct rp_h264dec_candidate *x = a, *y = b;
    return (x->number > y->number) - (x->number < y->number);
}

static int
by_number_descending(const void *a, const void *b)
{
    return by_number(b, a);
}

static int
by_poc(const void *a, const void *b)
{
    const struct rp_h264dec_candidate *x = a, *y = b;
    return (x->poc > y->poc) - (x->poc < y->poc);
}

static int
by_poc_descending(const void *a, const void *b)
{
    return by_poc(b, a);
}

static void
candidates_add(struct candidates *set, const struct rp_h264dec_candidate *candidate)
{
    set->at[set->count++] = *candidate;
}

static void
candidates_sort(struct candidates *set, int (*compare)(const void *, const void *))
{
    qsort(set->at, set->count, sizeof(set->at[0]), compare);
}

static struct rp_h264dec_entry
entry_of(const struct rp_h264dec_candidate *candidate, uint32_t fields)
{
    return (struct rp_h264dec_entry){
        .held = candidate->held,
        .number = candidate->number,
        .fields = fields,
        .is_missing = candidate->held < 0 && !candidate->is_non_existing,
    };
}

/* The next candidate from *i on that has the field. */
static const struct rp_h264dec_candidate *
next_with_field(const struct candidates *set, uint32_t *i, uint32_t field)
{
    while (*i < set->count) {
        const struct rp_h264dec_candidate *candidate = &set->at[(*i)++];
        if (candidate->fields & field)
            return candidate;
    }
    return NULL;
}

/* 8.2.4.2.5: fields of alternating parity, the current one's first; when one parity has run out
 * the rest of the other follows. */
static void
append_fields(struct list *list, const struct candidates *set, uint32_t parity)
{
    uint32_t i[2] = {0, 0};
    uint32_t turn = 0;

    for (;;) {
        const uint32_t field = turn ? parity ^ RP_H264DEC_FRAME : parity;
        const struct rp_h264dec_candidate *candidate = next_with_field(set, &i[turn], field);
        if (!candidate)
            break;
        list->at[list->count++] = entry_of(candidate, field);
        turn ^= 1;
    }

    turn ^= 1;
    const uint32_t field = turn ? parity ^ RP_H264DEC_FRAME : parity;
    const struct rp_h264dec_candidate *candidate;
    while ((candidate = next_with_field(set, &i[turn], field)))
        list->at[list->count++] = entry_of(candidate, field);
}

static void
append(struct list *list, const struct candidates *set, uint32_t fields)
{
    if (fields != RP_H264DEC_FRAME) {
        append_fields(list, set, fields);
        return;
    }
    for (uint32_t i = 0; i < set->count; i++)
        list->at[list->count++] = entry_of(&set->at[i], RP_H264DEC_FRAME);
}

/* Those that a picture of this structure may refer to, split by marking. */
static void
split(struct candidates *short_term, struct candidates *long_term,
      const struct rp_h264dec_current *cur, const struct rp_h264dec_candidate *candidates,
      uint32_t count)
{
    short_term->count = 0;
    long_term->count = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (cur->fields == RP_H264DEC_FRAME && candidates[i].fields != RP_H264DEC_FRAME)
            continue;
        candidates_add(candidates[i].is_long_term ? long_term : short_term, &candidates[i]);
    }
    candidates_sort(long_term, by_number);
}

/* 8.2.4.2.1, 8.2.4.2.2 */
static void
init_p(struct list *list, const struct rp_h264dec_current *cur, struct candidates *short_term,
       const struct candidates *long_term)
{
    list->count = 0;
    candidates_sort(short_term, by_number_descending);
    append(list, short_term, cur->fields);
    append(list, long_term, cur->fields);
}

/* 8.2.4.2.3, 8.2.4.2.4: one list of B pictures. */
static void
init_b(struct list *list, const struct rp_h264dec_current *cur, const struct candidates *short_term,
       const struct candidates *long_term, bool is_list1)
{
    struct candidates before = {.count = 0};
    struct candidates after = {.count = 0};
    for (uint32_t i = 0; i < short_term->count; i++) {
        const struct rp_h264dec_candidate *candidate = &short_term->at[i];
        if (candidate->is_non_existing && cur->has_poc_type_0)
            continue;
        /* The other field of the current frame has the same or a neighbouring count. */
        const bool is_before = cur->fields == RP_H264DEC_FRAME ? candidate->poc < cur->poc
                                                               : candidate->poc <= cur->poc;
        candidates_add(is_before ? &before : &after, candidate);
    }
    candidates_sort(&before, by_poc_descending);
    candidates_sort(&after, by_poc);

    const struct candidates *second = is_list1 ? &before : &after;
    struct candidates ordered = is_list1 ? after : before;
    for (uint32_t i = 0; i < second->count; i++)
        candidates_add(&ordered, &second->at[i]);

    list->count = 0;
    append(list, &ordered, cur->fields);
    append(list, long_term, cur->fields);
}

static bool
is_same_entry(const struct rp_h264dec_entry *a, const struct rp_h264dec_entry *b)
{
    return a->held == b->held && a->number == b->number && a->fields == b->fields;
}

/* 8.2.4.2.3: a list 1 of several entries must differ from list 0. */
static void
make_lists_differ(const struct list *list0, struct list *list1)
{
    if (list1->count < 2 || list0->count != list1->count)
        return;
    for (uint32_t i = 0; i < list1->count; i++) {
        if (!is_same_entry(&list0->at[i], &list1->at[i]))
            return;
    }
    const struct rp_h264dec_entry first = list1->at[0];
    list1->at[0] = list1->at[1];
    list1->at[1] = first;
}

/* 8.2.4.3.1: puts entry at index and takes its later copy out. */
static void
insert(struct list *list, uint32_t index, struct rp_h264dec_entry entry, uint32_t length)
{
    for (uint32_t i = length; i > index; i--)
        list->at[i] = list->at[i - 1];
    list->at[index] = entry;

    uint32_t to = index + 1;
    for (uint32_t from = index + 1; from <= length; from++) {
        if (entry.held == HELD_NONE || !is_same_entry(&list->at[from], &entry))
            list->at[to++] = list->at[from];
    }
}

/* 8.2.4.3 */
static void
modify(struct list *list, const struct rp_h264dec_current *cur,
       const struct rp_h264dec_slice_header *header, uint32_t which,
       const struct rp_h264dec_candidate *candidates, uint32_t candidate_count)
{
    const bool is_frame = cur->fields == RP_H264DEC_FRAME;
    const int64_t max_pic_num = is_frame ? cur->max_frame_num : 2 * (int64_t)cur->max_frame_num;
    const int64_t cur_pic_num = is_frame ? cur->frame_num : 2 * (int64_t)cur->frame_num + 1;
    int64_t predicted = cur_pic_num;

    for (uint32_t i = 0; i < header->modification_count[which]; i++) {
        const struct rp_h264dec_modification *mod = &header->modifications[which][i];
        const bool is_long_term = mod->idc == 2;
        int64_t pic_num = mod->value;
        if (!is_long_term) {
            const int64_t step = (int64_t)mod->value % max_pic_num + 1;
            predicted += mod->idc == 0 ? -step : step;
            if (predicted < 0)
                predicted += max_pic_num;
            else if (predicted >= max_pic_num)
                predicted -= max_pic_num;
            pic_num = predicted > cur_pic_num ? predicted - max_pic_num : predicted;
        } else if (pic_num > INT32_MAX) {
            pic_num = INT32_MAX;
        }
        uint32_t fields;
        const int32_t found = rp_h264dec_candidate_find(cur, candidates, candidate_count,
                                                        is_long_term, (int32_t)pic_num, &fields);
        insert(list, i,
               found >= 0 ? entry_of(&candidates[found], fields)
                          : (struct rp_h264dec_entry){.held = HELD_NONE,
                                                      .fields = fields,
                                                      .is_missing = true},
               header->ref_count[which]);
    }
}

void
rp_h264dec_ref_lists_build(struct rp_h264dec_entry lists[2][RP_H264DEC_MAX_REFS],
                           const struct rp_h264dec_current *cur,
                           const struct rp_h264dec_slice_header *header,
                           const struct rp_h264dec_candidate *candidates, uint32_t candidate_count)
{
    struct candidates short_term, long_term;
    struct list list[2] = {{.count = 0}, {.count = 0}};

    split(&short_term, &long_term, cur, candidates, candidate_count);
    if (header->type == RP_H264DEC_P) {
        init_p(&list[0], cur, &short_term, &long_term);
    } else if (header->type == RP_H264DEC_B) {
        init_b(&list[0], cur, &short_term, &long_term, false);
        init_b(&list[1], cur, &short_term, &long_term, true);
        make_lists_differ(&list[0], &list[1]);
    }

    for (uint32_t which = 0; which < 2; which++) {
        const uint32_t count = header->ref_count[which];
        for (uint32_t i = list[which].count; i <= count; i++)
            list[which].at[i] = (struct rp_h264dec_entry){.held = HELD_NONE, .fields = cur->fields};
        modify(&list[which], cur, header, which, candidates, candidate_count);
        for (uint32_t i = 0; i < count; i++)
            lists[which][i] = list[which].at[i];
    }
}
