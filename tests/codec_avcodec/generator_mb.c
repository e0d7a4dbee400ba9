/* SPDX-License-Identifier: MIT */
/* Macroblock layer syntax (7.3.5).
 */
#include "generator_mb.h"

enum list_use { USES_L0 = 1, USES_L1 = 2 };

struct mb {
    struct rp_bits *bits;
    uint32_t *random;
    const struct generator_slice *slice;
    bool is_field; /* a field macroblock of an MBAFF frame */
};

uint32_t
generator_random(uint32_t *state, uint32_t below)
{
    *state = *state * 1664525u + 1013904223u;
    return (uint32_t)(((uint64_t)(*state >> 4) * below) >> 28);
}

/* I_PCM: smooth enough to show where it was predicted from. */
static void
pcm_write(struct mb *mb)
{
    const uint32_t base = generator_random(mb->random, 200);
    const uint32_t slope = generator_random(mb->random, 7);
    while (mb->bits->size_bits % 8)
        rp_bits_put(mb->bits, 1, 0);
    for (uint32_t i = 0; i < 384; i++)
        rp_bits_put(mb->bits, 8,
                    (base + slope * (i % 16) + generator_random(mb->random, 24)) & 255);
}

static void
intra_write(struct mb *mb)
{
    static const uint32_t first_intra_type[] = {
        [RP_H264DEC_P] = 5, [RP_H264DEC_B] = 23, [RP_H264DEC_I] = 0};
    const uint32_t first = first_intra_type[mb->slice->type];

    if (mb->slice->is_pcm) {
        rp_bits_ue(mb->bits, first + 25);
        pcm_write(mb);
        return;
    }
    rp_bits_ue(mb->bits, first + 3); /* I_16x16_2_0_0: DC prediction */
    rp_bits_ue(mb->bits, 0);
    rp_bits_se(mb->bits, (int32_t)generator_random(mb->random, 5) - 2); /* mb_qp_delta */
    rp_bits_put(mb->bits, 1, 1); /* no DC coefficients around either: nC is 0 */
}

static void
ref_idx_write(struct mb *mb, uint32_t list)
{
    const uint32_t count = mb->slice->ref_count[list] << mb->is_field;
    const uint32_t idx = generator_random(mb->random, mb->slice->usable[list] << mb->is_field);
    if (count == 2)
        rp_bits_put(mb->bits, 1, !idx);
    else if (count > 2)
        rp_bits_ue(mb->bits, idx);
}

static void
mvd_write(struct mb *mb)
{
    const uint32_t span = generator_random(mb->random, 8) ? 25 : 121;
    for (uint32_t i = 0; i < 2; i++)
        rp_bits_se(mb->bits, (int32_t)generator_random(mb->random, span) - (int32_t)span / 2);
}

/* ref_idx and mvd of count partitions that use these lists. */
static void
partitions_write(struct mb *mb, const uint32_t *uses, uint32_t count)
{
    for (uint32_t list = 0; list < 2; list++) {
        for (uint32_t i = 0; i < count; i++) {
            if (uses[i] & (1u << list))
                ref_idx_write(mb, list);
        }
    }
    for (uint32_t list = 0; list < 2; list++) {
        for (uint32_t i = 0; i < count; i++) {
            if (uses[i] & (1u << list))
                mvd_write(mb);
        }
    }
}

static void
p_write(struct mb *mb)
{
    static const uint32_t uses[4] = {USES_L0, USES_L0, USES_L0, USES_L0};
    const uint32_t type = generator_random(mb->random, 4);

    rp_bits_ue(mb->bits, type); /* 16x16, 16x8, 8x16, 8x8 */
    if (type == 3) {
        for (uint32_t i = 0; i < 4; i++)
            rp_bits_ue(mb->bits, 0);
    }
    partitions_write(mb, uses, type == 0 ? 1 : type == 3 ? 4 : 2);
    rp_bits_ue(mb->bits, 0); /* coded_block_pattern 0 */
}

static void
b_write(struct mb *mb)
{
    uint32_t uses[4] = {0};
    uint32_t count = 1;
    uint32_t type = generator_random(mb->random, 5);
    if (type == 0 && !mb->slice->has_direct)
        type = 3;

    if (type < 4) {
        rp_bits_ue(mb->bits, type); /* direct, L0, L1, bi */
        uses[0] = type;
    } else {
        rp_bits_ue(mb->bits, 22); /* B_8x8 */
        count = 4;
        for (uint32_t i = 0; i < 4; i++) {
            uses[i] = generator_random(mb->random, 4);
            if (uses[i] == 0 && !mb->slice->has_direct)
                uses[i] = 3;
            rp_bits_ue(mb->bits, uses[i]);
        }
    }
    partitions_write(mb, uses, count);
    rp_bits_ue(mb->bits, 0);
}

static void
macroblock_write(struct mb *mb)
{
    if (mb->slice->type == RP_H264DEC_I || generator_random(mb->random, 16) == 0)
        intra_write(mb);
    else if (mb->slice->type == RP_H264DEC_P)
        p_write(mb);
    else
        b_write(mb);
}

static uint32_t
skip_run(struct mb *mb, uint32_t left)
{
    if (mb->slice->type == RP_H264DEC_B && !mb->slice->has_direct)
        return 0;
    const uint32_t run = generator_random(mb->random, 2) ? 0 : generator_random(mb->random, 4);
    return run < left ? run : left;
}

void
generator_slice_data(struct rp_bits *bits, uint32_t *random, const struct generator_slice *slice)
{
    struct mb mb = {.bits = bits, .random = random, .slice = slice};
    uint32_t i = 0;
    while (i < slice->mb_count) {
        uint32_t skipped = 0;
        if (slice->type != RP_H264DEC_I) {
            skipped = skip_run(&mb, slice->mb_count - i);
            rp_bits_ue(bits, skipped);
            i += skipped;
            if (i == slice->mb_count)
                return;
        }
        if (slice->is_mbaff && (i % 2 == 0 || skipped)) {
            mb.is_field = generator_random(random, 2);
            rp_bits_put(bits, 1, mb.is_field);
        }
        macroblock_write(&mb);
        i++;
    }
}
