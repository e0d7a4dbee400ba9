/* SPDX-License-Identifier: MIT */
/* Machine code of scalars does what the interpreter's handlers do: random programs of every
 * operation that there is code for, with jumps, loops, memory and numbers.
 */
#include "harness.h"

#include "compute/exec/exec.h"
#include "compute/exec/op_list.h"
#include "compute/machine/shape.h"
#include "reelpipe/cpu.h"

#include <sys/prctl.h>

#ifndef PR_SET_MDWE
#define PR_SET_MDWE 65
#define PR_MDWE_REFUSE_EXEC_GAIN 1
#endif

#define NUMBERS 12u
#define FIRST_NUMBER 11u
#define FIRST_SCALAR (FIRST_NUMBER + NUMBERS)
#define GROUP 6u /* scalars of each type */
#define SCALARS (FIRST_SCALAR + 3 * GROUP + 1)
#define COUNTER (SCALARS - 1)
#define OPS 48u
#define MEMORY_B 61u
#define ROUNDS 5u

enum type {
    NUMBER, /* of 32 bits */
    FLOAT,  /* the same, no NaN but the one that arithmetic makes: handlers may change operands */
    LONG,
};

static uint64_t seed;

/* Of programs without jumps: what scalars of numbers and longs hold, each now this, now that. */
static bool is_straight;
static enum type held[2 * GROUP];
static uint16_t codes[RP_X_COUNT];
static uint32_t code_count;

static uint32_t
pick(uint32_t count)
{
    return (uint32_t)(test_random(&seed) >> 8) % count;
}

static uint32_t
place(enum type type, uint32_t k)
{
    return 8 * (FIRST_SCALAR + (type == FLOAT ? 2 * GROUP : type == LONG ? GROUP : 0) + k);
}

static uint32_t
slot(enum type type)
{
    const uint32_t number = 8 * (FIRST_NUMBER + pick(NUMBERS)), first = pick(2 * GROUP);
    if (type != FLOAT && pick(4) == 0)
        return number;
    if (type == FLOAT || !is_straight)
        return place(type, pick(GROUP));
    for (uint32_t k = 0; k < 2 * GROUP; k++)
        if (held[(first + k) % (2 * GROUP)] == type)
            return place(NUMBER, (first + k) % (2 * GROUP));
    return number;
}

static uint32_t
written(enum type type)
{
    const uint32_t k = pick(2 * GROUP);
    if (type == FLOAT || !is_straight)
        return place(type, pick(GROUP));
    held[k] = type;
    return place(NUMBER, k);
}

static enum type
result_type(enum machine_op op)
{
    return machine_is_float(op) ? FLOAT : machine_is_long(op) ? LONG : NUMBER;
}

static enum type
operand_type(enum machine_op op, uint32_t which)
{
    switch (op) {
    case MACHINE_FEQ:
    case MACHINE_FNE:
    case MACHINE_FLT:
    case MACHINE_FLE:
        return FLOAT;
    case MACHINE_I2L:
    case MACHINE_U2L:
    case MACHINE_PACK64:
        return NUMBER;
    case MACHINE_L2I:
    case MACHINE_HI64:
        return LONG;
    case MACHINE_SHL64:
    case MACHINE_SHR64:
    case MACHINE_SAR64:
    case MACHINE_XSHL64:
    case MACHINE_XSHR64:
        return which ? NUMBER : LONG;
    case MACHINE_SEL64:
        return which ? LONG : NUMBER;
    default:
        return op >= MACHINE_IEQ64 && op <= MACHINE_ULE64 ? LONG : result_type(op);
    }
}

static struct rp_op
of_memory(struct machine_shape shape)
{
    const bool is_long = shape.first == 8;
    struct rp_op o = {.a = slot(NUMBER), .b = slot(NUMBER), .c = pick(8), .i = 1};
    o.n = (uint16_t)pick(4);
    o.d = shape.kind == MACHINE_STORE ? slot(is_long ? LONG : NUMBER)
                                      : written(is_long ? LONG : NUMBER);
    return o;
}

