/* SPDX-License-Identifier: MIT */
/* The front end: one entry point of a module becomes an IR program.
 *
 * Nothing in the module is trusted: ids, types and counts go through the checked getters below,
 * which end the compilation with a message that names the instruction.
 */
#ifndef RP_COMPUTE_SPIRV_SPV_H
#define RP_COMPUTE_SPIRV_SPV_H

#include "compute/ir/ir.h"
#include "compute/spirv/shader.h"

enum spv_type_kind {
    SPV_T_VOID,
    SPV_T_BOOL,
    SPV_T_INT,
    SPV_T_FLOAT,
    SPV_T_COOPERATIVE, /* matrix; to a lane a vector of its components */
    SPV_T_VECTOR,
    SPV_T_MATRIX,
    SPV_T_ARRAY,
    SPV_T_RUNTIME_ARRAY,
    SPV_T_STRUCT,
    SPV_T_POINTER,
    SPV_T_FUNCTION,
    SPV_T_IMAGE,
    SPV_T_SAMPLER,
    SPV_T_SAMPLED_IMAGE,
};

struct spv_member {
    const struct spv_type *type;
    uint32_t offset_B;
    uint32_t matrix_stride_B;
    bool is_row_major;
};

struct spv_type {
    enum spv_type_kind kind;
    uint32_t id;
    uint32_t width; /* INT, FLOAT: bits */
    bool is_signed;
    bool has_block; /* STRUCT: Block or BufferBlock */
    bool is_buffer_block;
    const struct spv_type *elem; /* component, column, element, result; image of a sampled image */
    uint32_t elem_id;            /* POINTER: the pointee, resolved when used; 0: untyped */
    uint32_t count;              /* components, columns, elements, members, parameters */
    uint32_t flat;               /* IR values of one such value; IR_MAX_FLAT + 1: too many */
    uint32_t array_stride_B;
    uint32_t storage; /* POINTER */
    const struct spv_member *members;
    uint32_t natural_B; /* size when the module gives no layout */
    uint32_t natural_align_B;
    struct {
        uint8_t dim;
        bool is_arrayed;
        bool is_multisampled;
        uint8_t sampled;
    } image;
};

/* Where a pointer points. Memory (buffers, workgroup, addresses): values handle (or a 64-bit
 * address) and byte offset. Variables of the invocation: var and the first flat value. */
struct spv_pointer {
    struct spv_var *var;
    uint32_t flat;
    struct ir_instr *index;   /* added to flat; NULL: none. Lane memory and vectors only */
    uint32_t matrix_stride_B; /* of the pointee, or of the matrix it is a part of */
    bool is_row_major;
    uint32_t comp_stride_B; /* pointee is a vector inside a row-major matrix; 0: packed */
    uint32_t element_B;     /* from one element to the next of the array it is in; 0: none */
    bool is_explicit;       /* the module gives the layout */
    bool is_const;          /* into a uniform block: nothing writes it during the dispatch */
};

struct spv_value {
    const struct spv_type *type;
    struct ir_instr **v;     /* type->flat values; NULL for a pointer to a variable */
    struct spv_pointer *ptr; /* NULL when not a pointer */
    /* An OpImageTexelPointer: */
    struct spv_value *texel_image;
    struct spv_value *texel_coord;
    struct spv_value *texel_sample;
};

enum spv_var_kind {
    SPV_VAR_SLOTS,  /* values */
    SPV_VAR_LANE,   /* memory of the lane */
    SPV_VAR_TABLE,  /* constant data */
    SPV_VAR_MEMORY, /* handle and offset */
    SPV_VAR_BUILTIN,
    SPV_VAR_OPAQUE, /* images, samplers: handle */
};

struct spv_var {
    enum spv_var_kind kind;
    const struct spv_type *type;
    uint32_t slot;     /* SLOTS: in struct spv; LANE: first slot of lane memory */
    uint32_t offset_B; /* TABLE, workgroup memory */
    uint32_t handle;
    uint32_t builtin;
};

/* Of handles (rp_page): those of a binding. */
struct spv_pages {
    uint32_t first;
    uint32_t count;
};

struct spv_decoration {
    struct spv_decoration *next;
    uint32_t member; /* UINT32_MAX: the id itself */
    uint32_t decoration;
    const uint32_t *operands;
    uint32_t operand_count;
};

/* Facts about a pointer to a variable of the invocation, gathered before translation. */
struct spv_root {
    uint32_t id;     /* the variable or parameter it comes from; 0: none */
    bool is_indexed; /* root: some array in it is indexed by a value that varies */
    bool is_stored;  /* root: written, or may be */
};

