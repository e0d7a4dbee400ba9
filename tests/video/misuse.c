/* SPDX-License-Identifier: MIT */
/* Slots and references that an application must not name: never activated, named twice, of other
 * images, out of every range, with resets in between. Nothing crashes, hangs or is lost, and
 * pictures that are named as they should be are decoded exactly afterwards.
 *
 * usage: misuse [FIRST_SEED COUNT]
 */
#include "decode_client.h"
#include "pictures.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>

#define PICTURES 8u
#define COMMANDS 60u
#define LISTED 40u /* more than any session has */

struct fixture {
    struct vk *vk;
    struct stream *stream;
    struct decode *d;
    struct decode_source pics[PICTURES];
    uint64_t random;
};

/* What one command names, with everything that it points to. */
struct named {
    StdVideoDecodeH264ReferenceInfo std[LISTED];
    VkVideoDecodeH264DpbSlotInfoKHR h264[LISTED];
    VkVideoPictureResourceInfoKHR resources[LISTED];
    VkVideoReferenceSlotInfoKHR slots[LISTED];
    uint32_t count;
};

static uint32_t
below(struct fixture *f, uint32_t limit)
{
    f->random = f->random * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(f->random >> 33) % limit;
}

static void
fixture_open(struct fixture *f, struct vk *vk)
{
    const struct stream_options options = {
        .width_px = 176, .height_px = 144, .slot_count = PICTURES + 1, .max_refs = PICTURES};
    *f = (struct fixture){.vk = vk, .stream = stream_open(vk, &options)};
    f->d = decode_open(vk, f->stream);
    for (uint32_t i = 0; i < PICTURES; i++)
        f->pics[i] = decode_source_make(f->d, i);
}

static void
fixture_close(struct fixture *f)
{
    for (uint32_t i = 0; i < PICTURES; i++)
        free(f->pics[i].data);
    decode_close(f->d);
    (void)stream_finish(f->stream);
}

static int32_t
strange_slot(struct fixture *f)
{
    static const int32_t strange[] = {-1, -2, 17, 18, 31, 32, 255, INT32_MAX, INT32_MIN};
    return below(f, 4) ? (int32_t)below(f, PICTURES + 1)
                       : strange[below(f, sizeof(strange) / sizeof(strange[0]))];
}

static VkVideoPictureResourceInfoKHR
strange_resource(struct fixture *f)
{
    static const uint32_t layers[] = {0, 0, 0, 0, 1, 1, 2, 1000, UINT32_MAX};
    static const int32_t offsets[] = {0, 0, 0, 0, 0, 2, 16, 143, 176, -2, INT32_MIN, INT32_MAX};
    static const uint32_t extents[] = {0, 0, 1, 16, 4096, UINT32_MAX};
    VkVideoPictureResourceInfoKHR resource = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_PICTURE_RESOURCE_INFO_KHR,
        .codedExtent = {176, 144},
        .baseArrayLayer = layers[below(f, 9)],
        .imageViewBinding = below(f, 12) ? f->d->dpb[below(f, PICTURES + 1)].view : VK_NULL_HANDLE,
    };
    if (below(f, 4) == 0)
        resource.codedOffset = (VkOffset2D){offsets[below(f, 12)], offsets[below(f, 12)]};
    if (below(f, 8) == 0)
        resource.codedExtent = (VkExtent2D){extents[below(f, 6)], extents[below(f, 6)]};
    return resource;
}

