/* SPDX-License-Identifier: MIT */
/* A kernel with a thousand bindings in several sets, far apart, and an array as long as may be. The
 * module is written here word by word: GLSL has no way to say a thousand of anything.
 */
#include "compute.h"

#include <stdlib.h>

#define COUNT 1000u       /* buffers with one descriptor each */
#define SETS 5u           /* 0: the words below; 1 to 3: the buffers; 4: the array */
#define LENGTH (1u << 20) /* of the array: maxPerSetDescriptors */
#define LANES 16u

/* Words of the buffer in set 0. */
enum { READ, PICKED = COUNT, INDEX = PICKED + LANES, LAST = INDEX + LANES, WORDS };

/* A block: what the kernel reads, and what it writes. */
#define BLOCK_B 64u

enum id {
    ID_NONE,
    ID_MAIN,
    ID_VOID,
    ID_FUNCTION,
    ID_UINT,
    ID_PLACE,
    ID_PLACE_POINTER,
    ID_UINT_INPUT,
    ID_BLOCK,
    ID_BLOCK_POINTER,
    ID_UINT_POINTER,
    ID_WORDS,
    ID_RESULT,
    ID_RESULT_POINTER,
    ID_ARRAY,
    ID_ARRAY_POINTER,
    ID_GLOBAL_ID,
    ID_OUT,
    ID_MANY,
    ID_LABEL,
    ID_NUMBERS, /* constants 0 to WORDS - 1 */
    ID_LENGTH = ID_NUMBERS + WORDS,
    ID_LAST,
    ID_BUFFERS,                     /* COUNT variables */
    ID_VALUES = ID_BUFFERS + COUNT, /* what the function makes */
};

struct module {
    uint32_t words[64 * 1024];
    uint32_t count;
    uint32_t bound;
};

static void
put(struct module *m, uint32_t op, uint32_t count, const uint32_t *operands)
{
    REQUIRE(m->count + count + 1 <= sizeof(m->words) / sizeof(m->words[0]));
    m->words[m->count++] = (count + 1) << 16 | op;
    memcpy(m->words + m->count, operands, count * sizeof(*operands));
    m->count += count;
}

#define PUT(m, op, ...) \
    put(m, op, sizeof((const uint32_t[]){__VA_ARGS__}) / 4, (const uint32_t[]){__VA_ARGS__})

static uint32_t
set_of(uint32_t i)
{
    return 1 + i % 3;
}

static uint32_t
binding_of(uint32_t i)
{
    return i == COUNT - 1 ? UINT32_MAX : i * 4099;
}

static void
put_head(struct module *m)
{
    uint32_t entry[7 + COUNT] = {5, ID_MAIN, 0x6e69616d, 0}; /* GLCompute, "main" */
    uint32_t n = 4;
    entry[n++] = ID_GLOBAL_ID;
    entry[n++] = ID_OUT;
    entry[n++] = ID_MANY;
    for (uint32_t i = 0; i < COUNT; i++)
        entry[n++] = ID_BUFFERS + i;

    memcpy(m->words, (const uint32_t[]){0x07230203, 0x10500, 0, 0, 0}, 20);
    m->count = 5;
    PUT(m, 17, 1);    /* OpCapability Shader */
    PUT(m, 17, 5308); /* StorageBufferArrayNonUniformIndexing */
    PUT(m, 14, 0, 1); /* OpMemoryModel Logical GLSL450 */
    put(m, 15, n, entry);
    PUT(m, 16, ID_MAIN, 17, LANES, 1, 1); /* LocalSize */
}

