// SPDX-License-Identifier: MIT
#version 450
// Workgroups of any size that share memory, meet at barriers and go round a loop as often as each
// of them likes. Their sizes are specialized.
layout(local_size_x_id = 0, local_size_y_id = 1) in;
layout(constant_id = 0) const uint WIDTH = 1u;
layout(constant_id = 1) const uint HEIGHT = 1u;
const uint SIZE = WIDTH * HEIGHT;
layout(set = 0, binding = 0) readonly buffer A { uint a[]; };
layout(set = 0, binding = 1) readonly buffer F { float f[]; };
layout(set = 0, binding = 2) writeonly buffer C { uint c[]; };
layout(set = 0, binding = 3) writeonly buffer D { float d[]; };
shared uint line[SIZE];
shared uint total;
shared float rows[HEIGHT][WIDTH];

void main()
{
    uvec2 l = gl_LocalInvocationID.xy;
    uint at = gl_LocalInvocationIndex;
    uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
    uint sum = 0u;

    if (at == 0u)
        total = group;
    rows[l.y][l.x] = f[group * SIZE + at];
    barrier();
    for (uint r = 0u; r < 1u + gl_WorkGroupID.x % 3u; r++) {
        line[at] = a[(group * SIZE + at * (r + 1u)) % 997u];
        barrier();
        sum += line[(at + 1u + r) % SIZE] + line[l.y * WIDTH];
        barrier();
    }
    atomicAdd(total, sum & 255u);
    barrier();
    c[group * SIZE + at] = sum ^ total;

    float product = 0.0;
    for (uint k = 0u; k < WIDTH; k++)
        product += rows[l.y][k] * rows[k % HEIGHT][l.x];
    d[group * SIZE + at] = product;
}
