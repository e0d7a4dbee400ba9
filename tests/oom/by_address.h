/* SPDX-License-Identifier: MIT */
/* The part of a scenario whose commands name memory by its address
 * (VK_KHR_device_address_commands).
 */
#ifndef RP_TESTS_OOM_BY_ADDRESS_H
#define RP_TESTS_OOM_BY_ADDRESS_H

#include "scenario.h"

/* The counts of a dispatch are in the buffer. */
void by_address_record(struct scenario *s, VkCommandBuffer cb);

#endif
