/* SPDX-License-Identifier: MIT */
#include "profile/repack.h"

#include "compute/image/image.h"
#include "profile/profile.h"
#include "profile/simt.h"
#include "util/alloc.h"
#include "util/hash.h"

#include <stdlib.h>
#include <string.h>

#define SCOPE VK_SYSTEM_ALLOCATION_SCOPE_DEVICE
#define SEED UINT64_C(0x2545f4914f6cdd1d)
#define BEST_WIDTH 2u /* index of warps of 32 */

void
rp_repack_finish(struct rp_repack *r)
{
    rp_free(NULL, r->keys.work);
    rp_free(NULL, r->keys.path);
    rp_free(NULL, r->ranges);
    rp_free(NULL, r->before);
    rp_free(NULL, r->after);
    *r = (struct rp_repack){0};
}

static bool
is_written(VkDescriptorType type)
{
    return type == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER ||
           type == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC ||
           type == VK_DESCRIPTOR_TYPE_STORAGE_IMAGE ||
           type == VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER;
}

static bool
range_add(struct rp_repack *r, const struct rp_descriptor *d)
{
    const struct rp_repack_range range = {
        d->view ? d->view->levels[0].data : d->ptr,
        d->view ? rp_image_view_size_B(d->view) : d->size_B,
    };
    if (!range.ptr || !range.size_B)
        return true;
    if (!rp_grow_array(&r->ranges, r->range_count, &r->range_capacity, sizeof(r->ranges[0])))
        return false;
    r->ranges[r->range_count++] = range;
    r->size_B += range.size_B;
    return r->size_B <= RP_REPACK_MAX_B;
}

static bool
ranges_find(struct rp_repack *r, const struct rp_profile_pipeline *pp,
            const struct rp_dispatch *dispatch)
{
    for (uint32_t i = 0; i < pp->slot_count; i++) {
        const struct rp_descriptor_array *array = &dispatch->bindings[pp->slots[i].index];
        for (uint32_t k = 0; is_written(pp->slots[i].type) && k < array->count; k++)
            if (pp->slots[i].may_be_stale || !range_add(r, &array->items[k]))
                return false;
    }
    return true;
}

static void
ranges_save(const struct rp_repack *r, uint8_t *to)
{
    for (uint32_t i = 0; i < r->range_count; to += r->ranges[i++].size_B)
        memcpy(to, r->ranges[i].ptr, r->ranges[i].size_B);
}

static void
ranges_restore(const struct rp_repack *r, const uint8_t *from)
{
    for (uint32_t i = 0; i < r->range_count; from += r->ranges[i++].size_B)
        memcpy(r->ranges[i].ptr, from, r->ranges[i].size_B);
}

static bool
ranges_hold(const struct rp_repack *r, const uint8_t *what)
{
    bool is_equal = true;
    for (uint32_t i = 0; is_equal && i < r->range_count; what += r->ranges[i++].size_B)
        is_equal = memcmp(r->ranges[i].ptr, what, r->ranges[i].size_B) == 0;
    return is_equal;
}

void
rp_repack_begin(struct rp_repack *r, const struct rp_profile_pipeline *pp,
                const struct rp_dispatch *dispatch)
{
    uint64_t groups = 1;
    bool has_base = false;
    rp_repack_finish(r);
    const uint32_t group_size = pp->local_size[0] * pp->local_size[1] * pp->local_size[2];
    for (uint32_t i = 0; i < 3; i++) {
        groups *= dispatch->group_count[i];
        has_base |= dispatch->base_group[i] != 0;
    }
    if (has_base || pp->reaches_addresses ||
        rp_kernel_tie(dispatch->kernel) == RP_KERNEL_TIED_BY_SUBGROUP ||
        groups > RP_REPACK_MAX_INVOCATIONS / group_size || !ranges_find(r, pp, dispatch))
        return;
    r->keys.count = (uint32_t)groups * group_size;
    r->keys.group_size = group_size;
    r->keys.work = rp_zalloc_array(NULL, r->keys.count, sizeof(r->keys.work[0]), SCOPE);
    r->keys.path = rp_zalloc_array(NULL, r->keys.count, sizeof(r->keys.path[0]), SCOPE);
    r->before = rp_alloc(NULL, r->size_B + 1, 64, SCOPE);
    r->after = rp_alloc(NULL, r->size_B + 1, 64, SCOPE);
    r->keys.is_open = r->keys.work && r->keys.path && r->before && r->after;
    if (r->keys.is_open)
        ranges_save(r, r->before);
}

