/* SPDX-License-Identifier: MIT */
/* Shader objects for the buffer, set and layout of compute.h.
 */
#ifndef RP_TESTS_API_SHADER_MANY_H
#define RP_TESTS_API_SHADER_MANY_H

#include "compute.h"

#define SHADER_COUNT 20u /* more than are compiled at once */

/* The create info of a shader of SPIR-V, with c's layout. */
VkShaderCreateInfoEXT shader_info(const struct compute *c, const uint32_t *words, size_t size_B);
VkShaderEXT shader_create(struct fixture *f, const VkShaderCreateInfoEXT *info);

/* Begins f->cb as compute_begin() does. */
void shader_begin(struct fixture *f, const struct compute *c, VkShaderEXT shader, uint32_t word);

/* Word i of the buffer, from begin to end, is first + step * i. */
void shader_require_words(const struct compute *c, uint32_t begin, uint32_t end, uint32_t first,
                          uint32_t step);

/* The shader numbers all words in these steps. */
void shader_require_numbers(struct fixture *f, const struct compute *c, VkShaderEXT shader,
                            uint32_t step);

/* The size of the binary; *out, to be freed, has it. */
size_t shader_binary(struct fixture *f, VkShaderEXT shader, void **out);
VkResult shader_binary_try(struct fixture *f, const struct compute *c, const void *data,
                           size_t size_B, VkShaderEXT *out);
VkShaderEXT shader_binary_create(struct fixture *f, const struct compute *c, const void *data,
                                 size_t size_B);

/* Shader i has the specialization constant 0 with the value i + 1: shaders/constant.comp numbers
 * the words in such steps. */
struct shader_many {
    struct compute c;
    uint32_t steps[SHADER_COUNT];
    VkSpecializationInfo constants[SHADER_COUNT];
    VkShaderCreateInfoEXT infos[SHADER_COUNT];
    VkShaderEXT shaders[SHADER_COUNT];
};

/* The infos are to be changed before shader_many_create(). */
void shader_many_init(struct fixture *f, struct shader_many *m, const uint32_t *words,
                      size_t size_B);
VkResult shader_many_create(struct fixture *f, struct shader_many *m);
void shader_many_finish(struct fixture *f, struct shader_many *m);

#endif
