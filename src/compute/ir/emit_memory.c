/* SPDX-License-Identifier: MIT */
/* Accesses to memory, and what else has more operands than one record holds.
 */
#include "compute/image/image.h"
#include "compute/ir/emitter.h"

/* How the operation finds its memory: in the record's i and b. */
static void
set_memory(struct ir_emitter *e, const struct ir_instr *handle)
{
    struct rp_op *op = ir_emit_last(e);
    const bool is_uniform = handle->cls == IR_UNIFORM;

    op->b = handle->reg;
    if (handle->type == IR_L)
        op->i = is_uniform ? RP_MEMORY_ADDRESS : RP_MEMORY_ADDRESSES;
    else
        op->i = is_uniform ? RP_MEMORY_DYNAMIC : RP_MEMORY_VARYING;
    if (ir_static_memory(e->ir, handle) >= 0)
        op->i = ir_static_memory(e->ir, handle);
}

static uint32_t
width_index(uint32_t bytes)
{
    return bytes == 1 ? 0 : bytes == 2 ? 1 : bytes == 4 ? 2 : 3;
}

static enum ir_bank
value_bank(const struct ir_instr *i)
{
    if (i->cls == IR_UNIFORM)
        return IR_BANK_SCALAR;
    return i->aux == 8 ? IR_BANK_LONG : IR_BANK_WORD;
}

/* The load of which the store keeps everything, and nobody else anything; or NULL. */
static const struct ir_instr *
copied_load(const struct ir_instr *store)
{
    const struct ir_instr *load = store->args[5];
    if (load->op == IR_PROJ)
        load = load->args[0];
    if (load->op != IR_LOAD || !load->is_linear || load->cls != IR_VARYING ||
        load->aux != store->aux || load->comps != store->comps || load->loop != store->loop)
        return NULL;
    for (uint32_t c = 0; c < store->comps; c++) {
        const struct ir_instr *value = store->args[5 + c];
        if (value->use_count != 1 || value != (load->comps == 1 ? load : load->projs[c]))
            return NULL;
    }
    return load;
}

/* Whether the memory behind a constant handle is read, one entry for all that are not static. */
static bool *
read_entry(struct ir_emitter *e, const struct ir_instr *handle)
{
    const struct rp_page *page = ir_page_of(e->ir, handle);
    return &e->is_read[page ? RP_MIN(page->binding, RP_STATIC_BINDINGS) : RP_STATIC_BINDINGS];
}

static void
find_streams(struct ir_emitter *e)
{
    e->has_streams = true;
    e->orders_stores = e->ir->orders_memory;
    for (const struct ir_instr *i = e->ir->first; i; i = i->next) {
        if (i->op == IR_ATOMIC || i->op == IR_BARRIER ||
            (i->op == IR_IMAGE && i->image->op == IR_IMAGE_ATOMIC) ||
            (i->op == IR_LOAD && (!ir_is_const(i->args[0]) || i->args[0]->type != IR_I)))
            e->orders_stores = true;
        else if (i->op == IR_LOAD)
            *read_entry(e, i->args[0]) = true;
    }
}

/* May what is stored go past the caches? Such stores are ordered at the end only, so nothing in
 * the kernel may order them, and they are slow where it reads the same memory. */
static bool
may_stream(struct ir_emitter *e, const struct ir_instr *store)
{
    const struct ir_instr *handle = store->args[0];
    if (!ir_is_const(handle) || handle->type != IR_I || ir_is_own_memory(handle))
        return false;
    if (!e->has_streams)
        find_streams(e);
    return !e->orders_stores && !*read_entry(e, handle);
}

