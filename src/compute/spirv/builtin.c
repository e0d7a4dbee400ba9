/* SPDX-License-Identifier: MIT */
/* Builtin inputs, from the position of the lane and of its workgroup (or chunk of a row).
 */
#include "compute/spirv/lane.h"
#include "compute/spirv/translate.h"

/* For lanes that lie in quads: part of the quad's position, and of the lane's in it. */
static struct ir_instr *
quad_id(struct spv *s, uint32_t axis)
{
    struct ir_program *ir = s->ir;
    struct ir_instr *lane = ir_builtin(ir, IR_LANE_X);
    struct ir_instr *quad = ir_bin(ir, IR_SHR, lane, ir_i(ir, 2));
    struct ir_instr *columns = ir_i(ir, s->local_size[0] / 2);
    struct ir_instr *rows = ir_i(ir, s->local_size[1] / 2);
    struct ir_instr *row = ir_bin(ir, IR_UDIV, quad, columns);

    if (axis == 2)
        return ir_bin(ir, IR_UDIV, row, rows);
    struct ir_instr *at =
        axis ? ir_bin(ir, IR_UREM, row, rows) : ir_bin(ir, IR_UREM, quad, columns);
    struct ir_instr *bit =
        ir_bin(ir, IR_AND, ir_bin(ir, IR_SHR, lane, ir_i(ir, axis)), ir_i(ir, 1));
    return ir_bin(ir, IR_OR, ir_bin(ir, IR_SHL, at, ir_i(ir, 1)), bit);
}

static struct ir_instr *
times(struct ir_program *ir, struct ir_instr *a, uint32_t factor)
{
    return ir_bin(ir, IR_IMUL, a, ir_i(ir, factor));
}

static struct ir_instr *
row_major(struct ir_program *ir, enum ir_builtin first, struct ir_instr *columns,
          struct ir_instr *rows)
{
    struct ir_instr *at = ir_bin(ir, IR_IMUL, ir_builtin(ir, first + 2), rows);
    at = ir_bin(ir, IR_IADD, at, ir_builtin(ir, first + 1));
    return ir_bin(ir, IR_IADD, ir_bin(ir, IR_IMUL, at, columns), ir_builtin(ir, first));
}

/* The number of the invocation whose ids the lane has, from the array of ir->swizzle. */
static struct ir_instr *
swizzled(struct spv *s)
{
    struct ir_program *ir = s->ir;
    const uint32_t *size = s->local_size;
    struct ir_instr *group =
        row_major(ir, IR_GROUP_X, ir_builtin(ir, IR_GROUPS_X), ir_builtin(ir, IR_GROUPS_Y));
    struct ir_instr *lane = row_major(ir, IR_LANE_X, ir_i(ir, size[0]), ir_i(ir, size[1]));
    struct ir_instr *place =
        ir_bin(ir, IR_IADD, times(ir, group, size[0] * size[1] * size[2]), lane);
    struct ir_instr *load = ir_make(ir, IR_LOAD, IR_I, 2);
    load->args[0] = ir_const(ir, IR_L, (uintptr_t)ir->swizzle);
    load->args[1] = times(ir, place, sizeof(ir->swizzle[0]));
    load->aux = sizeof(ir->swizzle[0]);
    load->comps = 1;
    load->is_const_mem = true;
    ir_place(ir, load);
    return load;
}

/* Part `axis` of a number that counts columns, then rows, then slices. */
static struct ir_instr *
part_of(struct ir_program *ir, struct ir_instr *number, uint32_t axis, struct ir_instr *columns,
        struct ir_instr *rows)
{
    if (axis == 0)
        return ir_bin(ir, IR_UREM, number, columns);
    struct ir_instr *row = ir_bin(ir, IR_UDIV, number, columns);
    return ir_bin(ir, axis == 1 ? IR_UREM : IR_UDIV, row, rows);
}

static struct ir_instr *
swizzled_local_id(struct spv *s, uint32_t axis)
{
    struct ir_program *ir = s->ir;
    const uint32_t *size = s->local_size;
    struct ir_instr *local =
        ir_bin(ir, IR_UREM, swizzled(s), ir_i(ir, size[0] * size[1] * size[2]));
    return part_of(ir, local, axis, ir_i(ir, size[0]), ir_i(ir, size[1]));
}

