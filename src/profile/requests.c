/* SPDX-License-Identifier: MIT */
#include "profile/requests.h"

#include <string.h>

#define SECTOR_B 32u
#define BANKS 32u
#define BANK_B 4u

/* Where the lanes of one warp go, ascending. */
struct request {
    uintptr_t at[RP_ACCESS_WIDTH];
    uint32_t count;
    uint32_t size_B;
};

static void
request_add(struct request *r, uintptr_t at)
{
    uint32_t i = r->count++;
    for (; i && r->at[i - 1] > at; i--)
        r->at[i] = r->at[i - 1];
    r->at[i] = at;
}

/* Pieces of piece_B bytes, from multiples of that on, that the lanes touch. */
static uint64_t
piece_count(const struct request *r, uint32_t piece_B)
{
    uint64_t count = 0;
    uintptr_t next = 0; /* pieces before it are counted */
    for (uint32_t i = 0; i < r->count; i++) {
        const uintptr_t first = r->at[i] / piece_B;
        const uintptr_t end = (r->at[i] + r->size_B - 1) / piece_B + 1;
        count += end > next ? end - (first > next ? first : next) : 0;
        next = end > next ? end : next;
    }
    return count;
}

/* Of the words that lanes touch: the most of which one bank has different ones. */
static uint64_t
conflict_degree(const struct request *r)
{
    uint32_t words[BANKS] = {0}, most = 0;
    uintptr_t next = 0;
    for (uint32_t i = 0; i < r->count; i++) {
        const uintptr_t end = (r->at[i] + r->size_B - 1) / BANK_B + 1;
        uintptr_t word = r->at[i] / BANK_B;
        for (word = word > next ? word : next; word < end; word++) {
            const uint32_t in_bank = ++words[word % BANKS];
            most = in_bank > most ? in_bank : most;
        }
        next = end > next ? end : next;
    }
    return most;
}

static void
request_count(struct rp_access_total *total, const struct request *r, bool is_shared,
              uint64_t *sectors_out, struct rp_order_trace *trace)
{
    const uint64_t bytes = piece_count(r, 1);
    total->requests++;
    total->lanes += r->count;
    total->bytes += bytes;
    if (is_shared) {
        const uint64_t degree = conflict_degree(r);
        total->degrees += degree;
        total->most_degree = degree > total->most_degree ? degree : total->most_degree;
        return;
    }
    const uint64_t sectors = piece_count(r, SECTOR_B);
    *sectors_out += sectors;
    total->sectors += sectors;
    rp_order_touch(trace, r->at, r->count, r->size_B);
    total->least_sectors += (bytes + SECTOR_B - 1) / SECTOR_B;
    total->lines[0] += piece_count(r, 64);
    total->lines[1] += piece_count(r, 128);
}

void
rp_requests_add(struct rp_access_total *total, const struct rp_access *access, bool is_shared,
                uint64_t *by_warp, struct rp_order_trace *trace)
{
    struct request request = {.size_B = access->size_B};
    uint32_t warp = 0;
    for (uint32_t i = 0; i < access->count; i++) {
        const struct rp_access_lane *l = &access->lanes[i];
        if (l->lane / RP_ACCESS_WIDTH != warp && request.count) {
            request_count(total, &request, is_shared, &by_warp[warp], trace);
            request.count = 0;
        }
        warp = l->lane / RP_ACCESS_WIDTH;
        if (l->at)
            request_add(&request, is_shared ? (uintptr_t)(l->at - l->base) : (uintptr_t)l->at);
    }
    if (request.count)
        request_count(total, &request, is_shared, &by_warp[warp], trace);
}
