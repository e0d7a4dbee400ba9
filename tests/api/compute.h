/* SPDX-License-Identifier: MIT */
/* A buffer, a set and a layout for shaders that write the buffer's words and take one pushed word.
 */
#ifndef RP_TESTS_API_COMPUTE_H
#define RP_TESTS_API_COMPUTE_H

#include "fixture.h"

#define COMPUTE_WORDS 256u /* 16 workgroups of 16 */

struct compute {
    VkDescriptorSetLayout set_layout;
    VkPipelineLayout layout;
    VkDescriptorPool pool;
    VkDescriptorSet set;
    struct test_buffer buf;
};

void compute_init(struct fixture *f, struct compute *c);
void compute_finish(struct fixture *f, struct compute *c);

/* The buffer, in the set; the one before has been destroyed. */
void compute_buffer(struct fixture *f, struct compute *c, VkDeviceSize size_B, uint8_t fill);

VkPipeline compute_pipeline(struct fixture *f, const struct compute *c, const uint32_t *words,
                            size_t size_B);

/* Begins f->cb: everything bound, the word pushed. */
void compute_begin(struct fixture *f, const struct compute *c, VkPipeline pipeline, uint32_t word);

#endif
