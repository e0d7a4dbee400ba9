/* SPDX-License-Identifier: MIT */
/* Writing of private headers.
 */
#include "video/h265/private_headers.h"

#include "util/alloc.h"
#include "util/compiler.h"
#include "video/h265/nal_units.h"
#include "video/h265/private_order.h"

#include <string.h>

#define NAL_HEADER(type) \
    (const uint8_t[RP_H265_NAL_HEADER_B]) \
    { \
        (type) << 1, 1 \
    }

/* The application's numbering, window and extensions are not the decoder's. */
static void
private_sps_init(struct rp_h265_sps *out, const struct rp_h265_sps *app)
{
    rp_h265_sps_copy(out, &app->std);
    StdVideoH265SequenceParameterSet *std = &out->std;
    std->sps_video_parameter_set_id = 0;
    std->sps_seq_parameter_set_id = 0;
    std->sps_max_sub_layers_minus1 = 0;
    std->flags.sps_temporal_id_nesting_flag = 1;
    std->flags.conformance_window_flag = 0;
    std->log2_max_pic_order_cnt_lsb_minus4 = RP_H265_PRIVATE_POC_BITS - 4;
    std->flags.sps_sub_layer_ordering_info_present_flag = 1;
    out->dec_pic_buf_mgr = (StdVideoH265DecPicBufMgr){.max_dec_pic_buffering_minus1 = {15}};
    std->num_short_term_ref_pic_sets = 0;
    std->flags.long_term_ref_pics_present_flag = 1;
    std->num_long_term_ref_pics_sps = 0;
}

static void
private_pps_init(struct rp_h265_pps *out, const struct rp_h265_pps *app)
{
    rp_h265_pps_copy(out, &app->std);
    out->std.pps_pic_parameter_set_id = 0;
    out->std.pps_seq_parameter_set_id = 0;
    out->std.flags.output_flag_present_flag = 1;
}

/* Appends what syntax wrote as a NAL unit. */
static bool
put_set(struct rp_h265_private_picture *picture, uint8_t type, const struct rp_h265_syntax *syntax)
{
    const size_t room_B = sizeof(picture->parameter_sets) - picture->parameter_sets_B;
    if (!rp_h265_syntax_is_ok(syntax))
        return false;
    const size_t nal_B = rp_nal_write(picture->parameter_sets + picture->parameter_sets_B, room_B,
                                      NAL_HEADER(type), RP_H265_NAL_HEADER_B, syntax->writer.data,
                                      rp_h265_syntax_position(syntax) / 8);
    picture->parameter_sets_B += nal_B;
    return nal_B <= room_B;
}

bool
rp_h265_private_write_sets(struct rp_h265_private_picture *picture, size_t *sps_B_out)
{
    uint8_t rbsp[RP_H265_PRIVATE_SETS_B / 4];
    struct rp_h265_syntax syntax;
    private_sps_init(&picture->sps, &picture->app_sps);
    private_pps_init(&picture->pps, &picture->app_pps);

    picture->parameter_sets_B = 0;
    rp_h265_syntax_init_write(&syntax, rbsp, sizeof(rbsp));
    rp_h265_write_vps(&syntax, &picture->sps);
    if (!put_set(picture, RP_H265_NAL_VPS, &syntax))
        return false;
    rp_h265_syntax_init_write(&syntax, rbsp, sizeof(rbsp));
    rp_h265_code_sps(&syntax, &picture->sps);
    if (!put_set(picture, RP_H265_NAL_SPS, &syntax))
        return false;
    *sps_B_out = picture->parameter_sets_B;
    rp_h265_syntax_init_write(&syntax, rbsp, sizeof(rbsp));
    rp_h265_code_pps(&syntax, &picture->pps);
    return put_set(picture, RP_H265_NAL_PPS, &syntax);
}

/* Room for one more of count elements and so many bytes, at least; false when memory is short. */
static bool
grow(void *array, size_t used_B, size_t wanted_B, size_t *capacity_B)
{
    void *old;
    if (wanted_B <= *capacity_B)
        return true;
    const size_t size_B = wanted_B + wanted_B / 2;
    void *memory = rp_alloc(NULL, size_B, _Alignof(max_align_t), VK_SYSTEM_ALLOCATION_SCOPE_OBJECT);
    if (!memory)
        return false;
    memcpy(&old, array, sizeof(old));
    if (used_B > 0)
        memcpy(memory, old, used_B);
    rp_free(NULL, old);
    memcpy(array, &memory, sizeof(memory));
    *capacity_B = size_B;
    return true;
}

