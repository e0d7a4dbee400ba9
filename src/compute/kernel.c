/* SPDX-License-Identifier: MIT */
/* Compiles an entry point and keeps what a dispatch needs.
 */
#include "compute/kernel.h"

#include "compute/exec/count.h"
#include "compute/ir/emit.h"
#include "compute/ir/limits.h"
#include "compute/ir/passes.h"
#include "compute/spirv/shader.h"
#include "compute/spirv/spirv.h"
#include "platform/environment.h"
#include "util/alloc.h"
#include "util/compiler.h"

#include <stdio.h>
#include <string.h>

#define SCOPE VK_SYSTEM_ALLOCATION_SCOPE_OBJECT

/* Accepts NULL, and half-made ones. */
static void
program_destroy(struct rp_program *p)
{
    if (!p)
        return;
    rp_free(NULL, p->ops);
    rp_free(NULL, p->handlers);
    rp_free(NULL, p->codes);
    rp_free(NULL, p->scalars);
    rp_free(NULL, p->table);
    rp_free(NULL, p->images);
    rp_free(NULL, p->geometry);
    rp_free(NULL, p->text);
    rp_program_free_code(p);
    program_destroy(p->careful);
    rp_free(NULL, p);
}

void
rp_kernel_destroy(struct rp_kernel *kernel)
{
    if (!kernel || atomic_fetch_sub(&kernel->ref_count, 1) > 1)
        return;
    program_destroy(kernel->rows);
    program_destroy(kernel->groups);
    program_destroy(kernel->packed);
    rp_free(NULL, kernel->bindings);
    rp_free(NULL, kernel->pages);
    rp_free(NULL, kernel->probes);
    rp_free(NULL, kernel->access_sites);
    rp_free(NULL, kernel->uniform_words);
    rp_free(NULL, kernel);
}

struct rp_kernel *
rp_kernel_ref(struct rp_kernel *kernel)
{
    atomic_fetch_add(&kernel->ref_count, 1);
    return kernel;
}

void
rp_program_place_lanes(struct rp_program *p)
{
    const uint32_t *size = p->local_size;
    struct rp_geometry *g = p->geometry;
    g->width = size[0];
    g->height = size[1];
    g->is_line = p->has_rows || (size[1] == 1 && size[2] == 1);
    g->is_flat = g->is_line || size[2] == 1;
    g->has_rows = g->is_line || size[0] % RP_BLOCK_LANES == 0;
    g->part_blocks = g->has_rows && !g->is_flat ? (int32_t)(size[0] * size[1] / RP_BLOCK_LANES) : 0;
    g->run_log2 = size[0] % 16 == 0 ? 4 : size[0] % 8 == 0 ? 3 : 2;
    g->run = size[0] % 4 == 0 ? 1u << g->run_log2 : 0;
    for (uint32_t lane = 0; lane < p->lanes && !p->has_rows; lane++) {
        g->x[lane] = (int32_t)(lane % size[0]);
        g->y[lane] = (int32_t)(lane / size[0] % size[1]);
        g->z[lane] = (int32_t)(lane / (size[0] * size[1]));
        g->run_x[lane >> g->run_log2] = g->x[lane >> g->run_log2 << g->run_log2];
        g->run_y[lane >> g->run_log2] = g->y[lane];
        g->run_z[lane >> g->run_log2] = g->z[lane];
    }
}

static void *
copy(const void *data, size_t size_B)
{
    void *p = rp_alloc(NULL, size_B ? size_B : 1, 64, SCOPE);
    if (p && size_B)
        memcpy(p, data, size_B);
    return p;
}

static void
program_statistics(struct rp_program *p, const struct rp_kernel_info *info,
                   const struct ir_program *ir, const struct ir_output *out)
{
    uint32_t count = 0, loop_count = 0;
    for (const struct ir_instr *i = ir->first; i; i = i->next) {
        count++;
        loop_count += i->op == IR_LOOP;
    }
    p->stats = (struct rp_kernel_statistics){
        .spirv_instruction_count = info->shader->instruction_count,
        .ir_instruction_count = count,
        .op_count = out->op_count - out->half_op_count,
        .loop_count = loop_count,
        .scalar_op_count = out->scalar_op_count,
        .gather_count = out->gather_count,
        .lanes = out->regs.lanes,
        .register_B = out->regs.total_B,
        .shared_B = ir->shared_B,
    };
}