static void
put_decorations(struct module *m)
{
    PUT(m, 71, ID_GLOBAL_ID, 11, 28); /* BuiltIn GlobalInvocationId */
    PUT(m, 71, ID_WORDS, 6, 4);       /* ArrayStride */
    PUT(m, 71, ID_BLOCK, 2);
    PUT(m, 71, ID_RESULT, 2);
    PUT(m, 72, ID_BLOCK, 0, 35, 0); /* Offset */
    PUT(m, 72, ID_BLOCK, 1, 35, 4);
    PUT(m, 72, ID_RESULT, 0, 35, 0);
    PUT(m, 71, ID_OUT, 34, 0); /* DescriptorSet */
    PUT(m, 71, ID_OUT, 33, 3); /* Binding */
    PUT(m, 71, ID_MANY, 34, 4);
    PUT(m, 71, ID_MANY, 33, 7);
    for (uint32_t i = 0; i < COUNT; i++) {
        PUT(m, 71, ID_BUFFERS + i, 34, set_of(i));
        PUT(m, 71, ID_BUFFERS + i, 33, binding_of(i));
    }
}

static void
put_globals(struct module *m)
{
    PUT(m, 19, ID_VOID);
    PUT(m, 33, ID_FUNCTION, ID_VOID);
    PUT(m, 21, ID_UINT, 32, 0);
    PUT(m, 23, ID_PLACE, ID_UINT, 3);
    PUT(m, 32, ID_PLACE_POINTER, 1, ID_PLACE);
    PUT(m, 32, ID_UINT_INPUT, 1, ID_UINT);
    PUT(m, 30, ID_BLOCK, ID_UINT, ID_UINT);
    PUT(m, 32, ID_BLOCK_POINTER, 12, ID_BLOCK); /* StorageBuffer */
    PUT(m, 32, ID_UINT_POINTER, 12, ID_UINT);
    PUT(m, 29, ID_WORDS, ID_UINT);
    PUT(m, 30, ID_RESULT, ID_WORDS);
    PUT(m, 32, ID_RESULT_POINTER, 12, ID_RESULT);
    for (uint32_t i = 0; i < WORDS; i++)
        PUT(m, 43, ID_UINT, ID_NUMBERS + i, i);
    PUT(m, 43, ID_UINT, ID_LENGTH, LENGTH);
    PUT(m, 43, ID_UINT, ID_LAST, LENGTH - 1);
    PUT(m, 28, ID_ARRAY, ID_BLOCK, ID_LENGTH);
    PUT(m, 32, ID_ARRAY_POINTER, 12, ID_ARRAY);
    PUT(m, 59, ID_PLACE_POINTER, ID_GLOBAL_ID, 1);
    PUT(m, 59, ID_RESULT_POINTER, ID_OUT, 12);
    PUT(m, 59, ID_ARRAY_POINTER, ID_MANY, 12);
    for (uint32_t i = 0; i < COUNT; i++)
        PUT(m, 59, ID_BLOCK_POINTER, ID_BUFFERS + i, 12);
}

/* Pointer to a word of set 0's buffer. */
static uint32_t
put_word(struct module *m, uint32_t index_id)
{
    const uint32_t pointer = m->bound++;
    PUT(m, 65, ID_UINT_POINTER, pointer, ID_OUT, ID_NUMBERS, index_id);
    return pointer;
}

static uint32_t
put_load(struct module *m, uint32_t pointer)
{
    const uint32_t value = m->bound++;
    PUT(m, 61, ID_UINT, value, pointer);
    return value;
}

static uint32_t
put_sum(struct module *m, uint32_t a, uint32_t b)
{
    const uint32_t sum = m->bound++;
    PUT(m, 128, ID_UINT, sum, a, b);
    return sum;
}

/* result[READ + i] = buffer i's first word, its second one the same and i. */
static void
put_buffer(struct module *m, uint32_t i)
{
    const uint32_t from = m->bound++, to = m->bound++;
    PUT(m, 65, ID_UINT_POINTER, from, ID_BUFFERS + i, ID_NUMBERS);
    const uint32_t value = put_load(m, from);
    PUT(m, 62, put_word(m, ID_NUMBERS + READ + i), value);
    PUT(m, 65, ID_UINT_POINTER, to, ID_BUFFERS + i, ID_NUMBERS + 1);
    PUT(m, 62, to, put_sum(m, value, ID_NUMBERS + i));
}

