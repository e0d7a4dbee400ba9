/* SPDX-License-Identifier: MIT */
/* Memory as dma-bufs on a kernel that has them, and on one whose ioctls fail (dma_buf_shim.c).
 */
#include "dma_buf.h"

#include "fixture.h"

#include <dlfcn.h>
#include <errno.h>
#include <unistd.h>

#define SIZE_B 8192u
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

static VkExternalMemoryFeatureFlags
features(struct fixture *f)
{
    const VkPhysicalDeviceExternalBufferInfo query = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_BUFFER_INFO,
        .usage = VK_BUFFER_USAGE_TRANSFER_DST_BIT,
        .handleType = TYPE,
    };
    VkExternalBufferProperties out = {.sType = VK_STRUCTURE_TYPE_EXTERNAL_BUFFER_PROPERTIES};
    vkGetPhysicalDeviceExternalBufferProperties(f->pdev, &query, &out);
    return out.externalMemoryProperties.externalMemoryFeatures;
}

static void
export_is_reported_where_it_works(struct fixture *f)
{
    atomic_store(&kernel()->has_udmabuf, false);
    REQUIRE_EQ(features(f), VK_EXTERNAL_MEMORY_FEATURE_IMPORTABLE_BIT);
    atomic_store(&kernel()->has_udmabuf, true);
    REQUIRE_EQ(features(f), VK_EXTERNAL_MEMORY_FEATURE_IMPORTABLE_BIT |
                                VK_EXTERNAL_MEMORY_FEATURE_EXPORTABLE_BIT);
}

static VkResult
allocate(struct fixture *f, const void *chain, VkDeviceMemory *out)
{
    const VkMemoryAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, .pNext = chain, .allocationSize = SIZE_B};
    return vkAllocateMemory(f->dev, &info, NULL, out);
}

static VkDeviceMemory
exportable(struct fixture *f)
{
    const VkExportMemoryAllocateInfo export = {
        .sType = VK_STRUCTURE_TYPE_EXPORT_MEMORY_ALLOCATE_INFO, .handleTypes = TYPE};
    VkDeviceMemory memory;
    REQUIRE_EQ(allocate(f, &export, &memory), VK_SUCCESS);
    return memory;
}

static VkResult
get_fd(struct fixture *f, VkDeviceMemory memory, int *out)
{
    const VkMemoryGetFdInfoKHR get = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_GET_FD_INFO_KHR, .memory = memory, .handleType = TYPE};
    return vkGetMemoryFdKHR(f->dev, &get, out);
}

/* Takes fd when it succeeds. */
static VkResult
import(struct fixture *f, int fd, VkDeviceMemory *out)
{
    const VkImportMemoryFdInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_IMPORT_MEMORY_FD_INFO_KHR, .handleType = TYPE, .fd = fd};
    return allocate(f, &info, out);
}

static VkBuffer
buffer_on(struct fixture *f, VkDeviceMemory memory)
{
    const VkExternalMemoryBufferCreateInfo external = {
        .sType = VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO, .handleTypes = TYPE};
    const VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                     .pNext = &external,
                                     .size = SIZE_B,
                                     .usage = VK_BUFFER_USAGE_TRANSFER_DST_BIT};
    VkBuffer buffer;
    REQUIRE_EQ(vkCreateBuffer(f->dev, &info, NULL, &buffer), VK_SUCCESS);
    REQUIRE_EQ(vkBindBufferMemory(f->dev, buffer, memory, 0), VK_SUCCESS);
    return buffer;
}

/* A fill of the imported side shows on the exporting one. */
static void
fill_and_compare(struct fixture *f, VkDeviceMemory from, VkDeviceMemory to, uint32_t word)
{
    VkBuffer buffer = buffer_on(f, to);
    void *words;
    test_begin(f);
    vkCmdFillBuffer(f->cb, buffer, 0, SIZE_B, word);
    test_submit_and_wait(f);
    REQUIRE_EQ(vkMapMemory(f->dev, from, 0, VK_WHOLE_SIZE, 0, &words), VK_SUCCESS);
    for (uint32_t i = 0; i < SIZE_B / 4; i++)
        REQUIRE_EQ(((uint32_t *)words)[i], word);
    vkUnmapMemory(f->dev, from);
    vkDestroyBuffer(f->dev, buffer, NULL);
}

