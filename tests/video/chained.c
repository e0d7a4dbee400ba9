/* SPDX-License-Identifier: MIT */
/* Pictures of one session that go to all encode queues in turn, each behind a semaphore of the one
 * before, as FFmpeg has it: they overlap all the same, and nobody can tell.
 *
 * usage: chained [PICTURES]
 *   PICTURES   of most streams, an even number (default 40)
 */
#include "pictures.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>

static uint32_t picture_count = 40;
static bool is_brief;            /* fewer pictures: fewer rounds, and the slowest ones smaller */
static uint32_t round_count = 3; /* of what may race */
static struct vk_buffer common_dst;
static VkDeviceSize common_offset_B;
static VkImageView reference_view;

static struct stream_options
chain_options(bool is_chained)
{
    return (struct stream_options){
        .width_px = 256,
        .height_px = 144,
        .slot_count = 3,
        .max_refs = 1,
        .shot_count = 8,
        .is_overlapped = true,
        .is_chained = is_chained,
    };
}

/* The hash of all coded pictures; closes the stream. */
static uint64_t
finish_hash(struct stream *s)
{
    stream_flush(s);
    const uint64_t hash = stream_hash(s);
    (void)stream_finish(s);
    return hash;
}

static uint64_t
chain_hash(struct vk *vk, const struct stream_options *options)
{
    struct stream *s = stream_open(vk, options);
    for (uint32_t i = 0; i < picture_count; i++) {
        struct stream_picture pic = picture_of_chain(s, i, 20 + (int32_t)(i % 16));
        pic.wants_recon = i % 16 == 15;
        pic.new_average_bps = i == picture_count / 2 ? options->average_bps * 2 : 0;
        (void)stream_encode(s, &pic);
    }
    return finish_hash(s);
}

static void
semaphores_do_not_change_a_byte(struct vk *vk)
{
    for (uint32_t i = 0; i < 3; i++) {
        struct stream_options options = chain_options(false);
        options.quality_level = i;
        options.is_layered = i & 1;
        options.average_bps = i & 2 ? 600000 : 0;
        const uint64_t hash = chain_hash(vk, &options);
        options.is_chained = true;
        for (uint32_t round = 0; round < (is_brief ? 1 : 2); round++)
            REQUIRE(chain_hash(vk, &options) == hash);
    }
}

/* Nothing but the order of submission says that an IDR picture comes after those before it. */
static void
pictures_begin_in_the_order_of_submission(struct vk *vk)
{
    uint64_t hash = 0;
    for (uint32_t round = 0; round < 2 * round_count; round++) {
        struct stream_options options = chain_options(round > 0);
        options.has_free_idrs = true;
        options.average_bps = 300000;
        struct stream *s = stream_open(vk, &options);
        for (uint32_t i = 0; i < picture_count; i++) {
            struct stream_picture pic =
                i % 5 ? picture_p(s, (int32_t)(2 * (i % 5)), slot_by_age(s, 0)) : picture_idr(s);
            if (i % 5 == 0)
                pic.setup_slot = (int32_t)(i / 5 & 1);
            (void)stream_encode(s, &pic);
        }
        stream_flush(s);
        REQUIRE(round == 0 || stream_hash(s) == hash);
        hash = stream_hash(s);
        (void)stream_finish(s);
    }
}

/* Each is submitted before the one that it waits for. */
static void
an_earlier_submission_may_wait_for_a_later_one(struct vk *vk)
{
    const struct stream_options options = chain_options(true);
    struct stream *s = stream_open(vk, &options);
    for (uint32_t i = 0; i < 16; i += 2) {
        for (uint32_t k = i; k < i + 2; k++) {
            const struct stream_picture pic = picture_of_chain(s, k, 30);
            stream_record(s, stream_prepare(s, &pic));
        }
        stream_submit(s, i + 1);
        stream_submit(s, i);
    }
    (void)stream_finish(s);
}

/* Every other picture takes many times as long as the one after it. Each is asked for its result
 * once the semaphore says that it is done. */
static void
a_picture_signals_after_those_it_waits_for(struct vk *vk)
{
    const struct stream_options options = chain_options(true);
    struct stream *s = stream_open(vk, &options);
    const struct stream_picture idr = picture_idr(s);
    (void)stream_encode(s, &idr);
    for (uint32_t i = 1; i < picture_count; i++) {
        struct stream_picture pic = picture_p(s, (int32_t)(2 * i), slot_by_age(s, 0));
        pic.is_reference = false;
        pic.setup_slot = -1;
        pic.qp = i % 2 ? 2 : 51;
        (void)stream_encode(s, &pic);
    }
    stream_flush(s);
    (void)stream_finish(s);
}

