/* SPDX-License-Identifier: MIT */
/* Machine code of runs of 64-bit arithmetic does what the interpreter's handlers do: random runs of
 * every operation in every form, cut by others, on random windows, with AVX2 and with AVX-512.
 */
#include "harness.h"

#include "compute/exec/exec.h"
#include "compute/exec/op_list.h"
#include "compute/machine/tile.h"
#include "reelpipe/cpu.h"

#define BLOCKS 16u
#define LONG_B (BLOCKS * 128)
#define NUMBERS 16u  /* scalars that never change: integers, then doubles, then counts of shifts */
#define VARIABLES 8u /* others: integers, then doubles */
#define INPUTS 5u    /* registers of each type that hold something */
#define MAX_OPS 96u
#define LONGS (2 * INPUTS + MAX_OPS)

#define FIRST_VARIABLE (8 * NUMBERS)
#define FIRST_LONG ((8u * (NUMBERS + VARIABLES) + 63) / 64 * 64)
#define TOTAL_B (FIRST_LONG + LONGS * LONG_B)

enum type {
    INTEGER,
    DOUBLE, /* which NaN comes of two is open, so that nothing looks at their bits */
};

struct form {
    uint16_t code;
    const char *name, *operands; /* V, S, and C: a count of a shift */
    uint8_t type;                /* enum type */
};

/* clang-format off */
#define FORM(name, form, operands, type) {RP_X_##name##_##form, #name, operands, type},
#define UN(name, type) FORM(name, V, "V", type)
#define BIN(name, type) \
    FORM(name, VV, "VV", type) FORM(name, VS, "VS", type) FORM(name, SV, "SV", type)
#define SHIFT(name) FORM(name, VS, "VC", INTEGER)
static const struct form forms[] = {
    UN(INEG64, INTEGER) UN(INOT64, INTEGER) UN(FNEG64, DOUBLE) UN(FABS64, DOUBLE) UN(SQRT64, DOUBLE)
    BIN(IADD64, INTEGER) BIN(ISUB64, INTEGER) BIN(IMUL64, INTEGER) BIN(AND64, INTEGER)
    BIN(OR64, INTEGER) BIN(XOR64, INTEGER) BIN(FADD64, DOUBLE) BIN(FSUB64, DOUBLE)
    BIN(FMUL64, DOUBLE) BIN(FDIV64, DOUBLE) SHIFT(SHL64) SHIFT(SHR64) SHIFT(SAR64) SHIFT(ROTL64)
    SHIFT(XSHL64) SHIFT(XSHR64) FORM(MAD64, VVV, "VVV", DOUBLE)
    FORM(SMIN64, VV, "VV", INTEGER) /* which there is no code for */
};
#define FORM_COUNT (sizeof(forms) / sizeof(forms[0]))
#define DECLARED(name) +1
_Static_assert(FORM_COUNT == (0 TILE_L_L(DECLARED)) + 3 * (0 TILE_L_LL(DECLARED)) +
                                 (0 TILE_L_LI(DECLARED)) + 2, "all of them");
/* clang-format on */

static uint64_t seed;

static uint32_t
pick(uint32_t count)
{
    return (uint32_t)(test_random(&seed) >> 8) % count;
}

struct program {
    struct rp_op ops[MAX_OPS + 1];
    uint16_t codes[MAX_OPS + 1];
    struct rp_machine_source p;
    uint32_t results[MAX_OPS];
    bool is_open[LONGS]; /* nobody reads what is there in the end */
};

static uint32_t
home(uint32_t k)
{
    return FIRST_LONG + k * LONG_B;
}

static uint32_t
operand(char kind, enum type type, const uint32_t *readable, uint32_t count)
{
    if (kind == 'C')
        return 8 * (NUMBERS - 4 + pick(4));
    if (kind == 'V')
        return readable[pick(count)];
    const bool is_double = type == DOUBLE;
    return pick(2) ? 8 * (6 * is_double + pick(6)) : FIRST_VARIABLE + 8 * (4 * is_double + pick(4));
}

/* How many operations behind k are the last to read its result, unless one that is no arithmetic of
 * longs comes first, or somebody else reads it. */
static void
mark_readers(struct program *p, uint32_t count)
{
    for (uint32_t k = 0; k < count; k++) {
        uint32_t last = 0;
        bool is_cut = false;
        for (uint32_t n = k + 1; n < count; n++) {
            const struct rp_op *o = &p->ops[n];
            const char *kinds = NULL;
            for (uint32_t f = 0; f < FORM_COUNT; f++)
                if (forms[f].code == p->codes[n])
                    kinds = forms[f].operands;
            const uint32_t at[3] = {o->a, o->b, o->c};
            is_cut |= p->codes[n] == RP_X_SMIN64_VV;
            for (uint32_t a = 0; kinds[a]; a++)
                if (kinds[a] == 'V' && at[a] == p->ops[k].d)
                    last = is_cut ? MAX_OPS : n - k;
            if (o->d == p->ops[k].d)
                break;
        }
        const bool is_local = last && last < MAX_OPS && pick(3);
        p->ops[k].n = is_local ? (uint16_t)last : 0;
        p->is_open[(p->ops[k].d - FIRST_LONG) / LONG_B] = is_local;
    }
}

