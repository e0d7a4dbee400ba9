/* SPDX-License-Identifier: MIT */
/* The parts of --check without video: copies and a dispatch.
 */
#include "check.h"

#include "tools/encode/gpu.h"

#include <string.h>

#define SIDE_PX 96u
#define IMAGE_B (SIDE_PX * SIDE_PX * 4u)
#define FILL_B 4096u
#define FILL_VALUE 0x5eed1234u

#define WORDS 4096u
#define GROUP_WORDS 64u
#define FACTOR 0x9e3779b1u

static const VkDescriptorType storage = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;

/* A command buffer that is submitted and waited for. */
struct job {
    struct gpu *gpu;
    VkCommandPool pool;
    VkCommandBuffer cb;
    VkSemaphore done;
};

static struct job
job_begin(struct gpu *gpu)
{
    struct job job = {
        .gpu = gpu,
        .pool = gpu_command_pool_create(gpu, gpu->family),
        .done = gpu_timeline_create(gpu),
    };
    job.cb = gpu_command_buffer_create(gpu, job.pool);
    gpu_command_begin(gpu, job.cb);
    return job;
}

static void
job_finish(struct job *job)
{
    struct gpu *gpu = job->gpu;

    gpu_submit(gpu, gpu->queue, job->cb, (struct gpu_point){0}, (struct gpu_point){job->done, 1});
    gpu_timeline_wait(gpu, job->done, 1);
    gpu->vk.DestroySemaphore(gpu->device, job->done, NULL);
    gpu->vk.DestroyCommandPool(gpu->device, job->pool, NULL);
}

static uint32_t
word(uint32_t i)
{
    return i * 0x01000193u ^ i >> 3;
}

