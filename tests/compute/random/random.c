/* SPDX-License-Identifier: MIT */
/* Random compute shaders: on each instruction set, with both kinds of bounds and on one and two
 * threads they give the bits that the same tree gives when it is walked lane by lane, and probes
 * count what traces of the invocations tell (trace.h). Modules are
 * compiled by glslang; most are rewritten too, by random passes of spirv-opt, by bend.c, by both.
 *
 * usage: compute_random [--probes] [COUNT [SEED [MODULE.spv]]]
 *   --probes     judge the probes alone, of each module, on each instruction set
 *   COUNT        0, and without: 250 of them, as far as 40 seconds go
 *   MODULE.spv   what a rewriting made of the seed's module
 * A failure leaves its shader, and a smaller one that fails too, in the current folder.
 */
#include "../harness.h"
#include "../simt.h"
#include "../trace.h"
#include "modules.h"

#include "reelpipe/cpu.h"

#include <time.h>

#define COUNT 250u
#define MOST_S 40
#define SEED 1
#define GUARD_B 256u
#define TIMEOUT_NS UINT64_C(20000000000)
#define BINDINGS 12u
#define TABLES_BINDING 11u

static const char *given_module;
static bool wants_probes_alone;
static uint32_t probed_count; /* modules whose probes were judged */

struct verdict {
    bool is_bad;
    bool is_compiled; /* by glslang */
    bool is_refused;  /* by us */
    char text[400];
};

static struct storage
storage_copy(const struct storage *from)
{
    struct storage to = *from;
    to.bytes = malloc(from->size_B + GUARD_B);
    REQUIRE(to.bytes);
    memset(to.bytes, 0xa5, from->size_B + GUARD_B);
    if (from->size_B)
        memcpy(to.bytes, from->bytes, from->size_B);
    return to;
}

struct memory {
    struct storage buffers[BUF_SHARED];
    struct storage image;
};

static void
memory_init(struct memory *m, const struct kernel *k)
{
    for (uint32_t b = 0; b < BUF_SHARED; b++)
        m->buffers[b] = storage_copy(&k->buffers[b]);
    m->image = storage_copy(&k->image);
}

static void
memory_finish(struct memory *m)
{
    for (uint32_t b = 0; b < BUF_SHARED; b++)
        free(m->buffers[b].bytes);
    free(m->image.bytes);
}

static bool
storage_is_same(const struct storage *a, const struct storage *b, const char *name, char *text,
                size_t text_B)
{
    const uint32_t bytes = kind_bits(a->type.kind) / 8;
    for (size_t at = 0; at < a->size_B; at += bytes) {
        if (value_is_same(a->type.kind, a->bytes + at, b->bytes + at))
            continue;
        uint64_t got = 0, wanted = 0;
        memcpy(&got, a->bytes + at, bytes);
        memcpy(&wanted, b->bytes + at, bytes);
        (void)snprintf(text, text_B, "%s, element %zu: %#" PRIx64 ", not %#" PRIx64, name,
                       at / a->stride_B, got, wanted);
        return false;
    }
    if (memcmp(a->bytes + a->size_B, b->bytes + a->size_B, GUARD_B) == 0)
        return true;
    (void)snprintf(text, text_B, "%s: written beyond its end", name);
    return false;
}

static bool
memory_is_same(const struct memory *a, const struct memory *b, char *text, size_t text_B)
{
    for (uint32_t i = 0; i < BUF_SHARED; i++) {
        char name[16];
        (void)snprintf(name, sizeof(name), "buffer %u", i);
        if (!storage_is_same(&a->buffers[i], &b->buffers[i], name, text, text_B))
            return false;
    }
    return storage_is_same(&a->image, &b->image, "image", text, text_B);
}

static struct rp_texture
texture_of(const struct storage *s, uint32_t width_px, struct rp_texture_level *level)
{
    *level = (struct rp_texture_level){.data = s->bytes,
                                       .width_px = width_px,
                                       .height_px = s->length / width_px,
                                       .depth_px = 1,
                                       .row_B = (size_t)width_px * 4,
                                       .slice_B = s->size_B,
                                       .layer_B = s->size_B};
    return (struct rp_texture){.type = VK_IMAGE_VIEW_TYPE_2D,
                               .format = VK_FORMAT_R32_UINT,
                               .plane_count = 1,
                               .level_count = 1,
                               .layer_count = 1,
                               .sample_count = 1,
                               .levels = level};
}