/* An operation of a code; jumps go on to one of the next `room` records. */
static struct rp_op
make(uint32_t code, uint32_t room)
{
    const struct machine_shape shape = machine_shape(code);
    struct rp_op o = {.i = (int32_t)(1 + pick(room))};
    const enum machine_op op = shape.first;
    switch (shape.kind) {
    case MACHINE_LOAD:
    case MACHINE_STORE:
        return of_memory(shape);
    case MACHINE_MOVE:
    case MACHINE_MOVE64: {
        const enum type type = shape.kind == MACHINE_MOVE ? NUMBER : pick(3);
        o.a = slot(type);
        o.d = written(type);
        return o;
    }
    case MACHINE_TRIPLE:
        o.i = (int32_t)slot(NUMBER);
        break;
    default:
        break;
    }
    o.a = slot(operand_type(op, 0));
    o.b = slot(operand_type(op, 1));
    o.c = slot(operand_type(op, 2));
    o.d = written(shape.kind == MACHINE_ARITHMETIC ? result_type(op) : NUMBER);
    return o;
}

struct program {
    struct rp_op ops[OPS + 6];
    uint16_t codes[OPS + 6];
    uint8_t scalars[8 * FIRST_SCALAR];
    struct rp_machine_source p;
    struct rp_machine_code code;
};

static void
put(struct program *program, uint32_t code, struct rp_op o)
{
    const struct rp_exec_table *table = rp_exec_table(rp_cpu_flags());
    program->codes[program->p.op_count] = (uint16_t)code;
    o.fn = rp_exec_handler(table, code);
    program->ops[program->p.op_count++] = o;
}

/* A loop of ROUNDS rounds around random operations, of which now and then one is not for code. */
static void
fill(struct program *program)
{
    static const uint64_t numbers[NUMBERS] = {0,
                                              1,
                                              2,
                                              5,
                                              31,
                                              UINT32_MAX,
                                              INT32_MAX,
                                              0x80000000u,
                                              UINT64_MAX,
                                              UINT64_C(1) << 63,
                                              UINT64_C(0x123456789abcdef0),
                                              ROUNDS};
    memset(program, 0, sizeof(*program));
    is_straight = pick(3) == 0;
    for (uint32_t k = 0; k < 2 * GROUP; k++)
        held[k] = k < GROUP ? NUMBER : LONG;
    program->p = (struct rp_machine_source){.ops = program->ops,
                                            .codes = program->codes,
                                            .numbers = program->scalars + 8 * FIRST_NUMBER,
                                            .first_number_B = 8 * FIRST_NUMBER,
                                            .number_B = 8 * NUMBERS};
    memcpy(program->scalars + 8 * FIRST_NUMBER, numbers, sizeof(numbers));
    const struct rp_op test = {
        .a = 8 * COUNTER, .b = 8 * (FIRST_SCALAR - 1), .d = written(NUMBER), .i = OPS + 3};
    put(program, RP_X_IF_SLT, test);
    for (uint32_t k = 0; k < OPS; k++) {
        if (pick(12) == 0)
            put(program, RP_X_UDIV_SS, make(RP_X_IADD_SS, 1));
        else {
            uint32_t code = codes[pick(code_count)];
            while (is_straight && machine_shape(code).kind >= MACHINE_JUMPS)
                code = codes[pick(code_count)];
            put(program, code, make(code, RP_MIN(OPS - k, 6)));
        }
    }
    put(program, RP_X_IADD_SS,
        (struct rp_op){.a = 8 * COUNTER, .b = 8 * (FIRST_NUMBER + 1), .d = 8 * COUNTER});
    put(program, RP_X_LOOPBACK, (struct rp_op){.i = -(int32_t)OPS - 2});
    put(program, RP_X_END, (struct rp_op){.i = 0});
}

struct state {
    uint64_t R[SCALARS];
    uint8_t memory[MEMORY_B];
    uint32_t fuel;
};

