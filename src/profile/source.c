/* SPDX-License-Identifier: MIT */
#include "profile/source.h"

#include "compute/record.h"

#include <string.h>

#define FIRST_WORD 5u

enum {
    OP_SOURCE = 3,
    OP_NAME = 5,
    OP_STRING = 7,
    OP_LINE = 8,
    OP_EXT_INST_IMPORT = 11,
    OP_EXT_INST = 12,
    OP_CAPABILITY = 17,
    OP_CONSTANT = 43,
    OP_FUNCTION = 54,
    OP_LOAD = 61,
    OP_COPY_MEMORY_SIZED = 64,
    OP_VARIABLE = 59,
    OP_IMAGE_SAMPLE_FIRST = 87,
    OP_IMAGE_LAST = 99,
    OP_PHI = 245,
    OP_LOOP_MERGE = 246,
    OP_SELECTION_MERGE = 247,
    OP_LABEL = 248,
    OP_FUNCTION_END = 56,
    OP_ATOMIC_FIRST = 227,
    OP_ATOMIC_LAST = 242,
    OP_UDIV = 134,
    OP_FMOD = 141,
    OP_NO_LINE = 317,
    CAPABILITY_ADDRESSES = 5347,
    DEBUG_SOURCE = 35,
    DEBUG_LINE = 103,
    DEBUG_NO_LINE = 104,
};

/* Memory and special functions; everything else costs 1. */
#define COST_MEMORY 8u
#define COST_SPECIAL 4u

static const uint32_t *
instr_at(const struct rp_profile_module *m, size_t word, uint32_t *count_out)
{
    if (word >= m->word_count)
        return NULL;
    *count_out = m->words[word] >> 16;
    return *count_out && *count_out <= m->word_count - word ? m->words + word : NULL;
}

/* The first instruction with this op, and this id in word at (0: any); NULL: none. */
static const uint32_t *
find(const struct rp_profile_module *m, uint32_t op, uint32_t at, uint32_t id)
{
    const uint32_t *instr;
    uint32_t count;
    for (size_t word = FIRST_WORD; (instr = instr_at(m, word, &count)); word += count)
        if ((instr[0] & 0xffff) == op && (!at || (count > at && instr[at] == id)))
            return instr;
    return NULL;
}

/* The literal string from word `from` of an instruction on, which ends inside of it. */
static const char *
literal(const uint32_t *instr, uint32_t from)
{
    const uint32_t count = instr[0] >> 16;
    if (from >= count)
        return NULL;
    const char *text = (const char *)(instr + from);
    return memchr(text, 0, (count - from) * sizeof(uint32_t)) ? text : NULL;
}

/* NonSemantic.Shader.DebugInfo.N: versions after 100 add instructions, and change none. */
static bool
is_debug_set(const char *name)
{
    static const char first[] = "NonSemantic.Shader.DebugInfo.";
    if (strncmp(name, first, sizeof(first) - 1) != 0)
        return false;
    const char *version = name + sizeof(first) - 1;
    const size_t digits = strspn(version, "0123456789");
    return digits >= 3 && !version[digits];
}

uint32_t
rp_profile_debug_set(const struct rp_profile_module *m)
{
    const uint32_t *instr;
    uint32_t count;
    for (size_t word = FIRST_WORD; (instr = instr_at(m, word, &count)); word += count) {
        if ((instr[0] & 0xffff) == OP_FUNCTION)
            break;
        const char *name =
            (instr[0] & 0xffff) == OP_EXT_INST_IMPORT && count > 2 ? literal(instr, 2) : NULL;
        if (name && is_debug_set(name))
            return instr[1];
    }
    return 0;
}

bool
rp_profile_has_addresses(const struct rp_profile_module *m)
{
    return find(m, OP_CAPABILITY, 1, CAPABILITY_ADDRESSES) != NULL;
}

static uint32_t
constant_value(const struct rp_profile_module *m, uint32_t id)
{
    const uint32_t *instr = find(m, OP_CONSTANT, 2, id);
    return instr && instr[0] >> 16 > 3 ? instr[3] : 0;
}

static uint32_t
cost_of(uint32_t op)
{
    switch (op) {
    case OP_LABEL:
    case OP_LINE:
    case OP_NO_LINE:
    case OP_NAME:
    case OP_PHI:
    case OP_VARIABLE:
    case OP_LOOP_MERGE:
    case OP_SELECTION_MERGE:
        return 0;
    case OP_EXT_INST:
        return COST_SPECIAL;
    default:
        break;
    }
    if ((op >= OP_LOAD && op <= OP_COPY_MEMORY_SIZED) ||
        (op >= OP_IMAGE_SAMPLE_FIRST && op <= OP_IMAGE_LAST) ||
        (op >= OP_ATOMIC_FIRST && op <= OP_ATOMIC_LAST))
        return COST_MEMORY;
    return op >= OP_UDIV && op <= OP_FMOD ? COST_SPECIAL : 1;
}

