/* SPDX-License-Identifier: MIT */
/* Semaphores that have file descriptors.
 */
#ifndef RP_TESTS_LAYER_PASSING_H
#define RP_TESTS_LAYER_PASSING_H

#include "fixture.h"

#define OPAQUE_SEMAPHORE VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT
#define FILE_SEMAPHORE VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_SYNC_FD_BIT

/* A binary one. types: that it can be exported as; 0: not at all. */
VkSemaphore semaphore_create(struct fixture *f, VkExternalSemaphoreHandleTypeFlags types);

/* Whether there are semaphores of the type with such handles, to export and to import. */
bool semaphore_can_pass(struct fixture *f, VkSemaphoreType type,
                        VkExternalSemaphoreHandleTypeFlagBits handle_type);

/* As those of gate.h: for semaphores of both types with opaque handles. */
bool needs_opaque_semaphores(struct fixture *f);

/* The payload of the first becomes that of the other, as long as flags say. */
void semaphore_pass(struct fixture *f, VkSemaphore from, VkSemaphore to,
                    VkExternalSemaphoreHandleTypeFlagBits type, VkSemaphoreImportFlags flags);

/* A timeline that can be passed by OPAQUE_SEMAPHORE. */
VkSemaphore exported_timeline_create(struct fixture *f);

#endif
