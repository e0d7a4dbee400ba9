/* SPDX-License-Identifier: MIT */
/* Pictures that are submitted before their references, as FFmpeg 7's frame threads do it: each
 * frame has a timeline semaphore, and a submission waits for the value that it finds and signals
 * the next one, for its own frame and for those that it refers to. And references that never come.
 */
#include "decode_client.h"
#include "pictures.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#define PICTURES 8u
#define GATE PICTURES

struct fixture {
    struct vk *vk;
    struct stream *stream;
    struct decode *d;
    struct decode_source pics[PICTURES];
    VkSemaphore semaphores[STREAM_MAX_SLOTS]; /* of the slots; GATE is of none */
    uint64_t values[STREAM_MAX_SLOTS];
    bool waits_for_gate; /* what is submitted now: for the value 1 */
};

static void
fixture_open(struct fixture *f, struct vk *vk)
{
    const struct stream_options options = {
        .width_px = 176, .height_px = 144, .slot_count = PICTURES + 1, .max_refs = PICTURES};
    const VkSemaphoreTypeCreateInfo type = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
                                            .semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE};
    const VkSemaphoreCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO,
                                        .pNext = &type};
    *f = (struct fixture){.vk = vk, .stream = stream_open(vk, &options)};
    f->d = decode_open(vk, f->stream);
    for (uint32_t i = 0; i <= PICTURES; i++)
        CHECK(vkCreateSemaphore(vk->dev, &info, NULL, &f->semaphores[i]));
    for (uint32_t i = 0; i < PICTURES; i++)
        f->pics[i] = decode_source_make(f->d, i);
}

static void
fixture_close(struct fixture *f)
{
    for (uint32_t i = 0; i <= PICTURES; i++)
        vkDestroySemaphore(f->vk->dev, f->semaphores[i], NULL);
    for (uint32_t i = 0; i < PICTURES; i++)
        free(f->pics[i].data);
    decode_close(f->d);
    (void)stream_finish(f->stream);
}

static void
submit_to(struct fixture *f, VkQueue queue, uint32_t i)
{
    static const VkPipelineStageFlags stages[3] = {VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                                                   VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                                                   VK_PIPELINE_STAGE_ALL_COMMANDS_BIT};
    const struct decode_source *pic = &f->pics[i];
    const int32_t slots[2] = {pic->slot, pic->ref_slot};
    const uint32_t count = pic->ref_slot < 0 ? 1 : 2;
    VkSemaphore semaphores[3];
    uint64_t waits[3];
    uint64_t signals[2];
    struct slots refs = {0};

    for (uint32_t j = 0; j < count; j++) {
        semaphores[j] = f->semaphores[slots[j]];
        waits[j] = f->values[slots[j]];
        signals[j] = ++f->values[slots[j]];
    }
    semaphores[count] = f->semaphores[GATE];
    waits[count] = 1;
    if (pic->ref_slot >= 0)
        decode_slots_add(&refs, f->d, pic->ref_slot);
    decode_record(f->d, i, &pic->std, &refs, pic->slot, pic->data, pic->size_B);
    const VkTimelineSemaphoreSubmitInfo values = {
        .sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
        .waitSemaphoreValueCount = count + f->waits_for_gate,
        .pWaitSemaphoreValues = waits,
        .signalSemaphoreValueCount = count,
        .pSignalSemaphoreValues = signals,
    };
    const VkSubmitInfo info = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
        .pNext = &values,
        .waitSemaphoreCount = count + f->waits_for_gate,
        .pWaitSemaphores = semaphores,
        .pWaitDstStageMask = stages,
        .commandBufferCount = 1,
        .pCommandBuffers = &f->d->cbs[i],
        .signalSemaphoreCount = count,
        .pSignalSemaphores = semaphores,
    };
    CHECK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
}

static void
submit(struct fixture *f, uint32_t i)
{
    submit_to(f, f->vk->decode_queue, i);
}

