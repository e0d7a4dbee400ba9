/* SPDX-License-Identifier: MIT */
/* tile_info() (5.9.15), in superblocks.
 */
#include "video/av1/tile_info.h"

#include "util/compiler.h"

#define MAX_TILE_WIDTH_PX 4096u
#define MAX_TILE_AREA_PX (4096u * 2304u)

uint32_t
rp_av1_tile_log2(uint32_t block, uint32_t target)
{
    uint32_t k = 0;
    while (block << k < target)
        k++;
    return k;
}

struct rp_av1_tile_limits
rp_av1_tile_limits_get(const struct rp_av1_sequence *seq, uint32_t frame_width_px,
                       uint32_t frame_height_px)
{
    const uint32_t sb_log2_px = seq->use_128x128_superblock ? 7 : 6;
    const uint32_t sb_px = 1u << sb_log2_px;
    struct rp_av1_tile_limits limits = {
        .sb_cols = (frame_width_px + sb_px - 1) / sb_px,
        .sb_rows = (frame_height_px + sb_px - 1) / sb_px,
        .max_tile_width_sb = MAX_TILE_WIDTH_PX >> sb_log2_px,
    };
    const uint32_t max_tile_area_sb = MAX_TILE_AREA_PX >> (2 * sb_log2_px);
    limits.min_log2_tile_cols = rp_av1_tile_log2(limits.max_tile_width_sb, limits.sb_cols);
    limits.max_log2_tile_cols = rp_av1_tile_log2(1, RP_MIN(limits.sb_cols, RP_AV1_MAX_TILE_COLS));
    limits.max_log2_tile_rows = rp_av1_tile_log2(1, RP_MIN(limits.sb_rows, RP_AV1_MAX_TILE_ROWS));
    limits.min_log2_tiles =
        RP_MAX(limits.min_log2_tile_cols,
               rp_av1_tile_log2(max_tile_area_sb, limits.sb_cols * limits.sb_rows));
    return limits;
}

/* increment_tile_cols_log2 or increment_tile_rows_log2, from min until one is 0. */
static void
code_log2(struct rp_av1_syntax *syntax, uint32_t min, uint32_t max, uint32_t *log2)
{
    const uint32_t wanted = *log2;
    bool has_increment = true;
    if (syntax->is_writing)
        rp_av1_require(syntax, wanted >= min && wanted <= RP_MAX(min, max));
    *log2 = min;
    while (*log2 < max && has_increment) {
        has_increment = *log2 < wanted;
        rp_av1_code_flag(syntax, &has_increment);
        *log2 += has_increment;
    }
}

/* Cuts size_sb into equal parts; the last one takes the rest. Returns their count. */
static uint32_t
cut_uniformly(uint32_t size_sb, uint32_t log2, uint32_t *sizes_minus_1)
{
    const uint32_t part_sb = (size_sb + (1u << log2) - 1) >> log2;
    uint32_t count = 0;
    for (uint32_t start_sb = 0; start_sb < size_sb; start_sb += part_sb)
        sizes_minus_1[count++] = RP_MIN(part_sb, size_sb - start_sb) - 1;
    return count;
}

static void
code_uniform(struct rp_av1_syntax *syntax, const struct rp_av1_tile_limits *limits,
             struct rp_av1_tile_info *tiles)
{
    code_log2(syntax, limits->min_log2_tile_cols, limits->max_log2_tile_cols,
              &tiles->tile_cols_log2);
    tiles->tile_cols =
        cut_uniformly(limits->sb_cols, tiles->tile_cols_log2, tiles->width_in_sbs_minus_1);

    const uint32_t min_log2_tile_rows = limits->min_log2_tiles > tiles->tile_cols_log2
                                            ? limits->min_log2_tiles - tiles->tile_cols_log2
                                            : 0;
    code_log2(syntax, min_log2_tile_rows, limits->max_log2_tile_rows, &tiles->tile_rows_log2);
    tiles->tile_rows =
        cut_uniformly(limits->sb_rows, tiles->tile_rows_log2, tiles->height_in_sbs_minus_1);
}

/* Codes sizes of at most max_sb until they cover size_sb. Returns their count; *largest_out is in
 * superblocks. */
static uint32_t
code_sizes(struct rp_av1_syntax *syntax, uint32_t size_sb, uint32_t max_sb, uint32_t *sizes_minus_1,
           uint32_t *largest_out)
{
    uint32_t start_sb = 0;
    uint32_t count = 0;
    *largest_out = 1;
    while (start_sb < size_sb && count < 64 && rp_av1_syntax_is_ok(syntax)) {
        rp_av1_code_ns(syntax, RP_MIN(size_sb - start_sb, max_sb), &sizes_minus_1[count]);
        const uint32_t part_sb = sizes_minus_1[count++] + 1;
        *largest_out = RP_MAX(*largest_out, part_sb);
        start_sb += part_sb;
    }
    rp_av1_require(syntax, start_sb >= size_sb);
    return count;
}

static void
code_explicit(struct rp_av1_syntax *syntax, const struct rp_av1_tile_limits *limits,
              struct rp_av1_tile_info *tiles)
{
    uint32_t widest_sb;
    uint32_t highest_sb;
    tiles->tile_cols = code_sizes(syntax, limits->sb_cols, limits->max_tile_width_sb,
                                  tiles->width_in_sbs_minus_1, &widest_sb);
    tiles->tile_cols_log2 = rp_av1_tile_log2(1, tiles->tile_cols);

    const uint32_t area_sb = limits->sb_cols * limits->sb_rows;
    const uint32_t max_tile_area_sb =
        limits->min_log2_tiles > 0 ? area_sb >> (limits->min_log2_tiles + 1) : area_sb;
    const uint32_t max_tile_height_sb = RP_MAX(max_tile_area_sb / widest_sb, 1u);
    tiles->tile_rows = code_sizes(syntax, limits->sb_rows, max_tile_height_sb,
                                  tiles->height_in_sbs_minus_1, &highest_sb);
    tiles->tile_rows_log2 = rp_av1_tile_log2(1, tiles->tile_rows);
}

void
rp_av1_code_tile_info(struct rp_av1_syntax *syntax, const struct rp_av1_tile_limits *limits,
                      struct rp_av1_tile_info *tiles)
{
    rp_av1_code_flag(syntax, &tiles->uniform_tile_spacing_flag);
    if (tiles->uniform_tile_spacing_flag)
        code_uniform(syntax, limits, tiles);
    else
        code_explicit(syntax, limits, tiles);
    if (tiles->tile_cols_log2 == 0 && tiles->tile_rows_log2 == 0) {
        tiles->context_update_tile_id = 0;
        return;
    }
    rp_av1_code_f(syntax, tiles->tile_rows_log2 + tiles->tile_cols_log2,
                  &tiles->context_update_tile_id);
    rp_av1_require(syntax, tiles->context_update_tile_id < tiles->tile_cols * tiles->tile_rows);
    rp_av1_code_f(syntax, 2, &tiles->tile_size_bytes_minus_1);
}
