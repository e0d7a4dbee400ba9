/* SPDX-License-Identifier: MIT */
/* The state of one translation, and the checked getters.
 *
 * Nothing in the module is trusted: ids, types and counts go through the getters below (lookup.c),
 * which end the compilation with a message that names the instruction.
 */
#ifndef RP_COMPUTE_SPIRV_TRANSLATE_H
#define RP_COMPUTE_SPIRV_TRANSLATE_H

#include "compute/ir/build.h"
#include "compute/spirv/shader.h"
#include "compute/spirv/value.h"
#include "compute/spirv/variable.h"

/* The pages (rp_page) of a binding's handles. */
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
    uint32_t probe;         /* LABEL: 1 + its number among the program's probes; 0: none yet */
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
    bool wants_exact_bounds;                /* as in struct rp_kernel_info */
    const struct rp_heap_mapping *mappings; /* as in struct rp_kernel_info */
    uint32_t mapping_count;
    /* spv_heap_place(), which builds on the getters below. */
    const struct spv_value *(*place_mapped)(struct spv *s, const struct spv_value *mapped);
    bool has_addresses; /* the module declares PhysicalStorageBufferAddresses */
    struct spv_call *call;
};

/* Ends the compilation; the message gets the current instruction's name and offset. */
_Noreturn void spv_fail(struct spv *s, const char *what);

/* Word i of the current instruction; fails when it is shorter. */
uint32_t spv_word(struct spv *s, uint32_t i);
uint32_t spv_words_left(struct spv *s, uint32_t i); /* words from i on */

/* By id. */
struct spv_id *spv_id(struct spv *s, uint32_t id);
const struct spv_type *spv_type(struct spv *s, uint32_t id);
const struct spv_value *spv_value(struct spv *s, uint32_t id);
uint32_t spv_const_u32(struct spv *s, uint32_t id); /* an integer constant's low bits */

/* Parts of a type. */
const struct spv_type *spv_pointee(struct spv *s, const struct spv_type *pointer);
/* Can a value of that type be read or written through the pointer? Untyped ones take any. */
bool spv_points_to(struct spv *s, const struct spv_type *pointer, const struct spv_type *type);
const struct spv_type *spv_sub_type(struct spv *s, const struct spv_type *type, uint32_t index);
uint32_t spv_sub_flat(struct spv *s, const struct spv_type *type, uint32_t index);

/* The first decoration of a kind on an id (member UINT32_MAX) or member; NULL: none. */
const struct spv_decoration *spv_decoration(struct spv *s, uint32_t id, uint32_t member,
                                            uint32_t decoration);

#endif
