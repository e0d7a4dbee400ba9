/* SPDX-License-Identifier: MIT */
/* Cube maps: from directions to faces, and from face to face across the edges.
 */
#include "compute/image/filter.h"

#include <math.h>

/* For each face: which axis is major and its sign, and which axes (with sign) s and t are
 * (table "Cube map face and coordinate selection"). */
struct face {
    uint8_t major, s, t;
    int8_t major_sign, s_sign, t_sign;
};

static const struct face faces[6] = {
    {0, 2, 1, +1, -1, -1}, {0, 2, 1, -1, +1, -1}, {1, 0, 2, +1, +1, +1},
    {1, 0, 2, -1, +1, -1}, {2, 0, 1, +1, +1, -1}, {2, 0, 1, -1, -1, -1},
};

static uint32_t
face_of(const float r[3])
{
    const float x = fabsf(r[0]), y = fabsf(r[1]), z = fabsf(r[2]);

    if (z >= x && z >= y)
        return r[2] < 0.0f ? 5 : 4;
    if (y >= x)
        return r[1] < 0.0f ? 3 : 2;
    return r[0] < 0.0f ? 1 : 0;
}

static void
face_coordinates(const struct face *f, const float r[3], float out[2])
{
    const float major = fabsf(r[f->major]);
    const float scale = major > 0.0f ? 0.5f / major : 0.0f;

    out[0] = (float)f->s_sign * r[f->s] * scale + 0.5f;
    out[1] = (float)f->t_sign * r[f->t] * scale + 0.5f;
}

uint32_t
rp_cube_project(const float r[3], float out[2])
{
    const uint32_t face = face_of(r);
    face_coordinates(&faces[face], r, out);
    return face;
}

void
rp_cube_derivative(const float r[3], uint32_t face, const float dr[3], float out[2])
{
    const struct face *f = &faces[face];
    const float major = fabsf(r[f->major]);
    const float dmajor = (float)f->major_sign * dr[f->major];
    const float scale = major > 0.0f ? 0.5f / (major * major) : 0.0f;

    out[0] = (float)f->s_sign * (major * dr[f->s] - r[f->s] * dmajor) * scale;
    out[1] = (float)f->t_sign * (major * dr[f->t] - r[f->t] * dmajor) * scale;
}

bool
rp_cube_wrap(uint32_t size_px, uint32_t *face, int32_t *x, int32_t *y)
{
    const int32_t size = (int32_t)size_px;
    const bool is_out_x = *x < 0 || *x >= size;
    const bool is_out_y = *y < 0 || *y >= size;
    if (!is_out_x && !is_out_y)
        return true;
    if (is_out_x && is_out_y)
        return false;

    /* The direction of the texel's centre, pulled onto the edge where it left the face: the face
     * next door sees it half a texel inside. Integers: twice the centre minus the size. */
    const struct face *f = &faces[*face];
    int32_t r[3];
    r[f->s] = f->s_sign * (is_out_x ? (*x < 0 ? -size : size) : 2 * *x + 1 - size);
    r[f->t] = f->t_sign * (is_out_y ? (*y < 0 ? -size : size) : 2 * *y + 1 - size);
    r[f->major] = f->major_sign * (size - 1);

    const uint32_t axis = is_out_x ? f->s : f->t;
    *face = 2 * axis + (r[axis] < 0);
    f = &faces[*face];
    *x = (f->s_sign * r[f->s] + size) / 2;
    *y = (f->t_sign * r[f->t] + size) / 2;
    if (*x >= size)
        *x = size - 1;
    if (*y >= size)
        *y = size - 1;
    return true;
}
