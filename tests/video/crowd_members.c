/* SPDX-License-Identifier: MIT */
/* The applications of the tests of each standard, one picture at a time.
 */
#include "crowd.h"

#include "av1_application.h"
#include "decode_client.h"
#include "h265_application.h"
#include "pictures.h"
#include "test.h"

#include "tests/codec_kvazaar/judge.h"

#include <stdlib.h>
#include <string.h>

#define FNV_BASIS UINT64_C(0xcbf29ce484222325)
#define FNV_PRIME UINT64_C(0x100000001b3)

struct crowd_member {
    struct vk *vk;
    struct crowd_options options;
    uint32_t number;
    struct stream *stream;
    struct decode *decode;
    VkFence fence;
    struct app *h265;
    struct av1_application *av1;
};

static void
h264_open(struct crowd_member *m)
{
    const struct crowd_options *o = &m->options;
    const bool is_decoded = o->kind == CROWD_H264_DECODE;

    m->stream = stream_open(m->vk, &(struct stream_options){
                                       .width_px = o->width_px,
                                       .height_px = o->height_px,
                                       .content = o->seed,
                                       .quality_level = o->seed % 4,
                                       .is_cavlc = o->seed >> 2 & 1,
                                       .slot_count = 3,
                                       .max_refs = 1,
                                       .shot_count = is_decoded ? 1 : 1 + o->seed % 4,
                                       .average_bps = o->seed % 5 == 4 ? 300000 : 0,
                                       .is_judged_once = true,
                                   });
    if (!is_decoded)
        return;
    const VkFenceCreateInfo fence = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    m->decode = decode_open(m->vk, m->stream);
    REQUIRE_EQ(vkCreateFence(m->vk->dev, &fence, NULL, &m->fence), VK_SUCCESS);
}

static void
h264_step(struct crowd_member *m)
{
    const struct stream_picture pic = picture_of_chain(m->stream, m->number, 28);
    (void)stream_encode(m->stream, &pic);
}

static void
h264_decode_step(struct crowd_member *m)
{
    struct decode *d = m->decode;
    struct decode_source pic = decode_source_make(d, m->number);
    const size_t pixels_B = (size_t)m->options.width_px * m->options.height_px * 3 / 2;
    uint8_t *pixels = malloc(pixels_B);
    struct slots refs = {0};

    REQUIRE(pixels);
    if (pic.ref_slot >= 0)
        decode_slots_add(&refs, d, pic.ref_slot);
    decode_record(d, 0, &pic.std, &refs, pic.slot, pic.data, pic.size_B);
    const VkSubmitInfo submit = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                                 .commandBufferCount = 1,
                                 .pCommandBuffers = &d->cbs[0]};
    REQUIRE_EQ(vkQueueSubmit(m->vk->decode_queues[m->options.seed % VK_DECODE_QUEUES], 1, &submit,
                             m->fence),
               VK_SUCCESS);
    REQUIRE_EQ(vkWaitForFences(m->vk->dev, 1, &m->fence, VK_TRUE, UINT64_MAX), VK_SUCCESS);
    REQUIRE_EQ(vkResetFences(m->vk->dev, 1, &m->fence), VK_SUCCESS);
    REQUIRE_EQ(decode_status(d, 0), VK_QUERY_RESULT_STATUS_COMPLETE_KHR);
    vk_image_read_i420(m->vk, &d->dpb[pic.slot], 0, pixels);
    REQUIRE_BYTES(pixels, pic.recon, pixels_B);
    free(pixels);
    free(pic.data);
}

static uint64_t
h264_close(struct crowd_member *m)
{
    stream_flush(m->stream);
    const uint64_t hash = stream_hash(m->stream);
    if (m->decode) {
        vkDestroyFence(m->vk->dev, m->fence, NULL);
        decode_close(m->decode);
    }
    (void)stream_finish(m->stream);
    return hash;
}

static void
h265_open(struct crowd_member *m)
{
    struct app *app = calloc(1, sizeof(*app));
    REQUIRE(app && h265_route_init(m->vk));
    app->route = &h265_route;
    app->pan_px = 1 + m->options.seed % 3;
    app_init(app, m->options.width_px, m->options.height_px, 8);
    app->sps.std.flags.sample_adaptive_offset_enabled_flag = m->options.seed & 1;
    app_write_sets(app);
    m->h265 = app;
}

