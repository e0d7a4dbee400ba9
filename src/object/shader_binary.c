/* SPDX-License-Identifier: MIT */
#include "object/shader_binary.h"

#include "compute/compute.h"
#include "object/device.h"
#include "object/pipeline_cache.h"
#include "util/checked.h"

#include <string.h>

#define CHECKSUM_SEED UINT64_C(0x5368616465724f62)

struct header {
    uint8_t format[VK_UUID_SIZE];
    uint8_t build[VK_UUID_SIZE]; /* and kind of CPU: pipelineCacheUUID */
    uint64_t key_B;
    uint64_t kernel_B;
    uint64_t checksum; /* of all else */
};

static const uint8_t format_uuid[VK_UUID_SIZE] = RP_SHADER_BINARY_UUID;

static uint64_t
checksum(const struct header *header, const uint8_t *rest, size_t rest_B)
{
    struct header plain = *header;
    plain.checksum = 0;
    const uint64_t seed = rp_cache_hash(CHECKSUM_SEED, (const uint8_t *)&plain, sizeof(plain));
    return rp_cache_hash(seed, rest, rest_B);
}

size_t
rp_shader_binary_write(const struct rp_device *dev, const struct rp_cache_entry *code,
                       const struct rp_kernel *kernel, uint8_t *out)
{
    struct header header = {
        .key_B = code->key_B,
        .kernel_B = rp_kernel_save(kernel, NULL),
    };
    const size_t rest_B = (size_t)(header.key_B + header.kernel_B);
    if (!out)
        return sizeof(header) + rest_B;
    memcpy(header.format, format_uuid, VK_UUID_SIZE);
    memcpy(header.build, dev->physical_device->properties.pipelineCacheUUID, VK_UUID_SIZE);
    uint8_t *rest = out + sizeof(header);
    memcpy(rest, code->bytes, (size_t)code->key_B);
    (void)rp_kernel_save(kernel, rest + code->key_B);
    header.checksum = checksum(&header, rest, rest_B);
    memcpy(out, &header, sizeof(header));
    return sizeof(header) + rest_B;
}

bool
rp_shader_binary_read(const struct rp_device *dev, const void *data, size_t size_B,
                      struct rp_shader_binary *out)
{
    const uint8_t *rest = (const uint8_t *)data + sizeof(struct header);
    struct header header;
    uint64_t rest_B;

    if (size_B < sizeof(header))
        return false;
    memcpy(&header, data, sizeof(header));
    if (memcmp(header.format, format_uuid, VK_UUID_SIZE) != 0 ||
        !rp_add_u64(header.key_B, header.kernel_B, &rest_B) || rest_B != size_B - sizeof(header) ||
        header.checksum != checksum(&header, rest, (size_t)rest_B))
        return false;
    const bool is_ours =
        memcmp(header.build, dev->physical_device->properties.pipelineCacheUUID, VK_UUID_SIZE) == 0;
    *out = (struct rp_shader_binary){
        .key = rest,
        .key_B = (size_t)header.key_B,
        .kernel = is_ours ? rest + header.key_B : NULL,
        .kernel_B = (size_t)header.kernel_B,
    };
    return true;
}