static struct ir_instr *
swizzled_group_id(struct spv *s, uint32_t axis)
{
    struct ir_program *ir = s->ir;
    const uint32_t *size = s->local_size;
    struct ir_instr *group =
        ir_bin(ir, IR_UDIV, swizzled(s), ir_i(ir, size[0] * size[1] * size[2]));
    return part_of(ir, group, axis, ir_builtin(ir, IR_GROUPS_X), ir_builtin(ir, IR_GROUPS_Y));
}

static struct ir_instr *
local_id(struct spv *s, uint32_t axis)
{
    if (s->local_size[axis] == 1)
        return ir_i(s->ir, 0);
    if (s->ir->swizzle)
        return swizzled_local_id(s, axis);
    if (s->derivative_group == SPV_DERIVATIVE_GROUP_QUADS)
        return quad_id(s, axis);
    if (s->ir->has_rows && axis == 0)
        return ir_builtin(s->ir, IR_LOCAL_X);
    if (s->ir->has_rows)
        return ir_bin(s->ir, IR_UREM, ir_builtin(s->ir, IR_GROUP_X + axis),
                      ir_i(s->ir, s->local_size[axis]));
    return ir_builtin(s->ir, IR_LANE_X + axis);
}

static struct ir_instr *
local_index(struct spv *s)
{
    struct ir_program *ir = s->ir;
    const uint32_t *size = s->local_size;
    struct ir_instr *y = ir_bin(ir, IR_IMUL, local_id(s, 1), ir_i(ir, size[0]));
    struct ir_instr *z = ir_bin(ir, IR_IMUL, local_id(s, 2), ir_i(ir, size[0] * size[1]));
    return ir_bin(ir, IR_IADD, ir_bin(ir, IR_IADD, local_id(s, 0), y), z);
}

struct ir_instr *
spv_lane_index(struct spv *s)
{
    if (s->derivative_group == SPV_DERIVATIVE_GROUP_QUADS)
        return ir_builtin(s->ir, IR_LANE_X);
    return local_index(s);
}

static struct ir_instr *
group_id(struct spv *s, uint32_t axis)
{
    struct ir_program *ir = s->ir;
    if (ir->swizzle)
        return swizzled_group_id(s, axis);
    if (ir->has_rows && axis == 0 && s->local_size[0] > 1)
        return ir_builtin(ir, IR_WORKGROUP_X);
    struct ir_instr *group = ir_builtin(ir, IR_GROUP_X + axis);
    if (ir->has_rows && axis)
        return ir_bin(ir, IR_UDIV, group, ir_i(ir, s->local_size[axis]));
    if (ir->has_rows)
        return ir_bin(ir, IR_IADD, group, ir_builtin(ir, IR_LANE_X));
    if (axis == 0 && ir->pack > 1)
        group = ir_bin(ir, IR_IADD, group, ir_builtin(ir, IR_LANE_Z));
    return group;
}

static struct ir_instr *
global_id(struct spv *s, uint32_t axis)
{
    struct ir_program *ir = s->ir;
    if (ir->has_rows && axis)
        return ir_builtin(ir, IR_GROUP_X + axis);
    if (ir->has_rows)
        return ir_bin(ir, IR_IADD, ir_builtin(ir, IR_GROUP_X), ir_builtin(ir, IR_LANE_X));
    struct ir_instr *group = group_id(s, axis);
    group = ir_bin(ir, IR_IMUL, group, ir_i(ir, s->local_size[axis]));
    return ir_bin(ir, IR_IADD, group, local_id(s, axis));
}

struct ir_instr *
spv_lane_in(struct spv *s, uint32_t lanes)
{
    return ir_bin(s->ir, IR_AND, spv_lane_index(s), ir_i(s->ir, lanes - 1));
}

struct ir_instr *
spv_lane(struct spv *s)
{
    return spv_lane_in(s, s->ir->subgroup_size);
}

uint32_t
spv_lanes_mask(struct spv *s, uint32_t word)
{
    const uint32_t size = s->ir->subgroup_size;
    if (size <= 32 * word)
        return 0;
    return size >= 32 * (word + 1) ? UINT32_MAX : (1u << (size - 32 * word)) - 1;
}

