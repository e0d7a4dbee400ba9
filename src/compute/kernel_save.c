/* SPDX-License-Identifier: MIT */
/* Kernels as bytes: what a pipeline cache hands out, and takes back from the same build.
 *
 * Handlers are stored as their numbers, and what follows from the rest (the lanes' places) not at
 * all. Nothing here depends on addresses: the same kernel gives the same bytes.
 */
#include "compute/kernel.h"

#include "compute/exec/op_list.h"
#include "compute/ir/ir.h"
#include "util/alloc.h"
#include "util/checked.h"

#include <string.h>

#define SCOPE VK_SYSTEM_ALLOCATION_SCOPE_OBJECT

#define GROUPS 2u /* of the programs, the one that each kernel has */

struct saved_kernel {
    uint32_t local_size[3];
    uint32_t subgroup_size;
    uint32_t shared_B;
    uint32_t zeroes_shared;
    uint32_t binding_count;
    uint32_t page_count;
    uint32_t uniform_word_count;
    uint32_t writes_elsewhere;
    uint32_t programs; /* a bit each: rows, groups, packed */
};

struct writer {
    uint8_t *out; /* NULL: only count */
    size_t size_B;
};

static void
put(struct writer *w, const void *data, size_t size_B)
{
    if (w->out && size_B)
        memcpy(w->out + w->size_B, data, size_B);
    w->size_B += size_B;
}

static void
forget_pointers(struct rp_program *p)
{
    p->ops = NULL;
    p->handlers = NULL;
    p->codes = NULL;
    p->scalars = NULL;
    p->table = NULL;
    p->images = NULL;
    p->geometry = NULL;
    p->text = NULL;
    p->careful = NULL;
    p->code = NULL;
}

static void
put_program(struct writer *w, const struct rp_program *p)
{
    struct rp_program plain;
    memcpy(&plain, p, sizeof(plain)); /* with what lies between the members */
    forget_pointers(&plain);
    put(w, &plain, sizeof(plain));
    put(w, p->codes, p->op_count * sizeof(p->codes[0]));
    for (uint32_t i = 0; i < p->op_count; i++) {
        struct rp_op op = p->ops[i];
        if (p->codes[i] != RP_X_COUNT)
            op.fn = NULL;
        put(w, &op, sizeof(op));
    }
    put(w, p->scalars, p->scalar_B);
    put(w, p->table, p->table_B);
    put(w, p->images, p->image_count * sizeof(p->images[0]));
}

/* With what runs where its guards fail. */
static void
put_programs(struct writer *w, const struct rp_program *p)
{
    const uint32_t has_careful = p->careful != NULL;
    put_program(w, p);
    put(w, &has_careful, sizeof(has_careful));
    if (p->careful)
        put_program(w, p->careful);
}

size_t
rp_kernel_save(const struct rp_kernel *kernel, uint8_t *out)
{
    const struct rp_program *const programs[3] = {kernel->rows, kernel->groups, kernel->packed};
    struct writer w = {.out = out};
    struct saved_kernel saved = {
        .subgroup_size = kernel->subgroup_size,
        .shared_B = kernel->shared_B,
        .zeroes_shared = kernel->zeroes_shared,
        .binding_count = kernel->binding_count,
        .page_count = kernel->page_count,
        .uniform_word_count = kernel->uniform_word_count,
        .writes_elsewhere = kernel->writes_elsewhere,
    };
    memcpy(saved.local_size, kernel->local_size, sizeof(saved.local_size));
    for (uint32_t i = 0; i < 3; i++)
        saved.programs |= programs[i] ? 1u << i : 0;
    put(&w, &saved, sizeof(saved));
    put(&w, kernel->bindings, kernel->binding_count * sizeof(kernel->bindings[0]));
    put(&w, kernel->pages, kernel->page_count * sizeof(kernel->pages[0]));
    put(&w, kernel->uniform_words, kernel->uniform_word_count * sizeof(kernel->uniform_words[0]));
    for (uint32_t i = 0; i < 3; i++)
        if (programs[i])
            put_programs(&w, programs[i]);
    return w.size_B;
}

