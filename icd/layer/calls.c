/* SPDX-License-Identifier: MIT */
/* Loading pointers by their names.
 */
#include "icd/layer/calls.h"

#include "util/compiler.h"

#include <stddef.h>

struct source {
    const char *name;
    size_t offset;
};

#include "rp_layer_sources.h"

/* Several names may stand for one pointer: the first that is there counts. */
static void
store(void *calls, const struct source *source, PFN_vkVoidFunction function)
{
    PFN_vkVoidFunction *to = (PFN_vkVoidFunction *)(void *)((char *)calls + source->offset);
    if (!*to)
        *to = function;
}

void
rp_layer_instance_calls_load(struct rp_layer_instance_calls *out, VkInstance instance,
                             PFN_vkGetInstanceProcAddr get)
{
    for (size_t i = 0; i < RP_ARRAY_SIZE(instance_sources); i++)
        store(out, &instance_sources[i], get(instance, instance_sources[i].name));
}

void
rp_layer_device_calls_load(struct rp_layer_device_calls *out, VkDevice dev,
                           PFN_vkGetDeviceProcAddr get)
{
    for (size_t i = 0; i < RP_ARRAY_SIZE(device_sources); i++)
        store(out, &device_sources[i], get(dev, device_sources[i].name));
}
