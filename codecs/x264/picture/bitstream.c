/* SPDX-License-Identifier: GPL-2.0-or-later */
/* NAL units: escaped straight into the application's range while it has room for the worst case,
 * by way of a buffer at its end.
 */
#include "picture/bitstream.h"

#include "picture/slices.h"

#define HEADER_MAX_B 2048

/* x264 declares it where it uses it. */
void x264_nal_encode(x264_t *h, uint8_t *dst, x264_nal_t *nal);

void
rp_x264_bitstream_start(struct rp_x264_context *ctx, bool has_aud)
{
    x264_t *h = ctx->h;
    bs_t *bs = &h->out.bs;

    bs_init(bs, h->out.p_bitstream, h->out.i_bitstream);
    h->out.i_nal = 0;
    if (!has_aud)
        return;

    /* primary_pic_type: 0 I, 1 P and I, 2 B, P and I. */
    static const uint32_t primary_pic_type[] = {
        [SLICE_TYPE_P] = 1,
        [SLICE_TYPE_B] = 2,
        [SLICE_TYPE_I] = 0,
    };
    rp_x264_nal_start(h, NAL_AUD, NAL_PRIORITY_DISPOSABLE);
    bs_write(bs, 3, primary_pic_type[ctx->job->slice_type]);
    bs_rbsp_trailing(bs);
    bs_flush(bs);
    rp_x264_nal_end(h);
}

RP_X264_ENTRY void
rp_x264_bitstream_write_slice_header(x264_t *h, bs_t *s)
{
    struct rp_x264_context *ctx = h->api;
    const struct rp_h264_encode_job *job = ctx->job;
    uint8_t header[HEADER_MAX_B] = {0};
    struct rp_bits bits;
    const struct rp_h264_slice_state state = {
        .index = ctx->slice_index,
        .first_mb = (uint32_t)h->sh.i_first_mb,
        .slice_qp = h->sh.i_qp,
        .direct_spatial = h->sh.b_direct_spatial_mv_pred,
    };

    rp_bits_init(&bits, header, sizeof(header));
    job->write_slice_header(job->slice_header_ctx, &state, &bits);
    if (bits.has_overflow) {
        ctx->is_header_too_long = true;
        bs_write(s, 8, 0); /* a carry of CABAC's goes into the byte before its first */
        return;
    }
    const size_t byte_count = bits.size_bits / 8;
    for (size_t i = 0; i < byte_count; i++)
        bs_write(s, 8, header[i]);
    const int rest = (int)(bits.size_bits % 8);
    if (rest)
        bs_write(s, rest, header[byte_count] >> (8 - rest));
}

/* What x264_nal_encode() may touch: every byte escaped, start code, header, and its slack. */
static size_t
nal_worst_size_B(const x264_nal_t *nal)
{
    return (size_t)nal->i_payload * 3 / 2 + 4 + 1 + 64;
}

static bool
buffer_grow(x264_t *h, size_t size_B)
{
    if ((size_t)h->nal_buffer_size >= size_B)
        return true;
    if (size_B > INT_MAX / 2)
        return false;
    uint8_t *buffer = x264_malloc((int64_t)size_B);
    if (!buffer)
        return false;
    x264_free(h->nal_buffer);
    h->nal_buffer = buffer;
    h->nal_buffer_size = (int)size_B;
    return true;
}

static bool
nal_write(x264_t *h, x264_nal_t *nal, const struct rp_h264_encode_job *job, size_t *size_B)
{
    const size_t room_B =
        job->common.dst_capacity_B > *size_B ? job->common.dst_capacity_B - *size_B : 0;
    const size_t worst_B = nal_worst_size_B(nal);

    nal->b_long_startcode = *size_B == 0;
    nal->i_padding = 0;
    if (worst_B <= room_B) {
        x264_nal_encode(h, job->common.dst + *size_B, nal);
    } else {
        if (!buffer_grow(h, worst_B))
            return false;
        x264_nal_encode(h, h->nal_buffer, nal);
        if ((size_t)nal->i_payload <= room_B)
            memcpy(job->common.dst + *size_B, h->nal_buffer, (size_t)nal->i_payload);
    }
    *size_B += (size_t)nal->i_payload;
    return true;
}

enum rp_codec_status
rp_x264_bitstream_finish(struct rp_x264_context *ctx, struct rp_encode_result *result)
{
    const struct rp_h264_encode_job *job = ctx->job;
    const int aud_count = job->write_aud;
    size_t size_B = 0;

    if (aud_count && !nal_write(ctx->h, &ctx->h->out.nal[0], job, &size_B))
        return RP_CODEC_NO_MEMORY;
    for (uint32_t i = 0; i < job->slice_count; i++) {
        struct rp_x264_coded_slice coded = {ctx, aud_count};
        if (job->slice_count > 1)
            coded = ctx->slices->coded[i];
        x264_nal_t *nal = &coded.ctx->h->out.nal[coded.nal];
        if (!nal_write(coded.ctx->h, nal, job, &size_B))
            return RP_CODEC_NO_MEMORY;
        if (job->slice_size_B)
            job->slice_size_B[i] = (uint32_t)nal->i_payload;
    }
    x264_emms();
    ctx->h->out.i_nal = 0;
    result->size_B = size_B;
    return size_B <= job->common.dst_capacity_B ? RP_CODEC_OK : RP_CODEC_NO_SPACE;
}

enum rp_codec_status
rp_x264_bitstream_fill(const struct rp_h264_encode_job *job, size_t filler_B,
                       struct rp_encode_result *result)
{
    static const uint8_t start[] = {0, 0, 1, NAL_FILLER};
    const size_t overhead_B = sizeof(start) + 1; /* and rbsp_trailing_bits() */

    if (result->size_B > job->common.dst_capacity_B)
        return RP_CODEC_NO_SPACE;
    const size_t room_B = job->common.dst_capacity_B - result->size_B;
    if (filler_B == 0 || room_B < overhead_B)
        return RP_CODEC_OK;
    const size_t size_B = X264_MIN(room_B, X264_MAX(filler_B, overhead_B));
    uint8_t *dst = job->common.dst + result->size_B;
    memcpy(dst, start, sizeof(start));
    memset(dst + sizeof(start), 0xff, size_B - overhead_B);
    dst[size_B - 1] = 0x80;
    result->size_B += size_B;
    result->filler_B = (uint32_t)size_B;
    return RP_CODEC_OK;
}
