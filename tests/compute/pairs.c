/* SPDX-License-Identifier: MIT */
/* Two operations on scalars in one record give what the two give one after the other, whatever the
 * registers that they share (src/compute/exec/pair.c), on each instruction set.
 */
#include "compute/exec/exec.h"
#include "compute/exec/op_list.h"
#include "harness.h"
#include "reelpipe/cpu.h"

#define REGISTERS 6u
#define ROUNDS 64u

struct pair {
    uint16_t first, second, both;
    bool is_reversed, is_of_three;
};

/* clang-format off */
enum single {
#define SINGLE(name, form) ONE_##name = RP_X_##name##_##form,
    SINGLE(IADD, SS) SINGLE(ISUB, SS) SINGLE(AND, SS) SINGLE(OR, SS) SINGLE(XOR, SS)
    SINGLE(SHL, SS) SINGLE(SHR, SS) SINGLE(SAR, SS) SINGLE(SMIN, SS) SINGLE(SMAX, SS)
    SINGLE(UMIN, SS) SINGLE(INEG, S) SINGLE(IABS, S) SINGLE(SEXT8, S) SINGLE(SEXT16, S)
    SINGLE(ZEXT8, S) SINGLE(ZEXT16, S) SINGLE(IEQ, SS) SINGLE(INE, SS) SINGLE(SLT, SS)
    SINGLE(SLE, SS) SINGLE(ULT, SS) SINGLE(ULE, SS) SINGLE(SAD3, SSS) SINGLE(SHLADD, SSS)
    SINGLE(SHLOR, SSS) SINGLE(SHRAND, SSS) SINGLE(IMAD, SSS)
};

static const struct pair pairs[] = {
#define PAIR(a, b) {ONE_##a, ONE_##b, RP_X_PAIR_##a##_##b, false, false},
#define PAIR_R(a, b) {ONE_##a, ONE_##b, RP_X_PAIR_##a##_R##b, true, false},
    RP_EXEC_PAIRS_OF_TWO(PAIR, PAIR_R)
#define OF_THREE(a, b) {ONE_##a, ONE_##b, RP_X_PAIR_##a##_##b, false, true},
#define OF_THREE_R(a, b) {ONE_##a, ONE_##b, RP_X_PAIR_##a##_R##b, true, true},
    RP_EXEC_PAIRS_OF_THREE(OF_THREE, OF_THREE_R)
};
/* clang-format on */

static void
run(const struct rp_exec_table *table, struct rp_op *ops, uint32_t count, uint64_t *registers)
{
    static struct rp_exec x = {.k1 = 1};
    ops[count].fn = table->handlers[RP_X_END];
    rp_exec_run(ops, (char *)registers, &x);
}

/* Registers 0 to 3 are operands, 4 is for the first result, d for the second. */
static void
check(const struct rp_exec_table *table, const struct pair *p, const uint64_t *given, uint32_t d)
{
    uint64_t wanted[REGISTERS], found[REGISTERS];
    const uint32_t other = p->is_of_three ? 24 : 16;
    struct rp_op two[3] = {
        {.fn = table->handlers[p->first], .d = 32, .a = 0, .b = 8, .c = 16},
        {.fn = table->handlers[p->second], .d = d * 8, .a = 32, .b = other},
    };
    if (p->is_reversed) {
        two[1].a = other;
        two[1].b = 32;
    }
    struct rp_op one[2] = {
        {.fn = table->handlers[p->both], .d = d * 8, .a = 0, .b = 8, .c = 16, .i = 24},
    };
    memcpy(wanted, given, sizeof(wanted));
    memcpy(found, given, sizeof(found));
    run(table, two, 2, wanted);
    run(table, one, 1, found);
    wanted[4] = found[4] = 0;
    REQUIRE_BYTES(found, wanted, sizeof(found));
}

int
main(void)
{
    uint64_t state = 7;
    for (uint32_t isa = 0; isa < ISA_COUNT; isa++) {
        const struct rp_exec_table *table = rp_exec_table(isa_flags[isa] & rp_cpu_flags());
        for (uint32_t p = 0; p < sizeof(pairs) / sizeof(pairs[0]); p++)
            for (uint32_t round = 0; round < ROUNDS; round++) {
                uint64_t registers[REGISTERS] = {0};
                for (uint32_t r = 0; r < REGISTERS; r++) /* equal ones and small ones, too */
                    registers[r] = (uint32_t)test_random(&state) >> (round % 4 * 9);
                check(table, &pairs[p], registers, round % 5 == 4 ? 5 : round % 5);
            }
    }
    return 0;
}
