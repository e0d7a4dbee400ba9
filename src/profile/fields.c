/* SPDX-License-Identifier: MIT */
#include "profile/fields.h"

#include "util/alloc.h"
#include "util/hash.h"

#include <string.h>

#define SCOPE VK_SYSTEM_ALLOCATION_SCOPE_DEVICE
#define TOP_VALUES 8u
#define SHOWN_B 64u /* of a value */

/* The slot of a block; slot_count: the kernel does not use it. */
static uint32_t
slot_of(const struct rp_profile_pipeline *pp, const struct rp_reflect_block *block)
{
    uint32_t i = 0;
    while (i < pp->slot_count &&
           (pp->slots[i].set != block->set || pp->slots[i].binding != block->binding))
        i++;
    return i;
}

bool
rp_profile_fields_init(struct rp_profile_pipeline *pp)
{
    struct rp_profile_fields *f = &pp->fields;
    const struct rp_profile_module module = {pp->words, pp->word_count};
    if (!rp_reflect(&module, &f->reflection))
        return false;
    f->blocks = rp_zalloc_array(NULL, f->reflection.block_count + 1, sizeof(*f->blocks), SCOPE);
    bool is_good = f->blocks != NULL;
    for (uint32_t b = 0; is_good && b < f->reflection.block_count; b++) {
        const struct rp_reflect_block *block = &f->reflection.blocks[b];
        f->blocks[b].slot = block->is_push ? UINT32_MAX : slot_of(pp, block);
        f->blocks[b].fields =
            rp_zalloc_array(NULL, block->field_count + 1, sizeof(*f->blocks[b].fields), SCOPE);
        is_good = f->blocks[b].fields != NULL;
    }
    return is_good;
}

void
rp_profile_fields_finish(struct rp_profile_pipeline *pp)
{
    struct rp_profile_fields *f = &pp->fields;
    for (uint32_t b = 0; f->blocks && b < f->reflection.block_count; b++) {
        struct rp_profile_field *fields = f->blocks[b].fields;
        for (uint32_t i = 0; fields && i < f->reflection.blocks[b].field_count; i++)
            rp_profile_table_finish(&fields[i].values);
        rp_free(NULL, fields);
    }
    rp_free(NULL, f->blocks);
    rp_reflection_finish(&f->reflection);
}

/* The bytes of a block as the dispatch sees them. */
static const uint8_t *
block_bytes(const struct rp_profile_dispatch *d, const struct rp_profile_block *block,
            uint64_t *size_B_out)
{
    if (block->slot == UINT32_MAX) {
        *size_B_out = RP_MAX_PUSH_CONSTANT_B;
        return d->push_constants;
    }
    *size_B_out = 0;
    if (block->slot >= d->pipeline->slot_count)
        return NULL;
    const struct rp_descriptor_array *array = &d->bindings[d->pipeline->slots[block->slot].index];
    if (!array->count || array->reader)
        return NULL;
    const struct rp_descriptor *item = array->items;
    *size_B_out = RP_MIN(item->size_B, RP_REFLECT_MAX_B);
    return item->ptr;
}

/* The hash of the bytes that the kernel can read. */
static uint64_t
used_hash(const struct rp_reflect_block *block, const uint8_t *bytes, uint64_t size_B)
{
    uint64_t hash = 0;
    for (uint64_t at = 0, end; at < size_B; at = end) {
        end = at;
        while (end < size_B && block->used[end] == block->used[at])
            end++;
        if (block->used[at])
            hash = rp_hash(hash, bytes + at, end - at);
    }
    return hash;
}

static void
field_add(struct rp_profile_field *field, const uint8_t *value, uint64_t size_B)
{
    const uint64_t hash = rp_hash(0, value, size_B);
    bool is_zero = true;
    for (uint64_t i = 0; i < size_B && is_zero; i++)
        is_zero = value[i] == 0;
    field->changes += field->count && field->last != hash;
    field->zeros += is_zero;
    field->count++;
    field->last = hash;
    if (size_B <= SHOWN_B) /* values that are longer count by their hashes */
        (void)rp_profile_table_add(&field->values, value, size_B, RP_PROFILE_MAX_VALUES);
    else
        (void)rp_profile_table_add(&field->values, &hash, sizeof(hash), RP_PROFILE_MAX_VALUES);
}

void
rp_profile_fields_add(const struct rp_profile_dispatch *d)
{
    const struct rp_profile_fields *f = &d->pipeline->fields;
    for (uint32_t b = 0; b < f->reflection.block_count; b++) {
        const struct rp_reflect_block *block = &f->reflection.blocks[b];
        struct rp_profile_block *own = &f->blocks[b];
        uint64_t size_B;
        const uint8_t *bytes = block_bytes(d, own, &size_B);
        if (!bytes)
            continue;
        const uint64_t hash = used_hash(block, bytes, size_B);
        own->duplicates += own->count && own->slot != UINT32_MAX &&
                           own->last_ptr != (uintptr_t)bytes && own->last_hash == hash;
        own->last_ptr = (uintptr_t)bytes;
        own->last_hash = hash;
        own->count++;
        for (uint32_t i = 0; i < block->field_count; i++) {
            const struct rp_reflect_field *field = &block->fields[i];
            if (field->offset_B >= size_B)
                continue;
            const uint64_t left_B = size_B - field->offset_B;
            field_add(&own->fields[i], bytes + field->offset_B,
                      field->size_B ? RP_MIN(field->size_B, left_B) : left_B);
        }
    }
}