static bool
program_text(struct rp_program *p, const struct rp_kernel_info *info, const struct ir_program *ir)
{
    const char *debug = rp_environment_get("REELPIPE_DEBUG");
    const bool is_shown = debug && strstr(debug, "ir");
    if (!info->wants_text && !is_shown)
        return true;
    const size_t size_B = ir_print(ir, NULL, 0);
    p->text = rp_alloc(NULL, size_B, 1, SCOPE);
    if (!p->text)
        return false;
    ir_print(ir, p->text, size_B);
    if (is_shown)
        fprintf(stderr, "%s", p->text);
    return true;
}

static bool
program_count(struct rp_program *p)
{
    p->handlers = rp_zalloc_array(NULL, p->op_count, sizeof(p->handlers[0]), SCOPE);
    if (p->handlers)
        rp_exec_count_ops(p->ops, p->codes, p->op_count, p->handlers);
    return p->handlers != NULL;
}

/* Takes a copy of all that lives in the compilation's arena. */
static struct rp_program *
program_create(const struct rp_kernel_info *info, const struct ir_program *ir,
               const struct ir_output *out)
{
    struct rp_program *p = rp_zalloc(NULL, sizeof(*p), _Alignof(struct rp_program), SCOPE);
    if (!p)
        return NULL;
    p->op_count = out->op_count;
    p->main_op = out->main_op;
    p->register_B = out->regs.total_B;
    p->lanes = out->regs.lanes;
    p->pack = ir->pack > 1 ? p->lanes / (ir->local_size[0] * ir->local_size[1]) : 1;
    p->shared_B = p->pack > 1 ? p->pack * ir->shared_stride_B : ir->shared_B;
    p->level_count = ir->level_count;
    p->walk_count = out->walk_count;
    p->lane_slot_count = ir->lane_slot_count;
    p->lane_slot_B = ir->lane_slot_B;
    p->push_B = ir->push_B;
    p->table_B = ir->table_B;
    p->image_count = out->image_count;
    p->add_binding_count = ir->add_binding_count;
    memcpy(p->add_bindings, ir->add_bindings, sizeof(p->add_bindings));
    p->apart_count = ir->apart_count;
    memcpy(p->apart, ir->apart, sizeof(p->apart));
    p->scalar_B = (IR_BUILTIN_COUNT + out->const_count) * 8;
    memcpy(p->local_size, ir->local_size, sizeof(p->local_size));
    p->has_rows = ir->has_rows;
    p->has_counts = info->wants_probes || info->wants_op_counts;
    program_statistics(p, info, ir, out);

    p->ops = copy(out->ops, out->op_count * sizeof(p->ops[0]));
    p->codes = copy(out->codes, out->op_count * sizeof(p->codes[0]));
    p->table = copy(ir->table, ir->table_B);
    p->scalars = rp_zalloc(NULL, p->scalar_B, 64, SCOPE);
    p->images = rp_alloc(NULL, (out->image_count + 1) * sizeof(p->images[0]), 8, SCOPE);
    p->geometry = rp_zalloc(NULL, sizeof(*p->geometry), _Alignof(struct rp_geometry), SCOPE);
    if (!p->ops || !p->codes || !p->table || !p->scalars || !p->images || !p->geometry ||
        !program_text(p, info, ir)) {
        program_destroy(p);
        return NULL;
    }
    if (info->wants_op_counts && !program_count(p)) {
        program_destroy(p);
        return NULL;
    }
    for (uint32_t c = 0; c < out->const_count; c++)
        memcpy(p->scalars + out->consts[c].offset_B, &out->consts[c].value, 8);
    for (uint32_t i = 0; i < out->image_count; i++)
        p->images[i] = *out->images[i];
    rp_program_place_lanes(p);
    rp_program_allow_code(p, info->cpu_flags);
    return p;
}

#define UNROLL_ROUNDS 4u /* an inner loop may wait for its outer one */

static void
unroll(struct ir_program *ir, bool has_new_values)
{
    for (uint32_t round = 0; round < UNROLL_ROUNDS; round++) {
        const bool has_unrolled = ir_unroll(ir, has_new_values);
        has_new_values = ir_promote(ir);
        if (!has_unrolled && !has_new_values)
            break;
        ir_clean(ir);
        ir_share(ir);
        ir_clean(ir);
    }
}

/* Values of uniform words come after all that is done without them: what they are found by, and
 * what is folded by the rules for literals, is the same with and without. */
