/* SPDX-License-Identifier: MIT */
/* How many of a warp's lanes run: what the probes of a kernel have counted, by block, by
 * instruction and by time.
 *
 * By block: lanes that entered, of those that the warps which entered have. By instruction and by
 * time each block weighs as many instructions as it has, or what they cost.
 */
#include "profile/simt.h"

#include "object/device.h"
#include "profile/source.h"
#include "util/alloc.h"

#include <string.h>

#define SCOPE VK_SYSTEM_ALLOCATION_SCOPE_DEVICE
#define MAX_FILES 64u

static bool
bindings_agree(const struct rp_kernel *a, const struct rp_kernel *b)
{
    uint32_t count[2];
    const struct rp_kernel_binding *bindings[2] = {rp_kernel_bindings(a, &count[0]),
                                                   rp_kernel_bindings(b, &count[1])};
    bool is_same = count[0] == count[1];
    for (uint32_t i = 0; is_same && i < count[0]; i++)
        is_same = bindings[0][i].set == bindings[1][i].set &&
                  bindings[0][i].binding == bindings[1][i].binding;
    return is_same;
}

/* The specialization as it was given. */
static bool
specialization_make(const struct rp_profile_pipeline *pp, VkSpecializationInfo *out)
{
    uint32_t count = 0;
    const size_t size_B = pp->specialization_B;
    for (size_t at = 0; at < size_B; count++) {
        uint32_t head[2];
        memcpy(head, pp->specialization + at, sizeof(head));
        at += sizeof(head) + head[1];
    }
    VkSpecializationMapEntry *entries = rp_zalloc_array(NULL, count + 1, sizeof(*entries), SCOPE);
    if (!entries)
        return false;
    size_t at = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t head[2];
        memcpy(head, pp->specialization + at, sizeof(head));
        at += sizeof(head);
        entries[i] = (VkSpecializationMapEntry){head[0], (uint32_t)at, head[1]};
        at += head[1];
    }
    *out = (VkSpecializationInfo){count, entries, size_B, pp->specialization};
    return true;
}

struct rp_kernel *
rp_profile_kernel_compile(const struct rp_profile_device *p, const struct rp_profile_pipeline *pp,
                          const uint32_t *swizzle)
{
    struct rp_shader *shader = NULL;
    struct rp_kernel *kernel = NULL;
    VkSpecializationInfo specialization;
    if (!specialization_make(pp, &specialization))
        return NULL;
    if (rp_shader_create(pp->words, pp->word_count, NULL, &shader) == VK_SUCCESS) {
        const struct rp_kernel_info info = {
            .shader = shader,
            .entry_point = pp->entry_point,
            .specialization = &specialization,
            .cpu_flags = p->dev->physical_device->cpu_flags,
            .mappings = pp->mappings,
            .mapping_count = pp->mapping_count,
            .subgroup_size = pp->subgroup_size,
            .wants_exact_bounds = pp->wants_exact_bounds || p->records_accesses,
            .wants_probes = !p->counts_operations,
            .wants_accesses = p->records_accesses && !swizzle,
            .swizzle = swizzle,
            .wants_op_counts = p->counts_operations,
        };
        if (rp_kernel_create(&info, NULL, &kernel) != VK_SUCCESS)
            kernel = NULL;
        rp_shader_destroy(shader);
    }
    rp_free(NULL, (void *)specialization.pMapEntries);
    return kernel;
}

static uint32_t
operation_count(void)
{
    uint32_t count = 0;
    while (rp_exec_op_name(count))
        count++;
    return count;
}

static bool
accesses_create(const struct rp_profile_device *p, struct rp_profile_pipeline *pp)
{
    const struct rp_profile_module module = {pp->words, pp->word_count};
    struct rp_accesses *accesses = rp_accesses_create(pp->simt.kernel, &module, p->finds_races);
    for (uint32_t i = 0; accesses && i < pp->slot_count; i++)
        accesses->may_be_stale[pp->slots[i].index] = pp->slots[i].may_be_stale;
    pp->simt.accesses = accesses;
    return accesses != NULL;
}

