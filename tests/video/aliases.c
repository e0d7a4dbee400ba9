/* SPDX-License-Identifier: MIT */
/* A reconstruction that is written through another image in its memory is another picture: nothing
 * that the encoder knows of the one before is used with it.
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

static void
the_encoder_sees_what_was_written_through_an_alias(struct vk *vk)
{
    require_write_is_seen(vk, &options, overwrite_by_copy);
}

/* Each import is mapped at an address of its own; and needs no flag. */
static void
the_encoder_sees_what_was_written_through_another_import(struct vk *vk)
{
    struct stream_options exported = options;
    exported.is_aliased = false;
    exported.is_exported = true;
    if (vkGetMemoryFdKHR)
        require_write_is_seen(vk, &exported, overwrite_by_copy);
}

int
main(void)
{
    struct vk vk;
    vk_open(&vk);
    RUN(the_encoder_sees_what_was_written_through_an_alias, &vk);
    RUN(the_encoder_sees_what_was_written_through_another_import, &vk);
    vk_close(&vk);
    return 0;
}
