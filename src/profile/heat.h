/* SPDX-License-Identifier: MIT */
/* What the invocations of a dispatch did, over its grid: six maps.
 *
 * Of each pipeline the maps are those of its dispatch with the most invocations, the first of such.
 * A cell stands for a box of invocations, one where the grid is no larger than RP_HEAT_SIDE, and
 * has their mean.
 */
#ifndef RP_PROFILE_HEAT_H
#define RP_PROFILE_HEAT_H

#include "profile/source.h"
#include "util/json.h"

#include <stdbool.h>
#include <stdint.h>

#define RP_HEAT_SIDE 1024u
#define RP_HEAT_MAX_CELLS (1u << 20)
#define RP_HEAT_LANES 1024u
#define RP_HEAT_WIDTH 32u /* of warps */

enum rp_heat_map {
    RP_HEAT_INSTRUCTIONS, /* that the invocation ran */
    RP_HEAT_EFFICIENCY,   /* of its warp, by instruction */
    RP_HEAT_ROUNDS,       /* how often it entered the header of a loop */
    RP_HEAT_SECTORS,      /* that its warp asked for */
    RP_HEAT_ORDER,        /* when its workgroup ran */
    RP_HEAT_FINDINGS,
    RP_HEAT_MAPS,
};

/* What is known of a basic block. */
struct rp_heat_block {
    uint32_t instruction_count;
    bool is_loop_header;
};

/* The maps of a pipeline. */
struct rp_heat_maps {
    float *cells;       /* owned: map by map, slice by slice, row by row; NULL: none yet */
    uint32_t size[3];   /* in cells */
    uint32_t extent[3]; /* in invocations */
};

/* The sums of the dispatch that runs. */
struct rp_heat {
    struct rp_heat_maps *maps; /* NULL: none are made of this dispatch */
    const struct rp_heat_block *blocks;
    double *sums;     /* owned, as maps->cells */
    uint32_t *counts; /* owned, by cell: invocations */
    uint32_t box[3];  /* invocations of a cell */
    uint32_t size[3];
    uint32_t extent[3];
    uint32_t local_size[3];
    uint32_t base[3];
    /* The workgroup that runs, by invocation and by warp. */
    bool has_group;
    uint32_t group[3];
    uint32_t order;
    uint64_t instructions[RP_HEAT_LANES];
    uint64_t rounds[RP_HEAT_LANES];
    uint64_t findings[RP_HEAT_LANES];
    uint64_t active[RP_HEAT_LANES / RP_HEAT_WIDTH];
    uint64_t possible[RP_HEAT_LANES / RP_HEAT_WIDTH];
    uint64_t sectors[RP_HEAT_LANES / RP_HEAT_WIDTH];
};

struct rp_heat_grid {
    uint32_t local_size[3];
    uint32_t base[3];
    uint32_t group_count[3];
};

/* Blocks of the module whose labels stand at words; NULL: no memory. */
struct rp_heat_block *rp_heat_blocks_create(const struct rp_profile_module *module,
                                            const uint32_t *words, uint32_t count);

/* A dispatch: where its maps are wanted heat->maps is set. False: memory is short. */
bool rp_heat_begin(struct rp_heat *heat, struct rp_heat_maps *maps,
                   const struct rp_heat_block *blocks, const struct rp_heat_grid *grid);
void rp_heat_group(struct rp_heat *heat, const uint32_t group[3]);
void rp_heat_enter(struct rp_heat *heat, uint32_t block, const uint16_t *lanes, uint32_t count);
bool rp_heat_end(struct rp_heat *heat);

/* The key "maps": where they lie in maps.bin. */
void rp_heat_write(struct rp_json *json, const struct rp_heat_maps *maps, uint64_t *offset_B);
uint64_t rp_heat_size_B(const struct rp_heat_maps *maps);

#endif
