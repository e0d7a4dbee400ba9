/* SPDX-License-Identifier: MIT */
/* The lane IR: structured control flow over scalar values, one value per lane.
 *
 * A program is one list of instructions in the order they run. Constructs nest: IF..ELSE..ENDIF,
 * LOOP..ENDLOOP, BLOCK..ENDBLOCK; BR leaves a BLOCK for the lanes that are active. Values are in
 * SSA form; PHI stands right behind ENDIF (operands: then, else), LOOP (before, next round) and
 * ENDBLOCK (one operand per BR in block->edges, then the fall through). An operand is NULL where
 * the edge is never taken. A value made inside a LOOP is used outside of it only through a PHI.
 */
#ifndef RP_COMPUTE_IR_IR_H
#define RP_COMPUTE_IR_IR_H

#include "compute/compute.h"
#include "compute/exec/op.h"
#include "compute/ops.h"
#include "util/arena.h"

#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>

enum ir_type {
    IR_VOID,
    IR_I, /* 32 bits */
    IR_L, /* 64 bits */
    IR_B, /* bool */
};

/* clang-format off */
enum ir_op {
#define IR_ENUM(name) IR_##name,
    RP_OPS_I_I(IR_ENUM) RP_OPS_L_L(IR_ENUM) RP_OPS_L_I(IR_ENUM) RP_OPS_I_L(IR_ENUM)
    RP_OPS_I_II_COMM(IR_ENUM) RP_OPS_I_II(IR_ENUM) RP_OPS_L_LL(IR_ENUM) RP_OPS_L_LI(IR_ENUM)
    RP_OPS_L_II(IR_ENUM) RP_OPS_B_II(IR_ENUM) RP_OPS_B_LL(IR_ENUM) RP_OPS_I_III(IR_ENUM)
    RP_OPS_B_BB(IR_ENUM)
    IR_ARITHMETIC_END,
    IR_BNOT = IR_ARITHMETIC_END,
    IR_SEL,     /* i <- b, i, i */
    IR_SEL64,   /* l <- b, l, l */
    IR_BSEL,    /* b <- b, b, b */
    IR_MAD64,   /* l <- l, l, l */
    IR_CONST,   /* imm */
    IR_UNDEF,
    IR_BUILTIN, /* imm: enum ir_builtin */
    IR_PHI,
    IR_PROJ,   /* component imm of a LOAD, IMAGE_* */
    IR_SPLAT,  /* uniform to lanes */
    IR_LCMP,   /* b <- base, strides by x, y, z, bound: aux is the comparison; see rp_lcmp */
    IR_AFFINE, /* base, strides by x, y, z of the lane, to lanes */
    IR_LOAD,   /* handle, byte offset */
    IR_STORE,  /* handle, byte offset, values */
    IR_ATOMIC, /* handle, byte offset, value, compare value */
    IR_SIZE,   /* i <- handle: bytes of a buffer */
    IR_LANE_LOAD,  /* index; memory of the lane itself */
    IR_LANE_STORE, /* index, value */
    IR_IMAGE,      /* struct ir_image says what and which operands */
    IR_SUBGROUP,   /* operands by aux: enum ir_subgroup */
    IR_MAC,       /* before loads and products that one operation can do */
    IR_REDUCTION, /* before steps of a reduction that one operation can do */
    IR_BARRIER,
    IR_GUARD,  /* linear value, bound: as LCMP; where an active lane fails the run ends */
    IR_PROLOGUE, /* what stands before runs once for many chunks */
    IR_IF,
    IR_ELSE,
    IR_ENDIF,
    IR_LOOP,
    IR_ENDLOOP,
    IR_BLOCK,
    IR_ENDBLOCK,
    IR_BR,
    IR_OP_COUNT,
};
/* clang-format on */

