/* SPDX-License-Identifier: MIT */
/* Machine code of tiles does what the interpreter's handlers do: random tiles of every operation in
 * every form, and with gathers between them, on random windows, with AVX2 and with AVX-512.
 */
#include "harness.h"

#include "compute/exec/exec.h"
#include "compute/exec/op_list.h"
#include "compute/machine/machine.h"
#include "reelpipe/cpu.h"

#include <math.h>

#define BLOCKS 16u
#define WORD_B (BLOCKS * 64)
#define NUMBERS 16u  /* scalars that never change: integers, then floats */
#define VARIABLES 8u /* others, the same */
#define MASKS 24u
#define INPUTS 6u /* registers of each type that hold something */
#define MAX_OPS 64u
#define WORDS (2 * INPUTS + MAX_OPS + 8)
#define MEMORIES 3u
#define MEMORY_B 70000u

#define FIRST_VARIABLE (8 * NUMBERS)
#define FIRST_MASK ((8u * (NUMBERS + VARIABLES) + 63) / 64 * 64)
#define FIRST_WORD (FIRST_MASK + MASKS * RP_MASK_B)
#define FIRST_KEPT (FIRST_WORD + WORDS * WORD_B)
#define TOTAL_B (FIRST_KEPT + RP_TILE_KEPT_COUNT * RP_TILE_KEPT_B)

enum type {
    INTEGER,
    FLOAT, /* which NaN comes of two is open, so that nothing looks at their bits */
    MASK,
};

/* What each form of an operation reads, and makes. */
struct form {
    uint16_t code;
    const char *name, *operands;
    uint8_t from, to; /* enum type */
    bool is_either;   /* integers or floats, all of the same type */
    bool is_selection;
    bool is_kept; /* by a mask that a comparison kept */
};

/* clang-format off */
#define I INTEGER
#define F FLOAT
#define TYPES(X) \
    X(I, I, INEG) X(I, I, INOT) X(I, I, IABS) X(I, I, SEXT8) X(I, I, SEXT16) X(I, I, ZEXT8) \
    X(I, I, ZEXT16) X(I, F, I2F) X(I, F, U2F) X(F, I, F2I) X(F, I, F2U) X(F, F, FNEG) X(F, F, FABS) \
    X(F, F, FLOOR) X(F, F, CEIL) X(F, F, TRUNC) X(F, F, RINT) X(F, F, FRACT) X(F, F, SQRT) \
    X(F, F, RSQRT) X(F, F, ROUNDH) X(I, I, IADD) X(I, I, IMUL) X(I, I, AND) X(I, I, OR) \
    X(I, I, XOR) X(I, I, SMIN) X(I, I, SMAX) X(I, I, UMIN) X(I, I, UMAX) X(F, F, FADD) \
    X(F, F, FMUL) X(F, F, FMIN) X(F, F, FMAX) X(I, I, ISUB) X(I, I, SHL) X(I, I, SHR) X(I, I, SAR) \
    X(F, F, FSUB) X(F, F, FDIV) X(I, I, SDOT4) X(I, I, UDOT4) X(I, I, XSHL) X(I, I, XSHR) \
    X(I, I, IMUL16) X(F, F, FDIFF2) X(I, I, ROTL) X(I, I, UMULHI) X(I, I, SMULHI) X(F, F, MAD) X(F, F, MSUB) X(F, F, NMAD) \
    X(F, F, FMUL2) X(I, I, IMAD) X(I, I, UBFE) X(I, I, SBFE) X(I, I, SHLADD) X(I, I, SHLOR) \
    X(I, I, SHRAND) X(I, I, SAD3) X(F, F, FADD3) X(F, F, FSUBADD) X(F, F, FADDMUL) \
    X(F, F, FCLAMP) X(I, I, SCLAMP) X(I, I, ADDSAR) X(I, I, ADDSHR) X(I, I, XSHLR) X(I, I, XSHRL) \
    X(I, I, SDOTADD) X(I, I, IMAD16) X(F, F, FDIFF2ADD) X(I, I, ROTXOR) X(I, I, SHRXOR) \
    X(I, I, XOR3) X(I, I, MAJORITY) X(I, I, BITSEL) \
    X(I, MASK, IEQ) X(I, MASK, INE) X(I, MASK, SLT) X(I, MASK, SLE) X(I, MASK, ULT) \
    X(I, MASK, ULE) X(F, MASK, FEQ) X(F, MASK, FNE) X(F, MASK, FLT) X(F, MASK, FLE) \
    X(F, MASK, FONE) X(MASK, MASK, BAND) X(MASK, MASK, BOR) X(MASK, MASK, BXOR)
