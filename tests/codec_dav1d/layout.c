/* SPDX-License-Identifier: MIT */
/* What layout.h says of libdav1d's structs is what the library of this machine does: it needs none
 * of its headers (layout_headers.c does).
 */
#include "codecs/dav1d/library.h"
#include "test.h"

#include <errno.h>

#define WIDTH_PX 32
#define HEIGHT_PX 16
#define UNTOUCHED 0xaa

/* A temporal unit with a grey key frame, 4:2:0, 8 bit; made by libaom. */
static const uint8_t grey[] = {0x12, 0x00, 0x0a, 0x0a, 0x00, 0x00, 0x00, 0x02, 0x1f,
                               0xfc, 0xff, 0xf9, 0x80, 0x40, 0x32, 0x0b, 0x10, 0x00,
                               0xe4, 0x00, 0x00, 0x02, 0xc0, 0x00, 0x00, 0x01, 0x40};

struct allocator {
    const struct rp_dav1d_library *lib;
    _Alignas(RP_DAV1D_ALIGN_B) uint8_t planes[3][256 * 129];
    uint32_t picture_count;
    uint32_t released_count;
};

static void **
allocator_data(const struct allocator *allocator, struct rp_dav1d_picture *picture)
{
    return (void **)((char *)picture + allocator->lib->layout->allocator_data_offset_B);
}

static int
alloc_picture(struct rp_dav1d_picture *picture, void *cookie)
{
    struct allocator *allocator = cookie;
    if (picture->parameters.width_px != WIDTH_PX || picture->parameters.height_px != HEIGHT_PX ||
        picture->parameters.layout != RP_DAV1D_I420 || picture->parameters.bit_depth != 8)
        return -EINVAL;
    for (uint32_t i = 0; i < 3; i++)
        picture->data[i] = allocator->planes[i];
    picture->stride_B[0] = picture->stride_B[1] = 256;
    *allocator_data(allocator, picture) = &allocator->released_count;
    allocator->picture_count++;
    return 0;
}

static void
release_picture(struct rp_dav1d_picture *picture, void *cookie)
{
    struct allocator *allocator = cookie;
    uint32_t *count = *allocator_data(allocator, picture);
    if (count == &allocator->released_count)
        ++*count;
}

static void
keep_data(const uint8_t *data, void *cookie)
{
}

static struct Dav1dContext *
open_with(struct allocator *allocator)
{
    struct rp_dav1d_settings settings;
    allocator->lib->dav1d_default_settings(&settings);
    REQUIRE_EQ(settings.n_threads, 0);
    REQUIRE_EQ(settings.apply_grain, 1);
    REQUIRE_EQ(settings.all_layers, 1);
    REQUIRE_EQ(settings.inloop_filters, 7);
    REQUIRE(settings.allocator.alloc_picture && settings.allocator.release_picture);
    REQUIRE(settings.logger.callback);
    settings.n_threads = settings.max_frame_delay = 1;
    settings.allocator.cookie = allocator;
    settings.allocator.alloc_picture = alloc_picture;
    settings.allocator.release_picture = release_picture;

    struct Dav1dContext *context = NULL;
    REQUIRE_EQ(allocator->lib->dav1d_open(&context, &settings), 0);
    return context;
}

static void
pictures_are_where_the_layout_says(const struct rp_dav1d_library *lib)
{
    static struct allocator allocator;
    allocator.lib = lib;
    struct Dav1dContext *context = open_with(&allocator);

    struct rp_dav1d_data data = {.data = NULL};
    REQUIRE_EQ(lib->dav1d_data_wrap(&data, grey, sizeof(grey), keep_data, NULL), 0);
    REQUIRE(data.data == grey);
    REQUIRE_EQ(data.size_B, sizeof(grey));
    REQUIRE_EQ(lib->dav1d_send_data(context, &data), 0);
    REQUIRE_EQ(data.size_B, 0);

    struct rp_dav1d_picture picture;
    memset(&picture, UNTOUCHED, sizeof(picture));
    picture.data[0] = NULL; /* it has to be an empty one */
    REQUIRE_EQ(lib->dav1d_get_picture(context, &picture), 0);
    REQUIRE_EQ(allocator.picture_count, 1);
    REQUIRE(picture.data[0] == allocator.planes[0] && picture.data[2] == allocator.planes[2]);
    REQUIRE_EQ(allocator.planes[0][0], 126);
    REQUIRE_EQ(picture.stride_B[1], 256);
    REQUIRE_EQ(picture.parameters.width_px, WIDTH_PX);
    REQUIRE(*allocator_data(&allocator, &picture) == &allocator.released_count);

    /* A picture that is released is emptied, all of it. */
    lib->dav1d_picture_unref(&picture);
    const uint8_t *bytes = (const uint8_t *)&picture;
    for (size_t i = 0; i < sizeof(picture); i++)
        REQUIRE((bytes[i] == UNTOUCHED) == (i >= lib->layout->picture_B));
    lib->dav1d_close(&context);
    REQUIRE(!context);
    REQUIRE_EQ(allocator.released_count, 1);
}

int
main(void)
{
    if (!rp_dav1d_library_is_present())
        return TEST_SKIPPED;
    const struct rp_dav1d_library *lib = rp_dav1d_library_open();
    REQUIRE(lib);
    RUN(pictures_are_where_the_layout_says, lib);
    return 0;
}
