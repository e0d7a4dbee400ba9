/* SPDX-License-Identifier: MIT */
/* Resources, pipelines and input of the compute benchmark.
 */
#include "compute_gpu.h"

#include <string.h>

static const struct {
    VkFormat format;
    uint32_t width, height, texel_B;
} image_infos[GPU_IMAGES] = {
    {VK_FORMAT_R8G8B8A8_UNORM, PICTURE_WIDTH, PICTURE_HEIGHT, 4},
    {VK_FORMAT_R8_UNORM, PICTURE_WIDTH, PICTURE_HEIGHT, 1},
    {VK_FORMAT_R8G8_UNORM, PICTURE_WIDTH / 2, PICTURE_HEIGHT / 2, 2},
    {VK_FORMAT_R8_UNORM, PICTURE_WIDTH, PICTURE_HEIGHT, 1},
    {VK_FORMAT_R8_UNORM, PICTURE_WIDTH, PICTURE_HEIGHT, 1},
};

static void
create_image(struct gpu *gpu, uint32_t i)
{
    const VkImageCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
        .imageType = VK_IMAGE_TYPE_2D,
        .format = image_infos[i].format,
        .extent = {image_infos[i].width, image_infos[i].height, 1},
        .mipLevels = 1,
        .arrayLayers = 1,
        .samples = VK_SAMPLE_COUNT_1_BIT,
        .usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT |
                 VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_SAMPLED_BIT,
    };
    BENCH_CHECK(vkCreateImage(gpu->dev.device, &info, NULL, &gpu->images[i]));
    VkMemoryRequirements needs;
    vkGetImageMemoryRequirements(gpu->dev.device, gpu->images[i], &needs);
    const VkMemoryAllocateInfo memory = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
        .allocationSize = needs.size,
        .memoryTypeIndex = (uint32_t)__builtin_ctz(needs.memoryTypeBits),
    };
    BENCH_CHECK(vkAllocateMemory(gpu->dev.device, &memory, NULL, &gpu->image_memory[i]));
    BENCH_CHECK(vkBindImageMemory(gpu->dev.device, gpu->images[i], gpu->image_memory[i], 0));
    const VkImageViewCreateInfo view = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
        .image = gpu->images[i],
        .viewType = VK_IMAGE_VIEW_TYPE_2D,
        .format = image_infos[i].format,
        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1},
    };
    BENCH_CHECK(vkCreateImageView(gpu->dev.device, &view, NULL, &gpu->views[i]));
}

static void
transition_images(struct gpu *gpu)
{
    bench_begin(&gpu->dev);
    for (uint32_t i = 0; i < GPU_IMAGES; i++) {
        const VkImageMemoryBarrier barrier = {
            .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
            .dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT,
            .newLayout = VK_IMAGE_LAYOUT_GENERAL,
            .image = gpu->images[i],
            .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1},
        };
        vkCmdPipelineBarrier(gpu->dev.cb, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT,
                             VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, NULL, 0, NULL, 1, &barrier);
    }
    bench_end(&gpu->dev);
    bench_submit_and_wait(&gpu->dev);
}

static VkDescriptorType
binding_type(uint32_t binding)
{
    return binding < 3    ? VK_DESCRIPTOR_TYPE_STORAGE_BUFFER
           : binding == 8 ? VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER
                          : VK_DESCRIPTOR_TYPE_STORAGE_IMAGE;
}

static void
create_layouts(struct gpu *gpu)
{
    VkDescriptorSetLayoutBinding bindings[8];
    uint32_t count = 0;
    for (uint32_t b = 0; b < 9; b++)
        if (b != 3)
            bindings[count++] = (VkDescriptorSetLayoutBinding){
                .binding = b,
                .descriptorType = binding_type(b),
                .descriptorCount = 1,
                .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT,
            };
    const VkDescriptorSetLayoutCreateInfo set = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = count,
        .pBindings = bindings,
    };
    BENCH_CHECK(vkCreateDescriptorSetLayout(gpu->dev.device, &set, NULL, &gpu->set_layout));
    const VkPushConstantRange push = {VK_SHADER_STAGE_COMPUTE_BIT, 0, 16};
    const VkPipelineLayoutCreateInfo layout = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
        .setLayoutCount = 1,
        .pSetLayouts = &gpu->set_layout,
        .pushConstantRangeCount = 1,
        .pPushConstantRanges = &push,
    };
    BENCH_CHECK(vkCreatePipelineLayout(gpu->dev.device, &layout, NULL, &gpu->layout));
}

