/* SPDX-License-Identifier: MIT */
/* Random macroblocks: slice_data() in CAVLC without residual.
 */
#ifndef RP_TESTS_CODEC_AVCODEC_GENERATOR_MB_H
#define RP_TESTS_CODEC_AVCODEC_GENERATOR_MB_H

#include "codecs/avcodec/h264/slice_header.h"
#include "reelpipe/bits.h"

#include <stdbool.h>
#include <stdint.h>

struct generator_slice {
    enum rp_h264dec_slice_type type;
    bool is_mbaff;
    bool has_direct;       /* B_Skip and B_Direct may be used */
    uint32_t mb_count;     /* even in MBAFF frames */
    uint32_t ref_count[2]; /* num_ref_idx_active */
    uint32_t usable[2];    /* of these, from 0 on, there are pictures */
    bool is_pcm;           /* all intra macroblocks: they count as full of coefficients (9.2.1) */
};

uint32_t generator_random(uint32_t *state, uint32_t below);

void generator_slice_data(struct rp_bits *bits, uint32_t *random,
                          const struct generator_slice *slice);

#endif
