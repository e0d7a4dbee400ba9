/* SPDX-License-Identifier: MIT */
/* Reference marking and list initialisation (8.2.4, 8.2.5), written from the standard.
 */
#include "dpb.h"

#include <stdio.h>
#include <stdlib.h>

int32_t
dpb_pic_num(const struct dpb *dpb, uint32_t i, uint32_t frame_num)
{
    const uint32_t own = dpb->entry[i].frame_num;
    return (int32_t)own - (own > frame_num ? (int32_t)dpb->max_frame_num : 0);
}

/* Sorts count entries so that keys descend. */
static void
sort_descending(uint32_t *entries, int64_t *keys, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++) {
        for (uint32_t j = i; j > 0 && keys[j] > keys[j - 1]; j--) {
            const uint32_t entry = entries[j];
            const int64_t key = keys[j];
            entries[j] = entries[j - 1];
            keys[j] = keys[j - 1];
            entries[j - 1] = entry;
            keys[j - 1] = key;
        }
    }
}

static uint32_t
append_short_term_p(const struct dpb *dpb, uint32_t frame_num, uint32_t *out)
{
    int64_t keys[DPB_SIZE];
    uint32_t count = 0;

    for (uint32_t i = 0; i < DPB_SIZE; i++) {
        if (dpb->entry[i].is_used && !dpb->entry[i].is_long_term) {
            keys[count] = dpb_pic_num(dpb, i, frame_num);
            out[count++] = i;
        }
    }
    sort_descending(out, keys, count);
    return count;
}

/* Those before the picture nearest first, or those behind it. */
static uint32_t
append_short_term_b(const struct dpb *dpb, bool before, int32_t poc, uint32_t *out)
{
    int64_t keys[DPB_SIZE];
    uint32_t count = 0;

    for (uint32_t i = 0; i < DPB_SIZE; i++) {
        const struct dpb_entry *e = &dpb->entry[i];
        if (e->is_used && !e->is_long_term && (e->poc < poc) == before) {
            keys[count] = before ? e->poc : -(int64_t)e->poc;
            out[count++] = i;
        }
    }
    sort_descending(out, keys, count);
    return count;
}

static uint32_t
append_long_term(const struct dpb *dpb, uint32_t *out)
{
    int64_t keys[DPB_SIZE];
    uint32_t count = 0;

    for (uint32_t i = 0; i < DPB_SIZE; i++) {
        if (dpb->entry[i].is_used && dpb->entry[i].is_long_term) {
            keys[count] = -(int64_t)dpb->entry[i].long_term_idx;
            out[count++] = i;
        }
    }
    sort_descending(out, keys, count);
    return count;
}

static uint32_t
initial_list(const struct dpb *dpb, uint32_t slice_type, uint32_t list, uint32_t frame_num,
             int32_t poc, uint32_t out[DPB_SIZE])
{
    uint32_t count;
    if (slice_type == STD_VIDEO_H264_SLICE_TYPE_P) {
        count = append_short_term_p(dpb, frame_num, out);
    } else {
        count = append_short_term_b(dpb, list == 0, poc, out);
        count += append_short_term_b(dpb, list != 0, poc, out + count);
    }
    return count + append_long_term(dpb, out + count);
}

uint32_t
dpb_initial_list(const struct dpb *dpb, uint32_t slice_type, uint32_t list, uint32_t frame_num,
                 int32_t poc, uint32_t out[DPB_SIZE])
{
    const uint32_t count = initial_list(dpb, slice_type, list, frame_num, poc, out);
    if (list == 0 || count < 2)
        return count;

    /* List 1 is not to be the same as list 0 (8.2.4.2.3). */
    uint32_t list0[DPB_SIZE];
    initial_list(dpb, slice_type, 0, frame_num, poc, list0);
    for (uint32_t i = 0; i < count; i++) {
        if (list0[i] != out[i])
            return count;
    }
    const uint32_t first = out[0];
    out[0] = out[1];
    out[1] = first;
    return count;
}

uint32_t
dpb_take_free(struct dpb *dpb)
{
    for (uint32_t n = 0; n < DPB_SIZE; n++) {
        const uint32_t i = (dpb->next_free + n) % DPB_SIZE;
        if (!dpb->entry[i].is_used) {
            dpb->next_free = i + 1;
            return i;
        }
    }
    fprintf(stderr, "the test's DPB is full\n");
    abort();
}