enum {
#define FROM(from, to, name) FROM_##name = from, TO_##name = to,
    TYPES(FROM)
};

#define FORM(name, form) {RP_X_TILE_##name##_##form, #name, #form, FROM_##name, TO_##name, 0, 0, 0},
#define FORMS_UN(name) FORM(name, T)
#define FORMS_BIN(name) FORM(name, TV) FORM(name, TS) FORM(name, VT) FORM(name, ST)
#define FORMS_TRI(name) \
    FORM(name, TVV) FORM(name, TVS) FORM(name, TSV) FORM(name, TSS) FORM(name, VVT) FORM(name, VST)
#define FORMS_TWICE(name) FORM(name, TVT) FORM(name, TST) FORM(name, TTV) FORM(name, TTS)
#define FORMS_MASK(name) FORM(name, BB)
#define CHOICE(name, form, kept) {RP_X_TILE_##name##_##form, #name, #form, I, I, true, true, kept},
#define CHOICES(name, kept) \
    CHOICE(name, TV, kept) CHOICE(name, TS, kept) CHOICE(name, VT, kept) CHOICE(name, ST, kept) \
    CHOICE(name, SS, kept)
static const struct form forms[] = {
    RP_TILE_I_I(FORMS_UN) RP_TILE_I_II(FORMS_BIN) RP_OPS_B_II(FORMS_BIN) RP_OPS_I_III(FORMS_TRI)
    RP_TILE_B_BB(FORMS_MASK)
    FORM(FMUL, TT) FORMS_TWICE(MAD) FORMS_TWICE(IMAD) CHOICES(SEL, false) CHOICES(PICK, true)
};
/* clang-format on */

static uint64_t seed;

static uint32_t
pick(uint32_t count)
{
    return (uint32_t)(test_random(&seed) >> 8) % count;
}

/* A tile as it grows: registers by type that may be read, and what T is. */
struct maker {
    struct rp_op ops[MAX_OPS];
    uint16_t codes[MAX_OPS];
    uint32_t count;
    uint32_t readable[3][WORDS + MASKS];
    uint32_t readable_count[3];
    uint32_t unused; /* the next register that nothing was done with */
    uint32_t unused_mask;
    bool has_t;
    enum type t_type;
    uint32_t t_home; /* 0: none */
    bool is_kept[RP_TILE_KEPT_COUNT];
    bool is_open[(TOTAL_B + 63) / 64]; /* by home: what is there in the end is open */
    bool is_local[(TOTAL_B + 63) / 64];
};

static uint32_t
readable(const struct maker *m, enum type type)
{
    return m->readable[type][pick(m->readable_count[type])];
}

static uint32_t
scalar(enum type type)
{
    const uint32_t half = type == FLOAT;
    return pick(2) ? 8 * (half * NUMBERS / 2 + pick(NUMBERS / 2))
                   : FIRST_VARIABLE + 8 * (half * VARIABLES / 2 + pick(VARIABLES / 2));
}

/* A register for a result: a new one, or that of a value which nobody reads from now on. */
static uint32_t
home_for(struct maker *m, enum type type)
{
    const enum type of = type == MASK ? MASK : pick(2) ? FLOAT : INTEGER;
    const uint32_t k = pick(m->readable_count[of]), home = m->readable[of][k];
    if (pick(3) == 0 && m->readable_count[of] > 3 && home != m->t_home) {
        m->readable[of][k] = m->readable[of][--m->readable_count[of]];
        return home;
    }
    return type == MASK ? FIRST_MASK + m->unused_mask++ % MASKS * RP_MASK_B
                        : FIRST_WORD + m->unused++ * WORD_B;
}

