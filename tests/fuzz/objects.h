/* SPDX-License-Identifier: MIT */
/* The small world of objects of the objects target.
 */
#ifndef RP_TESTS_FUZZ_OBJECTS_H
#define RP_TESTS_FUZZ_OBJECTS_H

#include "target.h"

#include "fixture.h"

#define SLOTS 12u
#define SET_ITEMS 4u

enum { STORAGE, UNIFORM, SAMPLED, IMAGE, TEXELS, SAMPLER, BINDINGS };
extern const VkDescriptorType binding_types[BINDINGS];

struct push {
    uint32_t kind;
    uint32_t which;
    uint32_t at;
    int32_t lod;
};

struct buffer_slot {
    VkBuffer handle;
    VkDeviceMemory memory;
    VkBufferView view;
    VkDeviceSize size_B;
};

struct image_slot {
    VkImage handle;
    VkDeviceMemory memory;
    VkImageView view;
    VkImageCreateInfo info;
    VkImageAspectFlags aspect;
};

/* Bits are slots of what the set's descriptors may name: none of it goes before the set does. */
struct set_slot {
    VkDescriptorPool pool; /* of this set alone */
    VkDescriptorSet handle;
    uint32_t buffers;
    uint32_t images;
    uint32_t samplers;
};

struct world {
    struct fixture *f;
    struct input *in;
    struct buffer_slot buffers[SLOTS];
    struct image_slot images[SLOTS];
    VkSampler samplers[SLOTS];
    VkEvent events[SLOTS];
    VkQueryPool queries[SLOTS]; /* of 8 timestamps */
    struct set_slot sets[SLOTS];
    VkDescriptorSetLayout set_layout;
    VkDescriptorSetLayout push_layout; /* of pushed sets */
    VkPipelineLayout layout;
    VkPipelineLayout pushed;
    VkDescriptorUpdateTemplate update;
    VkPipelineCache cache;
    VkPipeline pipelines[2]; /* of layout, of pushed */
    VkShaderEXT shaders[2];  /* likewise */
    VkSemaphore timeline;
    uint64_t signalled; /* value of the timeline */
    VkCommandBuffer secondary;
};

static inline uint32_t
pick(struct world *w, uint32_t count)
{
    return input_below(w->in, count);
}

uint64_t any_size(struct world *w);

/* Objects that come, change and go. */
void step_memory(struct world *w);
void step_buffer(struct world *w);
void step_map(struct world *w);
void step_image(struct world *w);
void step_sampler(struct world *w);
void step_event(struct world *w);
void step_queries(struct world *w);
void step_set(struct world *w);
void step_write(struct world *w);
void step_pipeline(struct world *w);
void step_timeline(struct world *w);
void step_name(struct world *w);
void step_submit(struct world *w);

/* Layouts, their template, the pipeline cache; finish takes pipelines, shader
 * objects and sets too. */
void layouts_init(struct world *w);
void layouts_finish(struct world *w);

void buffer_drop(struct world *w, struct buffer_slot *s);
void image_drop(struct world *w, struct image_slot *s);

#endif
