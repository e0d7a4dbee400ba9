/* SPDX-License-Identifier: MIT */
#include "profile/partition.h"

#include "util/alloc.h"
#include "util/hash.h"

#include <string.h>

#define MAX_TRIED_SLOTS 9u /* 21147 partitions */

struct cost {
    uint64_t sets;
    uint64_t descriptors;
};

static bool
is_less(struct cost a, struct cost b)
{
    return a.descriptors != b.descriptors ? a.descriptors < b.descriptors : a.sets < b.sets;
}

struct judge {
    const struct rp_partition_rows *rows;
    uint32_t *seen; /* owned, open addressing: 1 + index of a row */
    uint32_t seen_count;
};

static bool
judge_init(struct judge *j, const struct rp_partition_rows *rows)
{
    *j = (struct judge){.rows = rows, .seen_count = 16};
    while (j->seen_count < 2 * rows->row_count)
        j->seen_count *= 2;
    j->seen =
        rp_zalloc_array(NULL, j->seen_count, sizeof(*j->seen), VK_SYSTEM_ALLOCATION_SCOPE_DEVICE);
    return j->seen != NULL;
}

static void
judge_finish(struct judge *j)
{
    rp_free(NULL, j->seen);
}

static bool
rows_agree(const uint32_t *a, const uint32_t *b, uint32_t slots)
{
    for (; slots; slots &= slots - 1) {
        const int s = __builtin_ctz(slots);
        if (a[s] != b[s])
            return false;
    }
    return true;
}

/* Is the content of these slots, a bit each, in this row one that no row before had? */
static bool
judge_is_new(struct judge *j, const uint32_t *row, uint32_t index, uint32_t slots)
{
    const struct rp_partition_rows *rows = j->rows;
    uint64_t hash = 0;
    for (uint32_t rest = slots; rest; rest &= rest - 1)
        hash = rp_hash_mix(hash, row[__builtin_ctz(rest)]);
    uint32_t at = (uint32_t)(hash >> 32) & (j->seen_count - 1);
    for (; j->seen[at]; at = (at + 1) & (j->seen_count - 1))
        if (rows_agree(row, rows->contents + (size_t)(j->seen[at] - 1) * rows->slot_count, slots))
            return false;
    j->seen[at] = index + 1;
    return true;
}

static struct cost
judge_set(struct judge *j, uint32_t slots)
{
    const struct rp_partition_rows *rows = j->rows;
    struct cost cost = {0, 0};
    uint64_t descriptor_count = 0;
    memset(j->seen, 0, j->seen_count * sizeof(*j->seen));
    for (uint32_t r = 0; r < rows->row_count; r++)
        cost.sets += judge_is_new(j, rows->contents + (size_t)r * rows->slot_count, r, slots);
    for (; slots; slots &= slots - 1)
        descriptor_count += rows->descriptor_counts[__builtin_ctz(slots)];
    cost.descriptors = cost.sets * descriptor_count;
    return cost;
}

/* The slots of each set, in the order of their numbers. */
static uint32_t
sets_collect(const struct rp_partition_rows *rows, struct rp_partition *p,
             uint32_t slots_out[RP_PARTITION_MAX_SLOTS])
{
    uint32_t count = 0, numbers[RP_PARTITION_MAX_SLOTS];
    uint64_t next = 0;
    for (bool has_more = true; has_more;) {
        uint64_t least = UINT64_MAX;
        for (uint32_t s = 0; s < rows->slot_count; s++)
            if (p->set_of[s] >= next && p->set_of[s] < least)
                least = p->set_of[s];
        has_more = least != UINT64_MAX;
        if (!has_more)
            break;
        slots_out[count] = 0;
        for (uint32_t s = 0; s < rows->slot_count; s++)
            if (p->set_of[s] == least) {
                slots_out[count] |= 1u << s;
                numbers[s] = count;
            }
        count++;
        next = least + 1;
    }
    memcpy(p->set_of, numbers, rows->slot_count * sizeof(numbers[0]));
    p->set_count = count;
    return count;
}

bool
rp_partition_judge(const struct rp_partition_rows *rows, struct rp_partition *out)
{
    uint32_t slots[RP_PARTITION_MAX_SLOTS];
    struct judge judge;
    if (!judge_init(&judge, rows))
        return false;
    const uint32_t count = sets_collect(rows, out, slots);
    out->sets = out->descriptors = 0;
    for (uint32_t i = 0; i < count; i++) {
        const struct cost cost = judge_set(&judge, slots[i]);
        out->sets += cost.sets;
        out->descriptors += cost.descriptors;
    }
    judge_finish(&judge);
    return true;
}

bool
rp_partition_by_rate(const struct rp_partition_rows *rows, const uint64_t *rates,
                     struct rp_partition *out)
{
    for (uint32_t s = 0; s < rows->slot_count; s++) {
        out->set_of[s] = 0;
        for (uint32_t other = 0; other < rows->slot_count; other++)
            out->set_of[s] += rates[other] > rates[s];
    }
    return rp_partition_judge(rows, out);
}

/* Sets and their costs become a partition: few contents first, then the lower slot. */
static void
partition_make(const uint32_t *slots, const struct cost *costs, uint32_t count,
               struct rp_partition *out)
{
    *out = (struct rp_partition){.set_count = count};
    for (uint32_t i = 0; i < count; i++) {
        uint32_t number = 0;
        for (uint32_t k = 0; k < count; k++)
            number += costs[k].sets < costs[i].sets ||
                      (costs[k].sets == costs[i].sets &&
                       __builtin_ctz(slots[k]) < __builtin_ctz(slots[i]));
        for (uint32_t rest = slots[i]; rest; rest &= rest - 1)
            out->set_of[__builtin_ctz(rest)] = number;
        out->sets += costs[i].sets;
        out->descriptors += costs[i].descriptors;
    }
}

