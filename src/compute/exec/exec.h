/* SPDX-License-Identifier: MIT */
/* The state that one thread runs a program in, and what handlers ask of it.
 */
#ifndef RP_COMPUTE_EXEC_EXEC_H
#define RP_COMPUTE_EXEC_EXEC_H

#include "compute/exec/handle.h"
#include "compute/exec/op.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct ir_image;
struct rp_texture_level;

struct rp_memory {
    uint8_t *ptr;
    uint32_t size_B;
};

struct rp_level {
    _Alignas(64) uint16_t bits[RP_MAX_BLOCKS];
    int32_t k0; /* window of blocks: no lane is active outside */
    int32_t k1;
    bool is_full;    /* every lane in the window is active */
    uint64_t blocks; /* one bit for each block with an active lane; maybe for more */
};

#define RP_MAX_RUNS (RP_MAX_WORKGROUP_SIZE / 4)

/* Position of the lanes in their workgroup or row. */
struct rp_geometry {
    bool is_line;  /* y and z are 0 everywhere */
    bool is_flat;  /* z is 0 everywhere */
    bool has_rows; /* each block lies in one row */
    uint32_t run;  /* 4, 8 or 16 lanes from a multiple of that on lie in one row; else 0 */
    uint32_t run_log2;
    uint32_t width; /* lanes of a row */
    uint32_t height;
    int32_t part_blocks; /* that lie in rows and have the same z, in turn; 0: not all do */
    _Alignas(64) int32_t x[RP_MAX_WORKGROUP_SIZE];
    int32_t y[RP_MAX_WORKGROUP_SIZE];
    int32_t z[RP_MAX_WORKGROUP_SIZE];
    _Alignas(64) int32_t run_x[RP_MAX_RUNS]; /* of the first lane of each run */
    _Alignas(64) int32_t run_y[RP_MAX_RUNS];
    _Alignas(64) int32_t run_z[RP_MAX_RUNS];
};

/* Atomic additions that one thread has not handed on yet: sums by address. */
#define RP_ADD_SLOTS 3u
#define RP_ADD_ENTRIES 1024u
#define RP_ADD_EMPTY UINT32_MAX

struct rp_adds {
    struct {
        uint32_t key; /* offset, a multiple of 4, and which memory: an index in memory[] here */
        uint32_t sum;
    } entries[RP_ADD_ENTRIES];
    struct rp_memory memory[RP_ADD_SLOTS];
};

/* Of a basic block. */
struct rp_probe_count {
    uint64_t active;                 /* lanes */
    uint64_t masks[RP_PROBE_WIDTHS]; /* warps of 8, 16, 32, 64 with some of them */
};

struct rp_op_count {
    _Alignas(8) uint64_t runs;
    _Alignas(8) rp_handler *fn; /* the operation's own */
    uint64_t blocks;            /* of lanes, in the windows that it ran on */
    uint64_t unused;
};

_Static_assert(sizeof(struct rp_op_count) == sizeof(struct rp_op), "one is found by the other");

/* Of a program whose operations count. */
struct rp_counting {
    uintptr_t distance_B; /* from each record to its count, which is the thread's */
};

/* Where the memory of an operation was when it ran last. */
#define RP_TRAIL_COUNT 32u

struct rp_trail {
    const struct rp_op *op; /* to compare: may be gone */
    uintptr_t at;
};

/* Gathers whose words lay in no runs rest from looking for some. Operations with the same place in
 * this table share it, which costs time at most. */
#define RP_REST_COUNT 2048u
#define RP_GATHER_WORDS 32u

/* Where the factors of a MAC lie (mac.c), as long as no dispatch begins: those of MACs that
 * read the kernel's own memory at fixed places. */
#define RP_KEPT_MACS 4u
#define RP_KEPT_MAC_B 7168u

struct rp_kept_mac {
    const struct rp_op *op; /* NULL: nothing is kept */
    int32_t k0;             /* window */
    int32_t k1;
    _Alignas(64) char mac[RP_KEPT_MAC_B];
};

/* Words that a load has read in front of their time (walk.c): those behind the ones that it gave
 * last, for the lanes of the window. */
#define RP_WALKS 4u
#define RP_WALK_WORDS 3u

struct rp_walk {
    bool has_run;  /* in this chunk */
    uint32_t base; /* where it was then */
    uint32_t sx, block_stride;
    int32_t k0; /* window */
    int32_t k1;
    uint32_t word_count; /* that are left */
    bool goes_on;        /* what was read ahead last was wanted */
    _Alignas(64) int32_t words[RP_WALK_WORDS][RP_MAX_WORKGROUP_SIZE];
};

