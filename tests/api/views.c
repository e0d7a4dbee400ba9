/* SPDX-License-Identifier: MIT */
/* Views of depth slices and of single layers, as shaders see them.
 */
#include "fixture.h"

#include "api_shaders.h"

enum { PART, SLICE, LAYERS, RESULT, WHOLE, BINDINGS };

#define RESULTS 10

#define DEPTH 6u

struct views {
    VkDescriptorSetLayout set_layout;
    VkPipelineLayout layout;
    VkPipeline pipeline;
    VkDescriptorPool pool;
    VkDescriptorSet set;
    struct test_image volume; /* texel (x, y, z) is 100 z + x + 10 y */
    struct test_image flat;   /* 2D, texel (x, y) is 5000 + x + 10 y */
    struct test_buffer result;
};

static VkDescriptorType
binding_type(uint32_t binding)
{
    if (binding == RESULT)
        return VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
    return binding == WHOLE ? VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE : VK_DESCRIPTOR_TYPE_STORAGE_IMAGE;
}

static void
pipeline_create(struct fixture *f, struct views *v)
{
    VkDescriptorSetLayoutBinding bindings[BINDINGS];
    for (uint32_t i = 0; i < BINDINGS; i++)
        bindings[i] = (VkDescriptorSetLayoutBinding){i, binding_type(i), 1,
                                                     VK_SHADER_STAGE_COMPUTE_BIT, NULL};
    const VkDescriptorSetLayoutCreateInfo set_layout = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = BINDINGS,
        .pBindings = bindings,
    };
    REQUIRE_EQ(vkCreateDescriptorSetLayout(f->dev, &set_layout, NULL, &v->set_layout), VK_SUCCESS);
    const VkPipelineLayoutCreateInfo layout = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
        .setLayoutCount = 1,
        .pSetLayouts = &v->set_layout,
    };
    REQUIRE_EQ(vkCreatePipelineLayout(f->dev, &layout, NULL, &v->layout), VK_SUCCESS);
    const VkShaderModuleCreateInfo code = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                           .codeSize = sizeof(spirv_views),
                                           .pCode = spirv_views};
    const VkComputePipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .pNext = &code,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .pName = "main"},
        .layout = v->layout,
    };
    REQUIRE_EQ(vkCreateComputePipelines(f->dev, VK_NULL_HANDLE, 1, &info, NULL, &v->pipeline),
               VK_SUCCESS);
}

static void
set_create(struct fixture *f, struct views *v)
{
    const VkDescriptorPoolSize sizes[3] = {{VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, 3},
                                           {VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, 1},
                                           {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1}};
    const VkDescriptorPoolCreateInfo pool = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
        .maxSets = 1,
        .poolSizeCount = 3,
        .pPoolSizes = sizes,
    };
    REQUIRE_EQ(vkCreateDescriptorPool(f->dev, &pool, NULL, &v->pool), VK_SUCCESS);
    const VkDescriptorSetAllocateInfo set = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
        .descriptorPool = v->pool,
        .descriptorSetCount = 1,
        .pSetLayouts = &v->set_layout,
    };
    REQUIRE_EQ(vkAllocateDescriptorSets(f->dev, &set, &v->set), VK_SUCCESS);
}

/* Texel (x, y, z) of img becomes base + 100 z + x + 10 y. */
static void
image_fill(struct fixture *f, const struct test_image *img, uint32_t base)
{
    const VkExtent3D e = img->info.extent;
    struct test_buffer buf =
        test_buffer_create(f, (VkDeviceSize)4 * e.width * e.height * e.depth, 0);
    for (uint32_t i = 0; i < e.width * e.height * e.depth; i++)
        buf.words[i] =
            base + i / (e.width * e.height) * 100 + i / e.width % e.height * 10 + i % e.width;
    const VkBufferImageCopy whole = {.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                                     .imageExtent = e};
    test_begin(f);
    vkCmdCopyBufferToImage(f->cb, buf.handle, img->handle, VK_IMAGE_LAYOUT_GENERAL, 1, &whole);
    test_submit_and_wait(f);
    test_buffer_destroy(f, &buf);
}

static struct views
views_create(struct fixture *f)
{
    struct views v = {0};
    pipeline_create(f, &v);
    set_create(f, &v);
    VkImageCreateInfo info = test_image_info(VK_FORMAT_R32_UINT, 4, 2);
    info.usage |= VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_SAMPLED_BIT;
    info.flags = VK_IMAGE_CREATE_ALIAS_SINGLE_LAYER_DESCRIPTOR_BIT_KHR;
    v.flat = test_image_create_with(f, &info);
    info.flags = VK_IMAGE_CREATE_2D_VIEW_COMPATIBLE_BIT_EXT;
    info.imageType = VK_IMAGE_TYPE_3D;
    info.extent.depth = DEPTH;
    v.volume = test_image_create_with(f, &info);
    image_fill(f, &v.volume, 0);
    image_fill(f, &v.flat, 5000);
    v.result = test_buffer_create(f, RESULTS * sizeof(uint32_t), 0xee);
    return v;
}

