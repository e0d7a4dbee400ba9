/* SPDX-License-Identifier: MIT */
/* The data of a key frame, 4:2:0, 8 bit, made by libaom; but for one bit it is one of 10, too. The
 * tile is the end of the frame OBU. */
#include "grey.h"

#include <string.h>

static const uint8_t sequence_header[] = {0x00, 0x00, 0x00, 0x02, 0x1f,
                                          0xfc, 0xff, 0xf9, 0x80, 0x40};
static const uint8_t sequence_header_10[] = {0x00, 0x00, 0x00, 0x02, 0x1f,
                                             0xfc, 0xff, 0xf9, 0xc0, 0x40}; /* high_bitdepth */
static const uint8_t frame_header[] = {0x10, 0x00, 0xe4, 0x00, 0x00, 0x02, 0xc0, 0x00};
static const uint8_t source[] = {0xff, 0x00, 0x01, 0x40};
static const uint32_t tile_offset_B = 1;
static const uint32_t tile_size_B = 3;

void
grey_image_retain(void *memory)
{
    ((struct grey_image *)memory)->retained++;
}

void
grey_image_release(void *memory)
{
    ((struct grey_image *)memory)->retained--;
}

struct rp_av1_decode_job
grey_job(struct grey_image *image)
{
    memset(image, UNTOUCHED, sizeof(*image));
    image->retained = 0;
    return (struct rp_av1_decode_job){
        .common = {.data = source,
                   .data_B = sizeof(source),
                   .dst = {.layout = RP_PICTURE_NV12,
                           .bit_depth = 8,
                           .width_px = WIDTH_PX,
                           .height_px = HEIGHT_PX,
                           .plane = {{image->luma, STRIDE_B}, {image->chroma, STRIDE_B}}}},
        .sequence_header = sequence_header,
        .sequence_header_B = sizeof(sequence_header),
        .frame_header = frame_header,
        .frame_header_B = sizeof(frame_header),
        .tile_offsets_B = &tile_offset_B,
        .tile_sizes_B = &tile_size_B,
        .tile_count = 1,
    };
}

struct rp_av1_decode_job
grey_job_10(struct grey_image *image)
{
    struct rp_av1_decode_job job = grey_job(image);
    job.common.dst.bit_depth = 10;
    job.sequence_header = sequence_header_10;
    return job;
}