static void
totals_create(const struct rp_profile_device *p, struct rp_profile_pipeline *pp)
{
    struct rp_profile_simt *simt = &pp->simt;
    uint32_t count;
    if (p->counts_operations) {
        simt->operations =
            rp_zalloc_array(NULL, operation_count(), sizeof(*simt->operations), SCOPE);
        return;
    }
    (void)rp_kernel_probes(simt->kernel, &count);
    if (p->records_accesses && !accesses_create(p, pp))
        return;
    simt->totals = rp_zalloc_array(NULL, count + 1, sizeof(*simt->totals), SCOPE);
}

const struct rp_kernel *
rp_profile_simt_kernel(struct rp_profile_device *p, struct rp_profile_pipeline *pp,
                       const struct rp_kernel *kernel)
{
    pthread_mutex_lock(&p->mutex);
    struct rp_profile_simt *simt = &pp->simt;
    if (!simt->is_tried) {
        simt->is_tried = true;
        simt->kernel = rp_profile_kernel_compile(p, pp, NULL);
        if (simt->kernel && bindings_agree(kernel, simt->kernel))
            totals_create(p, pp);
        p->is_short |= !simt->totals && !simt->operations;
    }
    pthread_mutex_unlock(&p->mutex);
    return simt->totals || simt->operations ? simt->kernel : NULL;
}

void
rp_profile_simt_finish(struct rp_profile_simt *simt)
{
    rp_accesses_destroy(simt->accesses);
    rp_free(NULL, simt->repacked.swizzle);
    rp_kernel_destroy(simt->kernel);
    rp_free(NULL, simt->totals);
    rp_free(NULL, simt->operations);
}

/* Lanes that ran, and warps that did, as often as they did. */
struct sum {
    uint64_t active;
    uint64_t masks[RP_PROBE_WIDTHS];
};

static void
sum_add(struct sum *sum, const struct sum *block, uint64_t weight)
{
    sum->active += weight * block->active;
    for (uint32_t w = 0; w < RP_PROBE_WIDTHS; w++)
        sum->masks[w] += weight * block->masks[w];
}

static void
write_sum(struct rp_json *json, const struct sum *sum)
{
    rp_json_key_u64(json, "active", sum->active);
    rp_json_key(json, "warps");
    rp_json_open(json, '[');
    for (uint32_t w = 0; w < RP_PROBE_WIDTHS; w++)
        rp_json_u64(json, sum->masks[w]);
    rp_json_close(json, ']');
}

static void
write_named_sum(struct rp_json *json, const char *name, const struct sum *sum)
{
    rp_json_key(json, name);
    rp_json_open(json, '{');
    write_sum(json, sum);
    rp_json_close(json, '}');
}

/* Instructions of one source line. */
struct line {
    uint32_t file;
    uint32_t line;
    uint64_t instruction_count; /* of the module */
    struct sum sum;
};

struct report {
    struct rp_json *json;
    struct rp_profile_module module;
    uint32_t debug_set;
    struct line *lines; /* owned */
    uint32_t line_count;
    uint32_t line_capacity;
    struct sum blocks;
    struct sum instructions;
    struct sum time;
};

static void
line_add(struct report *r, const struct rp_profile_instruction *instr, const struct sum *block)
{
    uint32_t i = 0;
    while (i < r->line_count &&
           (r->lines[i].file != instr->file || r->lines[i].line != instr->line))
        i++;
    if (i == r->line_count) {
        if (!rp_grow_array(&r->lines, r->line_count, &r->line_capacity, sizeof(*r->lines))) {
            r->json->is_out_of_memory = true;
            return;
        }
        r->lines[r->line_count++] = (struct line){.file = instr->file, .line = instr->line};
    }
    r->lines[i].instruction_count++;
    sum_add(&r->lines[i].sum, block, 1);
}

static void
write_block(struct report *r, uint32_t word, const struct rp_probe_total *total)
{
    struct rp_json *json = r->json;
    struct sum block = {.active = atomic_load(&total->active)};
    for (uint32_t w = 0; w < RP_PROBE_WIDTHS; w++)
        block.masks[w] = atomic_load(&total->masks[w]);

    struct rp_profile_walk walk;
    struct rp_profile_instruction instr;
    uint64_t count = 0, cost = 0;
    uint32_t first_line = 0, file = 0;
    rp_profile_walk_begin(&walk, &r->module, r->debug_set, word);
    while (rp_profile_walk_next(&walk, &instr)) {
        if (!instr.cost)
            continue;
        if (!first_line) {
            first_line = instr.line;
            file = instr.file;
        }
        count++;
        cost += instr.cost;
        if (instr.line)
            line_add(r, &instr, &block);
    }
    sum_add(&r->blocks, &block, 1);
    sum_add(&r->instructions, &block, count);
    sum_add(&r->time, &block, cost);

    const uint32_t function = rp_profile_function_of(&r->module, word);
    const char *name = rp_profile_name(&r->module, function);
    rp_json_open(json, '{');
    rp_json_key_u64(json, "label", r->module.words[word + 1]);
    rp_json_key_u64(json, "function", function);
    if (name)
        rp_json_key_string(json, "name", name);
    rp_json_key_u64(json, "file", file);
    rp_json_key_u64(json, "line", first_line);
    rp_json_key_u64(json, "instructions", count);
    rp_json_key_u64(json, "cost", cost);
    write_sum(json, &block);
    rp_json_close(json, '}');
}

