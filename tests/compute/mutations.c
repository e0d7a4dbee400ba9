/* SPDX-License-Identifier: MIT */
/* Damaged modules are refused or run within their memory: never a crash. */
#include "harness.h"

#include <time.h>

#define SECONDS 4
#define MEMORY_B 65536u

static uint64_t state = 1;
static uint8_t memory[MEMORY_B];

static uint32_t
next(uint32_t below)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(state >> 33) % below;
}

static void
mutate(uint32_t *words, size_t count)
{
    for (uint32_t i = 1 + next(4); i-- > 0;) {
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
}

static void
dispatch(struct rp_dispatcher *dispatcher, const struct rp_kernel *kernel)
{
    static struct rp_descriptor_array arrays[RP_MAX_KERNEL_BINDINGS];
    uint32_t push[RP_MAX_PUSH_CONSTANT_B / 4] = {next(200), next(200), 0x3c23d70a, next(100)};
    uint32_t count;
    const struct rp_descriptor buffer = {.ptr = memory, .size_B = next(MEMORY_B)};

    rp_kernel_bindings(kernel, &count);
    for (uint32_t i = 0; i < count; i++)
        arrays[i] = (struct rp_descriptor_array){&buffer, 1};
    const struct rp_dispatch info = {
        .kernel = kernel,
        .bindings = arrays,
        .push_constants = push,
        .group_count = {1 + next(3), 1 + next(2), 1},
        .timeout_ns = 10000000,
    };
    const VkResult result = rp_dispatcher_run(dispatcher, &info);
    REQUIRE(result == VK_SUCCESS || result == VK_ERROR_DEVICE_LOST);
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
        const struct rp_kernel_info info = {shader, "main", NULL, 0};
        if (rp_kernel_create(&info, &message, &kernel) == VK_SUCCESS)
            dispatch(dispatcher, kernel);
        rp_kernel_destroy(kernel);
        rp_shader_destroy(shader);
    }
    free(words);
}

int
main(void)
{
    const time_t start = time(NULL);
    struct rp_dispatcher *dispatcher = rp_dispatcher_create(NULL);
    REQUIRE(dispatcher);
    while (time(NULL) - start < SECONDS) {
        for (const char *const *name = kernel_names; *name; name++) {
            size_t count;
            uint32_t *module = module_load(*name, &count);
            for (uint32_t i = 0; i < 50; i++)
                try_one(dispatcher, module, count);
            free(module);
        }
    }
    rp_dispatcher_destroy(dispatcher);
    return 0;
}
