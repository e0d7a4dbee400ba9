/* SPDX-License-Identifier: MIT */
/* The largest pictures that the capabilities tell of, both ways round.
 */
#include "pictures.h"
#include "stream.h"
#include "test.h"

#define PICTURES 3u

static void
encode_large(struct vk *vk, const struct stream_options *options, uint32_t slice_count)
{
    struct stream *s = stream_open(vk, options);
    for (uint32_t i = 0; i < PICTURES; i++) {
        struct stream_picture pic = picture_of_chain(s, i, 30);
        pic.slice_count = i ? slice_count : 1;
        (void)stream_encode(s, &pic);
    }
    (void)stream_finish(s);
}

static void
wide_pictures_are_exact(struct vk *vk)
{
    encode_large(vk,
                 &(struct stream_options){.width_px = 8192, .height_px = 4352, .quality_level = 1},
                 272);
}

static void
tall_pictures_with_the_highest_rate_are_exact(struct vk *vk)
{
    encode_large(vk,
                 &(struct stream_options){.width_px = 4352,
                                          .height_px = 8192,
                                          .is_cavlc = true,
                                          .average_bps = 800000000},
                 512);
}

int
main(void)
{
    struct vk vk;
    vk_open(&vk);
    RUN(wide_pictures_are_exact, &vk);
    RUN(tall_pictures_with_the_highest_rate_are_exact, &vk);
    vk_close(&vk);
    return 0;
}
