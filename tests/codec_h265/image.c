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
frame_image_init(struct session *session, struct frame *frame, uint32_t width_px,
                 uint32_t height_px)
{
    struct rp_decode_layout layout;
    session->codec->layout(width_px, height_px, &layout);
    const size_t luma_B = layout.stride_B * layout.rows / ALIGN * ALIGN + ALIGN;
    const size_t chroma_B = layout.stride_B * (height_px / 2 + 1) / ALIGN * ALIGN + ALIGN;
    struct memory *m = aligned_alloc(ALIGN, sizeof(*m) + luma_B + 2 * chroma_B);
    REQUIRE(m);
    memset(m->bytes, 0x55, luma_B + 2 * chroma_B);
    m->session = session;
    m->users = 1;
    frame->memory = m->bytes;
    frame->dst = (struct rp_picture){
        .layout = session->is_planar ? RP_PICTURE_I420 : RP_PICTURE_NV12,
        .bit_depth = 8,
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

uint64_t
picture_hash(const struct rp_picture *picture)
{
    const uint32_t chroma_width = picture->width_px / 2;
    uint64_t hash = 0;
    uint8_t *row = malloc(chroma_width);
    REQUIRE(row);
    for (uint32_t y = 0; y < picture->height_px; y++)
        hash = hash_row(hash, picture->plane[0].data + y * picture->plane[0].stride_B,
                        picture->width_px);
    for (uint32_t i = 0; i < 2; i++) {
        const bool is_planar = picture->layout == RP_PICTURE_I420;
        const struct rp_plane *plane = &picture->plane[is_planar ? 1 + i : 1];
        for (uint32_t y = 0; y < picture->height_px / 2; y++) {
            const uint8_t *src = plane->data + y * plane->stride_B;
            for (uint32_t x = 0; x < chroma_width; x++)
                row[x] = is_planar ? src[x] : src[2 * x + i];
            hash = hash_row(hash, row, chroma_width);
        }
    }
    free(row);
    return hash;
}