static void
record_copies(struct gpu *gpu, VkCommandBuffer cb, const struct gpu_buffer *from, VkImage image,
              const struct gpu_buffer *to)
{
    const VkBufferImageCopy region = {
        .imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
        .imageExtent = {SIDE_PX, SIDE_PX, 1},
    };

    gpu_image_barrier(gpu, cb, image, 0, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
    gpu->vk.CmdCopyBufferToImage(cb, from->handle, image, VK_IMAGE_LAYOUT_GENERAL, 1, &region);
    gpu_image_barrier(gpu, cb, image, 0, VK_IMAGE_LAYOUT_GENERAL, VK_IMAGE_LAYOUT_GENERAL);
    gpu->vk.CmdCopyImageToBuffer(cb, image, VK_IMAGE_LAYOUT_GENERAL, to->handle, 1, &region);
    gpu->vk.CmdFillBuffer(cb, to->handle, IMAGE_B, FILL_B, FILL_VALUE);
}

static void
copies_compare(const struct gpu_buffer *to)
{
    for (uint32_t i = 0; i < (IMAGE_B + FILL_B) / 4; i++) {
        const uint32_t expected = i < IMAGE_B / 4 ? word(i) : FILL_VALUE;
        uint32_t got;

        memcpy(&got, to->data + i * sizeof(got), sizeof(got));
        if (got != expected)
            die("word %u is %#x, not %#x", i, got, expected);
    }
}

void
check_copy(void)
{
    const struct gpu_work work = {.verb = "copies", .queue_flags = VK_QUEUE_TRANSFER_BIT};
    struct gpu gpu;
    struct gpu_buffer from;
    struct gpu_buffer to;
    struct gpu_image image;

    gpu_open(&gpu, CHECK_DEVICE, &work);
    gpu_buffer_create(&gpu, IMAGE_B, VK_BUFFER_USAGE_TRANSFER_SRC_BIT, NULL, &from);
    gpu_buffer_create(&gpu, IMAGE_B + FILL_B, VK_BUFFER_USAGE_TRANSFER_DST_BIT, NULL, &to);
    gpu_image_create(&gpu, VK_FORMAT_R8G8B8A8_UNORM, (VkExtent2D){SIDE_PX, SIDE_PX}, 1,
                     VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT |
                         VK_IMAGE_USAGE_SAMPLED_BIT,
                     NULL, &image);
    for (uint32_t i = 0; i < IMAGE_B / 4; i++) {
        const uint32_t value = word(i);
        memcpy(from.data + i * sizeof(value), &value, sizeof(value));
    }
    gpu_buffer_flush(&gpu, &from);

    struct job job = job_begin(&gpu);
    record_copies(&gpu, job.cb, &from, image.handle, &to);
    job_finish(&job);
    gpu_buffer_invalidate(&gpu, &to);
    copies_compare(&to);

    gpu_image_destroy(&gpu, &image);
    gpu_buffer_destroy(&gpu, &from);
    gpu_buffer_destroy(&gpu, &to);
    gpu_close(&gpu);
}

/* words[id] = words[id] * FACTOR + id, in workgroups of GROUP_WORDS, written out in SPIR-V 1.0: a
 * program of this size needs no compiler. */
#define OP(op, words) ((uint32_t)(words) << 16 | (op))

/* clang-format off */
enum {
    ID_MAIN = 1, ID_VOID, ID_FUNCTION, ID_UINT, ID_UVEC3, ID_IN_UVEC3, ID_IN_UINT, ID_GID, ID_ARRAY,
    ID_BLOCK, ID_PTR_BLOCK, ID_PTR_UINT, ID_WORDS, ID_0, ID_FACTOR, ID_LABEL, ID_X_PTR, ID_X,
    ID_WORD_PTR, ID_WORD, ID_PRODUCT, ID_SUM, ID_BOUND
};

static const uint32_t shader[] = {
    0x07230203, 0x00010000, 0, ID_BOUND, 0,
    OP(17, 2), 1,                                        /* OpCapability Shader */
    OP(14, 3), 0, 1,                                     /* OpMemoryModel Logical GLSL450 */
    OP(15, 6), 5, ID_MAIN, 0x6e69616d, 0, ID_GID,        /* OpEntryPoint GLCompute "main" */
    OP(16, 6), ID_MAIN, 17, GROUP_WORDS, 1, 1,           /* OpExecutionMode LocalSize */
    OP(71, 4), ID_GID, 11, 28,                           /* OpDecorate BuiltIn GlobalInvocationId */
    OP(71, 4), ID_ARRAY, 6, 4,                           /* ArrayStride 4 */
    OP(71, 3), ID_BLOCK, 3,                              /* BufferBlock */
    OP(72, 5), ID_BLOCK, 0, 35, 0,                       /* OpMemberDecorate Offset 0 */
    OP(71, 4), ID_WORDS, 34, 0,                          /* DescriptorSet 0 */
    OP(71, 4), ID_WORDS, 33, 0,                          /* Binding 0 */
    OP(19, 2), ID_VOID,                                  /* OpTypeVoid */
    OP(33, 3), ID_FUNCTION, ID_VOID,                     /* OpTypeFunction */
    OP(21, 4), ID_UINT, 32, 0,                           /* OpTypeInt */
    OP(23, 4), ID_UVEC3, ID_UINT, 3,                     /* OpTypeVector */
    OP(32, 4), ID_IN_UVEC3, 1, ID_UVEC3,                 /* OpTypePointer Input */
    OP(32, 4), ID_IN_UINT, 1, ID_UINT,
    OP(59, 4), ID_IN_UVEC3, ID_GID, 1,                   /* OpVariable Input */
    OP(29, 3), ID_ARRAY, ID_UINT,                        /* OpTypeRuntimeArray */
    OP(30, 3), ID_BLOCK, ID_ARRAY,                       /* OpTypeStruct */
    OP(32, 4), ID_PTR_BLOCK, 2, ID_BLOCK,                /* OpTypePointer Uniform */
    OP(32, 4), ID_PTR_UINT, 2, ID_UINT,
    OP(59, 4), ID_PTR_BLOCK, ID_WORDS, 2,                /* OpVariable Uniform */
    OP(43, 4), ID_UINT, ID_0, 0,                         /* OpConstant */
    OP(43, 4), ID_UINT, ID_FACTOR, FACTOR,
    OP(54, 5), ID_VOID, ID_MAIN, 0, ID_FUNCTION,         /* OpFunction */
    OP(248, 2), ID_LABEL,                                /* OpLabel */
    OP(65, 5), ID_IN_UINT, ID_X_PTR, ID_GID, ID_0,       /* OpAccessChain */
    OP(61, 4), ID_UINT, ID_X, ID_X_PTR,                  /* OpLoad */
    OP(65, 6), ID_PTR_UINT, ID_WORD_PTR, ID_WORDS, ID_0, ID_X,
    OP(61, 4), ID_UINT, ID_WORD, ID_WORD_PTR,
    OP(132, 5), ID_UINT, ID_PRODUCT, ID_WORD, ID_FACTOR, /* OpIMul */
    OP(128, 5), ID_UINT, ID_SUM, ID_PRODUCT, ID_X,       /* OpIAdd */
    OP(62, 3), ID_WORD_PTR, ID_SUM,                      /* OpStore */
    OP(253, 1),                                          /* OpReturn */
    OP(56, 1),                                           /* OpFunctionEnd */
};
/* clang-format on */

struct program {
    VkDescriptorSetLayout set_layout;
    VkPipelineLayout layout;
    VkPipeline pipeline;
    VkDescriptorPool pool;
    VkDescriptorSet set;
};

static void
layouts_create(struct gpu *gpu, struct program *program)
{
    const VkDescriptorSetLayoutBinding binding = {
        .descriptorType = storage,
        .descriptorCount = 1,
        .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT,
    };
    const VkDescriptorSetLayoutCreateInfo set_info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = 1,
        .pBindings = &binding,
    };
    const VkPipelineLayoutCreateInfo layout_info = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
        .setLayoutCount = 1,
        .pSetLayouts = &program->set_layout,
    };

    vk_check(gpu->vk.CreateDescriptorSetLayout(gpu->device, &set_info, NULL, &program->set_layout),
             "vkCreateDescriptorSetLayout");
    vk_check(gpu->vk.CreatePipelineLayout(gpu->device, &layout_info, NULL, &program->layout),
             "vkCreatePipelineLayout");
}