struct spv_id {
    const uint32_t *def; /* defining instruction */
    struct spv_type *type;
    struct spv_value *value;
    struct spv_var *var;
    struct spv_decoration *decorations;
    struct spv_root root;
    bool is_constant;
    bool is_visited;        /* LABEL: translated in this call */
    bool has_joins;         /* FUNCTION: those of its labels are known */
    uint32_t block;         /* LABEL: its number among those of its function */
    struct spv_join *joins; /* LABEL: places where ways from it meet again, in their order */
};

struct spv {
    const struct rp_shader *shader;
    const VkSpecializationInfo *specialization;
    struct ir_program *ir;
    struct spv_id *ids;
    const uint32_t *at;              /* being translated; for messages */
    const struct spv_value *pending; /* its result: no operand of its own */
    uint32_t glsl_set;               /* id of the GLSL.std.450 import */
    uint32_t entry_function;
    uint32_t derivative_group; /* execution mode: how lanes form quads; 0: not at all */
    uint32_t local_size[3];    /* of the module; ir->local_size says how the lanes lie */
    uint32_t flushed_widths;   /* execution modes: sum of the widths of floats (16, 32, 64) whose */
    uint32_t truncated_widths; /* denormal numbers are zero; that are rounded towards zero */
    struct ir_instr **slots;   /* current values of promoted variables */
    uint32_t slot_count;
    uint32_t slot_capacity;
    uint32_t *buckets;     /* 1 + number of a binding, by hash of set and binding; 0: free */
    uint32_t bucket_count; /* a power of two */
    struct spv_pages *binding_pages; /* by number; as many as bindings */
    uint32_t page_capacity;
    bool is_reachable;
    uint32_t depth;
    bool wants_exact_bounds; /* as in struct rp_kernel_info */
    bool has_addresses;      /* the module declares PhysicalStorageBufferAddresses */
    struct spv_call *call;
};

/* Ends the compilation; the message gets the current instruction's name and offset. */
_Noreturn void spv_fail(struct spv *s, const char *what);

/* Word i of the current instruction; fails when it is shorter. */
uint32_t spv_word(struct spv *s, uint32_t i);
uint32_t spv_words_left(struct spv *s, uint32_t i); /* words from i on */

/* Checked lookups by id. */
struct spv_id *spv_id(struct spv *s, uint32_t id);
const struct spv_type *spv_type(struct spv *s, uint32_t id);
const struct spv_value *spv_value(struct spv *s, uint32_t id);
void spv_note_order(struct spv *s, uint32_t semantics_id); /* of a barrier or an atomic */
uint32_t spv_const_u32(struct spv *s, uint32_t id);        /* an integer constant's low bits */
const struct spv_type *spv_pointee(struct spv *s, const struct spv_type *pointer);
/* Can a value of that type be read or written through the pointer? Untyped ones take any. */
bool spv_points_to(struct spv *s, const struct spv_type *pointer, const struct spv_type *type);
const struct spv_type *spv_sub_type(struct spv *s, const struct spv_type *type, uint32_t index);
uint32_t spv_sub_flat(struct spv *s, const struct spv_type *type, uint32_t index);

/* The first decoration of a kind on an id (member UINT32_MAX) or member; NULL: none. */
const struct spv_decoration *spv_decoration(struct spv *s, uint32_t id, uint32_t member,
                                            uint32_t decoration);

/* types.c */
void spv_add_type(struct spv *s);
bool spv_type_is_memory(const struct spv_type *pointer);
enum ir_type spv_scalar_type(const struct spv_type *scalar);
uint32_t spv_scalar_size(const struct spv_type *scalar);
const struct spv_type *spv_scalar_of(const struct spv_type *type); /* or of its components */
uint32_t spv_natural_offset(const struct spv_type *type, uint32_t index);
/* The scalar type of each flat value of a type, in order. */
const struct spv_type *spv_flat_type(const struct spv_type *type, uint32_t flat);

/* matrix.c */
void spv_type_cooperative(struct spv *s, struct spv_type *t);

/* subgroup.c: a value of another lane, whatever its type. */
struct ir_instr *spv_shuffle(struct spv *s, struct ir_instr *value, struct ir_instr *from);

/* constant.c */
void spv_add_constant(struct spv *s);
struct spv_value *spv_null(struct spv *s, const struct spv_type *type);

/* value.c */
struct spv_value *spv_new_value(struct spv *s, const struct spv_type *type);
void spv_set(struct spv *s, uint32_t id, struct spv_value *value);
/* A value for the result of the current instruction, registered under its id. */
struct spv_value *spv_result(struct spv *s);
void spv_set_result(struct spv *s, struct ir_instr *scalar);
const struct spv_value *spv_operand(struct spv *s, uint32_t word); /* value of the id at word */
struct ir_instr *spv_scalar_operand(struct spv *s, uint32_t word);

/* variable.c. The first of these is called for all variables before the second. */
void spv_reserve_aliased(struct spv *s);
void spv_spread_workgroups(struct spv *s); /* once all variables are there */
void spv_add_variable(struct spv *s, bool is_global);

