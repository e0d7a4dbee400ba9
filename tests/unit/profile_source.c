/* SPDX-License-Identifier: MIT */
/* Source lines of instructions by the debug information that a module carries.
 */
#include "profile/source.h"

#include "test.h"

#define LINE 41u

enum {
    SET = 1,
    NAME,
    TEXT,
    LINE_NUMBER,
    SOURCE,
};

struct words {
    uint32_t items[256];
    size_t count;
};

static void
add(struct words *w, uint32_t op, uint32_t count, const uint32_t *operands)
{
    REQUIRE(w->count + 1 + count <= sizeof(w->items) / sizeof(w->items[0]));
    w->items[w->count++] = (count + 1) << 16 | op;
    for (uint32_t i = 0; i < count; i++)
        w->items[w->count++] = operands[i];
}

#define ADD(words, op, ...) \
    add(words, op, sizeof((uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t), (uint32_t[]){__VA_ARGS__})

/* OpExtInstImport or OpString. */
static void
add_text(struct words *w, uint32_t op, uint32_t id, const char *text)
{
    uint32_t operands[16] = {id};
    const size_t size = strlen(text) + 1;
    REQUIRE(size <= sizeof(operands) - sizeof(operands[0]));
    memcpy(operands + 1, text, size);
    add(w, op, 1 + (uint32_t)(size + 3) / 4, operands);
}

struct place {
    struct rp_profile_place place;
    uint32_t set;
    const char *name; /* NULL, or in words */
    const char *text;
    struct words words;
};

/* The place of the OpReturn behind a DebugLine of that set. */
static void
look(struct place *out, const char *set)
{
    struct words *w = &out->words;
    *w = (struct words){{0x07230203, 0x10600, 0, 32, 0}, 5};
    add_text(w, 11, SET, set); /* OpExtInstImport */
    add_text(w, 7, NAME, "a.comp");
    add_text(w, 7, TEXT, "void main() {}");
    ADD(w, 19, 10);                              /* OpTypeVoid */
    ADD(w, 21, 11, 32, 0);                       /* OpTypeInt */
    ADD(w, 43, 11, LINE_NUMBER, LINE);           /* OpConstant */
    ADD(w, 12, 10, SOURCE, SET, 35, NAME, TEXT); /* DebugSource */
    ADD(w, 33, 12, 10);                          /* OpTypeFunction */
    ADD(w, 54, 10, 13, 0, 12);                   /* OpFunction */
    ADD(w, 248, 14);                             /* OpLabel */
    ADD(w, 12, 10, 15, SET, 103, SOURCE, LINE_NUMBER, LINE_NUMBER, LINE_NUMBER, LINE_NUMBER);
    const size_t word = w->count;
    add(w, 253, 0, NULL); /* OpReturn */
    const struct rp_profile_module module = {w->items, w->count};
    out->set = rp_profile_debug_set(&module);
    out->place = rp_profile_place_of(&module, out->set, word);
    out->name = rp_profile_file_name(&module, out->set, out->place.file);
    out->text = rp_profile_file_text(&module, out->set, out->place.file);
}

/* glslang promotes a module's import by what it uses: FFmpeg 9's have 102. */
static void
each_version_of_the_debug_information_has_lines(void)
{
    static const char *const sets[] = {
        "NonSemantic.Shader.DebugInfo.100", "NonSemantic.Shader.DebugInfo.101",
        "NonSemantic.Shader.DebugInfo.102", "NonSemantic.Shader.DebugInfo.1000"};
    for (size_t i = 0; i < sizeof(sets) / sizeof(sets[0]); i++) {
        struct place p;
        look(&p, sets[i]);
        REQUIRE_EQ(p.set, SET);
        REQUIRE_EQ(p.place.file, SOURCE);
        REQUIRE_EQ(p.place.line, LINE);
        REQUIRE(p.name && strcmp(p.name, "a.comp") == 0);
        REQUIRE(p.text && strcmp(p.text, "void main() {}") == 0);
    }
}

static void
other_sets_have_none(void)
{
    static const char *const sets[] = {
        "GLSL.std.450", "NonSemantic.DebugPrintf", "NonSemantic.Shader.DebugInfo.99",
        "NonSemantic.Shader.DebugInfo.100x", "NonSemantic.Shader.DebugInfo."};
    for (size_t i = 0; i < sizeof(sets) / sizeof(sets[0]); i++) {
        struct place p;
        look(&p, sets[i]);
        REQUIRE_EQ(p.set, 0u);
        REQUIRE_EQ(p.place.line, 0u);
    }
}

int
main(void)
{
    RUN(each_version_of_the_debug_information_has_lines);
    RUN(other_sets_have_none);
    return 0;
}