static void
write_set(struct gpu *gpu)
{
    for (uint32_t b = 0; b < 9; b++) {
        const VkDescriptorBufferInfo buffer = {
            .buffer = b < 3 ? gpu->buffers[b].buffer : VK_NULL_HANDLE, .range = VK_WHOLE_SIZE};
        const VkDescriptorImageInfo image = {
            .sampler = gpu->sampler,
            .imageView = b > 3 ? gpu->views[b - 4] : VK_NULL_HANDLE,
            .imageLayout = VK_IMAGE_LAYOUT_GENERAL,
        };
        const VkWriteDescriptorSet write = {
            .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
            .dstSet = gpu->set,
            .dstBinding = b,
            .descriptorCount = 1,
            .descriptorType = binding_type(b),
            .pBufferInfo = &buffer,
            .pImageInfo = &image,
        };
        if (b != 3)
            vkUpdateDescriptorSets(gpu->dev.device, 1, &write, 0, NULL);
    }
}

static void
create_set(struct gpu *gpu)
{
    const VkDescriptorPoolSize sizes[] = {
        {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 3},
        {VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, 4},
        {VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1},
    };
    const VkDescriptorPoolCreateInfo pool = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
        .maxSets = 1,
        .poolSizeCount = 3,
        .pPoolSizes = sizes,
    };
    BENCH_CHECK(vkCreateDescriptorPool(gpu->dev.device, &pool, NULL, &gpu->pool));
    const VkDescriptorSetAllocateInfo set = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
        .descriptorPool = gpu->pool,
        .descriptorSetCount = 1,
        .pSetLayouts = &gpu->set_layout,
    };
    BENCH_CHECK(vkAllocateDescriptorSets(gpu->dev.device, &set, &gpu->set));
    write_set(gpu);
}

int
gpu_open(struct gpu *gpu, const char *name)
{
    const VkBufferUsageFlags usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
                                     VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                                     VK_BUFFER_USAGE_TRANSFER_DST_BIT;
    const VkSamplerCreateInfo sampler = {
        .sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
        .magFilter = VK_FILTER_LINEAR,
        .minFilter = VK_FILTER_LINEAR,
        .addressModeU = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
        .addressModeV = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
        .addressModeW = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
    };

    if (!bench_device_open(&gpu->dev, name))
        return 0;
    for (uint32_t i = 0; i < 3; i++)
        gpu->buffers[i] = bench_buffer_create(&gpu->dev, GPU_BUFFER_B, usage);
    gpu->staging = bench_buffer_create(&gpu->dev, GPU_BUFFER_B, usage);
    for (uint32_t i = 0; i < GPU_IMAGES; i++)
        create_image(gpu, i);
    transition_images(gpu);
    BENCH_CHECK(vkCreateSampler(gpu->dev.device, &sampler, NULL, &gpu->sampler));
    create_layouts(gpu);
    create_set(gpu);
    return 1;
}

void
gpu_close(struct gpu *gpu)
{
    vkDestroyDescriptorPool(gpu->dev.device, gpu->pool, NULL);
    vkDestroyPipelineLayout(gpu->dev.device, gpu->layout, NULL);
    vkDestroyDescriptorSetLayout(gpu->dev.device, gpu->set_layout, NULL);
    vkDestroySampler(gpu->dev.device, gpu->sampler, NULL);
    for (uint32_t i = 0; i < GPU_IMAGES; i++) {
        vkDestroyImageView(gpu->dev.device, gpu->views[i], NULL);
        vkDestroyImage(gpu->dev.device, gpu->images[i], NULL);
        vkFreeMemory(gpu->dev.device, gpu->image_memory[i], NULL);
    }
    for (uint32_t i = 0; i < 3; i++)
        bench_buffer_destroy(&gpu->dev, &gpu->buffers[i]);
    bench_buffer_destroy(&gpu->dev, &gpu->staging);
    bench_device_close(&gpu->dev);
}

VkPipeline
gpu_pipeline(const struct gpu *gpu, const uint32_t *spirv, size_t spirv_B)
{
    return gpu_pipeline_flagged(gpu, spirv, spirv_B, 0);
}