static void
optimise(struct ir_program *ir)
{
    ir_clean(ir);
    ir_share(ir);
    ir_clean(ir);
    unroll(ir, false);
    if (ir_fold_uniforms(ir)) {
        ir_clean(ir);
        unroll(ir, true);
        ir_clean(ir);
        ir_share(ir);
        ir_clean(ir);
    }
    ir_find_uniforms(ir);
    if (ir_keep_words(ir)) {
        ir_clean(ir);
        ir_share(ir);
        ir_clean(ir);
    }
    ir_dissolve_blocks(ir);
    ir_flatten(ir);
    ir_clean(ir);
    if (ir_narrow(ir))
        ir_clean(ir);
    ir_hoist(ir);
    ir_close_loops(ir);
    ir_clean(ir);
    ir_classify(ir);
    ir_multiply_for_divisions(ir);
    ir_fuse(ir);
    ir_fuse_logic(ir);
    ir_resolve_phis(ir);
    ir_lower(ir);
    ir_clean(ir);
    ir_share(ir);
    ir_merge_loads(ir);
    ir_merge_gathers(ir);
    ir_merge_stores(ir);
    ir_fold_addresses(ir);
    ir_clean(ir);
    ir_fuse_scalars(ir);
    ir_defer(ir);
    ir_split_prologue(ir);
    ir_find_macs(ir);
    ir_find_reductions(ir);
    ir_tile(ir);
    ir_find_structs(ir);
    ir_find_chains(ir);
    ir_pair_scalars(ir);
}

struct compilation {
    struct rp_arena arena;
    struct ir_fail fail;
    struct ir_program ir;
    struct ir_output out;
};

/* The part that may jump out: nothing here owns memory but the arena. */
static bool
compile(struct compilation *c, const struct rp_kernel_info *info)
{
    if (setjmp(c->fail.jump))
        return false;
    spv_compile(info, &c->ir);
    optimise(&c->ir);
    ir_emit(&c->ir, rp_exec_table(info->cpu_flags), &c->out);
    return true;
}

/* A subgroup must not reach over from one workgroup to the next. */
static bool
splits_subgroups(const struct ir_program *ir)
{
    const uint32_t lanes = ir->local_size[0] * ir->local_size[1];
    for (const struct ir_instr *i = ir->first; i; i = i->next)
        if (i->op == IR_SUBGROUP && lanes % RP_MAX(i->cluster, RP_BLOCK_LANES) != 0)
            return true;
    return false;
}

/* What workgroups side by side take of the time of workgroups by themselves: each finds less of the
 * caches. */
#define PACKED_EIGHTHS 7u

/* What is one number in each workgroup, and read as such, is a register of lanes side by side. */
static bool
is_worth_packing(const struct rp_kernel *kernel, const struct compilation *c)
{
    const uint32_t lanes = c->out.regs.lanes;
    const uint32_t pack = lanes / (c->ir.local_size[0] * c->ir.local_size[1]);
    return 8 * ir_cost(&c->ir, lanes) <= PACKED_EIGHTHS * pack * kernel->groups_cost;
}

static VkResult
kernel_keep_packed(struct rp_kernel *kernel, const struct rp_kernel_info *info,
                   const struct compilation *c)
{
    const struct ir_program *ir = &c->ir;
    if (ir->pack < 2 || c->out.regs.lanes < 2 * ir->local_size[0] * ir->local_size[1] ||
        splits_subgroups(ir) || ir_may_wait_for_others(ir) ||
        (kernel->is_serial && ir_parts_mostly(ir)) || !is_worth_packing(kernel, c))
        return VK_SUCCESS;
    kernel->packed = program_create(info, ir, &c->out);
    return kernel->packed ? VK_SUCCESS : VK_ERROR_OUT_OF_HOST_MEMORY;
}

/* Is the place of an invocation in its workgroup's row asked for? Rows of the grid do not know. */
static bool
wants_local_x(const struct ir_program *ir)
{
    for (const struct ir_instr *i = ir->first; i; i = i->next)
        for (uint32_t a = 0; a < i->arg_count; a++)
            if (i->args[a] && i->args[a]->op == IR_BUILTIN && i->args[a]->imm >= IR_LOCAL_X)
                return true;
    return false;
}

/* Invocations of a row that wait for others of it would wait for ever. */
static bool
may_be_rows(const struct ir_program *ir)
{
    return !wants_local_x(ir) && !ir_spins(ir);
}

static enum rp_kernel_tie
tie_of(const struct ir_program *ir)
{
    if (ir->uses_subgroups)
        return RP_KERNEL_TIED_BY_SUBGROUP;
    return ir->uses_barrier ? RP_KERNEL_TIED_BY_WORKGROUP : RP_KERNEL_FREE;
}

