/* SPDX-License-Identifier: MIT */
/* Contents of buffers and images: written before a submission, compared after it.
 */
#include "replay.h"

#include "capture/content_hash.h"
#include "format/format.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_TOLD_DIFFERENCES 20u

static bool
staging_reserve(struct replay *replay, uint64_t size_B)
{
    if (size_B <= replay->staging_B)
        return true;
    vkDestroyBuffer(replay->device, replay->staging, NULL);
    vkFreeMemory(replay->device, replay->staging_memory, NULL);
    replay->staging = VK_NULL_HANDLE;
    replay->staging_memory = VK_NULL_HANDLE;
    replay->staging_B = 0;
    const VkBufferCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
        .size = size_B,
        .usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT,
    };
    if (!replay_call(replay, vkCreateBuffer(replay->device, &info, NULL, &replay->staging),
                     "vkCreateBuffer"))
        return false;
    VkMemoryRequirements needs;
    vkGetBufferMemoryRequirements(replay->device, replay->staging, &needs);
    const VkMemoryAllocateInfo allocate = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
        .allocationSize = needs.size,
        .memoryTypeIndex = replay_memory_type(replay, needs.memoryTypeBits,
                                              VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT |
                                                  VK_MEMORY_PROPERTY_HOST_COHERENT_BIT),
    };
    void *host;
    if (!replay_call(replay,
                     vkAllocateMemory(replay->device, &allocate, NULL, &replay->staging_memory),
                     "vkAllocateMemory") ||
        !replay_call(replay,
                     vkBindBufferMemory(replay->device, replay->staging, replay->staging_memory, 0),
                     "vkBindBufferMemory") ||
        !replay_call(
            replay, vkMapMemory(replay->device, replay->staging_memory, 0, VK_WHOLE_SIZE, 0, &host),
            "vkMapMemory"))
        return false;
    replay->staging_host = host;
    replay->staging_B = size_B;
    return true;
}

struct init_ctx {
    VkImage image;
    const VkImageCreateInfo *info;
};

static bool
init_record(struct replay *replay, void *ctx)
{
    const struct init_ctx *init = ctx;
    const struct rp_format *format = rp_format_get(init->info->format);
    VkImageAspectFlags aspects = VK_IMAGE_ASPECT_COLOR_BIT;
    if (format && format->aspects & (VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT))
        aspects = format->aspects;
    const VkImageMemoryBarrier barrier = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
        .dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT,
        .oldLayout = VK_IMAGE_LAYOUT_UNDEFINED,
        .newLayout = VK_IMAGE_LAYOUT_GENERAL,
        .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .image = init->image,
        .subresourceRange = {aspects, 0, VK_REMAINING_MIP_LEVELS, 0, VK_REMAINING_ARRAY_LAYERS},
    };
    vkCmdPipelineBarrier(replay->cb, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                         VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, NULL, 0, NULL, 1, &barrier);
    return true;
}

bool
replay_image_init(struct replay *replay, VkImage image, const VkImageCreateInfo *info)
{
    struct init_ctx init = {.image = image, .info = info};
    return replay_submit_now(replay, &replay->queues[0], init_record, &init, NULL);
}

/* A level and layer of a plane of an image, as vkCmdCopyBufferToImage moves it. */
struct subresource {
    VkImage image;
    VkBufferImageCopy region;
    uint64_t row_B;
    uint64_t row_count; /* of all slices */
    bool to_image;
};

static bool
image_info(struct replay *replay, struct replay_object *object, VkImageCreateInfo **out)
{
    void *structure;
    if (!replay_read_struct(&replay->reader, object->create, "VkImageCreateInfo", &structure))
        return false;
    *out = structure;
    if (!rp_format_get((*out)->format))
        return replay_fail(&replay->reader, "the format %d is not known", (int)(*out)->format);
    return true;
}

/* No copy moves its texels. What it held before the capture is not restored, then, and what it
 * holds is seen by what is resolved from it alone. */