static void
views_destroy(struct fixture *f, struct views *v)
{
    test_buffer_destroy(f, &v->result);
    test_image_destroy(f, &v->flat);
    test_image_destroy(f, &v->volume);
    vkDestroyDescriptorPool(f->dev, v->pool, NULL);
    vkDestroyPipeline(f->dev, v->pipeline, NULL);
    vkDestroyPipelineLayout(f->dev, v->layout, NULL);
    vkDestroyDescriptorSetLayout(f->dev, v->set_layout, NULL);
}

static VkImageView
view_create(struct fixture *f, const struct test_image *img, VkImageViewType type,
            uint32_t base_layer, const void *chain)
{
    const VkImageViewCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
        .pNext = chain,
        .image = img->handle,
        .viewType = type,
        .format = VK_FORMAT_R32_UINT,
        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, base_layer, 1},
    };
    VkImageView view;
    REQUIRE_EQ(vkCreateImageView(f->dev, &info, NULL, &view), VK_SUCCESS);
    return view;
}

static void
run(struct fixture *f, struct views *v, const VkImageView views[3])
{
    VkDescriptorImageInfo images[BINDINGS];
    VkWriteDescriptorSet writes[BINDINGS];
    const VkDescriptorBufferInfo result = {v->result.handle, 0, VK_WHOLE_SIZE};
    for (uint32_t i = 0; i < BINDINGS; i++) {
        writes[i] = (VkWriteDescriptorSet){
            .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
            .dstSet = v->set,
            .dstBinding = i,
            .descriptorCount = 1,
            .descriptorType = binding_type(i),
            .pBufferInfo = &result,
        };
        if (i == RESULT)
            continue;
        images[i] = (VkDescriptorImageInfo){VK_NULL_HANDLE, views[i == WHOLE ? PART : i],
                                            VK_IMAGE_LAYOUT_GENERAL};
        writes[i].pImageInfo = &images[i];
    }
    vkUpdateDescriptorSets(f->dev, BINDINGS, writes, 0, NULL);
    test_begin(f);
    vkCmdBindPipeline(f->cb, VK_PIPELINE_BIND_POINT_COMPUTE, v->pipeline);
    vkCmdBindDescriptorSets(f->cb, VK_PIPELINE_BIND_POINT_COMPUTE, v->layout, 0, 1, &v->set, 0,
                            NULL);
    vkCmdDispatch(f->cb, 1, 1, 1);
    test_submit_and_wait(f);
}

/* VK_EXT_image_sliced_view_of_3d, VK_EXT_image_2d_view_of_3d and maintenance11's single layers. */
static void
shaders_see_slices_of_volumes(struct fixture *f)
{
    static const struct {
        VkImageViewSlicedCreateInfoEXT part;
        bool is_whole;
        uint32_t slice;
        uint32_t expected[RESULTS];
    } rounds[] = {
        {{.sliceOffset = 2, .sliceCount = 2},
         false,
         5,
         {2, 201, 301, 0, 501, 1, 5001, 0, DEPTH, 101}},
        {{.sliceOffset = 4, .sliceCount = VK_REMAINING_3D_SLICES_EXT},
         false,
         0,
         {2, 401, 501, 0, 1, 1, 5001, 0, DEPTH, 101}},
        {{0}, true, 1, {DEPTH, 1, 101, 201, 101, 1, 5001, 0, DEPTH, 101}},
    };
    struct views v = views_create(f);
    for (uint32_t i = 0; i < sizeof(rounds) / sizeof(rounds[0]); i++) {
        VkImageViewSlicedCreateInfoEXT part = rounds[i].part;
        part.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_SLICED_CREATE_INFO_EXT;
        const VkImageView views[3] = {
            view_create(f, &v.volume, VK_IMAGE_VIEW_TYPE_3D, 0, rounds[i].is_whole ? NULL : &part),
            view_create(f, &v.volume, VK_IMAGE_VIEW_TYPE_2D, rounds[i].slice, NULL),
            view_create(f, &v.flat, VK_IMAGE_VIEW_TYPE_2D, 0, NULL),
        };
        run(f, &v, views);
        REQUIRE_BYTES(v.result.words, rounds[i].expected, sizeof(rounds[i].expected));
        for (uint32_t k = 0; k < 3; k++)
            vkDestroyImageView(f->dev, views[k], NULL);
    }
    views_destroy(f, &v);
}

/* The other way round: a shader without layers, a view with one. */
static void
a_view_of_one_layer_needs_no_layer(struct fixture *f)
{
    struct views v = views_create(f);
    const VkImageView views[3] = {
        view_create(f, &v.volume, VK_IMAGE_VIEW_TYPE_3D, 0, NULL),
        view_create(f, &v.flat, VK_IMAGE_VIEW_TYPE_2D_ARRAY, 0, NULL),
        view_create(f, &v.flat, VK_IMAGE_VIEW_TYPE_2D_ARRAY, 0, NULL),
    };
    const uint32_t expected[RESULTS] = {DEPTH, 1, 101, 201, 5001, 1, 5001, 0, DEPTH, 101};
    run(f, &v, views);
    REQUIRE_BYTES(v.result.words, expected, sizeof(expected));
    for (uint32_t k = 0; k < 3; k++)
        vkDestroyImageView(f->dev, views[k], NULL);
    views_destroy(f, &v);
}

static const struct test_case cases[] = {
    TEST_CASE(shaders_see_slices_of_volumes),
    TEST_CASE(a_view_of_one_layer_needs_no_layer),
};
TEST_MAIN(cases)
