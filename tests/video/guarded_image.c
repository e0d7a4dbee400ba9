/* SPDX-License-Identifier: MIT */
/* A pattern before and behind the image; pages without access around the application's own.
 */
#include "guarded_image.h"

#include "test.h"

#include <string.h>
#include <sys/mman.h>

#define CHECK(call) REQUIRE_EQ((call), VK_SUCCESS)

#define PAGE_B ((VkDeviceSize)4096)
#define PATTERN 0xa5
#define HANDLE_TYPE VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT

static VkDeviceMemory
allocate(struct vk *vk, VkDeviceSize size_B, const void *next)
{
    VkDeviceMemory memory;
    CHECK(vkAllocateMemory(vk->dev,
                           &(VkMemoryAllocateInfo){.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                                   .pNext = next,
                                                   .allocationSize = size_B},
                           NULL, &memory));
    return memory;
}

static VkDeviceMemory
allocate_exported(struct vk *vk, VkDeviceSize size_B)
{
    const VkExportMemoryAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_EXPORT_MEMORY_ALLOCATE_INFO,
                                             .handleTypes = HANDLE_TYPE};
    return allocate(vk, size_B, &info);
}

static VkDeviceMemory
import_fd(struct vk *vk, VkDeviceSize size_B, VkDeviceMemory from)
{
    VkImportMemoryFdInfoKHR info = {.sType = VK_STRUCTURE_TYPE_IMPORT_MEMORY_FD_INFO_KHR,
                                    .handleType = HANDLE_TYPE};
    CHECK(
        vkGetMemoryFdKHR(vk->dev,
                         &(VkMemoryGetFdInfoKHR){.sType = VK_STRUCTURE_TYPE_MEMORY_GET_FD_INFO_KHR,
                                                 .memory = from,
                                                 .handleType = HANDLE_TYPE},
                         &info.fd));
    return allocate(vk, size_B, &info);
}

static VkDeviceMemory
import_host(struct vk *vk, struct guarded_image *img)
{
    img->pages =
        mmap(NULL, img->memory_B + 2 * PAGE_B, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    REQUIRE(img->pages != MAP_FAILED);
    REQUIRE(mprotect(img->pages + PAGE_B, img->memory_B, PROT_READ | PROT_WRITE) == 0);
    const VkImportMemoryHostPointerInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_IMPORT_MEMORY_HOST_POINTER_INFO_EXT,
        .handleType = VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT,
        .pHostPointer = img->pages + PAGE_B,
    };
    return allocate(vk, img->memory_B, &info);
}

static void
memory_take(struct vk *vk, struct guarded_image *img, enum guarded_memory kind)
{
    switch (kind) {
    case GUARDED_OWN:
        img->memory = allocate(vk, img->memory_B, NULL);
        break;
    case GUARDED_EXPORTED:
        img->memory = allocate_exported(vk, img->memory_B);
        break;
    case GUARDED_IMPORTED:
        img->exporter = allocate_exported(vk, img->memory_B);
        img->memory = import_fd(vk, img->memory_B, img->exporter);
        break;
    case GUARDED_HOST:
        img->memory = import_host(vk, img);
        break;
    }
    CHECK(vkMapMemory(vk->dev, img->memory, 0, VK_WHOLE_SIZE, 0, (void **)&img->data));
}

struct guarded_image
guarded_image_create(struct vk *vk, const struct vk_image_info *info, enum guarded_memory kind,
                     bool has_alias)
{
    struct guarded_image img = {.filling = PATTERN};
    struct vk_image_info own = *info;
    const VkExternalMemoryImageCreateInfo external = {
        .sType = VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_IMAGE_CREATE_INFO,
        .pNext = info->next,
        .handleTypes = kind == GUARDED_HOST ? VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT
                                            : HANDLE_TYPE,
    };
    if (kind != GUARDED_OWN)
        own.next = &external;
    own.flags |= has_alias ? VK_IMAGE_CREATE_ALIAS_BIT : 0;

    VkMemoryRequirements requirements;
    img.image = vk_image_create_unbound(vk, &own, &requirements);
    img.size_B = requirements.size;
    img.offset_B = 3 * requirements.alignment;
    /* Nothing lies between the image and the end of the application's pages but what it takes to
     * be aligned. */
    img.memory_B = (img.offset_B + img.size_B + PAGE_B - 1) & ~(PAGE_B - 1);
    if (kind == GUARDED_HOST)
        img.offset_B = (img.memory_B - img.size_B) & ~(requirements.alignment - 1);
    else
        img.memory_B += PAGE_B;
    memory_take(vk, &img, kind);
    memset(img.data, PATTERN, img.memory_B);
    vk_image_bind(vk, &img.image, img.memory, img.offset_B);
    if (has_alias) {
        img.alias = vk_image_create_unbound(vk, &own, &requirements);
        REQUIRE_EQ(requirements.size, img.size_B);
        vk_image_bind(vk, &img.alias, img.memory, img.offset_B);
    }
    return img;
}

void
guarded_image_fill(struct guarded_image *img, uint8_t value)
{
    memset(img->data + img->offset_B, value, img->size_B);
    img->filling = value;
}

static void
surroundings_check(const struct guarded_image *img)
{
    for (VkDeviceSize i = 0; i < img->offset_B; i++)
        REQUIRE(img->data[i] == PATTERN);
    for (VkDeviceSize i = img->offset_B + img->size_B; i < img->memory_B; i++)
        REQUIRE(img->data[i] == PATTERN);
}

void
guarded_image_destroy(struct vk *vk, struct guarded_image *img)
{
    if (!img->image.handle)
        return;
    surroundings_check(img);
    vk_image_destroy(vk, &img->image);
    vk_image_destroy(vk, &img->alias);
    vkFreeMemory(vk->dev, img->memory, NULL);
    vkFreeMemory(vk->dev, img->exporter, NULL);
    if (img->pages)
        munmap(img->pages, img->memory_B + 2 * PAGE_B);
    *img = (struct guarded_image){.filling = 0};
}
