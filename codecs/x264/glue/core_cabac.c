/* SPDX-License-Identifier: GPL-2.0-or-later */
/* x264's cabac.c, unchanged, with a recorder of tokens in place of the arithmetic coder.
 *
 * The calls cabac_qp_delta( h, cb ) and x264_cabac_block_residual_c( h, ... ) go to ours, as in
 * core_encoder.c: the definitions' first arguments read "x264_t *h".
 */
#include "glue/row_syntax.h"
#include "glue/row_tokens.h"

#include "encoder/macroblock.h"

static ALWAYS_INLINE void
token_put(x264_cabac_t *cb, unsigned token)
{
    *(uint16_t *)cb->p = (uint16_t)token;
    cb->p += sizeof(uint16_t);
}

static ALWAYS_INLINE void
record_decision(x264_cabac_t *cb, int context, int bin)
{
    token_put(cb, (unsigned)(2 * context + bin));
    cb->state[context] = x264_cabac_transition[cb->state[context]][bin];
}

static ALWAYS_INLINE void
record_bypass(x264_cabac_t *cb, int bin)
{
    token_put(cb, RP_X264_TOKEN_BYPASS | (bin & 1));
}

static ALWAYS_INLINE void
record_ue_bypass(x264_cabac_t *cb, int order, int value)
{
    token_put(cb, RP_X264_TOKEN_UE | order);
    token_put(cb, value & 0xffff);
    token_put(cb, value >> 16);
}

static ALWAYS_INLINE void
record_terminal(x264_cabac_t *cb)
{
    token_put(cb, RP_X264_TOKEN_TERMINATE);
}

static ALWAYS_INLINE void
record_flush(x264_t *h, x264_cabac_t *cb)
{
    (void)h;
    token_put(cb, RP_X264_TOKEN_PCM);
}

static ALWAYS_INLINE void
record_init(x264_cabac_t *cb)
{
    (void)cb;
}

/* Notes the tokens [first, end) that have contexts, before samples if there are any. */
static void
bins_note(struct rp_x264_row_bins *bins, const uint8_t *first, const uint8_t *end)
{
    uint16_t *next = bins->tokens + bins->count;
    if ((end - first) / (ptrdiff_t)sizeof(*next) > bins->room - bins->count)
        return;

    for (const uint16_t *t = (const uint16_t *)first; t < (const uint16_t *)end; t++) {
        *next = *t;
        next += *t < RP_X264_TOKEN_BYPASS;
        if (*t >= RP_X264_TOKEN_UE && *t < RP_X264_TOKEN_TERMINATE)
            t += 2;
        else if (*t == RP_X264_TOKEN_PCM)
            break;
    }
    bins->count = (int)(next - bins->tokens);
}

static void block_walk(x264_t *h, x264_cabac_t *cb, int category, dctcoef *coefficients);

/* Levels that decide by states walk through the block for them; its tokens are dropped. */
static void
record_block(x264_t *h, x264_cabac_t *cb, int category, dctcoef *coefficients)
{
    const int count = x264_count_cat_m1[category] + 1;
    uint8_t *block = rp_x264_block_at(cb->p_end, category);

    memset(cb->p_end, 0, 32); /* what no coefficient is in */
    if (count == 64)
        memcpy(block, coefficients, 64 * sizeof(coefficients[0]));
    else if (count >= 15)
        memcpy(block, coefficients - (count == 15), 16 * sizeof(coefficients[0]));
    else
        memcpy(block, coefficients, 4 * sizeof(coefficients[0]));
    cb->p_end = block + rp_x264_block_size_B(category);
    token_put(cb, RP_X264_TOKEN_BLOCK | category);
    struct rp_x264_row_bins *bins = rp_x264_row_coder_of(h)->bins;
    if (bins) {
        uint8_t *end = cb->p;
        block_walk(h, cb, category, coefficients);
        bins_note(bins, end, cb->p);
        cb->p = end;
    }
}

#undef x264_cabac_encode_decision
#undef x264_cabac_encode_decision_noup
#undef x264_cabac_encode_bypass
#undef x264_cabac_encode_terminal
#undef x264_cabac_encode_ue_bypass
#undef x264_cabac_encode_flush
#undef x264_cabac_encode_init_core
#define x264_cabac_encode_decision record_decision
#define x264_cabac_encode_decision_noup record_decision
#define x264_cabac_encode_bypass record_bypass
#define x264_cabac_encode_terminal record_terminal
#define x264_cabac_encode_ue_bypass record_ue_bypass
#define x264_cabac_encode_flush record_flush
#define x264_cabac_encode_init_core record_init

#define CALL_FIRST(a, ...) a
#define CALL_PICK(...) CALL_FIRST(__VA_ARGS__)
#define BLOCK_x264_t block_walk, 0,
#define BLOCK_h record_block, 0,
#define DELTA_x264_t cabac_qp_delta_of_x264, 0,
#define DELTA_h cabac_qp_delta_of_row, 0,

