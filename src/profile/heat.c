/* SPDX-License-Identifier: MIT */
#include "profile/heat.h"

#include "util/alloc.h"
#include "util/compiler.h"

#include <string.h>

#define SCOPE VK_SYSTEM_ALLOCATION_SCOPE_DEVICE
#define OP_LOOP_MERGE 246u

struct rp_heat_block *
rp_heat_blocks_create(const struct rp_profile_module *module, const uint32_t *words, uint32_t count)
{
    struct rp_heat_block *blocks = rp_zalloc_array(NULL, count + 1, sizeof(blocks[0]), SCOPE);
    const uint32_t debug_set = rp_profile_debug_set(module);
    for (uint32_t i = 0; blocks && i < count; i++) {
        struct rp_profile_walk walk;
        struct rp_profile_instruction instr;
        rp_profile_walk_begin(&walk, module, debug_set, words[i]);
        while (rp_profile_walk_next(&walk, &instr)) {
            blocks[i].instruction_count += instr.cost != 0;
            blocks[i].is_loop_header |= instr.op == OP_LOOP_MERGE;
        }
    }
    return blocks;
}

static uint64_t
cell_count(const uint32_t size[3])
{
    return (uint64_t)size[0] * size[1] * size[2];
}

/* Invocations of a cell along each axis, and the cells that makes. */
static void
boxes_choose(struct rp_heat *heat)
{
    for (uint32_t i = 0; i < 3; i++) {
        const uint32_t plane = i == 2 ? heat->size[0] * heat->size[1] : 1;
        const uint32_t most = i < 2 ? RP_HEAT_SIDE : RP_HEAT_MAX_CELLS / plane;
        heat->box[i] = (heat->extent[i] + most - 1) / most;
        heat->size[i] = (heat->extent[i] + heat->box[i] - 1) / heat->box[i];
    }
}

bool
rp_heat_begin(struct rp_heat *heat, struct rp_heat_maps *maps, const struct rp_heat_block *blocks,
              const struct rp_heat_grid *grid)
{
    uint64_t invocations = 1;
    *heat = (struct rp_heat){.blocks = blocks};
    for (uint32_t i = 0; i < 3; i++) {
        heat->local_size[i] = grid->local_size[i];
        heat->base[i] = grid->base[i];
        heat->extent[i] = grid->local_size[i] * grid->group_count[i];
        invocations *= heat->extent[i];
    }
    if (invocations <= cell_count(maps->extent))
        return true;
    boxes_choose(heat);
    const uint64_t count = cell_count(heat->size);
    heat->sums = rp_zalloc_array(NULL, RP_HEAT_MAPS * count, sizeof(heat->sums[0]), SCOPE);
    heat->counts = rp_zalloc_array(NULL, count, sizeof(heat->counts[0]), SCOPE);
    if (heat->sums && heat->counts) {
        heat->maps = maps;
        return true;
    }
    rp_free(NULL, heat->sums);
    rp_free(NULL, heat->counts);
    return false;
}

static uint64_t
cell_of(const struct rp_heat *heat, uint32_t lane)
{
    const uint32_t *size = heat->local_size;
    const uint32_t local[3] = {lane % size[0], lane / size[0] % size[1],
                               lane / (size[0] * size[1])};
    uint32_t at[3];
    for (uint32_t i = 0; i < 3; i++)
        at[i] = ((heat->group[i] - heat->base[i]) * size[i] + local[i]) / heat->box[i];
    return ((uint64_t)at[2] * heat->size[1] + at[1]) * heat->size[0] + at[0];
}

/* What the workgroup did goes to the cells. */
static void
group_end(struct rp_heat *heat)
{
    const uint64_t count = cell_count(heat->size);
    const uint32_t lanes = heat->local_size[0] * heat->local_size[1] * heat->local_size[2];
    for (uint32_t lane = 0; heat->has_group && lane < lanes; lane++) {
        const uint64_t cell = cell_of(heat, lane);
        const uint32_t warp = lane / RP_HEAT_WIDTH;
        const double possible = (double)heat->possible[warp];
        const double values[RP_HEAT_MAPS] = {
            [RP_HEAT_INSTRUCTIONS] = (double)heat->instructions[lane],
            [RP_HEAT_EFFICIENCY] = possible > 0 ? (double)heat->active[warp] / possible : 0,
            [RP_HEAT_ROUNDS] = (double)heat->rounds[lane],
            [RP_HEAT_SECTORS] = (double)heat->sectors[warp],
            [RP_HEAT_ORDER] = (double)heat->order,
            [RP_HEAT_FINDINGS] = (double)heat->findings[lane],
        };
        heat->counts[cell]++;
        for (uint32_t m = 0; m < RP_HEAT_MAPS; m++)
            heat->sums[m * count + cell] += values[m];
    }
}

