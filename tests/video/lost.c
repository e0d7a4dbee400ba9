/* SPDX-License-Identifier: MIT */
/* A device that is lost while pictures are on their way in several queues. What is waited for then
 * is freed, as an application would.
 */
#include "decode_client.h"
#include "pictures.h"
#include "stream_state.h"
#include "test.h"

#include "endless.spv.h"

#include <stdlib.h>
#include <string.h>

#define CHECK(call) REQUIRE_EQ((call), VK_SUCCESS)

#define ROUNDS 12u
#define PICTURES 7u
#define IN_FLIGHT STREAM_MAX_SHOTS

/* A dispatch that is cut off. */
struct endless {
    VkPipelineLayout layout;
    VkPipeline pipeline;
    VkCommandPool pool;
    VkCommandBuffer cb;
};

static void
pipeline_create(struct vk *vk, struct endless *e)
{
    CHECK(vkCreatePipelineLayout(
        vk->dev,
        &(VkPipelineLayoutCreateInfo){.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO}, NULL,
        &e->layout));
    e->pipeline = vk_compute_pipeline(vk, e->layout, spirv_endless, sizeof(spirv_endless));
}

static void
endless_create(struct vk *vk, struct endless *e)
{
    pipeline_create(vk, e);
    CHECK(vkCreateCommandPool(
        vk->dev,
        &(VkCommandPoolCreateInfo){.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                   .queueFamilyIndex = vk->compute_family},
        NULL, &e->pool));
    CHECK(vkAllocateCommandBuffers(
        vk->dev,
        &(VkCommandBufferAllocateInfo){.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                       .commandPool = e->pool,
                                       .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                       .commandBufferCount = 1},
        &e->cb));
    CHECK(vkBeginCommandBuffer(
        e->cb, &(VkCommandBufferBeginInfo){.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO}));
    vkCmdBindPipeline(e->cb, VK_PIPELINE_BIND_POINT_COMPUTE, e->pipeline);
    vkCmdDispatch(e->cb, 1, 1, 1);
    CHECK(vkEndCommandBuffer(e->cb));
}

static void
endless_submit(struct vk *vk, const struct endless *e)
{
    const VkSubmitInfo info = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &e->cb};
    CHECK(vkQueueSubmit(vk->compute_queue, 1, &info, VK_NULL_HANDLE));
}

static void
endless_destroy(struct vk *vk, struct endless *e)
{
    vkDestroyCommandPool(vk->dev, e->pool, NULL);
    vkDestroyPipeline(vk->dev, e->pipeline, NULL);
    vkDestroyPipelineLayout(vk->dev, e->layout, NULL);
}

static void
close_lost(struct vk *vk)
{
    vkDestroyCommandPool(vk->dev, vk->pool, NULL);
    vkDestroyDevice(vk->dev, NULL);
    vkDestroyInstance(vk->instance, NULL);
}

static void
decode(struct decode *d, const struct decode_source *coded, uint32_t i, VkQueue queue)
{
    struct slots refs = {0};
    if (coded->ref_slot >= 0)
        decode_slots_add(&refs, d, coded->ref_slot);
    decode_record(d, i, &coded->std, &refs, coded->slot, coded->data, coded->size_B);
    const VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                               .commandBufferCount = 1,
                               .pCommandBuffers = &d->cbs[i]};
    CHECK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
}

/* Of two queues, for references that do not come; those of the first queue are two. */
static void
parked_pictures_are_dropped(void)
{
    const struct stream_options options = {
        .width_px = 64, .height_px = 64, .slot_count = PICTURES + 1, .max_refs = PICTURES};
    struct decode_source coded[PICTURES];
    struct endless e;
    struct vk vk;

    vk_open_as(&vk, "libavutil", VK_MAKE_VERSION(59, 39, 100)); /* FFmpeg 7.1 */
    struct stream *s = stream_open(&vk, &options);
    struct decode *d = decode_open(&vk, s);
    endless_create(&vk, &e);
    for (uint32_t i = 0; i < PICTURES; i++)
        coded[i] = decode_source_make(d, i);
    decode(d, &coded[0], 0, vk.decode_queue);
    CHECK(vkDeviceWaitIdle(vk.dev));

    endless_submit(&vk, &e);
    decode(d, &coded[2], 2, vk.decode_queue);
    decode(d, &coded[4], 4, vk.decode_queue);
    decode(d, &coded[6], 6, vk.decode_queues[1]);
    REQUIRE_EQ(vkDeviceWaitIdle(vk.dev), VK_ERROR_DEVICE_LOST);

    for (uint32_t i = 0; i < PICTURES; i++)
        free(coded[i].data);
    endless_destroy(&vk, &e);
    decode_close(d);
    (void)stream_finish(s);
    close_lost(&vk);
}

/* In all encode queues, each waiting for the one before, and still coded when the device is lost:
 * their images and their session are there until the wait has ended. */
static void
pictures_in_flight_end_first(bool has_rate)
{
    const struct stream_options options = {.width_px = 1280,
                                           .height_px = 720,
                                           .slot_count = 3,
                                           .max_refs = 2,
                                           .shot_count = IN_FLIGHT,
                                           .is_chained = true,
                                           .is_overlapped = true,
                                           .average_bps = has_rate ? 4000000 : 0,
                                           .quality_level = 3};
    uint32_t numbers[IN_FLIGHT];
    struct endless e;
    struct vk vk;

    vk_open(&vk);
    struct stream *s = stream_open(&vk, &options);
    endless_create(&vk, &e);
    for (uint32_t i = 0; i < IN_FLIGHT; i++) {
        const struct stream_picture pic = picture_of_chain(s, i, 26);
        numbers[i] = stream_prepare(s, &pic);
        stream_record(s, numbers[i]);
    }
    for (uint32_t i = 0; i < IN_FLIGHT; i++)
        stream_submit(s, numbers[i]);
    endless_submit(&vk, &e);
    REQUIRE_EQ(vkDeviceWaitIdle(vk.dev), VK_ERROR_DEVICE_LOST);

    for (uint32_t i = 0; i < IN_FLIGHT; i++)
        s->shots[i].is_busy = false; /* nothing is to be had of them */
    endless_destroy(&vk, &e);
    (void)stream_finish(s);
    close_lost(&vk);
}

int
main(void)
{
    struct vk vk;
    REQUIRE_EQ(setenv("REELPIPE_TIMEOUT", "40", 1), 0);
    for (uint32_t i = 0; i < 4; i++)
        pictures_in_flight_end_first(i & 1);
    vk_open(&vk);
    const bool decodes = vk.decode_family != UINT32_MAX;
    vk_close(&vk);
    if (!decodes) {
        (void)fprintf(stderr, "the device does not decode: libavcodec is not there\n");
        return TEST_SKIPPED;
    }
    for (uint32_t i = 0; i < ROUNDS; i++)
        parked_pictures_are_dropped();
    return 0;
}