/* Each refers to the one before, in slots 0 and 1 in turn. */
static void
h265_step(struct crowd_member *m)
{
    struct app *app = m->h265;
    const int32_t poc = (int32_t)m->number;
    const uint32_t slot = m->number & 1;

    app_draw(app, m->number);
    if (poc > 0) {
        uint32_t initial[2][APP_SLOTS];
        app->slots[slot].is_reference = false;
        app_picture_init(app, false, poc);
        app_set_references(app, 1u << (slot ^ 1), initial);
        app->job.slice_type = STD_VIDEO_H265_SLICE_TYPE_P;
        app_refer(app, 0, 0, 0, slot ^ 1);
        app->header.nal_unit_type = RP_H265_NAL_TRAIL_R;
        app->job.sao = app->sps.std.flags.sample_adaptive_offset_enabled_flag;
    } else {
        app_picture_init(app, true, 0);
    }
    REQUIRE_EQ(app_encode(app, (int32_t)slot), RP_CODEC_OK);
    app->slots[slot].poc = poc;
    app->slots[slot].is_reference = true;
}

static uint64_t
h265_close(struct crowd_member *m)
{
    const uint64_t hash = app_hash(m->h265);
    judge_stream(m->h265);
    app_finish(m->h265);
    free(m->h265);
    return hash;
}

static void
av1_member_open(struct crowd_member *m)
{
    m->av1 = av1_open(m->vk, &(struct av1_application_options){
                                 .width_px = m->options.width_px,
                                 .height_px = m->options.height_px,
                                 .bit_depth = m->options.seed & 1 ? 10 : 8,
                                 .content = m->options.seed,
                                 .quality_level = m->options.seed % 4,
                                 .tools = {.enable_order_hint = 1, .enable_cdef = 1},
                             });
    REQUIRE(m->av1);
}

/* Each refers to the one before, which is reference 0 or 1 in turn. */
static void
av1_step(struct crowd_member *m)
{
    struct av1_picture pic;

    if (m->number == 0) {
        av1_picture_init(&pic, STD_VIDEO_AV1_FRAME_TYPE_KEY, 0, true);
    } else {
        const uint32_t before = (m->number - 1) & 1;
        av1_picture_init(&pic, STD_VIDEO_AV1_FRAME_TYPE_INTER, m->number, true);
        for (uint32_t i = 0; i < 7; i++)
            pic.std.ref_frame_idx[i] = (int8_t)before;
        av1_picture_name(m->av1, &pic, 0, before);
        pic.std.primary_ref_frame = 0;
        pic.std.refresh_frame_flags = (uint8_t)(1u << (m->number & 1));
    }
    const int32_t slot = m->number ? av1_free_slot(m->av1, 0) : 0;
    const struct av1_result result = av1_encode_picture(m->av1, &pic, slot, m->number);
    REQUIRE_EQ(result.status, VK_QUERY_RESULT_STATUS_COMPLETE_KHR);
}

static uint64_t
av1_member_close(struct crowd_member *m)
{
    size_t size_B;
    const uint8_t *bytes = av1_stream(m->av1, &size_B);
    uint64_t hash = FNV_BASIS;
    for (size_t i = 0; i < size_B; i++)
        hash = (hash ^ bytes[i]) * FNV_PRIME;
    av1_close(m->av1);
    return hash;
}

static const struct {
    void (*open)(struct crowd_member *m);
    void (*step)(struct crowd_member *m);
    uint64_t (*close)(struct crowd_member *m);
} kinds[] = {
    [CROWD_H264] = {h264_open, h264_step, h264_close},
    [CROWD_H264_DECODE] = {h264_open, h264_decode_step, h264_close},
    [CROWD_H265] = {h265_open, h265_step, h265_close},
    [CROWD_AV1] = {av1_member_open, av1_step, av1_member_close},
};

struct crowd_member *
crowd_open(struct vk *vk, const struct crowd_options *options)
{
    struct crowd_member *m = calloc(1, sizeof(*m));
    REQUIRE(m);
    m->vk = vk;
    m->options = *options;
    kinds[options->kind].open(m);
    return m;
}

void
crowd_step(struct crowd_member *m)
{
    kinds[m->options.kind].step(m);
    m->number++;
}

uint64_t
crowd_close(struct crowd_member *m)
{
    const uint64_t hash = kinds[m->options.kind].close(m);
    free(m);
    return hash;
}
