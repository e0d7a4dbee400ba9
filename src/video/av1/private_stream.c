/* SPDX-License-Identifier: MIT */
/* Headers of private streams, one after another.
 */
#include "video/av1/private_stream.h"

#include "video/av1/private_headers.h"

#include <string.h>

void
rp_av1_private_streams_init(struct rp_av1_private_streams *streams)
{
    *streams = (struct rp_av1_private_streams){.picture_count = 0};
}

/* sequence_header_obu() with trailing_bits(). */
static bool
write_sequence(const struct rp_av1_sequence *seq, uint8_t data[RP_AV1_PRIVATE_SEQUENCE_B],
               size_t *size_B_out)
{
    struct rp_av1_syntax syntax;
    struct rp_av1_sequence copy = *seq;
    rp_av1_syntax_init_write(&syntax, data, RP_AV1_PRIVATE_SEQUENCE_B);
    rp_av1_code_sequence(&syntax, &copy);
    rp_av1_code_trailing(&syntax);
    *size_B_out = rp_av1_syntax_position(&syntax) / 8;
    return rp_av1_syntax_status(&syntax) == RP_AV1_OK;
}

static bool
has_same_sequence(const struct rp_av1_private_stream *a, const struct rp_av1_private_stream *b)
{
    return a->sequence_header_B == b->sequence_header_B &&
           memcmp(a->sequence_header, b->sequence_header, a->sequence_header_B) == 0;
}

/* The stream with the sequence header of this one; else the one to give up for it. */
static uint32_t
choose_stream(const struct rp_av1_private_streams *streams,
              const struct rp_av1_private_stream *wanted)
{
    uint32_t oldest = 0;
    for (uint32_t i = 0; i < RP_AV1_DECODE_STREAMS; i++) {
        const struct rp_av1_private_stream *stream = &streams->at[i];
        if (has_same_sequence(stream, wanted))
            return i;
        if (stream->last_use < streams->at[oldest].last_use)
            oldest = i;
    }
    return oldest;
}

/* What the Main profile implies is what was wanted. */
static bool
has_format(const struct rp_av1_color *color, const struct rp_av1_color *wanted)
{
    return color->bit_depth == wanted->bit_depth &&
           (color->mono_chrome || (color->subsampling_x == wanted->subsampling_x &&
                                   color->subsampling_y == wanted->subsampling_y));
}

/* An empty stream. UNSUPPORTED: the sequence is not of the Main profile. */
static enum rp_codec_status
stream_init(struct rp_av1_private_stream *stream, const StdVideoAV1SequenceHeader *std)
{
    struct rp_av1_sequence *seq = &stream->state.sequence;
    *stream = (struct rp_av1_private_stream){.sequence_header_B = 0};
    rp_av1_private_references_init(&stream->refs);
    if (!std || !std->pColorConfig)
        return RP_CODEC_FAILED;
    rp_av1_private_sequence(std, seq);
    const struct rp_av1_color wanted = seq->color;
    if (seq->seq_profile != 0 ||
        !write_sequence(seq, stream->sequence_header, &stream->sequence_header_B) ||
        rp_av1_sequence_read(stream->sequence_header, stream->sequence_header_B, seq) !=
            RP_AV1_OK ||
        !has_format(&seq->color, &wanted))
        return RP_CODEC_UNSUPPORTED;
    return RP_CODEC_OK;
}

enum rp_codec_status
rp_av1_private_sequence_check(const StdVideoAV1SequenceHeader *std)
{
    struct rp_av1_private_stream stream;
    return stream_init(&stream, std);
}

/* ref_frame_idx[]. False when there is no picture at all. */
static bool
set_names(const struct rp_av1_private_references *refs, const int32_t *name_slots,
          struct rp_av1_private_picture *out)
{
    int32_t any = RP_AV1_PRIVATE_NONE;
    for (int32_t i = 0; i < RP_AV1_REFERENCES && any < 0; i++) {
        if (refs->at[i].slot >= 0)
            any = i;
    }
    for (uint32_t i = 0; i < RP_AV1_REFS_PER_FRAME && any >= 0; i++) {
        const int32_t index = rp_av1_private_references_find(refs, name_slots[i]);
        out->is_damaged |= index < 0;
        out->frame.ref_frame_idx[i] = (uint32_t)(index >= 0 ? index : any);
    }
    return any >= 0;
}

