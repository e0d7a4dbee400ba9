/* SPDX-License-Identifier: MIT */
#include "profile/requests.h"

#include "util/compiler.h"

#define BANKS 32u
#define BANK_B 4u

/* Where the lanes of one warp go, ascending by the beginnings. */
struct request {
    struct rp_order_range ranges[RP_ACCESS_WIDTH];
    uint32_t count;
    uint32_t lane_count; /* 0: there is none */
};

static void
request_add(struct request *r, uintptr_t begin, uintptr_t end, uint32_t lane_count)
{
    uint32_t i = r->count++;
    for (; i && r->ranges[i - 1].begin > begin; i--)
        r->ranges[i] = r->ranges[i - 1];
    r->ranges[i] = (struct rp_order_range){begin, end};
    r->lane_count += lane_count;
}

/* Pieces of 1 << piece_log2 bytes, from multiples of that on, that the lanes touch. */
static inline uint64_t
piece_count(const struct request *r, uint32_t piece_log2)
{
    uint64_t count = 0;
    uintptr_t next = 0; /* pieces before it are counted */
    for (uint32_t i = 0; i < r->count; i++) {
        const uintptr_t first = RP_MAX(r->ranges[i].begin >> piece_log2, next);
        const uintptr_t end = ((r->ranges[i].end - 1) >> piece_log2) + 1;
        if (end <= first)
            continue;
        count += end - first;
        next = end;
    }
    return count;
}

/* The degree of the worst bank conflict: how many different words of one bank the lanes touch at
 * most. */
static uint64_t
conflict_degree(const struct request *r)
{
    uint32_t words[BANKS] = {0}, most = 0;
    uintptr_t next = 0;
    if (r->count == 1) {
        const struct rp_order_range *only = &r->ranges[0];
        return ((only->end - 1) / BANK_B - only->begin / BANK_B) / BANKS + 1;
    }
    for (uint32_t i = 0; i < r->count; i++) {
        const uintptr_t end = (r->ranges[i].end - 1) / BANK_B + 1;
        for (uintptr_t word = RP_MAX(r->ranges[i].begin / BANK_B, next); word < end; word++) {
            const uint32_t in_bank = ++words[word % BANKS];
            most = RP_MAX(in_bank, most);
        }
        next = RP_MAX(next, end);
    }
    return most;
}

static void
request_count(struct rp_access_total *total, const struct request *r, bool is_shared,
              uint64_t *sectors_out, struct rp_order_trace *trace)
{
    const uint64_t bytes = piece_count(r, 0);
    total->requests++;
    total->lanes += r->lane_count;
    total->bytes += bytes;
    if (is_shared) {
        const uint64_t degree = conflict_degree(r);
        total->degrees += degree;
        total->most_degree = RP_MAX(degree, total->most_degree);
        return;
    }
    const uint64_t sectors = piece_count(r, 5);
    *sectors_out += sectors;
    total->sectors += sectors;
    rp_order_touch(trace, r->ranges, r->count);
    total->least_sectors += (bytes + 31) / 32;
    total->lines[0] += piece_count(r, 6);
    total->lines[1] += piece_count(r, 7);
}

/* Where the part of the run that is in the warp of its place i ends. */
static uint32_t
warp_end(const struct rp_access *access, const struct rp_run *run, uint32_t i)
{
    const uint32_t lane = access->lanes[i], left = RP_ACCESS_WIDTH - lane % RP_ACCESS_WIDTH;
    uint32_t end = i + RP_MIN(left, run->first + run->count - i);
    while (access->lanes[end - 1] - lane >= left)
        end--;
    return end;
}

void
rp_requests_add(struct rp_access_total *total, const struct rp_access *access,
                const struct rp_run *runs, uint32_t run_count, bool is_shared, uint64_t *by_warp,
                struct rp_order_trace *trace)
{
    struct request request;
    uint32_t warp = 0;
    request.count = request.lane_count = 0;
    for (uint32_t k = 0; k < run_count; k++) {
        const struct rp_run *run = &runs[k];
        if (!access->at[run->first])
            continue;
        const uintptr_t base =
            is_shared ? (uintptr_t)rp_access_span_of(access, run->first)->base : 0;
        for (uint32_t i = run->first; i < run->first + run->count;) {
            const uint32_t end = warp_end(access, run, i);
            if (access->lanes[i] / RP_ACCESS_WIDTH != warp && request.lane_count) {
                request_count(total, &request, is_shared, &by_warp[warp], trace);
                request.count = request.lane_count = 0;
            }
            warp = access->lanes[i] / RP_ACCESS_WIDTH;
            const uintptr_t begin = (uintptr_t)access->at[i] - base;
            const uint32_t last = run->step_B * (end - i - 1);
            request_add(&request, begin, begin + last + access->size_B, end - i);
            i = end;
        }
    }
    if (request.lane_count)
        request_count(total, &request, is_shared, &by_warp[warp], trace);
}
