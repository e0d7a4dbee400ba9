/* SPDX-License-Identifier: MIT */
#include "harness.h"

#include "compute/watch.h"
#include "profile/accesses.h"
#include "reelpipe/cpu.h"

#include <stdlib.h>

const uint32_t isa_flags[ISA_COUNT] = {
    0,
    RP_CPU_X86_64_V2 | RP_CPU_NEON,
    RP_CPU_X86_64_V2 | RP_CPU_X86_64_V3 | RP_CPU_NEON | RP_CPU_ARM_DOTPROD,
    RP_CPU_X86_64_V2 | RP_CPU_X86_64_V3 | RP_CPU_X86_64_V4,
};

const char *const kernel_names[] = {"saxpy", "mandel", "hash",   "reduce", "matmul", "misc",
                                    "sub",   "types",  "math",   "atom",   "blur",   "struct",
                                    "late",  "tile8",  "tile32", "divide", "clamps", NULL};

uint32_t *
module_load(const char *name, size_t *word_count_out)
{
    char path[512];
    snprintf(path, sizeof(path), "%s/%s.spv", KERNELS, name);
    FILE *file = fopen(path, "rb");
    REQUIRE(file);
    uint32_t *words = calloc(1 << 18, 4);
    REQUIRE(words);
    *word_count_out = fread(words, 4, 1 << 18, file);
    fclose(file);
    return words;
}

/* With REELPIPE_TEST_FINDINGS every kernel that runs is looked at as a profile does: what is found
 * is said on the standard error, for the test compute.findings. */
static bool
wants_findings(void)
{
    return getenv("REELPIPE_TEST_FINDINGS") != NULL;
}

#define MAX_NAMED 256u
#define MAX_CONSTANTS 16u

static struct {
    const struct rp_kernel *kernel;
    const char *name;
    struct rp_kernel_info info; /* without its pointers */
    VkSpecializationMapEntry entries[MAX_CONSTANTS];
    uint32_t constants[MAX_CONSTANTS];
    uint32_t constant_count;
} named[MAX_NAMED];

static void
name_kernel(const struct rp_kernel *kernel, const char *name, const struct rp_kernel_info *info)
{
    static uint32_t next;
    const VkSpecializationInfo *constants = info->specialization;
    for (uint32_t i = 0; i < MAX_NAMED; i++)
        if (named[i].kernel == kernel) /* one that is gone */
            named[i].kernel = NULL;
    named[next].kernel = kernel;
    named[next].name = name;
    named[next].info = *info;
    named[next].constant_count = constants ? constants->mapEntryCount : 0;
    for (uint32_t i = 0; i < named[next].constant_count; i++) {
        REQUIRE(i < MAX_CONSTANTS && constants->pMapEntries[i].size == 4);
        named[next].entries[i] =
            (VkSpecializationMapEntry){constants->pMapEntries[i].constantID, 4 * i, 4};
        memcpy(&named[next].constants[i],
               (const uint8_t *)constants->pData + constants->pMapEntries[i].offset, 4);
    }
    next = (next + 1) % MAX_NAMED;
}

static uint32_t
index_of(const struct rp_kernel *kernel)
{
    uint32_t i = 0;
    while (i < MAX_NAMED && named[i].kernel != kernel)
        i++;
    REQUIRE(i < MAX_NAMED);
    return i;
}

static const char *
name_of(const struct rp_kernel *kernel)
{
    return named[index_of(kernel)].name;
}

static void
say_findings(const struct rp_kernel *kernel, const struct rp_accesses *accesses)
{
    static const char *const kinds[] = {"outside", "unwritten", "race", "race_across"};
    for (uint32_t k = 0; k < accesses->findings.count; k++) {
        const struct rp_finding *f = &accesses->findings.items[k];
        (void)fprintf(stderr, "finding: %s %s words %u %u lanes %u %u offset %u\n", name_of(kernel),
                      kinds[f->kind], accesses->sites[f->site].word, accesses->sites[f->other].word,
                      f->lane, f->other_lane, (uint32_t)f->offset_B);
    }
    uint64_t requests = 0;
    for (uint32_t k = 0; k < accesses->site_count; k++)
        requests += accesses->totals[k].requests;
    (void)fprintf(stderr, "looked: %s %s\n", name_of(kernel), requests ? "accesses" : "nothing");
}

static VkResult
run_looking(struct rp_dispatcher *dispatcher, struct rp_dispatch *dispatch)
{
    struct rp_recording *recording = calloc(1, sizeof(*recording));
    size_t word_count;
    uint32_t *words = module_load(name_of(dispatch->kernel), &word_count);
    const struct rp_profile_module module = {words, word_count};
    struct rp_accesses *accesses = rp_accesses_create(dispatch->kernel, &module, true);
    REQUIRE(recording && accesses);
    rp_recording_init(recording);
    dispatch->recorder = rp_recording_begin(recording, accesses, dispatch);
    const VkResult result = rp_dispatcher_run(dispatcher, dispatch);
    rp_recording_end(recording);
    say_findings(dispatch->kernel, accesses);
    rp_recording_finish(recording);
    rp_accesses_destroy(accesses);
    free(recording);
    free(words);
    return result;
}

/* With REELPIPE_TEST_VARIANTS kernels run as variants, compiled with the values that their uniform
 * words have in the dispatch. */
