/* SPDX-License-Identifier: MIT */
#include "profile/orders.h"

#include "profile/table.h"
#include "util/alloc.h"
#include "util/compiler.h"

#include <stdlib.h>
#include <string.h>

#define SCOPE VK_SYSTEM_ALLOCATION_SCOPE_DEVICE
#define MAX_GROUPS (UINT32_C(1) << 20)

static const uint32_t cache_lines[RP_ORDER_CACHES] = {
    (32u << 10) / RP_ORDER_LINE_B, (256u << 10) / RP_ORDER_LINE_B, (4u << 20) / RP_ORDER_LINE_B};

static void
trace_finish(struct rp_order_trace *t)
{
    rp_free(NULL, t->touches);
    rp_free(NULL, t->begins);
    rp_free(NULL, t->keys);
    rp_free(NULL, t->numbers);
    *t = (struct rp_order_trace){0};
}

static uint64_t
total_of(const uint32_t count[3])
{
    return (uint64_t)count[0] * count[1] * count[2];
}

void
rp_order_begin(struct rp_order_trace *t, const uint32_t group_count[3])
{
    *t = (struct rp_order_trace){.group_count = {group_count[0], group_count[1], group_count[2]}};
    if (total_of(group_count) > MAX_GROUPS)
        return;
    t->begins = rp_zalloc_array(NULL, total_of(group_count) + 1, sizeof(t->begins[0]), SCOPE);
    t->is_open = t->begins != NULL;
}

void
rp_order_group(struct rp_order_trace *t)
{
    t->last_line = 0;
    if (t->is_open && t->begun < total_of(t->group_count))
        t->begins[t->begun++] = t->touch_count;
}

static bool
slots_grow(struct rp_order_trace *t)
{
    const uint32_t slot_count = t->slot_count ? 2 * t->slot_count : 4096;
    uint64_t *keys = rp_zalloc_array(NULL, slot_count, sizeof(keys[0]), SCOPE);
    uint32_t *numbers = rp_zalloc_array(NULL, slot_count, sizeof(numbers[0]), SCOPE);
    if (!keys || !numbers) {
        rp_free(NULL, keys);
        rp_free(NULL, numbers);
        return false;
    }
    for (uint32_t i = 0; i < t->slot_count; i++) {
        if (!t->keys[i])
            continue;
        uint32_t k = (uint32_t)(t->keys[i] * UINT64_C(0x9e3779b97f4a7c15) >> 32);
        while (keys[k & (slot_count - 1)])
            k++;
        keys[k & (slot_count - 1)] = t->keys[i];
        numbers[k & (slot_count - 1)] = t->numbers[i];
    }
    rp_free(NULL, t->keys);
    rp_free(NULL, t->numbers);
    t->keys = keys;
    t->numbers = numbers;
    t->slot_count = slot_count;
    return true;
}

static bool
line_add(struct rp_order_trace *t, uint64_t line)
{
    if (t->touch_total == RP_ORDER_MAX_TOUCHES)
        return false;
    t->touch_total++;
    if (line + 1 == t->last_line)
        return true;
    t->last_line = line + 1;
    if ((2 * t->line_count >= t->slot_count && !slots_grow(t)) ||
        !rp_grow_array(&t->touches, t->touch_count, &t->touch_capacity, sizeof(t->touches[0])))
        return false;
    uint32_t k = (uint32_t)((line + 1) * UINT64_C(0x9e3779b97f4a7c15) >> 32);
    while (t->keys[k & (t->slot_count - 1)] && t->keys[k & (t->slot_count - 1)] != line + 1)
        k++;
    k &= t->slot_count - 1;
    if (!t->keys[k]) {
        t->keys[k] = line + 1;
        t->numbers[k] = t->line_count++;
    }
    t->touches[t->touch_count++] = t->numbers[k];
    return true;
}

void
rp_order_touch(struct rp_order_trace *t, const struct rp_order_range *ranges, uint32_t count)
{
    uintptr_t next = 0; /* lines before it are there */
    for (uint32_t i = 0; t->is_open && i < count; i++) {
        const uintptr_t end = (ranges[i].end - 1) / RP_ORDER_LINE_B + 1;
        const uintptr_t first = ranges[i].begin / RP_ORDER_LINE_B;
        for (uintptr_t line = RP_MAX(first, next); line < end && t->is_open; line++)
            t->is_open = line_add(t, line);
        next = RP_MAX(next, end);
    }
}