uint32_t
dpb_count_used(const struct dpb *dpb)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < DPB_SIZE; i++)
        count += dpb->entry[i].is_used;
    return count;
}

int32_t
dpb_find_display(const struct dpb *dpb, uint32_t display)
{
    for (uint32_t i = 0; i < DPB_SIZE; i++) {
        if (dpb->entry[i].is_used && dpb->entry[i].display == display)
            return (int32_t)i;
    }
    return -1;
}

int32_t
dpb_find_long_term(const struct dpb *dpb)
{
    for (uint32_t i = 0; i < DPB_SIZE; i++) {
        if (dpb->entry[i].is_used && dpb->entry[i].is_long_term)
            return (int32_t)i;
    }
    return -1;
}

int32_t
dpb_find_oldest(const struct dpb *dpb, uint32_t frame_num)
{
    int32_t oldest = -1;
    for (uint32_t i = 0; i < DPB_SIZE; i++) {
        if (!dpb->entry[i].is_used || dpb->entry[i].is_long_term)
            continue;
        if (oldest < 0 ||
            dpb_pic_num(dpb, i, frame_num) < dpb_pic_num(dpb, (uint32_t)oldest, frame_num))
            oldest = (int32_t)i;
    }
    return oldest;
}

static void
drop_long_term_idx(struct dpb *dpb, uint32_t idx)
{
    for (uint32_t i = 0; i < DPB_SIZE; i++) {
        struct dpb_entry *e = &dpb->entry[i];
        if (e->is_used && e->is_long_term && e->long_term_idx == idx)
            e->is_used = false;
    }
}

static struct dpb_entry *
short_term_by_difference(struct dpb *dpb, uint32_t frame_num, uint32_t difference_minus1)
{
    const int32_t pic_num = (int32_t)frame_num - (int32_t)(difference_minus1 + 1);
    for (uint32_t i = 0; i < DPB_SIZE; i++) {
        struct dpb_entry *e = &dpb->entry[i];
        if (e->is_used && !e->is_long_term && dpb_pic_num(dpb, i, frame_num) == pic_num)
            return e;
    }
    fprintf(stderr, "MMCO names a picture that is not there\n");
    abort();
}

/* True for MMCO 5. MMCO 4 only ever says an index that drops nothing here. */
static bool
apply_mmco(struct dpb *dpb, uint32_t frame_num, const struct mmco *m)
{
    struct dpb_entry *e;

    switch (m->op) {
    case 1:
        short_term_by_difference(dpb, frame_num, m->a)->is_used = false;
        return false;
    case 2:
    case 6:
        drop_long_term_idx(dpb, m->a);
        return false;
    case 3:
        e = short_term_by_difference(dpb, frame_num, m->a);
        drop_long_term_idx(dpb, m->b);
        e->is_long_term = true;
        e->long_term_idx = m->b;
        return false;
    case 5:
        for (uint32_t i = 0; i < DPB_SIZE; i++)
            dpb->entry[i].is_used = false;
        return true;
    default:
        return false;
    }
}

bool
dpb_store(struct dpb *dpb, uint32_t i, const struct marking *m, int32_t poc, uint32_t display)
{
    bool has_mmco5 = false;

    if (m->is_idr) {
        for (uint32_t k = 0; k < DPB_SIZE; k++)
            dpb->entry[k].is_used = false;
    } else if (!m->is_adaptive && dpb_count_used(dpb) >= dpb->max_refs) {
        const int32_t oldest = dpb_find_oldest(dpb, m->frame_num);
        if (oldest >= 0)
            dpb->entry[oldest].is_used = false;
    }
    for (uint32_t k = 0; k < m->mmco_count; k++)
        has_mmco5 |= apply_mmco(dpb, m->frame_num, &m->mmco[k]);

    struct dpb_entry *e = &dpb->entry[i];
    e->is_used = true;
    e->is_long_term = m->is_idr && m->is_long_term_idr;
    e->long_term_idx = 0;
    e->frame_num = has_mmco5 ? 0 : m->frame_num;
    e->poc = has_mmco5 ? 0 : poc;
    e->display = display;
    e->is_foreign = false;
    for (uint32_t k = 0; k < m->mmco_count; k++) {
        if (m->mmco[k].op == 6) {
            e->is_long_term = true;
            e->long_term_idx = m->mmco[k].a;
        }
    }
    return has_mmco5;
}