static void
write_to_common_dst(struct stream_call *call)
{
    call->info->dstBuffer = common_dst.handle;
    call->info->dstBufferOffset = common_offset_B;
    call->info->dstBufferRange = common_dst.size_B - common_offset_B;
}

#define LAST_OFFSET_B 64

/* What the last picture wrote stays, however small it is; the ranges need not begin alike. */
static void
one_buffer_takes_all_pictures(struct vk *vk)
{
    static uint8_t last[2][1 << 20];
    uint32_t size_B[2];
    for (uint32_t is_common = 0; is_common < 2; is_common++) {
        const struct stream_options options = chain_options(true);
        struct stream *s = stream_open(vk, &options);
        common_dst = stream_bitstream_buffer(s, sizeof(last[0]));
        const struct stream_picture idr = picture_idr(s);
        (void)stream_encode(s, &idr);
        for (uint32_t i = 1; i < picture_count; i++) {
            struct stream_picture pic = picture_p(s, (int32_t)(2 * i), slot_by_age(s, 0));
            pic.is_reference = false;
            pic.setup_slot = -1;
            pic.qp = i % 2 ? 51 : 2; /* the last one is fast */
            common_offset_B = i == picture_count - 1 ? LAST_OFFSET_B : 0;
            pic.is_noise = is_common || i == picture_count - 1;
            pic.tamper = pic.is_noise ? write_to_common_dst : NULL;
            (void)stream_encode(s, &pic);
            if (i == picture_count - 1)
                size_B[is_common] = stream_collect(s, i).size_B;
        }
        memcpy(last[is_common], common_dst.data + LAST_OFFSET_B, size_B[is_common]);
        vk_buffer_destroy(vk, &common_dst);
        (void)stream_finish(s);
    }
    REQUIRE(size_B[0] == size_B[1] && memcmp(last[0], last[1], size_B[0]) == 0);
}

/* Refers to the IDR picture in slot 0. */
static struct stream_picture
picture_of_qp(const struct stream *s, int32_t poc, int32_t setup_slot, int32_t qp)
{
    struct stream_picture pic = picture_p(s, poc, 0);
    pic.setup_slot = setup_slot;
    pic.is_reference = setup_slot >= 0;
    pic.qp = qp;
    return pic;
}

static void
submit_copy(struct vk *vk, VkQueue queue, const struct vk_image *img, const struct vk_buffer *dst)
{
    VkCommandBuffer cb = vk_command_buffer(vk);
    const VkBufferImageCopy region = {
        .imageSubresource = {VK_IMAGE_ASPECT_PLANE_0_BIT, 0, 0, 1},
        .imageExtent = {img->width_px, img->height_px, 1},
    };
    const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    REQUIRE_EQ(vkBeginCommandBuffer(cb, &begin), VK_SUCCESS);
    vkCmdCopyImageToBuffer(cb, img->handle, VK_IMAGE_LAYOUT_GENERAL, dst->handle, 1, &region);
    REQUIRE_EQ(vkEndCommandBuffer(cb), VK_SUCCESS);
    const VkSubmitInfo submit = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
        .commandBufferCount = 1,
        .pCommandBuffers = &cb,
    };
    REQUIRE_EQ(vkQueueSubmit(queue, 1, &submit, VK_NULL_HANDLE), VK_SUCCESS);
    REQUIRE_EQ(vkQueueWaitIdle(queue), VK_SUCCESS);
    vkFreeCommandBuffers(vk->dev, vk->pool, 1, &cb);
}

/* A picture is slow, the one that waits for its semaphore is not. A copy on the queue of that one,
 * which waits for nothing itself, reads what the slow one reconstructs. */