/* Follows the lines that an instruction sets. */
static void
follow_line(struct rp_profile_walk *w, const uint32_t *instr, uint32_t count)
{
    const uint32_t op = instr[0] & 0xffff;
    if (op == OP_LINE && count > 2) {
        w->file = instr[1];
        w->line = instr[2];
    } else if (op == OP_NO_LINE) {
        w->file = w->line = 0;
    } else if (op == OP_EXT_INST && count > 4 && instr[3] == w->debug_set && w->debug_set) {
        if (instr[4] == DEBUG_LINE && count > 6) {
            w->file = instr[5];
            w->line = constant_value(w->module, instr[6]);
        } else if (instr[4] == DEBUG_NO_LINE) {
            w->file = w->line = 0;
        }
    }
}

/* OpLine holds to the end of its block, and OpLines before an OpLabel or OpFunction for that
 * alone. */
void
rp_profile_walk_begin(struct rp_profile_walk *walk, const struct rp_profile_module *module,
                      uint32_t debug_set, size_t word)
{
    uint32_t count;
    *walk = (struct rp_profile_walk){.module = module, .word = word, .debug_set = debug_set};
    if (instr_at(module, word, &count))
        walk->word += count;
}

bool
rp_profile_walk_next(struct rp_profile_walk *walk, struct rp_profile_instruction *out)
{
    uint32_t count;
    const uint32_t *instr = instr_at(walk->module, walk->word, &count);
    if (!instr)
        return false;
    const uint32_t op = instr[0] & 0xffff;
    if (op == OP_LABEL || op == OP_FUNCTION_END)
        return false;
    follow_line(walk, instr, count);
    walk->word += count;
    const bool is_debug =
        op == OP_EXT_INST && count > 4 && walk->debug_set && instr[3] == walk->debug_set;
    *out = (struct rp_profile_instruction){
        .words = instr,
        .op = op,
        .word_count = count,
        .file = walk->file,
        .line = walk->line,
        .cost = is_debug ? 0 : cost_of(op),
    };
    return true;
}

struct rp_profile_place
rp_profile_place_of(const struct rp_profile_module *m, uint32_t debug_set, size_t word)
{
    struct rp_profile_walk walk = {.module = m, .debug_set = debug_set};
    const uint32_t *instr;
    uint32_t count;
    for (size_t at = FIRST_WORD; at <= word && (instr = instr_at(m, at, &count)); at += count) {
        if ((instr[0] & 0xffff) == OP_LABEL)
            walk.file = walk.line = 0;
        follow_line(&walk, instr, count);
    }
    return (struct rp_profile_place){walk.file, walk.line};
}

const char *
rp_profile_access_name(uint32_t bits)
{
    return bits & RP_ACCESS_ATOMIC ? "atomic" : bits & RP_ACCESS_WRITE ? "write" : "read";
}

uint32_t
rp_profile_function_of(const struct rp_profile_module *m, size_t word)
{
    const uint32_t *instr;
    uint32_t count, function = 0;
    for (size_t at = FIRST_WORD; at < word && (instr = instr_at(m, at, &count)); at += count)
        if ((instr[0] & 0xffff) == OP_FUNCTION && count > 2)
            function = instr[2];
    return function;
}

/* The text of the OpString id; NULL: there is none. It ends inside the module. */
static const char *
string_of(const struct rp_profile_module *m, uint32_t id)
{
    const uint32_t *instr = find(m, OP_STRING, 1, id);
    return instr ? literal(instr, 2) : NULL;
}

const char *
rp_profile_name(const struct rp_profile_module *m, uint32_t id)
{
    const uint32_t *instr = find(m, OP_NAME, 1, id);
    return instr ? literal(instr, 2) : NULL;
}

/* DebugSource with this result: its file, and its text. */
static const uint32_t *
debug_source(const struct rp_profile_module *m, uint32_t debug_set, uint32_t file)
{
    const uint32_t *instr = debug_set ? find(m, OP_EXT_INST, 2, file) : NULL;
    return instr && instr[0] >> 16 > 5 && instr[3] == debug_set && instr[4] == DEBUG_SOURCE ? instr
                                                                                            : NULL;
}

const char *
rp_profile_file_name(const struct rp_profile_module *m, uint32_t debug_set, uint32_t file)
{
    const uint32_t *source = debug_source(m, debug_set, file);
    return string_of(m, source ? source[5] : file);
}

const char *
rp_profile_file_text(const struct rp_profile_module *m, uint32_t debug_set, uint32_t file)
{
    const uint32_t *source = debug_source(m, debug_set, file);
    if (source)
        return source[0] >> 16 > 6 ? string_of(m, source[6]) : NULL;
    source = find(m, OP_SOURCE, 3, file);
    return source ? literal(source, 4) : NULL;
}
