/* SPDX-License-Identifier: MIT */
/* Sessions that have nothing but layers of one image: their slots and, for some pictures, where
 * these are put out. They take turns, each slot is a neighbour of another session's.
 */
#include "decode_client.h"
#include "pictures.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>

#define SESSIONS 3u
#define PICTURES 8u
#define SLOTS 3u
#define OUTPUTS 2u
#define LAYERS (SESSIONS * SLOTS + OUTPUTS)
#define ROUNDS 200u
#define WIDTH_PX 176u
#define HEIGHT_PX 144u

struct member {
    struct stream *stream;
    struct decode *d;
    struct decode_source pics[PICTURES];
    uint32_t next;
};

struct fixture {
    struct vk *vk;
    struct vk_image img;
    struct member members[SESSIONS];
    uint8_t pixels[WIDTH_PX * HEIGHT_PX * 3 / 2];
    uint64_t random;
};

static uint32_t
below(struct fixture *f, uint32_t limit)
{
    f->random = f->random * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(f->random >> 33) % limit;
}

static void
image_open(struct fixture *f)
{
    const VkVideoDecodeH264ProfileInfoKHR h264 = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_H264_PROFILE_INFO_KHR,
        .stdProfileIdc = STD_VIDEO_H264_PROFILE_IDC_HIGH,
        .pictureLayout = VK_VIDEO_DECODE_H264_PICTURE_LAYOUT_INTERLACED_INTERLEAVED_LINES_BIT_KHR,
    };
    const VkVideoProfileInfoKHR profile =
        video_profile(VK_VIDEO_CODEC_OPERATION_DECODE_H264_BIT_KHR, &h264);
    const VkVideoProfileListInfoKHR list = video_profile_list(&profile);
    f->img = vk_image_create(
        f->vk, &(struct vk_image_info){.format = VK_FORMAT_G8_B8R8_2PLANE_420_UNORM,
                                       .width_px = WIDTH_PX,
                                       .height_px = HEIGHT_PX,
                                       .layer_count = LAYERS,
                                       .usage = VK_IMAGE_USAGE_VIDEO_DECODE_DPB_BIT_KHR |
                                                VK_IMAGE_USAGE_VIDEO_DECODE_DST_BIT_KHR |
                                                VK_IMAGE_USAGE_TRANSFER_SRC_BIT,
                                       .next = &list});
}

/* max_dpb_slots: fewer than the pictures of a chain need are for their IDR picture alone. */
static void
member_open(struct fixture *f, uint32_t k, uint32_t max_dpb_slots)
{
    static const uint32_t sizes[SESSIONS][2] = {{WIDTH_PX, HEIGHT_PX}, {98, 80}, {128, 144}};
    struct member *m = &f->members[k];
    *m = (struct member){.stream =
                             stream_open(f->vk, &(struct stream_options){.width_px = sizes[k][0],
                                                                         .height_px = sizes[k][1],
                                                                         .content = 7 * k,
                                                                         .slot_count = SLOTS})};
    m->d = decode_open_in(f->vk, m->stream, &f->img, k * SLOTS, max_dpb_slots);
    for (uint32_t i = 0; i < PICTURES; i++) {
        struct stream_picture pic = picture_of_chain(m->stream, i, 26);
        if (i > 1)
            pic.list[0][0] = (uint8_t)slot_by_age(m->stream, i % 2);
        m->pics[i] = decode_source_make_of(m->d, i, &pic);
    }
}

static void
fixture_open(struct fixture *f, struct vk *vk, uint32_t max_dpb_slots)
{
    *f = (struct fixture){.vk = vk, .random = max_dpb_slots};
    image_open(f);
    for (uint32_t k = 0; k < SESSIONS; k++)
        member_open(f, k, max_dpb_slots);
}

static void
fixture_close(struct fixture *f)
{
    for (uint32_t k = 0; k < SESSIONS; k++) {
        struct member *m = &f->members[k];
        for (uint32_t i = 0; i < PICTURES; i++)
            free(m->pics[i].data);
        decode_close(m->d);
        (void)stream_finish(m->stream);
    }
    vk_image_destroy(f->vk, &f->img);
}