static void
a_wait_holds_for_all_that_comes_later_on_its_queue(struct vk *vk)
{
    struct stream_options options = chain_options(true);
    options.max_refs = 2;
    const size_t luma_B = (size_t)options.width_px * options.height_px;
    struct vk_buffer copies[2];
    for (uint32_t i = 0; i < 2; i++)
        copies[i] = vk_buffer_create(vk, luma_B, VK_BUFFER_USAGE_TRANSFER_DST_BIT, NULL);
    struct stream *s = stream_open(vk, &options);
    struct stream_picture idr = picture_idr(s);
    idr.is_long_term = true;
    idr.setup_slot = 0;
    (void)stream_encode(s, &idr);
    for (uint32_t i = 1; i < picture_count; i += 2) {
        const struct stream_picture slow = picture_of_qp(s, (int32_t)(2 * i), 1 + i / 2 % 2, 2);
        const struct stream_picture fast = picture_of_qp(s, (int32_t)(2 * i + 2), -1, 51);
        (void)stream_encode(s, &slow);
        const uint32_t number = stream_encode(s, &fast);
        const struct vk_image *img = stream_slot_image(s, slow.setup_slot);
        VkQueue queue = vk->encode_queues[number % VK_ENCODE_QUEUES];
        submit_copy(vk, queue, img, &copies[0]);
        REQUIRE_EQ(vkDeviceWaitIdle(vk->dev), VK_SUCCESS);
        submit_copy(vk, queue, img, &copies[1]);
        REQUIRE(memcmp(copies[0].data, copies[1].data, luma_B) == 0);
    }
    stream_flush(s);
    (void)stream_finish(s);
    for (uint32_t i = 0; i < 2; i++)
        vk_buffer_destroy(vk, &copies[i]);
}

/* The second picture of a stream goes where a slow one of another stream goes before it, to the
 * same queue; the third one waits for the second, on another queue, and writes what the slow one
 * did. */
static uint32_t
encode_behind_another_stream(struct vk *vk, bool has_other, uint8_t *out, size_t capacity_B)
{
    const struct stream_options options = chain_options(true);
    struct stream_options large = options;
    large.width_px *= 2;
    large.height_px *= 2;
    struct stream *s = stream_open(vk, &options);
    struct stream *other = stream_open(vk, &large);
    common_dst = stream_bitstream_buffer(s, capacity_B);
    common_offset_B = 0;
    struct stream *streams[] = {other, s};
    for (uint32_t i = 0; i < 2; i++) {
        const struct stream_picture idr = picture_idr(streams[i]);
        (void)stream_encode(streams[i], &idr);
        for (uint32_t n = 0; n < STREAM_MAX_SHOTS; n++) { /* those that copy, too */
            const struct stream_picture pic =
                picture_of_qp(streams[i], (int32_t)(2 * n + 2), -1, 51);
            (void)stream_encode(streams[i], &pic);
        }
    }
    REQUIRE_EQ(vkDeviceWaitIdle(vk->dev), VK_SUCCESS);
    struct stream_picture slow = picture_of_qp(other, 100, -1, 2);
    slow.is_noise = true;
    slow.tamper = has_other ? write_to_common_dst : NULL;
    const struct stream_picture middle = picture_of_qp(s, 100, -1, 51);
    struct stream_picture last = picture_of_qp(s, 102, -1, 40);
    last.is_noise = true;
    last.tamper = write_to_common_dst;
    (void)stream_encode(other, &slow);
    (void)stream_encode(s, &middle);
    const uint32_t size_B = stream_collect(s, stream_encode(s, &last)).size_B;
    stream_flush(other);
    memcpy(out, common_dst.data, size_B);
    vk_buffer_destroy(vk, &common_dst);
    (void)stream_finish(other);
    (void)stream_finish(s);
    return size_B;
}

static void
a_promise_stands_for_one_session_alone(struct vk *vk)
{
    static uint8_t out[2][1 << 21];
    for (uint32_t round = 0; round < (is_brief ? 2 : 5); round++) {
        const uint32_t size_B = encode_behind_another_stream(vk, false, out[0], sizeof(out[0]));
        REQUIRE_EQ(encode_behind_another_stream(vk, true, out[1], sizeof(out[1])), size_B);
        REQUIRE(memcmp(out[0], out[1], size_B) == 0);
    }
}

/* What a picture sets before it is encoded. */
struct change {
    uint32_t quality_level;
    bool is_rated;
};
static struct change next_change;

static void
take_change(struct stream_control *control)
{
    control->quality->qualityLevel = next_change.quality_level;
    *control->flags |= VK_VIDEO_CODING_CONTROL_ENCODE_QUALITY_LEVEL_BIT_KHR;
    if (!next_change.is_rated) {
        control->rate->rateControlMode = VK_VIDEO_ENCODE_RATE_CONTROL_MODE_DISABLED_BIT_KHR;
        control->rate->layerCount = 0;
    }
}

/* Of two slots each is written while older pictures still read it: those in flight take turns with
 * more frames than there are slots, which are made while the second of the changes holds. */