void
rp_repack_enter(struct rp_repack_keys *keys, const struct rp_heat_block *blocks, uint32_t block,
                uint32_t group, const uint16_t *lanes, uint32_t count)
{
    const uint64_t first = (uint64_t)group * keys->group_size;
    for (uint32_t i = 0; i < count; i++) {
        keys->work[first + lanes[i]] += blocks[block].instruction_count;
        keys->path[first + lanes[i]] = rp_hash_mix(keys->path[first + lanes[i]], block + 1);
    }
}

/* An invocation and what it is sorted by: less first, then by number. */
struct item {
    uint64_t key;
    uint32_t id;
};

static int
items_order(const void *left, const void *right)
{
    const struct item *a = left, *b = right;
    if (a->key != b->key)
        return a->key < b->key ? -1 : 1;
    return a->id < b->id ? -1 : a->id > b->id;
}

static uint64_t
random_next(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static uint64_t
key_of(const struct rp_repack_keys *keys, enum rp_packing packing, uint32_t id, uint64_t *random)
{
    switch (packing) {
    case RP_PACKING_RANDOM:
        return random_next(random);
    case RP_PACKING_WORK:
    case RP_PACKING_WORK_TILES:
        return UINT64_MAX - keys->work[id];
    case RP_PACKING_PATH:
    case RP_PACKING_PATH_TILES:
        return keys->path[id];
    case RP_PACKING_IDENTITY:
    case RP_PACKING_COUNT:
        break;
    }
    return 0;
}

/* How many invocations are sorted together. */
static uint32_t
part_of(const struct rp_repack_keys *keys, enum rp_packing packing, bool is_by_group)
{
    if (is_by_group)
        return keys->group_size;
    if (packing != RP_PACKING_WORK_TILES && packing != RP_PACKING_PATH_TILES)
        return keys->count;
    return (RP_REPACK_TILE + keys->group_size - 1) / keys->group_size * keys->group_size;
}

static void
swizzle_make(const struct rp_repack_keys *keys, enum rp_packing packing, bool is_by_group,
             struct item *items, uint32_t *swizzle)
{
    const uint32_t part = part_of(keys, packing, is_by_group);
    uint64_t random = SEED;
    for (uint32_t id = 0; id < keys->count; id++)
        items[id] = (struct item){key_of(keys, packing, id, &random), id};
    for (uint32_t first = 0; first < keys->count; first += part)
        qsort(items + first, RP_MIN(part, keys->count - first), sizeof(items[0]), items_order);
    for (uint32_t place = 0; place < keys->count; place++)
        swizzle[place] = items[place].id;
}

/* What runs again. */
struct again {
    struct rp_repack *repack;
    struct rp_dispatcher *dispatcher;
    struct rp_dispatch dispatch;
    const struct rp_heat_block *blocks;
    uint32_t block_count;
    struct rp_probe_total *probes; /* owned */
    struct item *items;            /* owned */
    uint32_t *swizzle;             /* owned; the kernel reads it */
    bool is_by_group;
};

static bool
run_packing(const struct again *a, enum rp_packing packing, struct rp_packing_total *out)
{
    const struct rp_repack *r = a->repack;
    *out = (struct rp_packing_total){0};
    for (uint32_t b = 0; b < a->block_count; b++) {
        atomic_store(&a->probes[b].active, 0);
        for (uint32_t w = 0; w < RP_PROBE_WIDTHS; w++)
            atomic_store(&a->probes[b].masks[w], 0);
    }
    swizzle_make(&r->keys, packing, a->is_by_group, a->items, a->swizzle);
    ranges_restore(r, r->before);
    if (rp_dispatcher_run(a->dispatcher, &a->dispatch) != VK_SUCCESS)
        return false;
    for (uint32_t b = 0; b < a->block_count; b++) {
        const uint64_t weight = a->blocks[b].instruction_count;
        out->active += weight * atomic_load(&a->probes[b].active);
        for (uint32_t w = 0; w < RP_PROBE_WIDTHS; w++)
            out->masks[w] += weight * atomic_load(&a->probes[b].masks[w]);
    }
    out->is_equal = ranges_hold(r, r->after);
    return true;
}

static bool
is_better(const struct rp_packing_total *a, const struct rp_packing_total *b)
{
    if (!a->is_equal || !b->is_equal)
        return a->is_equal;
    return a->masks[BEST_WIDTH] < b->masks[BEST_WIDTH]; /* active is the same */
}

static bool
run_packings(struct again *a, struct rp_repacked *out)
{
    bool is_good = true;
    for (uint32_t i = 0; is_good && i < RP_PACKING_COUNT; i++) {
        is_good = run_packing(a, (enum rp_packing)i, &out->totals[i]);
        if (is_good && i && is_better(&out->totals[i], &out->totals[out->best]))
            out->best = i;
    }
    ranges_restore(a->repack, a->repack->after);
    if (is_good) {
        swizzle_make(&a->repack->keys, (enum rp_packing)out->best, a->is_by_group, a->items,
                     a->swizzle);
        out->swizzle = a->swizzle;
        out->swizzle_count = a->repack->keys.count;
        a->swizzle = NULL;
    }
    return is_good;
}

bool
rp_repack_run(struct rp_repack *r, struct rp_profile_device *p, struct rp_profile_pipeline *pp,
              const struct rp_dispatch *dispatch)
{
    if (!r->keys.is_open)
        return true;
    ranges_save(r, r->after);
    struct again a = {
        .repack = r,
        .dispatcher = rp_dispatcher_create(NULL), /* one thread, as the dispatch had */
        .dispatch = *dispatch,
        .blocks = pp->simt.accesses->blocks,
        .items = rp_zalloc_array(NULL, r->keys.count, sizeof(a.items[0]), SCOPE),
        .swizzle = rp_zalloc_array(NULL, r->keys.count, sizeof(a.swizzle[0]), SCOPE),
        .is_by_group = rp_kernel_tie(dispatch->kernel) == RP_KERNEL_TIED_BY_WORKGROUP,
    };
    struct rp_kernel *kernel = a.swizzle ? rp_profile_kernel_compile(p, pp, a.swizzle) : NULL;
    if (kernel)
        (void)rp_kernel_probes(kernel, &a.block_count);
    a.probes = rp_zalloc_array(NULL, a.block_count + 1, sizeof(a.probes[0]), SCOPE);
    a.dispatch.kernel = kernel;
    a.dispatch.recorder = NULL;
    a.dispatch.probe_totals = a.probes;
    struct rp_repacked repacked = {.is_there = true, .is_by_group = a.is_by_group};
    const bool is_good =
        kernel && a.dispatcher && a.items && a.probes && run_packings(&a, &repacked);
    if (is_good) {
        rp_free(NULL, pp->simt.repacked.swizzle);
        pp->simt.repacked = repacked;
    }
    rp_kernel_destroy(kernel);
    rp_dispatcher_destroy(a.dispatcher);
    rp_free(NULL, a.probes);
    rp_free(NULL, a.items);
    rp_free(NULL, a.swizzle);
    rp_repack_finish(r);
    return is_good;
}

void
rp_repacked_write(struct rp_json *json, const struct rp_repacked *repacked, const char *file)
{
    static const char *const names[RP_PACKING_COUNT] = {
        "identity", "random", "by work", "by path", "by work, in tiles", "by path, in tiles"};
    if (!repacked->is_there)
        return;
    rp_json_key(json, "repacked");
    rp_json_open(json, '{');
    rp_json_key_u64(json, "is_by_workgroup", repacked->is_by_group);
    rp_json_key(json, "packings");
    rp_json_open(json, '[');
    for (uint32_t i = 0; i < RP_PACKING_COUNT; i++) {
        const struct rp_packing_total *t = &repacked->totals[i];
        rp_json_open(json, '{');
        rp_json_key_string(json, "name", names[i]);
        rp_json_key_u64(json, "active", t->active);
        rp_json_key(json, "warps");
        rp_json_open(json, '[');
        for (uint32_t w = 0; w < RP_PROBE_WIDTHS; w++)
            rp_json_u64(json, t->masks[w]);
        rp_json_close(json, ']');
        rp_json_key_u64(json, "is_equal", t->is_equal);
        rp_json_close(json, '}');
    }
    rp_json_close(json, ']');
    rp_json_key_string(json, "best", names[repacked->best]);
    rp_json_key_string(json, "swizzle", file);
    rp_json_close(json, '}');
}
