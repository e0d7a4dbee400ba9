/* SPDX-License-Identifier: MIT */
#include "codecs/kvazaar/rate.h"

#include "codecs/kvazaar/slot.h"

#include "util/compiler.h"

#include <math.h>

#define COMPARED_REFS 2u /* of each list: what the others add costs more than it tells */

/* The step of x264's qscale, for which the laws' constants were measured: its QPs have the same
 * steps. */
double
rp_kvazaar_rate_step(int qp, uint32_t bit_depth)
{
    (void)bit_depth; /* QpBdOffset makes QPs lose as much at each */
    return 0.85 * exp2((qp - 12) / 6.0);
}

const struct rp_rate_encoder rp_kvazaar_rate_encoder = {
    .scale =
        {
            .least_index = 0,
            .greatest_index = RP_H265_MAX_QP,
            .unlimited_index = RP_H265_MAX_QP,
            .default_step = 1,
            .least_step = 0.2,
            .finest_step = 0.25, /* about QP 1 */
            .usual_block_cost = 60,
        },
    .step = rp_kvazaar_rate_step,
    .step_factor = {[RP_RATE_P] = 1, [RP_RATE_B] = 1.3, [RP_RATE_I] = 1 / 1.4},
    .usual_cost = {[RP_RATE_P] = 4, [RP_RATE_B] = 3, [RP_RATE_I] = 8},
};

/* What the application calls it. */
static enum rp_rate_type
type_of_slices(const struct rp_h265_encode_job *job)
{
    static const enum rp_rate_type types[] = {
        [STD_VIDEO_H265_SLICE_TYPE_B] = RP_RATE_B,
        [STD_VIDEO_H265_SLICE_TYPE_P] = RP_RATE_P,
        [STD_VIDEO_H265_SLICE_TYPE_I] = RP_RATE_I,
    };
    return types[job->slice_type];
}

/* B pictures without a later reference are coded, and referred to, as P pictures are. */
static enum rp_rate_type
type_of_prediction(const struct rp_h265_encode_job *job)
{
    bool has_later = false;
    for (uint32_t list = 0; list < 2; list++) {
        for (uint32_t i = 0; i < job->ref_count[list]; i++)
            has_later |= job->refs[list][i].poc > job->poc;
    }
    const enum rp_rate_type type = type_of_slices(job);
    return type == RP_RATE_B && !has_later ? RP_RATE_P : type;
}

/* Each of the first pictures of the lists once. */
static uint32_t
compared_pictures(const struct rp_h265_encode_job *job,
                  const struct rp_kvazaar_content *out[2 * COMPARED_REFS])
{
    const struct rp_kvazaar_begun *begun = rp_kvazaar_begun_of(job);
    uint32_t count = 0;
    for (uint32_t list = 0; list < 2; list++) {
        for (uint32_t i = 0; i < RP_MIN(COMPARED_REFS, job->ref_count[list]); i++) {
            const struct rp_kvazaar_content *picture = begun->pictures[begun->lists[list][i]];
            uint32_t k = 0;
            while (k < count && out[k] != picture)
                k++;
            if (k == count)
                out[count++] = picture;
        }
    }
    return count;
}

void
rp_kvazaar_rate_plan(const struct rp_h265_encode_job *job, const struct rp_small_picture *small,
                     struct rp_rate_plan *out)
{
    const struct rp_encode_job *common = &job->common;
    const struct rp_kvazaar_content *pictures[2 * COMPARED_REFS];
    const struct rp_small_picture *references[2 * COMPARED_REFS];
    const uint32_t count = compared_pictures(job, pictures);
    double base_sum = 0;
    int base_count = 0;

    for (uint32_t i = 0; i < count; i++) {
        references[i] = &pictures[i]->small;
        base_sum += pictures[i]->rate_base;
        base_count += pictures[i]->rate_base > 0;
    }
    const struct rp_rate_question question = {
        .type = type_of_prediction(job),
        .limited = type_of_slices(job),
        .temporal_layer = common->temporal_layer,
        .complexity = rp_small_picture_complexity(small, references, count),
        .reference_base = base_count > 0 ? base_sum / base_count : 0,
        .block_count = (int)(((common->width_px + 15) / 16) * ((common->height_px + 15) / 16)),
        .bit_depth = job->sps->bit_depth_luma_minus8 + 8u,
        .preceding_B = common->preceding_B,
    };
    rp_rate_control_plan(&common->rate->control, &rp_kvazaar_begun_of(job)->turn->rate, &question,
                         out);
}
