// SPDX-License-Identifier: MIT
// Structures that others may look at meanwhile.
#version 450
layout(local_size_x = 64) in;
layout(binding = 1, std430) volatile buffer Out { mat4 made[]; };

void main()
{
    const uint i = gl_GlobalInvocationID.x;
    made[i] = transpose(made[i]);
}