static void
put_array_element(struct module *m, uint32_t index_id, uint32_t word_id)
{
    const uint32_t from = m->bound++;
    PUT(m, 65, ID_UINT_POINTER, from, ID_MANY, index_id, ID_NUMBERS);
    const uint32_t value = put_load(m, from);
    PUT(m, 62, put_word(m, word_id), value);
}

static void
put_function(struct module *m)
{
    m->bound = ID_VALUES;
    PUT(m, 54, ID_VOID, ID_MAIN, 0, ID_FUNCTION);
    PUT(m, 248, ID_LABEL);
    const uint32_t pointer = m->bound++;
    PUT(m, 65, ID_UINT_INPUT, pointer, ID_GLOBAL_ID, ID_NUMBERS);
    const uint32_t x = put_load(m, pointer);
    for (uint32_t i = 0; i < COUNT; i++)
        put_buffer(m, i);
    const uint32_t index = put_load(m, put_word(m, put_sum(m, x, ID_NUMBERS + INDEX)));
    put_array_element(m, index, put_sum(m, x, ID_NUMBERS + PICKED));
    put_array_element(m, ID_LAST, ID_NUMBERS + LAST);
    m->words[m->count++] = 1u << 16 | 253; /* OpReturn, OpFunctionEnd */
    m->words[m->count++] = 1u << 16 | 56;
    m->words[3] = m->bound;
}

struct sets {
    VkDescriptorSetLayout layouts[SETS];
    VkDescriptorSet sets[SETS];
    VkDescriptorPool pool;
};

static void
layout_create(struct fixture *f, struct sets *s, uint32_t set)
{
    static VkDescriptorSetLayoutBinding bindings[COUNT];
    const VkDescriptorBindingFlags partial = VK_DESCRIPTOR_BINDING_PARTIALLY_BOUND_BIT;
    const VkDescriptorSetLayoutBindingFlagsCreateInfo flags = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO,
        .bindingCount = 1,
        .pBindingFlags = &partial,
    };
    uint32_t count = 0;
    for (uint32_t i = 0; i < COUNT; i++)
        if (set_of(i) == set)
            bindings[count++] =
                (VkDescriptorSetLayoutBinding){binding_of(i), VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1,
                                               VK_SHADER_STAGE_COMPUTE_BIT, NULL};
    if (!count)
        bindings[count++] =
            (VkDescriptorSetLayoutBinding){set ? 7 : 3, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                           set ? LENGTH : 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL};
    const VkDescriptorSetLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .pNext = set == 4 ? &flags : NULL,
        .bindingCount = count,
        .pBindings = bindings,
    };
    REQUIRE_EQ(vkCreateDescriptorSetLayout(f->dev, &info, NULL, &s->layouts[set]), VK_SUCCESS);
}

static struct sets
sets_create(struct fixture *f)
{
    struct sets s = {0};
    const VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, COUNT + LENGTH + 1};
    const VkDescriptorPoolCreateInfo pool = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
        .maxSets = SETS,
        .poolSizeCount = 1,
        .pPoolSizes = &size,
    };
    for (uint32_t set = 0; set < SETS; set++)
        layout_create(f, &s, set);
    REQUIRE_EQ(vkCreateDescriptorPool(f->dev, &pool, NULL, &s.pool), VK_SUCCESS);
    const VkDescriptorSetAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
        .descriptorPool = s.pool,
        .descriptorSetCount = SETS,
        .pSetLayouts = s.layouts,
    };
    REQUIRE_EQ(vkAllocateDescriptorSets(f->dev, &info, s.sets), VK_SUCCESS);
    return s;
}

static void
sets_destroy(struct fixture *f, struct sets *s)
{
    vkDestroyDescriptorPool(f->dev, s->pool, NULL);
    for (uint32_t set = 0; set < SETS; set++)
        vkDestroyDescriptorSetLayout(f->dev, s->layouts[set], NULL);
}

