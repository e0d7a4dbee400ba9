/* SPDX-License-Identifier: MIT */
/* Encode and decode on one device: what the decoder writes equals the encoder's reconstruction,
 * bit for bit, without any other decoder.
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

/* Encodes a picture of a chain and decodes it; both pictures have to be the same. */
static void
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

    uint8_t *pixels = malloc(frame_B(s));
    REQUIRE(pixels);
    vk_image_read_i420(d->vk, &d->dpb[pic->setup_slot], 0, pixels);
    REQUIRE(memcmp(pixels, stream_recon(s, number), frame_B(s)) == 0);
    free(pixels);
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
    vk_close(&vk);
    return 0;
}