enum ir_builtin {
    IR_LANE_X, /* position of the lane in its workgroup, or in the chunk of a row (x alone) */
    IR_LANE_Y,
    IR_LANE_Z,  /* where workgroups run side by side: which of them */
    IR_GROUP_X, /* WorkgroupId; in a grid of rows: the chunk's first invocation, row, slice */
    IR_GROUP_Y,
    IR_GROUP_Z,
    IR_GROUPS_X, /* NumWorkgroups */
    IR_GROUPS_Y,
    IR_GROUPS_Z,
    IR_LOCAL_X,     /* in a grid of rows: LocalInvocationId.x and WorkgroupId.x, which no program */
    IR_WORKGROUP_X, /* of rows that is kept may use */
    IR_BUILTIN_COUNT,
};

/* Classes of values, from best to worst. */
enum ir_class {
    IR_UNIFORM, /* one value for all active lanes */
    IR_LINEAR,  /* base + x * s0 + y * s1 + z * s2 of the lane's position; 32 bits only */
    IR_VARYING,
};

enum ir_atomic {
    IR_ATOMIC_LOAD,
    IR_ATOMIC_STORE,
    IR_ATOMIC_XCHG,
    IR_ATOMIC_CMPXCHG,
    IR_ATOMIC_IADD,
    IR_ATOMIC_SMIN,
    IR_ATOMIC_UMIN,
    IR_ATOMIC_SMAX,
    IR_ATOMIC_UMAX,
    IR_ATOMIC_AND,
    IR_ATOMIC_OR,
    IR_ATOMIC_XOR,
    IR_ATOMIC_FADD,
    IR_ATOMIC_FMIN,
    IR_ATOMIC_FMAX,
    /* Added to the last three: denormal results are zero; sums are rounded towards zero. */
    IR_ATOMIC_FLUSHES = 16,
    IR_ATOMIC_TRUNCATES = 32,
};

enum ir_subgroup {
    IR_SG_ELECT,     /* b <- */
    IR_SG_ALL,       /* b <- b */
    IR_SG_ANY,       /* b <- b */
    IR_SG_BALLOT,    /* i <- b: the bits of the lane's subgroup */
    IR_SG_FIRST,     /* i <- i: of the first active lane */
    IR_SG_SHUFFLE,   /* i <- i, i: of lane arg 1; 0 beyond */
    IR_SG_PARTITION, /* i <- i: the bits of the active lanes that have the same value */
    IR_SG_CLOCK,     /* l <- */
    IR_SG_REDUCE,    /* i <- i; imm: enum ir_reduce, cluster: lanes (2^n), scan. Partitioned
                            scans have arg 1: the bits of the lane's partition */
    IR_SG_REDUCE64,  /* l <- l */
};

enum ir_reduce {
    IR_RED_IADD,
    IR_RED_IMUL,
    IR_RED_SMIN,
    IR_RED_UMIN,
    IR_RED_SMAX,
    IR_RED_UMAX,
    IR_RED_AND,
    IR_RED_OR,
    IR_RED_XOR,
    IR_RED_FADD,
    IR_RED_FMUL,
    IR_RED_FMIN,
    IR_RED_FMAX,
    IR_RED_COUNT,
};

/* The kernel's own memory: indices in rp_exec.memory[], and handles. */
#define IR_MEMORY_SHARED RP_STATIC_BINDINGS
#define IR_MEMORY_PUSH 254u
#define IR_MEMORY_TABLE 255u /* constant data */
#define IR_OWN_HANDLE(memory) ((RP_PAGE_OWN + (memory)) << RP_PAGE_SHIFT)

struct ir_instr;

/* base + x * stride[0] + ...; all uniform; a stride is NULL where it is zero. */
struct ir_linear {
    struct ir_instr *base;
    struct ir_instr *stride[3];
};

enum ir_image_op {
    IR_IMAGE_READ, /* storage image or fetch: texel at integer coordinates */
    IR_IMAGE_WRITE,
    IR_IMAGE_ATOMIC, /* aux: enum ir_atomic */
    IR_IMAGE_SAMPLE,
    IR_IMAGE_GATHER,
    IR_IMAGE_SIZE, /* x, y, z or layers of a level; levels; samples */
    IR_IMAGE_LOD,  /* level that is accessed, level of detail; from gradients */
};

