/* SPDX-License-Identifier: MIT */
/* A device with lent queues and one object of each kind that the layer knows, work that goes from a
 * lower queue to a lent one and back: what a fault anywhere may interrupt.
 */
#ifndef RP_TESTS_LAYER_SCENARIO_H
#define RP_TESTS_LAYER_SCENARIO_H

#include "vk.h"

#include <stdbool.h>

struct scenario {
    VkPhysicalDevice pdev;
    uint32_t family; /* lent */

    VkDevice dev;
    VkQueue queue;
    VkQueue lent_queue;
    VkImage image;
    VkDeviceMemory image_memory;
    VkImageView view;
    VkImage dpb;
    VkDeviceMemory dpb_memory;
    VkImageView dpb_view;
    VkBuffer buffer;
    VkDeviceMemory buffer_memory;
    VkQueryPool queries;
    VkEvent event;
    VkSemaphore binary;
    VkSemaphore timeline;
    bool is_waited_for; /* timeline, by the lower queue; nobody signals it yet */
    VkSemaphore pair;   /* of two batches of one submission */
    VkFence fence;
    VkPrivateDataSlot slot;
    VkCommandPool pool;
    VkCommandBuffer cb;
    VkCommandPool lent_pool;
    VkCommandBuffer lent_cb;
};

/* An instance, its only device, and the first family of it that encodes H.264. */
VkInstance scenario_instance(VkPhysicalDevice *pdev, uint32_t *family);

/* pdev and family are set, the rest is zero. Returns the first result that is not VK_SUCCESS. */
VkResult scenario_run(struct scenario *s);

/* Whatever there is of it. */
void scenario_destroy(struct scenario *s);

#endif
