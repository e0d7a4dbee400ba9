/* SPDX-License-Identifier: MIT */
/* A pipeline whose sets lie in memory (VK_EXT_descriptor_buffer): set 0 has a descriptor of each
 * type, set 1 the result.
 */
#ifndef RP_TESTS_API_MEMORY_SET_H
#define RP_TESTS_API_MEMORY_SET_H

#include "fixture.h"

#define SIZE_B 32u       /* of a descriptor of any type */
#define MANY_COUNT 1000u /* the most that the last binding may have */
#define SET_B 1024u      /* room for a set with a few of them */
#define WORDS 16u
#define STAGE VK_SHADER_STAGE_COMPUTE_BIT

enum { UNIFORM = 1, TEXELS, STORED_TEXELS, OUTSIDE, SAMPLED, COMBINED, STORED, INLINE, MANY };

extern const VkDescriptorSetLayoutBinding one_of_each[9];
extern const VkDescriptorSetLayoutBinding one_buffer;

/* The result where each type of descriptor shows what memory_set_write() says. */
extern const uint32_t all_shown[12];

struct memory_set {
    VkDescriptorSetLayout set_layouts[2];
    VkPipelineLayout layout;
    VkPipeline pipeline;
    VkDeviceSize offsets[MANY + 1];
    VkSampler sampler;
    struct test_image img;
    VkImageView view;
    struct test_buffer values; /* what descriptors of buffers show, 64 bytes each */
    struct test_buffer result;
    struct test_buffer sets; /* the descriptors: set 0, set 1 */
};

/* words: of shaders/memory_set.comp. The image's first row is 130, 131; the values of part i begin
 * with 100 + 10 * i. */
struct memory_set memory_set_create(struct fixture *f, const uint32_t *words, size_t size_B);
void memory_set_destroy(struct fixture *f, struct memory_set *m);

/* Its parts, for others of their kind. */
VkDeviceAddress memory_set_address(struct fixture *f, const struct test_buffer *buf);
struct test_buffer memory_set_buffer(struct fixture *f, VkDeviceSize size_B); /* of descriptors */
VkDescriptorSetLayout
memory_set_layout_create(struct fixture *f, VkDescriptorSetLayoutCreateFlags flags, uint32_t count,
                         const VkDescriptorSetLayoutBinding *bindings, bool is_last_variable);
VkPipelineLayout memory_set_pipeline_layout(struct fixture *f, uint32_t count,
                                            const VkDescriptorSetLayout *sets);
VkPipeline memory_set_pipeline(struct fixture *f, const uint32_t *words, size_t size_B,
                               VkPipelineLayout layout);
VkImageView memory_set_view(struct fixture *f, const struct memory_set *m);
VkSampler memory_set_sampler(struct fixture *f, VkBorderColor border);

/* Part i of the values, size_B of it. */
VkDescriptorAddressInfoEXT memory_set_values(struct fixture *f, const struct memory_set *m,
                                             uint32_t i, VkDeviceSize size_B);
/* data: what VkDescriptorDataEXT has for the type. */
void memory_set_descriptor(struct fixture *f, VkDescriptorType type, const void *data, void *out);

/* All of both sets, with one descriptor in the last binding, at set. */
void memory_set_write(struct fixture *f, const struct memory_set *m, uint8_t *set);

/* bind_at: the first buffer from there on. */
void memory_set_bind_at(struct fixture *f, VkCommandBuffer cb, uint32_t count,
                        const struct test_buffer *const *buffers, VkDeviceSize first_at_B);
void memory_set_bind(struct fixture *f, VkCommandBuffer cb, uint32_t count,
                     const struct test_buffer *const *buffers);
/* Begins f->cb: everything bound, both sets from m->sets. */
void memory_set_begin(struct fixture *f, const struct memory_set *m);
void memory_set_run(struct fixture *f, const struct memory_set *m);

#endif