#define IR_IMAGE_ARG_MAX 40
#define IR_NONE (-1)

enum ir_image_query {
    IR_QUERY_SIZE,
    IR_QUERY_LEVELS,
    IR_QUERY_SAMPLES,
};

/* What an IR_IMAGE does, and its operands by position; IR_NONE when absent. Operand 0 is the
 * image's handle. Coordinates, gradients and offsets take consecutive positions. */
struct ir_image {
    uint8_t op;
    uint8_t dim; /* enum spv_dim */
    bool is_arrayed;
    bool is_multisampled;
    bool is_fetch;     /* of a sampled image: swizzled, with a level */
    bool is_64;        /* texels are 64-bit integers */
    uint8_t component; /* GATHER: which; SIZE: enum ir_image_query */
    uint8_t atomic;    /* enum ir_atomic, and its bits */
    uint8_t coord_count, offset_count, grad_count, value_count;
    uint8_t arg_count;
    int8_t sampler, coord, lod, bias, dref, grad_x, grad_y, offset, offsets, sample, min_lod;
    int8_t value; /* to write; atomics: value, then compare value */
    /* After lowering. Coordinate i is a base when line[i] is not 0: its strides by x, y and z of
     * the lane are the operands from there on. */
    uint8_t line[4];
    bool is_lod_uniform; /* a scalar */
};

enum ir_tile_place {
    IR_TILE_NONE,
    IR_TILE_FIRST,
    IR_TILE_REST,
};

struct ir_instr {
    struct ir_instr *prev, *next;
    struct ir_instr **args;
    uint16_t arg_count;
    uint8_t op;    /* enum ir_op */
    uint8_t type;  /* enum ir_type of the result */
    uint8_t aux;   /* LOAD, STORE: bytes of a component; ATOMIC: enum ir_atomic; SUBGROUP: its op */
    uint8_t comps; /* LOAD, STORE, IMAGE: components */
    uint8_t cls;   /* enum ir_class */
    bool is_64;    /* ATOMIC: 64 bits */
    bool is_half;  /* ATOMIC: 16-bit floats, by their bits */
    bool is_const_mem; /* LOAD: nothing writes this memory during the dispatch */
    bool is_linear;    /* LOAD, STORE after lowering: operands 1..4 are base and strides */
    uint8_t add_slot;  /* ATOMIC: may be late; 1 + index in add_bindings */
    bool is_exit_phi;  /* PHI: keeps a loop's value per lane */
    bool is_fixed;     /* the same in every chunk */
    bool is_counted;   /* a pass has seen it */
    bool is_address;   /* a linear one would be the better for memory */
    uint8_t tile;      /* enum ir_tile_place: once it is emitted */
    bool is_tried;     /* products: what is in front of it was looked at as a MAC */
    uint8_t scan;      /* SUBGROUP: enum spv_group_operation */
    uint16_t cluster;  /* SUBGROUP: lanes */
    uint32_t index;    /* dense, set by ir_number() */
    uint32_t use_count;
    uint64_t imm;
    struct ir_instr *forward; /* replaced by this one; NULL: itself */
    struct ir_instr *copy;    /* what a pass that rebuilds the program made of it */
    struct ir_linear *linear; /* cls IR_LINEAR */
    struct ir_instr *lanes;   /* cls IR_LINEAR: as an AFFINE */
    union {
        struct {
            struct ir_instr *other;  /* IF: ELSE; ELSE: IF */
            struct ir_instr *end;    /* IF, LOOP, BLOCK: their end; ends: their begin */
            struct ir_instr **edges; /* BLOCK: its BRs */
            uint32_t edge_count;
            uint32_t edge_capacity;
            bool is_divergent;  /* IF: lanes disagree; BLOCK: lanes leave at different edges */
            bool falls_through; /* BLOCK: its end is reached */
            uint16_t level;     /* mask level inside */
        } region;
        struct {
            struct ir_instr *block; /* BR: target */
            uint32_t edge;          /* index in block's edges */
        } br;
        struct ir_image *image;
        struct {
            struct ir_instr *last; /* MAC: product */
            uint32_t count;        /* of products */
        } mac;
        struct ir_reduction *reduction;
        struct {
            uint32_t base_slot; /* LANE_*: first slot of the variable */
            uint32_t slot_count;
        } lane;
        struct ir_instr **projs; /* LOAD, IMAGE with comps > 1: component values, NULL if unused */
    };
    struct ir_instr *image_projs[4]; /* IMAGE */
    struct ir_instr *loop;           /* innermost LOOP around it; set by ir_nest() */
    struct ir_instr *exit_phi;       /* its value behind BLOCKs around that loop: a list */
    struct ir_instr *next_exit_phi;
    /* Register allocation. */
    uint32_t reg;        /* byte offset in the register file */
    uint32_t emitted_at; /* LOAD of a MAC: its record */
    uint32_t start;      /* live interval in positions of the list */
    uint32_t stop;
    uint32_t last_read;     /* by others than PHIs, as stop */
    uint32_t phi_count;     /* operands of PHIs that it is */
    struct ir_instr *share; /* same register as this one */
};

