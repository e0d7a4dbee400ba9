/* SPDX-License-Identifier: MIT */
#include "codecs/aom/segments.h"

#include "codecs/aom/libaom.h"
#include "codecs/aom/map_values.h"

#include "reelpipe/encode_av1.h"
#include "util/compiler.h"

#define MI_PER_TEXEL ((int)RP_AV1_MAP_TEXEL_PX / MI_SIZE)

/* Within the range of indices; those of lossy frames stay lossy. */
static int
limit_delta(int base_q_index, int delta)
{
    return base_q_index == 0 ? 0 : RP_MAX(1, RP_MIN(base_q_index + delta, MAXQ)) - base_q_index;
}

static int
texels_of(int mi_count)
{
    return (mi_count + MI_PER_TEXEL - 1) / MI_PER_TEXEL;
}

static void
choose_values(const CommonModeInfoParams *params, int base_q_index, const int16_t *map,
              struct rp_aom_map_values *out)
{
    const int count = texels_of(params->mi_cols) * texels_of(params->mi_rows);
    uint32_t counts[RP_AOM_DELTAS] = {0};

    for (int i = 0; i < count; i++)
        counts[limit_delta(base_q_index, map[i]) + RP_AOM_MAX_DELTA]++;
    rp_aom_map_values_choose(counts, out);
}

void
rp_aom_segments_set(AV1_COMP *cpi, const int16_t *map)
{
    AV1_COMMON *cm = &cpi->common;
    const CommonModeInfoParams *params = &cm->mi_params;
    const int base = cm->quant_params.base_qindex;
    struct rp_aom_map_values values;

    choose_values(params, base, map, &values);
    av1_enable_segmentation(&cm->seg);
    av1_clearall_segfeatures(&cm->seg);
    for (int row = 0; row < params->mi_rows; row++) {
        const int16_t *texels = map + row / MI_PER_TEXEL * texels_of(params->mi_cols);
        for (int col = 0; col < params->mi_cols; col++)
            cpi->enc_seg.map[row * params->mi_cols + col] =
                values.segment_of[limit_delta(base, texels[col / MI_PER_TEXEL]) + RP_AOM_MAX_DELTA];
    }
    for (uint32_t i = 0; i < values.count; i++) {
        av1_set_segdata(&cm->seg, (int)i, SEG_LVL_ALT_Q, values.deltas[i]);
        av1_enable_segfeature(&cm->seg, (int)i, SEG_LVL_ALT_Q);
    }
    cm->seg.update_map = 1;
    cm->seg.update_data = 1;
    cm->seg.temporal_update = 0;
}