static bool
is_multisampled(const VkImageCreateInfo *info)
{
    return info->samples != VK_SAMPLE_COUNT_1_BIT;
}

static uint32_t
level_size(uint32_t size, uint32_t level)
{
    const uint32_t reduced = level < 32 ? size >> level : 0;
    return reduced ? reduced : 1;
}

static bool
subresource_init(struct replay *replay, const VkImageCreateInfo *info, uint32_t plane,
                 uint32_t level, uint32_t layer, struct subresource *out)
{
    const struct rp_format *format = rp_format_get(info->format);
    if (plane >= format->plane_count || level >= info->mipLevels || layer >= info->arrayLayers)
        return replay_fail(&replay->reader, "there is no plane %u, level %u, layer %u", plane,
                           level, layer);
    const struct rp_format_plane *p = &format->planes[plane];
    const VkExtent3D extent = {
        .width =
            (level_size(info->extent.width, level) + (1u << p->log2_div_w) - 1) >> p->log2_div_w,
        .height =
            (level_size(info->extent.height, level) + (1u << p->log2_div_h) - 1) >> p->log2_div_h,
        .depth = level_size(info->extent.depth, level),
    };
    out->region = (VkBufferImageCopy){
        .imageSubresource = {p->aspect, level, layer, 1},
        .imageExtent = extent,
    };
    out->row_B = (uint64_t)((extent.width + p->block_w_px - 1) / p->block_w_px) * p->block_B;
    out->row_count = (uint64_t)((extent.height + p->block_h_px - 1) / p->block_h_px) * extent.depth;
    return true;
}

static bool
subresource_record(struct replay *replay, void *ctx)
{
    const struct subresource *s = ctx;
    replay_full_barrier(replay->cb);
    if (s->to_image)
        vkCmdCopyBufferToImage(replay->cb, replay->staging, s->image, VK_IMAGE_LAYOUT_GENERAL, 1,
                               &s->region);
    else
        vkCmdCopyImageToBuffer(replay->cb, s->image, VK_IMAGE_LAYOUT_GENERAL, replay->staging, 1,
                               &s->region);
    replay_full_barrier(replay->cb);
    return true;
}

static bool
write_image(struct replay *replay, struct replay_object *object, const cJSON *item)
{
    struct replay_reader *r = &replay->reader;
    struct subresource s = {.image = (VkImage)(uintptr_t)object->handle, .to_image = true};
    VkImageCreateInfo *info;
    uint32_t at[3];
    if (!image_info(replay, object, &info))
        return false;
    if (is_multisampled(info))
        return true;
    if (!replay_read_number(r, replay_get(item, "plane"), &at[0], 4) ||
        !replay_read_number(r, replay_get(item, "level"), &at[1], 4) ||
        !replay_read_number(r, replay_get(item, "layer"), &at[2], 4) ||
        !subresource_init(replay, info, at[0], at[1], at[2], &s) ||
        !staging_reserve(replay, s.row_B * s.row_count))
        return false;
    uint64_t at_B = 0;
    const cJSON *blob;
    cJSON_ArrayForEach(blob, replay_get(item, "blobs"))
    {
        uint64_t number;
        size_t size_B;
        const uint8_t *bytes = NULL;
        if (replay_read_u64(r, blob, &number))
            bytes = replay_blob(r, &replay->blobs, number, &size_B);
        if (!bytes || size_B > s.row_B * s.row_count - at_B)
            return replay_fail(r, "more texels than the image has");
        memcpy(replay->staging_host + at_B, bytes, size_B);
        at_B += size_B;
    }
    if (at_B != s.row_B * s.row_count)
        return replay_fail(r, "fewer texels than the image has");
    return replay_submit_now(replay, &replay->queues[0], subresource_record, &s, NULL);
}

