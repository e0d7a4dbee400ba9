/* SPDX-License-Identifier: MIT */
/* A device of the driver with everything that it reports switched on, one queue of each family,
 * a command buffer, and small resources. What fails ends the program. With REELPIPE_TEST_DEVICE,
 * the device may be another driver's (tests/layer over a GPU).
 */
#ifndef RP_TESTS_VK_FIXTURE_H
#define RP_TESTS_VK_FIXTURE_H

#include "test.h"
#include "vk.h"

#include <stdbool.h>

#define FIXTURE_MAX_FAMILIES 8

struct fixture {
    VkInstance instance;
    VkPhysicalDevice pdev;
    VkDevice dev;
    uint32_t family_count;
    VkQueueFamilyProperties family[FIXTURE_MAX_FAMILIES];
    VkQueue queues[FIXTURE_MAX_FAMILIES]; /* the first of each family */
    VkQueue second_queue;                 /* of family 0 */
    VkQueue queue;                        /* of family 0 */
    VkCommandPool pool;                   /* of family 0, RESET_COMMAND_BUFFER */
    VkCommandBuffer cb;
    VkFence fence;
    const VkAllocationCallbacks *alloc; /* for all objects; NULL */
};

/* f: zeros, but for alloc. */
void fixture_init(struct fixture *f);
void fixture_finish(struct fixture *f);

/* Whether the device lists an extension (it is enabled then). */
bool fixture_has_extension(const struct fixture *f, const char *name);

/* A memory type out of bits that is mapped without flushes; on our device, the first one. */
uint32_t fixture_mapped_type(const struct fixture *f, uint32_t bits);

/* f->cb begins anew; submit ends it, submits it to f->queue and waits. */
void test_begin(struct fixture *f);
void test_submit_and_wait(struct fixture *f);

VkCommandBuffer test_cb_create(struct fixture *f, VkCommandBufferLevel level);

/* A timeline semaphore whose value is 0. */
VkSemaphore test_timeline_create(struct fixture *f);

struct test_buffer {
    VkBuffer handle;
    VkDeviceMemory memory;
    VkDeviceSize size_B;
    union {
        uint8_t *bytes; /* mapped */
        uint32_t *words;
        uint64_t *longs;
    };
};

/* Every usage, every byte set to fill. */
struct test_buffer test_buffer_create(struct fixture *f, VkDeviceSize size_B, uint8_t fill);
void test_buffer_destroy(struct fixture *f, struct test_buffer *buf);

/* The address range of a buffer that may have its address asked for, as those of
 * test_buffer_create(). */
VkDeviceAddressRangeKHR test_address_range(struct fixture *f, VkBuffer buffer,
                                           VkDeviceSize offset_B, VkDeviceSize size_B);

struct test_image {
    VkImage handle;
    VkDeviceMemory memory;
    uint8_t *bytes; /* mapped; NULL where the device does not map images */
    VkImageCreateInfo info;
};

/* A 2D image with one level, one layer, TRANSFER usage and OPTIMAL tiling: to be changed before
 * test_image_create_with. */
VkImageCreateInfo test_image_info(VkFormat format, uint32_t width_px, uint32_t height_px);
struct test_image test_image_create_with(struct fixture *f, const VkImageCreateInfo *info);
struct test_image test_image_create(struct fixture *f, VkFormat format, uint32_t width_px,
                                    uint32_t height_px);
void test_image_destroy(struct fixture *f, struct test_image *img);

/* A test program is a list of claims. */
struct test_case {
    const char *name;
    void (*run)(struct fixture *f);
};
#define TEST_CASE(function) \
    { \
#function, function \
    }

/* Runs the cases on one fixture: all, or those whose names contain a word of the command line.
 * After one that fails the others get a new fixture. */
int test_run(int argc, char **argv, const struct test_case *cases, size_t count);
#define TEST_MAIN(cases) \
    int main(int argc, char **argv) \
    { \
        return test_run(argc, argv, cases, sizeof(cases) / sizeof((cases)[0])); \
    }

#endif
