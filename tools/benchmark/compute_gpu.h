/* SPDX-License-Identifier: MIT */
/* One device with the resources of all kernels: buffers, images, a set layout, pipelines.
 */
#ifndef RP_BENCHMARK_COMPUTE_GPU_H
#define RP_BENCHMARK_COMPUTE_GPU_H

#include "compute_kernels.h"
#include "vulkan_setup.h"

#define GPU_IMAGES 5
#define GPU_BUFFER_B ((uint64_t)17 << 20)

struct gpu {
    struct bench_device dev;
    struct bench_buffer buffers[3];
    struct bench_buffer staging;
    VkImage images[GPU_IMAGES]; /* bindings 4 to 8 */
    VkDeviceMemory image_memory[GPU_IMAGES];
    VkImageView views[GPU_IMAGES];
    VkSampler sampler;
    VkDescriptorSetLayout set_layout;
    VkPipelineLayout layout;
    VkDescriptorPool pool;
    VkDescriptorSet set;
};

/* Returns 0 when no device is called so. */
int gpu_open(struct gpu *gpu, const char *name);
void gpu_close(struct gpu *gpu);

/* VK_NULL_HANDLE when the device refuses the shader. */
VkPipeline gpu_pipeline(const struct gpu *gpu, const uint32_t *spirv, size_t spirv_B);
VkPipeline gpu_pipeline_flagged(const struct gpu *gpu, const uint32_t *spirv, size_t spirv_B,
                                VkPipelineCreateFlags flags);

/* Records dispatch_count dispatches into the device's command buffer, each after the one before. */
void gpu_record(const struct gpu *gpu, const struct kernel *k, VkPipeline pipeline,
                uint32_t dispatch_count);

/* gpu_record() of dispatches that nothing orders. */
void gpu_record_beside(const struct gpu *gpu, const struct kernel *k, VkPipeline pipeline,
                       uint32_t dispatch_count);

/* The kernel's input into buffers and images, the same for every device. */
void gpu_fill(struct gpu *gpu, const struct kernel *k);

/* The picture of image i (binding 4 + i) into staging. Returns its bytes. */
uint64_t gpu_read_image(struct gpu *gpu, uint32_t i);

#endif