static void
forget(struct maker *m, enum type type, uint32_t home)
{
    for (uint32_t k = 0; k < m->readable_count[type]; k++)
        if (m->readable[type][k] == home)
            m->readable[type][k--] = m->readable[type][--m->readable_count[type]];
}

static void
set_result(struct maker *m, struct rp_op *o, const struct form *f, enum type type)
{
    const uint32_t kept = pick(RP_TILE_KEPT_COUNT);
    const bool is_mask = f->to == MASK;
    if (is_mask && f->from != MASK && pick(2)) {
        o->n |= RP_TILE_KEEPS;
        o->c = FIRST_KEPT + kept * RP_TILE_KEPT_B;
        m->is_kept[kept] = true;
        o->d = FIRST_MASK;
        return;
    }
    o->d = home_for(m, is_mask ? MASK : type);
    forget(m, is_mask ? MASK : type, o->d);
    const bool is_stored = is_mask || pick(3), is_local = pick(2);
    m->is_open[o->d / 64] = m->is_open[o->d / 64 + is_mask] = !is_stored || is_local;
    m->is_local[o->d / 64] = is_local;
    o->n |= (is_stored && !is_mask ? RP_TILE_STORES : 0) | (is_local ? RP_TILE_LOCAL : 0);
    if (is_stored)
        m->readable[is_mask ? MASK : type][m->readable_count[is_mask ? MASK : type]++] = o->d;
    if (!is_mask) {
        m->has_t = true;
        m->t_type = type;
        m->t_home = o->d;
    }
}

/* False: the form cannot stand here. */
static bool
add(struct maker *m, const struct form *f)
{
    const enum type from = f->is_either ? (pick(2) ? FLOAT : INTEGER) : (enum type)f->from;
    const bool is_choice = f->operands[0] == 'S' && f->operands[1] == 'S';
    struct rp_op o = {0};
    uint32_t kept = pick(RP_TILE_KEPT_COUNT);
    if (f->is_kept && !m->is_kept[kept])
        return false;
    if (strchr(f->operands, 'T') && (!m->has_t || m->t_type != from || pick(3) == 0)) {
        o.n = RP_TILE_LOADS;
        o.a = m->t_home = readable(m, from);
        m->has_t = true;
        m->t_type = from;
    }
    uint32_t *const others[4] = {is_choice ? &o.a : &o.b, is_choice ? &o.b : &o.c, &o.c, &o.c};
    uint32_t other = 0;
    for (uint32_t k = 0; f->operands[k]; k++)
        if (f->operands[k] != 'T')
            *others[other++] = f->operands[k] == 'S' ? scalar(from) : readable(m, from);
    if (f->is_selection)
        o.c = f->is_kept ? FIRST_KEPT + kept * RP_TILE_KEPT_B : readable(m, MASK);
    set_result(m, &o, f, f->is_either ? from : (enum type)f->to);
    m->codes[m->count] = f->code;
    m->ops[m->count++] = o;
    return true;
}

/* What is for the tile alone is gone. False: too little would be left. */
static bool
end_tile(struct maker *m)
{
    for (uint32_t type = 0; type < 3; type++) {
        uint32_t left = 0;
        for (uint32_t k = 0; k < m->readable_count[type]; k++)
            left += !m->is_local[m->readable[type][k] / 64];
        if (!left)
            return false;
    }
    for (uint32_t type = 0; type < 3; type++)
        for (uint32_t k = 0; k < m->readable_count[type]; k++)
            if (m->is_local[m->readable[type][k] / 64])
                m->readable[type][k--] = m->readable[type][--m->readable_count[type]];
    memset(m->is_kept, 0, sizeof(m->is_kept));
    m->has_t = false;
    m->t_home = 0;
    return true;
}

static void
add_gather(struct maker *m)
{
    struct rp_op o = {.n = 1, .i = (int32_t)pick(MEMORIES)};
    struct rp_op_more more = {{0}};
    if (!end_tile(m))
        return;
    o.a = readable(m, INTEGER);
    more.r[0] = home_for(m, INTEGER);
    more.r[6] = pick(2) ? 0 : pick(2) ? 4 * pick(20) : 0u - 4 * pick(20);
    forget(m, INTEGER, more.r[0]);
    forget(m, FLOAT, more.r[0]);
    m->is_open[more.r[0] / 64] = m->is_local[more.r[0] / 64] = false;
    m->readable[INTEGER][m->readable_count[INTEGER]++] = more.r[0];
    m->codes[m->count] = RP_X_LOAD32_G;
    m->ops[m->count++] = o;
    m->codes[m->count] = RP_X_COUNT;
    memcpy(&m->ops[m->count++], &more, sizeof(more));
}

