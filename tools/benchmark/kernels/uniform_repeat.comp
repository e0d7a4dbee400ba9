#version 450
// SPDX-License-Identifier: MIT
// A sum with a smaller tensor, which is repeated along each dimension.
layout(local_size_x = 256) in;
layout(std430, binding = 0) readonly buffer X { float x[]; };
layout(std430, binding = 1) writeonly buffer Y { float y[]; };
layout(std430, binding = 2) readonly buffer Z { float z[]; };
layout(push_constant) uniform P { uint n; uint size0; uint repeated0; uint repeated1; };
void main()
{
    uint i = gl_GlobalInvocationID.x;
    if (i >= n)
        return;
    uint i0 = i % size0, i1 = i / size0;
    y[i] = x[i] + z[i1 % repeated1 * repeated0 + i0 % repeated0];
}