static void
submit_opening_gate(struct fixture *f, VkQueue queue)
{
    const uint64_t value = 1;
    const VkTimelineSemaphoreSubmitInfo values = {
        .sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
        .signalSemaphoreValueCount = 1,
        .pSignalSemaphoreValues = &value,
    };
    const VkSubmitInfo info = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
        .pNext = &values,
        .signalSemaphoreCount = 1,
        .pSignalSemaphores = &f->semaphores[GATE],
    };
    CHECK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
}

static bool
is_right(struct fixture *f, uint32_t i)
{
    uint8_t *pixels = malloc(frame_B(f->stream));
    REQUIRE(pixels);
    vk_image_read_i420(f->vk, &f->d->dpb[f->pics[i].slot], 0, pixels);
    const bool is_same = memcmp(pixels, f->pics[i].recon, frame_B(f->stream)) == 0;
    free(pixels);
    return is_same;
}

static void
pictures_may_come_before_their_references(struct vk *vk)
{
    /* The reset that comes with the IDR picture is for what was submitted before it. */
    static const uint32_t orders[][PICTURES] = {
        {0, 1, 2, 3, 4, 5, 6, 7},
        {0, 2, 1, 4, 3, 6, 5, 7},
        {0, 3, 2, 1, 7, 6, 5, 4},
        {0, 7, 6, 5, 4, 3, 2, 1},
    };
    for (uint32_t n = 0; n < sizeof(orders) / sizeof(orders[0]); n++) {
        struct fixture f;
        fixture_open(&f, vk);
        for (uint32_t i = 0; i < PICTURES; i++)
            submit(&f, orders[n][i]);
        CHECK(vkDeviceWaitIdle(vk->dev));
        for (uint32_t i = 0; i < PICTURES; i++) {
            REQUIRE_EQ(decode_status(f.d, i), VK_QUERY_RESULT_STATUS_COMPLETE_KHR);
            REQUIRE(is_right(&f, i));
        }
        fixture_close(&f);
    }
}

/* Picture 2 is early and waits for what comes, in its reference's queue, after the reference. */
static void
an_early_picture_waits_for_what_is_behind_its_reference(struct vk *vk)
{
    struct fixture f;
    fixture_open(&f, vk);
    submit(&f, 0);
    f.waits_for_gate = true;
    submit(&f, 2);
    f.waits_for_gate = false;
    submit_to(&f, vk->decode_queues[1], 1);
    submit_opening_gate(&f, vk->decode_queues[1]);
    submit(&f, 3);
    CHECK(vkDeviceWaitIdle(vk->dev));
    for (uint32_t i = 0; i < 4; i++) {
        REQUIRE_EQ(decode_status(f.d, i), VK_QUERY_RESULT_STATUS_COMPLETE_KHR);
        REQUIRE(is_right(&f, i));
    }
    fixture_close(&f);
}

/* The application of the fixture is not FFmpeg: its reference is missing, and nobody waits for
 * it. */
static void
others_are_taken_at_their_word(struct vk *vk)
{
    static const uint32_t order[4] = {0, 2, 1, 3};
    struct fixture f;
    fixture_open(&f, vk);
    for (uint32_t i = 0; i < 4; i++)
        submit(&f, order[i]);
    CHECK(vkDeviceWaitIdle(vk->dev));
    for (uint32_t i = 0; i < 4; i++) {
        const bool is_error = decode_status(f.d, i) == VK_QUERY_RESULT_STATUS_ERROR_KHR;
        REQUIRE_EQ(is_error, i == 2);
        REQUIRE(i >= 2 || is_right(&f, i));
    }
    fixture_close(&f);
}

/* Decodes its first two pictures (again). */
static void
require_session_lives(struct fixture *f)
{
    submit(f, 0);
    submit(f, 1);
    CHECK(vkDeviceWaitIdle(f->d->vk->dev));
    REQUIRE_EQ(decode_status(f->d, 1), VK_QUERY_RESULT_STATUS_COMPLETE_KHR);
    REQUIRE(is_right(f, 1));
}

