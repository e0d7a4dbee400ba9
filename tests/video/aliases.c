/* SPDX-License-Identifier: MIT */
/* A reconstruction that is written through another image in its memory is another picture: nothing that
 * the encoder knows of the one before is used with it.
 */
#include "pictures.h"
#include "stream.h"
#include "test.h"

#define WIDTH 128u
#define HEIGHT 96u
#define PICTURE_B (WIDTH * HEIGHT * 3 / 2)

static const struct stream_options options = {
    .width_px = WIDTH,
    .height_px = HEIGHT,
    .slot_count = 3,
    .max_refs = 2,
    .poc_type = 2,
    .quality_level = 5,
    .is_aliased = true,
};

static void
overwrite_by_copy(struct vk *vk, const struct stream *s, int32_t slot)
{
    static uint8_t pixels[PICTURE_B];
    struct vk_image alias = stream_create_alias(s, slot);
    vk_image_read_i420(vk, &alias, 0, pixels);
    for (size_t i = 0; i < PICTURE_B; i++)
        pixels[i] = (uint8_t)(pixels[i] / 2 + i % 7);
    vk_image_write_i420(vk, &alias, 0, pixels);
    vk_image_destroy(vk, &alias);
}

/* A P picture that refers to what was written. is_told: the driver is told by a copy of the same
 * pixels, too. */
static void
encode_after_copy(struct vk *vk, bool is_told, struct coded_picture *out)
{
    struct stream *s = stream_open(vk, &options);
    struct stream_picture pic = picture_of_chain(s, 0, 26);
    const int32_t slot = pic.setup_slot;
    (void)stream_encode(s, &pic);
    pic = picture_of_chain(s, 1, 26);
    (void)stream_encode(s, &pic);

    overwrite_by_copy(vk, s, slot);
    if (is_told)
        stream_touch_slot(s, slot);
    pic = picture_p(s, 4, slot);
    pic.is_noise = true; /* to a decoder, that has the picture before */
    picture_encode(s, &pic, out);
    (void)stream_finish(s);
}

static void
the_encoder_sees_what_was_written_through_an_alias(struct vk *vk)
{
    static struct coded_picture coded, expected;
    encode_after_copy(vk, false, &coded);
    encode_after_copy(vk, true, &expected);
    REQUIRE_EQ(coded.size_B, expected.size_B);
    REQUIRE_BYTES(coded.data, expected.data, expected.size_B);
}

int
main(void)
{
    struct vk vk;
    vk_open(&vk);
    RUN(the_encoder_sees_what_was_written_through_an_alias, &vk);
    vk_close(&vk);
    return 0;
}