static bool
write_buffer(struct replay *replay, struct replay_object *object, const cJSON *item)
{
    struct replay_reader *r = &replay->reader;
    const cJSON *run;
    cJSON_ArrayForEach(run, replay_get(item, "pages"))
    {
        uint64_t offset_B, size_B, number;
        size_t there_B;
        if (!replay_read_u64(r, cJSON_GetArrayItem(run, 0), &offset_B) ||
            !replay_read_u64(r, cJSON_GetArrayItem(run, 1), &size_B) ||
            !replay_read_u64(r, cJSON_GetArrayItem(run, 2), &number))
            return false;
        const uint8_t *bytes = replay_blob(r, &replay->blobs, number, &there_B);
        if (!bytes)
            return false;
        if (there_B != size_B || offset_B > object->size_B || size_B > object->size_B - offset_B ||
            !object->mapped)
            return replay_fail(r, "%llu bytes at %llu are not in it", (unsigned long long)size_B,
                               (unsigned long long)offset_B);
        memcpy(object->mapped + offset_B, bytes, size_B);
    }
    return true;
}

/* The buffer or image that an item is about; named in messages. */
static struct replay_object *
item_object(struct replay *replay, const cJSON *item, bool *is_image_out)
{
    struct replay_reader *r = &replay->reader;
    uint64_t id = 0;
    *is_image_out = replay_get(item, "image") != NULL;
    const char *key = *is_image_out ? "image" : "buffer";
    if (!replay_read_u64(r, replay_get(item, key), &id))
        return NULL;
    struct replay_object *object =
        replay_object_get(replay, id, *is_image_out ? "VkImage" : "VkBuffer");
    (void)snprintf(r->subject, sizeof(r->subject), "%s %llu", key, (unsigned long long)id);
    if (!object || !object->handle) {
        (void)replay_fail(r, "is not there");
        return NULL;
    }
    return object;
}

bool
replay_memory_write(struct replay *replay, const cJSON *list)
{
    const cJSON *item;
    cJSON_ArrayForEach(item, list)
    {
        bool is_image;
        struct replay_object *object = item_object(replay, item, &is_image);
        if (!object || !(is_image ? write_image : write_buffer)(replay, object, item))
            return false;
        replay->reader.subject[0] = '\0';
    }
    return true;
}

static void
tell_difference(struct replay *replay, uint64_t submission, const struct replay_object *object,
                const char *what)
{
    replay->difference_count++;
    if (replay->difference_count > MAX_TOLD_DIFFERENCES)
        return;
    fprintf(stderr, "submission %llu: %s%s%s%s: %s differs\n", (unsigned long long)submission,
            replay->reader.subject, object->name ? " \"" : "", object->name ? object->name : "",
            object->name ? "\"" : "", what);
}

static bool
check_buffer(struct replay *replay, uint64_t submission, struct replay_object *object,
             const cJSON *item)
{
    struct replay_reader *r = &replay->reader;
    uint64_t offset_B, size_B, hash;
    char text[80];
    if (!replay_read_u64(r, replay_get(item, "offset"), &offset_B) ||
        !replay_read_u64(r, replay_get(item, "size"), &size_B) ||
        !replay_read_u64(r, replay_get(item, "hash"), &hash))
        return false;
    if (!object->mapped || offset_B > object->size_B || size_B > object->size_B - offset_B)
        return replay_fail(r, "%llu bytes at %llu are not in it", (unsigned long long)size_B,
                           (unsigned long long)offset_B);
    replay->check_count++;
    if (rp_content_hash(object->mapped + offset_B, offset_B, size_B) == hash)
        return true;
    (void)snprintf(text, sizeof(text), "bytes %llu to %llu", (unsigned long long)offset_B,
                   (unsigned long long)(offset_B + size_B - 1));
    tell_difference(replay, submission, object, text);
    return true;
}

static bool
read_subresource(struct replay *replay, struct replay_object *object, const VkImageCreateInfo *info,
                 const uint32_t at[3], struct subresource *out)
{
    *out = (struct subresource){.image = (VkImage)(uintptr_t)object->handle};
    return subresource_init(replay, info, at[0], at[1], at[2], out) &&
           staging_reserve(replay, out->row_B * out->row_count) &&
           replay_submit_now(replay, &replay->queues[0], subresource_record, out, NULL);
}