static void
name_one(struct fixture *f, struct named *named)
{
    const uint32_t i = named->count++;
    named->std[i] = f->d->infos[below(f, PICTURES + 1)];
    if (below(f, 3) == 0)
        named->std[i] = (StdVideoDecodeH264ReferenceInfo){
            .flags = {.top_field_flag = below(f, 2),
                      .bottom_field_flag = below(f, 2),
                      .used_for_long_term_reference = below(f, 2),
                      .is_non_existing = below(f, 2)},
            .FrameNum = (uint16_t)below(f, 65536),
            .PicOrderCnt = {(int32_t)below(f, UINT32_MAX), (int32_t)below(f, 100)},
        };
    named->h264[i] = (VkVideoDecodeH264DpbSlotInfoKHR){
        .sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_H264_DPB_SLOT_INFO_KHR,
        .pStdReferenceInfo = below(f, 10) ? &named->std[i] : NULL,
    };
    named->resources[i] = strange_resource(f);
    named->slots[i] = (VkVideoReferenceSlotInfoKHR){
        .sType = VK_STRUCTURE_TYPE_VIDEO_REFERENCE_SLOT_INFO_KHR,
        .pNext = below(f, 10) ? &named->h264[i] : NULL,
        .slotIndex = strange_slot(f),
        .pPictureResource = below(f, 6) ? &named->resources[i] : NULL,
    };
}

static void
name_some(struct fixture *f, struct named *named)
{
    named->count = 0;
    const uint32_t count = below(f, 3) ? below(f, PICTURES + 2) : below(f, LISTED);
    while (named->count < count) {
        name_one(f, named);
        if (named->count > 1 && below(f, 6) == 0) /* the one before, or its slot alone, again */
            named->slots[named->count - 1].slotIndex = named->slots[named->count - 2].slotIndex;
        if (named->count > 1 && below(f, 6) == 0)
            named->resources[named->count - 1] = named->resources[named->count - 2];
    }
}

static void
record_reset(struct fixture *f, VkCommandBuffer cb)
{
    static const VkVideoCodingControlFlagsKHR flags[] = {VK_VIDEO_CODING_CONTROL_RESET_BIT_KHR, 0,
                                                         UINT32_MAX};
    vkCmdControlVideoCodingKHR(
        cb, &(VkVideoCodingControlInfoKHR){.sType = VK_STRUCTURE_TYPE_VIDEO_CODING_CONTROL_INFO_KHR,
                                           .flags = flags[below(f, 3)]});
}

static void
record_decode(struct fixture *f, VkCommandBuffer cb)
{
    static struct named named, setup;
    const struct decode_source *pic = &f->pics[below(f, PICTURES)];
    StdVideoDecodeH264PictureInfo std = pic->std;
    const uint32_t offsets_B[2] = {below(f, 8) ? 0 : below(f, UINT32_MAX), below(f, 100)};
    if (below(f, 6) == 0)
        std.flags.field_pic_flag = std.flags.bottom_field_flag = 1;
    if (below(f, 6) == 0)
        std.flags.is_reference = 0;
    if (below(f, 10) == 0)
        std.pic_parameter_set_id = 200;
    const VkVideoDecodeH264PictureInfoKHR h264 = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_H264_PICTURE_INFO_KHR,
        .pStdPictureInfo = below(f, 12) ? &std : NULL,
        .sliceCount = 1 + (below(f, 10) == 0),
        .pSliceOffsets = below(f, 12) ? offsets_B : NULL,
    };
    name_some(f, &named);
    setup.count = 0;
    name_one(f, &setup);
    memcpy(f->d->bitstream.data, pic->data, pic->size_B);
    vkCmdDecodeVideoKHR(
        cb, &(VkVideoDecodeInfoKHR){
                .sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_INFO_KHR,
                .pNext = below(f, 12) ? &h264 : NULL,
                .srcBuffer = f->d->bitstream.handle,
                .srcBufferOffset = below(f, 12) ? 0 : below(f, UINT32_MAX),
                .srcBufferRange = below(f, 12) ? pic->size_B : below(f, UINT32_MAX),
                .dstPictureResource = below(f, 2) ? setup.resources[0] : strange_resource(f),
                .pSetupReferenceSlot = below(f, 6) ? setup.slots : NULL,
                .referenceSlotCount = named.count,
                .pReferenceSlots = named.slots,
            });
}

