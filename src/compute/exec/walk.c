/* SPDX-License-Identifier: MIT */
/* Loads of lanes that walk along a row each, word after word: four words of each are read together,
 * and the next three times they are there already.
 */
#include "compute/exec/access.h"
#include "compute/exec/op_list.h"

#define MORE ((const struct rp_op_more *)(o + 1))
#define WORDS (RP_WALK_WORDS + 1u)

/* The same lanes as before, or some of them, one word further on. */
static inline bool
goes_on(const struct rp_walk *walk, const struct access_line *line, const struct rp_exec *x)
{
    return walk->has_run && line->is_even && line->base == walk->base + 4 && line->sx == walk->sx &&
           line->block_stride == walk->block_stride && x->k0 >= walk->k0 && x->k1 <= walk->k1;
}

static inline void
take_word(struct rp_walk *walk, int32_t *to, const struct rp_exec *x)
{
    const int32_t *from = walk->words[RP_WALK_WORDS - walk->word_count--];
    memcpy(to + x->k0 * 16, from + x->k0 * 16, (size_t)(x->k1 - x->k0) * 64);
}

static inline void
read_words(struct rp_walk *walk, int32_t *to, const uint8_t *from, const struct rp_exec *x)
{
    int32_t *const d[WORDS] = {to, walk->words[0], walk->words[1], walk->words[2]};
    from += (uint64_t)walk->block_stride * (uint32_t)x->k0;
    for (int32_t k = x->k0; k < x->k1; k++, from += walk->block_stride)
        load_rows4(d, k * 16, from, walk->sx);
}

rp_handler RP_FN(LOAD32_L);

RP_OP(LOAD32_WALK)
{
    struct rp_walk *walk = &x->walks[o->d];
    int32_t *to = (int32_t *)(R + MORE->r[0]);
    const struct access_memory m = {x->memory[o->i].ptr, x->memory[o->i].size_B, 0};
    const struct access_line line = access_line(o, MORE, R, x, 0);
    const bool is_next = goes_on(walk, &line, x);

    walk->base = line.base;
    if (is_next && walk->word_count) {
        walk->goes_on = true;
        take_word(walk, to, x);
        RP_MUSTTAIL return RP_GO(o + 2);
    }
    const bool is_wanted = is_next || walk->goes_on;
    walk->has_run = true;
    walk->sx = line.sx;
    walk->block_stride = line.block_stride;
    walk->word_count = 0;
    walk->k0 = x->k0;
    walk->k1 = x->k1;
    if (is_wanted && line.sx >= 4 * WORDS && access_is_whole(&line, &m, x, 4 * WORDS)) {
        walk->goes_on = is_next;
        walk->word_count = RP_WALK_WORDS;
        read_words(walk, to, m.ptr + line.base, x);
        RP_MUSTTAIL return RP_GO(o + 2);
    }
    RP_MUSTTAIL return RP_FN(LOAD32_L)(o, R, x);
}