/* Puts a COPY_L in front of the load that was written last. */
static void
emit_copy(struct ir_emitter *e, const struct ir_instr *store)
{
    const uint32_t at = e->last_load_op;
    if (at + 2 != e->out->op_count || copied_load(store) != e->last_load)
        return;
    ir_emit_op(e, RP_X_COPY_L);
    struct rp_op *ops = e->out->ops;
    uint16_t *codes = e->out->codes;
    const struct rp_op copy = ops[at + 2];
    for (uint32_t k = at + 2; k > at; k--) {
        ops[k] = ops[k - 1];
        codes[k] = codes[k - 1];
    }
    ops[at] = copy;
    ops[at].n = (uint16_t)(store->comps * store->aux);
    ops[at].i = may_stream(e, store);
    codes[at] = RP_X_COPY_L;
}

/* What address.c found. */
static void
emit_scalar_access(struct ir_emitter *e, const struct ir_instr *i)
{
    const bool is_store = i->op == IR_STORE;
    ir_emit_op(e, (is_store ? RP_X_STORE8_S : RP_X_LOAD8_S) + width_index(i->aux));
    set_memory(e, i->args[0]);
    struct rp_op *op = ir_emit_last(e);
    op->d = is_store ? i->args[2]->reg : i->reg;
    op->a = i->args[1]->reg;
    op->b = i->args[i->arg_count - 1]->reg;
    op->c = (uint32_t)i->imm;
    op->n = i->shift;
    e->last_load = NULL;
    e->out->scalar_op_count++;
}

/* In front of the members of a structure. */
static void
emit_struct(struct ir_emitter *e, const struct ir_instr *first)
{
    ir_emit_op(e, RP_X_STRUCT);
    ir_emit_last(e)->i = first->op == IR_STORE ? RP_STRUCT_STORE
                         : first->aux == 4     ? RP_STRUCT_LOAD
                                               : RP_STRUCT_LOAD_LONG;
    ir_emit_last(e)->n = first->struct_count;
    e->struct_left = first->struct_count;
}

static void
emit_load_store(struct ir_emitter *e, const struct ir_instr *i)
{
    if (i->has_base) {
        emit_scalar_access(e, i);
        return;
    }
    const bool is_store = i->op == IR_STORE;
    const bool is_uniform = i->cls == IR_UNIFORM;
    const uint32_t kind = is_uniform ? 0 : i->is_linear ? 1 : 2;

    if (i->struct_count)
        emit_struct(e, i);
    const bool is_member = e->struct_left && e->struct_left--;
    if (is_store && kind == 1 && e->last_load && !is_member)
        emit_copy(e, i);
    const uint32_t at =
        ir_emit_op(e, (is_store ? RP_X_STORE8_U : RP_X_LOAD8_U) + 4 * kind + width_index(i->aux));
    e->last_load = !is_store && kind == 1 && !is_member ? i : NULL;
    e->last_load_op = at;
    set_memory(e, i->args[0]);
    struct rp_op *op = ir_emit_last(e);
    op->a = i->args[1]->reg;
    op->n = i->comps;
    if (!is_store && kind == 1 && !is_member && ir_emit_may_walk(e, i)) {
        ir_emit_set_code(e, at, RP_X_LOAD32_WALK);
        op->d = e->out->walk_count++;
    }
    if (i->is_linear)
        op->c = i->args[2]->reg;
    if (is_store && kind == 1)
        op->d = may_stream(e, i);
    struct rp_op_more *more = ir_emit_more(e);
    more->r[6] = (uint32_t)i->imm;
    if (i->is_linear) {
        more->r[4] = i->args[3]->reg;
        more->r[5] = i->args[4]->reg;
    }
    for (uint32_t c = 0; c < i->comps; c++) {
        if (is_store)
            more->r[c] = i->args[(i->is_linear ? 5 : 2) + c]->reg;
        else if (i->comps == 1)
            more->r[c] = i->reg;
        else
            more->r[c] = i->projs[c] ? i->projs[c]->reg : e->out->regs.temp[value_bank(i)];
    }
    if (is_uniform)
        e->out->scalar_op_count++;
    else if (!i->is_linear)
        e->out->gather_count++;
}

