/* SPDX-License-Identifier: MIT */
/* profile.json: every table of the profile. tools/report/README.md says what its keys mean.
 */
#include "profile/simt.h"

#include "compute/heap.h"
#include "platform/file.h"
#include "platform/process.h"
#include "profile/fields.h"
#include "profile/partition.h"
#include "util/alloc.h"
#include "util/json.h"

#include <stdio.h>

static void
write_partition(struct rp_json *json, const struct rp_profile_pipeline *pp,
                const struct rp_partition *partition)
{
    rp_json_open(json, '{');
    rp_json_key_u64(json, "count", partition->set_count);
    rp_json_key_u64(json, "sets", partition->sets);
    rp_json_key_u64(json, "descriptors", partition->descriptors);
    rp_json_key(json, "set_of");
    rp_json_open(json, '[');
    for (uint32_t i = 0; i < pp->slot_count; i++)
        rp_json_u64(json, partition->set_of[i]);
    rp_json_close(json, ']');
    rp_json_close(json, '}');
}

static bool
write_partitions_of(struct rp_json *json, const struct rp_profile_pipeline *pp,
                    const struct rp_partition_rows *rows)
{
    struct rp_partition now = {0}, rule = {0}, best[RP_PARTITION_MAX_SETS];
    uint64_t rates[RP_PARTITION_MAX_SLOTS];
    uint32_t count;
    for (uint32_t i = 0; i < pp->slot_count; i++) {
        now.set_of[i] = pp->slots[i].set;
        rates[i] = pp->slots[i].same;
    }
    if (!rp_partition_judge(rows, &now) || !rp_partition_by_rate(rows, rates, &rule) ||
        !rp_partition_best(rows, best, &count))
        return false;
    rp_json_key(json, "now");
    write_partition(json, pp, &now);
    rp_json_key(json, "rule");
    write_partition(json, pp, &rule);
    rp_json_key(json, "best");
    rp_json_open(json, '[');
    for (uint32_t i = 0; i < count; i++)
        write_partition(json, pp, &best[i]);
    rp_json_close(json, ']');
    return true;
}

/* Pipelines with more slots than anybody would look at, or with heaps, have no partitions. */
static bool
write_partitions(struct rp_json *json, const struct rp_profile_pipeline *pp)
{
    uint32_t descriptor_counts[RP_PARTITION_MAX_SLOTS];
    bool is_good = true;
    rp_json_key(json, "partitions");
    rp_json_open(json, '{');
    rp_json_key_u64(json, "rows", pp->rows.piece_count);
    rp_json_key_u64(json, "is_complete", !pp->rows.is_full);
    const bool has_sets = pp->slot_count && pp->slots[pp->slot_count - 1].set != RP_HEAP_SET;
    if (has_sets && pp->slot_count <= RP_PARTITION_MAX_SLOTS && pp->rows.piece_count) {
        for (uint32_t i = 0; i < pp->slot_count; i++)
            descriptor_counts[i] = pp->slots[i].descriptor_count;
        const struct rp_partition_rows rows = {
            .contents = (const uint32_t *)pp->rows.bytes,
            .row_count = pp->rows.piece_count,
            .slot_count = pp->slot_count,
            .descriptor_counts = descriptor_counts,
        };
        is_good = write_partitions_of(json, pp, &rows);
    }
    rp_json_close(json, '}');
    return is_good;
}

static void
write_slots(struct rp_json *json, const struct rp_profile_pipeline *pp)
{
    rp_json_key(json, "slots");
    rp_json_open(json, '[');
    for (uint32_t i = 0; i < pp->slot_count; i++) {
        const struct rp_profile_slot *slot = &pp->slots[i];
        rp_json_open(json, '{');
        rp_json_key_u64(json, "set", slot->set);
        rp_json_key_u64(json, "binding", slot->binding);
        rp_json_key_u64(json, "type", slot->type);
        rp_json_key_u64(json, "descriptors", slot->descriptor_count);
        rp_json_key_u64(json, "same", slot->same);
        rp_json_key_u64(json, "same_without_dynamic_offsets", slot->same_undynamic);
        rp_json_close(json, '}');
    }
    rp_json_close(json, ']');
}

#define SWIZZLE_NAME_B 64u

static void
swizzle_name(const struct rp_profile_pipeline *pp, char out[SWIZZLE_NAME_B])
{
    (void)snprintf(out, SWIZZLE_NAME_B, "swizzle-%u.bin", pp->number);
}

