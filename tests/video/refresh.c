/* SPDX-License-Identifier: MIT */
/* Intra refresh: after one cycle a decoder that began with another picture shows the same as one
 * that has seen everything.
 */
#include "decoder.h"
#include "pictures.h"
#include "stream.h"
#include "test.h"

#include <string.h>

#define WIDTH 208u
#define HEIGHT 128u
#define FRAME_B (WIDTH * HEIGHT * 3 / 2)

struct last_frame {
    uint32_t number;
    uint8_t pixels[FRAME_B];
};

static void
keep_last(void *ctx, uint32_t number, uint32_t width_px, uint32_t height_px, const uint8_t *pixels)
{
    struct last_frame *last = ctx;
    last->number = number;
    memcpy(last->pixels, pixels, FRAME_B);
}

/* An IDR picture of another scene, coded by another session. */
static void
encode_foreign_idr(struct vk *vk, const struct stream_options *options, struct coded_picture *out)
{
    struct stream_options o = *options;
    o.content += 500;
    struct stream *s = stream_open(vk, &o);
    const struct stream_picture pic = picture_idr(s);
    size_t headers_B;
    const uint8_t *headers = stream_headers(s, &headers_B);
    struct coded_picture *coded = malloc(sizeof(*coded));
    REQUIRE(coded);
    picture_encode(s, &pic, coded);
    memcpy(out->data, headers, headers_B);
    memcpy(out->data + headers_B, coded->data, coded->size_B);
    out->size_B = headers_B + coded->size_B;
    free(coded);
    (void)stream_finish(s);
}

/* As many slices as pictures in the cycle; each is an I slice once. */
static void
set_partitions(struct stream_picture *pic, struct stream_slice *slices, uint32_t cycle)
{
    for (uint32_t i = 0; i < cycle; i++)
        slices[i] = (struct stream_slice){
            .type = pic->refresh_cycle && i == pic->refresh_index ? 2 : pic->slice_type};
    pic->slice_count = cycle;
    pic->slices = slices;
}

static void
run_cycle(struct vk *vk, const struct stream_options *options, uint32_t cycle)
{
    static struct coded_picture unit;
    static struct last_frame last;
    struct stream *s = stream_open(vk, options);
    struct decoder *late = decoder_open();
    encode_foreign_idr(vk, options, &unit);
    decoder_send(late, unit.data, unit.size_B, 0);

    struct stream_slice slices[STREAM_MAX_SLICES];
    struct stream_picture pic = picture_idr(s);
    picture_encode(s, &pic, &unit); /* the late decoder never sees it */
    for (uint32_t i = 0; i <= cycle; i++) {
        pic = picture_of_chain(s, i + 1, 26);
        pic.refresh_cycle = i < cycle ? cycle : 0;
        pic.refresh_index = i;
        pic.slice_count = 1 + i % 2;
        if (options->refresh_mode ==
            VK_VIDEO_ENCODE_INTRA_REFRESH_MODE_PER_PICTURE_PARTITION_BIT_KHR)
            set_partitions(&pic, slices, cycle);
        if (options->max_refs > 1 && i > 1 && i < cycle) { /* all of the cycle */
            pic.list_count[0] = 2;
            pic.list[0][1] = (uint8_t)slot_by_age(s, 1);
        }
        picture_encode(s, &pic, &unit);
        decoder_send(late, unit.data, unit.size_B, i + 1);
    }
    (void)decoder_finish(late, keep_last, &last);
    REQUIRE_EQ(last.number, cycle + 1);
    for (uint32_t i = 0; i < FRAME_B; i++) {
        if (last.pixels[i] != stream_recon(s, cycle + 1)[i])
            (void)fprintf(stderr, "mode %u, cycle %u, level %u: differs at %u\n",
                          options->refresh_mode, cycle, options->quality_level, i);
        REQUIRE_EQ(last.pixels[i], stream_recon(s, cycle + 1)[i]);
    }
    (void)stream_finish(s);
}

static void
a_cycle_brings_a_late_decoder_back(struct vk *vk)
{
    static const uint32_t cycles[] = {1, 3, 8, 13, 40};
    for (uint32_t i = 0; i < 5 * 4; i++) {
        run_cycle(vk,
                  &(struct stream_options){
                      .width_px = WIDTH,
                      .height_px = HEIGHT,
                      .poc_type = 2,
                      .refresh_mode = (VkVideoEncodeIntraRefreshModeFlagBitsKHR)(1u << i % 4),
                      .quality_level = i % 8,
                      .is_cavlc = i & 1,
                      .has_transform8x8 = i >> 1 & 1},
                  cycles[i / 4]);
    }
}

/* As long as the capabilities say, with fewer blocks than pictures; for partitions there would have
 * to be as many. */
static void
the_longest_cycle_works(struct vk *vk)
{
    for (uint32_t mode = VK_VIDEO_ENCODE_INTRA_REFRESH_MODE_BLOCK_BASED_BIT_KHR; mode <= 8;
         mode *= 2) {
        run_cycle(vk,
                  &(struct stream_options){.width_px = WIDTH,
                                           .height_px = HEIGHT,
                                           .poc_type = 2,
                                           .refresh_mode =
                                               (VkVideoEncodeIntraRefreshModeFlagBitsKHR)mode},
                  256);
    }
}

static void
older_references_keep_what_is_refreshed(struct vk *vk)
{
    for (uint32_t mode = 1; mode <= 8; mode *= 2) {
        run_cycle(
            vk,
            &(struct stream_options){.width_px = WIDTH,
                                     .height_px = HEIGHT,
                                     .slot_count = 3,
                                     .max_refs = 2,
                                     .poc_type = 2,
                                     .refresh_mode = (VkVideoEncodeIntraRefreshModeFlagBitsKHR)mode,
                                     .quality_level = 4},
            6);
    }
}

static void
an_index_outside_of_the_cycle_fails(struct vk *vk)
{
    struct stream *s = stream_open(
        vk, &(struct stream_options){
                .width_px = 64,
                .height_px = 64,
                .refresh_mode = VK_VIDEO_ENCODE_INTRA_REFRESH_MODE_BLOCK_ROW_BASED_BIT_KHR});
    struct stream_picture pic = picture_idr(s);
    (void)stream_encode(s, &pic);
    pic = picture_p(s, 2, slot_by_age(s, 0));
    pic.refresh_cycle = 4;
    pic.refresh_index = 4;
    const uint32_t number = stream_prepare(s, &pic);
    stream_record(s, number);
    stream_submit(s, number);
    REQUIRE_EQ(stream_collect(s, number).status, VK_QUERY_RESULT_STATUS_ERROR_KHR);
    (void)stream_finish(s);
}

int
main(void)
{
    struct vk vk;
    vk_open(&vk);
    RUN(a_cycle_brings_a_late_decoder_back, &vk);
    RUN(the_longest_cycle_works, &vk);
    RUN(older_references_keep_what_is_refreshed, &vk);
    RUN(an_index_outside_of_the_cycle_fails, &vk);
    vk_close(&vk);
    return 0;
}
