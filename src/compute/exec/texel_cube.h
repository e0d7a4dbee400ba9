/* SPDX-License-Identifier: MIT */
/* Cube maps whose faces join: the taps of a filter that leave their face along one axis lie in the
 * face next door, as rp_cube_wrap() of compute/image/cube.c has it for one texel.
 */
#ifndef RP_COMPUTE_EXEC_TEXEL_CUBE_H
#define RP_COMPUTE_EXEC_TEXEL_CUBE_H

#include "compute/exec/texel_taps.h"

/* What a coordinate of the face next door is: the edge's first or last texel, or how far along the
 * edge the tap is, counted from the one end or the other. */
enum {
    ZERO = 0,
    SAME = 1,
    LAST = 2,
    BACK = 3,
};

/* By the face and the edge: x too low, x too high, y too low, y too high. */
#define SEAM(face, x, y) ((face) | (x) << 4 | (y) << 8)
static const uint32_t cube_seams[6 * 4] = {
    SEAM(4, LAST, SAME), SEAM(5, ZERO, SAME), SEAM(2, LAST, BACK), SEAM(3, LAST, SAME),
    SEAM(5, LAST, SAME), SEAM(4, ZERO, SAME), SEAM(2, ZERO, SAME), SEAM(3, ZERO, BACK),
    SEAM(1, SAME, ZERO), SEAM(0, BACK, ZERO), SEAM(5, BACK, ZERO), SEAM(4, SAME, ZERO),
    SEAM(1, BACK, LAST), SEAM(0, SAME, LAST), SEAM(4, SAME, LAST), SEAM(5, BACK, LAST),
    SEAM(1, LAST, SAME), SEAM(0, ZERO, SAME), SEAM(2, SAME, LAST), SEAM(3, SAME, ZERO),
    SEAM(0, LAST, SAME), SEAM(1, ZERO, SAME), SEAM(2, BACK, ZERO), SEAM(3, BACK, LAST),
};
#undef SEAM

static inline vi
seam_of(vi face, vi edge)
{
#if RP_VW >= 8
    return VI(gather_words((const uint8_t *)cube_seams, (face * 4 + edge) * 4));
#else
    return face & edge & (vi){(int32_t)cube_seams[0]};
#endif
}

/* sort: of the above, in the lowest bits. */
static inline vi
seam_coordinate(vi sort, vi along, vi last)
{
    const vi from_zero = along & -(sort & 1);
    return vi_select(-(sort >> 1 & 1), last - from_zero, from_zero);
}

/* Where a tap lies that is outside of its face along one axis. */
static inline vi
seam_offset(const struct point *p, const struct level_lanes *l, vi x, vi y, vi is_out_x)
{
    const vi last = l->size_px[0] - 1;
    const vi is_high = vi_select(is_out_x, VI(x > 0), VI(y > 0));
    const vi seam = seam_of(p->cube.face, (~is_out_x & 2) - is_high);
    const vi along = vi_select(is_out_x, y, x);
    const vi layer = p->layer - p->cube.face + (seam & 7);
    return l->base_B + layer * l->layer_B + seam_coordinate(seam >> 4, along, last) * l->step_B[0] +
           seam_coordinate(seam >> 8, along, last) * l->step_B[1];
}

/* The four taps of lanes of which some leave their face; x and y: the first one. Returns lanes with
 * a tap that is in no face. */
static __attribute__((noinline)) vi
taps_seam(const struct point *p, const struct level_lanes *l, vi x, vi y, struct taps *taps)
{
    vi corners = {0};
    for (int32_t k = 0; k < 4; k++) {
        const vi at_x = x + (k & 1), at_y = y + (k >> 1);
        const vi is_out_x = VI(VU(at_x) >= VU(l->size_px[0]));
        const vi is_out_y = VI(VU(at_y) >= VU(l->size_px[1]));
        const vi inside = taps->base + taps->offset[1][k >> 1] + taps->offset[0][k & 1];
        taps->seam[k] =
            vi_select(is_out_x ^ is_out_y, seam_offset(p, l, at_x, at_y, is_out_x), inside);
        corners |= is_out_x & is_out_y;
    }
    taps->has_seam = true;
    return corners;
}

/* As taps_linear(). Returns lanes that see a corner of a cube. */
static inline vi
taps_square(const struct unit *u, const struct point *p, const struct level_lanes *l,
            struct taps *taps)
{
    vi first[3];
    const vi astray = taps_linear(u, p, l, first, taps);
    if (RP_VW < 8 || vi_bits(astray) == 0) /* on small vectors the texture unit has all of them */
        return astray;
    return taps_seam(p, l, first[0], first[1], taps);
}

#endif
