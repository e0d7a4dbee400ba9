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

/* What invocations of a warp share. */
struct warp_values {
    double efficiency;
    double sectors;
};

static struct warp_values
warp_values_of(const struct rp_heat *heat, uint32_t warp)
{
    const double possible = (double)heat->possible[warp];
    return (struct warp_values){possible > 0 ? (double)heat->active[warp] / possible : 0,
                                (double)heat->sectors[warp]};
}

static void
lane_add(struct rp_heat *heat, uint32_t lane, const struct warp_values *warp, uint64_t cell,
         uint64_t count)
{
    double *sums = heat->sums + cell;
    heat->counts[cell]++;
    sums[RP_HEAT_INSTRUCTIONS * count] += (double)heat->instructions[lane];
    sums[RP_HEAT_EFFICIENCY * count] += warp->efficiency;
    sums[RP_HEAT_ROUNDS * count] += (double)heat->rounds[lane];
    sums[RP_HEAT_SECTORS * count] += warp->sectors;
    sums[RP_HEAT_ORDER * count] += (double)heat->order;
    sums[RP_HEAT_FINDINGS * count] += (double)heat->findings[lane];
}

/* A row of the workgroup, from lane on: the cell of each of its invocations is in row, or
 * behind. */
static void
row_end(struct rp_heat *heat, uint32_t lane, uint64_t row, uint64_t count)
{
    const uint32_t x = (heat->group[0] - heat->base[0]) * heat->local_size[0];
    uint32_t column = x / heat->box[0], left = heat->box[0] - x % heat->box[0];
    struct warp_values warp = warp_values_of(heat, lane / RP_HEAT_WIDTH);
    for (uint32_t i = 0; i < heat->local_size[0]; i++, lane++) {
        if (lane % RP_HEAT_WIDTH == 0)
            warp = warp_values_of(heat, lane / RP_HEAT_WIDTH);
        lane_add(heat, lane, &warp, row + column, count);
        if (--left)
            continue;
        column++;
        left = heat->box[0];
    }
}

/* What the workgroup did goes to the cells. */
static void
group_end(struct rp_heat *heat)
{
    const uint64_t count = cell_count(heat->size);
    const uint32_t *size = heat->local_size;
    uint32_t lane = 0;
    if (!heat->has_group)
        return;
    for (uint32_t z = 0; z < size[2]; z++) {
        const uint32_t slice = ((heat->group[2] - heat->base[2]) * size[2] + z) / heat->box[2];
        for (uint32_t y = 0; y < size[1]; y++, lane += size[0]) {
            const uint32_t at = ((heat->group[1] - heat->base[1]) * size[1] + y) / heat->box[1];
            const uint64_t row = ((uint64_t)slice * heat->size[1] + at) * heat->size[0];
            row_end(heat, lane, row, count);
        }
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
    for (uint32_t i = 0; i < count;) {
        const uint32_t first = lanes[i], warp = first / RP_HEAT_WIDTH;
        uint32_t end = i + RP_MIN(RP_HEAT_WIDTH - first % RP_HEAT_WIDTH, count - i);
        while (lanes[end - 1] / RP_HEAT_WIDTH != warp)
            end--;
        for (uint32_t k = i; k < end; k++)
            heat->instructions[lanes[k]] += b->instruction_count;
        for (uint32_t k = i; b->is_loop_header && k < end; k++)
            heat->rounds[lanes[k]]++;
        heat->active[warp] += (uint64_t)(end - i) * b->instruction_count;
        heat->possible[warp] += RP_HEAT_WIDTH * b->instruction_count;
        i = end;
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