/* Runs info, whose kernel is set, on memory; trace: NULL, or the buffer of its traces. */
static bool
dispatch_info(const struct kernel *k, struct rp_dispatch *info, const struct rp_descriptor *trace,
              struct memory *memory, uint32_t thread_count)
{
    struct rp_texture_level levels[2];
    const struct rp_texture texture = texture_of(&k->texture, TEXTURE_SIDE, &levels[0]);
    const struct rp_texture image = texture_of(&memory->image, 64, &levels[1]);
    const struct rp_sampler_state sampler = {.max_lod = 1.0f};
    struct rp_descriptor items[BINDINGS] = {[8] = {.view = &texture, .sampler = &sampler},
                                            [9] = {.view = &texture},
                                            [10] = {.view = &image}};
    struct rp_descriptor_array arrays[BINDINGS + 1];
    uint32_t count;
    for (uint32_t b = 0; b < BUF_SHARED; b++)
        items[b] = (struct rp_descriptor){.ptr = memory->buffers[b].bytes,
                                          .size_B = memory->buffers[b].size_B};
    const struct rp_kernel_binding *bindings = rp_kernel_bindings(info->kernel, &count);
    const struct rp_descriptor *table = &items[BUF_TABLE];
    const size_t half_B = k->buffers[BUF_TABLE].length / 2 * k->buffers[BUF_TABLE].stride_B;
    const struct rp_descriptor tables[TABLES] = {
        *table, {0}, {.ptr = table->ptr, .size_B = half_B}, *table};
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t binding = bindings[i].binding;
        arrays[i] = (struct rp_descriptor_array){
            .items = binding == TRACE_BINDING ? trace : &items[binding % BINDINGS], .count = 1};
        if (binding == TABLES_BINDING)
            arrays[i] = (struct rp_descriptor_array){.items = tables, .count = TABLES};
    }
    struct rp_workers *workers = rp_workers_create(thread_count);
    struct rp_dispatcher *dispatcher = rp_dispatcher_create(workers);
    REQUIRE(dispatcher);
    info->bindings = arrays;
    info->timeout_ns = TIMEOUT_NS;
    const VkResult result = rp_dispatcher_run(dispatcher, info);
    rp_dispatcher_destroy(dispatcher);
    rp_workers_destroy(workers);
    return result == VK_SUCCESS;
}

static bool
dispatch(const struct kernel *k, const struct rp_kernel *kernel, struct memory *memory,
         uint32_t thread_count)
{
    uint32_t push[RP_MAX_PUSH_CONSTANT_B / 4] = {0};
    bool is_done = true;
    memcpy(push, k->push, sizeof(k->push));
    struct rp_dispatch info = {.kernel = kernel, .push_constants = push};
    memcpy(info.base_group, k->base, sizeof(k->base));
    memcpy(info.group_count, k->groups, sizeof(k->groups));
    for (uint32_t i = 0; i < k->dispatches && is_done; i++)
        is_done = dispatch_info(k, &info, NULL, memory, thread_count);
    return is_done;
}

static struct rp_kernel *
compile(const struct kernel *k, const struct rp_shader *shader, uint32_t isa, bool is_exact,
        struct verdict *v)
{
    struct rp_compute_message message = {""};
    struct rp_kernel *kernel = NULL;
    const VkSpecializationMapEntry entries[SPECS] = {{0, 0, 4}, {1, 4, 4}, {2, 8, 4}};
    const VkSpecializationInfo specialization = {SPECS, entries, sizeof(k->spec), k->spec};
    const struct rp_kernel_info info = {.shader = shader,
                                        .entry_point = "main",
                                        .specialization = &specialization,
                                        .cpu_flags = isa_flags[isa] & rp_cpu_flags(),
                                        .subgroup_size = k->subgroup,
                                        .wants_exact_bounds = is_exact};
    if (rp_kernel_create(&info, &message, &kernel) != VK_SUCCESS) {
        v->is_bad = v->is_refused = true;
        (void)snprintf(v->text, sizeof(v->text), "refused: %s", message.text);
    }
    return kernel;
}

