/* SPDX-License-Identifier: MIT */
/* VK_EXT_shader_object: a shader object's binary is the same shader, on other devices, too.
 */
#include "shader_many.h"

#include "api_shaders.h"

static void
a_binary_comes_whole_or_not_at_all(struct fixture *f)
{
    struct compute c = {0};
    compute_init(f, &c);
    const VkShaderCreateInfoEXT info = shader_info(&c, spirv_number, sizeof(spirv_number));
    const VkShaderEXT shader = shader_create(f, &info);
    void *data;
    const size_t whole_B = shader_binary(f, shader, &data);
    uint8_t *again = malloc(whole_B + 16);
    REQUIRE(again);
    for (size_t room_B = 0; room_B <= whole_B + 16; room_B += room_B < whole_B ? whole_B / 2 : 16) {
        size_t size_B = room_B;
        memset(again, 0xee, whole_B + 16);
        if (room_B < whole_B) {
            REQUIRE_EQ(vkGetShaderBinaryDataEXT(f->dev, shader, &size_B, again), VK_INCOMPLETE);
            REQUIRE_EQ(size_B, 0);
            REQUIRE(again[0] == 0xee && again[room_B] == 0xee);
        } else {
            REQUIRE_EQ(vkGetShaderBinaryDataEXT(f->dev, shader, &size_B, again), VK_SUCCESS);
            REQUIRE_EQ(size_B, whole_B);
            REQUIRE(memcmp(again, data, whole_B) == 0 && again[whole_B] == 0xee);
        }
    }
    free(again);
    free(data);
    vkDestroyShaderEXT(f->dev, shader, f->alloc);
    compute_finish(f, &c);
}

/* A device with hardly more than shaderObject: kernels for its buffers are not those of the
 * fixture's. */
static void
plain_init(struct fixture *f, const struct fixture *of)
{
    static const float priority = 1.0f;
    static const char *const names[] = {VK_EXT_SHADER_OBJECT_EXTENSION_NAME};
    const VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                           .queueCount = 1,
                                           .pQueuePriorities = &priority};
    const VkPhysicalDeviceShaderObjectFeaturesEXT shaders = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_OBJECT_FEATURES_EXT,
        .shaderObject = VK_TRUE};
    const VkPhysicalDeviceVulkan13Features v13 = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
        .pNext = (void *)&shaders,
        .synchronization2 = VK_TRUE};
    const VkPhysicalDeviceVulkan12Features v12 = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
        .pNext = (void *)&v13,
        .bufferDeviceAddress = VK_TRUE}; /* test_buffer_create() */
    const VkDeviceCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
        .pNext = &v12,
        .queueCreateInfoCount = 1,
        .pQueueCreateInfos = &queue,
        .enabledExtensionCount = 1,
        .ppEnabledExtensionNames = names,
    };
    const VkCommandPoolCreateInfo pool = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
        .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT,
    };
    const VkFenceCreateInfo fence = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    *f = *of;
    REQUIRE_EQ(vkCreateDevice(f->pdev, &info, f->alloc, &f->dev), VK_SUCCESS);
    vkGetDeviceQueue(f->dev, 0, 0, &f->queue);
    REQUIRE_EQ(vkCreateCommandPool(f->dev, &pool, f->alloc, &f->pool), VK_SUCCESS);
    REQUIRE_EQ(vkCreateFence(f->dev, &fence, f->alloc, &f->fence), VK_SUCCESS);
    f->cb = test_cb_create(f, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
}

static void
plain_finish(struct fixture *f)
{
    vkDestroyFence(f->dev, f->fence, f->alloc);
    vkDestroyCommandPool(f->dev, f->pool, f->alloc);
    vkDestroyDevice(f->dev, f->alloc);
}

