/* SPDX-License-Identifier: MIT */
/* What a pipeline cache has is not compiled again, in this process or the next. */
#include "compute.h"

#include "api_shaders.h"

#include <pthread.h>

#define CAPTURE VK_PIPELINE_CREATE_CAPTURE_INTERNAL_REPRESENTATIONS_BIT_KHR
#define NO_COMPILE VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT
#define HIT VK_PIPELINE_CREATION_FEEDBACK_APPLICATION_PIPELINE_CACHE_HIT_BIT

struct test {
    struct fixture f;
    struct compute c;
};

struct source {
    const uint32_t *words;
    size_t size_B;
    const VkSpecializationInfo *specialization;
    const VkPipelineRobustnessCreateInfo *robustness;
    VkPipelineCreateFlags flags;
};

static const struct source number = {.words = spirv_number, .size_B = sizeof(spirv_number)};
static const struct source steps = {.words = spirv_steps, .size_B = sizeof(spirv_steps)};

static VkPipelineCache
cache_create(struct test *t, const void *data, size_t size_B)
{
    const VkPipelineCacheCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO,
        .initialDataSize = size_B,
        .pInitialData = data,
    };
    VkPipelineCache cache;
    REQUIRE_EQ(vkCreatePipelineCache(t->f.dev, &info, NULL, &cache), VK_SUCCESS);
    return cache;
}

static VkResult
create(struct test *t, VkPipelineCache cache, const struct source *source, bool *is_hit_out,
       VkPipeline *out)
{
    VkPipelineCreationFeedback feedback = {0};
    const VkPipelineCreationFeedbackCreateInfo feedback_info = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_CREATION_FEEDBACK_CREATE_INFO,
        .pNext = source->robustness,
        .pPipelineCreationFeedback = &feedback,
    };
    const VkShaderModuleCreateInfo code = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                           .codeSize = source->size_B,
                                           .pCode = source->words};
    const VkComputePipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .pNext = &feedback_info,
        .flags = source->flags,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .pNext = &code,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .pName = "main",
                  .pSpecializationInfo = source->specialization},
        .layout = t->c.layout,
    };
    const VkResult result = vkCreateComputePipelines(t->f.dev, cache, 1, &info, NULL, out);
    *is_hit_out = feedback.flags & HIT;
    return result;
}

/* Makes the pipeline and says whether the cache had it. */
static bool
is_hit(struct test *t, VkPipelineCache cache, const struct source *source)
{
    VkPipeline pipeline;
    bool has_hit;
    REQUIRE_EQ(create(t, cache, source, &has_hit, &pipeline), VK_SUCCESS);
    vkDestroyPipeline(t->f.dev, pipeline, NULL);
    return has_hit;
}

static bool
has(struct test *t, VkPipelineCache cache, const struct source *source)
{
    struct source strict = *source;
    VkPipeline pipeline;
    bool has_hit;
    strict.flags |= NO_COMPILE;
    const VkResult result = create(t, cache, &strict, &has_hit, &pipeline);
    REQUIRE(result == VK_SUCCESS || result == VK_PIPELINE_COMPILE_REQUIRED);
    REQUIRE_EQ(has_hit, result == VK_SUCCESS);
    vkDestroyPipeline(t->f.dev, pipeline, NULL);
    return has_hit;
}

/* The size of the cache's data; *out has it. */
static size_t
cache_data(struct test *t, VkPipelineCache cache, uint8_t **out)
{
    size_t size_B;
    REQUIRE_EQ(vkGetPipelineCacheData(t->f.dev, cache, &size_B, NULL), VK_SUCCESS);
    *out = malloc(size_B);
    REQUIRE(*out);
    REQUIRE_EQ(vkGetPipelineCacheData(t->f.dev, cache, &size_B, *out), VK_SUCCESS);
    return size_B;
}

static void
require_numbers(struct test *t, VkPipeline pipeline, uint32_t first)
{
    memset(t->c.buf.words, 0xee, COMPUTE_WORDS * 4);
    compute_begin(&t->f, &t->c, pipeline, first);
    vkCmdDispatch(t->f.cb, COMPUTE_WORDS / 16, 1, 1);
    test_submit_and_wait(&t->f);
    for (uint32_t i = 0; i < COMPUTE_WORDS; i++)
        REQUIRE_EQ(t->c.buf.words[i], first + i);
}