/* set_of counts up through all partitions: each number is at most one more than all before it. */
static bool
partition_next(uint32_t *set_of, uint32_t count)
{
    for (uint32_t i = count; i-- > 1;) {
        uint32_t most = 0;
        for (uint32_t k = 0; k < i; k++)
            most = RP_MAX(most, set_of[k]);
        if (set_of[i] <= most) {
            set_of[i]++;
            memset(set_of + i + 1, 0, (count - i - 1) * sizeof(set_of[0]));
            return true;
        }
    }
    return false;
}

static bool
try_all(struct judge *j, struct rp_partition *out, uint32_t most)
{
    const uint32_t count = j->rows->slot_count;
    struct cost best[RP_PARTITION_MAX_SETS];
    uint32_t set_of[MAX_TRIED_SLOTS] = {0};
    struct cost *costs =
        rp_zalloc_array(NULL, 1u << count, sizeof(*costs), VK_SYSTEM_ALLOCATION_SCOPE_DEVICE);
    if (!costs)
        return false;
    for (uint32_t slots = 1; slots < 1u << count; slots++)
        costs[slots] = judge_set(j, slots);
    for (uint32_t k = 0; k < most; k++)
        best[k] = (struct cost){UINT64_MAX, UINT64_MAX};
    do {
        uint32_t slots[MAX_TRIED_SLOTS] = {0}, set_count = 0;
        struct cost sum = {0, 0}, own[MAX_TRIED_SLOTS];
        for (uint32_t s = 0; s < count; s++) {
            slots[set_of[s]] |= 1u << s;
            set_count = RP_MAX(set_count, set_of[s] + 1);
        }
        for (uint32_t i = 0; i < set_count; i++) {
            own[i] = costs[slots[i]];
            sum.sets += own[i].sets;
            sum.descriptors += own[i].descriptors;
        }
        if (set_count <= most && is_less(sum, best[set_count - 1])) {
            best[set_count - 1] = sum;
            partition_make(slots, own, set_count, &out[set_count - 1]);
        }
    } while (partition_next(set_of, count));
    rp_free(NULL, costs);
    return true;
}

/* What two sets cost as one, beside what they cost now: kept from step to step. */
struct merging {
    uint32_t slots[RP_PARTITION_MAX_SLOTS];
    struct cost own[RP_PARTITION_MAX_SLOTS];
    struct cost pairs[RP_PARTITION_MAX_SLOTS][RP_PARTITION_MAX_SLOTS];
    uint32_t count;
};

static void
merging_set(struct merging *m, struct judge *j, uint32_t i)
{
    m->own[i] = judge_set(j, m->slots[i]);
    for (uint32_t k = 0; k < m->count; k++)
        if (k != i)
            m->pairs[i][k] = m->pairs[k][i] = judge_set(j, m->slots[i] | m->slots[k]);
}

/* The pair that costs least in the end; of equals the first. */
static void
merging_step(struct merging *m, struct judge *j)
{
    uint32_t first = 0, second = 1;
    int64_t least[2] = {INT64_MAX, INT64_MAX};
    for (uint32_t a = 0; a < m->count; a++)
        for (uint32_t b = a + 1; b < m->count; b++) {
            const struct cost c = m->pairs[a][b];
            const int64_t more[2] = {
                (int64_t)(c.descriptors - m->own[a].descriptors - m->own[b].descriptors),
                (int64_t)(c.sets - m->own[a].sets - m->own[b].sets)};
            if (more[0] < least[0] || (more[0] == least[0] && more[1] < least[1])) {
                memcpy(least, more, sizeof(least));
                first = a;
                second = b;
            }
        }
    m->slots[first] |= m->slots[second];
    m->count--;
    for (uint32_t i = second; i < m->count; i++) { /* the others keep their order */
        m->slots[i] = m->slots[i + 1];
        m->own[i] = m->own[i + 1];
        memcpy(m->pairs[i], m->pairs[i + 1], sizeof(m->pairs[i]));
    }
    for (uint32_t i = 0; i < m->count; i++)
        memmove(&m->pairs[i][second], &m->pairs[i][second + 1],
                (m->count - second) * sizeof(m->pairs[i][0]));
    merging_set(m, j, first);
}

static bool
merge_greedily(struct judge *j, struct rp_partition *out, uint32_t most)
{
    struct merging *m =
        rp_zalloc(NULL, sizeof(*m), _Alignof(struct merging), VK_SYSTEM_ALLOCATION_SCOPE_DEVICE);
    if (!m)
        return false;
    const uint32_t count = j->rows->slot_count;
    for (uint32_t s = 0; s < count; s++) {
        m->slots[s] = 1u << s;
        m->count = s + 1;
        merging_set(m, j, s);
    }
    for (;;) {
        if (m->count <= most)
            partition_make(m->slots, m->own, m->count, &out[m->count - 1]);
        if (m->count == 1)
            break;
        merging_step(m, j);
    }
    rp_free(NULL, m);
    return true;
}

bool
rp_partition_best(const struct rp_partition_rows *rows,
                  struct rp_partition out[RP_PARTITION_MAX_SETS], uint32_t *count_out)
{
    struct judge judge;
    *count_out = 0;
    if (!rows->slot_count)
        return true;
    if (!judge_init(&judge, rows))
        return false;
    const uint32_t most = RP_MIN(rows->slot_count, RP_PARTITION_MAX_SETS);
    const bool is_done = rows->slot_count <= MAX_TRIED_SLOTS ? try_all(&judge, out, most)
                                                             : merge_greedily(&judge, out, most);
    judge_finish(&judge);
    if (is_done)
        *count_out = most;
    return is_done;
}
