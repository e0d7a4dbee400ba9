/* SPDX-License-Identifier: MIT */
/* A texel that all invocations read is read once: as it is when they come there, for those that
 * come there, and zero where there is none. One that all of them write is written once. What is
 * known of an image is known for one dispatch. */
#include "harness.h"

#define GROUPS 5u
#define ROWS 13u
#define MAX_SIZE 256u
#define WORDS 8u
#define IMAGES 3u /* the last one is empty */

static uint32_t memory[2][IMAGES - 1][ROWS][GROUPS], words[WORDS], out[GROUPS * MAX_SIZE];
static uint32_t (*images)[ROWS][GROUPS]; /* of the dispatch */

struct push {
    int32_t which;
    int32_t word;
    int32_t level;
};

static struct rp_texture
texture_of(uint32_t texels[ROWS][GROUPS], struct rp_texture_level *level)
{
    *level = (struct rp_texture_level){
        .data = (uint8_t *)texels,
        .width_px = GROUPS,
        .height_px = ROWS,
        .depth_px = 1,
        .row_B = GROUPS * 4,
        .slice_B = sizeof(images[0]),
        .layer_B = sizeof(images[0]),
    };
    return (struct rp_texture){
        .type = VK_IMAGE_VIEW_TYPE_2D,
        .format = VK_FORMAT_R32_UINT,
        .plane_count = 1,
        .level_count = 1,
        .layer_count = 1,
        .sample_count = 1,
        .levels = level,
    };
}

static uint32_t
expected(const struct push *push, bool is_reordered, uint32_t size, uint32_t group, uint32_t lane)
{
    uint32_t sum = 0, some = 5;

    for (uint32_t turn = 0; turn < size; turn += 5)
        sum = sum * 31 + turn * 7 + 1;
    if (lane % 4 == 1)
        some = images[0][2][group];
    else if (lane % 4 == 2)
        some += images[0][3][group];
    sum = sum * 31 + some;
    sum = sum * 31 + images[0][4 + lane % 8][group];
    sum = sum * 31 + (push->which < 2 ? images[push->which][2][group] : 0);
    sum = sum * 31; /* outside */
    sum = sum * 31 + ((uint32_t)push->word < WORDS ? words[push->word] : 0);
    return sum * 31 + (push->level == 0 && !is_reordered ? images[1][5][group] : 0);
}

static void
run(struct rp_dispatcher *dispatcher, const struct rp_kernel *kernel,
    const struct rp_descriptor_array *by_binding, const struct push *push)
{
    struct rp_descriptor_array arrays[BINDING_COUNT];
    uint8_t constants[RP_MAX_PUSH_CONSTANT_B] = {0};
    uint32_t count;
    const struct rp_kernel_binding *bindings = rp_kernel_bindings(kernel, &count);
    for (uint32_t i = 0; i < count; i++)
        arrays[i] = by_binding[bindings[i].binding];
    memcpy(constants, push, sizeof(*push));
    const struct rp_dispatch dispatch = {
        .kernel = kernel,
        .bindings = arrays,
        .push_constants = constants,
        .group_count = {GROUPS, 1, 1},
    };
    REQUIRE_EQ(rp_dispatcher_run(dispatcher, &dispatch), VK_SUCCESS);
}

static void
check(struct rp_dispatcher *dispatcher, const struct rp_kernel *kernel, uint32_t size,
      const struct push *push, bool is_reordered)
{
    static struct rp_texture_level all_levels[2][IMAGES - 1];
    struct rp_texture_level *levels = all_levels[images == memory[1]];
    const struct rp_texture textures[IMAGES - 1] = {texture_of(images[0], &levels[0]),
                                                    texture_of(images[1], &levels[1])};
    struct rp_texture fetched = textures[1]; /* may have its first component where none is */
    if (is_reordered)
        fetched.swizzle.r = VK_COMPONENT_SWIZZLE_G;
    const struct rp_sampler_state sampler = {.max_lod = 1.0f};
    const struct rp_descriptor views[IMAGES] = {{.view = &textures[0]}, {.view = &textures[1]}};
    const struct rp_descriptor written = {.ptr = (uint8_t *)out, .size_B = sizeof(out)};
    const struct rp_descriptor texels = {
        .ptr = (uint8_t *)words, .size_B = sizeof(words), .format = VK_FORMAT_R32_UINT};
    const struct rp_descriptor sampled = {.view = &fetched, .sampler = &sampler};
    const struct rp_descriptor_array arrays[BINDING_COUNT] = {
        {.items = views, .count = IMAGES},
        {.items = &written, .count = 1},
        {.items = &texels, .count = 1},
        {.items = &sampled, .count = 1},
    };

    memset(out, 0, sizeof(out));
    run(dispatcher, kernel, arrays, push);
    for (uint32_t group = 0; group < GROUPS; group++) {
        for (uint32_t lane = 0; lane < size; lane++)
            REQUIRE_EQ(out[group * size + lane], expected(push, is_reordered, size, group, lane));
        REQUIRE_EQ(images[1][0][group], group * 3 + 0x10007);
        REQUIRE_EQ(images[1][1][group], group + 5);
        if (push->which < 2)
            REQUIRE_EQ(images[push->which][12][group], (uint32_t)push->level);
    }
}

int
main(void)
{
    static const uint32_t sizes[] = {16, 64, 100, MAX_SIZE};
    static const struct push pushes[] = {
        {0, 0, 0}, {1, WORDS - 1, 0}, {2, WORDS, 1}, {1, -1, -1}, {0, 1 << 30, INT32_MIN}};
    uint64_t state = 3;

    for (uint32_t i = 0; i < sizeof(memory) / 4; i++)
        ((uint32_t *)memory)[i] = (uint32_t)test_random(&state);
    for (uint32_t i = 0; i < WORDS; i++)
        words[i] = (uint32_t)test_random(&state);
    struct rp_dispatcher *dispatcher = rp_dispatcher_create(NULL);
    REQUIRE(dispatcher);
    for (uint32_t i = 0; i < ISA_COUNT * 4; i++) {
        static const VkSpecializationMapEntry entry = {0, 0, 4};
        const uint32_t size = sizes[i % 4];
        const VkSpecializationInfo info = {1, &entry, sizeof(size), &size};
        struct rp_kernel *kernel = kernel_load_specialized("same_texel", isa_flags[i / 4], &info);
        for (uint32_t p = 0; p < 2 * sizeof(pushes) / sizeof(pushes[0]); p++) {
            images = memory[p % 2];
            check(dispatcher, kernel, size, &pushes[p / 2], p % 4 == 3);
        }
        rp_kernel_destroy(kernel);
    }
    rp_dispatcher_destroy(dispatcher);
    return 0;
}