static bool
wants_variants(void)
{
    return getenv("REELPIPE_TEST_VARIANTS") != NULL;
}

/* NULL: it reads no such words. */
static struct rp_kernel *
variant_of(const struct rp_dispatch *dispatch)
{
    const uint32_t at = index_of(dispatch->kernel);
    struct rp_kernel *variant = NULL;
    struct rp_watch watch;
    uint32_t values[RP_MAX_UNIFORM_WORDS];
    rp_watch_init(&watch, dispatch->kernel);
    if (!watch.word_count || !rp_watch_read(&watch, dispatch, values))
        return NULL;

    struct rp_shader *shader = NULL;
    size_t word_count;
    uint32_t *words = module_load(named[at].name, &word_count);
    REQUIRE_EQ(rp_shader_create(words, word_count, NULL, &shader), VK_SUCCESS);
    struct rp_kernel_info info = named[at].info;
    info.shader = shader;
    info.entry_point = "main";
    info.specialization = &(VkSpecializationInfo){named[at].constant_count, named[at].entries,
                                                  sizeof(named[at].constants), named[at].constants};
    info.uniforms = &(struct rp_uniform_values){watch.words, values, watch.word_count};
    REQUIRE_EQ(rp_kernel_create(&info, NULL, &variant), VK_SUCCESS);
    rp_shader_destroy(shader);
    free(words);
    return variant;
}

static struct rp_kernel *
load(const char *name, uint32_t cpu_flags, const VkSpecializationInfo *specialization,
     uint32_t subgroup_size, bool wants_exact_bounds)
{
    struct rp_compute_message message = {""};
    struct rp_shader *shader = NULL;
    struct rp_kernel *kernel = NULL;
    size_t word_count;
    uint32_t *words = module_load(name, &word_count);

    REQUIRE_EQ(rp_shader_create(words, word_count, &message, &shader), VK_SUCCESS);
    const struct rp_kernel_info info = {
        .shader = shader,
        .entry_point = "main",
        .specialization = specialization,
        .cpu_flags = cpu_flags & rp_cpu_flags(),
        .subgroup_size = subgroup_size,
        .wants_exact_bounds = wants_exact_bounds,
        .wants_text = true,
        .wants_probes = wants_findings(),
        .wants_accesses = wants_findings(),
    };
    if (rp_kernel_create(&info, &message, &kernel) != VK_SUCCESS)
        (void)fprintf(stderr, "%s: %s\n", name, message.text);
    REQUIRE(kernel);
    if (wants_findings() || wants_variants())
        name_kernel(kernel, name, &info);
    rp_shader_destroy(shader);
    free(words);
    return kernel;
}

struct rp_kernel *
kernel_load(const char *name, uint32_t cpu_flags)
{
    return load(name, cpu_flags, NULL, 0, false);
}

struct rp_kernel *
kernel_load_specialized(const char *name, uint32_t cpu_flags,
                        const VkSpecializationInfo *specialization)
{
    return load(name, cpu_flags, specialization, 0, false);
}

struct rp_kernel *
kernel_load_sized(const char *name, uint32_t cpu_flags, uint32_t subgroup_size,
                  const VkSpecializationInfo *specialization)
{
    return load(name, cpu_flags, specialization, subgroup_size, false);
}

struct rp_kernel *
kernel_load_exact(const char *name, uint32_t cpu_flags)
{
    return load(name, cpu_flags, NULL, 0, true);
}

void
kernel_run_arrays(const struct rp_kernel *kernel, const struct rp_descriptor_array *by_binding,
                  const struct grid *grid)
{
    struct rp_descriptor_array arrays[BINDING_COUNT];
    uint32_t count;
    const struct rp_kernel_binding *bindings = rp_kernel_bindings(kernel, &count);
    REQUIRE(count <= BINDING_COUNT);
    for (uint32_t i = 0; i < count; i++)
        arrays[i] = by_binding[bindings[i].binding % BINDING_COUNT];

    struct rp_workers *workers = rp_workers_create(grid->thread_count);
    struct rp_dispatcher *dispatcher = rp_dispatcher_create(workers);
    REQUIRE(dispatcher);
    struct rp_dispatch dispatch = {
        .kernel = kernel,
        .bindings = arrays,
        .push_constants = grid->push,
        .group_count = {grid->x, grid->y, 1},
    };
    struct rp_kernel *variant = wants_variants() ? variant_of(&dispatch) : NULL;
    if (variant)
        dispatch.kernel = variant;
    REQUIRE_EQ(wants_findings() ? run_looking(dispatcher, &dispatch)
                                : rp_dispatcher_run(dispatcher, &dispatch),
               VK_SUCCESS);
    rp_dispatcher_destroy(dispatcher);
    rp_workers_destroy(workers);
    rp_kernel_destroy(variant);
}

void
kernel_run(const struct rp_kernel *kernel, const struct rp_descriptor buffers[BINDING_COUNT],
           const struct grid *grid)
{
    struct rp_descriptor_array arrays[BINDING_COUNT];
    for (uint32_t i = 0; i < BINDING_COUNT; i++)
        arrays[i] = (struct rp_descriptor_array){.items = &buffers[i], .count = 1};
    kernel_run_arrays(kernel, arrays, grid);
}

uint32_t
text_count(const char *text, const char *word)
{
    uint32_t count = 0;
    for (const char *at = text; (at = strstr(at, word)); at++)
        count++;
    return count;
}