static void
make(struct maker *m, uint32_t count)
{
    memset(m, 0, sizeof(*m));
    for (uint32_t k = 0; k < 2 * INPUTS; k++)
        m->readable[k % 2][m->readable_count[k % 2]++] = FIRST_WORD + k * WORD_B;
    for (uint32_t k = 0; k < 4; k++)
        m->readable[MASK][m->readable_count[MASK]++] = FIRST_MASK + (k + 1) * RP_MASK_B;
    m->unused = 2 * INPUTS;
    m->unused_mask = 5;
    /* Now and then mostly of one operation. */
    const struct form *const often = &forms[pick(sizeof(forms) / sizeof(forms[0]))];
    const uint32_t gathers = pick(2) ? 0 : 1 + pick(3);
    while (m->count < count)
        if (pick(8) < gathers && m->count + 2 < MAX_OPS)
            add_gather(m);
        else
            (void)add(m, pick(3) ? &forms[pick(sizeof(forms) / sizeof(forms[0]))] : often);
}

struct program {
    struct rp_op ops[5 * MAX_OPS + 8];
    uint16_t codes[5 * MAX_OPS + 8];
    struct rp_machine_source p;
};

static void
put(struct program *p, const struct rp_exec_table *table, uint32_t code, struct rp_op o)
{
    o.fn = rp_exec_handler(table, code);
    p->codes[p->p.op_count] = (uint16_t)code;
    p->ops[p->p.op_count++] = o;
}

/* The operations from begin to end. */
static void
put_tile(struct program *p, const struct maker *m, const struct rp_exec_table *table,
         uint32_t begin, uint32_t end)
{
    const uint32_t records = end - begin + 1, half = table->half_tile ? records : 0;
    put(p, table, RP_X_TILE, (struct rp_op){.a = records + 1, .i = (int32_t)(records + half + 1)});
    for (uint32_t h = 0; h < (half ? 2 : 1); h++) {
        for (uint32_t k = begin; k < end; k++)
            put(p, table, m->codes[k] | (h ? RP_X_HALF : 0), m->ops[k]);
        put(p, table, RP_X_TILE_END | (h ? RP_X_HALF : 0), (struct rp_op){0});
    }
}

static void
put_gather(struct program *p, const struct maker *m, const struct rp_exec_table *table, uint32_t k)
{
    put(p, table, m->codes[k], m->ops[k]);
    p->codes[p->p.op_count] = RP_X_COUNT;
    p->ops[p->p.op_count++] = m->ops[k + 1];
}

static void
fill(struct program *p, const struct maker *m, const struct rp_exec_table *table, const char *R)
{
    memset(p, 0, sizeof(*p));
    p->p = (struct rp_machine_source){
        .ops = p->ops, .codes = p->codes, .numbers = (const uint8_t *)R, .number_B = 8 * NUMBERS};
    for (uint32_t k = 0, end; k < m->count; k = end) {
        for (end = k; end < m->count && m->codes[end] != RP_X_LOAD32_G;)
            end++;
        if (end > k) {
            put_tile(p, m, table, k, end);
        } else {
            put_gather(p, m, table, k);
            end = k + 2;
        }
    }
    put(p, table, RP_X_END, (struct rp_op){0});
}

static uint32_t
random_integer(void)
{
    return pick(3) ? (uint32_t)(test_random(&seed) >> 8) >> pick(32) : 0u - pick(300);
}

static uint32_t
random_float(void)
{
    static const uint32_t special[] = {0,           0x80000000u, 0x7f800000u, 0xff800000u,
                                       0x7fc00000u, 0x7fa00001u, 0xffa00001u, 0x4f000000u,
                                       0xcf000000u, 0x4f800000u, 0x3f800000u, 0x00000001u,
                                       0x7f7fffffu, 0x80000001u, 0x33000000u, 0xbf000000u};
    const uint32_t bits = (uint32_t)(test_random(&seed) >> 8);
    const float f = (float)(int32_t)bits / (float)(1u << pick(31));
    uint32_t number;
    memcpy(&number, &f, sizeof(number));
    return pick(4) ? number : special[pick(16)];
}