static VkResult
kernel_keep(struct rp_kernel *kernel, const struct rp_kernel_info *info,
            const struct compilation *c)
{
    const struct ir_program *ir = &c->ir;
    struct rp_program *program = program_create(info, ir, &c->out);
    if (!program)
        return VK_ERROR_OUT_OF_HOST_MEMORY;

    if (ir->has_rows)
        kernel->rows = program;
    else
        kernel->groups = program;
    kernel->is_serial = ir_is_serial(ir);
    kernel->groups_cost = ir_cost(ir, program->lanes);
    memcpy(kernel->local_size, ir->local_size, sizeof(kernel->local_size));
    kernel->subgroup_size = ir->subgroup_size;
    kernel->shared_B = ir->shared_B;
    kernel->zeroes_shared = ir->zeroes_shared;
    kernel->tie = tie_of(ir);
    if (!kernel->bindings)
        kernel->bindings = copy(ir->bindings, ir->binding_count * sizeof(kernel->bindings[0]));
    if (!kernel->pages)
        kernel->pages = copy(ir->pages, ir->page_count * sizeof(kernel->pages[0]));
    if (!kernel->probes)
        kernel->probes = copy(ir->probes, ir->probe_count * sizeof(kernel->probes[0]));
    if (!kernel->access_sites)
        kernel->access_sites =
            copy(ir->access_sites, ir->access_site_count * sizeof(kernel->access_sites[0]));
    if (!kernel->uniform_words)
        kernel->uniform_words =
            copy(ir->uniform_words, ir->uniform_word_count * sizeof(kernel->uniform_words[0]));
    kernel->uniform_word_count = ir->uniform_word_count;
    kernel->writes_elsewhere = ir->writes_elsewhere;
    kernel->binding_count = ir->binding_count;
    kernel->page_count = ir->page_count;
    kernel->probe_count = ir->probe_count;
    kernel->access_site_count = ir->access_site_count;
    return kernel->bindings && kernel->pages && kernel->probes && kernel->access_sites &&
                   kernel->uniform_words
               ? VK_SUCCESS
               : VK_ERROR_OUT_OF_HOST_MEMORY;
}

enum layout {
    LAYOUT_ROWS, /* when the shader allows it */
    LAYOUT_GROUPS,
    LAYOUT_PACKED,
};

/* Keeps the program with its clamps, and for buffers that overlap, beside one that has guards in
 * their place, and takes them for apart. */
static VkResult
kernel_keep_careful(struct rp_kernel *kernel, const struct rp_kernel_info *info,
                    const struct compilation *c)
{
    struct rp_program *program = c->ir.has_rows ? kernel->rows : kernel->groups;
    program->careful = program_create(info, &c->ir, &c->out);
    return program->careful ? VK_SUCCESS : VK_ERROR_OUT_OF_HOST_MEMORY;
}

static VkResult
kernel_compile(struct rp_kernel *kernel, const struct rp_kernel_info *info, enum layout layout,
               bool is_careful, struct rp_compute_message *message)
{
    const bool has_rows = layout == LAYOUT_ROWS;
    bool is_kept = false;
    struct compilation *c =
        rp_zalloc(NULL, sizeof(*c), _Alignof(max_align_t), VK_SYSTEM_ALLOCATION_SCOPE_COMMAND);
    if (!c)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    rp_arena_init(&c->arena, NULL);
    c->fail.message = message;
    c->ir = (struct ir_program){
        .arena = &c->arena,
        .fail = &c->fail,
        .local_size = {1, 1, 1},
        .subgroup_size = info->subgroup_size ? info->subgroup_size : RP_SUBGROUP_SIZE,
        .has_rows = has_rows,
        .pack = layout == LAYOUT_PACKED ? 2 : 1, /* or more */
        /* Where a guard failed lanes would be counted twice. */
        .has_clamps = is_careful || layout == LAYOUT_PACKED || info->wants_probes,
        .has_probes = info->wants_probes,
        .has_accesses = info->wants_accesses,
        .swizzle = info->swizzle,
        .uniforms = info->uniforms,
    };
    VkResult result = compile(c, info) ? VK_SUCCESS : c->fail.result;
    if (result == VK_SUCCESS && layout == LAYOUT_PACKED) {
        result = kernel_keep_packed(kernel, info, c);
    } else if (result == VK_SUCCESS && is_careful) {
        result = kernel_keep_careful(kernel, info, c);
    } else if (result == VK_SUCCESS && (!c->ir.has_rows || may_be_rows(&c->ir))) {
        result = kernel_keep(kernel, info, c);
        is_kept = result == VK_SUCCESS && (c->ir.guard_count || c->ir.apart_count);
    }
    rp_arena_finish(&c->arena);
    rp_free(NULL, c);
    return is_kept ? kernel_compile(kernel, info, layout, true, message) : result;
}

