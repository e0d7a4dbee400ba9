/* SPDX-License-Identifier: MIT */
/* Every arithmetic operation of scalars against its form for lanes, on every instruction set: one
 * is plain C, the other a vector.
 */
#include "compute/exec/exec.h"
#include "compute/exec/op_list.h"
#include "harness.h"
#include "reelpipe/cpu.h"

#define ROUNDS 4000u

enum { A_AT = 0, B_AT = 256, C_AT = 512, D_AT = 768, SCALAR_AT = 1024 }; /* scalars lie behind */

static _Alignas(64) char R[2 * SCALAR_AT];

static uint64_t
next_random(void)
{
    static uint64_t state = 88172645463325252u;
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

static uint64_t
next_operand(void)
{
    static const uint32_t special[] = {0,          1,          31,         32,         63,
                                       64,         0x7f,       0x80,       0x7fff,     0x8000,
                                       0x7fffffff, 0x80000000, 0xffffffff, 0x3f800000, 0xbf800000,
                                       0x7f800000, 0xff800000, 0x7fc00000, 0x00000001, 0x807fffff};
    const uint32_t count = sizeof(special) / sizeof(special[0]);
    if (next_random() >> 20 & 1)
        return next_random() >> (next_random() >> 20) % 64;
    return special[(next_random() >> 20) % count] | (uint64_t)special[(next_random() >> 20) % count]
                                                        << 32;
}

static void
run(const struct rp_exec_table *table, uint32_t code, uint32_t base, struct rp_exec *x)
{
    const struct rp_op program[2] = {
        {.fn = table->handlers[code],
         .a = base,
         .b = base + B_AT,
         .c = base + C_AT,
         .d = base + D_AT},
        {.fn = table->handlers[RP_X_END]},
    };
    rp_exec_run(program, R, x);
}

/* Sizes of operands and of the result in bytes; a result of 0 is a bool. */
struct shape {
    uint32_t in_B[3];
    uint32_t out_B;
};

static void
put(const struct shape *shape)
{
    for (uint32_t i = 0; i < 3; i++) {
        const uint64_t value = next_operand();
        for (uint32_t lane = 0; lane < 16; lane++)
            memcpy(R + i * B_AT + (size_t)lane * shape->in_B[i], &value, shape->in_B[i]);
        memcpy(R + SCALAR_AT + i * B_AT, &value, 8);
    }
}

static uint64_t
result(const struct shape *shape, uint32_t base)
{
    uint64_t value = 0;
    if (shape->out_B)
        memcpy(&value, R + base + D_AT, shape->out_B);
    else if (base)
        memcpy(&value, R + base + D_AT, 4);
    else
        value = (uint8_t)R[D_AT] & 1;
    return value;
}

static bool
is_none(uint64_t value, uint32_t size_B)
{
    return size_B == 8 ? (value & INT64_MAX) > 0x7ff0000000000000u
                       : (value & INT32_MAX) > 0x7f800000u;
}

static void
check(const struct rp_exec_table *table, const char *name, uint32_t lanes, uint32_t scalar,
      const struct shape *shape)
{
    static union {
        struct rp_exec x;
        char room[sizeof(struct rp_exec) + sizeof(struct rp_level)];
    } exec;
    exec.x.k1 = 1;
    exec.x.is_full = true;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        put(shape);
        run(table, lanes, 0, &exec.x);
        run(table, scalar, SCALAR_AT, &exec.x);
        const uint64_t of_lanes = result(shape, 0), of_scalar = result(shape, SCALAR_AT);
        if (shape->out_B && is_none(of_lanes, shape->out_B) && is_none(of_scalar, shape->out_B))
            continue; /* which NaN is not said */
        if (of_lanes != of_scalar)
            fprintf(stderr, "%s, %s\n", name, table->name);
        REQUIRE_EQ(of_scalar, of_lanes);
    }
}

#define CHECK(name, form, scalar_form, ...) \
    check(table, #name, RP_X_##name##_##form, RP_X_##name##_##scalar_form, \
          &(const struct shape){__VA_ARGS__});
#define I_I(name) CHECK(name, V, S, {4}, 4)
#define L_L(name) CHECK(name, V, S, {8}, 8)
#define L_I(name) CHECK(name, V, S, {4}, 8)
#define I_L(name) CHECK(name, V, S, {8}, 4)
#define I_II(name) CHECK(name, VV, SS, {4, 4}, 4)
#define L_LL(name) CHECK(name, VV, SS, {8, 8}, 8)
#define L_LI(name) CHECK(name, VV, SS, {8, 4}, 8)
#define L_II(name) CHECK(name, VV, SS, {4, 4}, 8)
#define B_II(name) CHECK(name, VV, SS, {4, 4}, 0)
#define B_LL(name) CHECK(name, VV, SS, {8, 8}, 0)
#define I_III(name) CHECK(name, VVV, SSS, {4, 4, 4}, 4)

static void
check_all(const struct rp_exec_table *table)
{
    /* clang-format off */
    RP_OPS_I_I(I_I) RP_OPS_L_L(L_L) RP_OPS_L_I(L_I) RP_OPS_I_L(I_L)
    RP_OPS_I_II_COMM(I_II) RP_OPS_I_II(I_II) RP_OPS_L_LL(L_LL) RP_OPS_L_LI(L_LI)
    RP_OPS_L_II(L_II) RP_OPS_B_II(B_II) RP_OPS_B_LL(B_LL) RP_OPS_I_III(I_III)
    /* clang-format on */
}

int
main(void)
{
    for (uint32_t isa = 0; isa < ISA_COUNT; isa++)
        check_all(rp_exec_table(isa_flags[isa] & rp_cpu_flags()));
    return 0;
}