static bool
write_pipeline(struct rp_json *json, const struct rp_profile_pipeline *pp, uint64_t *maps_B)
{
    rp_json_open(json, '{');
    rp_json_key(json, "hash");
    rp_json_hex64(json, pp->hash);
    rp_json_key_string(json, "entry_point", pp->entry_point);
    rp_json_key(json, "specialization");
    rp_json_bytes(json, pp->specialization, pp->specialization_B);
    rp_json_key(json, "local_size");
    rp_json_open(json, '[');
    for (uint32_t i = 0; i < 3; i++)
        rp_json_u64(json, pp->local_size[i]);
    rp_json_close(json, ']');
    rp_json_key_u64(json, "dispatches", pp->dispatch_count);
    rp_json_key_u64(json, "invocations", pp->invocation_count);
    rp_json_key_u64(json, "time_ns", pp->time_ns);
    rp_json_key_u64(json, "pairs", pp->pair_count);
    write_slots(json, pp);
    const bool is_good = write_partitions(json, pp);
    rp_profile_fields_write(json, pp);
    rp_profile_simt_write(json, pp);
    rp_accesses_write(json, pp, maps_B);
    char file[SWIZZLE_NAME_B];
    swizzle_name(pp, file);
    rp_repacked_write(json, &pp->simt.repacked, file);
    rp_json_close(json, '}');
    return is_good;
}

static void
write_state(struct rp_json *json, const struct rp_profile_device *p)
{
    static const char *const names[RP_PROFILE_STATE_COUNT] = {"binds", "push_constants",
                                                              "barriers"};
    rp_json_key(json, "state");
    rp_json_open(json, '{');
    rp_json_key_u64(json, "command_buffers", p->command_buffer_count);
    for (uint32_t i = 0; i < RP_PROFILE_STATE_COUNT; i++) {
        rp_json_key(json, names[i]);
        rp_json_open(json, '{');
        rp_json_key_u64(json, "kept", p->state[i].kept);
        rp_json_key_u64(json, "dropped", p->state[i].dropped);
        if (i == RP_PROFILE_BARRIERS)
            rp_json_key_u64(json, "needless", p->needless_barriers);
        rp_json_close(json, '}');
    }
    rp_json_close(json, '}');
}

/* maps.bin, in the order of pipelines. */
static bool
write_maps(const struct rp_profile_device *p)
{
    const int file = rp_file_create(p->folder, "maps.bin");
    bool is_good = file >= 0;
    for (const struct rp_profile_pipeline *pp = p->first; pp && is_good; pp = pp->next) {
        const struct rp_heat_maps *maps = pp->simt.accesses ? &pp->simt.accesses->maps : NULL;
        if (pp->dispatch_count && maps && maps->cells)
            is_good = rp_file_append(file, maps->cells, rp_heat_size_B(maps));
    }
    if (file >= 0)
        rp_file_close(file);
    return is_good;
}

/* A file each: arrays of 32 bits, to be bound. */
static bool
write_swizzles(const struct rp_profile_device *p)
{
    bool is_good = true;
    for (const struct rp_profile_pipeline *pp = p->first; pp && is_good; pp = pp->next) {
        const struct rp_repacked *repacked = &pp->simt.repacked;
        char name[SWIZZLE_NAME_B];
        if (!repacked->is_there)
            continue;
        swizzle_name(pp, name);
        const int file = rp_file_create(p->folder, name);
        is_good =
            file >= 0 && rp_file_append(file, repacked->swizzle,
                                        repacked->swizzle_count * sizeof(repacked->swizzle[0]));
        if (file >= 0)
            rp_file_close(file);
    }
    return is_good;
}

bool
rp_profile_write(struct rp_profile_device *p)
{
    struct rp_json json;
    char process[RP_PROCESS_NAME_B];
    bool is_good = true;
    uint64_t maps_B = 0;
    rp_process_name(process);
    rp_json_init(&json);
    rp_json_open(&json, '{');
    rp_json_key_string(&json, "format", "reelpipe-profile");
    rp_json_key_u64(&json, "version", 1);
    rp_json_key_string(&json, "process", process);
    rp_json_key_u64(&json, "is_complete", !p->is_short);
    write_state(&json, p);
    rp_json_key(&json, "pipelines");
    rp_json_open(&json, '[');
    for (const struct rp_profile_pipeline *pp = p->first; pp && is_good; pp = pp->next)
        if (pp->dispatch_count)
            is_good = write_pipeline(&json, pp, &maps_B);
    rp_json_close(&json, ']');
    rp_json_close(&json, '}');
    rp_json_line_end(&json);

    is_good = is_good && !json.is_out_of_memory && rp_file_append(p->file, json.text, json.size_B);
    rp_json_finish(&json);
    if (is_good && maps_B)
        is_good = write_maps(p) && write_swizzles(p);
    return is_good;
}