/* Appends a slice whose header, and maybe data, is the rbsp. */
static bool
add_nal(struct rp_h265_private_picture *picture, const uint8_t *rbsp, size_t rbsp_B,
        size_t data_offset_B, size_t data_B)
{
    size_t slices_B = picture->slice_capacity * sizeof(*picture->slices);
    const size_t used_B = picture->slice_count * sizeof(*picture->slices);
    const size_t room_B = rbsp_B / 2 * 3 + 16;
    if (!grow(&picture->slices, used_B, used_B + sizeof(*picture->slices), &slices_B) ||
        !grow(&picture->headers, picture->headers_B, picture->headers_B + room_B,
              &picture->headers_capacity_B))
        return false;
    picture->slice_capacity = (uint32_t)(slices_B / sizeof(*picture->slices));
    const size_t nal_B =
        rp_nal_write(picture->headers + picture->headers_B, room_B, NAL_HEADER(RP_H265_NAL_TRAIL_R),
                     RP_H265_NAL_HEADER_B, rbsp, rbsp_B);
    picture->slices[picture->slice_count++] = (struct rp_h265_decode_slice){
        .header_B = nal_B, .data_offset_B = data_offset_B, .data_B = data_B};
    picture->headers_B += nal_B;
    return true;
}

static struct rp_h265_slice_context
private_context(const struct rp_h265_private_picture *picture)
{
    return (struct rp_h265_slice_context){
        .sps = &picture->sps.std,
        .pps = &picture->pps.std,
        .num_pic_total_curr = picture->num_pic_total_curr,
    };
}

/* The first part with what is the decoder's. */
static void
write_first_part(struct rp_h265_syntax *syntax, const struct rp_h265_private_picture *picture,
                 struct rp_h265_slice_header *header, int32_t poc,
                 const struct rp_h265_private_rps *rps)
{
    const struct rp_h265_slice_context context = private_context(picture);
    header->nal_unit_type = RP_H265_NAL_TRAIL_R;
    header->slice_pic_parameter_set_id = 0;
    header->pic_output_flag = false;
    header->slice_pic_order_cnt_lsb = (uint32_t)poc & ((1u << RP_H265_PRIVATE_POC_BITS) - 1);
    header->short_term_ref_pic_set_sps_flag = false;
    header->short_term_ref_pic_set = rps->short_term;
    header->num_long_term_sps = 0;
    header->num_long_term_pics = rps->long_term_count;
    memcpy(header->long_term, rps->long_term, sizeof(header->long_term));
    rp_h265_code_slice_first_part(syntax, &context, header);
}

bool
rp_h265_private_add_slice(struct rp_h265_private_picture *picture, const uint8_t *rbsp,
                          size_t data_offset_B, size_t data_B)
{
    struct rp_h265_slice_header *header = &picture->header;
    struct rp_h265_syntax syntax;
    rp_h265_syntax_init_write(&syntax, picture->raw, sizeof(picture->raw));
    write_first_part(&syntax, picture, header, picture->poc, &picture->rps);
    for (size_t i = header->second_part_bits; i < header->end_bits; i++)
        rp_bits_put(&syntax.writer, 1, rbsp[i / 8] >> (7 - i % 8) & 1);
    rp_h265_trailing(&syntax); /* byte_alignment() */
    if (!rp_h265_syntax_is_ok(&syntax)) {
        picture->is_damaged = true; /* an application cannot say so much in a slice of a level */
        return true;
    }
    return add_nal(picture, picture->raw, rp_h265_syntax_position(&syntax) / 8, data_offset_B,
                   data_B);
}

bool
rp_h265_private_add_control(struct rp_h265_private_streams *streams,
                            struct rp_h265_private_picture *picture)
{
    static const uint8_t no_data[] = {0x55, 0x55, 0x55, 0x80};
    const struct rp_h265_slice_context context = private_context(picture);
    for (uint32_t i = 0; i < picture->control_count; i++) {
        const int32_t poc = rp_h265_private_control_poc(streams, picture, i);
        struct rp_h265_private_rps rps;
        struct rp_h265_syntax syntax;
        rp_h265_private_make_control_rps(streams, picture, poc, &rps);
        picture->header = (struct rp_h265_slice_header){
            .first_slice_segment_in_pic_flag = true,
            .slice_type = STD_VIDEO_H265_SLICE_TYPE_I,
        };
        rp_h265_syntax_init_write(&syntax, picture->raw, sizeof(picture->raw));
        write_first_part(&syntax, picture, &picture->header, poc, &rps);
        rp_h265_code_slice_second_part(&syntax, &context, &picture->header);
        rp_h265_trailing(&syntax);
        for (uint32_t k = 0; k < RP_ARRAY_SIZE(no_data); k++)
            (void)rp_h265_u(&syntax, 8, no_data[k]);
        if (!add_nal(picture, picture->raw, rp_h265_syntax_position(&syntax) / 8, 0, 0))
            return false;
    }
    return true;
}
