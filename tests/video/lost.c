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

#define FUNCTIONS(X)                                                                               \
    X(vkCreateShaderModule)                                                                        \
    X(vkDestroyShaderModule)                                                                       \
    X(vkCreatePipelineLayout)                                                                      \
    X(vkDestroyPipelineLayout)                                                                     \
    X(vkCreateComputePipelines)                                                                    \
    X(vkDestroyPipeline)                                                                           \
    X(vkCmdBindPipeline)                                                                           \
    X(vkCmdDispatch)

#define DECLARE(name) static PFN_##name name;
FUNCTIONS(DECLARE)

static void
find_functions(struct vk *vk)
{
#define FIND(name) name = (PFN_##name)vkGetDeviceProcAddr(vk->dev, #name);
    FUNCTIONS(FIND)
}

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
    VkShaderModule module;
    CHECK(vkCreatePipelineLayout(
        vk->dev,
        &(VkPipelineLayoutCreateInfo){.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO}, NULL,
        &e->layout));
    CHECK(vkCreateShaderModule(
        vk->dev,
        &(VkShaderModuleCreateInfo){.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                    .codeSize = sizeof(spirv_endless),
                                    .pCode = spirv_endless},
        NULL, &module));
    const VkComputePipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .module = module,
                  .pName = "main"},
        .layout = e->layout,
    };
    CHECK(vkCreateComputePipelines(vk->dev, VK_NULL_HANDLE, 1, &info, NULL, &e->pipeline));
    vkDestroyShaderModule(vk->dev, module, NULL);
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

struct coded {
    StdVideoDecodeH264PictureInfo std;
    int32_t slot;
    int32_t ref_slot;
    uint8_t *data;
    size_t size_B;
};

static struct coded
encode(struct stream *s, struct decode *d, uint32_t i)
{
    const struct stream_picture pic = picture_of_chain(s, i, 26);
    const uint32_t number = stream_prepare(s, &pic);
    stream_record(s, number);
    stream_submit(s, number);
    const struct stream_result result = stream_collect(s, number);
    struct coded coded = {
        .std = {.flags = {.is_intra = pic.is_idr, .IdrPicFlag = pic.is_idr, .is_reference = 1},
                .frame_num = (uint16_t)i,
                .PicOrderCnt = {pic.poc, pic.poc}},
        .slot = pic.setup_slot,
        .ref_slot = pic.is_idr ? -1 : pic.list[0][0],
        .data = malloc(result.size_B),
        .size_B = result.size_B,
    };
    REQUIRE(coded.data);
    memcpy(coded.data, result.data, result.size_B);
    d->infos[coded.slot] = (StdVideoDecodeH264ReferenceInfo){.FrameNum = (uint16_t)i,
                                                             .PicOrderCnt = {pic.poc, pic.poc}};
    return coded;
}

static void
decode(struct decode *d, const struct coded *coded, uint32_t i, VkQueue queue)
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
    struct coded coded[PICTURES];
    struct endless e;
    struct vk vk;

    vk_open_as(&vk, "libavutil", VK_MAKE_VERSION(59, 39, 100)); /* FFmpeg 7.1 */
    find_functions(&vk);
    struct stream *s = stream_open(&vk, &options);
    struct decode *d = decode_open(&vk, s);
    endless_create(&vk, &e);
    for (uint32_t i = 0; i < PICTURES; i++)
        coded[i] = encode(s, d, i);
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
    find_functions(&vk);
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
