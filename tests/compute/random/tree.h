/* SPDX-License-Identifier: MIT */
/* A random compute shader as a tree: printed as GLSL for the driver, and run here as it stands.
 *
 * The tree has no undefined behaviour and no race: divisors are not zero, shifts are within the
 * width, an invocation writes only its own elements, atomics do not depend on their order.
 */
#ifndef RP_TESTS_COMPUTE_RANDOM_TREE_H
#define RP_TESTS_COMPUTE_RANDOM_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum kind { K_BOOL, K_I8, K_U8, K_I16, K_U16, K_I32, K_U32, K_I64, K_U64, K_F16, K_F32, K_F64 };

struct type {
    uint8_t kind; /* enum kind */
    uint8_t n;    /* components: 1 to 4 */
};

/* One component. Integers are sign- or zero-extended; floats of every width are kept as the double
 * of the same value. */
union value {
    int64_t i;
    double d;
};

/* clang-format off */
enum op {
    /* Leaves. */
    OP_CONST,
    OP_READ,    /* ref */
    OP_BUILTIN, /* imm: enum builtin */
    OP_PUSH,    /* imm: word */
    OP_SPEC,    /* imm: which */
    /* By components. */
    OP_ADD, OP_SUB, OP_MUL, OP_DIV, OP_REM, OP_MIN, OP_MAX, OP_AND, OP_OR, OP_XOR, OP_SHL, OP_SHR,
    OP_LT, OP_LE, OP_GT, OP_GE, OP_EQ, OP_NE,
    OP_NEG, OP_NOT, OP_ABS, OP_SIGN, OP_FLOOR, OP_CEIL, OP_TRUNC, OP_ROUND_EVEN, OP_FRACT, OP_SQRT,
    OP_ISNAN, OP_ISINF, OP_BIT_COUNT, OP_BIT_REVERSE, OP_FIND_LSB, OP_FIND_MSB,
    OP_CLAMP, OP_MIX, /* arg 2 ? arg 1 : arg 0 */
    OP_CONVERT, OP_BITS, OP_FROM_BITS,
    OP_SAFE,    /* the float, or 7 where it is outside of 0 or -imm to imm; imm < 0: from -imm */
    OP_EXTRACT, OP_INSERT, /* bit fields: imm is offset | bits << 8 */
    OP_LAND, OP_LOR,
    /* Others. */
    OP_SELECT,    /* arg 0 ? arg 1 : arg 2, by one bool */
    OP_SWIZZLE,   /* imm: two bits a component */
    OP_COMPONENT, /* arg 0 [ arg 1 % n ] */
    OP_BUILD,     /* from scalars */
    OP_SPLAT,
    OP_ALL, OP_ANY,
    OP_PACK,      /* the same bits as other unsigned integers */
    OP_LOAD,      /* imm: enum buffer; arg 0: element */
    OP_FETCH, OP_SAMPLE, OP_IMAGE_LOAD, /* texels: arg 0: x, arg 1: y */
    OP_LOAD_OF,   /* element arg 0 of one of the tables, arg 1 says of which */
};
/* clang-format on */

enum builtin {
    B_GLOBAL_X,
    B_GLOBAL_Y,
    B_GLOBAL_Z,
    B_LOCAL_X,
    B_LOCAL_Y,
    B_LOCAL_Z,
    B_LOCAL_INDEX,
    B_GROUP_X,
    B_GROUP_Y,
    B_GROUPS_X,
    B_SIZE_X,
    B_LINEAR,
    B_LANE,
    B_COUNT
};

enum buffer {
    BUF_IN,
    BUF_TABLE,
    BUF_OWN,
    BUF_OWN2,
    BUF_UNIFORM,
    BUF_OUT,
    BUF_SUMS,
    BUF_SHARED,
    BUF_COUNT
};

enum {
    LANES_MAX = 1024,
    OWN = 8,
    SUMS = 64,
    SHARED_SUMS = 16,
    OUT_WORDS = 12,
    PUSH_WORDS = 8,
    SPECS = 3,
    TEXTURE_SIDE = 32,
    UNIFORM_LENGTH = 16,
    TABLES = 4, /* views of BUF_TABLE: whole, none of it, its first half, whole */
    SUBGROUP_MIN = 16,
    SUBGROUP_MAX = 64,
    STEPS_MAX = 11
};

struct expr;

struct field {
    struct type type;
    uint8_t length; /* of an array, columns of a matrix; 0: neither */
    uint8_t slot;   /* first component in the variable */
};

enum form { FORM_PLAIN, FORM_ARRAY, FORM_MATRIX, FORM_STRUCT };

struct shape {
    uint8_t form; /* enum form */
    uint8_t field_count;
    uint8_t slots;
    uint8_t id;
    struct field fields[3];
};

struct var {
    const struct shape *shape;
    uint32_t id;
    uint32_t slot; /* first component among all variables */
    bool is_constant;
};

/* A variable, a field of it, an element: what can be assigned to. */
struct ref {
    struct var *var;
    uint8_t field;
    struct expr *index; /* NULL: none; taken modulo the length */
};

struct expr {
    uint8_t op; /* enum op */
    struct type type;
    bool is_zeroed; /* by the reduction: it is zero */
    int64_t imm;
    struct ref ref;
    struct expr *arg[4];
    union value value[4];
    struct expr *next_made;
};

