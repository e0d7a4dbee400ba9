// SPDX-License-Identifier: MIT
// Functions of an invocation's place in its workgroup: tests/compute/once.c.
#version 450
layout(local_size_x = 256) in;
layout(constant_id = 0) const uint count = 20;
layout(binding = 0) buffer A { float a[]; };
layout(binding = 1) buffer B { float b[]; };
shared float s[256];

void main()
{
    const uint l = gl_LocalInvocationID.x, id = gl_GlobalInvocationID.x;
    float sum = a[id];
    for (uint i = 1; i <= count; i++)
        sum = sum * 0.5 + sin(float(l * i & 1023u)) * a[id + i];
    s[l] = sum;
    barrier();
    b[id] = s[l ^ 1u];
}
