/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The arithmetic encoder of 9.3.4 over a row of tokens. Its registers are kept in locals between
 * the functions of x264's that go on with the same coder.
 */
#include "glue/row_syntax.h"
#include "glue/row_tokens.h"

#include "encoder/macroblock.h"

#define DELTA_CONTEXT 60 /* of mb_qp_delta */

struct player {
    int low;
    int range;
    int queue;
    int outstanding; /* bytes of ones that a carry would change */
    uint8_t *p;
};

static ALWAYS_INLINE void
player_load(struct player *player, const x264_cabac_t *cb)
{
    *player = (struct player){cb->i_low, cb->i_range, cb->i_queue, cb->i_bytes_outstanding, cb->p};
}

static ALWAYS_INLINE void
player_store(const struct player *player, x264_cabac_t *cb)
{
    cb->i_low = player->low;
    cb->i_range = player->range;
    cb->i_queue = player->queue;
    cb->i_bytes_outstanding = player->outstanding;
    cb->p = player->p;
}

/* A byte leaves once there are eight bits of it, and no carry can reach it. */
static ALWAYS_INLINE void
player_put_byte(struct player *player)
{
    if (player->queue < 0)
        return;
    const int out = player->low >> (player->queue + 10);
    player->low &= (0x400 << player->queue) - 1;
    player->queue -= 8;
    if ((out & 0xff) == 0xff) {
        player->outstanding++;
        return;
    }
    const int carry = out >> 8;
    player->p[-1] += (uint8_t)carry;
    for (; player->outstanding > 0; player->outstanding--)
        *player->p++ = (uint8_t)(carry - 1);
    *player->p++ = (uint8_t)out;
}

static ALWAYS_INLINE void
player_renormalise(struct player *player)
{
    const int shift = x264_cabac_renorm_shift[player->range >> 3];
    player->range <<= shift;
    player->low <<= shift;
    player->queue += shift;
    player_put_byte(player);
}

static ALWAYS_INLINE void
player_decide(struct player *player, uint8_t *states, unsigned context, unsigned bin)
{
    const unsigned state = states[context];
    const int lps = x264_cabac_range_lps[state >> 1][(player->range >> 6) - 4];
    const int is_lps = -(int)((state ^ bin) & 1);

    states[context] = x264_cabac_transition[state][bin];
    player->range -= lps;
    player->low += player->range & is_lps;
    player->range += (lps - player->range) & is_lps;
    player_renormalise(player);
}

static ALWAYS_INLINE void
player_bypass(struct player *player, unsigned bin)
{
    player->low <<= 1;
    player->low += -(int)bin & player->range;
    player->queue++;
    player_put_byte(player);
}

/* Table 9-3: mapped, then unary; modulo 52 (7.4.5). */
static void
player_put_delta(struct player *player, uint8_t *states, int delta, int last_delta)
{
    unsigned context = last_delta != 0;
    int bins = delta > 0 ? 2 * delta - 1 : -2 * delta;

    if (bins >= QP_MAX_SPEC && bins != QP_MAX_SPEC + 1)
        bins = 2 * QP_MAX_SPEC + 1 - bins;
    for (; bins > 0; bins--) {
        player_decide(player, states, DELTA_CONTEXT + context, 1);
        context = 2 + (context >> 1);
    }
    player_decide(player, states, DELTA_CONTEXT + context, 0);
}

static void
put_block(x264_t *h, x264_cabac_t *cb, int category, dctcoef *coefficients)
{
#if ARCH_X86_64 && HAVE_MMX
    h->bsf.cabac_block_residual_internal(coefficients, 0, category, cb);
#else
    x264_cabac_block_residual_c(h, cb, category, coefficients);
#endif
}

/* Samples of an I_PCM macroblock stand on bytes, and coding begins anew behind them. */
static const uint16_t *
put_samples(x264_t *h, x264_cabac_t *cb, const uint16_t *t)
{
    x264_cabac_encode_flush(h, cb);
    memcpy(cb->p, t, RP_X264_PCM_B);
    cb->p += RP_X264_PCM_B;
    x264_cabac_encode_init_core(cb);
    return t + RP_X264_PCM_B / sizeof(*t);
}

void
rp_x264_row_play(x264_t *h, x264_cabac_t *cb, const struct rp_x264_row_syntax *row, int *last_qp,
                 int *last_delta)
{
    const uint16_t *t = (const uint16_t *)row->data;
    const uint16_t *end = (const uint16_t *)(row->data + row->size);
    uint8_t *block = row->blocks;
    int delta = *last_delta; /* of the macroblock at hand */
    int delta_before = 0;
    struct player player;

    player_load(&player, cb);
    while (t < end) {
        const unsigned token = *t++;
        if (token < RP_X264_TOKEN_BYPASS) {
            player_decide(&player, cb->state, token >> 1, token & 1);
        } else if (token < RP_X264_TOKEN_UE) {
            player_bypass(&player, token & 1);
        } else if (token >= RP_X264_TOKEN_QP) {
            const int qp = (int)(token & 63);
            delta = qp - *last_qp;
            *last_qp = qp;
            player_put_delta(&player, cb->state, delta, delta_before);
        } else if (token >= RP_X264_TOKEN_BLOCK) {
            const int category = (int)(token & 15);
            block = rp_x264_block_at(block, category);
            player_store(&player, cb);
            put_block(h, cb, category, rp_x264_block_coefficients(block, category));
            player_load(&player, cb);
            block += rp_x264_block_size_B(category);
        } else if (token >= RP_X264_TOKEN_PCM) {
            player_store(&player, cb);
            t = put_samples(h, cb, t);
            player_load(&player, cb);
        } else if (token >= RP_X264_TOKEN_TERMINATE) {
            player.range -= 2;
            player_renormalise(&player);
            if (token & 1) {
                delta_before = delta;
                delta = 0;
            }
        } else {
            player_store(&player, cb);
            x264_cabac_encode_ue_bypass(cb, (int)(token & 15), (int)(t[0] | (unsigned)t[1] << 16));
            t += 2;
            player_load(&player, cb);
        }
    }
    player_store(&player, cb);
    *last_delta = delta;
}
