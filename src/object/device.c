/* SPDX-License-Identifier: MIT */
/* What all objects of a device share, and the one place where it is lost.
 */
#include "object/device.h"

#include "compute/specializer.h"
#include "compute/variants.h"
#include "platform/environment.h"
#include "reelpipe/cpu.h"
#include "reelpipe/workers.h"
#include "util/log.h"

#include <stdlib.h>
#include <string.h>

/* REELPIPE_TIMEOUT: milliseconds after which a dispatch is cut off. */
static uint64_t
dispatch_timeout_ns(void)
{
    const char *text = rp_environment_get("REELPIPE_TIMEOUT");
    return text ? strtoul(text, NULL, 10) * UINT64_C(1000000) : 0;
}

/* REELPIPE_SPECIALIZE: there is one. Without memory for it there is none. */
static struct rp_specializer *
specializer_create(void)
{
    const char *text = rp_environment_get("REELPIPE_SPECIALIZE");
    return text && strcmp(text, "1") == 0 ? rp_specializer_create(RP_VARIANT_MEMORY_B) : NULL;
}

VkResult
rp_device_init_shared(struct rp_device *dev)
{
    dev->dispatch_timeout_ns = dispatch_timeout_ns();
    if (!rp_sync_hub_init(&dev->hub))
        return rp_error(dev, VK_ERROR_OUT_OF_HOST_MEMORY);
    /* The processors that the process may use: the instance may be older than its place in a
     * cpuset. */
    dev->workers = rp_workers_create(rp_cpu_thread_count());
    if (!dev->workers) {
        rp_sync_hub_finish(&dev->hub);
        return rp_error(dev, VK_ERROR_OUT_OF_HOST_MEMORY);
    }
    dev->specializer = specializer_create();
    rp_descriptor_memory_init(dev);
    rp_descriptor_heap_init(dev);
    rp_dma_bufs_init(&dev->dma_bufs);
    rp_image_aliases_init(&dev->image_aliases);
    pthread_mutex_init(&dev->private_data_mutex, NULL);
    pthread_mutex_init(&dev->merge_mutex, NULL);
    return VK_SUCCESS;
}

void
rp_device_finish_shared(struct rp_device *dev)
{
    if (!dev->workers)
        return; /* init failed, or was never called */
    rp_specializer_destroy(dev->specializer);
    rp_workers_destroy(dev->workers);
    dev->workers = NULL;
    pthread_mutex_destroy(&dev->private_data_mutex);
    pthread_mutex_destroy(&dev->merge_mutex);
    rp_descriptor_heap_finish(dev);
    rp_descriptor_memory_finish(dev);
    rp_image_aliases_finish(&dev->image_aliases);
    rp_dma_bufs_finish(&dev->dma_bufs);
    rp_destroyed_semaphores_free(&dev->destroyed_semaphores);
    rp_sync_hub_finish(&dev->hub);
}

VkResult
rp_device_lose(struct rp_device *dev, const char *why)
{
    if (atomic_exchange(&dev->is_lost, true))
        return VK_ERROR_DEVICE_LOST;
    atomic_store(&dev->lost_reason, why);
    const VkResult result = rp_errorf(dev, VK_ERROR_DEVICE_LOST, "%s", why);
    rp_sync_announce_everything(dev);
    return result;
}