/* What texel_scalar.c knows of an image, as long as no dispatch begins. */
#define RP_KEPT_VIEWS 8u

struct rp_kept_view {
    uint32_t handle;   /* UINT32_MAX, which is no image: nothing is kept */
    uint32_t width_px; /* 0: an image of another kind */
    uint32_t height_px;
    uint32_t row_B;
    uint8_t *data; /* NULL: the same */
    uint8_t component_B;
    uint8_t count; /* of components in memory */
    uint8_t texel_B_log2;
    bool is_reordered; /* a fetch swaps them */
};

struct rp_exec {
    int32_t k0; /* current window, of the current level */
    int32_t k1;
    bool is_full;
    uint32_t lane_count;
    int32_t failed_k0;     /* blocks with lanes that failed a GUARD, which ended the run */
    int32_t failed_k1;     /* 0: it did not */
    bool has_streamed;     /* there are stores past the caches that rp_exec_settle() must order */
    uint64_t grid_lanes;   /* of the whole dispatch, about */
    uint64_t stream_min_B; /* what the dispatch must write to go past the caches */
    struct rp_memory memory[256]; /* element 0 of each binding's array, then the kernel's own */
    const struct rp_descriptor_array *bindings;
    uint32_t binding_count;
    const struct rp_page *pages; /* of the kernel */
    uint32_t page_count;
    const struct rp_geometry *geometry;
    char *lane_memory;
    size_t lane_slot_B;
    uint32_t fuel;        /* loop rounds until the clock is looked at */
    uint64_t deadline_ns; /* 0: none */
    atomic_bool *is_cancelled;
    const struct ir_image *images; /* of the kernel */
    struct rp_kept_view views[RP_KEPT_VIEWS];
    struct rp_kept_mac macs[RP_KEPT_MACS];
    struct rp_walk walks[RP_WALKS];
    struct rp_trail trails[RP_TRAIL_COUNT]; /* by operation */
    uint8_t rests[RP_REST_COUNT];           /* by operation: executions to come */
    uint32_t gather_words[RP_GATHER_WORDS]; /* of machine code (machine/tile_gather.c) */
    struct rp_adds *adds;                   /* NULL when the program has none that may be late */
    struct rp_probe_count *probes;          /* of the thread; NULL when the program has none */
    union { /* of programs that count operations, or have a recorder */
        struct rp_counting counting;
        struct rp_recorder *recorder; /* NULL: nobody listens */
    };
    struct rp_level levels[]; /* as many as the program has, plus one */
};

/* The handlers of one instruction set. */
struct rp_exec_table {
    const char *name;
    rp_handler *const *handlers;           /* by enum rp_exec_op */
    const struct rp_exec_table *half_tile; /* tiles of half as many blocks; NULL: none */
};

/* The handler of a record by its code, which is not RP_X_COUNT. */
rp_handler *rp_exec_handler(const struct rp_exec_table *table, uint32_t code);

/* The best table for flags of rp_cpu_flags(). */
const struct rp_exec_table *rp_exec_table(uint32_t cpu_flags);

/* Runs from op to the end. */
static inline void
rp_exec_run(const struct rp_op *op, char *R, struct rp_exec *x)
{
    while (op)
        op = op->fn(op, R, x);
}

/* Before other threads may hear of what this one wrote. */
void rp_exec_settle(struct rp_exec *x);

/* Empties adds without looking at it; hands everything on that is in it. */
void rp_adds_init(struct rp_adds *adds);
void rp_adds_flush(struct rp_adds *adds);

/* Called by loops that ran out of fuel: true when the dispatch must stop. */
bool rp_exec_refuel(struct rp_exec *x);

static inline void
rp_level_enter(struct rp_exec *x, const struct rp_level *level)
{
    x->k0 = level->k0;
    x->k1 = level->k1;
    x->is_full = level->is_full;
}

/* Fills memory[] but for the kernel's own, from bindings. */
void rp_exec_bind(struct rp_exec *x);

/* Memory behind a handle; empty when there is none. */
struct rp_memory rp_exec_lookup(const struct rp_exec *x, uint32_t handle);

/* LANE_LOAD_V and LANE_STORE_V, lane by lane. */
void rp_exec_load_lanes(const struct rp_op *o, char *R, const struct rp_exec *x);
void rp_exec_store_lanes(const struct rp_op *o, const char *R, const struct rp_exec *x);

/* NULL: there is none. One that has to be read from memory first is read to *room. */
const struct rp_descriptor *rp_exec_descriptor(const struct rp_exec *x, uint32_t handle,
                                               struct rp_descriptor *room);

#endif
