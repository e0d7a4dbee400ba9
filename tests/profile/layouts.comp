#version 450
// SPDX-License-Identifier: MIT
#extension GL_EXT_scalar_block_layout : require
// The same members by three layouts; of each one member in three is read.
layout(local_size_x = 8) in;
struct Pair { float a; vec2 b; };
#define MEMBERS \
    float one; \
    vec3 three; \
    mat2x3 columns; \
    layout(row_major) mat2x3 rows; \
    float list[2]; \
    Pair pair; \
    Pair pairs[2];
layout(std140, set = 0, binding = 0) uniform Std140 { MEMBERS } a;
layout(std430, set = 0, binding = 1) readonly buffer Std430 { MEMBERS } b;
layout(scalar, set = 1, binding = 2) uniform Scalar { MEMBERS } c;
layout(set = 1, binding = 3) buffer Out { float values[]; } result;

void main()
{
    const uint i = gl_GlobalInvocationID.x;
    result.values[i] = a.one + a.rows[1].z + b.columns[i & 1].x + b.pairs[i & 1].b.y + c.pair.b.x +
        c.list[1] + c.three.y;
}
