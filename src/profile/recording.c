/* SPDX-License-Identifier: MIT */
/* Listens to a dispatch: from each access to the totals of its site, the bytes of the resource, and
 * findings.
 */
#include "profile/accesses.h"

#include "profile/requests.h"
#include "profile/table.h"
#include "util/alloc.h"

#include <string.h>

#define LATEST (UINT32_MAX / 2) /* of a dispatch's beginning: then time begins anew */

static struct rp_recording *
recording_of(struct rp_recorder *recorder)
{
    return (struct rp_recording *)recorder;
}

/* False: time is over; what comes is not looked at for races. */
static bool
time_goes_on(struct rp_recording *r)
{
    if (r->time == UINT32_MAX) {
        r->shadow.is_short = true;
        return false;
    }
    r->time++;
    return true;
}

static void
record_group(struct rp_recorder *recorder, const uint32_t group[3])
{
    struct rp_recording *r = recording_of(recorder);
    memcpy(r->group, group, sizeof(r->group));
    (void)time_goes_on(r);
    r->times.group = r->times.barrier = r->times.subgroup = r->time;
    r->times.synced = r->fence = r->told = 0;
    r->has_atomic = r->has_acquired = false;
    rp_heat_group(&r->heat, group);
    rp_order_group(&r->trace);
    r->group_number = (group[2] * r->group_count[1] + group[1]) * r->group_count[0] + group[0];
}

/* Release, atomic, acquire: what stands before the first is ordered with what stands behind the last. */
static void
record_fence(struct rp_recording *r)
{
    r->fence = r->time;
    if (!r->has_atomic)
        return;
    r->times.synced = r->told;
    r->has_acquired = true;
}

static void
record_barrier(struct rp_recorder *recorder, enum rp_record_barrier kind)
{
    struct rp_recording *r = recording_of(recorder);
    (void)time_goes_on(r);
    switch (kind) {
    case RP_BARRIER_WORKGROUP:
        r->times.barrier = r->time;
        return;
    case RP_BARRIER_SUBGROUP:
        r->times.subgroup = r->time;
        return;
    case RP_BARRIER_MEMORY:
        record_fence(r);
        return;
    }
}

/* Others can learn from an atomic that what stands before the last memory barrier is done. */
static void
record_atomic(struct rp_recording *r)
{
    r->has_atomic = true;
    if (!r->fence)
        return;
    r->told = r->fence;
    struct rp_release *last = r->release_count ? &r->releases[r->release_count - 1] : NULL;
    if (last && last->begin == r->times.group) {
        last->time = r->told;
        return;
    }
    if (!rp_profile_grow(&r->releases, r->release_count, &r->release_capacity,
                         sizeof(r->releases[0]))) {
        r->shadow.is_short = true;
        return;
    }
    r->releases[r->release_count++] = (struct rp_release){r->times.group, r->told};
}

static bool
is_released(const struct rp_recording *r, uint32_t time)
{
    uint32_t first = 0, end = r->release_count;
    while (first < end) {
        const uint32_t middle = first + (end - first) / 2;
        if (r->releases[middle].begin <= time)
            first = middle + 1;
        else
            end = middle;
    }
    return first && r->releases[first - 1].time > time;
}

static void
record_block(struct rp_recorder *recorder, uint32_t block, const uint16_t *lanes, uint32_t count)
{
    struct rp_recording *r = recording_of(recorder);
    rp_heat_enter(&r->heat, block, lanes, count);
    if (r->repack.keys.is_open)
        rp_repack_enter(&r->repack.keys, r->accesses->blocks, block, r->group_number, lanes, count);
}

/* An access as its lanes are looked at, one after the other. */
struct look {
    struct rp_recording *r;
    const struct rp_access *access;
    const struct rp_access_site *site;
    uint32_t index_of[RP_MAX_WORKGROUP_SIZE]; /* of lanes that were there: in access->lanes */
};

static void
add_finding(const struct look *k, enum rp_finding_kind kind, const struct rp_access_lane *l,
            const struct rp_shadow_mark *other)
{
    struct rp_recording *r = k->r;
    r->heat.findings[l->lane]++;
    const struct rp_finding finding = {
        .kind = kind,
        .site = k->access->site,
        .other = other ? other->site & RP_SHADOW_SITE : k->access->site,
        .group = {r->group[0], r->group[1], r->group[2]},
        .lane = l->lane,
        .other_lane = other ? other->lane : l->lane,
        .offset_B = l->offset_B,
        .size_B = k->access->size_B,
        .binding = k->access->binding,
    };
    rp_findings_add(&r->accesses->findings, &finding);
}

/* What a lane stores, as it will be in memory. */
static void
value_of(const struct rp_access *access, uint32_t lane, uint8_t *out)
{
    for (uint32_t i = 0; i < RP_MIN(access->value_count, RP_MAX_ACCESS_VALUES); i++) {
        const uint8_t *from =
            (const uint8_t *)access->values[i] + (size_t)lane * (access->value_B == 8 ? 8 : 4);
        memcpy(out + (size_t)i * access->value_B, from, access->value_B);
    }
}

static bool
lanes_store_the_same(const void *ctx, uint16_t lane, uint16_t other)
{
    const struct look *k = ctx;
    uint8_t values[2][8 * RP_MAX_ACCESS_VALUES] = {{0}};
    const struct rp_access_lane *a = &k->access->lanes[k->index_of[lane]];
    const struct rp_access_lane *b = &k->access->lanes[k->index_of[other]];
    if (a->at != b->at)
        return false;
    value_of(k->access, lane, values[0]);
    value_of(k->access, other, values[1]);
    return memcmp(values[0], values[1], sizeof(values[0])) == 0;
}

