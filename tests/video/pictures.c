/* SPDX-License-Identifier: MIT */
/* Pictures of IDR and P chains.
 */
#include "pictures.h"

#include "test.h"

struct stream_picture
picture_idr(const struct stream *s)
{
    return (struct stream_picture){
        .is_idr = true,
        .slice_type = 2,
        .is_reference = true,
        .setup_slot = stream_free_slot(s),
        .qp = 28,
    };
}

struct stream_picture
picture_p(const struct stream *s, int32_t poc, int32_t ref_slot)
{
    return (struct stream_picture){
        .is_reference = true,
        .poc = poc,
        .setup_slot = stream_free_slot(s),
        .list_count = {1},
        .list = {{(uint8_t)ref_slot}},
        .qp = 30,
    };
}

int32_t
slot_by_age(const struct stream *s, uint32_t age)
{
    const struct dpb_model *model = stream_model(s);
    for (uint32_t i = 0; i < model->frame_count; i++) {
        const struct dpb_frame *frame = &model->frames[i];
        uint32_t younger = 0;
        for (uint32_t j = 0; j < model->frame_count; j++)
            younger += model->frames[j].poc > frame->poc;
        if (younger == age)
            return frame->slot;
    }
    REQUIRE(!"a reference of this age");
    return -1;
}

struct stream_picture
picture_of_chain(const struct stream *s, uint32_t number, int32_t qp)
{
    struct stream_picture pic =
        number == 0 ? picture_idr(s) : picture_p(s, (int32_t)(2 * number), slot_by_age(s, 0));
    pic.qp = qp;
    return pic;
}

void
picture_encode(struct stream *s, const struct stream_picture *pic, struct coded_picture *out)
{
    const uint32_t number = stream_prepare(s, pic);
    stream_record(s, number);
    stream_submit(s, number);
    const struct stream_result result = stream_collect(s, number);
    REQUIRE_EQ(result.status, VK_QUERY_RESULT_STATUS_COMPLETE_KHR);
    REQUIRE(result.size_B <= sizeof(out->data));
    memcpy(out->data, result.data, result.size_B);
    out->size_B = result.size_B;
}

static void
encode_after_write(struct vk *vk, const struct stream_options *options, slot_write *write,
                   bool is_told, struct coded_picture *out)
{
    struct stream *s = stream_open(vk, options);
    struct stream_picture pic = picture_of_chain(s, 0, 26);
    const int32_t slot = pic.setup_slot;
    (void)stream_encode(s, &pic);
    pic = picture_of_chain(s, 1, 26);
    (void)stream_encode(s, &pic);

    write(vk, s, slot);
    if (is_told)
        stream_touch_slot(s, slot);
    pic = picture_p(s, 4, slot);
    pic.is_noise = true; /* to a decoder, that has the picture before */
    picture_encode(s, &pic, out);
    (void)stream_finish(s);
}

void
require_write_is_seen(struct vk *vk, const struct stream_options *options, slot_write *write)
{
    static struct coded_picture coded, expected;
    encode_after_write(vk, options, write, false, &coded);
    encode_after_write(vk, options, write, true, &expected);
    REQUIRE_EQ(coded.size_B, expected.size_B);
    REQUIRE_BYTES(coded.data, expected.data, expected.size_B);
}