static void
emit_atomic(struct ir_emitter *e, const struct ir_instr *i)
{
    ir_emit_op(e, RP_X_ATOMIC);
    set_memory(e, i->args[0]);
    struct rp_op *op = ir_emit_last(e);
    const bool is_shared = op->i == (int32_t)IR_MEMORY_SHARED;
    op->a = i->args[1]->reg;
    op->c = i->args[2]->reg;
    op->d = i->reg;
    struct rp_op_more *more = ir_emit_more(e);
    more->r[0] = i->args[3]->reg;
    more->r[1] = i->aux;
    more->r[2] = (i->is_64 ? 1u : 0u) | (is_shared ? 2u : 0u) | (i->use_count ? 0u : 4u) |
                 (i->is_half ? 8u : 0u);
    more->r[3] = i->add_slot;
    e->out->gather_count++;
}

static void
emit_size(struct ir_emitter *e, const struct ir_instr *i)
{
    ir_emit_op(e, i->cls == IR_UNIFORM ? RP_X_SIZE_S : RP_X_SIZE_V);
    set_memory(e, i->args[0]);
    ir_emit_last(e)->a = i->args[0]->reg;
    ir_emit_last(e)->d = i->reg;
}

static void
emit_lane(struct ir_emitter *e, const struct ir_instr *i)
{
    const bool is_uniform = i->args[0]->cls == IR_UNIFORM;
    const bool is_store = i->op == IR_LANE_STORE;
    const enum ir_type type = is_store ? i->args[1]->type : i->type;

    if (is_store)
        ir_emit_op(e, is_uniform ? RP_X_LANE_STORE_U : RP_X_LANE_STORE_V);
    else
        ir_emit_op(e, is_uniform ? RP_X_LANE_LOAD_U : RP_X_LANE_LOAD_V);
    struct rp_op *op = ir_emit_last(e);
    op->a = i->args[0]->reg;
    op->d = i->reg;
    if (is_store)
        op->b = i->args[1]->reg;
    op->n = type == IR_L;
    struct rp_op_more *more = ir_emit_more(e);
    more->r[0] = i->lane.base_slot;
    more->r[1] = i->lane.slot_count;
}

static void
emit_subgroup(struct ir_emitter *e, const struct ir_instr *i)
{
    ir_emit_op(e, RP_X_SUBGROUP);
    struct rp_op *op = ir_emit_last(e);
    op->d = i->reg;
    if (i->arg_count > 0)
        op->a = i->args[0]->reg;
    if (i->arg_count > 1)
        op->b = i->args[1]->reg;
    if (i->arg_count > 2)
        op->c = i->args[2]->reg;
    struct rp_op_more *more = ir_emit_more(e);
    more->r[0] = i->aux;
    more->r[1] = (uint32_t)i->imm;
    more->r[2] = i->cluster;
    more->r[3] = i->scan;
}

static void
emit_access(struct ir_emitter *e, const struct ir_instr *i)
{
    ir_emit_op(e, RP_X_RECORD_ACCESS);
    struct rp_op *op = ir_emit_last(e);
    set_memory(e, i->args[0]);
    op->a = i->args[1]->reg;
    op->c = (uint32_t)i->imm;
    op->n = (uint16_t)(i->arg_count - 2);
    struct rp_op_more *more = ir_emit_more(e);
    more->r[0] = i->aux;
    for (uint32_t a = 2; a < i->arg_count; a++)
        more->r[a - 1] = i->args[a]->reg;
}

/* What texel_scalar.c may do. */
static uint32_t
image_code(const struct ir_instr *i)
{
    const struct ir_image *image = i->image;
    if (i->cls != IR_UNIFORM || image->dim != RP_DIM_2D || image->is_arrayed ||
        image->is_multisampled || image->offset >= 0 || image->sample >= 0)
        return RP_X_IMAGE;
    return image->op == IR_IMAGE_READ    ? RP_X_IMAGE_READ_S
           : image->op == IR_IMAGE_WRITE ? RP_X_IMAGE_WRITE_S
                                         : RP_X_IMAGE;
}

