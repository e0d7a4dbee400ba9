#version 450
// SPDX-License-Identifier: MIT
// Positions doubled and halved again, as pictures of half the size do; without a loop.
layout(local_size_x_id = 0, local_size_y_id = 1) in;
layout(std430, binding = 0) readonly buffer A { uint a[]; };
layout(std430, binding = 2) writeonly buffer C { uint c[]; };
layout(push_constant) uniform P { int width; };
void main()
{
    ivec2 at = ivec2(gl_GlobalInvocationID.xy) * 2;
    ivec2 half_at = at / 2, three = (at + 1) / 2;
    int place = half_at.y * width + half_at.x;
    c[place] = a[place] + uint((at.x * 2) % 4 + three.x * 16 + three.y * 4096);
}
