/* SPDX-License-Identifier: MIT */
/* Writing and decoding of control pictures.
 */
#include "codecs/avcodec/h264/control.h"

#include "codecs/avcodec/h264/rewrite.h"

static void
header_write(struct rp_bits *bits, const struct rp_h264dec_dpb *dpb, bool frame_mbs_only,
             const struct rp_h264dec_marking *marking)
{
    rp_bits_ue(bits, 0);
    rp_bits_ue(bits, RP_H264DEC_I);
    rp_bits_ue(bits, RP_H264DEC_CONTROL_PPS);
    rp_bits_put(bits, dpb->frame_num_bits, dpb->next_frame_num);
    if (!frame_mbs_only)
        rp_bits_put(bits, 1, 0); /* field_pic_flag */
    rp_bits_se(bits, 0);
    rp_bits_se(bits, 0);
    if (marking)
        rp_h264dec_marking_write(bits, marking);
    rp_bits_se(bits, 0); /* slice_qp_delta */
    rp_bits_ue(bits, 1); /* no deblocking */
}

/* I_16x16_2_0_0: DC prediction without residual, of 128 where there are no neighbours. */
static void
macroblock_write(struct rp_bits *bits, bool has_chroma)
{
    rp_bits_ue(bits, 3); /* mb_type */
    if (has_chroma)
        rp_bits_ue(bits, 0); /* intra_chroma_pred_mode */
    rp_bits_se(bits, 0);     /* mb_qp_delta */
    rp_bits_put(bits, 1, 1); /* coeff_token: no DC levels */
}

/* Moves whole bytes to the packet. */
static void
bits_flush(struct rp_bits *bits, struct rp_avcodec_buffer *packet)
{
    const size_t whole_B = bits->size_bits / 8;

    rp_avcodec_nal_append(packet, bits->data, whole_B);
    bits->data[0] = bits->data[whole_B];
    bits->size_bits %= 8;
}

static bool
slice_write(struct rp_avcodec_buffer *packet, const struct rp_h264dec_context *ctx,
            const StdVideoH264SequenceParameterSet *sps, const struct rp_h264dec_marking *marking)
{
    const uint32_t mb_count = ctx->format.width_mb * ctx->format.height_mb;
    const bool is_mbaff =
        !sps->flags.frame_mbs_only_flag && sps->flags.mb_adaptive_frame_field_flag;
    uint8_t bytes[1024]; /* the header is the longest piece */
    struct rp_bits bits;

    if (!rp_avcodec_buffer_reserve(packet,
                                   RP_AVCODEC_NAL_ROOM_B(sizeof(bytes) + 2 * (size_t)mb_count)))
        return false;
    rp_bits_init(&bits, bytes, sizeof(bytes));
    rp_avcodec_nal_begin(packet, marking ? 0x61 : 0x01);
    header_write(&bits, &ctx->dpb, sps->flags.frame_mbs_only_flag, marking);
    for (uint32_t i = 0; i < mb_count; i++) {
        bits_flush(&bits, packet);
        if (is_mbaff && i % 2 == 0)
            rp_bits_put(&bits, 1, 0); /* mb_field_decoding_flag */
        macroblock_write(&bits, ctx->format.chroma_format_idc != 0);
    }
    rp_bits_trailing(&bits);
    bits_flush(&bits, packet);
    return true;
}

enum rp_codec_status
rp_h264dec_control_send(struct rp_h264dec_context *ctx, const StdVideoH264SequenceParameterSet *sps,
                        const StdVideoH264PictureParameterSet *pps,
                        const struct rp_h264dec_marking *marking, struct rp_avcodec_buffer *packet)
{
    packet->size_B = 0;
    enum rp_codec_status status = RP_CODEC_NO_MEMORY;
    if (rp_h264dec_context_put_params(ctx, sps, pps, packet) &&
        slice_write(packet, ctx, sps, marking))
        status = rp_h264dec_context_begin(ctx, packet, false);
    if (status == RP_CODEC_OK)
        status = rp_h264dec_context_complete(ctx);
    if (status != RP_CODEC_OK) {
        rp_h264dec_context_reset(ctx);
        return status == RP_CODEC_NO_MEMORY ? status : RP_CODEC_FAILED;
    }

    if (marking)
        rp_h264dec_dpb_store(&ctx->dpb, marking, -1, RP_H264DEC_FRAME, (const int32_t[]){0, 0});
    rp_h264dec_dpb_advance(&ctx->dpb);
    return RP_CODEC_OK;
}