struct ir_instr *
spv_lane_mask(struct spv *s, uint32_t builtin, uint32_t word)
{
    struct ir_program *ir = s->ir;
    if (!spv_lanes_mask(s, word))
        return ir_i(ir, 0);
    struct ir_instr *lane = spv_lane(s), *zero = ir_i(ir, 0);
    struct ir_instr *bit = ir_bin(ir, IR_SHL, ir_i(ir, 1), lane);
    struct ir_instr *below = ir_bin(ir, IR_ISUB, bit, ir_i(ir, 1));
    struct ir_instr *all = ir_i(ir, spv_lanes_mask(s, word));
    if (s->ir->subgroup_size > 32) {
        /* The lane's bit is in one of two words; those below it may be all of the first. */
        struct ir_instr *is_here =
            ir_bin(ir, IR_IEQ, ir_bin(ir, IR_SHR, lane, ir_i(ir, 5)), ir_i(ir, word));
        bit = ir_select(ir, is_here, bit, zero);
        below = ir_select(ir, is_here, below, word ? zero : all);
    }

    switch (builtin) {
    case SPV_SUBGROUP_EQ_MASK:
        return bit;
    case SPV_SUBGROUP_LT_MASK:
        return below;
    case SPV_SUBGROUP_LE_MASK:
        return ir_bin(ir, IR_OR, below, bit);
    case SPV_SUBGROUP_GE_MASK:
        return ir_bin(ir, IR_XOR, below, all);
    default:
        return ir_bin(ir, IR_XOR, ir_bin(ir, IR_OR, below, bit), all);
    }
}

static struct ir_instr *
builtin_part(struct spv *s, uint32_t builtin, uint32_t i)
{
    struct ir_program *ir = s->ir;
    const uint32_t *size = s->local_size, width = ir->subgroup_size;

    switch (builtin) {
    case SPV_NUM_WORKGROUPS:
        return ir_builtin(ir, IR_GROUPS_X + i);
    case SPV_WORKGROUP_SIZE:
        return ir_i(ir, size[i]);
    case SPV_WORKGROUP_ID:
        return group_id(s, i);
    case SPV_LOCAL_INVOCATION_ID:
        return local_id(s, i);
    case SPV_GLOBAL_INVOCATION_ID:
        return global_id(s, i);
    case SPV_LOCAL_INVOCATION_INDEX:
        return local_index(s);
    case SPV_SUBGROUP_SIZE:
        return ir_i(ir, width);
    case SPV_NUM_SUBGROUPS:
        return ir_i(ir, (size[0] * size[1] * size[2] + width - 1) / width);
    case SPV_SUBGROUP_ID:
        return ir_bin(ir, IR_UDIV, spv_lane_index(s), ir_i(ir, width));
    case SPV_SUBGROUP_LOCAL_INVOCATION_ID:
        return spv_lane(s);
    case SPV_SUBGROUP_EQ_MASK:
    case SPV_SUBGROUP_GE_MASK:
    case SPV_SUBGROUP_GT_MASK:
    case SPV_SUBGROUP_LE_MASK:
    case SPV_SUBGROUP_LT_MASK:
        return spv_lane_mask(s, builtin, i);
    case SPV_DEVICE_INDEX:
        return ir_i(ir, 0);
    default:
        spv_fail(s, "builtin is not supported");
    }
}

void
spv_load_builtin(struct spv *s, uint32_t builtin, const struct spv_type *type, uint32_t flat,
                 struct ir_instr **out)
{
    const struct spv_type *scalar = spv_scalar_of(type);
    const bool is_triple = (builtin >= SPV_NUM_WORKGROUPS && builtin <= SPV_GLOBAL_INVOCATION_ID);
    const bool is_quad = builtin >= SPV_SUBGROUP_EQ_MASK && builtin <= SPV_SUBGROUP_LT_MASK;
    if (scalar->kind != SPV_T_INT || scalar->width != 32 || flat > 3 ||
        flat + type->flat > (is_triple ? 3
                             : is_quad ? 4u
                                       : 1u))
        spv_fail(s, "bad type of a builtin");
    for (uint32_t i = 0; i < type->flat; i++)
        out[i] = builtin_part(s, builtin, flat + i);
}
