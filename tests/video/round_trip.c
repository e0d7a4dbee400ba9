/* SPDX-License-Identifier: MIT */
/* Encode and decode on one device: what the decoder writes equals the encoder's reconstruction,
 * bit for bit, without any other decoder. And sessions that share images.
 */
#include "decode_client.h"
#include "pictures.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PICTURES 20u

static int32_t
submit(struct decode *d)
{
    const VkSubmitInfo info = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
        .commandBufferCount = 1,
        .pCommandBuffers = &d->cbs[0],
    };
    CHECK(vkQueueSubmit(d->vk->decode_queue, 1, &info, VK_NULL_HANDLE));
    CHECK(vkQueueWaitIdle(d->vk->decode_queue));
    return decode_status(d, 0);
}

static bool
is_reconstruction(struct decode *d, const struct stream_picture *pic, uint32_t number)
{
    uint8_t *pixels = malloc(frame_B(d->stream));
    REQUIRE(pixels);
    vk_image_read_i420(d->vk, &d->dpb[pic->setup_slot], d->layer, pixels);
    const bool is_same = memcmp(pixels, stream_recon(d->stream, number), frame_B(d->stream)) == 0;
    free(pixels);
    return is_same;
}

/* Encodes a picture of a chain and decodes it; both pictures have to be the same. Returns its
 * number. */
static uint32_t
round_trip_picture(struct decode *d, const struct stream_picture *pic, uint32_t frame_num)
{
    struct stream *s = d->stream;
    struct slots slots = {0};
    const uint32_t number = stream_prepare(s, pic);
    stream_record(s, number);
    stream_submit(s, number);
    const struct stream_result result = stream_collect(s, number);
    REQUIRE_EQ(result.status, VK_QUERY_RESULT_STATUS_COMPLETE_KHR);

    const StdVideoDecodeH264PictureInfo std = {
        .flags = {.is_intra = pic->is_idr,
                  .IdrPicFlag = pic->is_idr,
                  .is_reference = pic->is_reference},
        .frame_num = (uint16_t)frame_num,
        .PicOrderCnt = {pic->poc, pic->poc},
    };
    d->infos[pic->setup_slot] = (StdVideoDecodeH264ReferenceInfo){
        .FrameNum = (uint16_t)frame_num, .PicOrderCnt = {pic->poc, pic->poc}};
    for (uint32_t i = 0; i < pic->list_count[0]; i++)
        decode_slots_add(&slots, d, pic->list[0][i]);
    decode_record(d, 0, &std, &slots, pic->setup_slot, result.data, result.size_B);
    REQUIRE_EQ(submit(d), VK_QUERY_RESULT_STATUS_COMPLETE_KHR);

    REQUIRE(is_reconstruction(d, pic, number));
    return number;
}

static void
the_decoder_returns_the_reconstruction(struct vk *vk, const struct stream_options *options)
{
    struct stream *s = stream_open(vk, options);
    struct decode *d = decode_open(vk, s);
    uint32_t frame_num = 0;

    for (uint32_t i = 0; i < PICTURES; i++) {
        const struct stream_picture pic = picture_of_chain(s, i % 12, 24 + (int32_t)i);
        frame_num = pic.is_idr ? 0 : (frame_num + 1) % 16;
        round_trip_picture(d, &pic, frame_num);
    }
    decode_close(d);
    (void)stream_finish(s);
}

/* Two streams, picture by picture, each in a layer of its own of the same images. */
static void
two_sessions_decode_into_one_image(struct vk *vk)
{
    struct stream *streams[2];
    struct decode *decodes[2];
    struct stream_picture last = {0};
    uint32_t last_number = 0;
    for (uint32_t i = 0; i < 2; i++)
        streams[i] = stream_open(
            vk, &(struct stream_options){.width_px = 176, .height_px = 146, .content = 5 * i});
    decodes[0] = decode_open(vk, streams[0]);
    decodes[1] = decode_open_beside(vk, streams[1], decodes[0]);

    for (uint32_t i = 0; i < 2 * PICTURES; i++) {
        struct decode *d = decodes[i % 2];
        const struct stream_picture pic = picture_of_chain(d->stream, i / 2, 26);
        const uint32_t number = round_trip_picture(d, &pic, i / 2 % 16);
        if (i % 2)
            REQUIRE(is_reconstruction(decodes[0], &last, last_number));
        last = pic;
        last_number = number;
    }
    decode_close(decodes[1]);
    decode_close(decodes[0]);
    for (uint32_t i = 0; i < 2; i++)
        (void)stream_finish(streams[i]);
}

