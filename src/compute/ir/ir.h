/* SPDX-License-Identifier: MIT */
/* The lane IR: structured control flow over scalar values, one value per lane.
 *
 * A program is one list of instructions in the order they run. Constructs nest: IF..ELSE..ENDIF,
 * LOOP..ENDLOOP, BLOCK..ENDBLOCK; BR leaves a BLOCK for the lanes that are active. Values are in
 * SSA form; PHI stands right behind ENDIF (operands: then, else), LOOP (before, next round) and
 * ENDBLOCK (one operand per BR in block->edges, then the fall through). An operand is NULL where
 * the edge is never taken. A value made inside a LOOP is used outside of it only through a PHI.
 *
 * op.h lists the operations, instr.h is one instruction, this file the program. The front end makes
 * instructions through build.h, where fold.c folds them at once; range.c and divide.c know what
 * values integers can have. passes.h lists the passes in their order, one file each: clean.c,
 * share.c, unroll.c with trips.c, promote.c, uniform.c, words.c, blocks.c, flatten.c, narrow.c with
 * demand.c, loops.c, classify.c with guard.c, reciprocal.c, fuse.c, logic.c, lower.c, merge.c with
 * apart.c, address.c, defer.c, prologue.c, mac.c, reduction.c, tile.c, structs.c, chain.c, pair.c.
 * Then alloc.c with coalesce.c gives values registers and emit.c writes the interpreter's records
 * (emit.h), with emit_op.c, emit_arithmetic.c, emit_memory.c, emit_walk.c, emit_flow.c, emit_tile.c
 * and emit_chain.c (emitter.h). print.c is for people; limits.h bounds what a hostile module costs.
 *
 * Inside this folder names begin with ir_, those of the front end with spv_: the symbols are
 * hidden, and these two are used far too often for rp_ in front.
 */
#ifndef RP_COMPUTE_IR_IR_H
#define RP_COMPUTE_IR_IR_H

#include "compute/compute.h"
#include "compute/exec/handle.h"
#include "compute/ir/instr.h"
#include "util/arena.h"

#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>

/* The kernel's own memory: indices in rp_exec.memory[], and handles. */
#define IR_MEMORY_SHARED RP_STATIC_BINDINGS
#define IR_MEMORY_PUSH 254u
#define IR_MEMORY_TABLE 255u /* constant data */
#define IR_OWN_HANDLE(memory) ((RP_PAGE_OWN + (memory)) << RP_PAGE_SHIFT)

#define IR_ADD_BINDINGS 3u

struct ir_fail {
    jmp_buf jump;
    VkResult result;
    struct rp_compute_message *message; /* may be NULL */
};

struct ir_program {
    struct rp_arena *arena;
    struct ir_fail *fail;
    struct ir_instr *first, *last;
    struct ir_instr *cursor;       /* new instructions go behind it; NULL: to the front */
    uint32_t instr_count;          /* ever made: a limit on what hostile modules cost */
    size_t arena_B;                /* ever taken */
    struct ir_instr **const_table; /* hash of constants, each bucket a list */
    uint32_t const_buckets, const_count;
    struct ir_instr *builtins[IR_BUILTIN_COUNT];
    uint32_t local_size[3];
    uint32_t subgroup_size;   /* what the module is told; instructions have a width of their own */
    bool has_rows;            /* the grid runs in rows of invocations, else by workgroup */
    uint32_t pack;            /* workgroups side by side along x, numbered by LANE_Z; at least 1 */
    uint32_t shared_stride_B; /* from one's shared memory to the next's */
    bool uses_barrier;        /* barriers, shared memory, subgroups */
    bool uses_subgroups;
    uint32_t shared_B;
    bool zeroes_shared; /* some workgroup variable starts as zero */
    uint32_t push_B;
    uint32_t lane_slot_count; /* of lane memory; those that are left when registers are given */
    uint32_t lane_slot_B;     /* of a lane: 4, or 8 where something is of 64 bits */
    uint8_t *table;           /* constant data */
    uint32_t table_B;
    struct rp_kernel_binding *bindings;
    uint32_t binding_count;
    struct rp_page *pages; /* of handles */
    uint32_t page_count;
    bool has_probes;  /* wanted: IR_PROBE at the beginning of each block of the module */
    uint32_t *probes; /* word offsets of the blocks' labels */
    uint32_t probe_count;
    uint32_t probe_capacity;
    const uint32_t *swizzle; /* which invocation a place of the grid has; NULL: its own */
    bool has_accesses;       /* wanted: IR_ACCESS in front of each */
    struct rp_access_site *access_sites;
    uint32_t access_site_count;
    uint32_t access_site_capacity;
    const struct rp_uniform_values *uniforms; /* given; NULL: none */
    bool has_uniforms;                        /* given and in their places */
    struct rp_uniform_word *uniform_words;    /* that are read, RP_MAX_UNIFORM_WORDS at most */
    uint32_t uniform_word_count;
    bool writes_elsewhere; /* to images or addresses */
    uint16_t level_count;
    bool has_clamps; /* they stay: no guards, and no buffers are taken for apart */
    uint32_t guard_count;
    struct rp_apart apart[RP_MAX_APART];
    uint32_t apart_count;
    bool is_watched;    /* memory that other workgroups write: coherent, volatile, made visible */
    bool orders_lanes;  /* it has memory barriers: lanes may read what others wrote before them */
    bool orders_memory; /* barriers or orders that reach beyond the workgroup's own memory */
    uint8_t add_bindings[IR_ADD_BINDINGS]; /* of the additions that may be late */
    uint32_t add_binding_count;
};

/* Ends the compilation: returns to where fail->jump was set. */
_Noreturn void ir_fail(struct ir_fail *fail, VkResult result, const char *format, ...)
    RP_PRINTF(3, 4);

/* Zeroed memory that lives as long as the compilation; never NULL. */
void *ir_alloc(struct ir_program *ir, size_t count, size_t size_B);

/* The kernel's own memory (workgroup memory, push constants, tables): it is always there. Other
 * descriptors may be stale where the shader does not use them. */
static inline bool
ir_is_own_memory(const struct ir_instr *handle)
{
    return ir_is_const(handle) && handle->type == IR_I &&
           handle->imm >> RP_PAGE_SHIFT >= RP_PAGE_OWN;
}

/* Where a constant handle that is not the kernel's own memory points; NULL: nowhere. */
static inline const struct rp_page *
ir_page_of(const struct ir_program *ir, const struct ir_instr *handle)
{
    const uint64_t page = handle->imm >> RP_PAGE_SHIFT;
    return page < ir->page_count ? &ir->pages[page] : NULL;
}

/* Index in rp_exec.memory[] of what a handle names; -1: only the dispatch knows. */
int32_t ir_static_memory(const struct ir_program *ir, const struct ir_instr *handle);

#endif
