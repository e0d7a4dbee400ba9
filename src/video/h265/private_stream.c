/* SPDX-License-Identifier: MIT */
/* Pictures of private streams, one after another.
 */
#include "video/h265/private_stream.h"

#include "util/alloc.h"
#include "util/compiler.h"
#include "video/h265/nal_units.h"
#include "video/h265/private_headers.h"
#include "video/h265/private_order.h"

#include <string.h>

#define USUAL_HEADER_B 512u /* nearly every header is shorter */

void
rp_h265_private_streams_init(struct rp_h265_private_streams *streams)
{
    *streams = (struct rp_h265_private_streams){.picture_count = 0};
    for (uint32_t i = 0; i < RP_H265_PRIVATE_SLOTS; i++)
        streams->slots[i].stream = -1;
}

void
rp_h265_private_picture_finish(struct rp_h265_private_picture *picture)
{
    rp_free(NULL, picture->headers);
    rp_free(NULL, picture->slices);
    picture->headers = NULL;
    picture->slices = NULL;
}

static void
slots_forget(struct rp_h265_private_streams *streams, uint32_t stream)
{
    for (uint32_t i = 0; i < RP_H265_PRIVATE_SLOTS; i++) {
        if (streams->slots[i].stream == (int32_t)stream)
            streams->slots[i].stream = -1;
    }
}

/* The stream with this SPS; else the one to give up for it. */
static void
choose_stream(struct rp_h265_private_streams *streams, struct rp_h265_private_picture *picture,
              size_t sps_B)
{
    uint32_t oldest = 0;
    for (uint32_t i = 0; i < RP_H265_DECODE_STREAMS; i++) {
        const struct rp_h265_private_stream *stream = &streams->at[i];
        if (stream->sps_B == sps_B && memcmp(stream->sps, picture->parameter_sets, sps_B) == 0) {
            picture->stream = i;
            picture->starts_stream = false;
            return;
        }
        if (stream->last_use < streams->at[oldest].last_use)
            oldest = i;
    }
    slots_forget(streams, oldest);
    memcpy(streams->at[oldest].sps, picture->parameter_sets, sps_B);
    streams->at[oldest].sps_B = sps_B;
    streams->at[oldest].last_poc = 0;
    streams->at[oldest].bias = 0;
    streams->at[oldest].poc_count = 0;
    picture->stream = oldest;
    picture->starts_stream = true;
}

/* Reads a slice segment header of at most max_B bytes into picture->header, and its size with
 * emulation prevention. */
static bool
read_header(struct rp_h265_private_picture *picture, const struct rp_h265_private_request *request,
            const struct rp_h265_nal *nal, size_t max_B, size_t *size_B_out)
{
    const struct rp_h265_slice_context context = {
        .sps = &picture->app_sps.std,
        .pps = &picture->app_pps.std,
        .short_term_set_bits = request->short_term_set_bits,
        .num_pic_total_curr = picture->num_pic_total_curr,
    };
    const size_t raw_B = RP_MIN(nal->size_B, max_B);
    memcpy(picture->raw, request->src + nal->offset_B, raw_B);
    const size_t rbsp_B = rp_h265_unescape(picture->rbsp, picture->raw, raw_B);

    struct rp_h265_syntax syntax;
    rp_h265_syntax_init_read(&syntax, picture->rbsp, rbsp_B);
    picture->header = (struct rp_h265_slice_header){.nal_unit_type = nal->nal_unit_type};
    rp_h265_code_slice_first_part(&syntax, &context, &picture->header);
    rp_h265_code_slice_second_part(&syntax, &context, &picture->header);
    rp_h265_trailing(&syntax);
    *size_B_out = rp_h265_escaped_size(picture->raw, raw_B, rp_h265_syntax_position(&syntax) / 8);
    return rp_h265_syntax_is_ok(&syntax);
}

/* One NAL unit of the application. False when memory is short. */
static bool
add_slice(struct rp_h265_private_picture *picture, const struct rp_h265_private_request *request,
          const struct rp_h265_nal *nal, bool *is_slice_out)
{
    size_t header_B;
    if (!rp_h265_nal_is_slice(nal->nal_unit_type) || nal->nuh_layer_id > 0)
        return true; /* some applications point at what stands in front of the slice */
    *is_slice_out = true;
    if (!read_header(picture, request, nal, USUAL_HEADER_B, &header_B) &&
        !(nal->size_B > USUAL_HEADER_B &&
          read_header(picture, request, nal, RP_H265_PRIVATE_HEADER_B, &header_B))) {
        picture->is_damaged = true;
        return true;
    }
    return rp_h265_private_add_slice(picture, picture->rbsp, nal->offset_B + header_B,
                                     nal->size_B - header_B);
}