/* pointer.c */
void spv_access_chain(struct spv *s);
void spv_load(struct spv *s);
void spv_store(struct spv *s);
void spv_copy_memory(struct spv *s);
void spv_copy_memory_sized(struct spv *s);
void spv_array_length(struct spv *s);
void spv_pointer_compare(struct spv *s);
void spv_load_from(struct spv *s, const struct spv_value *pointer, struct spv_value *out);
void spv_store_to(struct spv *s, const struct spv_value *pointer, const struct spv_value *value);

/* memory.c: values in memory with a layout. */
struct spv_place {
    struct ir_instr *handle;
    struct ir_instr *offset;
    struct spv_pointer layout;
    bool is_const;
};
void spv_load_memory(struct spv *s, const struct spv_type *type, const struct spv_place *place,
                     struct ir_instr **out);
void spv_store_memory(struct spv *s, const struct spv_type *type, const struct spv_place *place,
                      struct ir_instr *const *values);

void spv_push_slot(struct spv *s, struct ir_instr *value);

/* scan.c */
void spv_scan(struct spv *s);

/* builtin.c */
void spv_load_builtin(struct spv *s, uint32_t builtin, const struct spv_type *type, uint32_t flat,
                      struct ir_instr **out);
struct ir_instr *spv_lane(struct spv *s); /* SubgroupLocalInvocationId */

/* flow.c */
void spv_translate_entry(struct spv *s);
void spv_call(struct spv *s);

/* Instruction families; each returns false when the instruction is not one of its own. */
bool spv_arithmetic(struct spv *s);
bool spv_convert(struct spv *s);
bool spv_composite(struct spv *s);
bool spv_atomic(struct spv *s);
bool spv_image(struct spv *s);
bool spv_subgroup(struct spv *s);
bool spv_dot(struct spv *s);
bool spv_bits(struct spv *s);
bool spv_derivative(struct spv *s);
bool spv_glsl(struct spv *s);
bool spv_matrix(struct spv *s);
void spv_instruction(struct spv *s); /* any but control flow */

/* Arithmetic on one scalar of a type: picks the operation of the width, keeps 16-bit floats
 * rounded and reads 8- and 16-bit integers with the sign the operation wants. */
struct ir_instr *spv_fbin(struct spv *s, const struct spv_type *scalar, enum ir_op op32,
                          struct ir_instr *a, struct ir_instr *b);
struct ir_instr *spv_fun(struct spv *s, const struct spv_type *scalar, enum ir_op op32,
                         struct ir_instr *a);
struct ir_instr *spv_mad(struct spv *s, const struct spv_type *scalar, struct ir_instr *a,
                         struct ir_instr *b, struct ir_instr *c);
struct ir_instr *spv_fconst(struct spv *s, const struct spv_type *scalar, double value);

/* float.c: parts of the above. An execution mode of floats; a float without denormal numbers
 * where the mode says so; a float as a half (other types as they are); conversions that round
 * towards zero. */
void spv_float_mode(struct spv *s, uint32_t mode, uint32_t width);
struct ir_instr *spv_flush(struct spv *s, const struct spv_type *f, struct ir_instr *a);
struct ir_instr *spv_round_half(struct spv *s, const struct spv_type *f, struct ir_instr *a);
struct ir_instr *spv_long_to_double_down(struct spv *s, struct ir_instr *a, bool is_signed);
struct ir_instr *spv_double_to_float_down(struct spv *s, struct ir_instr *d);
struct ir_instr *spv_float_to_half_down(struct spv *s, struct ir_instr *f);

struct ir_instr *spv_ibin(struct spv *s, const struct spv_type *scalar, enum ir_op op32,
                          struct ir_instr *a, struct ir_instr *b);
struct ir_instr *spv_extend(struct spv *s, const struct spv_type *scalar, bool is_signed,
                            struct ir_instr *a);
enum ir_op spv_op64(struct spv *s, enum ir_op op32); /* the 64-bit counterpart */
struct ir_instr *spv_iconst(struct spv *s, const struct spv_type *scalar, uint64_t value);

/* Index of the lane in its workgroup; subgroups and quads are rows of lanes. */
struct ir_instr *spv_lane_index(struct spv *s);

/* derivative.c: of a float along x (axis 0) or y of the lane's quad. */
struct ir_instr *spv_derive(struct spv *s, const struct spv_type *scalar, uint32_t axis,
                            struct ir_instr *value);

/* The greatest index into an array of descriptors that stays among the variable's own numbers. */
uint32_t spv_descriptor_limit(const struct spv_type *type);

/* Compiles; fills ir. May not return: ir->fail. */
void spv_compile(const struct rp_kernel_info *info, struct ir_program *ir);

#endif
