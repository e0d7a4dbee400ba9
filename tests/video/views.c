/* SPDX-License-Identifier: MIT */
/* Views that are gone when the pictures that were recorded with them are coded: FFmpeg destroys
 * those of references while a picture is pending, where its stream lacks frames.
 */
#include "decode_client.h"
#include "pictures.h"
#include "stream_state.h"
#include "test.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define PICTURES 4u
#define SLOTS (PICTURES + 1)

static const struct stream_options options = {
    .width_px = 176, .height_px = 144, .slot_count = SLOTS, .max_refs = PICTURES};

/* In front of memory that is filled with garbage when it is freed. */
union header {
    size_t size_B;
    max_align_t alignment;
};

static void *
garbage_alloc(void *data, size_t size_B, size_t alignment_B, VkSystemAllocationScope scope)
{
    union header *header = calloc(1, sizeof(*header) + size_B);
    REQUIRE(header && alignment_B <= sizeof(*header));
    header->size_B = size_B;
    return header + 1;
}

static void
garbage_free(void *data, void *memory)
{
    if (!memory)
        return;
    union header *header = (union header *)memory - 1;
    memset(memory, 0x5a, header->size_B);
    free(header);
}

static void *
no_realloc(void *data, void *memory, size_t size_B, size_t alignment_B,
           VkSystemAllocationScope scope)
{
    return NULL;
}

static const VkAllocationCallbacks garbage = {
    .pfnAllocation = garbage_alloc,
    .pfnReallocation = no_realloc,
    .pfnFree = garbage_free,
};

static void
views_replace(struct vk *vk, struct vk_image *const *images, uint32_t count,
              const VkAllocationCallbacks *old_alloc, const VkAllocationCallbacks *alloc)
{
    for (uint32_t i = 0; i < count; i++)
        vkDestroyImageView(vk->dev, images[i]->view, old_alloc);
    for (uint32_t i = 0; i < count; i++)
        vk_image_view_create(vk, images[i], alloc);
}

static bool
is_right(struct vk *vk, const struct decode *d, const struct decode_source *pic)
{
    uint8_t *pixels = malloc(frame_B(d->stream));
    REQUIRE(pixels);
    vk_image_read_i420(vk, &d->dpb[pic->slot], 0, pixels);
    const bool is_same = memcmp(pixels, pic->recon, frame_B(d->stream)) == 0;
    free(pixels);
    return is_same;
}

static void
decoded_pictures_outlive_their_views(struct vk *vk)
{
    struct stream *s = stream_open(vk, &options);
    struct decode *d = decode_open(vk, s);
    struct decode_source pics[PICTURES];
    struct vk_image *images[SLOTS];
    for (uint32_t i = 0; i < SLOTS; i++)
        images[i] = &d->dpb[i];
    for (uint32_t i = 0; i < PICTURES; i++)
        pics[i] = decode_source_make(d, i);

    for (uint32_t i = 0; i < PICTURES; i++) {
        struct slots refs = {0};
        views_replace(vk, images, SLOTS, NULL, &garbage);
        if (pics[i].ref_slot >= 0)
            decode_slots_add(&refs, d, pics[i].ref_slot);
        decode_record(d, i, &pics[i].std, &refs, pics[i].slot, pics[i].data, pics[i].size_B);
        views_replace(vk, images, SLOTS, &garbage, NULL);
        CHECK(vkQueueSubmit(vk->decode_queue, 1,
                            &(VkSubmitInfo){.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                                            .commandBufferCount = 1,
                                            .pCommandBuffers = &d->cbs[i]},
                            VK_NULL_HANDLE));
        CHECK(vkDeviceWaitIdle(vk->dev));
        REQUIRE_EQ(decode_status(d, i), VK_QUERY_RESULT_STATUS_COMPLETE_KHR);
        REQUIRE(is_right(vk, d, &pics[i]));
        free(pics[i].data);
    }
    decode_close(d);
    (void)stream_finish(s);
}

/* stream_finish() holds what is decoded against the reconstructions. */
static void
encoded_pictures_outlive_their_views(struct vk *vk)
{
    struct stream *s = stream_open(vk, &options);
    struct vk_image *images[SLOTS + 1];
    for (uint32_t i = 0; i < SLOTS; i++)
        images[i] = &s->dpb[i];

    for (uint32_t i = 0; i < PICTURES; i++) {
        const struct stream_picture pic = picture_of_chain(s, i, 26);
        const uint32_t number = stream_prepare(s, &pic);
        images[SLOTS] = &s->shots[0].src;
        views_replace(vk, images, SLOTS + 1, NULL, &garbage);
        stream_record(s, number);
        views_replace(vk, images, SLOTS + 1, &garbage, NULL);
        stream_submit(s, number);
        REQUIRE_EQ(stream_collect(s, number).status, VK_QUERY_RESULT_STATUS_COMPLETE_KHR);
    }
    REQUIRE(stream_finish(s) > 3000);
}

int
main(void)
{
    struct vk vk;
    vk_open(&vk);
    RUN(encoded_pictures_outlive_their_views, &vk);
    if (vk.decode_family != UINT32_MAX)
        RUN(decoded_pictures_outlive_their_views, &vk);
    vk_close(&vk);
    return 0;
}
