/* SPDX-License-Identifier: MIT */
/* A shader object's binary: what it was made of, and what that was compiled to.
 *
 * The kernel is taken back by the same build on the same kind of CPU; every other one compiles what
 * the key has. So each binary of this format fits each device, and is refused only when it is not
 * whole, or nothing that we wrote.
 */
#ifndef RP_OBJECT_SHADER_BINARY_H
#define RP_OBJECT_SHADER_BINARY_H

#include "util/compiler.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rp_cache_entry;
struct rp_device;
struct rp_kernel;

/* VkPhysicalDeviceShaderObjectPropertiesEXT::shaderBinaryUUID, to be changed with the format. */
#define RP_SHADER_BINARY_UUID \
    { \
        0x52, 0x65, 0x65, 0x6c, 0x70, 0x69, 0x70, 0x65, 0x73, 0x68, 0x61, 0x64, 0x65, 0x72, 0, 1 \
    }

struct rp_shader_binary {
    const uint8_t *key; /* borrowed; of object/pipeline_cache.h */
    size_t key_B;
    const uint8_t *kernel; /* borrowed; NULL: of another build or kind of CPU */
    size_t kernel_B;
};

/* Returns the size; writes nothing where out is NULL. */
size_t rp_shader_binary_write(const struct rp_device *dev, const struct rp_cache_entry *code,
                              const struct rp_kernel *kernel, uint8_t *out);

/* False: this is no binary of this format, or a damaged one. */
bool rp_shader_binary_read(const struct rp_device *dev, const void *data, size_t size_B,
                           struct rp_shader_binary *out) RP_MUST_CHECK;

#endif
