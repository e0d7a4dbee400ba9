/* SPDX-License-Identifier: MIT */
/* What the writers of a tile's operations share: one vector of an operation, and its instructions.
 */
#ifndef RP_COMPUTE_MACHINE_TILE_STEP_H
#define RP_COMPUTE_MACHINE_TILE_STEP_H

#include "compute/machine/tile.h"

#define NO_MASK ((struct vector_mask){0, false})

/* One vector of an operation. `to` may be a register of an operand: the last instruction writes it,
 * and no other. */
struct step {
    struct tile *t;
    uint32_t u; /* which vector of the round */
    uint32_t to;
    struct vector_operand a[3];
    const struct tile_value *v[3];
};

static inline struct vector_operand
constant(enum tile_constant which)
{
    return (struct vector_operand){VECTOR_CONSTANT, 0, (int32_t)(which * TILE_CONSTANT_B)};
}

/* to = second op last; instructions of one operand have no second. */
static inline void
op(const struct step *s, uint32_t instruction, uint32_t to, uint32_t second,
   struct vector_operand last)
{
    machine_write_vector(s->t->x, s->t->is_wide, instruction, NO_MASK, to, second, last,
                         VECTOR_NO_NUMBER);
}

static inline void
op_number(const struct step *s, uint32_t instruction, uint32_t to, uint32_t second,
          struct vector_operand last, uint32_t number)
{
    machine_write_vector(s->t->x, s->t->is_wide, instruction, NO_MASK, to, second, last, number);
}

static inline void
op_masked(const struct step *s, uint32_t instruction, struct vector_mask mask, uint32_t to,
          uint32_t second, struct vector_operand last)
{
    machine_write_vector(s->t->x, true, instruction, mask, to, second, last, VECTOR_NO_NUMBER);
}

static inline void
load_constant(const struct step *s, uint32_t to, enum tile_constant which)
{
    op(s, s->t->is_wide ? VECTOR_BROADCAST : VECTOR_MOVE, to, 0, constant(which));
}

static inline uint32_t
reg(const struct step *s, uint32_t a)
{
    return s->a[a].reg;
}

static inline uint32_t
temp(const struct step *s, uint32_t k)
{
    return s->t->temps[k];
}

enum shift {
    ROTATE = 1,
    RIGHT = 2,
    SIGNED = 4,
    LEFT = 6,
};

static inline void
shift_number(const struct step *s, enum shift how, uint32_t to, uint32_t from, uint32_t number)
{
    op_number(s, VECTOR_SHIFT, how, to, vector_reg(from), number & 31);
}

/* to = from shifted by operand c; a temp for counts that are no numbers. */
static inline void
shift(const struct step *s, enum shift how, uint32_t to, uint32_t from, uint32_t c, uint32_t count)
{
    const uint32_t by_lanes = how == LEFT ? VECTOR_SHLV : how == RIGHT ? VECTOR_SHRV : VECTOR_SARV;
    if (s->v[c]->is_number) {
        shift_number(s, how, to, from, s->v[c]->number);
        return;
    }
    op(s, VECTOR_AND, count, reg(s, c), constant(TILE_31));
    op(s, by_lanes, to, from, vector_reg(count));
}

/* One operation of the first two operands, and one of that and the third. */
static inline void
of_three(const struct step *s, uint32_t first, uint32_t second)
{
    const uint32_t t0 = temp(s, 0);
    op(s, first, t0, reg(s, 0), s->a[1]);
    op(s, second, s->to, t0, s->a[2]);
}

/* tile_floats.c, tile_integers.c, tile_longs.c, tile_roots.c. */
void machine_tile_write_float(const struct step *s, enum tile_code code);
void machine_tile_write_integer(const struct step *s, enum tile_code code);
void machine_tile_write_long(const struct step *s, enum tile_code code);
void machine_tile_write_root(const struct step *s, bool is_reciprocal);
void machine_tile_write_gather(const struct step *s, const struct tile_op *o);

/* Of FMIN, FMAX and FCLAMP an operand may be in memory only when one instruction does all: bits of
 * such operands. */
uint32_t machine_tile_memory_of_minmax(const struct tile *t, const struct tile_op *o);

#endif