static void
the_second_time_is_a_hit(struct test *t)
{
    VkPipelineCache cache = cache_create(t, NULL, 0);
    VkPipeline pipelines[2];
    bool has_hit;
    REQUIRE(!has(t, cache, &number));
    REQUIRE_EQ(create(t, cache, &number, &has_hit, &pipelines[0]), VK_SUCCESS);
    REQUIRE(!has_hit);
    REQUIRE_EQ(create(t, cache, &number, &has_hit, &pipelines[1]), VK_SUCCESS);
    REQUIRE(has_hit && has(t, cache, &number) && !has(t, cache, &steps));
    REQUIRE(!has(t, VK_NULL_HANDLE, &number));

    /* Neither needs the other or the cache. */
    vkDestroyPipelineCache(t->f.dev, cache, NULL);
    require_numbers(t, pipelines[0], 3);
    vkDestroyPipeline(t->f.dev, pipelines[0], NULL);
    require_numbers(t, pipelines[1], 1000);
    vkDestroyPipeline(t->f.dev, pipelines[1], NULL);
}

static void
what_changes_the_kernel_is_a_miss(struct test *t)
{
    static const uint32_t constants[2] = {16, 16};
    static const VkSpecializationMapEntry first = {70, 0, 4}, second = {71, 4, 4};
    static const VkSpecializationInfo one = {1, &first, 8, constants},
                                      two = {1, &second, 8, constants};
    static const VkPipelineRobustnessCreateInfo loose = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_ROBUSTNESS_CREATE_INFO,
        .storageBuffers = VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_ROBUST_BUFFER_ACCESS,
        .uniformBuffers = VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_ROBUST_BUFFER_ACCESS,
    };
    struct source variants[4] = {number, number, number, number};
    variants[1].specialization = &one;
    variants[2].specialization = &two;
    variants[3].robustness = &loose;
    VkPipelineCache cache = cache_create(t, NULL, 0);
    for (uint32_t i = 0; i < 4; i++) {
        REQUIRE(!is_hit(t, cache, &variants[i]));
        REQUIRE(is_hit(t, cache, &variants[i]));
    }
    struct source shown = steps; /* its text is for people */
    shown.flags = CAPTURE;
    REQUIRE(!is_hit(t, cache, &shown) && !is_hit(t, cache, &shown) && !is_hit(t, cache, &steps));
    vkDestroyPipelineCache(t->f.dev, cache, NULL);
}

static void
data_brings_kernels_back(struct test *t)
{
    VkPipelineCache cache = cache_create(t, NULL, 0);
    uint8_t *data, *again;
    REQUIRE(!is_hit(t, cache, &number) && !is_hit(t, cache, &steps));
    const size_t size_B = cache_data(t, cache, &data);
    vkDestroyPipelineCache(t->f.dev, cache, NULL);

    cache = cache_create(t, data, size_B);
    VkPipeline pipeline;
    bool has_hit;
    REQUIRE_EQ(create(t, cache, &number, &has_hit, &pipeline), VK_SUCCESS);
    REQUIRE(has_hit);
    require_numbers(t, pipeline, 77);
    vkDestroyPipeline(t->f.dev, pipeline, NULL);
    REQUIRE_EQ(cache_data(t, cache, &again), size_B); /* of one that was used, one that was not */
    vkDestroyPipelineCache(t->f.dev, cache, NULL);

    cache = cache_create(t, again, size_B);
    REQUIRE(has(t, cache, &number) && has(t, cache, &steps));
    vkDestroyPipelineCache(t->f.dev, cache, NULL);
    free(again);
    free(data);
}

static void
damage_is_noticed(struct test *t)
{
    VkPipelineCache cache = cache_create(t, NULL, 0);
    uint8_t *data;
    REQUIRE(!is_hit(t, cache, &number));
    const size_t size_B = cache_data(t, cache, &data);
    vkDestroyPipelineCache(t->f.dev, cache, NULL);

    for (size_t i = 0; i < size_B; i += i < 64 ? 1 : 97) {
        data[i] ^= 1u << i % 8;
        cache = cache_create(t, data, size_B);
        REQUIRE(!has(t, cache, &number));
        vkDestroyPipelineCache(t->f.dev, cache, NULL);
        data[i] ^= 1u << i % 8;

        cache = cache_create(t, data, i);
        REQUIRE(!has(t, cache, &number));
        vkDestroyPipelineCache(t->f.dev, cache, NULL);
    }
    cache = cache_create(t, data, size_B);
    REQUIRE(has(t, cache, &number));
    vkDestroyPipelineCache(t->f.dev, cache, NULL);
    free(data);
}

