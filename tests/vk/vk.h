/* SPDX-License-Identifier: MIT */
/* All Vulkan commands by their names, from the machine's loader. Those of a device are NULL when
 * the device does not answer them.
 */
#ifndef RP_TESTS_VK_VK_H
#define RP_TESTS_VK_VK_H

#include "vk_functions.h"

/* Opens the loader; commands that need no instance are there afterwards. */
void vk_open(void);

#endif