/* False when memory is short. */
static bool
add_slices(struct rp_h265_private_picture *picture, const struct rp_h265_private_request *request)
{
    for (uint32_t i = 0; i < request->slice_count; i++) {
        const size_t begin_B = request->slice_offsets_B[i];
        size_t end_B = request->src_B;
        if (i + 1 < request->slice_count && request->slice_offsets_B[i + 1] < end_B)
            end_B = request->slice_offsets_B[i + 1];

        bool has_slice = false;
        struct rp_h265_nal nal;
        size_t position_B = 0;
        while (begin_B < end_B &&
               rp_h265_nal_next(request->src + begin_B, end_B - begin_B, &position_B, &nal)) {
            nal.offset_B += begin_B;
            if (!add_slice(picture, request, &nal, &has_slice))
                return false;
        }
        picture->is_damaged |= !has_slice;
    }
    return true;
}

/* What headers are within a growing array. */
static void
settle_slices(struct rp_h265_private_picture *picture)
{
    size_t offset_B = 0;
    for (uint32_t i = 0; i < picture->slice_count; i++) {
        picture->slices[i].header = picture->headers + offset_B;
        offset_B += picture->slices[i].header_B;
    }
}

static void
drop_slot(struct rp_h265_private_streams *streams, int32_t slot)
{
    if (slot >= 0 && slot < RP_H265_PRIVATE_SLOTS)
        streams->slots[slot].stream = -1;
}

static enum rp_codec_status
make_picture(struct rp_h265_private_streams *streams, const struct rp_h265_private_request *request,
             struct rp_h265_private_picture *picture, size_t sps_B)
{
    choose_stream(streams, picture, sps_B);
    picture->headers_B = 0;
    picture->slice_count = 0;
    picture->num_pic_total_curr =
        request->before.count + request->after.count + request->long_term.count;
    rp_h265_private_choose_poc(streams, request, picture);
    rp_h265_private_make_rps(streams, request, picture);
    if (!rp_h265_private_add_control(streams, picture) || !add_slices(picture, request))
        return RP_CODEC_NO_MEMORY;
    settle_slices(picture);
    return picture->slice_count > picture->control_count ? RP_CODEC_OK : RP_CODEC_FAILED;
}

enum rp_codec_status
rp_h265_private_begin(struct rp_h265_private_streams *streams,
                      const struct rp_h265_private_request *request,
                      struct rp_h265_private_picture *picture)
{
    size_t sps_B;
    picture->is_damaged = false;
    picture->setup_slot = request->setup_slot;
    if (!rp_h265_sps_is_valid(request->sps) || !rp_h265_pps_is_valid(request->pps)) {
        drop_slot(streams, request->setup_slot);
        return RP_CODEC_UNSUPPORTED;
    }
    rp_h265_sps_copy(&picture->app_sps, request->sps);
    rp_h265_pps_copy(&picture->app_pps, request->pps);
    if (!rp_h265_private_write_sets(picture, &sps_B) || sps_B > sizeof(streams->at[0].sps)) {
        drop_slot(streams, request->setup_slot);
        return RP_CODEC_UNSUPPORTED;
    }
    const enum rp_codec_status status = make_picture(streams, request, picture, sps_B);
    if (status == RP_CODEC_OK) {
        streams->at[picture->stream].last_use = ++streams->picture_count;
        return status;
    }
    drop_slot(streams, request->setup_slot);
    if (picture->starts_stream)
        streams->at[picture->stream].sps_B = 0; /* it starts with the next picture */
    return status;
}

void
rp_h265_private_job(struct rp_h265_private_picture *picture, uint32_t index,
                    struct rp_h265_decode_job *out)
{
    const StdVideoH265SequenceParameterSet *sps = &picture->sps.std;
    const StdVideoH265PpsFlags *flags = &picture->pps.std.flags;
    const bool is_control = index < picture->control_count;
    *out = (struct rp_h265_decode_job){
        .stream = picture->stream,
        .starts_stream = picture->starts_stream && index == 0,
        .width_px = sps->pic_width_in_luma_samples,
        .height_px = sps->pic_height_in_luma_samples,
        .ctb_px = rp_h265_ctb_px(sps),
        .bit_depth = sps->bit_depth_luma_minus8 + 8u,
        .has_parallel_rows = flags->entropy_coding_sync_enabled_flag &&
                             !flags->dependent_slice_segments_enabled_flag &&
                             !flags->tiles_enabled_flag,
        .parameter_sets = picture->parameter_sets,
        .parameter_sets_B = picture->parameter_sets_B,
        .slices = picture->slices + index,
        .slice_count = is_control ? 1 : picture->slice_count - picture->control_count,
    };
}

void
rp_h265_private_end(struct rp_h265_private_streams *streams,
                    const struct rp_h265_private_picture *picture, enum rp_codec_status status)
{
    struct rp_h265_private_stream *stream = &streams->at[picture->stream];
    drop_slot(streams, picture->setup_slot);
    rp_h265_private_note_pocs(streams, picture);
    if (status == RP_CODEC_OK || status == RP_CODEC_DAMAGED) {
        if (picture->setup_slot >= 0 && picture->setup_slot < RP_H265_PRIVATE_SLOTS)
            streams->slots[picture->setup_slot] = (struct rp_h265_private_slot){
                .stream = (int32_t)picture->stream, .poc = picture->poc, .bias = picture->bias};
        return;
    }
    if (status != RP_CODEC_FAILED || picture->starts_stream) {
        slots_forget(streams, picture->stream);
        stream->sps_B = 0; /* it starts anew with the next picture */
    }
}