/* Whatever fits is worth something. */
static void
less_room_gives_fewer_entries(struct test *t)
{
    VkPipelineCache cache = cache_create(t, NULL, 0);
    uint8_t *data;
    REQUIRE(!is_hit(t, cache, &number) && !is_hit(t, cache, &steps));
    const size_t whole_B = cache_data(t, cache, &data);
    uint32_t most = 0;
    for (size_t room_B = 0; room_B < whole_B; room_B += 13) {
        size_t size_B = room_B;
        memset(data, 0xee, whole_B);
        REQUIRE_EQ(vkGetPipelineCacheData(t->f.dev, cache, &size_B, data), VK_INCOMPLETE);
        REQUIRE(size_B <= room_B && data[size_B] == 0xee);
        VkPipelineCache part = cache_create(t, data, size_B);
        const uint32_t count = has(t, part, &number) + has(t, part, &steps);
        REQUIRE(count >= most && count < 2);
        most = count;
        vkDestroyPipelineCache(t->f.dev, part, NULL);
    }
    REQUIRE_EQ(most, 1);
    vkDestroyPipelineCache(t->f.dev, cache, NULL);
    free(data);
}

static void
merging_adds_what_is_new(struct test *t)
{
    uint8_t *data;
    VkPipelineCache caches[4];
    caches[0] = cache_create(t, NULL, 0);
    caches[1] = cache_create(t, NULL, 0);
    caches[2] = cache_create(t, NULL, 0);
    REQUIRE(!is_hit(t, caches[0], &number) && !is_hit(t, caches[1], &number));
    REQUIRE(!is_hit(t, caches[2], &steps));
    const size_t size_B = cache_data(t, caches[2], &data);
    caches[3] = cache_create(t, data, size_B); /* nobody has asked for its kernels */
    REQUIRE_EQ(vkMergePipelineCaches(t->f.dev, caches[0], 1, &caches[1]), VK_SUCCESS);
    REQUIRE(!has(t, caches[0], &steps));
    REQUIRE_EQ(vkMergePipelineCaches(t->f.dev, caches[0], 2, &caches[2]), VK_SUCCESS);
    for (uint32_t i = 1; i < 4; i++)
        vkDestroyPipelineCache(t->f.dev, caches[i], NULL);
    REQUIRE(has(t, caches[0], &number) && has(t, caches[0], &steps));
    vkDestroyPipelineCache(t->f.dev, caches[0], NULL);
    free(data);
}

struct thread {
    pthread_t id;
    struct test *t;
    VkPipelineCache cache;
    VkPipelineCache other;
};

static void *
thread_run(void *arg)
{
    struct thread *thread = arg;
    uint8_t *data;
    for (uint32_t i = 0; i < 40; i++) {
        (void)is_hit(thread->t, thread->cache, i % 2 ? &number : &steps);
        if (i % 8 == 0) {
            (void)cache_data(thread->t, thread->other, &data);
            free(data);
        }
        if (i % 16 == 3)
            REQUIRE_EQ(vkMergePipelineCaches(thread->t->f.dev, thread->other, 1, &thread->cache),
                       VK_SUCCESS);
    }
    return NULL;
}

static void
threads_share_a_cache(struct test *t)
{
    struct thread threads[4];
    VkPipelineCache cache = cache_create(t, NULL, 0);
    for (uint32_t i = 0; i < 4; i++) {
        threads[i] = (struct thread){.t = t, .cache = cache, .other = cache_create(t, NULL, 0)};
        REQUIRE_EQ(pthread_create(&threads[i].id, NULL, thread_run, &threads[i]), 0);
    }
    for (uint32_t i = 0; i < 4; i++) {
        REQUIRE_EQ(pthread_join(threads[i].id, NULL), 0);
        REQUIRE(has(t, threads[i].other, &number) && has(t, threads[i].other, &steps));
        vkDestroyPipelineCache(t->f.dev, threads[i].other, NULL);
    }
    REQUIRE(has(t, cache, &number));
    vkDestroyPipelineCache(t->f.dev, cache, NULL);
}

int
main(void)
{
    struct test t = {0};
    fixture_init(&t.f);
    compute_init(&t.f, &t.c);
    the_second_time_is_a_hit(&t);
    what_changes_the_kernel_is_a_miss(&t);
    data_brings_kernels_back(&t);
    damage_is_noticed(&t);
    less_room_gives_fewer_entries(&t);
    merging_adds_what_is_new(&t);
    threads_share_a_cache(&t);
    compute_finish(&t.f, &t.c);
    fixture_finish(&t.f);
    return 0;
}