static void
a_lost_reference_is_an_error_of_its_picture(struct vk *vk)
{
    struct fixture f;
    fixture_open(&f, vk);
    for (uint32_t i = 0; i < PICTURES; i++) {
        if (i != 3)
            submit(&f, i);
    }
    CHECK(vkDeviceWaitIdle(vk->dev));
    for (uint32_t i = 0; i < PICTURES; i++) {
        if (i == 3)
            continue;
        const bool is_error = decode_status(f.d, i) == VK_QUERY_RESULT_STATUS_ERROR_KHR;
        REQUIRE_EQ(is_error, i == 4); /* concealed; the next ones have their references */
        REQUIRE(i > 4 || is_right(&f, i) == (i < 3));
    }

    require_session_lives(&f);
    fixture_close(&f);
}

/* Decodes a P picture whose reference was never decoded, while all other images hold something
 * that is none of its business. */
static void
decode_without_reference(struct vk *vk, uint8_t secret, uint8_t *pixels)
{
    struct fixture f;
    fixture_open(&f, vk);
    for (uint32_t i = 0; i < PICTURES; i++) {
        memset(pixels, i == 1 ? 128 : secret, frame_B(f.stream));
        vk_image_write_i420(vk, &f.d->dpb[f.pics[i].slot], 0, pixels);
    }
    submit(&f, 1);
    CHECK(vkDeviceWaitIdle(vk->dev));
    REQUIRE_EQ(decode_status(f.d, 1), VK_QUERY_RESULT_STATUS_ERROR_KHR);
    vk_image_read_i420(vk, &f.d->dpb[f.pics[1].slot], 0, pixels);

    require_session_lives(&f);
    fixture_close(&f);
}

static void
slots_that_were_never_written_are_not_read(struct vk *vk)
{
    static uint8_t pixels[2][176 * 144 * 3 / 2];
    decode_without_reference(vk, 0x31, pixels[0]);
    decode_without_reference(vk, 0xc7, pixels[1]);
    REQUIRE_BYTES(pixels[0], pixels[1], sizeof(pixels[0]));
}

static void
damaged_and_misplaced_slices_are_errors(struct vk *vk)
{
    struct fixture f;
    fixture_open(&f, vk);
    submit(&f, 0);
    memset(f.pics[1].data, 0xff, f.pics[1].size_B); /* no slice at all */
    submit(&f, 1);
    CHECK(vkDeviceWaitIdle(vk->dev));
    REQUIRE_EQ(decode_status(f.d, 0), VK_QUERY_RESULT_STATUS_COMPLETE_KHR);
    REQUIRE_EQ(decode_status(f.d, 1), VK_QUERY_RESULT_STATUS_ERROR_KHR);
    REQUIRE(is_right(&f, 0));
    f.pics[0].size_B /= 2; /* cut off */
    submit(&f, 0);
    CHECK(vkDeviceWaitIdle(vk->dev));
    REQUIRE_EQ(decode_status(f.d, 0), VK_QUERY_RESULT_STATUS_ERROR_KHR);
    fixture_close(&f);
}

static uint64_t
now_ms(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000 + (uint64_t)time.tv_nsec / 1000000;
}

/* Its bytes are nowhere; what is submitted after it would keep clear of the frame for 2 s. */
static void
a_second_field_that_fails_is_not_waited_for(struct vk *vk)
{
    struct fixture f;
    fixture_open(&f, vk);
    submit(&f, 0);
    f.pics[1].std.flags.field_pic_flag = 1;
    for (uint32_t i = 0; i < 2; i++) {
        f.pics[1].std.flags.bottom_field_flag = i;
        f.d->has_no_source = i;
        submit(&f, 1);
        CHECK(vkDeviceWaitIdle(vk->dev));
        REQUIRE_EQ(decode_status(f.d, 1), VK_QUERY_RESULT_STATUS_ERROR_KHR);
    }
    f.d->has_no_source = false;
    const uint64_t began_ms = now_ms();
    submit(&f, 0);
    CHECK(vkDeviceWaitIdle(vk->dev));
    REQUIRE(now_ms() - began_ms < 1500);
    REQUIRE_EQ(decode_status(f.d, 0), VK_QUERY_RESULT_STATUS_COMPLETE_KHR);
    REQUIRE(is_right(&f, 0));
    fixture_close(&f);
}

