/* SPDX-License-Identifier: MIT */
/* A device and one object of each kind, work recorded and done: what an allocation that fails
 * anywhere may interrupt.
 */
#ifndef RP_TESTS_OOM_SCENARIO_H
#define RP_TESTS_OOM_SCENARIO_H

#include "vk.h"

#include <stdbool.h>

#define SCENARIO_COMMAND_BUFFERS 3
#define SCENARIO_MEMORY_B (1u << 20)
#define SCENARIO_BUFFER_B (1u << 19)
#define SCENARIO_COUNTS_AT_B \
    (SCENARIO_BUFFER_B - 64) /* of a dispatch; nothing else is written there */
#define SCENARIO_PIPELINES 4
#define SCENARIO_SHADERS 3
#define SCENARIO_MEMORY_PIPELINE 2 /* the one whose descriptors lie in memory */

struct scenario {
    VkPhysicalDevice pdev;
    const VkAllocationCallbacks *alloc; /* of all objects; may be NULL */

    VkDevice dev;
    VkQueue queue;
    VkDeviceMemory memory;
    void *mapped;
    VkBuffer buffer;
    VkDeviceAddress address; /* of buffer */
    VkImage image;
    VkImageView view;
    VkBufferView buffer_view;
    VkSamplerYcbcrConversion conversion;
    VkSampler sampler;
    VkDescriptorSetLayout set_layout;
    VkDescriptorSetLayout memory_set_layouts[2];
    VkPipelineLayout memory_layout; /* of both (memory_sets.h) */
    VkBuffer memory_set;            /* at the end of memory */
    VkDescriptorUpdateTemplate template;
    VkPipelineLayout pipeline_layout;
    VkDescriptorPool descriptor_pool;
    VkDescriptorSet set;
    VkPipelineCache pipeline_cache;
    VkPipelineCache second_cache;
    VkShaderModule module;
    VkPipeline pipeline;
    VkPipeline cached_pipeline;
    VkPipeline pipelines[SCENARIO_PIPELINES]; /* of one call */
    VkPipeline heap_pipeline;                 /* heaps.h */
    VkShaderEXT shaders[SCENARIO_SHADERS];    /* shader_objects.h */
    VkQueryPool queries;
    VkSemaphore timeline;
    VkSemaphore binary;
    VkFence fence;
    VkEvent event;
    VkPrivateDataSlot slot;
    VkCommandPool pool;
    VkCommandBuffer cbs[SCENARIO_COMMAND_BUFFERS];
};

/* An instance and its only device, with the instance's commands loaded. */
VkInstance scenario_instance(VkPhysicalDevice *pdev);

/* pdev and alloc are set, the rest is zero. Returns the first result that is not VK_SUCCESS. */
VkResult scenario_run(struct scenario *s);

/* Whatever there is of it. */
void scenario_destroy(struct scenario *s);

#endif