/* shader has the binary that SPIR-V would give it on this device. */
static void
require_made_anew(struct fixture *f, const struct compute *c, VkShaderEXT shader,
                  const VkShaderCreateInfoEXT *info)
{
    VkShaderCreateInfoEXT own = *info;
    void *data[2];
    own.pSetLayouts = &c->set_layout;
    const VkShaderEXT fresh = shader_create(f, &own);
    const size_t size_B = shader_binary(f, shader, &data[0]);
    REQUIRE_EQ(shader_binary(f, fresh, &data[1]), size_B);
    REQUIRE(memcmp(data[0], data[1], size_B) == 0);
    vkDestroyShaderEXT(f->dev, fresh, f->alloc);
    free(data[0]);
    free(data[1]);
}

/* Constants and all, from device to device. */
static void
a_binary_is_the_same_shader(struct fixture *f)
{
    struct fixture plain;
    struct compute c = {0};
    struct shader_many m;
    void *data, *elsewhere;
    shader_many_init(f, &m, spirv_constant, sizeof(spirv_constant));
    REQUIRE_EQ(shader_many_create(f, &m), VK_SUCCESS);
    const size_t size_B = shader_binary(f, m.shaders[10], &data);
    const VkShaderEXT here = shader_binary_create(f, &m.c, data, size_B);
    require_made_anew(f, &m.c, here, &m.infos[10]);
    shader_require_numbers(f, &m.c, here, 11);
    vkDestroyShaderEXT(f->dev, here, f->alloc);

    plain_init(&plain, f);
    compute_init(&plain, &c);
    const VkShaderEXT there = shader_binary_create(&plain, &c, data, size_B);
    require_made_anew(&plain, &c, there, &m.infos[10]);
    shader_require_numbers(&plain, &c, there, 11);
    REQUIRE_EQ(shader_binary(&plain, there, &elsewhere), size_B);
    REQUIRE(memcmp(elsewhere, data, size_B) == 0); /* whatever features there are */
    vkDestroyShaderEXT(plain.dev, there, plain.alloc);
    compute_finish(&plain, &c);
    plain_finish(&plain);

    shader_many_finish(f, &m);
    free(elsewhere);
    free(data);
}

#define FAR 0x40000000u /* words: 4 GiB */

static void
require_exact_bounds(struct fixture *f, const struct compute *c, VkShaderEXT shader)
{
    shader_begin(f, c, shader, FAR);
    for (uint32_t i = 0; i < COMPUTE_WORDS; i++)
        c->buf.words[i] = 100 + i;
    vkCmdDispatch(f->cb, COMPUTE_WORDS / 16, 1, 1);
    test_submit_and_wait(f);
    shader_require_words(c, 0, COMPUTE_WORDS, 5, 0);
}

/* With robustBufferAccess2 the kernel is another one: no index comes back into the buffer. The
 * binary is the same. */
static void
the_device_says_what_bounds_are(struct fixture *f)
{
    struct fixture plain;
    struct compute c = {0};
    void *data;
    plain_init(&plain, f);
    compute_init(&plain, &c);
    VkShaderCreateInfoEXT info = shader_info(&c, spirv_far, sizeof(spirv_far));
    const VkShaderEXT loose = shader_create(&plain, &info);
    const size_t size_B = shader_binary(&plain, loose, &data);
    vkDestroyShaderEXT(plain.dev, loose, plain.alloc);
    compute_finish(&plain, &c);
    plain_finish(&plain);

    compute_init(f, &c);
    info.pSetLayouts = &c.set_layout;
    const VkShaderEXT exact[2] = {shader_create(f, &info),
                                  shader_binary_create(f, &c, data, size_B)};
    for (uint32_t i = 0; i < 2; i++) {
        void *own;
        REQUIRE_EQ(shader_binary(f, exact[i], &own), size_B);
        REQUIRE(memcmp(own, data, size_B) == 0);
        require_exact_bounds(f, &c, exact[i]);
        vkDestroyShaderEXT(f->dev, exact[i], f->alloc);
        free(own);
    }
    compute_finish(f, &c);
    free(data);
}