static void
submissions_tell_the_kernel_of_imported_memory(struct fixture *f)
{
    struct dma_buf_kernel *k = kernel();
    VkDeviceMemory from = exportable(f), to;
    VkMemoryFdPropertiesKHR properties = {.sType = VK_STRUCTURE_TYPE_MEMORY_FD_PROPERTIES_KHR};
    int fd;
    REQUIRE_EQ(get_fd(f, from, &fd), VK_SUCCESS);
    REQUIRE_EQ(vkGetMemoryFdPropertiesKHR(f->dev, TYPE, fd, &properties), VK_SUCCESS);
    REQUIRE_EQ(properties.memoryTypeBits, 1);
    REQUIRE_EQ(import(f, fd, &to), VK_SUCCESS);

    const int before = atomic_load(&k->start_count);
    REQUIRE_EQ(atomic_load(&k->end_count), before);
    fill_and_compare(f, from, to, 0x11223344);
    REQUIRE_EQ(atomic_load(&k->start_count), before + 1);
    REQUIRE_EQ(atomic_load(&k->end_count), before + 1);

    atomic_store(&k->interrupted, 3); /* asked again until it is told */
    fill_and_compare(f, from, to, 0x55667788);
    REQUIRE_EQ(atomic_load(&k->start_count), before + 2);
    REQUIRE_EQ(atomic_load(&k->end_count), before + 2);

    vkFreeMemory(f->dev, to, NULL);
    test_begin(f); /* nothing imported: nothing to tell */
    test_submit_and_wait(f);
    REQUIRE_EQ(atomic_load(&k->start_count), before + 2);
    vkFreeMemory(f->dev, from, NULL);
}

static void
memory_outlives_a_kernel_that_refuses(struct fixture *f)
{
    struct dma_buf_kernel *k = kernel();
    VkDeviceMemory from = exportable(f), to;
    int fd, second;
    REQUIRE_EQ(get_fd(f, from, &fd), VK_SUCCESS);
    REQUIRE_EQ(get_fd(f, from, &second), VK_SUCCESS);

    atomic_store(&k->sync_errno, EIO); /* then it is no dma-buf that we could use */
    REQUIRE_EQ(import(f, fd, &to), VK_ERROR_INVALID_EXTERNAL_HANDLE);
    atomic_store(&k->sync_errno, 0);
    REQUIRE_EQ(import(f, fd, &to), VK_SUCCESS); /* the file was still ours */
    atomic_store(&k->sync_errno, EIO);          /* later on, the work is done all the same */
    fill_and_compare(f, from, to, 0x0badcafe);
    atomic_store(&k->sync_errno, 0);

    atomic_store(&k->create_errno, ENOMEM);
    int none = -7;
    REQUIRE_EQ(get_fd(f, from, &none), VK_ERROR_TOO_MANY_OBJECTS);
    REQUIRE_EQ(none, -7);
    atomic_store(&k->create_errno, 0);
    close(second);
    vkFreeMemory(f->dev, from, NULL); /* the pages stay with who imported them */
    VkBuffer buffer = buffer_on(f, to);
    test_begin(f);
    vkCmdFillBuffer(f->cb, buffer, 0, SIZE_B, 1);
    test_submit_and_wait(f);
    vkDestroyBuffer(f->dev, buffer, NULL);
    vkFreeMemory(f->dev, to, NULL);
}

static void
an_imported_dma_buf_is_handed_on(struct fixture *f)
{
    VkDeviceMemory from = exportable(f), to, third;
    int fd;
    REQUIRE_EQ(get_fd(f, from, &fd), VK_SUCCESS);
    REQUIRE_EQ(import(f, fd, &to), VK_SUCCESS);
    REQUIRE_EQ(get_fd(f, to, &fd), VK_SUCCESS);
    REQUIRE_EQ(import(f, fd, &third), VK_SUCCESS);
    fill_and_compare(f, from, third, 0x77777777);
    vkFreeMemory(f->dev, third, NULL);
    vkFreeMemory(f->dev, to, NULL);
    vkFreeMemory(f->dev, from, NULL);
}

static const struct test_case cases[] = {
    TEST_CASE(export_is_reported_where_it_works),
    TEST_CASE(submissions_tell_the_kernel_of_imported_memory),
    TEST_CASE(memory_outlives_a_kernel_that_refuses),
    TEST_CASE(an_imported_dma_buf_is_handed_on),
};
TEST_MAIN(cases)
