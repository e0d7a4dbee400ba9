/* SPDX-License-Identifier: MIT */
#include "judge.h"

#include "tests/test.h"

#include <libavcodec/avcodec.h>
#include <libavutil/log.h>

static _Thread_local uint32_t message_count;

static void
count_messages(void *ctx, int level, const char *format, va_list args)
{
    (void)ctx;
    if (level > AV_LOG_WARNING)
        return;
    message_count++;
    (void)vfprintf(stderr, format, args);
}

struct judge {
    const struct app *app;
    AVCodecContext *codec;
    AVFrame *frame;
    const struct app_record **expected; /* in output order */
    uint32_t frame_count;
    const struct app_record *first; /* in the place of the stream's; or NULL */
    judge_take_fn *take;            /* or NULL: frames are compared with the reconstruction */
    void *take_ctx;
};

static int
compare_output_order(const void *a, const void *b)
{
    const struct app_record *x = *(const struct app_record *const *)a;
    const struct app_record *y = *(const struct app_record *const *)b;
    if (x->epoch != y->epoch)
        return x->epoch < y->epoch ? -1 : 1;
    return x->poc < y->poc ? -1 : x->poc > y->poc;
}

static void
compare_frame(const struct judge *judge, const struct app_record *record)
{
    const struct app *app = judge->app;
    const uint8_t *expected = record->i420;
    REQUIRE_EQ((uint32_t)judge->frame->width, app->width_px);
    REQUIRE_EQ((uint32_t)judge->frame->height, app->height_px);
    REQUIRE_EQ(judge->frame->format,
               app->bit_depth > 8 ? AV_PIX_FMT_YUV420P10 : AV_PIX_FMT_YUV420P);
    for (int plane = 0; expected && plane < 3; plane++) {
        const size_t row_B = (app->width_px >> (plane > 0)) * app_sample_B(app);
        const uint32_t rows = app->height_px >> (plane > 0);
        for (uint32_t y = 0; y < rows; y++, expected += row_B) {
            const uint8_t *row =
                judge->frame->data[plane] + (ptrdiff_t)y * judge->frame->linesize[plane];
            if (memcmp(row, expected, row_B) != 0) {
                (void)fprintf(stderr, "picture %d of epoch %u: plane %d differs in row %u\n",
                              record->poc, record->epoch, plane, y);
                test_fail();
            }
        }
    }
}

static void
take_frame(const struct judge *judge, uint32_t number)
{
    struct judge_frame frame;
    for (uint32_t i = 0; i < 3; i++) {
        frame.plane[i] = judge->frame->data[i];
        frame.stride_B[i] = judge->frame->linesize[i];
    }
    judge->take(judge->take_ctx, number, &frame);
}

static void
decode(struct judge *judge, const AVPacket *packet)
{
    REQUIRE(avcodec_send_packet(judge->codec, packet) == 0);
    while (avcodec_receive_frame(judge->codec, judge->frame) == 0) {
        REQUIRE(judge->frame_count < judge->app->record_count);
        const uint32_t number = judge->frame_count++;
        if (judge->take)
            take_frame(judge, number);
        else
            compare_frame(judge, judge->expected[number]);
    }
}

static void
decode_all(struct judge *judge)
{
    AVPacket *packet = av_packet_alloc();
    REQUIRE(packet);
    for (uint32_t i = 0; i < judge->app->record_count; i++) {
        const struct app_record *record =
            i == 0 && judge->first ? judge->first : &judge->app->records[i];
        REQUIRE(av_new_packet(packet, (int)record->unit_B) == 0);
        memcpy(packet->data, record->unit, record->unit_B);
        decode(judge, packet);
        av_packet_unref(packet);
    }
    decode(judge, NULL);
    av_packet_free(&packet);
}

static void
run(struct judge *judge)
{
    const struct app *app = judge->app;
    judge->expected = malloc(app->record_count * sizeof(*judge->expected));
    judge->codec = avcodec_alloc_context3(avcodec_find_decoder(AV_CODEC_ID_HEVC));
    judge->frame = av_frame_alloc();
    REQUIRE(judge->expected && judge->codec && judge->frame);
    for (uint32_t i = 0; i < app->record_count; i++)
        judge->expected[i] = &app->records[i];
    qsort(judge->expected, app->record_count, sizeof(*judge->expected), compare_output_order);
    av_log_set_callback(count_messages);
    message_count = 0;
    judge->codec->thread_count = 1;
    judge->codec->err_recognition = AV_EF_EXPLODE | AV_EF_CRCCHECK | AV_EF_BITSTREAM | AV_EF_BUFFER;
    REQUIRE(avcodec_open2(judge->codec, NULL, NULL) == 0);
    decode_all(judge);
    REQUIRE_EQ(judge->frame_count, app->record_count);
    REQUIRE_EQ(message_count, 0u);
    av_frame_free(&judge->frame);
    avcodec_free_context(&judge->codec);
    free(judge->expected);
}

void
judge_stream(const struct app *app)
{
    run(&(struct judge){.app = app});
}

void
judge_late(const struct app *app, const struct app_record *first, judge_take_fn *take, void *ctx)
{
    run(&(struct judge){.app = app, .first = first, .take = take, .take_ctx = ctx});
}