/* In the upper left corner of a layer. */
static bool
is_in_layer(struct fixture *f, const struct member *m, const struct decode_source *pic,
            uint32_t layer)
{
    const struct stream_options *o = &m->stream->options;
    vk_image_read_i420(f->vk, &f->img, layer, f->pixels);
    const uint8_t *recon = pic->recon;
    const uint8_t *plane = f->pixels;
    for (uint32_t i = 0; i < 3; i++) {
        const uint32_t div = i ? 2 : 1;
        for (uint32_t y = 0; y < o->height_px / div; y++) {
            if (memcmp(recon, plane + (size_t)y * (WIDTH_PX / div), o->width_px / div) != 0)
                return false;
            recon += o->width_px / div;
        }
        plane += (size_t)WIDTH_PX / div * (HEIGHT_PX / div);
    }
    return true;
}

static int32_t
decode(struct fixture *f, struct member *m, const struct decode_source *pic)
{
    struct slots refs = {0};
    if (pic->ref_slot >= 0)
        decode_slots_add(&refs, m->d, pic->ref_slot);
    m->d->infos[pic->slot] = (StdVideoDecodeH264ReferenceInfo){
        .FrameNum = pic->std.frame_num,
        .PicOrderCnt = {pic->std.PicOrderCnt[0], pic->std.PicOrderCnt[1]}};
    decode_record(m->d, 0, &pic->std, &refs, pic->slot, pic->data, pic->size_B);
    CHECK(vkQueueSubmit(f->vk->decode_queues[below(f, VK_DECODE_QUEUES)], 1,
                        &(VkSubmitInfo){.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                                        .commandBufferCount = 1,
                                        .pCommandBuffers = &m->d->cbs[0]},
                        VK_NULL_HANDLE));
    CHECK(vkDeviceWaitIdle(f->vk->dev));
    return decode_status(m->d, 0);
}

/* The next picture of a session, put out in its slot's layer or in another one. */
static void
require_next_is_right(struct fixture *f, struct member *m, uint32_t picture_count)
{
    const struct decode_source *pic = &m->pics[m->next];
    const uint32_t layer = m->d->layer + (uint32_t)pic->slot;
    const VkVideoPictureResourceInfoKHR output = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_PICTURE_RESOURCE_INFO_KHR,
        .codedExtent = {m->stream->options.width_px, m->stream->options.height_px},
        .baseArrayLayer = SESSIONS * SLOTS + below(f, OUTPUTS),
        .imageViewBinding = f->img.view,
    };
    m->d->output = below(f, 2) ? &output : NULL;
    REQUIRE_EQ(decode(f, m, pic), VK_QUERY_RESULT_STATUS_COMPLETE_KHR);
    REQUIRE(is_in_layer(f, m, pic, layer));
    REQUIRE(!m->d->output || is_in_layer(f, m, pic, output.baseArrayLayer));
    m->d->output = NULL;
    m->next = (m->next + 1) % picture_count;
}

static void
sessions_take_turns_in_the_layers_of_one_image(struct vk *vk, uint32_t max_dpb_slots)
{
    struct fixture f;
    fixture_open(&f, vk, max_dpb_slots);
    const uint32_t picture_count = max_dpb_slots < SLOTS ? 1 : PICTURES;
    for (uint32_t i = 0; i < ROUNDS; i++) {
        struct member *m = &f.members[below(&f, SESSIONS)];
        if (below(&f, 20) == 0)
            m->next = 0; /* an IDR picture, with its reset, before the end */
        require_next_is_right(&f, m, picture_count);
    }
    fixture_close(&f);
}

/* What refers to a picture from before a reset has an error, and the session goes on with the next
 * IDR picture; the others do not notice. */
static void
a_reset_in_the_middle_is_for_one_session(struct vk *vk)
{
    struct fixture f;
    fixture_open(&f, vk, SLOTS);
    for (uint32_t i = 0; i < 3 * SESSIONS; i++)
        require_next_is_right(&f, &f.members[i % SESSIONS], PICTURES);
    struct member *m = &f.members[1];
    m->d->has_reset = true;
    REQUIRE_EQ(decode(&f, m, &m->pics[3]), VK_QUERY_RESULT_STATUS_ERROR_KHR);
    m->d->has_reset = false;
    m->next = 0;
    for (uint32_t i = 0; i < 2 * PICTURES * SESSIONS; i++)
        require_next_is_right(&f, &f.members[i % SESSIONS], PICTURES);
    fixture_close(&f);
}

int
main(void)
{
    struct vk vk;
    vk_open(&vk);
    if (vk.decode_family == UINT32_MAX)
        return TEST_SKIPPED;
    RUN(sessions_take_turns_in_the_layers_of_one_image, &vk, SLOTS);
    RUN(sessions_take_turns_in_the_layers_of_one_image, &vk, 1);
    RUN(a_reset_in_the_middle_is_for_one_session, &vk);
    vk_close(&vk);
    return 0;
}
