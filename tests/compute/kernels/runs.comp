#version 450
// SPDX-License-Identifier: MIT
// Words from and to places that memory tells.
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint places[]; };
layout(std430, binding = 1) readonly buffer F { uint f[]; };
layout(std430, binding = 2) writeonly buffer C { uint c[]; };
layout(std430, binding = 3) writeonly buffer D { uint d[]; };
layout(push_constant) uniform P { uint count; };
void main()
{
    uint i = gl_GlobalInvocationID.x;
    uint place = places[i];
    c[i] = f[place];
    if (i * 2654435769u >> 24 < count)
        d[place] = i + 1u;
}
