/* SPDX-License-Identifier: MIT */
/* What a module's words say of its basic blocks: instructions, what they cost, source lines.
 */
#ifndef RP_PROFILE_SOURCE_H
#define RP_PROFILE_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A module that rp_shader_create() takes. */
struct rp_profile_module {
    const uint32_t *words;
    size_t word_count;
};

struct rp_profile_instruction {
    const uint32_t *words;
    uint32_t op;
    uint32_t word_count;
    uint32_t file; /* id of its OpString, or DebugSource; 0: not known */
    uint32_t line; /* 0: not known */
    uint32_t cost; /* in operations of the simplest kind; 0: not an instruction that runs */
};

/* Walks the instructions of a block; all zeros but for module, word and debug_set: begins. */
struct rp_profile_walk {
    const struct rp_profile_module *module;
    size_t word;        /* of the next instruction */
    uint32_t debug_set; /* from rp_profile_debug_set() */
    uint32_t file;
    uint32_t line;
};

/* id of the import of NonSemantic.Shader.DebugInfo, version 100 or later; 0: there is none. */
uint32_t rp_profile_debug_set(const struct rp_profile_module *module);

/* Does it declare PhysicalStorageBufferAddresses? */
bool rp_profile_has_addresses(const struct rp_profile_module *module);

/* The block whose OpLabel stands at word, with the line that holds when it begins. */
void rp_profile_walk_begin(struct rp_profile_walk *walk, const struct rp_profile_module *module,
                           uint32_t debug_set, size_t word);
/* False behind its last instruction. */
bool rp_profile_walk_next(struct rp_profile_walk *walk, struct rp_profile_instruction *out);

/* Where the instruction at word comes from: id of its file, and line; zeros: not known. */
struct rp_profile_place {
    uint32_t file;
    uint32_t line;
};

struct rp_profile_place rp_profile_place_of(const struct rp_profile_module *module,
                                            uint32_t debug_set, size_t word);

/* "read", "write" or "atomic", by enum rp_access_bits. */
const char *rp_profile_access_name(uint32_t bits);

/* id of the function that holds the label at word. */
uint32_t rp_profile_function_of(const struct rp_profile_module *module, size_t word);

/* The text of the OpName of an id; NULL: there is none. It ends inside the module. */
const char *rp_profile_name(const struct rp_profile_module *module, uint32_t id);
/* Name and text of a source file by the id that instructions carry; text may be NULL. */
const char *rp_profile_file_name(const struct rp_profile_module *module, uint32_t debug_set,
                                 uint32_t file);
const char *rp_profile_file_text(const struct rp_profile_module *module, uint32_t debug_set,
                                 uint32_t file);

#endif
