/* SPDX-License-Identifier: MIT */
/* Takes a module in and checks its frame; what the instructions mean is checked by the compiler.
 */
#include "compute/spirv/shader.h"

#include "util/alloc.h"

#include <stdio.h>
#include <string.h>

struct op_info {
    const char *name;
    uint8_t has_type;
    uint8_t has_result;
    uint8_t min_words;
};

#define OP_INFO_COUNT 6200u

static const struct op_info *
op_info(uint32_t op)
{
    static const struct op_info infos[OP_INFO_COUNT] = {
#define OP_INFO(op_name, number, type, result, words) [number] = {#op_name, type, result, words},
        SPV_OPCODES(OP_INFO)
#undef OP_INFO
    };

    return op < OP_INFO_COUNT && infos[op].name ? &infos[op] : NULL;
}

uint32_t
spv_result_word(enum spv_op op)
{
    const struct op_info *info = op_info(op);
    return info && info->has_result ? 1u + info->has_type : 0;
}

const char *
spv_op_name(enum spv_op op)
{
    const struct op_info *info = op_info(op);
    return info ? info->name : NULL;
}

static bool
instr_fits(const uint32_t *words, uint32_t word_count, uint32_t at)
{
    const struct op_info *info = op_info(words[at] & 0xffff);
    const uint32_t length = words[at] >> 16;
    return info && length >= info->min_words && length <= word_count - at;
}

/* Returns false with the offset of the bad word. */
static bool
shader_check(struct rp_shader *shader, uint8_t *defined, uint32_t *bad_out)
{
    uint32_t at = SPV_FIRST_INSTRUCTION;
    while (at < shader->word_count) {
        const uint32_t *instr = shader->words + at;
        *bad_out = at;
        if (!instr_fits(shader->words, shader->word_count, at))
            return false;

        const uint32_t result_word = spv_result_word(spv_opcode(instr));
        if (result_word) {
            const uint32_t id = instr[result_word];
            if (id == 0 || id >= shader->bound || defined[id])
                return false;
            defined[id] = 1;
        }
        shader->instruction_count++;
        at += spv_word_count(instr);
    }
    return true;
}

static VkResult
refuse(struct rp_compute_message *message, const char *what, uint32_t word, uint32_t at)
{
    if (message) {
        const char *name = spv_op_name((enum spv_op)(word & 0xffff));
        snprintf(message->text, sizeof(message->text), "%s: word %u, opcode %u (%s)", what, at,
                 word & 0xffff, name ? name : "unknown");
    }
    return VK_ERROR_UNKNOWN;
}

static VkResult
shader_fill(struct rp_shader *shader, const uint32_t *words, size_t word_count,
            struct rp_compute_message *message)
{
    shader->words = rp_alloc(NULL, word_count * 4, 4, VK_SYSTEM_ALLOCATION_SCOPE_OBJECT);
    if (!shader->words)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    memcpy(shader->words, words, word_count * 4);
    shader->word_count = (uint32_t)word_count;
    shader->bound = words[3];

    uint8_t *defined = rp_zalloc_array(NULL, shader->bound, 1, VK_SYSTEM_ALLOCATION_SCOPE_COMMAND);
    if (!defined)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    uint32_t bad = 0;
    const bool is_valid = shader_check(shader, defined, &bad);
    rp_free(NULL, defined);
    return is_valid ? VK_SUCCESS : refuse(message, "bad instruction", shader->words[bad], bad);
}

VkResult
rp_shader_create(const uint32_t *words, size_t word_count, struct rp_compute_message *message,
                 struct rp_shader **out)
{
    if (word_count < SPV_FIRST_INSTRUCTION || word_count > UINT32_MAX / 4 ||
        words[0] != SPV_MAGIC || words[3] == 0 || words[3] > SPV_MAX_BOUND)
        return refuse(message, "not a SPIR-V module", 0, 0);
    if (words[1] < 0x10000u || words[1] > 0x10600u)
        return refuse(message, "unknown SPIR-V version", words[1], 1);

    struct rp_shader *shader = rp_zalloc(NULL, sizeof(*shader), _Alignof(struct rp_shader),
                                         VK_SYSTEM_ALLOCATION_SCOPE_OBJECT);
    if (!shader)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    const VkResult result = shader_fill(shader, words, word_count, message);
    if (result != VK_SUCCESS) {
        rp_shader_destroy(shader);
        return result;
    }
    *out = shader;
    return VK_SUCCESS;
}

void
rp_shader_destroy(struct rp_shader *shader)
{
    if (!shader)
        return;
    rp_free(NULL, shader->words);
    rp_free(NULL, shader);
}