enum stmt_op {
    ST_DECLARE, /* ref.var; expr by field */
    ST_ASSIGN,  /* ref = expr 0 */
    ST_COPY,    /* ref.var = from */
    ST_MATRIX,  /* ref.var = from, imm, from2 or expr 0 */
    ST_IF,
    ST_FOR,    /* ref.var walks; expr 0: how far at most (WALK_UP), or NULL */
    ST_DO,     /* ref.var counts; while expr 0, at most imm times */
    ST_SWITCH, /* expr 0; imm: bit i: block i falls through; values */
    ST_BREAK,  /* all: if expr 0 */
    ST_CONTINUE,
    ST_RETURN,
    ST_CALL,        /* ref = function(expr .., inout ref2) */
    ST_STORE,       /* imm: enum buffer; expr 0: element; expr 1 */
    ST_IMAGE_STORE, /* the invocation's own texel = expr 0 */
    ST_ADD_UP,      /* sums[expr 0] op= expr 1 */
    ST_SHARED_CLEAR,
    ST_SHARED_ADD,
    ST_SHARED_READ, /* ref = shared_sums[expr 0], between barriers */
    ST_EXCHANGE,    /* shared[place] = expr 0; barrier; ref = shared[expr 1]; barrier */
    ST_REDUCE,      /* tree[lane] = expr 0, behind them expr 1; imm2 steps of op imm;
                  * ref = tree[expr 2] */
    ST_CODER,       /* invocation imm codes imm2 symbols from expr 0 on, by words of the workgroup;
                     * ref = what they are then */
    ST_OWN_ATOMIC,  /* ref = op imm of the invocation's element expr 0 of buffer imm2, by expr 1;
                    * BUF_SUMS: the invocation's word, expr 0 NULL, ref.var NULL: not wanted */
    ST_SUBGROUP,    /* ref = op imm (expr 0, expr 1) */
};

/* How a loop's counter goes on from `first` for `imm` rounds. */
enum walk {
    WALK_UP,     /* by step, below expr 0 and below where it ends */
    WALK_TO,     /* by step, until it is equal */
    WALK_WITHIN, /* by step, up to and with the last */
    WALK_DOWN,   /* by step, above 0 */
    WALK_HALVE,  /* above 0 */
    WALK_DOUBLE,
    WALK_COUNT
};

/* Of a reduction: lanes below `lanes` take in what is `distance` further; swapped: as the first
 * operand. */
struct step {
    uint16_t lanes, distance;
    bool is_swapped;
};

enum subgroup_op {
    SG_ADD,
    SG_MUL,
    SG_MIN,
    SG_MAX,
    SG_AND,
    SG_OR,
    SG_XOR, /* may be scanned */
    SG_FIRST,
    SG_BALLOT,
    SG_ALL,
    SG_ANY,
    SG_ELECT,
    SG_SHUFFLE,
    SG_SHUFFLE_XOR,
};
enum scan { SCAN_REDUCE, SCAN_INCLUSIVE, SCAN_EXCLUSIVE, SCAN_CLUSTER4 };

struct block {
    struct stmt *first, *last;
};

struct stmt {
    uint8_t op;      /* enum stmt_op */
    bool is_deleted; /* by the reduction */
    uint32_t imm, imm2;
    struct ref ref, ref2;
    struct var *from, *from2;
    struct expr *expr[4];
    struct function *callee;
    struct block blocks[5];
    uint32_t block_count;
    uint8_t walk; /* enum walk */
    int32_t first, step;
    struct step steps[STEPS_MAX];
    struct stmt *next;
    struct stmt *next_made;
};

struct function {
    uint32_t id;
    struct type result;
    struct var *params[2];
    struct var *inout;
    struct var *local; /* holds the result */
    struct block body;
};

struct storage {
    struct type type;
    uint32_t length; /* elements; BUF_SUMS: behind the common ones one for each invocation */
    uint32_t stride_B;
    uint8_t *bytes;
    size_t size_B;
};

struct kernel {
    uint64_t seed;
    uint32_t local[3], groups[3], base[3], dispatches;
    uint32_t width, height; /* of the grid in invocations, base included */
    uint32_t invocations;   /* width * height * depth */
    uint32_t subgroup;      /* invocations of one */
    bool wants_wild;        /* indices far outside: only for exact bounds */
    bool is_rewritten;      /* by spirv-opt */
    bool is_wider;      /* has what rows.c makes, too; so that other seeds stay what they were */
    uint32_t out_shift; /* elements that the first invocation's results begin in front of BUF_OUT */
    bool has_subgroups, has_images, has_shared, has_base;
    bool own_is_strided[2];        /* element e of invocation i: at e * invocations + i */
    uint8_t sum_op, shared_sum_op; /* enum op */
    struct type shared_type, tree_type;
    uint32_t push[PUSH_WORDS], spec[SPECS];
    struct storage buffers[BUF_COUNT];
    struct storage texture, image;
    struct function *functions[3];
    uint32_t function_count;
    struct shape shapes[8];
    uint32_t shape_count;
    uint32_t var_count, slot_count;
    struct block body;
    struct stmt *stmts; /* all that were made */
    struct expr *exprs;
    void *memory; /* arena */
};

/* make.c */
struct kernel *kernel_make(uint64_t seed);
void kernel_free(struct kernel *k);

/* print.c */
void kernel_print(const struct kernel *k, FILE *out);
size_t type_size(struct type type);

/* values.c */
bool kind_is_float(uint8_t kind);
bool kind_is_signed(uint8_t kind);
uint32_t kind_bits(uint8_t kind);
union value value_wrap(uint8_t kind, union value v);
union value value_apply(const struct expr *e, const union value *a, const union value *b,
                        const union value *c);
union value value_load(uint8_t kind, const uint8_t *bytes);
void value_store(uint8_t kind, union value v, uint8_t *bytes);
bool value_is_same(uint8_t kind, const uint8_t *a, const uint8_t *b); /* any NaN for any */

/* evaluate.c. False: it takes too long. */
bool kernel_evaluate(const struct kernel *k, struct storage *buffers, struct storage *image);

#endif
