/* SPDX-License-Identifier: MIT */
/* Copies as those of buffers are said, recorded by address.
 */
#ifndef RP_TESTS_FUZZ_BY_ADDRESS_H
#define RP_TESTS_FUZZ_BY_ADDRESS_H

#include "fixture.h"

/* As much as the smaller range has. */
void copy_memory(VkCommandBuffer cb, VkDeviceAddressRangeKHR src, VkDeviceAddressRangeKHR dst);

/* The buffer's offset is none of theirs: the range begins where the texels do. */
void copy_memory_to_image(VkCommandBuffer cb, VkDeviceAddressRangeKHR src, VkImage dst,
                          const VkBufferImageCopy *copy);
void copy_image_to_memory(VkCommandBuffer cb, VkImage src, VkDeviceAddressRangeKHR dst,
                          const VkBufferImageCopy *copy);

#endif