/* What a frame OBU begins with (5.10, 5.11.1). */
static bool
write_frame(const struct rp_av1_state *state, uint32_t tile_count,
            struct rp_av1_private_picture *out)
{
    struct rp_av1_syntax syntax;
    rp_av1_syntax_init_write(&syntax, out->frame_header, sizeof(out->frame_header));
    rp_av1_code_frame(&syntax, state, &out->frame);
    rp_av1_code_alignment(&syntax);
    if (tile_count > 1) {
        bool tile_start_and_end_present_flag = false;
        rp_av1_code_flag(&syntax, &tile_start_and_end_present_flag);
        rp_av1_code_alignment(&syntax);
    }
    out->frame_header_B = rp_av1_syntax_position(&syntax) / 8;
    return rp_av1_syntax_status(&syntax) == RP_AV1_OK &&
           out->frame.tiles.tile_cols * out->frame.tiles.tile_rows == tile_count;
}

/* The picture's header on a stream whose references are chosen. */
static bool
make_frame(struct rp_av1_private_stream *stream, const struct rp_av1_private_request *request,
           struct rp_av1_private_picture *out)
{
    struct rp_av1_frame *frame = &out->frame;
    if (!rp_av1_private_frame(request->picture, request->sequence, &stream->state.sequence,
                              request->width_px, request->height_px, frame))
        return false;
    if (!rp_av1_frame_is_intra(frame) && !set_names(&stream->refs, request->name_slots, out))
        return false;
    out->index = rp_av1_private_references_begin(&stream->refs, &stream->state, &out->use);
    frame->refresh_frame_flags = out->index >= 0 ? 1u << out->index : 0;
    for (uint32_t i = 0; i < RP_AV1_REFERENCES; i++)
        frame->ref_order_hint[i] = stream->state.references[i].order_hint;
    return write_frame(&stream->state, request->tile_count, out);
}

static struct rp_av1_private_use
use_of(const struct rp_av1_private_request *request, uint64_t now)
{
    const StdVideoDecodeAV1PictureInfo *std = request->picture;
    const bool is_inter = std->frame_type == STD_VIDEO_AV1_FRAME_TYPE_INTER ||
                          std->frame_type == STD_VIDEO_AV1_FRAME_TYPE_SWITCH;
    return (struct rp_av1_private_use){
        .name_slots = is_inter ? request->name_slots : NULL,
        .order_hint = std->OrderHint,
        .refresh_frame_flags = std->refresh_frame_flags,
        .is_hidden_key =
            std->frame_type == STD_VIDEO_AV1_FRAME_TYPE_KEY && std->refresh_frame_flags != 0xff,
        .setup_slot = std->refresh_frame_flags ? request->setup_slot : RP_AV1_PRIVATE_NONE,
        .now = now,
    };
}

enum rp_codec_status
rp_av1_private_begin(struct rp_av1_private_streams *streams,
                     const struct rp_av1_private_request *request,
                     struct rp_av1_private_picture *out)
{
    if (!request->picture)
        return RP_CODEC_FAILED;
    struct rp_av1_private_stream fresh;
    const enum rp_codec_status status = stream_init(&fresh, request->sequence);
    if (status != RP_CODEC_OK)
        return status;

    out->stream = choose_stream(streams, &fresh);
    struct rp_av1_private_stream *stream = &streams->at[out->stream];
    out->starts_stream = !has_same_sequence(stream, &fresh);
    const uint64_t now = streams->picture_count + 1;
    out->is_damaged = false;
    out->setup_slot = request->setup_slot;
    out->use = use_of(request, now);
    out->refs_before = out->starts_stream ? fresh.refs : stream->refs;
    if (!make_frame(out->starts_stream ? &fresh : stream, request, out)) {
        if (!out->starts_stream)
            stream->refs = out->refs_before;
        return RP_CODEC_FAILED;
    }
    if (out->starts_stream)
        *stream = fresh;
    stream->last_use = streams->picture_count = now;
    out->applies_film_grain = out->frame.film_grain.apply_grain;
    return RP_CODEC_OK;
}

void
rp_av1_private_streams_drop(struct rp_av1_private_streams *streams, int32_t slot)
{
    for (uint32_t i = 0; i < RP_AV1_DECODE_STREAMS; i++)
        rp_av1_private_references_drop(&streams->at[i].refs, slot);
}

void
rp_av1_private_end(struct rp_av1_private_streams *streams,
                   const struct rp_av1_private_picture *picture, bool is_decoded)
{
    struct rp_av1_private_stream *stream = &streams->at[picture->stream];
    if (!is_decoded) {
        stream->refs = picture->refs_before;
        if (picture->index >= 0) {
            rp_av1_private_references_drop(&stream->refs, stream->refs.at[picture->index].slot);
            stream->state.references[picture->index] = (struct rp_av1_reference){0};
        }
    }
    rp_av1_private_streams_drop(streams, picture->setup_slot);
    if (!is_decoded)
        return;
    rp_av1_state_update(&stream->state, &picture->frame);
    if (picture->index >= 0)
        rp_av1_private_references_end(&stream->refs, picture->index, &picture->use);
}
