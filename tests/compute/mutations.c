/* SPDX-License-Identifier: MIT */
/* Damaged modules are refused or run within their memory: never a crash.
 *
 * usage: compute_mutations [ROUNDS [SEED [MODULE.spv...]]]
 */
#include "harness.h"

#include "reelpipe/cpu.h"

#include <stdlib.h>

#define ROUNDS 40
#define TRIES 50u /* of a module, each round */
#define MEMORY_B 65536u
#define MAX_WORDS (1u << 16)

static uint64_t state = 1;
static uint8_t memory[MEMORY_B];

static uint32_t
next(uint32_t below)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(state >> 33) % below;
}

static void
mutate_word(uint32_t *words, size_t count)
{
    uint32_t *word = &words[5 + next((uint32_t)count - 5)];
    switch (next(5)) {
    case 0:
        *word ^= 1u << next(32);
        break;
    case 1:
        *word = words[5 + next((uint32_t)count - 5)];
        break;
    case 2:
        *word = (*word & 0xffff0000u) | next(400);
        break;
    case 3:
        *word = next(words[3] + 2);
        break;
    default:
        *word += next(5) - 2;
        break;
    }
}

/* A random instruction: an operand becomes another id, or its operation another. */
static void
mutate_instruction(uint32_t *words, size_t count)
{
    size_t at = 5;
    const size_t wanted = 5 + next((uint32_t)count - 5);
    while (at + (words[at] >> 16) < wanted && words[at] >> 16)
        at += words[at] >> 16;
    const uint32_t length = words[at] >> 16;
    if (length < 2 || at + length > count)
        return;
    if (next(4) == 0)
        words[at] = length << 16 | ((words[at] & 0xffff) + next(7) - 3);
    else
        words[at + 1 + next(length - 1)] = next(4) ? 1 + next(words[3]) : next(32);
}

static void
mutate(uint32_t *words, size_t count)
{
    for (uint32_t i = 1 + next(4); i-- > 0;) {
        if (next(2))
            mutate_word(words, count);
        else
            mutate_instruction(words, count);
    }
}

static void
dispatch(struct rp_dispatcher *dispatcher, const struct rp_kernel *kernel)
{
    uint32_t push[RP_MAX_PUSH_CONSTANT_B / 4] = {next(200), next(200), 0x3c23d70a, next(100)};
    uint32_t count;
    const struct rp_texture_level level = {
        .data = memory, .width_px = 32, .height_px = 16, .depth_px = 1, .row_B = 128};
    const struct rp_texture view = {.type = VK_IMAGE_VIEW_TYPE_2D,
                                    .format = VK_FORMAT_R32_UINT,
                                    .plane_count = 1,
                                    .level_count = 1,
                                    .layer_count = 1,
                                    .sample_count = 1,
                                    .levels = &level};
    const struct rp_sampler_state sampler = {.max_lod = 1.0f};
    const struct rp_descriptor any = {.ptr = memory,
                                      .size_B = next(MEMORY_B),
                                      .format = VK_FORMAT_R32_UINT,
                                      .view = &view,
                                      .sampler = &sampler};

    rp_kernel_bindings(kernel, &count);
    struct rp_descriptor_array *arrays = calloc(count + 1, sizeof(*arrays));
    REQUIRE(arrays);
    for (uint32_t i = 0; i < count; i++)
        arrays[i] = (struct rp_descriptor_array){.items = &any, .count = 1};
    const struct rp_dispatch info = {
        .kernel = kernel,
        .bindings = arrays,
        .push_constants = push,
        .group_count = {1 + next(3), 1 + next(2), 1},
        .timeout_ns = 10000000,
    };
    const VkResult result = rp_dispatcher_run(dispatcher, &info);
    REQUIRE(result == VK_SUCCESS || result == VK_ERROR_DEVICE_LOST);
    free(arrays);
}

static void
try_one(struct rp_dispatcher *dispatcher, const uint32_t *module, size_t count)
{
    struct rp_compute_message message;
    struct rp_shader *shader = NULL;
    struct rp_kernel *kernel = NULL;
    uint32_t *words = malloc(count * 4);
    REQUIRE(words);
    memcpy(words, module, count * 4);
    mutate(words, count);

    if (rp_shader_create(words, count, &message, &shader) == VK_SUCCESS) {
        const uint32_t isa = isa_flags[next(ISA_COUNT)] & rp_cpu_flags();
        const struct rp_kernel_info info = {
            .shader = shader,
            .entry_point = "main",
            .cpu_flags = isa,
            .subgroup_size = RP_MIN_SUBGROUP_SIZE << next(3),
            .wants_exact_bounds = next(2) != 0,
            .wants_text = next(2) != 0,
        };
        if (rp_kernel_create(&info, &message, &kernel) == VK_SUCCESS)
            dispatch(dispatcher, kernel);
        rp_kernel_destroy(kernel);
        rp_shader_destroy(shader);
    }
    free(words);
}

/* Addresses are the application's to get right: such modules are not for this test. */
static bool
has_addresses(const uint32_t *module, size_t count)
{
    for (size_t at = 5; at < count && module[at] >> 16; at += module[at] >> 16)
        if (module[at] == (2u << 16 | 17u) && module[at + 1] == 5347)
            return true;
    return false;
}

static void
try_file(struct rp_dispatcher *dispatcher, const char *path)
{
    static uint32_t module[MAX_WORDS];
    FILE *file = fopen(path, "rb");
    REQUIRE(file);
    const size_t count = fread(module, 4, MAX_WORDS, file);
    fclose(file);
    for (uint32_t i = 0; i < TRIES && count > 8 && !has_addresses(module, count); i++)
        try_one(dispatcher, module, count);
}

static void
try_kernels(struct rp_dispatcher *dispatcher, const char *const *names)
{
    for (; *names; names++) {
        char path[512];
        snprintf(path, sizeof(path), "%s/%s.spv", KERNELS, *names);
        try_file(dispatcher, path);
    }
}

int
main(int argc, char **argv)
{
    static const char *const extensions[] = {"planes",    "quads",    "linear",
                                             "partition", "shared64", NULL};
    const long rounds = argc > 1 ? atol(argv[1]) : ROUNDS;
    struct rp_dispatcher *dispatcher = rp_dispatcher_create(NULL);
    REQUIRE(dispatcher);
    state += argc > 2 ? strtoull(argv[2], NULL, 0) : 0;
    for (long round = 0; round < rounds; round++) {
        for (int i = 3; i < argc; i++)
            try_file(dispatcher, argv[i]);
        if (argc < 4) {
            try_kernels(dispatcher, kernel_names);
            try_kernels(dispatcher, extensions);
        }
    }
    rp_dispatcher_destroy(dispatcher);
    return 0;
}