struct reader {
    const uint8_t *data;
    size_t size_B;
    VkResult result; /* of the first thing that failed; nothing is taken after that */
};

static bool
has_bytes(struct reader *r, uint64_t size_B)
{
    if (r->result == VK_SUCCESS && size_B > r->size_B)
        r->result = VK_ERROR_UNKNOWN;
    return r->result == VK_SUCCESS;
}

static void
take(struct reader *r, void *out, size_t size_B)
{
    if (!has_bytes(r, size_B))
        return;
    memcpy(out, r->data, size_B);
    r->data += size_B;
    r->size_B -= size_B;
}

static void *
take_copy(struct reader *r, uint32_t count, size_t item_B)
{
    uint64_t size_B;
    if (!rp_mul_u64(count, item_B, &size_B) || !has_bytes(r, size_B))
        return NULL;
    void *out = rp_alloc(NULL, size_B ? (size_t)size_B : 1, 64, SCOPE);
    if (out)
        take(r, out, (size_t)size_B);
    else
        r->result = VK_ERROR_OUT_OF_HOST_MEMORY;
    return out;
}

static bool
is_plausible(const struct rp_program *p)
{
    const uint64_t lanes = (uint64_t)p->local_size[0] * p->local_size[1] * p->local_size[2];
    return p->op_count && p->main_op < p->op_count && p->lanes &&
           p->lanes <= RP_MAX_WORKGROUP_SIZE && lanes && lanes <= RP_MAX_WORKGROUP_SIZE &&
           p->pack && p->scalar_B % 8 == 0 && p->scalar_B <= p->register_B &&
           p->push_B <= RP_MAX_PUSH_CONSTANT_B && p->add_binding_count <= RP_ADD_SLOTS &&
           p->walk_count <= RP_WALKS && p->apart_count <= RP_MAX_APART;
}

static bool
link_handlers(struct rp_program *p, uint32_t cpu_flags)
{
    const struct rp_exec_table *table = rp_exec_table(cpu_flags);
    for (uint32_t i = 0; i < p->op_count; i++) {
        const uint32_t code = p->codes[i], whole = code & ~(uint32_t)RP_X_HALF;
        if (whole > RP_X_COUNT || (code != whole && (!table->half_tile || whole == RP_X_COUNT)))
            return false;
        if (code != RP_X_COUNT)
            p->ops[i].fn = rp_exec_handler(table, code);
    }
    return p->codes[0] < RP_X_COUNT && p->codes[p->main_op] < RP_X_COUNT;
}

/* What there is when something fails is in *out, too. */
static void
program_load(struct reader *r, uint32_t cpu_flags, struct rp_program **out)
{
    struct rp_program *p = rp_zalloc(NULL, sizeof(*p), _Alignof(struct rp_program), SCOPE);
    *out = p;
    if (!p) {
        r->result = VK_ERROR_OUT_OF_HOST_MEMORY;
        return;
    }
    take(r, p, sizeof(*p));
    forget_pointers(p);
    if (r->result == VK_SUCCESS && !is_plausible(p))
        r->result = VK_ERROR_UNKNOWN;
    p->codes = take_copy(r, p->op_count, sizeof(p->codes[0]));
    p->ops = take_copy(r, p->op_count, sizeof(p->ops[0]));
    p->scalars = take_copy(r, p->scalar_B, 1);
    p->table = take_copy(r, p->table_B, 1);
    p->images = take_copy(r, p->image_count, sizeof(p->images[0]));
    if (r->result == VK_SUCCESS && !link_handlers(p, cpu_flags))
        r->result = VK_ERROR_UNKNOWN;
    if (r->result != VK_SUCCESS)
        return;
    p->geometry = rp_zalloc(NULL, sizeof(*p->geometry), _Alignof(struct rp_geometry), SCOPE);
    if (p->geometry) {
        rp_program_place_lanes(p);
        rp_program_allow_code(p, cpu_flags);
    } else {
        r->result = VK_ERROR_OUT_OF_HOST_MEMORY;
    }
}