static void
start(char *R)
{
    uint32_t *const words = (uint32_t *)R;
    for (uint32_t k = 0; k < TOTAL_B / 4; k++)
        words[k] = (uint32_t)(test_random(&seed) >> 8);
    for (uint32_t k = 0; k < NUMBERS + VARIABLES; k++) {
        const bool is_float = k < NUMBERS ? k >= NUMBERS / 2 : k - NUMBERS >= VARIABLES / 2;
        words[2 * k] = is_float ? random_float() : pick(2) ? pick(40) : random_integer();
    }
    for (uint32_t k = 0; k < 2 * INPUTS; k++)
        for (uint32_t lane = 0; lane < BLOCKS * 16; lane++)
            words[(FIRST_WORD + k * WORD_B) / 4 + lane] =
                k % 2 == FLOAT ? random_float() : random_integer();
}

static bool
is_nan(uint32_t word)
{
    return (word & INT32_MAX) > 0x7f800000u;
}

/* Do they differ in lanes alone that gather nothing? at_B: in the register. */
static bool
are_inactive(const struct rp_exec *x, int32_t block, bool is_mask, uint32_t at_B, const char *want,
             const char *got)
{
    const uint32_t active = x->is_full ? 0xffff : x->levels[0].bits[block];
    uint16_t a, b;
    memcpy(&a, want, 2);
    memcpy(&b, got, 2);
    return is_mask ? ((a ^ b) & active) == 0 : !(active >> at_B % 64 / 4 & 1);
}

/* What the interpreter made, what the code made of the same, and what there was. */
static bool
is_right(const struct maker *m, const char *want, const char *got, const char *before,
         const struct rp_exec *x, uint32_t *at)
{
    for (*at = FIRST_MASK; *at < FIRST_KEPT; *at += 2) {
        const bool is_mask = *at < FIRST_WORD;
        const uint32_t from = is_mask ? FIRST_MASK : FIRST_WORD;
        const uint32_t size_B = is_mask ? RP_MASK_B : WORD_B;
        const uint32_t home = from + (*at - from) / size_B * size_B;
        const int32_t block = (int32_t)((*at - home) / (is_mask ? 2 : 64));
        const bool is_inside = block >= x->k0 && block < x->k1;
        uint32_t a, b;
        if (m->is_open[home / 64] && is_inside)
            continue;
        if (memcmp(got + *at, (is_inside ? want : before) + *at, 2) == 0)
            continue;
        if (is_inside && are_inactive(x, block, is_mask, *at - home, want + *at, got + *at))
            continue;
        memcpy(&a, want + *at / 4 * 4, 4);
        memcpy(&b, got + *at / 4 * 4, 4);
        if (is_mask || !is_inside || !is_nan(a) || !is_nan(b))
            return false;
    }
    return true;
}

static void
print(const struct maker *m)
{
    for (uint32_t k = 0; k < m->count; k++) {
        const struct rp_op *o = &m->ops[k];
        const struct form *f = forms;
        if (m->codes[k] == RP_X_LOAD32_G) {
            const struct rp_op_more *more = (const struct rp_op_more *)&m->ops[++k];
            printf("%u: gather d %u a %u by %d of %d\n", k - 1, more->r[0], o->a,
                   (int32_t)more->r[6], o->i);
            continue;
        }
        while (f->code != m->codes[k])
            f++;
        printf("%u: %s %s d %u a %u b %u c %u n %u\n", k, f->name, f->operands, o->d, o->a, o->b,
               o->c, o->n);
    }
}

