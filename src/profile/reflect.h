/* SPDX-License-Identifier: MIT */
/* The blocks of uniform data that a module's entry point has, and their members.
 */
#ifndef RP_PROFILE_REFLECT_H
#define RP_PROFILE_REFLECT_H

#include "profile/source.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RP_REFLECT_MAX_B 65536u /* of a block: what lies behind is not looked at */
#define RP_REFLECT_NAME_CHARS 96u

enum rp_reflect_scalar {
    RP_REFLECT_UINT,
    RP_REFLECT_INT,
    RP_REFLECT_FLOAT,
    RP_REFLECT_OTHER,
};

/* A member that is no structure: a scalar, vector or matrix, or an array, whatever of. */
struct rp_reflect_field {
    char name[RP_REFLECT_NAME_CHARS]; /* members of members with dots */
    uint32_t offset_B;
    uint32_t size_B;
    uint32_t scalar_B;
    enum rp_reflect_scalar scalar;
    bool is_used; /* some instruction can read some of it */
};

struct rp_reflect_block {
    uint32_t variable; /* id */
    bool is_push;      /* push constants, else what set and binding say */
    uint32_t set;
    uint32_t binding;
    uint32_t size_B;
    struct rp_reflect_field *fields; /* owned */
    uint32_t field_count;
    uint32_t field_capacity;
    uint8_t *used; /* owned: of RP_REFLECT_MAX_B bytes, 1 where some instruction can read it */
};

struct rp_reflection {
    struct rp_reflect_block *blocks; /* owned */
    uint32_t block_count;
    uint32_t block_capacity;
};

/* Push constants, uniform blocks, and storage blocks that the module does not write; no arrays of
 * them. False: memory is short. */
bool rp_reflect(const struct rp_profile_module *module, struct rp_reflection *out);
void rp_reflection_finish(struct rp_reflection *reflection);

/* Marks in used, as rp_reflect_block::used, what the instructions can read of the block that stand
 * in blocks of the module for which enters(ctx, word of OpLabel) holds. An array that is read with
 * an index which is no constant is read as a whole. False: memory is short. */
bool rp_reflect_reads(const struct rp_profile_module *module, const struct rp_reflect_block *block,
                      bool (*enters)(void *ctx, size_t label_word), void *ctx, uint8_t *used);

#endif