/* Waits for the gate, and then resets. */
static void
submit_reset(struct fixture *f)
{
    const VkCommandBuffer cb = f->d->cbs[PICTURES - 1];
    const uint64_t value = 1;
    const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
    const VkTimelineSemaphoreSubmitInfo values = {
        .sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
        .waitSemaphoreValueCount = 1,
        .pWaitSemaphoreValues = &value,
    };
    const VkSubmitInfo info = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
        .pNext = &values,
        .waitSemaphoreCount = 1,
        .pWaitSemaphores = &f->semaphores[GATE],
        .pWaitDstStageMask = &stage,
        .commandBufferCount = 1,
        .pCommandBuffers = &cb,
    };
    CHECK(vkBeginCommandBuffer(
        cb, &(VkCommandBufferBeginInfo){.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO}));
    vkCmdBeginVideoCodingKHR(
        cb, &(VkVideoBeginCodingInfoKHR){.sType = VK_STRUCTURE_TYPE_VIDEO_BEGIN_CODING_INFO_KHR,
                                         .videoSession = f->d->session.handle,
                                         .videoSessionParameters = f->d->params});
    vkCmdControlVideoCodingKHR(
        cb, &(VkVideoCodingControlInfoKHR){.sType = VK_STRUCTURE_TYPE_VIDEO_CODING_CONTROL_INFO_KHR,
                                           .flags = VK_VIDEO_CODING_CONTROL_RESET_BIT_KHR});
    vkCmdEndVideoCodingKHR(
        cb, &(VkVideoEndCodingInfoKHR){.sType = VK_STRUCTURE_TYPE_VIDEO_END_CODING_INFO_KHR});
    CHECK(vkEndCommandBuffer(cb));
    CHECK(vkQueueSubmit(f->vk->decode_queue, 1, &info, VK_NULL_HANDLE));
}

/* FFmpeg 9 does not wait for its reset: a picture in another queue may be decoded before. In a
 * capture the order is that of the run. */
static void
a_late_reset_is_for_what_was_submitted_before_it(struct vk *vk)
{
    struct fixture f;
    fixture_open(&f, vk);
    submit_reset(&f);
    submit_to(&f, vk->decode_queues[1], 0);
    submit_opening_gate(&f, vk->decode_queues[1]);
    CHECK(vkDeviceWaitIdle(vk->dev));
    submit(&f, 1);
    CHECK(vkDeviceWaitIdle(vk->dev));
    for (uint32_t i = 0; i < 2; i++) {
        REQUIRE_EQ(decode_status(f.d, i), VK_QUERY_RESULT_STATUS_COMPLETE_KHR);
        REQUIRE(is_right(&f, i));
    }
    fixture_close(&f);
}

int
main(void)
{
    struct vk vk;
    vk_open_as(&vk, "libavutil", VK_MAKE_VERSION(59, 39, 100)); /* FFmpeg 7.1 */
    if (vk.decode_family == UINT32_MAX) {
        (void)fprintf(stderr, "the device does not decode: libavcodec is not there\n");
        vk_close(&vk);
        return TEST_SKIPPED;
    }
    RUN(pictures_may_come_before_their_references, &vk);
    RUN(an_early_picture_waits_for_what_is_behind_its_reference, &vk);
    RUN(a_lost_reference_is_an_error_of_its_picture, &vk);
    RUN(damaged_and_misplaced_slices_are_errors, &vk);
    vk_close(&vk);

    vk_open(&vk);
    RUN(a_late_reset_is_for_what_was_submitted_before_it, &vk);
    RUN(others_are_taken_at_their_word, &vk);
    RUN(a_second_field_that_fails_is_not_waited_for, &vk);
    RUN(slots_that_were_never_written_are_not_read, &vk);
    RUN(a_lost_reference_is_an_error_of_its_picture, &vk);
    vk_close(&vk);
    return 0;
}
