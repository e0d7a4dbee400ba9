/* SPDX-License-Identifier: MIT */
/* The largest pictures that the capabilities tell of, both ways round.
 */
#include "pictures.h"
#include "stream.h"
#include "test.h"

#include <stdio.h>
#include <unistd.h>

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
    encode_large(
        vk, &(struct stream_options){.width_px = 8192, .height_px = 4352, .quality_level = 1}, 272);
}

static void
tall_pictures_with_the_highest_rate_are_exact(struct vk *vk)
{
    encode_large(
        vk,
        &(struct stream_options){
            .width_px = 4352, .height_px = 8192, .is_cavlc = true, .average_bps = 800000000},
        512);
}

static void
thin_pictures_are_exact(struct vk *vk)
{
    static const VkExtent2D sizes_px[] = {{16, 8192}, {18, 8190}, {8192, 16}, {8190, 18}};
    for (uint32_t i = 0; i < sizeof(sizes_px) / sizeof(sizes_px[0]); i++)
        encode_large(vk,
                     &(struct stream_options){.width_px = sizes_px[i].width,
                                              .height_px = sizes_px[i].height,
                                              .slot_count = 17,
                                              .max_refs = 16,
                                              .quality_level = i},
                     31);
}

static uint64_t
resident_B(void)
{
    unsigned long long total = 0, resident = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    REQUIRE(file);
    REQUIRE_EQ(fscanf(file, "%llu %llu", &total, &resident), 2);
    (void)fclose(file);
    return resident * (uint64_t)sysconf(_SC_PAGESIZE);
}

/* A client makes its session for all that the capabilities allow, and codes small pictures. */
static void
a_large_session_takes_little_memory(struct vk *vk)
{
    const uint64_t before_B = resident_B();
    struct stream *large =
        stream_open(/* of whose slots level 6.2 allows 5 references */
                    vk, &(struct stream_options){
                            .width_px = 8192, .height_px = 4352, .slot_count = 17, .max_refs = 5});
    struct stream *s = stream_open(
        vk, &(struct stream_options){.width_px = 640, .height_px = 480, .session_of = large});
    for (uint32_t i = 0; i < 8; i++) {
        const struct stream_picture pic = picture_of_chain(s, i, 26);
        (void)stream_encode(s, &pic);
    }
    const uint64_t used_B = resident_B() - before_B;
    (void)fprintf(stderr, "%llu MiB\n", (unsigned long long)(used_B >> 20));
    REQUIRE(used_B < UINT64_C(80) << 20);
    (void)stream_finish(s);
    (void)stream_finish(large);
}

int
main(void)
{
    struct vk vk;
    vk_open(&vk);
    RUN(a_large_session_takes_little_memory, &vk);
    RUN(wide_pictures_are_exact, &vk);
    RUN(thin_pictures_are_exact, &vk);
    RUN(tall_pictures_with_the_highest_rate_are_exact, &vk);
    vk_close(&vk);
    return 0;
}
