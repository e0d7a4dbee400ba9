/* SPDX-License-Identifier: MIT */
/* Barriers of lower command buffers without what is lent, and those of lent command buffers split
 * between our driver and the copies.
 */
#ifndef RP_ICD_LAYER_BARRIER_H
#define RP_ICD_LAYER_BARRIER_H

#include <vulkan/vulkan_core.h>

#include <stdbool.h>

struct rp_arena;
struct rp_layer_command_buffer;
struct rp_layer_device;
struct rp_layer_image;

/* The stages of lent queues alone. */
VkPipelineStageFlags2 rp_layer_stages(const struct rp_layer_device *dev);

/* GENERAL in the place of a layout that the lower device does not know for this image; img: NULL
 * where it is the lower device's alone. */
VkImageLayout rp_layer_lower_layout(const struct rp_layer_device *dev,
                                    const struct rp_layer_image *img, VkImageLayout layout);

/* Makes an image barrier one of the lower device; false: nothing is left of it. family: of the
 * command buffer, as the application sees it. */
bool rp_layer_lower_image_barrier(struct rp_layer_device *dev, uint32_t family,
                                  VkImageMemoryBarrier2 *barrier);

/* A dependency of a lower command buffer, in the arena. False when memory is short. */
bool rp_layer_lower_dependency(struct rp_layer_device *dev, VkCommandBuffer cb,
                               struct rp_arena *arena, const VkDependencyInfo *info,
                               VkDependencyInfo *out);

/* Our driver's part of a dependency of a lent command buffer; the rest is added to cb. */
void rp_layer_lent_dependency(struct rp_layer_command_buffer *cb, struct rp_arena *arena,
                              const VkDependencyInfo *info, VkDependencyInfo *out);

#endif
