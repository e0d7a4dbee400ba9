/* SPDX-License-Identifier: MIT */
/* What one session goes through: pictures of other sizes, resets in mid stream.
 */
#include "pictures.h"
#include "stream.h"
#include "test.h"

/* Streams that take turns in one session, each from an IDR picture on: stream_finish() holds all
 * that is decoded against the reconstructions. */
static void
sizes_change_from_one_idr_picture_to_the_next(struct vk *vk, bool is_layered, uint64_t average_bps)
{
    static const uint32_t sizes[][2] = {{640, 368}, {34, 98}, {320, 240}, {16, 16}};
    struct stream *streams[4];
    for (uint32_t i = 0; i < 4; i++)
        streams[i] = stream_open(vk, &(struct stream_options){
                                         .width_px = sizes[i][0],
                                         .height_px = sizes[i][1],
                                         .slot_count = 3,
                                         .is_layered = is_layered,
                                         .quality_level = i,
                                         .is_cavlc = i & 1,
                                         .average_bps = average_bps,
                                         .session_of = i > 0 ? streams[0] : NULL,
                                     });
    for (uint32_t round = 0; round < 12; round++) {
        struct stream *s = streams[round * 5 % 4];
        for (uint32_t i = 0; i < 4; i++) {
            struct stream_picture pic =
                i == 0 ? picture_idr(s) : picture_p(s, (int32_t)(2 * i), slot_by_age(s, 0));
            if (i > 1) {
                pic.list_count[0] = 2;
                pic.list[0][1] = (uint8_t)slot_by_age(s, 1);
            }
            (void)stream_encode(s, &pic);
        }
    }
    for (uint32_t i = 4; i-- > 0;)
        (void)stream_finish(streams[i]);
}

static void
reset_at_constant_qp(struct stream_control *control)
{
    *control->flags |= VK_VIDEO_CODING_CONTROL_RESET_BIT_KHR;
    control->rate->rateControlMode = VK_VIDEO_ENCODE_RATE_CONTROL_MODE_DISABLED_BIT_KHR;
    control->rate->layerCount = 0;
}

static void
reset(struct stream_control *control)
{
    *control->flags |= VK_VIDEO_CODING_CONTROL_RESET_BIT_KHR;
}

/* A client resets whenever it changes something and goes on with P pictures (pyroenc). */
static void
a_reset_drops_no_reference(struct vk *vk)
{
    for (uint32_t k = 0; k < 4; k++) {
        const bool has_rate = k & 1;
        struct stream *s =
            stream_open(vk, &(struct stream_options){.width_px = 96,
                                                     .height_px = 80,
                                                     .slot_count = 4,
                                                     .is_layered = k & 2,
                                                     .average_bps = has_rate ? 300000 : 0});
        for (uint32_t i = 0; i < 12; i++) {
            struct stream_picture pic = picture_of_chain(s, i, 26);
            if (i > 2) {
                pic.list_count[0] = 3;
                for (uint32_t j = 0; j < 3; j++)
                    pic.list[0][j] = (uint8_t)slot_by_age(s, 2 - j);
            }
            pic.new_average_bps = i % 3 == 2 ? 300000 : 0;
            pic.tamper_control = has_rate ? reset : reset_at_constant_qp;
            (void)stream_encode(s, &pic);
        }
        (void)stream_finish(s);
    }
}

/* Pictures side by side in each DPB image, which ends with them: of their last macroblocks it has a
 * part, and only who coded them knows all of the picture. */
static void
sessions_beside_each_other_in_a_layer_remember_their_pictures(struct vk *vk)
{
    struct stream *streams[2];
    for (uint32_t i = 0; i < 2; i++)
        streams[i] = stream_open(vk, &(struct stream_options){
                                         .width_px = 72,
                                         .height_px = 72,
                                         .slot_count = 3,
                                         .content = i,
                                         .quality_level = 5,
                                         .dpb_of = i > 0 ? streams[0] : NULL,
                                         .dpb_x_px = 80 * i,
                                         .dpb_width_px = 80 + 72,
                                     });
    for (uint32_t i = 0; i < 16; i++) {
        for (uint32_t k = 0; k < 2; k++) {
            struct stream_picture pic = picture_of_chain(streams[k], i, 26);
            (void)stream_encode(streams[k], &pic);
        }
    }
    for (uint32_t i = 2; i-- > 0;)
        (void)stream_finish(streams[i]);
}

int
main(void)
{
    struct vk vk;
    vk_open(&vk);
    RUN(sizes_change_from_one_idr_picture_to_the_next, &vk, false, 0);
    RUN(sizes_change_from_one_idr_picture_to_the_next, &vk, true, 0);
    RUN(sizes_change_from_one_idr_picture_to_the_next, &vk, false, 200000);
    RUN(a_reset_drops_no_reference, &vk);
    RUN(sessions_beside_each_other_in_a_layer_remember_their_pictures, &vk);
    vk_close(&vk);
    return 0;
}