/* Blocks go to the portable residual coder, by its name. */
#undef ARCH_X86_64
#define ARCH_X86_64 0
#undef x264_cabac_block_residual_c
#undef x264_macroblock_write_cabac
#undef x264_cabac_mb_skip
#define x264_cabac_block_residual_c(h, cb, category, l) CALL_PICK(BLOCK_##h)(h, cb, category, l)
#define cabac_qp_delta(h, cb) CALL_PICK(DELTA_##h)(h, cb)
#define x264_macroblock_write_cabac rp_x264_row_write_cabac
#define x264_cabac_mb_skip rp_x264_row_write_skip

/* The states of mb_qp_delta go on as far as the QP before is known: at the row's start it counts as
 * the macroblock's own. An empty Intra_16x16 macroblock keeps the QP before, as x264 has it, but at
 * the row's start. */
static ALWAYS_INLINE void
cabac_qp_delta_of_row(x264_t *h, x264_cabac_t *cb)
{
    struct rp_x264_row_bins *bins = rp_x264_row_coder_of(h)->bins;
    struct rp_x264_row_syntax *row = rp_x264_row_coder_of(h)->row;
    const bool is_first = row->first_qp < 0;

    if (is_first)
        row->first_qp = h->mb.i_last_qp = h->mb.i_qp;
    else if (h->mb.i_type == I_16x16 && !h->mb.cbp[h->mb.i_mb_xy] && h->mb.i_qp > h->mb.i_last_qp)
        h->mb.i_qp = h->mb.i_last_qp;
    const int delta = h->mb.i_qp - h->mb.i_last_qp;
    int context = h->mb.i_last_dqp && (h->mb.type[h->mb.i_mb_prev_xy] == I_16x16 ||
                                       (h->mb.cbp[h->mb.i_mb_prev_xy] & 0x3f));
    uint8_t *end = cb->p;
    for (int left = delta > 0 ? 2 * delta - 1 : -2 * delta; left > 0; left--) {
        record_decision(cb, 60 + context, 1);
        context = 2 + (context >> 1);
    }
    record_decision(cb, 60 + context, 0);
    if (bins)
        bins_note(bins, end, cb->p);
    cb->p = end;
    token_put(cb, RP_X264_TOKEN_QP | h->mb.i_qp);
}

static void cabac_qp_delta_of_x264(x264_t *h, x264_cabac_t *cb) __attribute__((unused));

#include "encoder/cabac.c"

void
rp_x264_row_write_end_of_slice(x264_cabac_t *cb)
{
    token_put(cb, RP_X264_TOKEN_TERMINATE | 1);
}

void
rp_x264_row_note_bins(x264_t *h, int x, const uint8_t *first)
{
    struct rp_x264_row_bins *bins = rp_x264_row_coder_of(h)->bins;

    bins_note(bins, first, h->cabac.p);
    bins->ends[x] = bins->count;
}

/* Tokens [t, end) without blocks in 1/256 bits. */
static int
bins_size(x264_cabac_t *states, const uint16_t *t, const uint16_t *end)
{
    int size = 0;

    while (t < end) {
        const unsigned token = *t++;
        if (token < RP_X264_TOKEN_BYPASS) {
            size += x264_cabac_size_decision2(&states->state[token >> 1], token & 1);
        } else if (token < RP_X264_TOKEN_UE) {
            size += 256;
        } else {
            const unsigned order = token & 15;
            const unsigned value = (unsigned)t[0] + ((unsigned)t[1] << 16) + (1u << order);
            size += 256 * (2 * (31 - x264_clz(value)) + 1 - (int)order);
            t += 2;
        }
    }
    return size;
}

int
rp_x264_row_count_bits(x264_t *h, const x264_cabac_t *start, const uint8_t *first,
                       const uint8_t *first_block)
{
    const uint16_t *end = (const uint16_t *)h->cabac.p;
    uint8_t *block = (uint8_t *)first_block;
    x264_cabac_t walk = *start; /* its tokens go behind those of the row */
    x264_cabac_t states = *start;
    int size = 0;

    for (const uint16_t *t = (const uint16_t *)first; t < end; t++) {
        if (*t < RP_X264_TOKEN_BLOCK) {
            const int more = *t >= RP_X264_TOKEN_UE && *t < RP_X264_TOKEN_TERMINATE ? 3 : 1;
            if (*t < RP_X264_TOKEN_TERMINATE)
                size += bins_size(&states, t, t + more);
            t += more - 1;
        } else if (*t < RP_X264_TOKEN_QP) {
            const int category = *t & 15;
            block = rp_x264_block_at(block, category);
            walk.p = h->cabac.p;
            block_walk(h, &walk, category, rp_x264_block_coefficients(block, category));
            size += bins_size(&states, end, (const uint16_t *)walk.p);
            block += rp_x264_block_size_B(category);
        }
    }
    return (size + 255) / 256;
}
