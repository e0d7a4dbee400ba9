/* SPDX-License-Identifier: MIT */
/* A shader object's binary has its kernel for those who compile alike, and its key for all. */
#include "object/shader_binary.h"

#include "compute/compute.h"
#include "object/device.h"
#include "object/pipeline_cache.h"
#include "oom/kernel.h"
#include "reelpipe/cpu.h"
#include "test.h"

struct made {
    struct rp_physical_device pdevs[2]; /* of different builds */
    struct rp_device devs[2];
    struct rp_kernel *kernel;
    struct rp_cache_entry *code;
    uint8_t *data;
    size_t size_B;
};

static void
made_init(struct made *m)
{
    const struct rp_cache_key_info source = {
        .words = scenario_kernel, .word_count = sizeof(scenario_kernel) / 4, .entry_point = "main"};
    struct rp_shader *spirv;
    *m = (struct made){0};
    for (uint32_t i = 0; i < 2; i++) {
        m->pdevs[i].properties.pipelineCacheUUID[15] = (uint8_t)(i + 1);
        m->devs[i].physical_device = &m->pdevs[i];
    }
    REQUIRE_EQ(rp_shader_create(source.words, source.word_count, NULL, &spirv), VK_SUCCESS);
    const struct rp_kernel_info info = {
        .shader = spirv, .entry_point = "main", .cpu_flags = rp_cpu_flags()};
    REQUIRE_EQ(rp_kernel_create(&info, NULL, &m->kernel), VK_SUCCESS);
    rp_shader_destroy(spirv);
    m->code = rp_cache_entry_create(&source);
    REQUIRE(m->code);
    m->size_B = rp_shader_binary_write(&m->devs[0], m->code, m->kernel, NULL);
    m->data = malloc(m->size_B);
    REQUIRE(m->data);
    REQUIRE_EQ(rp_shader_binary_write(&m->devs[0], m->code, m->kernel, m->data), m->size_B);
}

static void
made_finish(struct made *m)
{
    rp_kernel_destroy(m->kernel);
    rp_cache_entry_destroy(m->code);
    free(m->data);
}

static void
another_build_has_the_key_alone(void)
{
    struct made m;
    made_init(&m);
    for (uint32_t i = 0; i < 2; i++) {
        struct rp_shader_binary binary;
        REQUIRE(rp_shader_binary_read(&m.devs[i], m.data, m.size_B, &binary));
        REQUIRE_EQ(binary.key_B, m.code->key_B);
        REQUIRE(memcmp(binary.key, m.code->bytes, binary.key_B) == 0);
        REQUIRE_EQ(!binary.kernel, i == 1);
    }
    made_finish(&m);
}

static void
the_kernel_is_the_saved_one(void)
{
    struct made m;
    struct rp_shader_binary binary;
    struct rp_kernel *kernel;
    made_init(&m);
    REQUIRE(rp_shader_binary_read(&m.devs[0], m.data, m.size_B, &binary));
    REQUIRE_EQ(binary.kernel + binary.kernel_B, m.data + m.size_B);
    REQUIRE_EQ(rp_kernel_load(binary.kernel, binary.kernel_B, rp_cpu_flags(), &kernel), VK_SUCCESS);
    rp_kernel_destroy(kernel);
    made_finish(&m);
}

/* Of a copy with nothing behind it, as sanitizers see. */
static void
cut_short_it_is_none(void)
{
    struct made m;
    made_init(&m);
    for (size_t size_B = 1; size_B < m.size_B; size_B += size_B < 100 ? 1 : 101) {
        struct rp_shader_binary binary;
        uint8_t *copy = malloc(size_B);
        REQUIRE(copy);
        memcpy(copy, m.data, size_B);
        REQUIRE(!rp_shader_binary_read(&m.devs[0], copy, size_B, &binary));
        free(copy);
    }
    made_finish(&m);
}

int
main(void)
{
    RUN(another_build_has_the_key_alone);
    RUN(the_kernel_is_the_saved_one);
    RUN(cut_short_it_is_none);
    return 0;
}
