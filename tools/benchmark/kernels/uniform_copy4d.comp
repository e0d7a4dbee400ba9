#version 450
// SPDX-License-Identifier: MIT
// A tensor of four dimensions with its first two exchanged. The sizes come when it is dispatched.
layout(local_size_x = 256) in;
layout(std430, binding = 0) readonly buffer X { float x[]; };
layout(std430, binding = 1) writeonly buffer Y { float y[]; };
layout(push_constant) uniform P { uint n; uint size[3]; };
void main()
{
    uint i = gl_GlobalInvocationID.x;
    if (i >= n)
        return;
    uint i0 = i % size[0], rest = i / size[0];
    uint i1 = rest % size[1];
    rest /= size[1];
    uint i2 = rest % size[2], i3 = rest / size[2];
    y[((i3 * size[2] + i2) * size[0] + i0) * size[1] + i1] = x[i];
}