struct place {
    uint64_t key;
    uint32_t group;
};

static int
places_order(const void *left, const void *right)
{
    const struct place *a = left, *b = right;
    return a->key < b->key ? -1 : a->key > b->key;
}

/* Bits of x and y by turns. */
static uint64_t
z_key(uint32_t x, uint32_t y)
{
    uint64_t key = 0;
    for (uint32_t bit = 0; bit < 32; bit++)
        key |= (uint64_t)(x >> bit & 1) << 2 * bit | (uint64_t)(y >> bit & 1) << (2 * bit + 1);
    return key;
}

/* Steps from the beginning of the curve of a square with that side. */
static uint64_t
hilbert_key(uint32_t side, uint32_t x, uint32_t y)
{
    uint64_t key = 0;
    for (uint32_t s = side / 2; s; s /= 2) {
        const uint32_t rx = (x & s) != 0, ry = (y & s) != 0;
        key += (uint64_t)s * s * ((3 * rx) ^ ry);
        if (ry)
            continue;
        const uint32_t turned = rx ? side - 1 - x : x;
        x = rx ? side - 1 - y : y;
        y = turned;
    }
    return key;
}

/* By curves of the smallest square that holds the slice. False: no memory. */
static bool
slice_by_curve(enum rp_order order, uint32_t columns, uint32_t rows, uint32_t *out)
{
    const uint32_t count = columns * rows;
    uint32_t side = 1;
    struct place *places = rp_zalloc_array(NULL, count, sizeof(places[0]), SCOPE);
    if (!places)
        return false;
    while (side < columns || side < rows)
        side *= 2;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t x = i % columns, y = i / columns;
        places[i] = (struct place){order == RP_ORDER_Z ? z_key(x, y) : hilbert_key(side, x, y), i};
    }
    qsort(places, count, sizeof(places[0]), places_order);
    for (uint32_t i = 0; i < count; i++)
        out[i] = places[i].group;
    rp_free(NULL, places);
    return true;
}

static void
slice_by_tiles(uint32_t tile, uint32_t columns, uint32_t rows, uint32_t *out)
{
    uint32_t count = 0;
    for (uint32_t ty = 0; ty < rows; ty += tile)
        for (uint32_t tx = 0; tx < columns; tx += tile)
            for (uint32_t y = ty; y < RP_MIN(ty + tile, rows); y++)
                for (uint32_t x = tx; x < RP_MIN(tx + tile, columns); x++)
                    out[count++] = y * columns + x;
}

/* The workgroup of each place of an order, in a slice. False: no memory. */
static bool
slice_make(enum rp_order order, uint32_t columns, uint32_t rows, uint32_t *out)
{
    switch (order) {
    case RP_ORDER_Z:
    case RP_ORDER_HILBERT:
        return slice_by_curve(order, columns, rows, out);
    case RP_ORDER_TILES_2:
    case RP_ORDER_TILES_4:
    case RP_ORDER_TILES_8:
    case RP_ORDER_TILES_16:
        slice_by_tiles(2u << (order - RP_ORDER_TILES_2), columns, rows, out);
        return true;
    case RP_ORDER_ROWS:
    case RP_ORDER_COUNT:
        break;
    }
    for (uint32_t i = 0; i < columns * rows; i++)
        out[i] = i;
    return true;
}

/* Lines by number, in a ring from the one that was touched last; number line_count is its head. */
struct cache {
    uint32_t *before; /* owned, with after: UINT32_MAX: not in the cache */
    uint32_t *after;
    uint32_t head;
    uint32_t capacity;
    uint32_t count;
};

static bool
cache_init(struct cache *c, uint32_t line_count, uint32_t capacity)
{
    *c = (struct cache){.head = line_count, .capacity = capacity};
    c->before = rp_zalloc_array(NULL, 2 * ((size_t)line_count + 1), sizeof(c->before[0]), SCOPE);
    if (!c->before)
        return false;
    c->after = c->before + line_count + 1;
    for (uint32_t i = 0; i < line_count; i++)
        c->before[i] = UINT32_MAX;
    c->before[line_count] = c->after[line_count] = line_count;
    return true;
}

static void
cache_unlink(struct cache *c, uint32_t line)
{
    c->after[c->before[line]] = c->after[line];
    c->before[c->after[line]] = c->before[line];
    c->before[line] = UINT32_MAX;
}

