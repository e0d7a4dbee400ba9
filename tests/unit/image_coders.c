/* SPDX-License-Identifier: MIT */
/* Which writes of encode sessions into an image's layers concern whom.
 */
#include "object/image.h"

#include "test.h"

static void
image_init(struct rp_image *img, struct rp_image_coder *coders, uint32_t count)
{
    *img = (struct rp_image){.layer_count = 2, .coders = coders, .coder_count = count};
    for (uint32_t i = 0; i < count; i++)
        coders[i] = (struct rp_image_coder){0};
}

static void
a_session_alone_disturbs_nobody(void)
{
    struct rp_image_coder coders[2];
    struct rp_image img;
    image_init(&img, coders, 2);
    rp_image_mark_coded(&img, 0, 7);
    const uint64_t before = rp_image_generation(&img, 0);
    rp_image_mark_coded(&img, 0, 7);
    rp_image_mark_coded(&img, 1, 7);
    REQUIRE_EQ(rp_image_generation(&img, 0), before);
}

static void
sessions_in_layers_of_their_own_do_not_disturb_each_other(void)
{
    struct rp_image_coder coders[2];
    struct rp_image img;
    image_init(&img, coders, 2);
    rp_image_mark_coded(&img, 0, 7);
    const uint64_t before = rp_image_generation(&img, 0);
    rp_image_mark_coded(&img, 1, 8);
    rp_image_mark_coded(&img, 0, 7);
    REQUIRE_EQ(rp_image_generation(&img, 0), before);
}

static void
sessions_in_one_layer_change_what_the_other_knows(void)
{
    struct rp_image_coder coders[2];
    struct rp_image img;
    image_init(&img, coders, 2);
    rp_image_mark_coded(&img, 1, 7);
    const uint64_t first = rp_image_generation(&img, 1);
    rp_image_mark_coded(&img, 1, 8);
    const uint64_t second = rp_image_generation(&img, 1);
    REQUIRE(second != first);
    rp_image_mark_coded(&img, 1, 7);
    REQUIRE(rp_image_generation(&img, 1) != first);
    REQUIRE(rp_image_generation(&img, 1) != second);
}

static void
other_images_have_no_coders(void)
{
    struct rp_image img;
    image_init(&img, NULL, 0);
    rp_image_mark_coded(&img, 1, 7);
    REQUIRE_EQ(rp_image_generation(&img, 1), 0);
    rp_image_mark_written(&img);
    REQUIRE_EQ(rp_image_generation(&img, 1), 1);
}

/* Three places of 64 bytes: two images overlap in the second one. */
static void
what_is_written_to_an_alias_is_written(void)
{
    static uint8_t memory[192];
    struct rp_image_coder coders[3][2];
    struct rp_image img[3];
    struct rp_device dev;
    rp_image_aliases_init(&dev.image_aliases);
    for (uint32_t i = 0; i < 3; i++) {
        image_init(&img[i], coders[i], 2);
        img[i].base.dev = &dev;
        img[i].flags = VK_IMAGE_CREATE_ALIAS_BIT;
        img[i].plane_count = 1;
        img[i].plane[0].host = memory + 64 * i;
        img[i].memory_size_B[0] = i ? 64 : 128;
        rp_image_aliases_add(&dev.image_aliases, &img[i]);
        rp_image_aliases_add(&dev.image_aliases, &img[i]);
    }
    rp_image_mark_written(&img[1]);
    REQUIRE_EQ(rp_image_generation(&img[0], 0), 1);
    REQUIRE_EQ(rp_image_generation(&img[1], 0), 1);
    rp_image_mark_coded(&img[1], 0, 7);
    REQUIRE_EQ(rp_image_generation(&img[0], 1), 2);
    REQUIRE_EQ(rp_image_generation(&img[2], 0), 0);

    rp_image_aliases_remove(&dev.image_aliases, &img[0]);
    rp_image_mark_written(&img[1]);
    REQUIRE_EQ(rp_image_generation(&img[0], 0), 2);
    rp_image_mark_written(&img[0]);
    REQUIRE_EQ(rp_image_generation(&img[1], 0), 4);       /* with what its session wrote */
    rp_image_aliases_remove(&dev.image_aliases, &img[0]); /* was never bound */
    rp_image_aliases_finish(&dev.image_aliases);
}

int
main(void)
{
    RUN(a_session_alone_disturbs_nobody);
    RUN(sessions_in_layers_of_their_own_do_not_disturb_each_other);
    RUN(sessions_in_one_layer_change_what_the_other_knows);
    RUN(what_is_written_to_an_alias_is_written);
    RUN(other_images_have_no_coders);
    return 0;
}