static void
write_lines(struct report *r)
{
    struct rp_json *json = r->json;
    rp_json_key(json, "lines");
    rp_json_open(json, '[');
    for (uint32_t i = 0; i < r->line_count; i++) {
        rp_json_open(json, '{');
        rp_json_key_u64(json, "file", r->lines[i].file);
        rp_json_key_u64(json, "line", r->lines[i].line);
        rp_json_key_u64(json, "instructions", r->lines[i].instruction_count);
        write_sum(json, &r->lines[i].sum);
        rp_json_close(json, '}');
    }
    rp_json_close(json, ']');
}

static void
write_files(struct report *r)
{
    struct rp_json *json = r->json;
    uint32_t files[MAX_FILES], count = 0;
    rp_json_key(json, "files");
    rp_json_open(json, '[');
    for (uint32_t i = 0; i < r->line_count; i++) {
        uint32_t k = 0;
        while (k < count && files[k] != r->lines[i].file)
            k++;
        if (k < count || count == MAX_FILES)
            continue;
        files[count++] = r->lines[i].file;
        const char *name = rp_profile_file_name(&r->module, r->debug_set, r->lines[i].file);
        const char *text = rp_profile_file_text(&r->module, r->debug_set, r->lines[i].file);
        rp_json_open(json, '{');
        rp_json_key_u64(json, "file", r->lines[i].file);
        rp_json_key_string(json, "name", name ? name : "");
        if (text)
            rp_json_key_string(json, "text", text);
        rp_json_close(json, '}');
    }
    rp_json_close(json, ']');
}

static void
write_operations(struct rp_json *json, const struct rp_op_total *totals)
{
    const char *name;
    rp_json_key(json, "operations");
    rp_json_open(json, '[');
    for (uint32_t code = 0; (name = rp_exec_op_name(code)); code++) {
        const uint64_t runs = atomic_load(&totals[code].runs);
        if (!runs)
            continue;
        rp_json_open(json, '{');
        rp_json_key_string(json, "name", name);
        rp_json_key_u64(json, "runs", runs);
        rp_json_key_u64(json, "blocks", atomic_load(&totals[code].blocks));
        rp_json_close(json, '}');
    }
    rp_json_close(json, ']');
}

void
rp_profile_simt_write(struct rp_json *json, const struct rp_profile_pipeline *pp)
{
    struct report r = {.json = json, .module = {pp->words, pp->word_count}};
    if (pp->simt.operations)
        write_operations(json, pp->simt.operations);
    if (!pp->simt.totals)
        return;
    uint32_t count;
    const uint32_t *words = rp_kernel_probes(pp->simt.kernel, &count);
    r.debug_set = rp_profile_debug_set(&r.module);

    rp_json_key(json, "simt");
    rp_json_open(json, '{');
    rp_json_key(json, "widths");
    rp_json_open(json, '[');
    for (uint32_t w = 0; w < RP_PROBE_WIDTHS; w++)
        rp_json_u64(json, 8u << w);
    rp_json_close(json, ']');
    rp_json_key(json, "blocks");
    rp_json_open(json, '[');
    for (uint32_t i = 0; i < count; i++)
        write_block(&r, words[i], &pp->simt.totals[i]);
    rp_json_close(json, ']');
    write_named_sum(json, "by_block", &r.blocks);
    write_named_sum(json, "by_instruction", &r.instructions);
    write_named_sum(json, "by_time", &r.time);
    write_lines(&r);
    write_files(&r);
    rp_json_close(json, '}');
    rp_free(NULL, r.lines);
}