static void
write_buffer(struct fixture *f, VkDescriptorSet set, uint32_t binding, uint32_t element,
             VkDescriptorBufferInfo range)
{
    const VkWriteDescriptorSet write = {
        .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
        .dstSet = set,
        .dstBinding = binding,
        .dstArrayElement = element,
        .descriptorCount = 1,
        .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
        .pBufferInfo = &range,
    };
    vkUpdateDescriptorSets(f->dev, 1, &write, 0, NULL);
}

/* Elements of the array that the lanes ask for: on both sides of its pages of 4096, and the
 * ends. */
static uint32_t
picked(uint32_t lane)
{
    static const uint32_t indices[] = {0, 1, 4095, 4096, 4097, 8191, 8192, LENGTH / 2, LENGTH - 1};
    return indices[lane % (sizeof(indices) / sizeof(indices[0]))];
}

static void
dispatch(struct fixture *f, const struct sets *s, struct test_buffer *words)
{
    static struct module m;
    struct compute c = {0};
    put_head(&m);
    put_decorations(&m);
    put_globals(&m);
    put_function(&m);
    const VkPipelineLayoutCreateInfo layout = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
        .setLayoutCount = SETS,
        .pSetLayouts = s->layouts,
    };
    REQUIRE_EQ(vkCreatePipelineLayout(f->dev, &layout, NULL, &c.layout), VK_SUCCESS);
    const VkPipeline pipeline = compute_pipeline(f, &c, m.words, m.count * 4);

    for (uint32_t lane = 0; lane < LANES; lane++)
        words->words[INDEX + lane] = picked(lane);
    test_begin(f);
    vkCmdBindPipeline(f->cb, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    vkCmdBindDescriptorSets(f->cb, VK_PIPELINE_BIND_POINT_COMPUTE, c.layout, 0, SETS, s->sets, 0,
                            NULL);
    vkCmdDispatch(f->cb, 1, 1, 1);
    test_submit_and_wait(f);
    vkDestroyPipeline(f->dev, pipeline, NULL);
    vkDestroyPipelineLayout(f->dev, c.layout, NULL);
}

static void
each_binding_is_its_own(struct fixture *f)
{
    struct sets s = sets_create(f);
    struct test_buffer words = test_buffer_create(f, WORDS * 4, 0xee);
    struct test_buffer blocks = test_buffer_create(f, (COUNT + LANES) * BLOCK_B, 0xee);

    write_buffer(f, s.sets[0], 3, 0, (VkDescriptorBufferInfo){words.handle, 0, VK_WHOLE_SIZE});
    for (uint32_t i = 0; i < COUNT + LANES; i++) {
        blocks.words[i * BLOCK_B / 4] = 0x10000 + i;
        const VkDescriptorBufferInfo range = {blocks.handle, i * BLOCK_B, BLOCK_B};
        if (i < COUNT)
            write_buffer(f, s.sets[set_of(i)], binding_of(i), 0, range);
        else
            write_buffer(f, s.sets[4], 7, picked(i - COUNT), range);
    }
    dispatch(f, &s, &words);

    uint32_t of_last = 0;
    for (uint32_t lane = 0; lane < LANES; lane++) {
        uint32_t writer = lane; /* whose write to the same element came last */
        for (uint32_t other = lane; other < LANES; other++)
            writer = picked(other) == picked(lane) ? other : writer;
        REQUIRE_EQ(words.words[PICKED + lane], 0x10000 + COUNT + writer);
        of_last = picked(lane) == LENGTH - 1 ? words.words[PICKED + lane] : of_last;
    }
    REQUIRE_EQ(words.words[LAST], of_last);
    for (uint32_t i = 0; i < COUNT; i++) {
        REQUIRE_EQ(words.words[READ + i], 0x10000 + i);
        REQUIRE_EQ(blocks.words[i * BLOCK_B / 4 + 1], 0x10000 + 2 * i);
    }
    test_buffer_destroy(f, &blocks);
    test_buffer_destroy(f, &words);
    sets_destroy(f, &s);
}

static const struct test_case cases[] = {
    TEST_CASE(each_binding_is_its_own),
};

TEST_MAIN(cases)