/* For rp_reflect_reads(): was the block entered by a lane? */
static bool
was_entered(void *ctx, size_t label_word)
{
    const struct rp_profile_pipeline *pp = ctx;
    uint32_t count;
    const uint32_t *probes = rp_kernel_probes(pp->simt.kernel, &count);
    for (uint32_t i = 0; i < count; i++)
        if (probes[i] == label_word)
            return atomic_load(&pp->simt.totals[i].active) != 0;
    return false;
}

static void
write_values(struct rp_json *json, const struct rp_profile_field *field, uint64_t size_B)
{
    const struct rp_profile_table *values = &field->values;
    uint64_t above = UINT64_MAX;
    uint32_t last = UINT32_MAX, written = 0;
    rp_json_key(json, "top");
    rp_json_open(json, '[');
    while (written < TOP_VALUES && size_B <= SHOWN_B) { /* by falling count, then as they came */
        uint32_t best = UINT32_MAX;
        for (uint32_t i = 0; i < values->piece_count; i++) {
            const uint64_t count = values->pieces[i].count;
            const bool is_behind =
                count < above || (count == above && last != UINT32_MAX && i > last);
            if (is_behind && (best == UINT32_MAX || count > values->pieces[best].count))
                best = i;
        }
        if (best == UINT32_MAX)
            break;
        above = values->pieces[best].count;
        last = best;
        written++;
        rp_json_open(json, '{');
        rp_json_key(json, "value");
        rp_json_bytes(json, rp_profile_table_get(values, best), values->pieces[best].size_B);
        rp_json_key_u64(json, "count", above);
        rp_json_close(json, '}');
    }
    rp_json_close(json, ']');
}

static void
write_field(struct rp_json *json, const struct rp_reflect_field *field,
            const struct rp_profile_field *own, const uint8_t *read)
{
    static const char *const kinds[] = {"uint", "int", "float", "other"};
    const uint32_t size_B = field->size_B && field->size_B < RP_REFLECT_MAX_B - field->offset_B
                                ? field->size_B
                                : RP_REFLECT_MAX_B - field->offset_B;
    rp_json_open(json, '{');
    rp_json_key_string(json, "name", field->name);
    rp_json_key_u64(json, "offset", field->offset_B);
    rp_json_key_u64(json, "size", field->size_B);
    rp_json_key_string(json, "scalar", kinds[field->scalar]);
    rp_json_key_u64(json, "scalar_size", field->scalar_B);
    rp_json_key_u64(json, "is_used", field->is_used);
    if (read)
        rp_json_key_u64(json, "is_read", memchr(read + field->offset_B, 1, size_B) != NULL);
    rp_json_key_u64(json, "dispatches", own->count);
    rp_json_key_u64(json, "changes", own->changes);
    rp_json_key_u64(json, "zeros", own->zeros);
    rp_json_key_u64(json, "values", own->values.piece_count);
    rp_json_key_u64(json, "has_more_values", own->values.is_full);
    write_values(json, own, field->size_B ? field->size_B : UINT64_MAX);
    rp_json_close(json, '}');
}

static void
write_block(struct rp_json *json, const struct rp_profile_pipeline *pp,
            const struct rp_reflect_block *block, const struct rp_profile_block *own)
{
    const struct rp_profile_module module = {pp->words, pp->word_count};
    uint8_t *read = pp->simt.totals ? rp_zalloc(NULL, RP_REFLECT_MAX_B, 1, SCOPE) : NULL;
    if (pp->simt.totals &&
        (!read || !rp_reflect_reads(&module, block, was_entered, (void *)pp, read)))
        json->is_out_of_memory = true;
    rp_json_open(json, '{');
    if (block->is_push) {
        rp_json_key_string(json, "kind", "push constants");
    } else {
        rp_json_key_string(json, "kind", "descriptor");
        rp_json_key_u64(json, "set", block->set);
        rp_json_key_u64(json, "binding", block->binding);
    }
    rp_json_key_u64(json, "size", block->size_B);
    rp_json_key_u64(json, "dispatches", own->count);
    rp_json_key_u64(json, "duplicates", own->duplicates);
    rp_json_key(json, "fields");
    rp_json_open(json, '[');
    for (uint32_t i = 0; i < block->field_count; i++)
        write_field(json, &block->fields[i], &own->fields[i], read);
    rp_json_close(json, ']');
    rp_json_close(json, '}');
    rp_free(NULL, read);
}

void
rp_profile_fields_write(struct rp_json *json, const struct rp_profile_pipeline *pp)
{
    rp_json_key(json, "blocks");
    rp_json_open(json, '[');
    for (uint32_t b = 0; b < pp->fields.reflection.block_count; b++)
        if (pp->fields.blocks[b].count)
            write_block(json, pp, &pp->fields.reflection.blocks[b], &pp->fields.blocks[b]);
    rp_json_close(json, ']');
}