static uint64_t
changes_hash(struct vk *vk, bool is_alone, const struct change *changes, uint32_t change_count)
{
    struct stream_options options = chain_options(false);
    options.slot_count = 2;
    options.average_bps = 300000;
    if (is_brief) { /* six rows are enough to wait for */
        options.width_px = 96;
        options.height_px = 96;
    }
    options.quality_level = changes[0].quality_level;
    struct stream *s = stream_open(vk, &options);
    for (uint32_t i = 0; i < 12 * change_count; i++) {
        struct stream_picture pic = picture_of_chain(s, i, 20 + (int32_t)(i % 16));
        next_change = changes[i / 12];
        if (i % 12 == 0) {
            pic.new_average_bps = options.average_bps;
            pic.tamper_control = take_change;
        }
        if (i % 12 == 0 && i > 0 && !next_change.is_rated) { /* wants motion of the one before */
            pic.slice_type = 1;
            pic.is_temporal_direct = true;
            pic.list_count[1] = 1;
            pic.list[1][0] = pic.list[0][0];
        }
        const uint32_t number = stream_encode(s, &pic);
        if (is_alone || i < 12)
            (void)stream_collect(s, number);
    }
    return finish_hash(s);
}

static void
changes_do_not_depend_on_what_is_in_flight(struct vk *vk)
{
    static const struct change changes[2][4] = {
        {{6, true}, {6, false}, {6, true}, {6, false}},
        {{3, false}, {0, false}, {3, false}, {0, false}},
    };
    for (uint32_t i = 0; i < 2; i++) {
        const uint64_t hash = changes_hash(vk, true, changes[i], 4);
        for (uint32_t round = 0; round < round_count; round++)
            REQUIRE(changes_hash(vk, false, changes[i], 4) == hash);
    }
}

static void
encode_reference(struct stream_call *call)
{
    call->info->srcPictureResource.imageViewBinding = reference_view;
}

/* P pictures take two slots in turn. Others come from the image of the one before, which is slow,
 * or from that which the next one overwrites. They all refer to the IDR picture alone. */
static struct stream_picture
picture_of_images(const struct stream *s, uint32_t i)
{
    if (i == 0) {
        struct stream_picture idr = picture_idr(s);
        idr.is_long_term = true;
        idr.setup_slot = 0;
        return idr;
    }
    struct stream_picture pic = picture_p(s, (int32_t)(2 * i), 0);
    const int32_t newest_slot = i % 4 == 1 || i % 4 == 2 ? 1 : 2;
    pic.setup_slot = newest_slot;
    pic.qp = 2;
    if (i % 2 == 0) {
        const int32_t source_slot = i % 4 == 2 || i < 4 ? newest_slot : 3 - newest_slot;
        reference_view = stream_slot_image(s, source_slot)->view;
        pic.tamper = encode_reference;
        pic.is_reference = false;
        pic.setup_slot = -1;
        pic.qp = i % 4 == 2 ? 51 : 2;
    }
    return pic;
}

static void
a_reconstruction_may_be_a_source(struct vk *vk)
{
    uint64_t hash[2];
    for (uint32_t is_chained = 0; is_chained < 2; is_chained++) {
        struct stream_options options = chain_options(is_chained);
        options.width_px = is_brief ? 176 : 352;
        options.height_px = is_brief ? 144 : 288;
        options.has_dpb_sources = true;
        options.max_refs = 2;
        struct stream *s = stream_open(vk, &options);
        for (uint32_t i = 0; i < picture_count; i++) {
            const struct stream_picture pic = picture_of_images(s, i);
            const uint32_t number = stream_encode(s, &pic);
            if (!is_chained)
                (void)stream_collect(s, number);
        }
        hash[is_chained] = finish_hash(s);
    }
    REQUIRE(hash[0] == hash[1]);
}

int
main(int argc, char **argv)
{
    struct vk vk;
    if (argc > 1)
        picture_count = (uint32_t)strtoul(argv[1], NULL, 10);
    REQUIRE(picture_count >= 2 && picture_count % 2 == 0);
    is_brief = picture_count < 40;
    if (is_brief)
        round_count = 1;
    vk_open(&vk);
    RUN(semaphores_do_not_change_a_byte, &vk);
    RUN(pictures_begin_in_the_order_of_submission, &vk);
    RUN(an_earlier_submission_may_wait_for_a_later_one, &vk);
    RUN(a_picture_signals_after_those_it_waits_for, &vk);
    RUN(one_buffer_takes_all_pictures, &vk);
    RUN(a_reconstruction_may_be_a_source, &vk);
    RUN(changes_do_not_depend_on_what_is_in_flight, &vk);
    RUN(a_wait_holds_for_all_that_comes_later_on_its_queue, &vk);
    RUN(a_promise_stands_for_one_session_alone, &vk);
    vk_close(&vk);
    return 0;
}
