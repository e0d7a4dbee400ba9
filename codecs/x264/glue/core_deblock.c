/* SPDX-License-Identifier: GPL-2.0-or-later */
/* x264's deblock.c, unchanged, with parameters per macroblock in pictures of several slices.
 *
 * x264_frame_deblock_row() looks up its parameters once for the row. It then calls
 * macroblock_cache_load_neighbours_deblock(h, mb_x, mb_y) for each macroblock; the definition's
 * third argument reads "int mb_y". The macro below pastes that argument: the call becomes a block
 * that also sets the row's local a, b and qp_thresh.
 */
#include "context.h"

#define LOAD_FIRST(a, ...) a
#define LOAD_PICK(...) LOAD_FIRST(__VA_ARGS__)
#define LOAD_3_int load_neighbours_of_x264, 0,
#define LOAD_3_mb_y LOAD_NEIGHBOURS_OF_OURS, 0,
#define macroblock_cache_load_neighbours_deblock(h, x, y) LOAD_PICK(LOAD_3_##y)(h, x, y)

#define LOAD_NEIGHBOURS_OF_OURS(h, x, y) \
    do { \
        const struct rp_x264_context *ctx = (h)->api; \
        if (!ctx->shared_slices) { \
            load_neighbours_of_x264(h, x, y); \
            break; \
        } \
        const struct rp_h264_slice *slice = \
            ctx->hooks->filtered_slice(h, (y) * (h)->mb.i_mb_stride + (x)); \
        (h)->sh.i_disable_deblocking_filter_idc = (int)slice->disable_deblocking_filter_idc; \
        load_neighbours_of_x264(h, x, y); \
        a = 2 * slice->alpha_c0_offset_div2; \
        b = 2 * slice->beta_offset_div2; \
        qp_thresh = 15 - X264_MIN(a, b) - X264_MAX(0, (h)->pps->i_chroma_qp_index_offset); \
        if (slice->disable_deblocking_filter_idc == 1) { \
            (h)->mb.i_neighbour = 0; \
            qp_thresh = QP_MAX; /* no edge inside either */ \
        } \
        ctx->hooks->filter_slice_edges(h, x, y); \
    } while (0)

#include "common/deblock.c"