static void
uuid_read(const struct fixture *f, uint8_t out[VK_UUID_SIZE])
{
    VkPhysicalDeviceShaderObjectPropertiesEXT own = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_OBJECT_PROPERTIES_EXT};
    VkPhysicalDeviceProperties2 properties = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &own};
    vkGetPhysicalDeviceProperties2(f->pdev, &properties);
    memcpy(out, own.shaderBinaryUUID, VK_UUID_SIZE);
}

/* A kind of CPU takes no kernels of another one; the shader is the same. */
static void
another_cpu_takes_the_binary(struct fixture *f)
{
    struct fixture other = {0};
    struct compute c = {0};
    struct shader_many m;
    void *data;
    uint8_t uuids[2][VK_UUID_SIZE];
    if (getenv("REELPIPE_CPU"))
        return;
    shader_many_init(f, &m, spirv_constant, sizeof(spirv_constant));
    REQUIRE_EQ(shader_many_create(f, &m), VK_SUCCESS);
    const size_t size_B = shader_binary(f, m.shaders[10], &data);
    shader_many_finish(f, &m);
    uuid_read(f, uuids[0]);

    REQUIRE_EQ(setenv("REELPIPE_CPU", "0", 1), 0);
    fixture_init(&other);
    uuid_read(&other, uuids[1]);
    REQUIRE(memcmp(uuids[0], uuids[1], VK_UUID_SIZE) == 0);
    compute_init(&other, &c);
    const VkShaderEXT shader = shader_binary_create(&other, &c, data, size_B);
    require_made_anew(&other, &c, shader, &m.infos[10]);
    shader_require_numbers(&other, &c, shader, 11);
    vkDestroyShaderEXT(other.dev, shader, other.alloc);
    compute_finish(&other, &c);
    fixture_finish(&other);
    REQUIRE_EQ(unsetenv("REELPIPE_CPU"), 0);
    vk_functions_load_instance(f->instance);
    vk_functions_load_device(f->dev);
    free(data);
}

static void
require_incompatible(struct fixture *f, const struct compute *c, const void *data, size_t size_B)
{
    VkShaderEXT shader;
    memset(&shader, 0xee, sizeof(shader));
    REQUIRE_EQ(shader_binary_try(f, c, data, size_B, &shader), VK_INCOMPATIBLE_SHADER_BINARY_EXT);
    REQUIRE(!shader);
}

static void
damage_is_incompatible(struct fixture *f)
{
    struct compute c = {0};
    compute_init(f, &c);
    const VkShaderCreateInfoEXT info = shader_info(&c, spirv_number, sizeof(spirv_number));
    const VkShaderEXT shader = shader_create(f, &info);
    void *binary;
    const size_t size_B = shader_binary(f, shader, &binary);
    uint8_t *data = calloc(1, size_B + 16);
    REQUIRE(data);
    memcpy(data, binary, size_B);
    for (size_t i = 0; i < size_B; i += i < 128 ? 1 : 97) {
        data[i] ^= (uint8_t)(1u << i % 8);
        require_incompatible(f, &c, data, size_B);
        data[i] ^= (uint8_t)(1u << i % 8);
        if (i)
            require_incompatible(f, &c, data, i);
    }
    require_incompatible(f, &c, data, size_B + 16);
    require_incompatible(f, &c, spirv_number, sizeof(spirv_number));
    const VkShaderEXT again = shader_binary_create(f, &c, data, size_B);
    shader_require_numbers(f, &c, again, 1);
    vkDestroyShaderEXT(f->dev, again, f->alloc);
    vkDestroyShaderEXT(f->dev, shader, f->alloc);
    free(data);
    free(binary);
    compute_finish(f, &c);
}

static const struct test_case cases[] = {
    TEST_CASE(a_binary_comes_whole_or_not_at_all),
    TEST_CASE(a_binary_is_the_same_shader),
    TEST_CASE(the_device_says_what_bounds_are),
    TEST_CASE(another_cpu_takes_the_binary),
    TEST_CASE(damage_is_incompatible),
};

TEST_MAIN(cases)
