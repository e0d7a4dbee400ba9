/* SPDX-License-Identifier: MIT */
/* Heaps with a descriptor of each kind, and shaders/heap.comp with mappings that find them.
 */
#ifndef RP_TESTS_API_HEAP_TEST_H
#define RP_TESTS_API_HEAP_TEST_H

#include "fixture.h"

#define SIZE_B 32u /* of a descriptor of any type */
#define STAGE VK_SHADER_STAGE_COMPUTE_BIT
#define RESULTS 10u
#define RESULT_WORDS 16u

/* Bindings of shaders/heap.comp. */
enum { RESULT, VALUES, PLAIN = 3, OUTSIDE, BOTH, DATA = 7, TEXELS, BINDINGS };

/* Where descriptors are in their heaps. */
enum { AT_RESULT = 3, AT_VALUES = 5, AT_IMAGE = 9, AT_TEXELS = 11, AT_DATA = 12 };
enum { AT_WHITE = 2, AT_BLACK };

/* Words of the push data: two addresses, two words, two indices for each binding. */
enum { DATA_WORD = 4, DATA_OFFSET, INDICES = 8, PUSH_WORDS = INDICES + 2 * BINDINGS };
#define SAMPLER_INDICES 128u /* in the table of indices */
#define HEAP_DATA_B 1024u    /* where the resource heap has a number in it */

struct heap_test {
    struct test_buffer resources;
    struct test_buffer samplers;
    struct test_buffer values; /* 101, 102 and 141 in words 0, 16 and 32; texels at 48 */
    struct test_buffer indices;
    struct test_buffer result;
    struct test_image img;
    uint32_t push[PUSH_WORDS];
    VkDescriptorSetAndBindingMappingEXT mappings[2 * BINDINGS];
    uint32_t mapping_count;
};

/* With the white border, the black one, and the first texel of an image. */
extern const uint32_t heap_all_shown[RESULTS];

/* data: what VkResourceDescriptorDataEXT has for the type; out: a descriptor. */
void heap_write_resource(struct fixture *f, VkDescriptorType type, const void *data, uint8_t *out);
VkSamplerCreateInfo heap_sampler_info(VkBorderColor border);
void heap_write_sampler(struct fixture *f, const VkSamplerCreateInfo *info, uint8_t *out);
VkImageViewCreateInfo heap_view_info(const struct heap_test *h);
void heap_write_image(struct fixture *f, const VkImageViewCreateInfo *view, uint8_t *out);

/* The first texel of the image, whose rows lie side by side. */
uint32_t *heap_first_texel(struct fixture *f, const struct heap_test *h);

/* Both heaps with their descriptors; no mapping yet. */
struct heap_test heap_test_create(struct fixture *f);
void heap_test_destroy(struct fixture *f, struct heap_test *h);

/* One more mapping, of one binding, to be changed. */
VkDescriptorSetAndBindingMappingEXT *heap_mapping_add(struct heap_test *h, uint32_t binding,
                                                      VkDescriptorMappingSourceEXT source);
/* Mappings of all bindings by one of the sources that lead to descriptors, in this order: RESULT,
 * VALUES, PLAIN, OUTSIDE, BOTH, TEXELS, DATA. */
void heap_map_all(struct fixture *f, struct heap_test *h, VkDescriptorMappingSourceEXT source,
                  bool is_packed);
/* shaders/heap.comp, heap_guarded.comp, heap_copy.comp and heap_kinds.comp. */
struct heap_module {
    const uint32_t *words;
    size_t size_B;
};
extern const struct heap_module heap_plain;
extern const struct heap_module heap_guarded;
extern const struct heap_module heap_copier;
extern const struct heap_module heap_kinds;

VkResult heap_pipeline_of(struct fixture *f, const struct heap_test *h, VkPipelineCache cache,
                          const struct heap_module *module, VkPipeline *out);
/* The pipeline of heap_plain. */
VkResult heap_pipeline(struct fixture *f, const struct heap_test *h, VkPipelineCache cache,
                       VkPipeline *out);
VkBindHeapInfoEXT heap_bind_info(struct fixture *f, const struct test_buffer *heap);
void heap_push(VkCommandBuffer cb, const struct heap_test *h);
/* Begins f->cb: both heaps bound, the data pushed. */
void heap_begin(struct fixture *f, struct heap_test *h);
void heap_check(const struct heap_test *h, const uint32_t expected[RESULTS]);
/* Runs the test's dispatch with a pipeline of its own, and requires these results. */
void heap_run(struct fixture *f, struct heap_test *h, const uint32_t expected[RESULTS]);

#endif
