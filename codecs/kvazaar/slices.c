/* SPDX-License-Identifier: MIT */
#include "codecs/kvazaar/slices.h"

#include "util/compiler.h"

#include <string.h>

#define MAX_HEADER_B 1024u /* two lists of 15, two sets of 16, and entry points of 68 rows */
#define NAL_HEADER_B 2u

/* The substreams of one slice, which kvazaar keeps in its leaves. */
struct substreams {
    const bitstream_t *streams[RP_H265_ENCODE_MAX_SLICES];
    uint32_t offset_minus1[RP_H265_ENCODE_MAX_SLICES];
    uint32_t count;
};

static void
substreams_add(const encoder_state_t *state, struct substreams *out)
{
    if (state->is_leaf) {
        out->offset_minus1[out->count] = (uint32_t)(kvz_bitstream_tell(&state->stream) / 8 - 1);
        out->streams[out->count++] = &state->stream;
        return;
    }
    for (uint32_t i = 0; state->children[i].encoder_control; i++)
        substreams_add(&state->children[i], out);
}

/* Where bytes go: what does not fit is counted. */
struct output {
    uint8_t *dst;
    size_t capacity_B;
    size_t size_B;
};

static void
output_append(struct output *out, const void *bytes, size_t size_B)
{
    if (out->size_B < out->capacity_B)
        memcpy(out->dst + out->size_B, bytes, RP_MIN(size_B, out->capacity_B - out->size_B));
    out->size_B += size_B;
}

static void
output_append_stream(struct output *out, const bitstream_t *stream)
{
    for (const kvz_data_chunk *chunk = stream->first; chunk; chunk = chunk->next)
        output_append(out, chunk->data, chunk->len);
}

/* Start code, NAL unit header, slice segment header; the data behind it is escaped already. */
static bool
write_header(const struct rp_h265_encode_job *job, const struct rp_h265_slice_state *slice,
             struct output *out)
{
    const uint8_t nal_header[NAL_HEADER_B] = {(uint8_t)(job->nal_unit_type << 1),
                                              (uint8_t)(job->temporal_id + 1)};
    uint8_t header[MAX_HEADER_B];
    struct rp_bits bits;
    rp_bits_init(&bits, header, sizeof(header));
    job->write_slice_header(job->slice_header_ctx, slice, &bits);
    rp_bits_trailing(&bits); /* byte_alignment() is the same */
    if (bits.has_overflow)
        return false;
    uint8_t unit[4 + NAL_HEADER_B + 2 * MAX_HEADER_B];
    const size_t unit_B = rp_nal_write(unit, sizeof(unit), nal_header, sizeof(nal_header), header,
                                       bits.size_bits / 8);
    output_append(out, unit, unit_B);
    return true;
}

size_t
rp_kvazaar_slices_write(const struct rp_kvazaar_context *ctx, const struct rp_h265_encode_job *job)
{
    struct output out = {.dst = job->common.dst, .capacity_B = job->common.dst_capacity_B};
    for (uint32_t i = 0; i < job->slice_count; i++) {
        const encoder_state_t *state = &ctx->state.children[i];
        const size_t begin_B = out.size_B;
        struct substreams substreams = {.count = 0};
        substreams_add(state, &substreams);
        const struct rp_h265_slice_state slice = {
            .index = i,
            .first_ctb = (uint32_t)state->slice->start_in_rs,
            .slice_qp = ctx->qp,
            .entry_count = substreams.count - 1,
            .entry_offset_minus1 = substreams.offset_minus1,
        };
        if (!write_header(job, &slice, &out))
            return 0;
        for (uint32_t k = 0; k < substreams.count; k++)
            output_append_stream(&out, substreams.streams[k]);
        if (job->slice_size_B)
            job->slice_size_B[i] = (uint32_t)(out.size_B - begin_B);
    }
    return out.size_B;
}
