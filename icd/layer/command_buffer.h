/* SPDX-License-Identifier: MIT */
/* Command buffers: those of lent queues are our driver's, and beside each is the list of what the
 * lower device does for it; those of lower queues, and beside each what the host does for it.
 */
#ifndef RP_ICD_LAYER_COMMAND_BUFFER_H
#define RP_ICD_LAYER_COMMAND_BUFFER_H

#include "icd/layer/map.h"
#include "icd/layer/physical_device.h"

#include <vulkan/vulkan_core.h>

#include <stdbool.h>
#include <stdint.h>

struct rp_layer_device;
struct rp_layer_image;
struct rp_layer_step;

enum rp_layer_op_kind {
    RP_LAYER_OP_BARRIER,
    RP_LAYER_OP_COPY_IN,  /* from the image to what our driver reads */
    RP_LAYER_OP_COPY_OUT, /* the other way */
};

/* What the lower device does, in the order of the commands. */
struct rp_layer_op {
    enum rp_layer_op_kind kind;
    struct rp_layer_image *image; /* borrowed */
    uint32_t layer;               /* of a copy */
    VkImageLayout layout;         /* of a copy: the image's, as the application sees it */
    VkImageMemoryBarrier2 barrier;
};

struct rp_layer_command_pool;

struct rp_layer_command_buffer {
    struct rp_layer_entry entry;
    struct rp_layer_device *dev;
    struct rp_layer_command_pool *pool;    /* borrowed */
    struct rp_layer_command_buffer *next;  /* of the pool */
    struct rp_layer_command_buffer **link; /* to this one */
    VkResult result;                       /* the first error while recording */
    struct rp_layer_op *ops;
    uint32_t op_count;
    uint32_t op_limit;
    struct rp_layer_step *steps; /* lower */
    uint32_t step_count;
    uint32_t step_limit;
};

struct rp_layer_command_pool {
    struct rp_layer_entry entry; /* is_lower: of a family that is not lent */
    uint32_t family;             /* as the application sees it */
    struct rp_layer_command_buffer *first;
    struct rp_layer_command_buffer *freed; /* lent ones that may still be under way (retire.h) */
};

/* A lent command buffer or a lower one; NULL: nothing is known of it. */
struct rp_layer_command_buffer *rp_layer_command_buffer_find(struct rp_layer_device *dev,
                                                             VkCommandBuffer handle);

/* NULL: it is a lower one. */
struct rp_layer_command_buffer *rp_layer_command_buffer_get(struct rp_layer_device *dev,
                                                            VkCommandBuffer handle);

/* The family of a lower one, as the application sees it. */
uint32_t rp_layer_command_buffer_family(struct rp_layer_device *dev, VkCommandBuffer handle);

/* Adds an operation; an error sticks to the command buffer. */
void rp_layer_command_buffer_add(struct rp_layer_command_buffer *cb, const struct rp_layer_op *op);

/* Likewise a step, to a lower one. */
void rp_layer_command_buffer_add_step(struct rp_layer_command_buffer *cb,
                                      const struct rp_layer_step *step);

#endif
