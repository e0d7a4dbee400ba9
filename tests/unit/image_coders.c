/* SPDX-License-Identifier: MIT */
/* Which writes of encode sessions into an image's layers concern whom.
 */
#include "object/image.h"

#include "test.h"

static const struct rp_image_place whole = {0, 0, 64, 64};

static void
image_init(struct rp_image *img, struct rp_image_coders *coders, uint32_t count)
{
    *img = (struct rp_image){.layer_count = 2, .coders = coders, .coder_count = count};
    for (uint32_t i = 0; i < count; i++)
        coders[i] = (struct rp_image_coders){0};
    if (count > 0)
        pthread_mutex_init(&img->coder_mutex, NULL);
}

static void
a_session_alone_disturbs_nobody(void)
{
    static struct rp_image_coders coders[2];
    struct rp_image img;
    image_init(&img, coders, 2);
    rp_image_mark_coded(&img, 0, &whole, 7);
    const uint64_t before = rp_image_generation(&img, 0, &whole);
    rp_image_mark_coded(&img, 0, &whole, 7);
    rp_image_mark_coded(&img, 1, &whole, 7);
    REQUIRE_EQ(rp_image_generation(&img, 0, &whole), before);
}

static void
sessions_in_layers_of_their_own_do_not_disturb_each_other(void)
{
    static struct rp_image_coders coders[2];
    struct rp_image img;
    image_init(&img, coders, 2);
    rp_image_mark_coded(&img, 0, &whole, 7);
    const uint64_t before = rp_image_generation(&img, 0, &whole);
    rp_image_mark_coded(&img, 1, &whole, 8);
    rp_image_mark_coded(&img, 0, &whole, 7);
    REQUIRE_EQ(rp_image_generation(&img, 0, &whole), before);
}

static void
sessions_in_one_layer_change_what_the_other_knows(void)
{
    static struct rp_image_coders coders[2];
    struct rp_image img;
    image_init(&img, coders, 2);
    rp_image_mark_coded(&img, 1, &whole, 7);
    const uint64_t first = rp_image_generation(&img, 1, &whole);
    rp_image_mark_coded(&img, 1, &whole, 8);
    const uint64_t second = rp_image_generation(&img, 1, &whole);
    REQUIRE(second != first);
    rp_image_mark_coded(&img, 1, &whole, 7);
    REQUIRE(rp_image_generation(&img, 1, &whole) != first);
    REQUIRE(rp_image_generation(&img, 1, &whole) != second);
}

/* Beside each other, below each other, and in both. */
static void
a_session_concerns_the_places_that_it_writes(void)
{
    static const struct rp_image_place left = {0, 0, 32, 32}, right = {32, 0, 32, 32},
                                       below = {0, 32, 32, 32}, middle = {31, 31, 2, 2};
    static struct rp_image_coders coders[2];
    struct rp_image img;
    image_init(&img, coders, 2);
    rp_image_mark_coded(&img, 0, &left, 7);
    const uint64_t before = rp_image_generation(&img, 0, &left);
    rp_image_mark_coded(&img, 0, &right, 8);
    rp_image_mark_coded(&img, 0, &below, 8);
    REQUIRE_EQ(rp_image_generation(&img, 0, &left), before);
    const uint64_t other = rp_image_generation(&img, 0, &right);
    rp_image_mark_coded(&img, 0, &middle, 7); /* its own pictures are no others */
    REQUIRE(rp_image_generation(&img, 0, &left) != before);
    REQUIRE(rp_image_generation(&img, 0, &right) != other);
}

/* What a session has read and nobody has coded is a place, too. */
static void
a_place_is_known_from_its_first_look_on(void)
{
    static const struct rp_image_place part = {16, 16, 16, 16};
    static struct rp_image_coders coders[2];
    struct rp_image img;
    image_init(&img, coders, 2);
    const uint64_t before = rp_image_generation(&img, 0, &part);
    REQUIRE_EQ(rp_image_generation(&img, 0, &part), before);
    rp_image_mark_coded(&img, 0, &whole, 7);
    REQUIRE(rp_image_generation(&img, 0, &part) != before);
}

static void
what_there_is_no_room_for_is_not_known(void)
{
    static struct rp_image_coders coders[2];
    struct rp_image img;
    uint64_t before[RP_MAX_CODER_PLACES + 1];
    image_init(&img, coders, 2);
    for (uint32_t i = 0; i <= RP_MAX_CODER_PLACES; i++) {
        const struct rp_image_place place = {64 * i, 0, 64, 64};
        rp_image_mark_coded(&img, 0, &place, 7);
        before[i] = rp_image_generation(&img, 0, &place);
    }
    for (uint32_t i = 2; i <= RP_MAX_CODER_PLACES; i++)
        REQUIRE_EQ(rp_image_generation(&img, 0, &(struct rp_image_place){64 * i, 0, 64, 64}),
                   before[i]);
    REQUIRE(rp_image_generation(&img, 0, &whole) > before[RP_MAX_CODER_PLACES]);
}

static void
other_images_have_no_coders(void)
{
    struct rp_image img;
    image_init(&img, NULL, 0);
    rp_image_mark_coded(&img, 1, &whole, 7);
    REQUIRE_EQ(rp_image_generation(&img, 1, &whole), 0);
    rp_image_mark_written(&img);
    REQUIRE_EQ(rp_image_generation(&img, 1, &whole), 1);
}

/* Three places of 64 bytes: two images overlap in the second one. A place's first look
 * counts as well. */
static void
what_is_written_to_an_alias_is_written(void)
{
    static uint8_t memory[192];
    static struct rp_image_coders coders[3][2];
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
    REQUIRE_EQ(rp_image_generation(&img[0], 0, &whole), 2);
    REQUIRE_EQ(rp_image_generation(&img[1], 0, &whole), 2);
    rp_image_mark_coded(&img[1], 0, &whole, 7);
    REQUIRE_EQ(rp_image_generation(&img[0], 1, &whole), 3);
    REQUIRE_EQ(rp_image_generation(&img[2], 0, &whole), 1);

    rp_image_aliases_remove(&dev.image_aliases, &img[0]);
    rp_image_mark_written(&img[1]);
    REQUIRE_EQ(rp_image_generation(&img[0], 0, &whole), 3);
    rp_image_mark_written(&img[0]);
    REQUIRE_EQ(rp_image_generation(&img[1], 0, &whole), 5); /* with what its session wrote */
    rp_image_aliases_remove(&dev.image_aliases, &img[0]);   /* was never bound */
    rp_image_aliases_finish(&dev.image_aliases);
}

int
main(void)
{
    RUN(a_session_alone_disturbs_nobody);
    RUN(sessions_in_layers_of_their_own_do_not_disturb_each_other);
    RUN(sessions_in_one_layer_change_what_the_other_knows);
    RUN(a_session_concerns_the_places_that_it_writes);
    RUN(a_place_is_known_from_its_first_look_on);
    RUN(what_there_is_no_room_for_is_not_known);
    RUN(what_is_written_to_an_alias_is_written);
    RUN(other_images_have_no_coders);
    return 0;
}
