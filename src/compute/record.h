/* SPDX-License-Identifier: MIT */
/* What a kernel that was made with wants_accesses tells a recorder while it runs: which invocations
 * enter each basic block, what each of them touches, and the barriers between.
 *
 * Such a kernel runs on one thread, workgroup by workgroup in the order of the grid; a workgroup is
 * told of before anything that it does. Accesses are those that the module names - loads, stores
 * and atomics of buffers, addresses and workgroup memory, texels by integer coordinates - each
 * scalar or vector for itself, and are told of before they happen. What is sampled is not.
 */
#ifndef RP_COMPUTE_RECORD_H
#define RP_COMPUTE_RECORD_H

#include <stdbool.h>
#include <stdint.h>

enum rp_access_bits {
    RP_ACCESS_READ = 1,
    RP_ACCESS_WRITE = 2,
    RP_ACCESS_ATOMIC = 4,
    RP_ACCESS_SHARED = 8, /* workgroup memory */
    RP_ACCESS_IMAGE = 16,
};

/* What orders accesses. */
enum rp_record_barrier {
    RP_BARRIER_WORKGROUP, /* of all invocations */
    RP_BARRIER_SUBGROUP,
    RP_BARRIER_MEMORY, /* releases and acquires: orders with what atomics tell other invocations */
};

#define RP_MAX_ACCESS_SITES 32768u /* of a kernel; what comes beyond is not told of */
#define RP_MAX_ACCESS_VALUES 4u
#define RP_NO_BINDING UINT32_MAX

/* An instruction of the module, and one of the accesses that it makes. */
struct rp_access_site {
    uint32_t word;    /* where the instruction stands in the module */
    uint32_t bits;    /* enum rp_access_bits */
    uint32_t size_B;  /* of one invocation; images: 0, texels are as large as the view says */
    uint32_t binding; /* among rp_kernel_bindings(); RP_NO_BINDING: none, or not always the same */
};

/* What an invocation's access goes to. */
struct rp_access_span {
    uint8_t *base; /* of what is bound; NULL: not known (addresses) */
    uint64_t size_B;
};

/* What the active invocations touch; arrays are by their place among those, but for values. */
struct rp_access {
    uint32_t site;
    uint32_t size_B;
    uint32_t binding; /* among rp_kernel_bindings(); RP_NO_BINDING: none, or several */
    uint32_t count;
    bool has_spans;                     /* else they have one for all */
    const uint16_t *lanes;              /* local invocation indices, ascending */
    uint8_t *const *at;                 /* NULL: it lies outside of what is bound */
    const uint32_t *offsets_B;          /* from base; of texels outside: the first coordinate */
    const struct rp_access_span *spans; /* what is bound */
    uint32_t value_count;               /* of a store: its components, else 0 */
    uint32_t value_B;                   /* of a component in memory; texels have one, or two of 8 */
    const void *values[RP_MAX_ACCESS_VALUES]; /* by local invocation index: of 8 bytes where value_B
                                                 is 8, else of 4 */
};

struct rp_recorder {
    const struct rp_access_site *sites; /* of the kernel that runs */
    void (*group)(struct rp_recorder *recorder, const uint32_t group[3]);
    /* block: index among rp_kernel_probes(); lanes ascending. NULL: nobody asks. */
    void (*block)(struct rp_recorder *recorder, uint32_t block, const uint16_t *lanes,
                  uint32_t count);
    void (*access)(struct rp_recorder *recorder, const struct rp_access *access);
    void (*barrier)(struct rp_recorder *recorder, enum rp_record_barrier kind);
};

#endif
