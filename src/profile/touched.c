/* SPDX-License-Identifier: MIT */
#include "profile/touched.h"

#include "profile/profile.h"
#include "util/alloc.h"

#define SCOPE VK_SYSTEM_ALLOCATION_SCOPE_DEVICE
#define MAX_MEMORY_B (UINT64_C(256) << 20) /* of one pipeline's bits */

struct rp_touched *
rp_touched_find(struct rp_touched_list *list, uint32_t binding, const uint8_t *base,
                uint64_t size_B)
{
    for (uint32_t i = 0; i < list->count; i++) {
        const uint32_t k = (list->last + i) % list->count;
        struct rp_touched *t = &list->items[k];
        if (t->base == base && t->size_B == size_B && t->binding == binding) {
            list->last = k;
            return t;
        }
    }
    const uint64_t word_count = size_B / 64 + 2;
    list->is_short |=
        list->count == RP_TOUCHED_MAX || list->memory_B + 16 * word_count > MAX_MEMORY_B;
    if (list->is_short)
        return NULL;
    uint64_t *bits = rp_zalloc_array(NULL, 2 * word_count, sizeof(bits[0]), SCOPE);
    if (!bits) {
        list->is_short = true;
        return NULL;
    }
    list->memory_B += 16 * word_count;
    list->last = list->count++;
    list->items[list->last] = (struct rp_touched){binding, base, size_B, bits, bits + word_count};
    return &list->items[list->last];
}

/* Bits [first, end), which are some. */
static void
bits_set(uint64_t *bits, uint64_t first, uint64_t end)
{
    const uint64_t last = (end - 1) / 64;
    const uint64_t head = UINT64_MAX << first % 64, tail = UINT64_MAX >> (63 - (end - 1) % 64);
    uint64_t i = first / 64;
    if (i == last) {
        bits[i] |= head & tail;
        return;
    }
    for (bits[i++] |= head; i < last; i++)
        bits[i] = UINT64_MAX;
    bits[last] |= tail;
}

void
rp_touched_add(struct rp_touched *t, uint64_t offset_B, uint64_t size_B, bool is_read,
               bool is_write)
{
    if (is_read && size_B)
        bits_set(t->read, offset_B, offset_B + size_B);
    if (is_write && size_B)
        bits_set(t->written, offset_B, offset_B + size_B);
}

void
rp_touched_finish(struct rp_touched_list *list)
{
    for (uint32_t i = 0; i < list->count; i++)
        rp_free(NULL, list->items[i].read);
    *list = (struct rp_touched_list){0};
}

struct counts {
    uint64_t read;
    uint64_t written;
    uint64_t both;
};

/* The counts of bytes [begin, end). */
static struct counts
counts_of(const struct rp_touched *t, uint64_t begin, uint64_t end)
{
    struct counts c = {0};
    while (begin < end) {
        const uint32_t shift = begin % 64;
        const uint64_t count = RP_MIN(64 - shift, end - begin);
        const uint64_t mask = (count < 64 ? (UINT64_C(1) << count) - 1 : UINT64_MAX) << shift;
        const uint64_t read = t->read[begin / 64] & mask, written = t->written[begin / 64] & mask;
        c.read += (uint64_t)__builtin_popcountll(read);
        c.written += (uint64_t)__builtin_popcountll(written);
        c.both += (uint64_t)__builtin_popcountll(read & written);
        begin += count;
    }
    return c;
}

static void
write_map(struct rp_json *json, const struct rp_touched *t)
{
    char map[RP_TOUCHED_CELLS + 1];
    const uint32_t count = (uint32_t)RP_MIN(t->size_B, RP_TOUCHED_CELLS);
    for (uint32_t i = 0; i < count; i++) {
        const struct counts c =
            counts_of(t, t->size_B * i / count, t->size_B * (i + UINT64_C(1)) / count);
        map[i] = (char)('0' + (c.read != 0) + 2 * (c.written != 0));
    }
    map[count] = 0;
    rp_json_key_string(json, "map", map);
}

void
rp_touched_write(struct rp_json *json, const struct rp_touched_list *list,
                 const struct rp_profile_slot *slots, uint32_t slot_count)
{
    rp_json_key(json, "resources");
    rp_json_open(json, '[');
    for (uint32_t i = 0; i < list->count; i++) {
        const struct rp_touched *t = &list->items[i];
        const struct counts c = counts_of(t, 0, t->size_B);
        uint32_t s = 0;
        while (s < slot_count && slots[s].index != t->binding)
            s++;
        rp_json_open(json, '{');
        if (s < slot_count) {
            rp_json_key_u64(json, "set", slots[s].set);
            rp_json_key_u64(json, "binding", slots[s].binding);
        }
        rp_json_key_u64(json, "size", t->size_B);
        rp_json_key_u64(json, "read", c.read);
        rp_json_key_u64(json, "written", c.written);
        rp_json_key_u64(json, "both", c.both);
        rp_json_key_u64(json, "never", t->size_B - (c.read + c.written - c.both));
        write_map(json, t);
        rp_json_close(json, '}');
    }
    rp_json_close(json, ']');
}