/* Steps of a reduction in workgroup memory; args[0]: from a workgroup's memory to the next
 * one's. */
struct ir_reduction {
    struct ir_instr *last;        /* ENDIF of the last step */
    const struct ir_instr *sum;   /* of the last step */
    const struct ir_instr *store; /* of the last step: all write the same place */
    uint32_t count;
    struct rp_reduction record;
};

/* Positions of operands of PHIs and the like: where an operand is read. */
struct ir_instr *ir_phi_marker(const struct ir_instr *phi); /* ENDIF, LOOP or ENDBLOCK in front */

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
    bool has_rows;            /* the grid runs in rows of invocations, else by workgroup */
    uint32_t pack;            /* workgroups side by side along x, numbered by LANE_Z; at least 1 */
    uint32_t shared_stride_B; /* from one's shared memory to the next's */
    bool uses_barrier;        /* barriers, shared memory, subgroups */
    uint32_t shared_B;
    bool zeroes_shared; /* some workgroup variable starts as zero */
    uint32_t push_B;
    uint32_t lane_slot_count; /* 8-byte slots of lane memory */
    uint8_t *table;           /* constant data */
    uint32_t table_B;
    struct rp_kernel_binding *bindings;
    uint32_t binding_count;
    struct rp_page *pages; /* of handles */
    uint32_t page_count;
    uint16_t level_count;
    bool has_clamps; /* they stay: no guards */
    uint32_t guard_count;
    bool orders_memory; /* barriers or orders that reach beyond the workgroup's own memory */
    uint8_t add_bindings[IR_ADD_BINDINGS]; /* of the additions that may be late */
    uint32_t add_binding_count;
};

/* Ends the compilation: returns to where fail->jump was set. */
_Noreturn void ir_fail(struct ir_fail *fail, VkResult result, const char *format, ...)
    RP_PRINTF(3, 4);

/* Zeroed memory that lives as long as the compilation; never NULL. */
void *ir_alloc(struct ir_program *ir, size_t count, size_t size_B);

/* Makes an instruction without placing it. */
struct ir_instr *ir_make(struct ir_program *ir, enum ir_op op, enum ir_type type,
                         uint32_t arg_count);

/* Places it behind the cursor, which moves on. */
void ir_place(struct ir_program *ir, struct ir_instr *instr);
void ir_remove(struct ir_program *ir, struct ir_instr *instr);

/* What instr was replaced by, in the end. */
struct ir_instr *ir_resolve(struct ir_instr *instr);

/* Values. Arithmetic folds constants and simple identities, so the result may be an operand. */
struct ir_instr *ir_const(struct ir_program *ir, enum ir_type type, uint64_t bits);
struct ir_instr *ir_i(struct ir_program *ir, uint32_t value);
struct ir_instr *ir_f(struct ir_program *ir, float value);
struct ir_instr *ir_undef(struct ir_program *ir, enum ir_type type);
struct ir_instr *ir_un(struct ir_program *ir, enum ir_op op, struct ir_instr *a);
struct ir_instr *ir_bin(struct ir_program *ir, enum ir_op op, struct ir_instr *a,
                        struct ir_instr *b);
