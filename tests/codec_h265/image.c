/* SPDX-License-Identifier: MIT */
/* Memory that lives as long as a decoder may refer to it.
 */
#include "image.h"

#include "tests/test.h"

#include <string.h>

#define ALIGN 64

struct memory {
    struct session *session;
    int users;
    _Alignas(ALIGN) uint8_t bytes[];
};

static struct memory *
memory_of(const struct frame *frame)
{
    return (struct memory *)(frame->memory - offsetof(struct memory, bytes));
}

static void
memory_retain(void *memory)
{
    struct memory *m = memory;
    m->users++;
    m->session->retained_count++;
}

static void
memory_release(void *memory)
{
    struct memory *m = memory;
    if (--m->users == 0)
        free(m);
}

void
frame_image_init(struct session *session, struct frame *frame,
                 const StdVideoH265SequenceParameterSet *sps)
{
    const uint32_t width_px = sps->pic_width_in_luma_samples;
    const uint32_t height_px = sps->pic_height_in_luma_samples;
    const uint32_t bit_depth = sps->bit_depth_luma_minus8 + 8u;
    struct rp_decode_layout layout;
    session->codec->layout(width_px, height_px, &layout);
    if (bit_depth > 8)
        layout.stride_B *= 2;
    else
        session->may_retain = true;
    const size_t luma_B = layout.stride_B * layout.rows / ALIGN * ALIGN + ALIGN;
    const size_t chroma_B = layout.stride_B * (height_px / 2 + 1) / ALIGN * ALIGN + ALIGN;
    struct memory *m = aligned_alloc(ALIGN, sizeof(*m) + luma_B + 2 * chroma_B);
    REQUIRE(m);
    memset(m->bytes, 0x55, luma_B + 2 * chroma_B);
    m->session = session;
    m->users = 1;
    frame->memory = m->bytes;
    frame->dst = (struct rp_picture){
        .layout = session->is_planar && bit_depth == 8 ? RP_PICTURE_I420 : RP_PICTURE_NV12,
        .bit_depth = bit_depth,
        .width_px = width_px,
        .height_px = height_px,
        .plane = {{m->bytes, layout.stride_B},
                  {m->bytes + luma_B, layout.stride_B},
                  {m->bytes + luma_B + chroma_B, layout.stride_B}},
    };
}

struct rp_decode_target
frame_target(struct session *session, const struct frame *frame)
{
    struct rp_decode_layout layout;
    session->codec->layout(frame->dst.width_px, frame->dst.height_px, &layout);
    return (struct rp_decode_target){memory_of(frame), memory_retain, memory_release,
                                     (uint32_t)layout.rows};
}

void
frame_release(struct session *session, struct frame *frame)
{
    if (!frame->memory)
        return;
    session->slots_used &= ~(1u << frame->slot);
    memory_release(memory_of(frame));
    *frame = (struct frame){.is_used = false};
}

/* One component of a plane whose samples are step apart. */
static uint64_t
hash_plane(uint64_t hash, const struct rp_picture *picture, uint32_t plane, uint32_t first,
           uint32_t step)
{
    const uint32_t sample_B = picture->bit_depth > 8 ? 2 : 1;
    const uint32_t width = plane ? picture->width_px / 2 : picture->width_px;
    const uint32_t rows = plane ? picture->height_px / 2 : picture->height_px;
    uint8_t *row = malloc((size_t)width * sample_B);
    REQUIRE(row);
    for (uint32_t y = 0; y < rows; y++) {
        const uint8_t *src = picture->plane[plane].data + y * picture->plane[plane].stride_B;
        for (uint32_t x = 0; x < width; x++)
            memcpy(row + x * sample_B, src + (x * step + first) * sample_B, sample_B);
        hash = hash_row(hash, row, (size_t)width * sample_B);
    }
    free(row);
    return hash;
}

uint64_t
picture_hash(const struct rp_picture *picture)
{
    const bool is_planar = picture->layout == RP_PICTURE_I420;
    uint64_t hash = hash_plane(0, picture, 0, 0, 1);
    for (uint32_t i = 0; i < 2; i++)
        hash =
            is_planar ? hash_plane(hash, picture, 1 + i, 0, 1) : hash_plane(hash, picture, 1, i, 2);
    return hash;
}
