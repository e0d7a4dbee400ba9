#version 450
// SPDX-License-Identifier: MIT
#extension GL_EXT_scalar_block_layout : require
// Fields of every kind: read, never read, read where no lane comes.
layout(local_size_x = 8) in;
struct Inner { vec3 direction; float weight; };
layout(push_constant) uniform Pushed { uint step; uint unused_word; } pushed;
layout(std140, set = 0, binding = 0) uniform Params {
    float scale;         // 0: changes with each dispatch
    uint mode;           // 4: constant, 0: what it guards is not reached
    vec2 unread;         // 8
    mat3x2 matrix;       // 16: three columns of 16 bytes
    Inner inner;         // 64 and 76
    vec4 list[3];        // 80: only the second is read
    float zero;          // 128
    uint unused_tail;    // 132
} params;
layout(std430, set = 0, binding = 1) readonly buffer Table { uint first; uint rest[]; } table_;
layout(scalar, set = 0, binding = 2) buffer Out { float values[]; } out_;

void main()
{
    const uint i = gl_GlobalInvocationID.x;
    float sum = params.scale * float(i) + float(pushed.step) + float(table_.first);
    if (params.mode != 0)
        sum += params.unread.y;
    sum += params.matrix[1].y + params.inner.weight + params.list[1].z + params.zero * 2;
    out_.values[i] = sum;
}