/* Memory, active lanes, and how often gathers do not look for runs. */
static void
start_gathers(struct rp_exec *x)
{
    static uint8_t memory[MEMORIES][MEMORY_B];
    for (uint32_t k = 0; k < MEMORIES; k++) {
        const uint32_t size_B = pick(4) ? MEMORY_B - pick(8) : pick(300);
        x->memory[k] = (struct rp_memory){memory[k], size_B};
        for (uint32_t b = 0; b < 100; b++)
            memory[k][pick(pick(2) ? MEMORY_B : 300)] = (uint8_t)pick(256);
    }
    for (uint32_t k = 0; k < BLOCKS; k++)
        x->levels[0].bits[k] = (uint16_t)(pick(4) ? pick(65536) : pick(2) ? 0xffff : 0);
    x->is_full = pick(2);
    memset(x->rests, pick(8) ? 9 : 0, sizeof(x->rests));
    for (uint32_t k = 0; k < 30 && pick(4) == 0; k++)
        x->rests[pick(RP_REST_COUNT)] = 0;
}

static bool
has_tile(const struct maker *m)
{
    for (uint32_t k = 0; k < m->count; k++)
        if (m->codes[k] != RP_X_LOAD32_G && m->codes[k] != RP_X_COUNT)
            return true;
    return false;
}

static void
check(struct maker *m, uint32_t flags, struct rp_exec *x)
{
    static _Alignas(64) char before[TOTAL_B], want[TOTAL_B], got[TOTAL_B];
    static uint8_t rests[RP_REST_COUNT], rests_left[RP_REST_COUNT];
    static struct program program;
    uint32_t at;
    start(before);
    memcpy(want, before, TOTAL_B);
    memcpy(got, before, TOTAL_B);
    x->k0 = (int32_t)pick(BLOCKS);
    x->k1 = x->k0 + (int32_t)pick(BLOCKS + 1 - (uint32_t)x->k0);
    start_gathers(x);
    memcpy(rests, x->rests, sizeof(rests));
    fill(&program, m, rp_exec_table(flags), before);
    rp_exec_run(program.ops, want, x);
    memcpy(rests_left, x->rests, sizeof(rests));
    memcpy(x->rests, rests, sizeof(rests));
    struct rp_machine_code code = rp_machine_code_make(&program.p, flags);
    REQUIRE(code.pages != NULL || !has_tile(m));
    rp_exec_run(program.ops, got, x);
    rp_machine_code_free(&code);
    const bool is_rested = !x->is_full || memcmp(x->rests, rests_left, sizeof(rests)) == 0;
    if (!is_right(m, want, got, before, x, &at) || !is_rested) {
        print(m);
        printf("at %u, window %d to %d\n", at, x->k0, x->k1);
        REQUIRE(!"the same");
    }
}

/* What a damaged cache may hold: nothing happens while the code is made. */
static void
damaged(const struct maker *m, uint32_t flags)
{
    static _Alignas(64) char R[FIRST_MASK];
    static struct program program;
    fill(&program, m, rp_exec_table(flags), R);
    for (uint32_t k = 0; k < 3; k++) {
        struct rp_op *o = &program.ops[pick(program.p.op_count)];
        uint32_t *const members[4] = {&o->a, &o->b, &o->c, &o->d};
        *members[pick(4)] = (uint32_t)(test_random(&seed) >> pick(40));
        o->n = (uint16_t)pick(16);
        o->i = (int32_t)pick(200) - 100;
        program.codes[pick(program.p.op_count)] = (uint16_t)pick(RP_X_COUNT);
    }
    struct rp_machine_code code = rp_machine_code_make(&program.p, flags);
    rp_machine_code_free(&code);
}

int
main(int argc, char **argv)
{
    const uint32_t count = argc > 1 ? (uint32_t)atoi(argv[1]) : 4000;
    seed = argc > 2 ? (uint64_t)atoi(argv[2]) : 1;
    const uint32_t flags = rp_cpu_flags();
    if (!(flags & RP_CPU_X86_64_V3)) {
        puts("no machine code without AVX2");
        return 77;
    }
    struct rp_exec *x = calloc(1, sizeof(*x) + sizeof(struct rp_level));
    for (uint32_t k = 0; k < count; k++) {
        static struct maker m;
        make(&m, 1 + pick(pick(2) ? MAX_OPS : 6));
        check(&m, flags & ~(uint32_t)RP_CPU_X86_64_V4, x);
        if (flags & RP_CPU_X86_64_V4)
            check(&m, flags, x);
        damaged(&m, flags);
    }
    free(x);
    return 0;
}
