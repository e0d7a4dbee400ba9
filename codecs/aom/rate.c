/* SPDX-License-Identifier: MIT */
#include "codecs/aom/rate.h"

#include "codecs/aom/libaom.h"

/* Steps have the unit of x264's qscales, for which the laws' constants were measured: pictures lose
 * about as much with the same one. */
#define STEP_UNIT 0.0425 /* of the quantiser step of AC coefficients at 8 bits */

double
rp_aom_rate_step(int q_index, uint32_t bit_depth)
{
    const double step = bit_depth == 10 ? av1_ac_quant_QTX(q_index, 0, AOM_BITS_10) / 4.0
                                        : av1_ac_quant_QTX(q_index, 0, AOM_BITS_8);
    return STEP_UNIT * step;
}

const struct rp_rate_encoder rp_aom_rate_encoder = {
    .scale =
        {
            .least_index = 0,
            .greatest_index = RP_AV1_MAX_Q_INDEX,
            .unlimited_index = RP_AV1_MAX_Q_INDEX,
            .default_step = 1,
            .least_step = 0.17,
            .finest_step = 0.35, /* that of q index 1, about */
            .usual_block_cost = 60,
        },
    .least_unasked_index = 1, /* 0 is without loss */
    .step = rp_aom_rate_step,
    .step_factor = {[RP_RATE_P] = 1, [RP_RATE_B] = 1.3, [RP_RATE_I] = 1 / 1.4},
    .usual_cost = {[RP_RATE_P] = 1, [RP_RATE_B] = 0.6, [RP_RATE_I] = 2},
};
