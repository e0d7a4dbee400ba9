/* SPDX-License-Identifier: MIT */
/* Pieces of bytes, each kept once and numbered in the order they came, with how often they came.
 */
#ifndef RP_PROFILE_TABLE_H
#define RP_PROFILE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RP_PROFILE_NONE UINT32_MAX

struct rp_profile_piece {
    uint64_t hash;
    uint64_t count; /* how often it came */
    size_t offset_B;
    size_t size_B;
};

/* All zeros: an empty one. */
struct rp_profile_table {
    struct rp_profile_piece *pieces; /* owned */
    uint32_t piece_count;
    uint32_t piece_capacity;
    uint32_t *slots; /* owned, open addressing: 1 + index of a piece, 0 is free */
    uint32_t slot_count;
    uint8_t *bytes; /* owned */
    size_t bytes_B;
    size_t capacity_B;
    bool is_full; /* memory was short, or the limit was reached: pieces are missing */
};

void rp_profile_table_finish(struct rp_profile_table *table);

/* The number of these bytes; RP_PROFILE_NONE when they are new and limit pieces are there, or
 * memory is short. */
uint32_t rp_profile_table_add(struct rp_profile_table *table, const void *data, size_t size_B,
                              uint32_t limit);

static inline const uint8_t *
rp_profile_table_get(const struct rp_profile_table *table, uint32_t index)
{
    return table->bytes + table->pieces[index].offset_B;
}

#endif