static VkImageView decoded_view; /* that say_decoded_source() names */

static void
say_decoded_source(struct stream_call *call)
{
    call->info->srcPictureResource.imageViewBinding = decoded_view;
}

/* Encodes the picture that was decoded: from the decoder's image, or from a copy of the pixels. */
static struct stream_result
encode_decoded(struct stream *s, uint32_t i, const uint8_t *pixels, VkImageView view)
{
    const size_t luma_B = (size_t)s->options.width_px * s->options.height_px;
    struct stream_picture pic = picture_of_chain(s, i, 30);
    decoded_view = view;
    pic.tamper = view ? say_decoded_source : NULL;
    const uint32_t number = stream_prepare(s, &pic);
    struct shot *shot = &s->shots[number % s->options.shot_count];
    memcpy(shot->source, pixels, frame_B(s));
    memcpy(shot->staging.data, pixels, luma_B);
    for (size_t k = 0; k < luma_B / 4; k++) {
        shot->staging.data[luma_B + 2 * k] = pixels[luma_B + k];
        shot->staging.data[luma_B + 2 * k + 1] = pixels[luma_B * 5 / 4 + k];
    }
    stream_record(s, number);
    stream_submit(s, number);
    return stream_collect(s, number);
}

/* The next pictures are decoded from the same image meanwhile. */
static void
what_is_decoded_is_a_source(struct vk *vk, VkImageUsageFlags usage)
{
    const struct stream_options options = {.width_px = 176, .height_px = 144};
    struct stream *streams[3]; /* to be decoded, of the decoder's images, of copies */
    for (uint32_t i = 0; i < 3; i++)
        streams[i] = stream_open(vk, &options);
    struct decode *d =
        decode_open_for(vk, streams[0], VK_IMAGE_USAGE_VIDEO_ENCODE_SRC_BIT_KHR | usage);

    for (uint32_t i = 0; i < 12; i++) {
        const struct stream_picture pic = picture_of_chain(streams[0], i, 26);
        const uint32_t number = round_trip_picture(d, &pic, i);
        const uint8_t *pixels = stream_recon(streams[0], number);
        const struct stream_result direct =
            encode_decoded(streams[1], i, pixels, d->dpb[pic.setup_slot].view);
        const struct stream_result copied = encode_decoded(streams[2], i, pixels, VK_NULL_HANDLE);
        REQUIRE_EQ(direct.status, VK_QUERY_RESULT_STATUS_COMPLETE_KHR);
        REQUIRE_EQ(direct.size_B, copied.size_B);
        REQUIRE_BYTES(direct.data, copied.data, direct.size_B);
        REQUIRE(is_reconstruction(d, &pic, number));
    }
    decode_close(d);
    for (uint32_t i = 0; i < 3; i++)
        (void)stream_finish(streams[i]);
}

int
main(void)
{
    struct vk vk;
    vk_open(&vk);
    if (vk.decode_family == UINT32_MAX) {
        (void)fprintf(stderr, "the device does not decode: libavcodec is not there\n");
        vk_close(&vk);
        return TEST_SKIPPED;
    }
    const struct stream_options plain = {.width_px = 176, .height_px = 144};
    const struct stream_options rich = {
        .width_px = 322, .height_px = 182, .has_transform8x8 = true};
    const struct stream_options cavlc = {.width_px = 208, .height_px = 112, .is_cavlc = true};
    RUN(the_decoder_returns_the_reconstruction, &vk, &plain);
    RUN(the_decoder_returns_the_reconstruction, &vk, &rich);
    RUN(the_decoder_returns_the_reconstruction, &vk, &cavlc);
    RUN(two_sessions_decode_into_one_image, &vk);
    RUN(what_is_decoded_is_a_source, &vk, 0);
    RUN(what_is_decoded_is_a_source, &vk, VK_IMAGE_USAGE_VIDEO_ENCODE_DPB_BIT_KHR);
    vk_close(&vk);
    return 0;
}
