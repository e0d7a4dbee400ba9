/* SPDX-License-Identifier: MIT */
/* Machine code for runs of operations on scalars with the jumps among them, for tiles (exec/tile.c)
 * alone or with gathers among them and for runs of arithmetic on lanes of 64 bits (tile.h). The
 * records where such a run may be entered get the code for their handler, which goes on to the
 * record behind the run as handlers do (exec/tail.h). Every result that somebody reads later is
 * where the interpreter would leave it, so that records may be come to from anywhere, with code or
 * without.
 *
 * Which NaN comes of two is open: it may differ from what handlers make, and from lane to lane.
 *
 * There is code for x86-64 with AVX2 and BMI2, on Linux. Elsewhere, and where the system lets no
 * memory become code, the interpreter does all.
 */
#ifndef RP_COMPUTE_MACHINE_MACHINE_H
#define RP_COMPUTE_MACHINE_MACHINE_H

#include <stddef.h>
#include <stdint.h>

struct rp_op;

/* A program as exec/op.h says. */
struct rp_machine_source {
    struct rp_op *ops;
    const uint16_t *codes; /* enum rp_exec_op of each record; RP_X_COUNT for continued ones */
    uint32_t op_count;
    uint32_t main_op;        /* may be entered, too */
    const uint8_t *numbers;  /* scalars that never change, 8 bytes each */
    uint32_t first_number_B; /* where they are in the register file */
    uint32_t number_B;       /* of all of them */
};

/* The pages of a program's code. */
struct rp_machine_code {
    void *pages; /* NULL: there is none */
    uint64_t size_B;
};

#ifdef RP_HAS_MACHINE_CODE

/* Code of a program that has a loop of scalars, a tile or a run of 64 bits, as long as not too many
 * have; it is the handler of some records then. They must be those of the codes. */
struct rp_machine_code rp_machine_code_make(const struct rp_machine_source *source,
                                            uint32_t cpu_flags);

void rp_machine_code_free(struct rp_machine_code *code);

#else

static inline struct rp_machine_code
rp_machine_code_make(const struct rp_machine_source *source, uint32_t cpu_flags)
{
    (void)source, (void)cpu_flags;
    return (struct rp_machine_code){NULL, 0};
}

static inline void
rp_machine_code_free(struct rp_machine_code *code)
{
    (void)code;
}

#endif

#endif