/* What IMAGE_READ_S and IMAGE_WRITE_S need not look for in the operands. */
static void
emit_scalar_texel(const struct ir_instr *i, struct rp_op *op)
{
    op->c = i->args[i->image->coord]->reg;
    op->d = i->args[i->image->coord + 1]->reg;
    if (i->image->value >= 0)
        op->b = i->args[i->image->value]->reg;
    if (i->image->lod >= 0 || i->image->is_fetch)
        op->n |= RP_IMAGE_ASKS_MORE;
    op->n |= (uint16_t)((2 + (i->arg_count + 7) / 8) << RP_IMAGE_RECORDS_SHIFT);
}

/* Bits of n: how the handles are given and where results go. */
static void
emit_image(struct ir_emitter *e, struct ir_instr *i)
{
    struct ir_output *out = e->out;
    const struct ir_image *image = i->image;
    struct ir_image **images = out->images;
    if (out->image_count % 16 == 0) {
        images = ir_alloc(e->ir, out->image_count + 16, sizeof(images[0]));
        for (uint32_t k = 0; k < out->image_count; k++)
            images[k] = out->images[k];
        out->images = images;
    }
    images[out->image_count] = i->image;

    const uint32_t code = image_code(i);
    ir_emit_op(e, code);
    struct rp_op *op = ir_emit_last(e);
    if (code != RP_X_IMAGE)
        emit_scalar_texel(i, op);
    op->i = (int32_t)out->image_count++;
    op->a = i->args[0]->reg;
    if (i->args[0]->cls != IR_UNIFORM)
        op->n |= RP_IMAGE_VARYING_VIEW;
    if (image->sampler >= 0) {
        op->b = i->args[image->sampler]->reg;
        if (i->args[image->sampler]->cls != IR_UNIFORM)
            op->n |= RP_IMAGE_VARYING_SAMPLER;
    }
    const bool is_uniform = i->cls == IR_UNIFORM;
    if (is_uniform)
        op->n |= RP_IMAGE_SCALAR;
    const enum ir_bank bank = is_uniform        ? IR_BANK_SCALAR
                              : i->image->is_64 ? IR_BANK_LONG
                                                : IR_BANK_WORD;
    for (uint32_t c = 0; c < 4; c++)
        if (i->image_projs[c])
            op->n |= (uint16_t)(RP_IMAGE_WANTS_0 << c);
    struct rp_op_more *more = ir_emit_more(e);
    for (uint32_t c = 0; c < 4; c++)
        more->r[c] = i->image_projs[c] ? i->image_projs[c]->reg : out->regs.temp[bank];
    for (uint32_t a = 0; a < i->arg_count; a++) {
        if (a % 8 == 0)
            more = ir_emit_more(e);
        more->r[a % 8] = i->args[a]->reg;
    }
}

void
ir_emit_memory(struct ir_emitter *e, struct ir_instr *i)
{
    switch (i->op) {
    case IR_LOAD:
    case IR_STORE:
        emit_load_store(e, i);
        break;
    case IR_ATOMIC:
        emit_atomic(e, i);
        break;
    case IR_SIZE:
        emit_size(e, i);
        break;
    case IR_LANE_LOAD:
    case IR_LANE_STORE:
        emit_lane(e, i);
        break;
    case IR_SUBGROUP:
        emit_subgroup(e, i);
        break;
    case IR_ACCESS:
        emit_access(e, i);
        break;
    case IR_IMAGE:
        if (i->imm) {
            ir_emit_op(e, RP_X_RECORD_IMAGE);
            ir_emit_last(e)->c = (uint32_t)i->imm - 1;
        }
        emit_image(e, i);
        break;
    default:
        break;
    }
}
