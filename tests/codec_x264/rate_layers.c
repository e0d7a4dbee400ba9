/* SPDX-License-Identifier: MIT */
/* Each of one to four temporal layers, dyadic and not, has its own rate, constant or variable.
 */
#include "app.h"
#include "decoder.h"
#include "dpb.h"

#include "reelpipe/codec.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define FPS 30
#define BPS 600000u
#define PICTURES 320
#define TOLERANCE 0.05
#define MOST_COARSER 6 /* QP of an I picture, beyond the P pictures of its layer */

struct layers_case {
    const char *pattern; /* layers of pictures, over and over */
    uint32_t layer_count;
    uint32_t percent[4]; /* of the rate */
    uint32_t period;     /* from I picture to I picture: whole patterns */
};

static uint32_t failed_count;

static void
require(bool holds, const struct layers_case *c, const char *claim, double found, double expected)
{
    if (holds)
        return;
    fprintf(stderr, "FAILED: %s, I every %u: %s: %.3f, expected %.3f\n", c->pattern, c->period,
            claim, found, expected);
    failed_count++;
}

static uint32_t
layer_of(const struct layers_case *c, uint32_t picture)
{
    return (uint32_t)(c->pattern[picture % strlen(c->pattern)] - '0');
}

/* The layers' averages add up to the stream's (VkVideoEncodeRateControlInfoKHR). */
static struct rp_rate_settings
settings(const struct layers_case *c, enum rp_rate_mode mode)
{
    const uint32_t length = (uint32_t)strlen(c->pattern);
    struct rp_rate_settings s = {
        .mode = mode,
        .layer_count = c->layer_count,
        .virtual_buffer_ms = 1000,
        .initial_virtual_buffer_ms = 750,
        .gop_frame_count = c->period,
        .idr_period = c->period,
    };

    for (uint32_t l = 0; l < c->layer_count; l++) {
        struct rp_rate_layer *layer = &s.layer[l];
        layer->average_bps = BPS * c->percent[l] / 100;
        layer->max_bps = layer->average_bps * (mode == RP_RATE_VBR ? 2 : 1);
        for (uint32_t i = 0; i < length; i++)
            layer->frame_rate_numerator += layer_of(c, i) == l ? FPS : 0;
        layer->frame_rate_denominator = length;
        layer->max_qp[0] = layer->max_qp[1] = layer->max_qp[2] = 51;
    }
    return s;
}

/* P pictures refer to the newest of a lower layer, or of the first one. */
static void
code(struct app *app, const struct layers_case *c)
{
    for (uint32_t i = 0; i < PICTURES; i++) {
        const uint32_t layer = layer_of(c, i);
        const bool is_intra = i % c->period == 0;
        struct app_picture pic = {
            .display = i,
            .slice_type = is_intra ? STD_VIDEO_H264_SLICE_TYPE_I : STD_VIDEO_H264_SLICE_TYPE_P,
            .nal_ref_idc = layer == 0 || layer + 1 < c->layer_count,
            .marking.is_idr = is_intra,
            .idr_pic_id = i / c->period % 2,
            .temporal_layer = layer,
        };
        pic.poc = is_intra ? 0 : app_poc(app, i);
        if (!is_intra) {
            uint32_t ref = i - 1;
            while (layer_of(c, ref) > 0 && layer_of(c, ref) >= layer)
                ref--;
            pic.refs[0][pic.ref_count[0]++] = (uint32_t)dpb_find_display(app_dpb(app), ref);
        }
        app_code(app, &pic);
    }
    app_finish(app);
}

/* They come as often as it was said, not so often among pictures of their layer. */
static void
intra_pictures_were_expected(const struct layers_case *c, const struct app *app)
{
    uint32_t count;
    const struct app_record *records = app_records(app, &count);
    double worst_qp = 0;
    double sum_qp = 0;
    double p_count = 0;

    for (uint32_t i = 1; i < count; i++) {
        const double qp = records[i].result.average_qp;
        if (i % c->period == 0)
            worst_qp = fmax(worst_qp, qp);
        else if (records[i].layer == 0) {
            sum_qp += qp;
            p_count++;
        }
    }
    const double most_qp = sum_qp / p_count + MOST_COARSER;
    require(worst_qp <= most_qp, c, "QP of an I picture", worst_qp, most_qp);
}

static void
each_layer_has_its_rate(const struct layers_case *c, enum rp_rate_mode mode)
{
    struct rp_rate_settings rate = settings(c, mode);
    const struct app_options options = {.width = 192,
                                        .height = 128,
                                        .picture_count = PICTURES,
                                        .max_refs = 4,
                                        .quality = 2,
                                        .rate = &rate};
    double size_bits[4] = {0};
    uint32_t count;

    struct app *app = app_create(&options, rp_codec_h264_encode());
    code(app, c);
    require(app_status(app) == RP_CODEC_OK, c, "status", app_status(app), RP_CODEC_OK);
    require(decoder_check(app) == 0, c, "the stream is exact", 1, 0);

    const struct app_record *records = app_records(app, &count);
    for (uint32_t i = 0; i < count; i++)
        size_bits[records[i].layer] += 8.0 * (double)records[i].size_B * FPS / count;
    for (uint32_t l = 0; l < c->layer_count; l++) {
        const double wanted = (double)rate.layer[l].average_bps;
        require(fabs(size_bits[l] / wanted - 1) < TOLERANCE, c, "rate of a layer", size_bits[l],
                wanted);
    }
    if (mode == RP_RATE_CBR)
        intra_pictures_were_expected(c, app);
    app_destroy(app);
}

int
main(void)
{
    static const struct layers_case cases[] = {
        {"0", 1, {100}, 60},
        {"01", 2, {60, 40}, 60},
        {"011", 2, {60, 40}, 60},
        {"0212", 3, {50, 20, 30}, 60},
        {"01121", 3, {40, 35, 25}, 320},
        {"03231323", 4, {40, 20, 20, 20}, 64},
        {"0321", 4, {55, 15, 15, 15}, 20},
        {"03231323", 4, {40, 20, 20, 20}, 16},
        {"0212", 3, {50, 20, 30}, 32},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        each_layer_has_its_rate(&cases[i], RP_RATE_CBR);
        each_layer_has_its_rate(&cases[i], RP_RATE_VBR);
    }
    return failed_count > 0;
}
