/* SPDX-License-Identifier: MIT */
/* Makes the ways of selections meet in front of their merge blocks, which is as valid.
 */
#include "modules.h"

#include "test.h"

enum {
    OP_PHI = 245,
    OP_LOOP_MERGE = 246,
    OP_SELECTION_MERGE = 247,
    OP_LABEL = 248,
    OP_BRANCH = 249,
    OP_BRANCH_CONDITIONAL = 250,
    OP_NO_LINE = 317,
    OP_LINE = 8,
    FIRST = 5
};

static uint32_t
opcode(const uint32_t *instr)
{
    return *instr & 0xffff;
}

static size_t
length(const uint32_t *words, size_t count, size_t at)
{
    const size_t n = words[at] >> 16;
    REQUIRE(n && at + n <= count);
    return n;
}

/* Marks in news, by label, the blocks that are split: the number of what takes the end. */
static uint32_t
choose(const uint32_t *words, size_t count, uint64_t seed, uint32_t *news, uint32_t bound)
{
    uint64_t state = seed + 5;
    uint32_t label = 0, next = bound;
    for (size_t at = FIRST, n; at < count; at += n) {
        n = length(words, count, at);
        const size_t behind = at + n;
        if (opcode(&words[at]) == OP_SELECTION_MERGE && words[at + 1] < bound && behind < count &&
            opcode(&words[behind]) == OP_BRANCH_CONDITIONAL && test_random(&state) % 2)
            news[words[at + 1]] = next++;
    }
    for (size_t at = FIRST, n; at < count; at += n) { /* loops keep their blocks as they are */
        n = length(words, count, at);
        if (opcode(&words[at]) == OP_LABEL)
            label = words[at + 1];
        if (opcode(&words[at]) != OP_LOOP_MERGE)
            continue;
        news[label] = news[words[at + 1]] = news[words[at + 2]] = 0;
    }
    return next;
}

static void
bend_instr(uint32_t *instr, size_t n, const uint32_t *news, uint32_t bound)
{
    if (opcode(instr) == OP_SELECTION_MERGE && instr[1] < bound && news[instr[1]])
        instr[1] = news[instr[1]];
    for (size_t w = 4; opcode(instr) == OP_PHI && w < n; w += 2)
        if (instr[w] < bound && news[instr[w]])
            instr[w] = news[instr[w]];
}

uint32_t *
module_bend(const uint32_t *words, size_t count, uint64_t seed, size_t *count_out)
{
    const uint32_t bound = words[3];
    uint32_t *news = calloc(bound + 1, sizeof(news[0]));
    uint32_t *out = malloc(4 * (count + 4 * (size_t)bound));
    REQUIRE(news && out);
    const uint32_t next = choose(words, count, seed, news, bound);
    size_t written = FIRST;
    uint32_t pending = 0; /* the block to begin behind the PHIs */
    memcpy(out, words, 4 * FIRST);
    out[3] = next;
    for (size_t at = FIRST, n; at < count; at += n) {
        const uint32_t op = opcode(&words[at]);
        n = length(words, count, at);
        if (pending && op != OP_PHI && op != OP_LINE && op != OP_NO_LINE) {
            const uint32_t split[] = {2u << 16 | OP_BRANCH, pending, 2u << 16 | OP_LABEL, pending};
            memcpy(out + written, split, sizeof(split));
            written += 4;
            pending = 0;
        }
        memcpy(out + written, words + at, 4 * n);
        bend_instr(out + written, n, news, bound);
        written += n;
        if (op == OP_LABEL)
            pending = news[words[at + 1]];
    }
    free(news);
    *count_out = written;
    return out;
}
