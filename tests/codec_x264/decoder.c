/* SPDX-License-Identifier: MIT */
/* libavcodec, strict and with one thread.
 */
#include "decoder.h"

#include <libavcodec/avcodec.h>
#include <libavutil/log.h>
#include <libavutil/video_enc_params.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t message_count;

static void
count_messages(void *ctx, int level, const char *format, va_list args)
{
    (void)ctx;
    /* Its table of slices is short; what it warns of are errors of its own. */
    if (level > AV_LOG_WARNING || strncmp(format, "Possibly too many slices", 24) == 0)
        return;
    message_count++;
    vfprintf(stderr, format, args);
}

static int
compare_output_order(const void *a, const void *b)
{
    const struct app_record *x = *(const struct app_record *const *)a;
    const struct app_record *y = *(const struct app_record *const *)b;

    if (x->epoch != y->epoch)
        return x->epoch < y->epoch ? -1 : 1;
    return x->poc < y->poc ? -1 : x->poc > y->poc;
}

static const struct app_record **
sort_records(const struct app_record *records, uint32_t count)
{
    const struct app_record **sorted = malloc((count + 1) * sizeof(*sorted));
    for (uint32_t i = 0; i < count; i++)
        sorted[i] = &records[i];
    qsort(sorted, count, sizeof(*sorted), compare_output_order);
    return sorted;
}

static bool
frame_is_equal(const AVFrame *frame, const uint8_t *i420)
{
    const size_t width = (size_t)frame->width, height = (size_t)frame->height;

    for (int p = 0; p < 3; p++) {
        const size_t w = p ? width / 2 : width, h = p ? height / 2 : height;
        for (size_t y = 0; y < h; y++, i420 += w) {
            if (memcmp(frame->data[p] + y * (size_t)frame->linesize[p], i420, w) != 0)
                return false;
        }
    }
    return true;
}

struct check {
    const struct app_options *options;
    AVCodecContext *codec;
    AVFrame *frame;
    AVPacket *packet;
    const struct app_record **expected; /* in output order */
    uint32_t expected_count;
    uint32_t first_exact;
    const struct app_record *other_first; /* or NULL */
    uint32_t frame_count;
    uint32_t wrong_count;
};

/* QPs of the macroblocks as the stream has them. libavcodec has 0 for I_PCM, which has none. */
static bool
qps_are_said(const AVFrame *frame, const struct rp_encode_result *result)
{
    const AVFrameSideData *side = av_frame_get_side_data(frame, AV_FRAME_DATA_VIDEO_ENC_PARAMS);
    if (!side)
        return false;
    AVVideoEncParams *params = (AVVideoEncParams *)side->data;
    int32_t least = 51, greatest = 0;

    for (unsigned i = 0; i < params->nb_blocks; i++) {
        const int32_t qp = params->qp + av_video_enc_params_block(params, i)->delta_qp;
        if (qp == 0 && result->min_qp > 0)
            continue;
        least = qp < least ? qp : least;
        greatest = qp > greatest ? qp : greatest;
    }
    const bool is_pcm = least > greatest; /* all of it */
    return is_pcm || (least == (int32_t)result->min_qp && greatest == (int32_t)result->max_qp);
}

static void
check_frame(struct check *c)
{
    if (c->frame_count >= c->expected_count) {
        c->wrong_count++;
        return;
    }
    const struct app_record *record = c->expected[c->frame_count++];
    if (c->frame_count <= c->first_exact)
        return;
    const bool has_size =
        c->frame->width == (int)c->options->width && c->frame->height == (int)c->options->height;
    if (!qps_are_said(c->frame, &record->result) && c->wrong_count++ == 0)
        fprintf(stderr, "frame %u (POC %d) has other QPs than its result says\n",
                c->frame_count - 1, record->poc);
    if (has_size && (!record->i420 || frame_is_equal(c->frame, record->i420)))
        return;
    if (c->wrong_count++ == 0)
        fprintf(stderr, "frame %u (POC %d) is not the reconstruction\n", c->frame_count - 1,
                record->poc);
}

static void
decode(struct check *c, const AVPacket *packet)
{
    if (avcodec_send_packet(c->codec, packet) < 0)
        c->wrong_count++;
    while (avcodec_receive_frame(c->codec, c->frame) >= 0)
        check_frame(c);
}

static void
decode_all(struct check *c, const struct app *app, const struct app_record *records, uint32_t count)
{
    uint8_t headers[512];
    const size_t headers_B = app_headers(app, headers);

    for (uint32_t i = 0; i < count; i++) {
        const struct app_record *record = i == 0 && c->other_first ? c->other_first : &records[i];
        const size_t prefix_B = i == 0 ? headers_B : 0;
        if (av_new_packet(c->packet, (int)(prefix_B + record->size_B)) < 0)
            abort();
        memcpy(c->packet->data, headers, prefix_B);
        memcpy(c->packet->data + prefix_B, record->data, record->size_B);
        decode(c, c->packet);
        av_packet_unref(c->packet);
    }
    decode(c, NULL);
}

uint32_t
decoder_check(const struct app *app)
{
    return decoder_check_recovery(app, NULL, 0);
}

uint32_t
decoder_check_recovery(const struct app *app, const struct app_record *other_first,
                       uint32_t first_exact)
{
    uint32_t count;
    const struct app_record *records = app_records(app, &count);
    struct check c = {
        .options = app_options(app),
        .codec = avcodec_alloc_context3(avcodec_find_decoder(AV_CODEC_ID_H264)),
        .frame = av_frame_alloc(),
        .packet = av_packet_alloc(),
        .expected = sort_records(records, count),
        .expected_count = count,
        .first_exact = first_exact,
        .other_first = other_first,
    };

    message_count = 0;
    av_log_set_callback(count_messages);
    c.codec->thread_count = 1;
    c.codec->export_side_data = AV_CODEC_EXPORT_DATA_VIDEO_ENC_PARAMS;
    c.codec->err_recognition =
        AV_EF_EXPLODE | AV_EF_CRCCHECK | AV_EF_BITSTREAM | AV_EF_BUFFER | AV_EF_CAREFUL;
    if (avcodec_open2(c.codec, NULL, NULL) < 0)
        abort();
    decode_all(&c, app, records, count);
    if (c.frame_count != count)
        fprintf(stderr, "%u frames of %u came out\n", c.frame_count, count);

    const uint32_t wrong = c.wrong_count + message_count + (count - c.frame_count);
    avcodec_free_context(&c.codec);
    av_frame_free(&c.frame);
    av_packet_free(&c.packet);
    free(c.expected);
    return wrong;
}
