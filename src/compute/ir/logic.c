/* SPDX-License-Identifier: MIT */
/* Functions of the single bits of three values, however they are written: where there is one
 * operation for what AND, OR, XOR and NOT make together, it takes their place.
 */
#include "compute/ir/build.h"
#include "compute/ir/passes.h"

#define MAX_DEPTH 5u /* of operations above each other that become one */
#define MAX_OPS 12u

/* A value as a table: bit 4 * a + 2 * b + c is what the function makes of bits a, b and c. */
#define TABLE_A 0xf0u
#define TABLE_B 0xccu
#define TABLE_C 0xaau

static const uint8_t leaf_tables[3] = {TABLE_A, TABLE_B, TABLE_C};

/* What one root is made of. */
struct cone {
    struct ir_instr *root;
    struct ir_instr *leaves[3];
    uint32_t leaf_count;
    uint32_t op_count;
    uint32_t freed_count; /* operations that only the root wants */
    bool is_too_large;
};

static bool
is_logic(const struct ir_instr *i)
{
    return i->type == IR_I && i->cls == IR_VARYING &&
           (i->op == IR_AND || i->op == IR_OR || i->op == IR_XOR || i->op == IR_INOT);
}

static uint32_t
leaf_table(struct cone *c, struct ir_instr *value)
{
    uint32_t n = 0;
    while (n < c->leaf_count && c->leaves[n] != value)
        n++;
    if (n == 3) {
        c->is_too_large = true;
        return 0;
    }
    if (n == c->leaf_count)
        c->leaves[c->leaf_count++] = value;
    return leaf_tables[n];
}

/* The table of a value, down to `depth` operations below it. is_wanted: by others, too. */
static uint32_t
table_of(struct cone *c, struct ir_instr *i, uint32_t depth, bool is_wanted)
{
    if (ir_is_const(i) && ((uint32_t)i->imm == 0 || (uint32_t)i->imm == UINT32_MAX))
        return (uint32_t)i->imm & 0xff;
    if (!depth || !is_logic(i) || i->loop != c->root->loop || c->op_count == MAX_OPS)
        return leaf_table(c, i);
    is_wanted |= i != c->root && i->use_count > 1;
    c->op_count++;
    c->freed_count += !is_wanted;
    const uint32_t a = table_of(c, i->args[0], depth - 1, is_wanted);
    if (i->op == IR_INOT)
        return ~a & 0xff;
    const uint32_t b = table_of(c, i->args[1], depth - 1, is_wanted);
    return i->op == IR_AND ? a & b : i->op == IR_OR ? a | b : a ^ b;
}

/* Three leaves in an order in which an operation makes `table` of them. */
struct match {
    enum ir_op op;
    uint8_t order[3];
};

/* Which leaf chooses, and which it takes where its bits are set. */
static bool
match_choice(uint32_t table, struct match *out)
{
    for (uint8_t a = 0; a < 3; a++)
        for (uint8_t b = 0; b < 3; b++) {
            const uint8_t c = (uint8_t)(3 - a - b);
            const uint32_t chooser = leaf_tables[a];
            if (a == b ||
                table != ((chooser & leaf_tables[b]) | (~chooser & leaf_tables[c] & 0xff)))
                continue;
            *out = (struct match){IR_BITSEL, {a, b, c}};
            return true;
        }
    return false;
}

static bool
match_table(uint32_t table, struct match *out)
{
    *out = (struct match){IR_XOR3, {0, 1, 2}};
    if (table == (TABLE_A ^ TABLE_B ^ TABLE_C))
        return true;
    out->op = IR_MAJORITY;
    if (table == ((TABLE_A & TABLE_B) | ((TABLE_A | TABLE_B) & TABLE_C)))
        return true;
    return match_choice(table, out);
}

/* The first operand of an operation with three is one of lanes; where the order does not matter
 * such a one comes first. */
static bool
put_lanes_first(struct match *m, const struct cone *c)
{
    if (c->leaves[m->order[0]]->cls != IR_UNIFORM)
        return true;
    for (uint32_t n = 1; n < 3 && m->op != IR_BITSEL; n++) {
        if (c->leaves[m->order[n]]->cls == IR_UNIFORM)
            continue;
        const uint8_t first = m->order[0];
        m->order[0] = m->order[n];
        m->order[n] = first;
        return true;
    }
    return false;
}

static void
replace(struct ir_program *ir, const struct cone *c, const struct match *m)
{
    struct ir_instr *root = c->root;
    for (uint32_t a = 0; a < root->arg_count; a++)
        root->args[a]->use_count--;
    root->op = (uint8_t)m->op;
    root->args = ir_alloc(ir, 3, sizeof(root->args[0]));
    root->arg_count = 3;
    for (uint32_t a = 0; a < 3; a++) {
        root->args[a] = c->leaves[m->order[a]];
        root->args[a]->use_count++;
    }
}

static void
fuse_root(struct ir_program *ir, struct ir_instr *root)
{
    for (uint32_t depth = MAX_DEPTH; depth > 1; depth--) {
        struct cone c = {.root = root};
        struct match m;
        const uint32_t table = table_of(&c, root, depth, false);
        if (c.is_too_large || c.leaf_count < 3 || c.freed_count < 2 || !match_table(table, &m) ||
            !put_lanes_first(&m, &c))
            continue;
        replace(ir, &c, &m);
        return;
    }
}

/* What nobody reads any more stays for ir_clean(). */
void
ir_fuse_logic(struct ir_program *ir)
{
    /* Those who read a value stand behind it, so whole expressions come before their parts. */
    for (struct ir_instr *i = ir->last; i; i = i->prev)
        if (is_logic(i) && i->use_count)
            fuse_root(ir, i);
}