static void
try_variant(const struct kernel *k, const struct rp_shader *shader, uint32_t isa, bool is_exact,
            const struct memory *wanted, struct verdict *v)
{
    char text[200];
    struct rp_kernel *kernel = compile(k, shader, isa, is_exact, v);
    const uint32_t most_threads = isa == ISA_COUNT - 1 && is_exact ? 2 : 1;
    for (uint32_t threads = 1; threads <= most_threads && kernel && !v->is_bad; threads++) {
        struct memory got;
        memory_init(&got, k);
        (void)snprintf(text, sizeof(text), "it does not end");
        v->is_bad = !dispatch(k, kernel, &got, threads) ||
                    !memory_is_same(&got, wanted, text, sizeof(text));
        memory_finish(&got);
        if (v->is_bad)
            (void)snprintf(v->text, sizeof(v->text), "isa %u, %s bounds, %u threads: %s", isa,
                           is_exact ? "exact" : "near", threads, text);
    }
    rp_kernel_destroy(kernel);
}

/* What the dispatch of a kernel with probes, or one that writes traces, runs on. */
static bool
run_probed(void *ctx, struct rp_dispatch *info, const struct rp_descriptor *trace,
           uint32_t thread_count)
{
    struct memory memory;
    memory_init(&memory, ctx);
    const bool is_done = dispatch_info(ctx, info, trace, &memory, thread_count);
    memory_finish(&memory);
    return is_done;
}

/* Do the probes of its blocks count what traces of its invocations tell? On isa_count instruction
 * sets from isa on. */
static void
try_probes(const struct kernel *k, const uint32_t *words, size_t word_count, uint32_t isa,
           uint32_t isa_count, struct verdict *v)
{
    char text[200] = "";
    uint32_t push[RP_MAX_PUSH_CONSTANT_B / 4] = {0};
    memcpy(push, k->push, sizeof(k->push));
    const VkSpecializationMapEntry entries[SPECS] = {{0, 0, 4}, {1, 4, 4}, {2, 8, 4}};
    const VkSpecializationInfo specialization = {SPECS, entries, sizeof(k->spec), k->spec};
    struct simt_case c = {
        .words = words,
        .count = word_count,
        .subgroup_size = k->subgroup,
        .specialization = &specialization,
        .push = push,
        .run = run_probed,
        .ctx = (void *)k,
    };
    memcpy(c.base, k->base, sizeof(k->base));
    memcpy(c.groups, k->groups, sizeof(k->groups));
    const enum simt_verdict verdict = simt_judge(&c, &isa_flags[isa], isa_count, text);
    v->is_refused = verdict == SIMT_REFUSED;
    v->is_bad = verdict == SIMT_DIFFERS || v->is_refused;
    if (v->is_bad)
        (void)snprintf(v->text, sizeof(v->text), "probes: %s", text);
    probed_count += verdict == SIMT_EQUAL;
}

static void
try_module(const struct kernel *k, const uint32_t *words, size_t word_count,
           const struct memory *wanted, struct verdict *v)
{
    struct rp_compute_message message = {""};
    struct rp_shader *shader = NULL;
    if (wants_probes_alone) {
        try_probes(k, words, word_count, 0, ISA_COUNT, v);
        return;
    }
    if (rp_shader_create(words, word_count, &message, &shader) != VK_SUCCESS) {
        v->is_bad = v->is_refused = true;
        (void)snprintf(v->text, sizeof(v->text), "refused: %s", message.text);
        return;
    }
    for (uint32_t isa = ISA_COUNT; isa-- > 0 && !v->is_bad;) {
        try_variant(k, shader, isa, true, wanted, v);
        if (!k->wants_wild && !v->is_bad && isa == k->seed / 2 % ISA_COUNT)
            try_variant(k, shader, isa, false, wanted, v);
    }
    rp_shader_destroy(shader);
    if (!v->is_bad && k->seed % 2 == 0)
        try_probes(k, words, word_count, k->seed % ISA_COUNT, 1, v);
}

/* The module once more in other words; NULL: not this one. */
static uint32_t *
rewrite(const struct kernel *k, const uint32_t *words, size_t *count, char *passes, size_t passes_B)
{
    if (given_module)
        return module_read(given_module, count);
    if (!k->is_rewritten) {
        (void)snprintf(passes, passes_B, " bending");
        return module_bend(words, *count, k->seed, count);
    }
    uint32_t *rewritten = module_rewrite(k->seed, count, passes, passes_B);
    if (!rewritten || k->seed % 4 == 1)
        return rewritten;
    uint32_t *bent = module_bend(rewritten, *count, k->seed, count);
    (void)strncat(passes, " and bending", passes_B - strlen(passes) - 1);
    free(rewritten);
    return bent;
}

