/* SPDX-License-Identifier: MIT */
#include "profile/table.h"

#include "util/alloc.h"
#include "util/hash.h"

#include <string.h>

#define SCOPE VK_SYSTEM_ALLOCATION_SCOPE_DEVICE
#define FIRST_COUNT 16u

void
rp_profile_table_finish(struct rp_profile_table *table)
{
    rp_free(NULL, table->pieces);
    rp_free(NULL, table->slots);
    rp_free(NULL, table->bytes);
    *table = (struct rp_profile_table){0};
}

static void
slots_insert(uint32_t *slots, uint32_t slot_count, uint64_t hash, uint32_t value)
{
    uint32_t at = (uint32_t)hash & (slot_count - 1);
    while (slots[at])
        at = (at + 1) & (slot_count - 1);
    slots[at] = value;
}

/* At most half of the slots are taken. */
static bool
slots_reserve(struct rp_profile_table *table)
{
    if (2 * (table->piece_count + 1) <= table->slot_count)
        return true;
    const uint32_t count = table->slot_count ? 2 * table->slot_count : 2 * FIRST_COUNT;
    uint32_t *slots = rp_zalloc_array(NULL, count, sizeof(*slots), SCOPE);
    if (!slots)
        return false;
    for (uint32_t i = 0; i < table->piece_count; i++)
        slots_insert(slots, count, table->pieces[i].hash, i + 1);
    rp_free(NULL, table->slots);
    table->slots = slots;
    table->slot_count = count;
    return true;
}

static bool
bytes_reserve(struct rp_profile_table *table, size_t size_B)
{
    size_t capacity_B = table->capacity_B ? table->capacity_B : 256;
    while (capacity_B - table->bytes_B < size_B)
        capacity_B *= 2;
    if (capacity_B == table->capacity_B)
        return true;
    uint8_t *bytes = rp_zalloc(NULL, capacity_B, _Alignof(max_align_t), SCOPE);
    if (!bytes)
        return false;
    if (table->bytes_B)
        memcpy(bytes, table->bytes, table->bytes_B);
    rp_free(NULL, table->bytes);
    table->bytes = bytes;
    table->capacity_B = capacity_B;
    return true;
}

static uint32_t
find(const struct rp_profile_table *table, uint64_t hash, const void *data, size_t size_B)
{
    uint32_t at = (uint32_t)hash & (table->slot_count - 1);
    for (; table->slot_count && table->slots[at]; at = (at + 1) & (table->slot_count - 1)) {
        const uint32_t index = table->slots[at] - 1;
        const struct rp_profile_piece *piece = &table->pieces[index];
        if (piece->hash == hash && piece->size_B == size_B &&
            (!size_B || memcmp(table->bytes + piece->offset_B, data, size_B) == 0))
            return index;
    }
    return RP_PROFILE_NONE;
}

uint32_t
rp_profile_table_add(struct rp_profile_table *table, const void *data, size_t size_B,
                     uint32_t limit)
{
    const uint64_t hash = rp_hash(0, data, size_B);
    const uint32_t known = find(table, hash, data, size_B);
    if (known != RP_PROFILE_NONE) {
        table->pieces[known].count++;
        return known;
    }
    if (table->piece_count >= limit || !slots_reserve(table) || !bytes_reserve(table, size_B) ||
        !rp_grow_array(&table->pieces, table->piece_count, &table->piece_capacity,
                       sizeof(*table->pieces))) {
        table->is_full = true;
        return RP_PROFILE_NONE;
    }
    const uint32_t index = table->piece_count++;
    table->pieces[index] = (struct rp_profile_piece){hash, 1, table->bytes_B, size_B};
    if (size_B)
        memcpy(table->bytes + table->bytes_B, data, size_B);
    table->bytes_B += size_B;
    slots_insert(table->slots, table->slot_count, hash, index + 1);
    return index;
}
