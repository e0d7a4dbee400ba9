/* SPDX-License-Identifier: MIT */
/* Numbers that descriptors in memory of the application have for objects.
 *
 * Readers take no lock: kernels look names up while objects come and go. A name of an object that
 * is gone finds nothing, until another object has it.
 */
#ifndef RP_OBJECT_DESCRIPTOR_NAMES_H
#define RP_OBJECT_DESCRIPTOR_NAMES_H

#include "util/compiler.h"

#include <vulkan/vulkan_core.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#define RP_DESCRIPTOR_NAMES_PER_CHUNK 4096u
#define RP_DESCRIPTOR_NAME_CHUNKS 1024u

struct rp_device;

/* What an object may be read as. */
enum rp_descriptor_use {
    RP_DESCRIPTOR_SAMPLED = 1u << 0,
    RP_DESCRIPTOR_STORAGE = 1u << 1,
    RP_DESCRIPTOR_SAMPLER = 1u << 2,
    RP_DESCRIPTOR_IMAGE = 1u << 3,
};

struct rp_descriptor_names {
    pthread_mutex_t mutex; /* guards what follows, but for reading names */
    _Atomic(atomic_uintptr_t *) chunks[RP_DESCRIPTOR_NAME_CHUNKS]; /* owned; stay until the end */
    uint32_t limit;                                                /* names below were given once */
    uint32_t first_free; /* 0: none; a free name holds the next one */
};

void rp_descriptor_names_init(struct rp_descriptor_names *names);
void rp_descriptor_names_finish(struct rp_device *dev, struct rp_descriptor_names *names);

/* A number for an object (16-byte aligned), never 0. uses: bits of enum rp_descriptor_use. */
VkResult rp_descriptor_names_take(struct rp_device *dev, struct rp_descriptor_names *names,
                                  const void *object, uint32_t uses, uint32_t *out) RP_MUST_CHECK;
/* Takes the number name; VK_ERROR_INVALID_OPAQUE_CAPTURE_ADDRESS when another object has it. */
VkResult rp_descriptor_names_take_that(struct rp_device *dev, struct rp_descriptor_names *names,
                                       uint32_t name, const void *object,
                                       uint32_t uses) RP_MUST_CHECK;
/* Frees the number. Takes 0, too. */
void rp_descriptor_names_drop(struct rp_descriptor_names *names, uint32_t name);

/* NULL unless the name is that of an object which may be used so. */
const void *rp_descriptor_names_find(const struct rp_descriptor_names *names, uint32_t name,
                                     uint32_t use);

#endif
