/* SPDX-License-Identifier: MIT */
/* Fuzz target: a SPIR-V module is refused, or becomes a kernel that stays within its memory.
 */
#include "target.h"

#include "compute/compute.h"
#include "compute/heap.h"
#include "tests/test.h"

#include <stdlib.h>

#define MEMORY_B 4096u
#define TIMEOUT_NS UINT64_C(10000000)
#define PHYSICAL_STORAGE_BUFFER 5349u

static void
dispatch(const struct rp_kernel *kernel)
{
    const uint32_t push[RP_MAX_PUSH_CONSTANT_B / 4] = {17, 3, 0x3c23d70a, 40};
    uint8_t *memory = calloc(1, MEMORY_B);
    struct rp_dispatcher *dispatcher = rp_dispatcher_create(NULL);
    const struct rp_descriptor buffer = {.ptr = memory, .size_B = MEMORY_B};
    uint32_t count;

    (void)rp_kernel_bindings(kernel, &count);
    struct rp_descriptor_array *arrays = calloc(count + 1, sizeof(*arrays));
    REQUIRE(memory && dispatcher && arrays);
    for (uint32_t i = 0; i < count; i++)
        arrays[i] = (struct rp_descriptor_array){.items = &buffer, .count = 1};
    const struct rp_dispatch info = {
        .kernel = kernel,
        .bindings = arrays,
        .push_constants = push,
        .group_count = {2, 1, 1},
        .timeout_ns = TIMEOUT_NS,
    };
    const VkResult result = rp_dispatcher_run(dispatcher, &info);
    REQUIRE(result == VK_SUCCESS || result == VK_ERROR_DEVICE_LOST);
    rp_dispatcher_destroy(dispatcher);
    free(arrays);
    free(memory);
}

/* Could the module make up addresses? It may read and write there; it is not run. */
static bool
has_addresses(const uint32_t *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (words[i] == PHYSICAL_STORAGE_BUFFER)
            return true;
    return false;
}

/* All bindings of set 0 in a heap, by sources that make up no addresses. */
static struct rp_heap_mapping
mapping_of(size_t number)
{
    static const VkDescriptorMappingSourceEXT sources[] = {
        VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_CONSTANT_OFFSET_EXT,
        VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_PUSH_INDEX_EXT,
        VK_DESCRIPTOR_MAPPING_SOURCE_RESOURCE_HEAP_DATA_EXT,
        VK_DESCRIPTOR_MAPPING_SOURCE_PUSH_DATA_EXT,
    };
    return (struct rp_heap_mapping){
        .binding_count = UINT32_MAX,
        .resource_mask = VK_SPIRV_RESOURCE_TYPE_ALL_EXT,
        .source = (uint32_t)sources[number % 4],
        .is_packed = number / 4 % 2,
        .embedded = number / 8 % 2,
        .resource = {0, 12, 0, 0, 0},
        .sampler = {0, 8, 0, 32, 0},
    };
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_B)
{
    struct rp_compute_message message;
    struct rp_shader *shader = NULL;
    uint32_t *words = malloc(size_B + 4); /* aligned */
    REQUIRE(words);
    memcpy(words, data, size_B);

    if (rp_shader_create(words, size_B / 4, &message, &shader) == VK_SUCCESS) {
        struct rp_kernel *kernel = NULL;
        const struct rp_heap_mapping mapping = mapping_of(size_B / 12);
        const struct rp_kernel_info info = {
            .shader = shader,
            .mappings = &mapping,
            .mapping_count = size_B / 4 % 2, /* or its own sets */
            .entry_point = "main",
            .subgroup_size = RP_MIN_SUBGROUP_SIZE << size_B / 4 % 3,
        };
        if (rp_kernel_create(&info, &message, &kernel) == VK_SUCCESS &&
            !has_addresses(words, size_B / 4))
            dispatch(kernel);
        rp_kernel_destroy(kernel);
    }
    rp_shader_destroy(shader);
    free(words);
    return 0;
}