static void
pipeline_create(struct gpu *gpu, struct program *program)
{
    const VkShaderModuleCreateInfo module_info = {
        .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
        .codeSize = sizeof(shader),
        .pCode = shader,
    };
    VkComputePipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .pName = "main"},
        .layout = program->layout,
    };

    vk_check(gpu->vk.CreateShaderModule(gpu->device, &module_info, NULL, &info.stage.module),
             "vkCreateShaderModule");
    vk_check(gpu->vk.CreateComputePipelines(gpu->device, VK_NULL_HANDLE, 1, &info, NULL,
                                            &program->pipeline),
             "vkCreateComputePipelines");
    gpu->vk.DestroyShaderModule(gpu->device, info.stage.module, NULL);
}

static void
set_create(struct gpu *gpu, struct program *program, VkBuffer buffer)
{
    const VkDescriptorPoolSize size = {storage, 1};
    const VkDescriptorPoolCreateInfo pool_info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
        .maxSets = 1,
        .poolSizeCount = 1,
        .pPoolSizes = &size,
    };

    vk_check(gpu->vk.CreateDescriptorPool(gpu->device, &pool_info, NULL, &program->pool),
             "vkCreateDescriptorPool");
    const VkDescriptorSetAllocateInfo set_info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
        .descriptorPool = program->pool,
        .descriptorSetCount = 1,
        .pSetLayouts = &program->set_layout,
    };
    vk_check(gpu->vk.AllocateDescriptorSets(gpu->device, &set_info, &program->set),
             "vkAllocateDescriptorSets");
    const VkDescriptorBufferInfo range = {buffer, 0, VK_WHOLE_SIZE};
    const VkWriteDescriptorSet write = {
        .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
        .dstSet = program->set,
        .descriptorCount = 1,
        .descriptorType = storage,
        .pBufferInfo = &range,
    };
    gpu->vk.UpdateDescriptorSets(gpu->device, 1, &write, 0, NULL);
}

static void
program_destroy(struct gpu *gpu, struct program *program)
{
    gpu->vk.DestroyDescriptorPool(gpu->device, program->pool, NULL);
    gpu->vk.DestroyPipeline(gpu->device, program->pipeline, NULL);
    gpu->vk.DestroyPipelineLayout(gpu->device, program->layout, NULL);
    gpu->vk.DestroyDescriptorSetLayout(gpu->device, program->set_layout, NULL);
}

void
check_dispatch(void)
{
    const struct gpu_work work = {.verb = "computes", .queue_flags = VK_QUEUE_COMPUTE_BIT};
    struct program program;
    struct gpu_buffer words;
    struct gpu gpu;

    gpu_open(&gpu, CHECK_DEVICE, &work);
    gpu_buffer_create(&gpu, WORDS * sizeof(uint32_t), VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, NULL,
                      &words);
    uint32_t *data = (uint32_t *)(void *)words.data;
    for (uint32_t i = 0; i < WORDS; i++)
        data[i] = word(i);
    gpu_buffer_flush(&gpu, &words);
    layouts_create(&gpu, &program);
    pipeline_create(&gpu, &program);
    set_create(&gpu, &program, words.handle);

    struct job job = job_begin(&gpu);
    gpu.vk.CmdBindPipeline(job.cb, VK_PIPELINE_BIND_POINT_COMPUTE, program.pipeline);
    gpu.vk.CmdBindDescriptorSets(job.cb, VK_PIPELINE_BIND_POINT_COMPUTE, program.layout, 0, 1,
                                 &program.set, 0, NULL);
    gpu.vk.CmdDispatch(job.cb, WORDS / GROUP_WORDS, 1, 1);
    job_finish(&job);
    gpu_buffer_invalidate(&gpu, &words);
    for (uint32_t i = 0; i < WORDS; i++) {
        const uint32_t expected = word(i) * FACTOR + i;
        if (data[i] != expected)
            die("invocation %u wrote %#x, not %#x", i, data[i], expected);
    }

    program_destroy(&gpu, &program);
    gpu_buffer_destroy(&gpu, &words);
    gpu_close(&gpu);
}