static void
record_scope(struct fixture *f, VkCommandBuffer cb)
{
    static struct named named;
    name_some(f, &named);
    vkCmdBeginVideoCodingKHR(
        cb, &(VkVideoBeginCodingInfoKHR){.sType = VK_STRUCTURE_TYPE_VIDEO_BEGIN_CODING_INFO_KHR,
                                         .videoSession = f->d->session.handle,
                                         .videoSessionParameters =
                                             below(f, 12) ? f->d->params : VK_NULL_HANDLE,
                                         .referenceSlotCount = named.count,
                                         .pReferenceSlots = named.slots});
    for (uint32_t count = below(f, 4); count > 0; count--) {
        if (below(f, 5) == 0)
            record_reset(f, cb);
        record_decode(f, cb);
    }
    vkCmdEndVideoCodingKHR(
        cb, &(VkVideoEndCodingInfoKHR){.sType = VK_STRUCTURE_TYPE_VIDEO_END_CODING_INFO_KHR});
}

static void
submit(const struct fixture *f, VkQueue queue, uint32_t shot)
{
    CHECK(vkQueueSubmit(queue, 1,
                        &(VkSubmitInfo){.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                                        .commandBufferCount = 1,
                                        .pCommandBuffers = &f->d->cbs[shot]},
                        VK_NULL_HANDLE));
}

/* To a decode queue each, several at a time. */
static void
submit_misuse(struct fixture *f)
{
    for (uint32_t i = 0; i < COMMANDS; i++) {
        VkCommandBuffer cb = f->d->cbs[i % DECODE_MAX_SHOTS];
        if (i % DECODE_MAX_SHOTS == 0)
            CHECK(vkDeviceWaitIdle(f->vk->dev));
        CHECK(vkBeginCommandBuffer(
            cb, &(VkCommandBufferBeginInfo){.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO}));
        record_scope(f, cb);
        CHECK(vkEndCommandBuffer(cb));
        submit(f, f->vk->decode_queues[below(f, VK_DECODE_QUEUES)], i % DECODE_MAX_SHOTS);
    }
    CHECK(vkDeviceWaitIdle(f->vk->dev));
}

static void
require_the_chain_is_decoded(struct fixture *f)
{
    uint8_t *pixels = malloc(frame_B(f->stream));
    REQUIRE(pixels);
    for (uint32_t i = 0; i < PICTURES; i++) {
        const struct decode_source *pic = &f->pics[i];
        struct slots refs = {0};
        if (pic->ref_slot >= 0)
            decode_slots_add(&refs, f->d, pic->ref_slot);
        decode_record(f->d, 0, &pic->std, &refs, pic->slot, pic->data, pic->size_B);
        submit(f, f->vk->decode_queue, 0);
        CHECK(vkDeviceWaitIdle(f->vk->dev));
        REQUIRE_EQ(decode_status(f->d, 0), VK_QUERY_RESULT_STATUS_COMPLETE_KHR);
        vk_image_read_i420(f->vk, &f->d->dpb[pic->slot], 0, pixels);
        REQUIRE(memcmp(pixels, pic->recon, frame_B(f->stream)) == 0);
    }
    free(pixels);
}

static void
a_session_outlives_misuse(struct vk *vk, uint32_t first_seed, uint32_t count)
{
    struct fixture f;
    fixture_open(&f, vk);
    require_the_chain_is_decoded(&f);
    for (uint32_t seed = first_seed; seed < first_seed + count; seed++) {
        f.random = seed;
        submit_misuse(&f);
        require_the_chain_is_decoded(&f);
    }
    fixture_close(&f);
}

int
main(int argc, char **argv)
{
    struct vk vk;
    const uint32_t first_seed = argc > 2 ? (uint32_t)strtoul(argv[1], NULL, 10) : 1;
    const uint32_t count = argc > 2 ? (uint32_t)strtoul(argv[2], NULL, 10) : 20;
    vk_open(&vk);
    if (vk.decode_family == UINT32_MAX)
        return TEST_SKIPPED;
    RUN(a_session_outlives_misuse, &vk, first_seed, count);
    vk_close(&vk);
    return 0;
}
