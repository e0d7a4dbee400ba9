/* SPDX-License-Identifier: MIT */
#include "av1_grey.h"

#include "test.h"

/* Made by libaom: the tile is the end of the frame OBU. */
static const uint8_t sequence_header[] = {0x00, 0x00, 0x00, 0x02, 0x1f,
                                          0xfc, 0xff, 0xf9, 0x80, 0x40};
static const uint8_t frame_header[] = {0x10, 0x00, 0xe4, 0x00, 0x00, 0x02, 0xc0, 0x00, 0x00};
static const uint8_t tile[AV1_GREY_TILE_B] = {0x01, 0x40};
/* Found by trying all of two bytes: references of one grey give it again. The key frame's tile read
 * as one of these is damaged, which libdav1d 1.5.1 says and 1.0.0 does not.
 */
static const uint8_t inter_tile[AV1_GREY_TILE_B] = {0x08, 0x80};
static const uint32_t tile_offset_B = 0;
static const uint32_t tile_B = sizeof(tile);

void
av1_grey_init(struct av1_grey *grey)
{
    struct rp_av1_syntax syntax;
    REQUIRE_EQ(
        rp_av1_sequence_read(sequence_header, sizeof(sequence_header), &grey->state.sequence),
        RP_AV1_OK);
    rp_av1_syntax_init_read(&syntax, frame_header, sizeof(frame_header));
    rp_av1_code_frame(&syntax, &grey->state, &grey->frame);
    REQUIRE_EQ(rp_av1_syntax_status(&syntax), RP_AV1_OK);
}

struct app_job
av1_grey_job(struct av1_grey *grey, int32_t slot)
{
    std_structures_init(&grey->std, &grey->state.sequence, &grey->frame);
    return (struct app_job){
        .std = &grey->std,
        .frame = &grey->frame,
        .name_slots = {-1, -1, -1, -1, -1, -1, -1},
        .setup_slot = slot,
        .width_px = AV1_GREY_WIDTH_PX,
        .height_px = AV1_GREY_HEIGHT_PX,
        .data = tile,
        .data_B = sizeof(tile),
        .tile_offsets_B = &tile_offset_B,
        .tile_sizes_B = &tile_B,
        .tile_count = 1,
        .dst = {.layout = RP_PICTURE_NV12,
                .bit_depth = 8,
                .width_px = AV1_GREY_WIDTH_PX,
                .height_px = AV1_GREY_HEIGHT_PX,
                .plane = {{grey->luma, AV1_GREY_STRIDE_B}, {grey->chroma, AV1_GREY_STRIDE_B}}},
    };
}

struct app_job
av1_grey_inter_job(struct av1_grey *grey, int32_t slot)
{
    struct app_job job = av1_grey_job(grey, slot);
    job.data = inter_tile;
    grey->std.picture.frame_type = STD_VIDEO_AV1_FRAME_TYPE_INTER;
    grey->std.picture.OrderHint = 1;
    return job;
}