static bool
was_released(const void *ctx, uint32_t time)
{
    return is_released(((const struct look *)ctx)->r, time);
}

static bool
is_there_already(const struct rp_access *access, const struct rp_access_lane *l)
{
    uint8_t value[8 * RP_MAX_ACCESS_VALUES] = {0};
    if (!access->value_count)
        return false;
    value_of(access, l->lane, value);
    return memcmp(value, l->at, access->size_B) == 0;
}

static void
look_for_races(const struct look *k, const struct rp_access_lane *l)
{
    struct rp_recording *r = k->r;
    const bool is_shared = k->site->bits & RP_ACCESS_SHARED;
    const bool is_write = k->site->bits & RP_ACCESS_WRITE;
    struct rp_shadow_touch touch = {
        .at = l->at,
        .size_B = k->access->size_B,
        .mark = {r->time, l->lane, (uint16_t)k->access->site},
        .times = r->times,
        .is_write = is_write,
        .is_atomic = k->site->bits & RP_ACCESS_ATOMIC,
        .is_silent = is_write && is_there_already(k->access, l),
        .is_undefined = is_shared && !r->zeroes_shared,
        .is_same = k->access->value_count ? lanes_store_the_same : NULL,
        .is_released = r->has_acquired ? was_released : NULL,
        .ctx = k,
    };
    struct rp_shadow_verdict verdict;
    if (is_shared)
        touch.times.begin = r->times.group;
    rp_shadow_touch(&r->shadow, &touch, &verdict);
    if (verdict.is_race)
        add_finding(k,
                    verdict.other.time < r->times.group ? RP_FINDING_RACE_ACROSS : RP_FINDING_RACE,
                    l, &verdict.other);
    if (is_shared && !is_write && verdict.is_unwritten && !r->zeroes_shared)
        add_finding(k, RP_FINDING_UNWRITTEN, l, NULL);
}

static void
add_touched(const struct look *k, const struct rp_access_lane *l, struct rp_touched **last)
{
    struct rp_touched_list *list = &k->r->accesses->touched;
    if (!l->base || k->site->bits & RP_ACCESS_SHARED)
        return;
    if (!*last || (*last)->base != l->base || (*last)->size_B != l->size_B)
        *last = rp_touched_find(list, k->access->binding, l->base, l->size_B);
    if (*last)
        rp_touched_add(*last, (uint64_t)(l->at - l->base), k->access->size_B,
                       k->site->bits & RP_ACCESS_READ, k->site->bits & RP_ACCESS_WRITE);
}

static void
record_access(struct rp_recorder *recorder, const struct rp_access *access)
{
    struct rp_recording *r = recording_of(recorder);
    struct look look = {.r = r, .access = access, .site = &recorder->sites[access->site]};
    struct rp_touched *touched = NULL;
    const bool looks = access->site < RP_SHADOW_MAX_SITES && time_goes_on(r);

    rp_requests_add(&r->accesses->totals[access->site], access, look.site->bits & RP_ACCESS_SHARED,
                    r->heat.sectors, &r->trace);
    for (uint32_t i = 0; i < access->count; i++) {
        const struct rp_access_lane *l = &access->lanes[i];
        look.index_of[l->lane] = i;
        if (!l->at) {
            add_finding(&look, RP_FINDING_OUTSIDE, l, NULL);
            continue;
        }
        add_touched(&look, l, &touched);
        if (looks)
            look_for_races(&look, l);
    }
    if (look.site->bits & RP_ACCESS_ATOMIC)
        record_atomic(r);
}

void
rp_recording_init(struct rp_recording *r)
{
    r->base = (struct rp_recorder){
        .group = record_group,
        .block = record_block,
        .access = record_access,
        .barrier = record_barrier,
    };
    pthread_mutex_init(&r->mutex, NULL);
}

void
rp_recording_finish(struct rp_recording *r)
{
    rp_shadow_finish(&r->shadow);
    rp_free(NULL, r->releases);
    rp_repack_finish(&r->repack);
    pthread_mutex_destroy(&r->mutex);
}

struct rp_recorder *
rp_recording_begin(struct rp_recording *r, struct rp_accesses *accesses,
                   const struct rp_dispatch *dispatch)
{
    struct rp_heat_grid grid;
    rp_kernel_local_size(dispatch->kernel, grid.local_size);
    memcpy(grid.base, dispatch->base_group, sizeof(grid.base));
    memcpy(grid.group_count, dispatch->group_count, sizeof(grid.group_count));
    pthread_mutex_lock(&r->mutex);
    r->base.sites = accesses->sites;
    memcpy(r->group_count, dispatch->group_count, sizeof(r->group_count));
    r->accesses = accesses;
    r->zeroes_shared = rp_kernel_zeroes_shared(dispatch->kernel);
    if (r->time > LATEST) {
        rp_shadow_finish(&r->shadow);
        r->time = 0;
    }
    r->times.begin = ++r->time;
    r->release_count = 0;
    r->shadow.is_short |= !rp_heat_begin(&r->heat, &accesses->maps, accesses->blocks, &grid);
    if (r->heat.maps)
        rp_order_begin(&r->trace, grid.group_count);
    return &r->base;
}

void
rp_recording_end(struct rp_recording *r)
{
    r->shadow.is_short |= !rp_heat_end(&r->heat);
    rp_order_end(&r->trace, &r->accesses->orders);
    r->accesses->findings.is_short |= r->shadow.is_short;
    r->shadow.is_short = false;
    pthread_mutex_unlock(&r->mutex);
}