static bool
has_small_groups(const struct rp_kernel *kernel)
{
    const uint32_t *size = kernel->local_size;
    return size[2] == 1 && size[0] * size[1] <= IR_MAX_PACKED_LANES;
}

/* Side by side workgroups must begin at multiples of the widest warp. */
static bool
may_pack(const struct rp_kernel *kernel, const struct rp_kernel_info *info)
{
    const uint32_t *size = kernel->local_size;
    return !kernel->rows && has_small_groups(kernel) && !info->wants_accesses && !info->swizzle &&
           !(kernel->is_serial && size[0] * size[1] >= RP_BLOCK_LANES) &&
           (!info->wants_probes || size[0] * size[1] % 64 == 0);
}

VkResult
rp_kernel_create(const struct rp_kernel_info *info, struct rp_compute_message *message,
                 struct rp_kernel **out)
{
    struct rp_kernel *kernel = rp_zalloc(NULL, sizeof(*kernel), _Alignof(struct rp_kernel), SCOPE);
    if (!kernel)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    atomic_init(&kernel->ref_count, 1);

    const uint64_t float_state = rp_float_state_enter(); /* constants are folded */
    VkResult result =
        info->wants_probes ? VK_SUCCESS : kernel_compile(kernel, info, LAYOUT_ROWS, false, message);
    if (result == VK_SUCCESS && !kernel->groups)
        result = kernel_compile(kernel, info, LAYOUT_GROUPS, false, message);
    if (result == VK_SUCCESS && may_pack(kernel, info)) {
        const VkResult packed = kernel_compile(kernel, info, LAYOUT_PACKED, false, message);
        if (packed == VK_ERROR_OUT_OF_HOST_MEMORY) /* else too large for that: it does without */
            result = packed;
    }
    rp_float_state_leave(float_state);
    if (result != VK_SUCCESS) {
        rp_kernel_destroy(kernel);
        return result;
    }
    *out = kernel;
    return VK_SUCCESS;
}

const struct rp_kernel_binding *
rp_kernel_bindings(const struct rp_kernel *kernel, uint32_t *count_out)
{
    *count_out = kernel->binding_count;
    return kernel->bindings;
}

const uint32_t *
rp_kernel_probes(const struct rp_kernel *kernel, uint32_t *count_out)
{
    *count_out = kernel->probe_count;
    return kernel->probes;
}

enum rp_kernel_tie
rp_kernel_tie(const struct rp_kernel *kernel)
{
    return kernel->tie;
}

uint32_t
rp_kernel_subgroup_size(const struct rp_kernel *kernel)
{
    return kernel->subgroup_size;
}

const struct rp_uniform_word *
rp_kernel_uniform_words(const struct rp_kernel *kernel, uint32_t *count_out)
{
    *count_out = kernel->uniform_word_count;
    return kernel->uniform_words;
}

bool
rp_kernel_writes_elsewhere(const struct rp_kernel *kernel)
{
    return kernel->writes_elsewhere;
}

bool
rp_kernel_zeroes_shared(const struct rp_kernel *kernel)
{
    return kernel->zeroes_shared;
}

const struct rp_access_site *
rp_kernel_access_sites(const struct rp_kernel *kernel, uint32_t *count_out)
{
    *count_out = kernel->access_site_count;
    return kernel->access_sites;
}

void
rp_kernel_local_size(const struct rp_kernel *kernel, uint32_t out[3])
{
    memcpy(out, kernel->local_size, sizeof(kernel->local_size));
}

static const struct rp_program *
main_program(const struct rp_kernel *kernel)
{
    return kernel->rows ? kernel->rows : kernel->packed ? kernel->packed : kernel->groups;
}

void
rp_kernel_statistics(const struct rp_kernel *kernel, struct rp_kernel_statistics *out)
{
    *out = main_program(kernel)->stats;
}

size_t
rp_kernel_print(const struct rp_kernel *kernel, char *out, size_t size_B)
{
    const char *text = main_program(kernel)->text;
    return (size_t)snprintf(out, size_B, "%s", text ? text : "") + 1;
}
