/* SPDX-License-Identifier: MIT */
/* A compiled kernel, as the dispatcher runs it.
 */
#ifndef RP_COMPUTE_KERNEL_H
#define RP_COMPUTE_KERNEL_H

#include "compute/compute.h"
#include "compute/exec/exec.h"
#include "compute/machine/machine.h"

#include <stdatomic.h>

struct ir_image;

/* Machine code of a program, which is made when it runs for the first time. */
struct rp_program_code {
    atomic_bool is_asked_for; /* some thread makes it, or has made it */
    uint32_t cpu_flags;
    struct rp_machine_code code;
};

/* One compilation: for rows of the grid, or for whole workgroups. */
struct rp_program {
    struct rp_op *ops;
    rp_handler **handlers; /* of a program whose operations count: their own; else NULL */
    uint16_t *codes;       /* enum rp_exec_op of each record; RP_X_COUNT for continued ones */
    uint32_t op_count;
    uint32_t main_op; /* where each chunk starts; before: once for many chunks */
    uint8_t *scalars; /* what the register file starts with: builtins and constants */
    uint32_t scalar_B;
    uint32_t register_B;
    uint32_t lanes;
    uint32_t pack;     /* workgroups that run side by side; 1: one */
    uint32_t shared_B; /* of all of them */
    uint32_t level_count;
    uint32_t walk_count; /* of loads that read ahead in a chunk */
    uint32_t lane_slot_count;
    uint32_t lane_slot_B; /* of a lane */
    uint32_t push_B;
    uint8_t *table;
    uint32_t table_B;
    struct ir_image *images;
    uint32_t image_count;
    uint32_t add_binding_count; /* of additions that may be late: struct rp_adds */
    uint8_t add_bindings[RP_ADD_SLOTS];
    uint32_t apart_count;
    struct rp_apart apart[RP_MAX_APART];
    uint32_t local_size[3]; /* as the lanes lie */
    bool has_rows;
    struct rp_program_code *code; /* NULL: it has none */
    bool has_counts;              /* probes, or operations that count */
    struct rp_geometry *geometry; /* follows from local_size, has_rows, lanes */
    struct rp_kernel_statistics stats;
    char *text; /* the IR, printed; NULL when nobody wants it */
    /* Owned: runs chunks where a GUARD failed, and dispatches with buffers that are taken for apart
     * and are not; NULL: there is none. */
    struct rp_program *careful;
};

struct rp_kernel {
    atomic_uint ref_count;
    uint32_t local_size[3];
    uint32_t subgroup_size;
    uint32_t shared_B;
    bool zeroes_shared;
    enum rp_kernel_tie tie; /* known of kernels with probes */
    bool is_serial;         /* its loops compute mostly what is one number for all lanes */
    uint64_t groups_cost;   /* of one workgroup by itself; while the kernel is made */
    struct rp_kernel_binding *bindings;
    uint32_t binding_count;
    struct rp_page *pages; /* of handles */
    uint32_t page_count;
    uint32_t *probes; /* word offsets of labels */
    uint32_t probe_count;
    struct rp_access_site *access_sites;
    uint32_t access_site_count;
    struct rp_uniform_word *uniform_words;
    uint32_t uniform_word_count;
    bool writes_elsewhere;
    struct rp_program *rows;   /* NULL: workgroups must stay whole */
    struct rp_program *groups; /* NULL only while the kernel is made */
    struct rp_program *packed; /* several small workgroups side by side in x; may be NULL */
};

/* Fills in what follows from the rest. */
void rp_program_place_lanes(struct rp_program *program);

/* program_code.c. The last step of making a program: it may have machine code. */
void rp_program_allow_code(struct rp_program *program, uint32_t cpu_flags);

/* Whoever is about to run the program calls it, from any thread: others may be running it. */
void rp_program_make_code(const struct rp_program *program);

void rp_program_free_code(struct rp_program *program);

#endif