VkPipeline
gpu_pipeline_flagged(const struct gpu *gpu, const uint32_t *spirv, size_t spirv_B,
                     VkPipelineCreateFlags flags)
{
    const VkShaderModuleCreateInfo module_info = {
        .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
        .codeSize = spirv_B,
        .pCode = spirv,
    };
    VkShaderModule module;
    BENCH_CHECK(vkCreateShaderModule(gpu->dev.device, &module_info, NULL, &module));
    const VkComputePipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .flags = flags,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .module = module,
                  .pName = "main"},
        .layout = gpu->layout,
    };
    VkPipeline pipeline = VK_NULL_HANDLE;
    if (vkCreateComputePipelines(gpu->dev.device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline) !=
        VK_SUCCESS)
        pipeline = VK_NULL_HANDLE;
    vkDestroyShaderModule(gpu->dev.device, module, NULL);
    return pipeline;
}

static void
record(const struct gpu *gpu, const struct kernel *k, VkPipeline pipeline, uint32_t dispatch_count,
       bool are_ordered)
{
    const VkMemoryBarrier barrier = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
        .srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT,
        .dstAccessMask = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT,
    };
    bench_begin(&gpu->dev);
    vkCmdBindPipeline(gpu->dev.cb, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    vkCmdBindDescriptorSets(gpu->dev.cb, VK_PIPELINE_BIND_POINT_COMPUTE, gpu->layout, 0, 1,
                            &gpu->set, 0, NULL);
    vkCmdPushConstants(gpu->dev.cb, gpu->layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, 16, k->push);
    for (uint32_t i = 0; i < dispatch_count; i++) {
        vkCmdDispatch(gpu->dev.cb, k->groups[0], k->groups[1], k->groups[2]);
        if (dispatch_count > 1 && are_ordered)
            vkCmdPipelineBarrier(gpu->dev.cb, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                                 VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, 0, 1, &barrier, 0, NULL, 0,
                                 NULL);
    }
    bench_end(&gpu->dev);
}

void
gpu_record(const struct gpu *gpu, const struct kernel *k, VkPipeline pipeline,
           uint32_t dispatch_count)
{
    record(gpu, k, pipeline, dispatch_count, true);
}

void
gpu_record_beside(const struct gpu *gpu, const struct kernel *k, VkPipeline pipeline,
                  uint32_t dispatch_count)
{
    record(gpu, k, pipeline, dispatch_count, false);
}

static void
fill_bytes(uint8_t *out, uint64_t size_B, enum input input, uint32_t seed)
{
    for (uint64_t i = 0; i + 4 <= size_B; i += 4) {
        seed = seed * 1664525 + 1013904223;
        uint32_t word = seed ^ seed >> 15;
        if (input == INPUT_FLOATS) {
            const float value = (float)(word >> 8) / 16777216.0f;
            memcpy(&word, &value, sizeof(word));
        }
        memcpy(out + i, &word, sizeof(word));
    }
}

static VkBufferImageCopy
whole_image(uint32_t i)
{
    return (VkBufferImageCopy){
        .imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
        .imageExtent = {image_infos[i].width, image_infos[i].height, 1},
    };
}

void
gpu_fill(struct gpu *gpu, const struct kernel *k)
{
    fill_bytes(gpu->buffers[0].data, k->in_B, k->input, 1);
    fill_bytes(gpu->buffers[2].data, k->in_B, k->input, 2);
    memset(gpu->buffers[1].data, 0, k->out_B);
    if (k->images == IMAGES_NONE)
        return;

    fill_bytes(gpu->staging.data, 4ull * PICTURE_WIDTH * PICTURE_HEIGHT, INPUT_BYTES, 3);
    for (uint32_t i = 0; i < GPU_IMAGES; i++) {
        const VkBufferImageCopy region = whole_image(i);
        bench_begin(&gpu->dev);
        vkCmdCopyBufferToImage(gpu->dev.cb, gpu->staging.buffer, gpu->images[i],
                               VK_IMAGE_LAYOUT_GENERAL, 1, &region);
        bench_end(&gpu->dev);
        bench_submit_and_wait(&gpu->dev);
    }
}

uint64_t
gpu_read_image(struct gpu *gpu, uint32_t i)
{
    const VkBufferImageCopy region = whole_image(i);
    bench_begin(&gpu->dev);
    vkCmdCopyImageToBuffer(gpu->dev.cb, gpu->images[i], VK_IMAGE_LAYOUT_GENERAL,
                           gpu->staging.buffer, 1, &region);
    bench_end(&gpu->dev);
    bench_submit_and_wait(&gpu->dev);
    return (uint64_t)image_infos[i].width * image_infos[i].height * image_infos[i].texel_B;
}
