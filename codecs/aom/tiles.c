/* SPDX-License-Identifier: MIT */
#include "codecs/aom/tiles.h"

#include "util/compiler.h"

#define MAX_TILE_WIDTH_SB 64u                    /* MAX_TILE_WIDTH: 4096 pixels */
#define MAX_TILE_AREA_SB (4096 / 64 * 2304 / 64) /* MAX_TILE_AREA: 4096 * 2304 pixels */

/* tile_log2() (5.9.16) */
static uint32_t
tile_log2(uint32_t block, uint32_t target)
{
    uint32_t k = 0;
    while (block << k < target)
        k++;
    return k;
}

/* One direction of uniform spacing: size_sb in at most max_count tiles, 1 << log2 of them if that
 * many have one superblock at least. */
static uint32_t
space_evenly(uint32_t size_sb, uint32_t log2, uint16_t *sizes_minus_1)
{
    const uint32_t tile_sb = (size_sb + (1u << log2) - 1) >> log2;
    uint32_t count = 0;
    for (uint32_t start = 0; start < size_sb; start += tile_sb)
        sizes_minus_1[count++] = (uint16_t)(RP_MIN(tile_sb, size_sb - start) - 1);
    return count;
}

/* Of 4096 pixels a tile and more libaom makes two. */
static uint32_t
min_log2_cols_of_libaom(uint32_t width_sb)
{
    uint32_t k = 0;
    while (MAX_TILE_WIDTH_SB << k <= width_sb)
        k++;
    return k;
}

/* As few tiles as there can be, but as many as are wanted. */
static void
cut_evenly(struct rp_aom_tiles *tiles, uint32_t width_sb, uint32_t height_sb,
           uint32_t min_log2_cols, uint32_t wanted_cols, uint32_t wanted_rows)
{
    const uint32_t max_log2_cols = tile_log2(1, RP_MIN(width_sb, RP_AV1_ENCODE_MAX_TILE_COLS));
    const uint32_t max_log2_rows = tile_log2(1, RP_MIN(height_sb, RP_AV1_ENCODE_MAX_TILE_ROWS));
    const uint32_t min_log2_tiles =
        RP_MAX(min_log2_cols, tile_log2(MAX_TILE_AREA_SB, width_sb * height_sb));

    uint32_t log2_cols = RP_MAX(min_log2_cols, tile_log2(1, wanted_cols));
    log2_cols = RP_MIN(log2_cols, max_log2_cols);
    uint32_t log2_rows = min_log2_tiles > log2_cols ? min_log2_tiles - log2_cols : 0;
    log2_rows = RP_MIN(RP_MAX(log2_rows, tile_log2(1, wanted_rows)), max_log2_rows);

    tiles->cols_log2 = log2_cols;
    tiles->rows_log2 = log2_rows;
    tiles->cols = space_evenly(width_sb, log2_cols, tiles->widths_sb_minus_1);
    tiles->rows = space_evenly(height_sb, log2_rows, tiles->heights_sb_minus_1);
}

static uint32_t
largest(const uint16_t *sizes_minus_1, uint32_t count)
{
    uint32_t size_sb = 0;
    for (uint32_t i = 0; i < count; i++)
        size_sb = RP_MAX(size_sb, sizes_minus_1[i] + 1u);
    return size_sb;
}

/* Whether sizes that are listed may be these (5.9.15). */
static bool
sizes_fit(const struct rp_aom_tiles *tiles, uint32_t width_sb, uint32_t height_sb)
{
    const uint32_t min_log2_tiles = RP_MAX(tile_log2(MAX_TILE_WIDTH_SB, width_sb),
                                           tile_log2(MAX_TILE_AREA_SB, width_sb * height_sb));
    const uint32_t max_area_sb =
        min_log2_tiles ? (width_sb * height_sb) >> (min_log2_tiles + 1) : width_sb * height_sb;
    const uint32_t widest_sb = largest(tiles->widths_sb_minus_1, tiles->cols);
    const uint32_t highest_sb = largest(tiles->heights_sb_minus_1, tiles->rows);
    return widest_sb <= MAX_TILE_WIDTH_SB && highest_sb <= RP_MAX(max_area_sb / widest_sb, 1u);
}

static bool
init_uniform(struct rp_aom_tiles *tiles, uint32_t width_sb, uint32_t height_sb,
             uint32_t wanted_cols, uint32_t wanted_rows)
{
    if (wanted_cols > RP_AV1_ENCODE_MAX_TILE_COLS || wanted_rows > RP_AV1_ENCODE_MAX_TILE_ROWS)
        return false;
    tiles->is_uniform = true;
    cut_evenly(tiles, width_sb, height_sb, tile_log2(MAX_TILE_WIDTH_SB, width_sb), wanted_cols,
               wanted_rows);
    tiles->has_logs = !sizes_fit(tiles, width_sb, height_sb);
    if (tiles->has_logs)
        cut_evenly(tiles, width_sb, height_sb, min_log2_cols_of_libaom(width_sb), wanted_cols,
                   wanted_rows);
    return true;
}

/* The sizes must cover exactly what there is. */
static bool
copy_sizes(uint32_t size_sb, uint32_t count, const uint16_t *sizes_minus_1, uint16_t *out)
{
    uint32_t sum_sb = 0;
    for (uint32_t i = 0; i < count; i++) {
        sum_sb += sizes_minus_1[i] + 1u;
        out[i] = sizes_minus_1[i];
    }
    return sum_sb == size_sb;
}

static bool
init_explicit(struct rp_aom_tiles *tiles, uint32_t width_sb, uint32_t height_sb,
              const StdVideoAV1TileInfo *info)
{
    if (!info->pWidthInSbsMinus1 || !info->pHeightInSbsMinus1 || info->TileCols == 0 ||
        info->TileRows == 0 || info->TileCols > RP_AV1_ENCODE_MAX_TILE_COLS ||
        info->TileRows > RP_AV1_ENCODE_MAX_TILE_ROWS)
        return false;
    tiles->is_uniform = false;
    tiles->has_logs = false;
    tiles->cols = info->TileCols;
    tiles->rows = info->TileRows;
    return copy_sizes(width_sb, tiles->cols, info->pWidthInSbsMinus1, tiles->widths_sb_minus_1) &&
           copy_sizes(height_sb, tiles->rows, info->pHeightInSbsMinus1,
                      tiles->heights_sb_minus_1) &&
           sizes_fit(tiles, width_sb, height_sb);
}

bool
rp_aom_tiles_init(struct rp_aom_tiles *tiles, uint32_t width_px, uint32_t height_px,
                  const StdVideoAV1TileInfo *info)
{
    const uint32_t width_sb = (width_px + RP_AV1_SUPERBLOCK_PX - 1) / RP_AV1_SUPERBLOCK_PX;
    const uint32_t height_sb = (height_px + RP_AV1_SUPERBLOCK_PX - 1) / RP_AV1_SUPERBLOCK_PX;

    if (!info)
        return init_uniform(tiles, width_sb, height_sb, 1, 1);
    if (info->flags.uniform_tile_spacing_flag)
        return init_uniform(tiles, width_sb, height_sb, RP_MAX(info->TileCols, 1u),
                            RP_MAX(info->TileRows, 1u));
    return init_explicit(tiles, width_sb, height_sb, info);
}
