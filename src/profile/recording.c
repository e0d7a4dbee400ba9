/* SPDX-License-Identifier: MIT */
/* Listens to a dispatch: from each access to the totals of its site, the bytes of the resource, and
 * findings.
 */
#include "profile/accesses.h"

#include "profile/requests.h"
#include "profile/table.h"
#include "profile/unwritten.h"
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
    r->times.group = r->times.barrier = r->times.subgroup = r->times.epoch = r->time;
    r->times.synced = r->fence = r->told = 0;
    r->has_atomic = r->has_acquired = false;
    rp_heat_group(&r->heat, group);
    rp_order_group(&r->trace);
    r->group_number = (group[2] * r->group_count[1] + group[1]) * r->group_count[0] + group[0];
}

/* Release, atomic, acquire: what stands before the first is ordered with what stands behind the
 * last. */
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
    r->times.epoch = r->time;
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
    if (!rp_grow_array(&r->releases, r->release_count, &r->release_capacity,
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

/* An access as its lanes are looked at, one after the other; i is a lane's place in it. */
struct look {
    struct rp_recording *r;
    const struct rp_access *access;
    const struct rp_access_site *site;
    bool is_silent[RP_MAX_WORKGROUP_SIZE]; /* by place: stores what is there already */
};

static void
add_finding(const struct look *k, enum rp_finding_kind kind, uint32_t i,
            const struct rp_shadow_mark *other)
{
    struct rp_recording *r = k->r;
    const uint16_t lane = k->access->lanes[i];
    r->heat.findings[lane]++;
    const struct rp_finding finding = {
        .kind = kind,
        .site = k->access->site,
        .other = other ? other->site & RP_SHADOW_SITE : k->access->site,
        .group = {r->group[0], r->group[1], r->group[2]},
        .lane = lane,
        .other_lane = other ? other->lane : lane,
        .offset_B = k->access->offsets_B[i],
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

/* Where a lane is that is there. */
static uint32_t
place_of(const struct rp_access *access, uint16_t lane)
{
    uint32_t first = 0, end = access->count;
    while (end - first > 1) {
        const uint32_t middle = first + (end - first) / 2;
        if (access->lanes[middle] <= lane)
            first = middle;
        else
            end = middle;
    }
    return first;
}

static bool
lanes_store_the_same(const void *ctx, uint16_t lane, uint16_t other)
{
    const struct look *k = ctx;
    uint8_t values[2][8 * RP_MAX_ACCESS_VALUES] = {{0}};
    uint8_t *const *at = k->access->at;
    if (at[place_of(k->access, lane)] != at[place_of(k->access, other)])
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

/* Which lanes of the run store what is there already: words at once, others byte by byte. */
static void
find_silent(struct look *k, const struct rp_run *run)
{
    const struct rp_access *access = k->access;
    const uint32_t end = run->first + run->count;
    for (uint32_t i = run->first; i < end; i++)
        k->is_silent[i] = true;
    if (access->value_B != 4 || access->value_count * 4 != access->size_B) {
        for (uint32_t i = run->first; i < end; i++) {
            uint8_t value[8 * RP_MAX_ACCESS_VALUES] = {0};
            value_of(access, access->lanes[i], value);
            k->is_silent[i] = memcmp(value, access->at[i], access->size_B) == 0;
        }
        return;
    }
    for (uint32_t v = 0; v < access->value_count; v++) {
        const uint32_t *values = access->values[v];
        for (uint32_t i = run->first; i < end; i++) {
            uint32_t there;
            memcpy(&there, access->at[i] + 4 * v, sizeof(there));
            k->is_silent[i] &= values[access->lanes[i]] == there;
        }
    }
}

static void
judge(const struct look *k, uint32_t i, const struct rp_shadow_touch *touch)
{
    struct rp_recording *r = k->r;
    struct rp_shadow_verdict verdict;
    rp_shadow_touch(&r->shadow, touch, &verdict);
    if (verdict.is_race)
        add_finding(k,
                    verdict.other.time < r->times.group ? RP_FINDING_RACE_ACROSS : RP_FINDING_RACE,
                    i, &verdict.other);
    if (touch->is_undefined && !touch->is_write && verdict.is_unwritten)
        add_finding(k, RP_FINDING_UNWRITTEN, i, NULL);
}

/* What the lanes of an access have in common. */
static void
touch_init(struct rp_shadow_touch *touch, const struct look *k)
{
    const struct rp_recording *r = k->r;
    const struct rp_access *access = k->access;
    const bool is_shared = k->site->bits & RP_ACCESS_SHARED;
    *touch = (struct rp_shadow_touch){
        .size_B = access->size_B,
        .mark = {r->time, 0, (uint16_t)access->site},
        .times = r->times,
        .subgroup_size = r->subgroup_size,
        .is_write = k->site->bits & RP_ACCESS_WRITE,
        .is_atomic = k->site->bits & RP_ACCESS_ATOMIC,
        .is_undefined = is_shared && !r->zeroes_shared,
        .is_same = access->value_count ? lanes_store_the_same : NULL,
        .is_released = r->has_acquired ? was_released : NULL,
        .ctx = k,
    };
    if (is_shared)
        touch->times.begin = r->times.group;
}

static void
look_for_races(struct look *k, const struct rp_run *run, struct rp_shadow_touch *touch)
{
    struct rp_recording *r = k->r;
    const struct rp_access *access = k->access;
    const bool has_values = access->value_count && k->site->bits & RP_ACCESS_WRITE;
    if (has_values)
        find_silent(k, run);
    for (uint32_t i = run->first, end = i + run->count; i < end; i++) {
        touch->at = access->at[i];
        i += rp_shadow_touch_run(&r->shadow, touch, access->lanes + i,
                                 has_values ? k->is_silent + i : NULL, end - i, run->step_B);
        if (i == end)
            return;
        touch->at = access->at[i];
        touch->mark.lane = access->lanes[i];
        touch->is_silent = has_values && k->is_silent[i];
        judge(k, i, touch);
    }
}

static void
add_touched(const struct look *k, const struct rp_run *run, struct rp_touched **last)
{
    const struct rp_access *access = k->access;
    const struct rp_access_span *span = rp_access_span_of(access, run->first);
    const uint64_t size_B = (uint64_t)run->step_B * (run->count - 1) + access->size_B;
    if (!span->base || k->site->bits & RP_ACCESS_SHARED)
        return;
    if (!*last || (*last)->base != span->base || (*last)->size_B != span->size_B)
        *last =
            rp_touched_find(&k->r->accesses->touched, access->binding, span->base, span->size_B);
    if (*last)
        rp_touched_add(*last, (uint64_t)(access->at[run->first] - span->base), size_B,
                       k->site->bits & RP_ACCESS_READ, k->site->bits & RP_ACCESS_WRITE);
}

static void
record_access(struct rp_recorder *recorder, const struct rp_access *access)
{
    struct rp_recording *r = recording_of(recorder);
    struct rp_run runs[RP_MAX_WORKGROUP_SIZE];
    struct rp_touched *touched = NULL;
    const bool looks = r->accesses->finds_races && access->site < RP_SHADOW_MAX_SITES &&
                       !r->accesses->are_unwritten[access->site] && time_goes_on(r);
    const uint32_t run_count = rp_runs_find(access, runs);
    struct rp_shadow_touch touch;
    struct look look;

    look.r = r;
    look.access = access;
    look.site = &recorder->sites[access->site];
    if (looks)
        touch_init(&touch, &look);
    rp_requests_add(&r->accesses->totals[access->site], access, runs, run_count,
                    look.site->bits & RP_ACCESS_SHARED, r->heat.sectors, &r->trace);
    for (uint32_t k = 0; k < run_count; k++) {
        if (!access->at[runs[k].first]) {
            for (uint32_t i = 0; i < runs[k].count; i++)
                add_finding(&look, RP_FINDING_OUTSIDE, runs[k].first + i, NULL);
            continue;
        }
        add_touched(&look, &runs[k], &touched);
        if (looks)
            look_for_races(&look, &runs[k], &touch);
    }
    if (look.site->bits & RP_ACCESS_ATOMIC)
        record_atomic(r);
}

void
rp_recording_init(struct rp_recording *r)
{
    r->base = (struct rp_recorder){
        .group = record_group,
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
    rp_unwritten_find(accesses->sites, accesses->site_count, dispatch, accesses->may_be_stale,
                      accesses->are_unwritten);
    r->zeroes_shared = rp_kernel_zeroes_shared(dispatch->kernel);
    r->subgroup_size = rp_kernel_subgroup_size(dispatch->kernel);
    if (r->time > LATEST) {
        rp_shadow_finish(&r->shadow);
        r->time = 0;
    }
    r->times.begin = ++r->time;
    r->release_count = 0;
    r->shadow.is_short |= !rp_heat_begin(&r->heat, &accesses->maps, accesses->blocks, &grid);
    r->base.block = r->heat.maps ? record_block : NULL; /* what is repacked has maps */
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