/* Was it missing? */
static bool
cache_touch(struct cache *c, uint32_t line)
{
    const bool is_miss = c->before[line] == UINT32_MAX;
    if (!is_miss)
        cache_unlink(c, line);
    else if (c->count == c->capacity)
        cache_unlink(c, c->before[c->head]);
    else
        c->count++;
    c->before[line] = c->head;
    c->after[line] = c->after[c->head];
    c->before[c->after[c->head]] = line;
    c->after[c->head] = line;
    return is_miss;
}

/* The misses of one order of a slice, in all slices. */
static uint64_t
misses_of(const struct rp_order_trace *t, const uint32_t *slice, struct cache *cache)
{
    const uint32_t slice_count = t->group_count[0] * t->group_count[1];
    uint64_t misses = 0;
    for (uint32_t z = 0; z < t->group_count[2]; z++) {
        for (uint32_t i = 0; i < slice_count; i++) {
            const uint32_t group = z * slice_count + slice[i];
            for (uint32_t k = t->begins[group]; k < t->begins[group + 1]; k++)
                misses += cache_touch(cache, t->touches[k]);
        }
    }
    return misses;
}

static bool
order_judge(const struct rp_order_trace *t, enum rp_order order, uint32_t *slice,
            uint64_t misses[RP_ORDER_CACHES])
{
    bool is_good = slice_make(order, t->group_count[0], t->group_count[1], slice);
    for (uint32_t i = 0; is_good && i < RP_ORDER_CACHES; i++) {
        struct cache cache;
        if (t->line_count <= cache_lines[i]) { /* nothing ever leaves it */
            misses[i] = t->line_count;
            continue;
        }
        is_good = cache_init(&cache, t->line_count, cache_lines[i]);
        if (is_good)
            misses[i] = misses_of(t, slice, &cache);
        rp_free(NULL, cache.before);
    }
    return is_good;
}

static bool
orders_judge(const struct rp_order_trace *t, struct rp_orders *out)
{
    const bool is_line = t->group_count[0] == 1 || t->group_count[1] == 1; /* all are one */
    bool is_good = true;
    uint32_t *slice = rp_zalloc_array(NULL, (size_t)t->group_count[0] * t->group_count[1],
                                      sizeof(slice[0]), SCOPE);
    for (uint32_t order = 0; slice && is_good && order < RP_ORDER_COUNT; order++) {
        if (order && is_line)
            memcpy(out->misses[order], out->misses[0], sizeof(out->misses[0]));
        else
            is_good = order_judge(t, (enum rp_order)order, slice, out->misses[order]);
    }
    rp_free(NULL, slice);
    return slice && is_good;
}

void
rp_order_end(struct rp_order_trace *t, struct rp_orders *out)
{
    struct rp_orders judged = {.touches = t->touch_total, .lines = t->line_count};
    if (t->is_open && t->begun == total_of(t->group_count)) {
        t->begins[t->begun] = t->touch_count;
        judged.is_judged = orders_judge(t, &judged);
    }
    if (judged.is_judged)
        *out = judged;
    trace_finish(t);
}

void
rp_orders_write(struct rp_json *json, const struct rp_orders *orders)
{
    static const char *const names[RP_ORDER_COUNT] = {
        "row-major",      "Z",      "tiles of 2x2", "tiles of 4x4", "tiles of 8x8",
        "tiles of 16x16", "Hilbert"};
    if (!orders->is_judged)
        return;
    rp_json_key(json, "orders");
    rp_json_open(json, '{');
    rp_json_key_u64(json, "touches", orders->touches);
    rp_json_key_u64(json, "lines", orders->lines);
    rp_json_key(json, "caches");
    rp_json_open(json, '[');
    for (uint32_t i = 0; i < RP_ORDER_CACHES; i++)
        rp_json_u64(json, (uint64_t)cache_lines[i] * RP_ORDER_LINE_B);
    rp_json_close(json, ']');
    rp_json_key(json, "misses");
    rp_json_open(json, '{');
    for (uint32_t order = 0; order < RP_ORDER_COUNT; order++) {
        rp_json_key(json, names[order]);
        rp_json_open(json, '[');
        for (uint32_t i = 0; i < RP_ORDER_CACHES; i++)
            rp_json_u64(json, orders->misses[order][i]);
        rp_json_close(json, ']');
    }
    rp_json_close(json, '}');
    rp_json_close(json, '}');
}