static bool
check_image(struct replay *replay, uint64_t submission, struct replay_object *object,
            const cJSON *item)
{
    struct replay_reader *r = &replay->reader;
    VkImageCreateInfo *info;
    if (!image_info(replay, object, &info))
        return false;
    if (is_multisampled(info))
        return true;
    const cJSON *hashes = replay_get(item, "hashes"), *next = hashes ? hashes->child : NULL;
    const uint32_t planes = rp_format_get(info->format)->plane_count;
    for (uint32_t p = 0; p < planes; p++)
        for (uint32_t level = 0; level < info->mipLevels; level++)
            for (uint32_t layer = 0; layer < info->arrayLayers; layer++, next = next->next) {
                const uint32_t at[3] = {p, level, layer};
                struct subresource s;
                uint64_t expected;
                char text[80];
                if (!next)
                    return replay_fail(r, "hashes are missing");
                if (!replay_read_u64(r, next, &expected) ||
                    !read_subresource(replay, object, info, at, &s))
                    return false;
                const struct rp_content_rows rows = {
                    .data = replay->staging_host,
                    .row_B = s.row_B,
                    .row_stride_B = s.row_B,
                    .row_count = (uint32_t)s.row_count,
                    .slice_count = 1,
                };
                replay->check_count++;
                (void)snprintf(text, sizeof(text), "plane %u, level %u, layer %u", p, level, layer);
                if (rp_content_hash_rows(&rows) != expected)
                    tell_difference(replay, submission, object, text);
            }
    return true;
}

bool
replay_memory_check(struct replay *replay, uint64_t submission, const cJSON *list)
{
    const cJSON *item;
    cJSON_ArrayForEach(item, list)
    {
        bool is_image;
        struct replay_object *object = item_object(replay, item, &is_image);
        if (!object || !(is_image ? check_image : check_buffer)(replay, submission, object, item))
            return false;
        replay->reader.subject[0] = '\0';
        replay_read_reset(&replay->reader);
    }
    return true;
}

static struct replay_object *
find_named(struct replay *replay, const char *which)
{
    char *end;
    const uint64_t id = strtoull(which, &end, 10);
    for (uint64_t i = 1; i < replay->object_limit; i++) {
        struct replay_object *object = &replay->objects[i];
        if (!object->type || !object->handle ||
            (strcmp(object->type, "VkBuffer") != 0 && strcmp(object->type, "VkImage") != 0))
            continue;
        if ((*end == '\0' && i == id) || (object->name && strcmp(object->name, which) == 0))
            return object;
    }
    return NULL;
}

static bool
dump_image(struct replay *replay, struct replay_object *object)
{
    VkImageCreateInfo *info;
    if (!image_info(replay, object, &info))
        return false;
    if (is_multisampled(info))
        return replay_fail(&replay->reader, "a multisampled image, whose texels no copy moves");
    for (uint32_t level = 0; level < info->mipLevels; level++)
        for (uint32_t layer = 0; layer < info->arrayLayers; layer++)
            for (uint32_t p = 0; p < rp_format_get(info->format)->plane_count; p++) {
                const uint32_t at[3] = {p, level, layer};
                struct subresource s;
                if (!read_subresource(replay, object, info, at, &s))
                    return false;
                fwrite(replay->staging_host, 1, s.row_B * s.row_count, stdout);
            }
    return true;
}

bool
replay_memory_dump(struct replay *replay, const char *which)
{
    struct replay_object *object = find_named(replay, which);
    replay->reader.file = NULL;
    if (!object)
        return replay_fail(&replay->reader, "no buffer or image is called %s at the end", which);
    if (strcmp(object->type, "VkImage") == 0)
        return dump_image(replay, object);
    if (object->mapped)
        fwrite(object->mapped, 1, object->size_B, stdout);
    return true;
}
