/* SPDX-License-Identifier: MIT */
/* Which uniform data a module has: the places of members by each layout of GLSL, as its
 * specification computes them (OpenGL 4.6, 7.6.2.2; VK_EXT_scalar_block_layout), and those that an
 * assembler was told; which of them some instruction reads.
 *
 * usage: profile_reflection LAYOUTS.spv [ASSEMBLED.spv]
 */
#include "profile/reflect.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>

#define MAX_WORDS 4096u

struct wanted_field {
    const char *name; /* NULL: no more */
    uint32_t offset_B;
    uint32_t size_B;
    bool is_used;
};

static const char *paths[2];
static uint32_t words[MAX_WORDS];

static struct rp_profile_module
module_of(const char *path)
{
    FILE *file = fopen(path, "rb");
    REQUIRE(file);
    const size_t count = fread(words, 4, MAX_WORDS, file);
    (void)fclose(file);
    REQUIRE(count > 5 && count < MAX_WORDS);
    return (struct rp_profile_module){words, count};
}

static void
require_fields(const struct rp_reflection *r, bool is_push, uint32_t set, uint32_t binding,
               const struct wanted_field *wanted)
{
    for (uint32_t i = 0; i < r->block_count; i++) {
        const struct rp_reflect_block *b = &r->blocks[i];
        if (b->is_push != is_push || (!is_push && (b->set != set || b->binding != binding)))
            continue;
        uint32_t count = 0;
        for (; wanted[count].name; count++) {
            REQUIRE(count < b->field_count);
            const struct rp_reflect_field *f = &b->fields[count];
            REQUIRE(strcmp(f->name, wanted[count].name) == 0);
            REQUIRE_EQ(f->offset_B, wanted[count].offset_B);
            REQUIRE_EQ(f->size_B, wanted[count].size_B);
            REQUIRE_EQ(f->is_used, wanted[count].is_used);
        }
        REQUIRE_EQ(b->field_count, count);
        return;
    }
    REQUIRE(!"the block is there");
}

static void
members_lie_where_the_layouts_say(void)
{
    static const struct wanted_field std140[] = {
        {"one", 0, 4, true},       {"three", 16, 12, false},  {"columns", 32, 32, false},
        {"rows", 64, 48, true},    {"list", 112, 32, false},  {"pair.a", 144, 4, false},
        {"pair.b", 152, 8, false}, {"pairs", 160, 32, false}, {0}};
    static const struct wanted_field std430[] = {
        {"one", 0, 4, false},      {"three", 16, 12, false}, {"columns", 32, 32, true},
        {"rows", 64, 24, false},   {"list", 88, 8, false},   {"pair.a", 96, 4, false},
        {"pair.b", 104, 8, false}, {"pairs", 112, 32, true}, {0}};
    static const struct wanted_field scalar[] = {
        {"one", 0, 4, false},    {"three", 4, 12, true},   {"columns", 16, 24, false},
        {"rows", 40, 24, false}, {"list", 64, 8, true},    {"pair.a", 72, 4, false},
        {"pair.b", 76, 8, true}, {"pairs", 84, 24, false}, {0}};
    const struct rp_profile_module module = module_of(paths[0]);
    struct rp_reflection r;
    REQUIRE(rp_reflect(&module, &r));
    REQUIRE_EQ(r.block_count, 3); /* what is written is none */
    require_fields(&r, false, 0, 0, std140);
    require_fields(&r, false, 0, 1, std430);
    require_fields(&r, false, 1, 2, scalar);
    rp_reflection_finish(&r);
}

static void
members_lie_where_the_assembler_was_told(void)
{
    static const struct wanted_field block[] = {
        {"0", 32, 4, false}, {"1", 0, 16, false}, {"2", 64, 128, true}, {0}};
    static const struct wanted_field push[] = {{"first", 4, 4, true}, {"1", 16, 4, true}, {0}};
    const struct rp_profile_module module = module_of(paths[1]);
    struct rp_reflection r;
    REQUIRE(rp_reflect(&module, &r));
    REQUIRE_EQ(r.block_count, 2);
    require_fields(&r, false, 3, 7, block);
    require_fields(&r, true, 0, 0, push);
    /* Of the array the second matrix: one by rows counts as a whole. */
    for (uint32_t i = 0; i < r.block_count; i++)
        for (uint32_t at = 0; !r.blocks[i].is_push && at < 64 + 128; at++)
            REQUIRE_EQ(r.blocks[i].used[at], at >= 64 + 64 && at < 64 + 64 + 48);
    rp_reflection_finish(&r);
}

int
main(int argc, char **argv)
{
    REQUIRE(argc > 1);
    paths[0] = argv[1];
    paths[1] = argc > 2 ? argv[2] : NULL;
    RUN(members_lie_where_the_layouts_say);
    if (paths[1])
        RUN(members_lie_where_the_assembler_was_told);
    return 0;
}
