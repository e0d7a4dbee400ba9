/* SPDX-License-Identifier: MIT */
/* Variables: values of the invocation, memory of a lane, buffers, builtins and opaque handles.
 */
#ifndef RP_COMPUTE_SPIRV_VARIABLE_H
#define RP_COMPUTE_SPIRV_VARIABLE_H

#include "compute/spirv/type.h"

struct ir_instr;
struct spv;

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
    uint32_t scalar_B; /* TABLE */
    uint32_t size_B;   /* workgroup memory */
    uint32_t handle;
    uint32_t builtin;
    const struct rp_heap_mapping *mapping; /* it lies in a heap; NULL: in a set */
    uint32_t mapping_index;                /* of its binding among those of the mapping */
};

/* Facts about a pointer to a variable of the invocation, gathered before translation. */
struct spv_root {
    uint32_t id;     /* the variable or parameter it comes from; 0: none */
    bool is_indexed; /* root: some array in it is indexed by a value that varies */
    bool is_stored;  /* root: written, or may be */
};

/* variable.c. The first of these is called for all variables before the second. */
void spv_reserve_aliased(struct spv *s);
void spv_spread_workgroups(struct spv *s); /* once all variables are there */
void spv_add_variable(struct spv *s, bool is_global);
void spv_push_slot(struct spv *s, struct ir_instr *value);

/* scan.c: finds the roots of all pointers. */
void spv_scan(struct spv *s);

/* builtin.c */
void spv_load_builtin(struct spv *s, uint32_t builtin, const struct spv_type *type, uint32_t flat,
                      struct ir_instr **out);

#endif
