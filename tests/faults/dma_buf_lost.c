/* SPDX-License-Identifier: MIT */
/* A dispatch that loses the device gives the kernel's dma-bufs back (dma_buf_shim.c).
 */
#include "compute.h"
#include "dma_buf.h"

#include "endless.spv.h"

#include <dlfcn.h>

#define SIZE_B 4096u
#define TYPE VK_EXTERNAL_MEMORY_HANDLE_TYPE_DMA_BUF_BIT_EXT

static struct dma_buf_kernel *
kernel(void)
{
    struct dma_buf_kernel *(*get)(void);
    void *found = dlsym(RTLD_DEFAULT, "dma_buf_kernel");
    REQUIRE(found);
    memcpy(&get, &found, sizeof(get));
    return get();
}

static VkDeviceMemory
allocate(struct fixture *f, const void *chain)
{
    const VkMemoryAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, .pNext = chain, .allocationSize = SIZE_B};
    VkDeviceMemory memory;
    REQUIRE_EQ(vkAllocateMemory(f->dev, &info, f->alloc, &memory), VK_SUCCESS);
    return memory;
}

static VkDeviceMemory
import(struct fixture *f, VkDeviceMemory from)
{
    const VkMemoryGetFdInfoKHR get = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_GET_FD_INFO_KHR, .memory = from, .handleType = TYPE};
    VkImportMemoryFdInfoKHR info = {.sType = VK_STRUCTURE_TYPE_IMPORT_MEMORY_FD_INFO_KHR,
                                    .handleType = TYPE};
    REQUIRE_EQ(vkGetMemoryFdKHR(f->dev, &get, &info.fd), VK_SUCCESS);
    return allocate(f, &info);
}

int
main(void)
{
    static const VkExportMemoryAllocateInfo export = {
        .sType = VK_STRUCTURE_TYPE_EXPORT_MEMORY_ALLOCATE_INFO, .handleTypes = TYPE};
    struct dma_buf_kernel *k = kernel();
    struct fixture f = {0};
    struct compute c;
    atomic_store(&k->has_udmabuf, true);
    REQUIRE_EQ(setenv("REELPIPE_TIMEOUT", "100", 1), 0);
    fixture_init(&f);
    compute_init(&f, &c);
    VkPipeline endless = compute_pipeline(&f, &c, spirv_endless, sizeof(spirv_endless));
    VkDeviceMemory from = allocate(&f, &export), to = import(&f, from);

    const int before = atomic_load(&k->end_count);
    REQUIRE_EQ(atomic_load(&k->start_count), before);
    memset(c.buf.bytes, 0, COMPUTE_WORDS * 4);
    compute_begin(&f, &c, endless, 0);
    vkCmdDispatch(f.cb, 1, 1, 1);
    REQUIRE_EQ(vkEndCommandBuffer(f.cb), VK_SUCCESS);
    const VkSubmitInfo info = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &f.cb};
    (void)vkQueueSubmit(f.queue, 1, &info, f.fence); /* it may be lost in there already */
    REQUIRE_EQ(vkWaitForFences(f.dev, 1, &f.fence, VK_TRUE, UINT64_MAX), VK_ERROR_DEVICE_LOST);
    REQUIRE_EQ(atomic_load(&k->start_count), before + 1);
    REQUIRE_EQ(atomic_load(&k->end_count), before + 1);

    vkFreeMemory(f.dev, to, f.alloc);
    vkFreeMemory(f.dev, from, f.alloc);
    vkDestroyPipeline(f.dev, endless, f.alloc);
    compute_finish(&f, &c);
    fixture_finish(&f);
    return 0;
}