static void
start(const struct program *program, struct state *s)
{
    memset(s, 0, sizeof(*s));
    memcpy(s->R, program->scalars, sizeof(program->scalars));
    if (is_straight)
        s->R[COUNTER] = ROUNDS - 1;
    for (uint32_t k = 0; k < GROUP; k++) {
        const float f = (float)(int32_t)pick(2000) / 16.0f - 40.0f;
        s->R[FIRST_SCALAR + k] = pick(3) ? pick(70) : (uint32_t)test_random(&seed);
        memcpy(&s->R[FIRST_SCALAR + 2 * GROUP + k], &f, sizeof(f));
        s->R[FIRST_SCALAR + GROUP + k] = test_random(&seed) >> 8 * pick(8);
    }
    for (uint32_t k = 0; k < MEMORY_B; k++)
        s->memory[k] = (uint8_t)test_random(&seed);
    s->fuel = 1 + pick(8);
}

static void
run(const struct program *program, struct state *s, struct rp_exec *x)
{
    atomic_bool is_cancelled = false;
    x->memory[1] = (struct rp_memory){s->memory, MEMORY_B};
    x->fuel = s->fuel;
    x->is_cancelled = &is_cancelled;
    rp_exec_run(program->ops, (char *)s->R, x);
    s->fuel = x->fuel;
}

/* Of numbers of 32 bits nobody reads more. */
static void
compare(const struct state *a, const struct state *b)
{
    for (uint32_t k = FIRST_SCALAR; k < SCALARS; k++) {
        const uint32_t n = k - FIRST_SCALAR;
        const bool is_long = n < 2 * GROUP && (is_straight ? held[n] == LONG : n >= GROUP);
        if (is_long)
            REQUIRE_EQ(a->R[k], b->R[k]);
        else
            REQUIRE_EQ((uint32_t)a->R[k], (uint32_t)b->R[k]);
    }
    REQUIRE(memcmp(a->memory, b->memory, MEMORY_B) == 0);
    REQUIRE_EQ(a->fuel, b->fuel);
}

/* Each takes a mapping of the process. */
static void
only_so_many_programs_have_code(void)
{
    static struct program program;
    static struct rp_machine_code codes_made[16385];
    fill(&program);
    for (uint32_t k = 0; k < 16385; k++) {
        struct program copy = program;
        copy.p.ops = copy.ops;
        codes_made[k] = rp_machine_code_make(&copy.p, rp_cpu_flags());
        REQUIRE_EQ(codes_made[k].pages != NULL, k < 16384);
    }
    for (uint32_t k = 0; k < 16385; k++)
        rp_machine_code_free(&codes_made[k]);
}

/* Where memory may not be executed the interpreter does all. */
static void
refused(struct rp_exec *x)
{
    static struct program program, before;
    struct state s;
    if (prctl(PR_SET_MDWE, PR_MDWE_REFUSE_EXEC_GAIN, 0, 0, 0))
        return; /* Linux before 6.3 */
    fill(&program);
    before = program;
    program.code = rp_machine_code_make(&program.p, rp_cpu_flags());
    REQUIRE(program.code.pages == NULL);
    REQUIRE(memcmp(program.ops, before.ops, sizeof(before.ops)) == 0);
    start(&program, &s);
    run(&program, &s, x);
}

int
main(int argc, char **argv)
{
    const uint32_t count = argc > 1 ? (uint32_t)atoi(argv[1]) : 8000;
    seed = argc > 2 ? (uint64_t)atoi(argv[2]) : 1;
    if (!(rp_cpu_flags() & RP_CPU_X86_64_V3)) {
        puts("no machine code without AVX2");
        return 77;
    }
    struct rp_exec *x = calloc(1, sizeof(*x) + sizeof(struct rp_level));
    for (uint32_t code = 0; code < RP_X_COUNT; code++) {
        const uint32_t kind = machine_shape(code).kind;
        if (kind != MACHINE_NOTHING && kind != MACHINE_LOOPBACK)
            codes[code_count++] = (uint16_t)code;
    }
    for (uint32_t k = 0; k < count; k++) {
        static struct program program;
        struct state interpreted, native;
        fill(&program);
        start(&program, &interpreted);
        native = interpreted;
        run(&program, &interpreted, x);
        program.code = rp_machine_code_make(&program.p, rp_cpu_flags());
        REQUIRE(program.code.pages != NULL);
        run(&program, &native, x);
        compare(&interpreted, &native);
        rp_machine_code_free(&program.code);
    }
    only_so_many_programs_have_code();
    refused(x);
    free(x);
    return 0;
}