static void
fill(struct program *p, uint32_t count)
{
    uint32_t readable[2][LONGS], readable_count[2] = {0, 0};
    memset(p, 0, sizeof(*p));
    for (uint32_t k = 0; k < 2 * INPUTS; k++)
        readable[k % 2][readable_count[k % 2]++] = home(k);
    const struct form *const often = &forms[pick(FORM_COUNT)];
    for (uint32_t k = 0; k < count; k++) {
        const struct form *f = pick(3) ? &forms[pick(FORM_COUNT)] : often;
        struct rp_op o = {.d = home(2 * INPUTS + k)};
        uint32_t *const at[3] = {&o.a, &o.b, &o.c};
        for (uint32_t a = 0; f->operands[a]; a++)
            *at[a] = operand(f->operands[a], f->type, readable[f->type], readable_count[f->type]);
        const uint32_t of = pick(2), last = pick(readable_count[of]);
        if (pick(2) && readable_count[of] > 2) { /* nobody reads it any more */
            o.d = readable[of][last];
            readable[of][last] = readable[of][--readable_count[of]];
        }
        readable[f->type][readable_count[f->type]++] = o.d;
        p->codes[k] = f->code;
        p->ops[k] = o;
    }
    mark_readers(p, count);
    p->codes[count] = RP_X_END;
    p->p.op_count = count + 1;
    p->p.ops = p->ops;
    p->p.codes = p->codes;
}

static uint64_t
random_double(void)
{
    static const uint64_t special[] = {
        0,
        UINT64_C(0x8000000000000000),
        UINT64_C(0x7ff0000000000000),
        UINT64_C(0x7ff8000000000000),
        UINT64_C(0x7ff0000000000001),
        UINT64_C(0x3ff0000000000000),
        1,
        UINT64_C(0x7fefffffffffffff),
    };
    const double d = (double)(int64_t)test_random(&seed) / (double)(UINT64_C(1) << pick(63));
    uint64_t bits;
    memcpy(&bits, &d, sizeof(bits));
    return pick(4) ? bits : special[pick(8)];
}

static void
start(char *R)
{
    uint64_t *const words = (uint64_t *)R;
    for (uint32_t k = 0; k < TOTAL_B / 8; k++)
        words[k] = test_random(&seed) >> pick(64);
    for (uint32_t k = 0; k < NUMBERS; k++)
        words[k] = k < 6              ? test_random(&seed) >> pick(64)
                   : k < NUMBERS - 4  ? random_double()
                   : k == NUMBERS - 1 ? (uint64_t)pick(2) * 64
                                      : pick(70);
    for (uint32_t k = 4; k < VARIABLES; k++)
        words[FIRST_VARIABLE / 8 + k] = random_double();
    for (uint32_t k = 1; k < 2 * INPUTS; k += 2)
        for (uint32_t lane = 0; lane < BLOCKS * 16; lane++)
            words[home(k) / 8 + lane] = random_double();
}

static bool
is_nan(uint64_t bits)
{
    return (bits & INT64_MAX) > UINT64_C(0x7ff0000000000000);
}

static bool
is_right(const struct program *p, const char *want, const char *got, const char *before,
         const struct rp_exec *x)
{
    for (uint32_t at = FIRST_LONG; at < TOTAL_B; at += 8) {
        const uint32_t k = (at - FIRST_LONG) / LONG_B;
        const int32_t block = (int32_t)((at - home(k)) / 128);
        const bool is_inside = block >= x->k0 && block < x->k1;
        uint64_t a, b;
        memcpy(&a, (is_inside ? want : before) + at, 8);
        memcpy(&b, got + at, 8);
        if (a != b && !(is_inside && p->is_open[k]) && !(is_inside && is_nan(a) && is_nan(b))) {
            for (uint32_t n = 0; n < p->p.op_count; n++)
                printf("%u: code %u d %u a %u b %u c %u n %u\n", n, p->codes[n], p->ops[n].d,
                       p->ops[n].a, p->ops[n].b, p->ops[n].c, p->ops[n].n);
            printf("register %u, block %d of %d to %d\n", home(k), block, x->k0, x->k1);
            return false;
        }
    }
    return true;
}

/* Returns whether there is code for it. */
static bool
check(struct program *p, uint32_t flags, struct rp_exec *x)
{
    static _Alignas(64) char before[TOTAL_B], want[TOTAL_B], got[TOTAL_B];
    start(before);
    memcpy(want, before, TOTAL_B);
    memcpy(got, before, TOTAL_B);
    x->k0 = (int32_t)pick(BLOCKS);
    x->k1 = x->k0 + (int32_t)pick(BLOCKS + 1 - (uint32_t)x->k0);
    for (uint32_t k = 0; k < p->p.op_count; k++)
        p->ops[k].fn = rp_exec_handler(rp_exec_table(flags), p->codes[k]);
    p->p.numbers = (const uint8_t *)before;
    p->p.number_B = 8 * NUMBERS;
    rp_exec_run(p->ops, want, x);
    struct rp_machine_code code = rp_machine_code_make(&p->p, flags);
    const bool has_code = code.pages;
    rp_exec_run(p->ops, got, x);
    rp_machine_code_free(&code);
    REQUIRE(is_right(p, want, got, before, x));
    return has_code;
}

int
main(int argc, char **argv)
{
    const uint32_t count = argc > 1 ? (uint32_t)atoi(argv[1]) : 1000;
    seed = argc > 2 ? (uint64_t)atoi(argv[2]) : 1;
    const uint32_t flags = rp_cpu_flags();
    if (!(flags & RP_CPU_X86_64_V3)) {
        puts("no machine code without AVX2");
        return 77;
    }
    struct rp_exec *x = calloc(1, sizeof(*x) + sizeof(struct rp_level));
    uint32_t code_count = 0;
    for (uint32_t k = 0; k < count; k++) {
        static struct program p;
        fill(&p, 2 + pick(pick(2) ? MAX_OPS - 1 : 6));
        code_count += check(&p, flags & ~(uint32_t)RP_CPU_X86_64_V4, x);
        if (flags & RP_CPU_X86_64_V4)
            (void)check(&p, flags, x);
    }
    REQUIRE(code_count > count / 2); /* the others have no two operations in a row */
    free(x);
    return 0;
}