struct ir_instr *ir_tri(struct ir_program *ir, enum ir_op op, struct ir_instr *a,
                        struct ir_instr *b, struct ir_instr *c);
struct ir_instr *ir_not(struct ir_program *ir, struct ir_instr *a);
struct ir_instr *ir_select(struct ir_program *ir, struct ir_instr *cond, struct ir_instr *a,
                           struct ir_instr *b);
struct ir_instr *ir_builtin(struct ir_program *ir, enum ir_builtin which);

bool ir_is_const(const struct ir_instr *instr);
static inline bool
ir_is_value(const struct ir_instr *instr, uint64_t bits)
{
    return ir_is_const(instr) && instr->imm == bits;
}

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

bool ir_is_marker(const struct ir_instr *instr);  /* IF .. BR */
bool ir_has_effect(const struct ir_instr *instr); /* kept although nobody uses it */

/* Properties of operations. */
enum ir_type ir_op_type(enum ir_op op);   /* of the result of an arithmetic operation */
bool ir_op_is_arithmetic(enum ir_op op);  /* and SEL, BSEL, ..: pure, total, by lanes */
bool ir_op_is_commutative(enum ir_op op); /* in its first two operands */
const char *ir_op_name(enum ir_op op);

/* What is known of an integer or bool without running: lo <= value <= hi, unsigned. */
struct ir_range {
    bool is_known;
    uint32_t lo;
    uint32_t hi;
};

/* Ranges of values to assume for some instructions (PHIs of a loop that is looked at). */
struct ir_assumed {
    const struct ir_instr *instr;
    struct ir_range range;
};

struct ir_range ir_range_of(const struct ir_program *ir, const struct ir_instr *instr,
                            const struct ir_assumed *assumed, uint32_t assumed_count);

/* a op b, or a sum, when ranges make something simpler of it; else NULL. */
struct ir_instr *ir_divide(struct ir_program *ir, enum ir_op op, struct ir_instr *a,
                           struct ir_instr *b);
struct ir_instr *ir_rejoin_division(struct ir_program *ir, struct ir_instr *x, struct ir_instr *y);

/* Passes, in the order they run. */
void ir_clean(struct ir_program *ir);        /* forwards, needless PHIs, dead code; counts uses */
void ir_resolve_phis(struct ir_program *ir); /* the first half of it: no dead code */
void ir_share(struct ir_program *ir);        /* common subexpressions */
void ir_nest(struct ir_program *ir);         /* sets loop of every instruction */
void ir_close_loops(struct ir_program *ir);  /* PHIs for values used behind their loop */
/* Short loops, decided branches, divisions, folding; only when there is some of that, or is_wanted.
 * Returns whether a loop was unrolled. */
bool ir_unroll(struct ir_program *ir, bool is_wanted);
bool ir_promote(struct ir_program *ir);  /* lane memory to values; false: nothing to do */
void ir_flatten(struct ir_program *ir);  /* short branches to selections */
void ir_hoist(struct ir_program *ir);    /* moves what does not change out of loops */
void ir_classify(struct ir_program *ir); /* classes and divergence */
bool ir_guard(struct ir_program *ir);    /* part of it: guards for clamps; false: no more of them */
void ir_fuse(struct ir_program *ir);     /* pairs that have one operation */
void ir_defer(struct ir_program *ir);    /* marks atomic additions that may be late */
void ir_lower(struct ir_program *ir);    /* operands as the interpreter's operations want them */
void ir_merge_loads(struct ir_program *ir);     /* four words side by side */
void ir_split_prologue(struct ir_program *ir);  /* what is the same in every chunk, to the front */
void ir_find_macs(struct ir_program *ir);       /* sums of products */
void ir_find_reductions(struct ir_program *ir); /* reductions */
void ir_tile(struct ir_program *ir); /* the order in which runs of arithmetic are longest */

#endif