void
rp_heat_group(struct rp_heat *heat, const uint32_t group[3])
{
    if (!heat->maps)
        return;
    group_end(heat);
    heat->order += heat->has_group;
    heat->has_group = true;
    memcpy(heat->group, group, sizeof(heat->group));
    memset(heat->instructions, 0, sizeof(heat->instructions));
    memset(heat->rounds, 0, sizeof(heat->rounds));
    memset(heat->findings, 0, sizeof(heat->findings));
    memset(heat->active, 0, sizeof(heat->active));
    memset(heat->possible, 0, sizeof(heat->possible));
    memset(heat->sectors, 0, sizeof(heat->sectors));
}

void
rp_heat_enter(struct rp_heat *heat, uint32_t block, const uint16_t *lanes, uint32_t count)
{
    if (!heat->maps)
        return;
    const struct rp_heat_block *b = &heat->blocks[block];
    uint32_t warp = UINT32_MAX;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t lane = lanes[i];
        heat->instructions[lane] += b->instruction_count;
        heat->rounds[lane] += b->is_loop_header;
        heat->active[lane / RP_HEAT_WIDTH] += b->instruction_count;
        if (lane / RP_HEAT_WIDTH != warp)
            heat->possible[lane / RP_HEAT_WIDTH] += RP_HEAT_WIDTH * b->instruction_count;
        warp = lane / RP_HEAT_WIDTH;
    }
}

bool
rp_heat_end(struct rp_heat *heat)
{
    if (!heat->maps)
        return true;
    group_end(heat);
    const uint64_t count = cell_count(heat->size);
    float *cells = rp_zalloc_array(NULL, RP_HEAT_MAPS * count, sizeof(cells[0]), SCOPE);
    for (uint64_t i = 0; cells && i < RP_HEAT_MAPS * count; i++) {
        const uint32_t invocations = heat->counts[i % count];
        cells[i] = invocations ? (float)(heat->sums[i] / invocations) : 0;
    }
    if (cells) {
        rp_free(NULL, heat->maps->cells);
        heat->maps->cells = cells;
        memcpy(heat->maps->size, heat->size, sizeof(heat->size));
        memcpy(heat->maps->extent, heat->extent, sizeof(heat->extent));
    }
    rp_free(NULL, heat->sums);
    rp_free(NULL, heat->counts);
    heat->maps = NULL;
    return cells != NULL;
}

uint64_t
rp_heat_size_B(const struct rp_heat_maps *maps)
{
    return maps->cells ? RP_HEAT_MAPS * cell_count(maps->size) * sizeof(maps->cells[0]) : 0;
}

static void
write_three(struct rp_json *json, const char *key, const uint32_t values[3])
{
    rp_json_key(json, key);
    rp_json_open(json, '[');
    for (uint32_t i = 0; i < 3; i++)
        rp_json_u64(json, values[i]);
    rp_json_close(json, ']');
}

void
rp_heat_write(struct rp_json *json, const struct rp_heat_maps *maps, uint64_t *offset_B)
{
    static const char *const names[RP_HEAT_MAPS] = {"instructions", "efficiency", "rounds",
                                                    "sectors",      "order",      "findings"};
    if (!maps->cells)
        return;
    rp_json_key(json, "maps");
    rp_json_open(json, '{');
    rp_json_key_u64(json, "offset", *offset_B);
    write_three(json, "size", maps->size);
    write_three(json, "extent", maps->extent);
    rp_json_key(json, "names");
    rp_json_open(json, '[');
    for (uint32_t m = 0; m < RP_HEAT_MAPS; m++)
        rp_json_string(json, names[m]);
    rp_json_close(json, ']');
    rp_json_close(json, '}');
    *offset_B += rp_heat_size_B(maps);
}
