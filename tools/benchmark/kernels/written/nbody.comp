#version 450
// SPDX-License-Identifier: MIT
// Accelerations of bodies by all others, tile by tile through shared memory.
layout(local_size_x = 256) in;
layout(std430, binding = 0) readonly buffer X { vec4 x[]; };
layout(std430, binding = 1) buffer Y { vec4 y[]; };
layout(push_constant) uniform P { uint n; };
shared vec4 tile[256];
void main()
{
    const vec4 self = x[gl_GlobalInvocationID.x];
    vec3 sum = vec3(0);
    for (uint t = 0; t < n; t += 256) {
        tile[gl_LocalInvocationID.x] = x[t + gl_LocalInvocationID.x];
        barrier();
        for (uint j = 0; j < 256; j++) {
            const vec3 d = tile[j].xyz - self.xyz;
            const float r = inversesqrt(dot(d, d) + 0.01);
            sum += d * (tile[j].w * r * r * r);
        }
        barrier();
    }
    y[gl_GlobalInvocationID.x] = vec4(sum, 0);
}