static void
programs_load(struct reader *r, uint32_t cpu_flags, struct rp_program **out)
{
    uint32_t has_careful = 0;
    program_load(r, cpu_flags, out);
    take(r, &has_careful, sizeof(has_careful));
    if (r->result != VK_SUCCESS || !has_careful)
        return;
    program_load(r, cpu_flags, &(*out)->careful);
    if (r->result == VK_SUCCESS && (*out)->careful->lanes < RP_BLOCK_LANES)
        r->result = VK_ERROR_UNKNOWN;
}

static bool
are_pages_of_bindings(const struct rp_kernel *kernel)
{
    for (uint32_t i = 0; i < kernel->page_count; i++)
        if (kernel->pages[i].binding >= kernel->binding_count)
            return false;
    return true;
}

static bool
are_uniform_words(const struct rp_kernel *kernel)
{
    if (kernel->uniform_word_count > RP_MAX_UNIFORM_WORDS)
        return false;
    for (uint32_t i = 0; i < kernel->uniform_word_count; i++) {
        const struct rp_uniform_word *word = &kernel->uniform_words[i];
        const bool is_push = word->binding == RP_UNIFORM_PUSH;
        if ((!is_push && word->binding >= kernel->binding_count) ||
            word->offset_B > (is_push ? RP_MAX_PUSH_CONSTANT_B : RP_MAX_UNIFORM_B) - 4)
            return false;
    }
    return true;
}

static bool
is_subgroup_size(uint32_t size)
{
    return size >= RP_MIN_SUBGROUP_SIZE && size <= RP_MAX_SUBGROUP_SIZE && !(size & (size - 1));
}

static void
kernel_fill(struct rp_kernel *kernel, struct reader *r, uint32_t cpu_flags)
{
    struct rp_program **const programs[3] = {&kernel->rows, &kernel->groups, &kernel->packed};
    struct saved_kernel saved = {0};
    take(r, &saved, sizeof(saved));
    if (!(saved.programs & GROUPS) || !is_subgroup_size(saved.subgroup_size)) {
        r->result = VK_ERROR_UNKNOWN;
        return;
    }
    memcpy(kernel->local_size, saved.local_size, sizeof(kernel->local_size));
    kernel->subgroup_size = saved.subgroup_size;
    kernel->shared_B = saved.shared_B;
    kernel->zeroes_shared = saved.zeroes_shared;
    kernel->binding_count = saved.binding_count;
    kernel->page_count = saved.page_count;
    kernel->uniform_word_count = saved.uniform_word_count;
    kernel->writes_elsewhere = saved.writes_elsewhere;
    kernel->bindings = take_copy(r, saved.binding_count, sizeof(kernel->bindings[0]));
    kernel->pages = take_copy(r, saved.page_count, sizeof(kernel->pages[0]));
    kernel->uniform_words =
        take_copy(r, saved.uniform_word_count, sizeof(kernel->uniform_words[0]));
    if (r->result == VK_SUCCESS && (!are_pages_of_bindings(kernel) || !are_uniform_words(kernel)))
        r->result = VK_ERROR_UNKNOWN;
    for (uint32_t i = 0; i < 3 && r->result == VK_SUCCESS; i++)
        if (saved.programs >> i & 1u)
            programs_load(r, cpu_flags, programs[i]);
    if (r->result == VK_SUCCESS && r->size_B)
        r->result = VK_ERROR_UNKNOWN;
}

VkResult
rp_kernel_load(const uint8_t *data, size_t size_B, uint32_t cpu_flags, struct rp_kernel **out)
{
    struct reader r = {data, size_B, VK_SUCCESS};
    struct rp_kernel *kernel = rp_zalloc(NULL, sizeof(*kernel), _Alignof(struct rp_kernel), SCOPE);
    if (!kernel)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    atomic_init(&kernel->ref_count, 1);
    kernel_fill(kernel, &r, cpu_flags);
    if (r.result == VK_SUCCESS)
        *out = kernel;
    else
        rp_kernel_destroy(kernel);
    return r.result;
}