/* Is it judged at all? Not when it takes too long or glslang refuses. */
static bool
try_kernel(const struct kernel *k, struct verdict *v)
{
    char passes[200] = "";
    size_t count;
    struct memory wanted;
    *v = (struct verdict){0};
    memory_init(&wanted, k);
    bool is_short = kernel_evaluate(k, wanted.buffers, &wanted.image);
    uint32_t *words = is_short ? module_make(k, &count) : NULL;
    v->is_compiled = words != NULL;
    if (words && count == 0) {
        free(words);
        words = NULL;
        is_short = false;
    }
    if (words)
        try_module(k, words, count, &wanted, v);
    if (v->is_refused && !module_is_valid())
        v->is_bad = v->is_compiled = is_short = false;
    uint32_t *rewritten = NULL;
    if (words && !v->is_refused && !v->is_bad)
        rewritten = rewrite(k, words, &count, passes, sizeof(passes));
    if (rewritten)
        try_module(k, rewritten, count, &wanted, v);
    if (v->is_bad && rewritten)
        (void)snprintf(v->text + strlen(v->text), sizeof(v->text) - strlen(v->text), " after%s",
                       passes);
    free(words);
    free(rewritten);
    memory_finish(&wanted);
    return is_short;
}

static bool
still_fails(const struct kernel *k)
{
    struct verdict v;
    return try_kernel(k, &v) && v.is_compiled && v.is_bad;
}

/* Leaves out what the failure does not need: statements, then values. */
static void
reduce(const struct kernel *k)
{
    for (uint32_t round = 0; round < 2; round++) {
        for (struct stmt *s = k->stmts; s; s = s->next_made) {
            if (s->is_deleted || s->op == ST_DECLARE)
                continue;
            s->is_deleted = true;
            s->is_deleted = still_fails(k);
        }
        for (struct expr *e = k->exprs; e; e = e->next_made) {
            if (e->is_zeroed || e->op == OP_CONST || e->op == OP_OR) /* that makes divisors */
                continue;
            e->is_zeroed = true;
            e->is_zeroed = still_fails(k);
        }
    }
}

static void
keep(const struct kernel *k, const char *what)
{
    char name[64];
    (void)snprintf(name, sizeof(name), "random-%" PRIu64 "%s.comp", k->seed, what);
    FILE *file = fopen(name, "w");
    REQUIRE(file);
    kernel_print(k, file);
    (void)fclose(file);
    (void)fprintf(stderr, "%s\n", name);
}

static bool
try_seed(uint64_t seed, uint32_t *judged, uint32_t *refused)
{
    struct kernel *k = kernel_make(seed);
    struct verdict v;
    const bool is_judged = try_kernel(k, &v);
    *judged += is_judged && v.is_compiled;
    *refused += is_judged && !v.is_compiled;
    if (is_judged && !v.is_compiled && getenv("REELPIPE_TEST_KEEP"))
        keep(k, "-refused");
    if (v.is_bad) {
        (void)fprintf(stderr, "seed %" PRIu64 ": %s\n", seed, v.text);
        keep(k, "");
        reduce(k);
        (void)try_kernel(k, &v);
        (void)fprintf(stderr, "reduced: %s\n", v.text);
        keep(k, "-reduced");
    }
    const bool is_good = !v.is_bad;
    kernel_free(k);
    return is_good;
}

int
main(int argc, char **argv)
{
    wants_probes_alone = argc > 1 && strcmp(argv[1], "--probes") == 0;
    argv += wants_probes_alone;
    argc -= wants_probes_alone;
    const uint64_t wanted = argc > 1 ? strtoull(argv[1], NULL, 0) : 0;
    const uint64_t count = wanted ? wanted : COUNT;
    const time_t begin = time(NULL);
    const uint64_t first = argc > 2 ? strtoull(argv[2], NULL, 0) : SEED;
    given_module = argc > 3 ? argv[3] : NULL;
    uint32_t judged = 0, refused = 0, bad = 0;
    modules_init();
    for (uint64_t seed = first; seed < first + count; seed++) {
        if (!wanted && time(NULL) - begin >= MOST_S)
            break;
        bad += !try_seed(seed, &judged, &refused);
    }
    modules_finish();
    (void)fprintf(stderr,
                  "%u kernels judged, %u refused by glslang, %u bad, probes of %u modules\n",
                  judged, refused, bad, probed_count);
    return bad || refused || !judged || !probed_count;
}
